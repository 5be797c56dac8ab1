package import DBus
package import Playback

/// `org.tianlai.Control1`: what Tianlai tells beyond MPRIS, on a path of its own (C-6).
package enum ControlInterface {
    package static let table = Interface<any PlayerControl>(
        InterfaceName.control,
        properties: [
            // Why there is no sound although there should be; empty while all is well.
            Property("Problem", "s", get: { $0.status.problemValue })
        ]
    )
}
