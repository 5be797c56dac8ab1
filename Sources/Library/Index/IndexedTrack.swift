package import Music

/// By what a file is known to be the one that was read: it is not read again while all of this is as it was (C231).
package struct FileStamp: Equatable, Sendable {
    var identity: FileIdentity
    var size: Int64
    /// When its content was changed last, in nanoseconds since 1970.
    var modified: Int64
    /// When anything of it was changed last, also who may read it.
    var changed: Int64

    /// Whether it is the same content, as far as a file at the same path is concerned.
    package func hasContent(of other: FileStamp) -> Bool {
        size == other.size && modified == other.modified
    }
}

/// What a file or a folder is the same by, under whatever path.
package struct FileIdentity: Hashable, Sendable {
    var device: Int64
    var inode: Int64
}

/// How long the music in a file is, as far as it is known.
package struct FileLength: Equatable, Sendable {
    package var time: TrackTime?
    /// Whether it is exact to the sample; what is not may be a guess from the size.
    package var isExact: Bool

    package static let unknown = FileLength(nil)

    package init(_ time: TrackTime?, isExact: Bool = false) {
        self.time = time
        self.isExact = isExact && time != nil
    }
}

/// What reading through a file has told.
package struct MeasuredFile: Equatable, Sendable {
    /// Which file it was, taken before it was read.
    package var stamp: FileStamp
    /// To the sample.
    package var length: TrackTime
    /// Where to find places in it, as the decoders have written it; `nil` where that does not pay.
    package var seekIndex: [UInt8]?

    package init(stamp: FileStamp, length: TrackTime, seekIndex: [UInt8]? = nil) {
        self.stamp = stamp
        self.length = length
        self.seekIndex = seekIndex
    }
}

/// What the index knows of a file of music.
package struct IndexedTrack: Equatable, Sendable {
    package var tags = Tags()
    package var length = FileLength.unknown
    /// What was measured where the tags do not say how loud it is.
    package var measured = ReplayGain()
    /// Why the file could not be read, in words that go behind its path; it is not tried again until it changes.
    package var problem: String?

    /// What is known of its loudness, from wherever.
    package var replayGain: ReplayGain { tags.replayGain.filled(from: measured) }
}
