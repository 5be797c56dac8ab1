package import DBus

/// `org.mpris.MediaPlayer2`: who this player is, and how to end it.
package final class RootInterface {
    private let quit: () -> Void

    /// `quit` is called on the loop, before the caller has its answer: it ends the service soon, not at once (C-16).
    package init(quit: @escaping () -> Void) {
        self.quit = quit
    }

    package static let table = Interface<RootInterface>(
        InterfaceName.root,
        methods: [
            // There is no window to raise (R-2, C-16).
            .plain("Raise") { _ in },
            .plain("Quit") { $0.quit() },
        ],
        properties: [
            Property("CanQuit", "b", get: { _ in .boolean(true) }),
            Property(
                "Fullscreen",
                "b",
                get: { _ in .boolean(false) },
                set: { (_, _) throws(CallError) in throw .notSupported("there is no window") }
            ),
            Property("CanSetFullscreen", "b", get: { _ in .boolean(false) }),
            Property("CanRaise", "b", get: { _ in .boolean(false) }),
            Property("HasTrackList", "b", get: { _ in .boolean(true) }),
            Property("Identity", "s", get: { _ in .string("Tianlai") }),
            Property("DesktopEntry", "s", get: { _ in .string("tianlai") }),
            Property("SupportedUriSchemes", "as", get: { _ in .strings(["file"]) }),
            Property("SupportedMimeTypes", "as", get: { _ in .strings(mimeTypes) }),
        ]
    )

    /// What is played, under all the names that desktops know it by (R-15, C-18).
    ///
    /// The first of each are those of the desktop entry.
    private static let mimeTypes = [
        "audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg3", "audio/x-mpeg", "audio/mp2",
        "audio/x-mp2", "audio/mp1", "audio/x-mp1",
        "audio/flac", "audio/x-flac", "audio/ogg", "audio/x-vorbis+ogg", "audio/vorbis", "audio/x-opus+ogg",
        "audio/opus", "audio/vnd.wave", "audio/x-wav", "audio/wav", "audio/x-aiff", "audio/aiff",
        "audio/x-aifc",
        "audio/basic", "audio/x-caf",
        // Playlists.
        "audio/x-mpegurl", "audio/mpegurl", "application/vnd.apple.mpegurl", "audio/x-scpls",
        "application/xspf+xml", "application/x-cue", "audio/x-ms-asx", "application/vnd.ms-wpl",
    ]
}
