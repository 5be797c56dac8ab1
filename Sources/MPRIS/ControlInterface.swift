package import DBus
package import Playback

/// `org.tianlai.Control1`: what Tianlai does and tells beyond MPRIS, on a path of its own (C-6).
package enum ControlInterface {
    package static let table = Interface<any PlayerControl>(
        InterfaceName.control,
        methods: [
            Method("Play", in: [Argument("Locations", "as")], out: []) {
                (player, arguments) throws(CallError) in
                do throws(OpenError) {
                    try player.play(arguments.first?.strings ?? [])
                } catch {
                    throw .failed(error.description)
                }
                return []
            }
        ],
        properties: [
            // Why there is no sound although there should be; empty while all is well.
            Property("Problem", "s", get: { $0.status.problemValue })
        ]
    )
}
