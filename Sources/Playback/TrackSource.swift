package import Music

/// Why a file cannot be used, in words that go behind its path.
package struct ReadError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// How the player learns of files; all of it is called on threads of its own and may block.
package struct TrackSource: Sendable {
    /// All that is to be known of a track that is about to be played, with its exact length and its cover written out.
    package var read: Read
    /// What can be known of a track that is only listed, without reading through its file.
    package var glance: @Sendable (TrackLocation) -> Track
    /// Finds the tracks that a path stands for: itself, what is below it or what it lists.
    ///
    /// They are handed on as they are found; `false` from the closure ends the search. What is there but cannot be used is
    /// told to `problem`, in one line each.
    package var find: Find

    /// What is known but for the cover, which may be slow to get, is handed to `tellText`: text never waits for it (C078).
    package typealias Read =
        @Sendable (_ location: TrackLocation, _ tellText: (Track) -> Void) -> Result<Track, ReadError>

    /// Called when nothing is wanted any more for now: what nobody waits for is done then.
    package var rest: @Sendable () -> Void

    package typealias Find =
        @Sendable (
            _ path: FilePath, _ problem: (String) -> Void, _ found: (TrackLocation) -> Bool
        ) -> Void

    /// A source that knows all of a track at once.
    package init(
        read: @escaping @Sendable (TrackLocation) -> Result<Track, ReadError>,
        glance: @escaping @Sendable (TrackLocation) -> Track,
        find: @escaping Find,
        rest: @escaping @Sendable () -> Void = {}
    ) {
        self.init(readTextFirst: { location, _ in read(location) }, glance: glance, find: find, rest: rest)
    }

    package init(
        readTextFirst read: @escaping Read,
        glance: @escaping @Sendable (TrackLocation) -> Track,
        find: @escaping Find,
        rest: @escaping @Sendable () -> Void = {}
    ) {
        self.read = read
        self.glance = glance
        self.find = find
        self.rest = rest
    }
}
