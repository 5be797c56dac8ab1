/// Where a track is: a whole file, or the stretch of one that a cue sheet makes a track.
package struct TrackLocation: Hashable, Sendable {
    package var path: FilePath
    /// `nil` where the file is the track.
    package var excerpt: Excerpt?

    package init(_ path: FilePath, _ excerpt: Excerpt? = nil) {
        self.path = path
        self.excerpt = excerpt
    }
}

extension TrackLocation: CustomStringConvertible {
    /// For messages: the path, and for a stretch of it where that begins.
    package var description: String {
        excerpt.map { "\(path) at \($0.start)" } ?? path.description
    }
}

/// A stretch of a file, and what the cue sheet says of it, so that it outlives the sheet.
package struct Excerpt: Hashable, Sendable {
    /// Where it begins and ends in the file; without an end it goes on to the file's own.
    ///
    /// A cue sheet counts in 75ths of a second, rounded down here to the microsecond:
    /// ``TrackTime/frames(rate:)`` gives back the very sample frame.
    package var start: TrackTime
    package var end: TrackTime?
    package var title: String?
    package var artist: String?
    package var album: String?
    /// 1 or more.
    package var number: Int32?

    package init(start: TrackTime, end: TrackTime? = nil) {
        self.start = start
        self.end = end
    }

    /// How long it plays, in a file that plays for `whole`; `nil` where neither says.
    package func length(in whole: TrackTime?) -> TrackTime? {
        (end ?? whole).map { max(.zero, $0 - start) }
    }
}
