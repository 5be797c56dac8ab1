import CTagLib
import Music

/// The tags of an MPEG file put together: ID3v2 before APEv2 before ID3v1, field by field.
struct MPEGTags {
    private var id3v2: ID3v2Fields
    private var ape: APEFields
    private var id3v1 = ID3v1Fields()
    private var frameLength = MPEGFrame.usual

    /// Reads what is there; damage costs what is behind it, not more.
    init(_ file: TagBytes, wantsCover: Bool, wantsLyrics: Bool = false) {
        id3v2 = ID3v2Fields(wantsLyrics: wantsLyrics)
        ape = APEFields(wantsLyrics: wantsLyrics)
        withUnsafeMutablePointer(to: &self) { fields in
            _ = taglib_read_mpeg(
                file.descriptor,
                wantsCover,
                wantsLyrics,
                { context, item in
                    guard let context, let item else { return }
                    context.assumingMemoryBound(to: MPEGTags.self).pointee.take(item.pointee)
                },
                fields
            )
        }
        if id3v2.lyrics.countsFrames { frameLength = MPEGFrame.length(in: file) }
    }

    var fileTags: FileTags {
        var file = FileTags()
        file.tags = id3v2.tags.filled(from: ape.tags).filled(from: id3v1.tags)
        file.cover = id3v2.cover ?? ape.cover
        file.lyrics = id3v2.lyrics.lyrics(frame: frameLength).filled(from: ape.lyrics.lyrics())
        return file
    }

    private mutating func take(_ item: taglib_item) {
        let name = String(cString: item.name)
        let bytes = UnsafeRawBufferPointer(start: item.bytes, count: item.count)
        switch item.origin {
        case TAGLIB_ID3V2: id3v2.take(name, bytes)
        case TAGLIB_APE: ape.take(name, bytes)
        default: id3v1.take(name, bytes)
        }
    }
}

extension ID3v2Fields {
    /// Reads an ID3v2 tag that is a part of another file.
    init(_ file: TagBytes, at offset: Int64, length: Int64, wantsCover: Bool, wantsLyrics: Bool = false) {
        self.init(wantsLyrics: wantsLyrics)
        withUnsafeMutablePointer(to: &self) { fields in
            _ = taglib_read_id3v2(
                file.descriptor,
                offset,
                length,
                wantsCover,
                wantsLyrics,
                { context, item in
                    guard let context, let item = item?.pointee else { return }
                    let bytes = UnsafeRawBufferPointer(start: item.bytes, count: item.count)
                    context.assumingMemoryBound(to: ID3v2Fields.self).pointee
                        .take(String(cString: item.name), bytes)
                },
                fields
            )
        }
    }
}

extension Tags {
    /// These tags, with what they lack taken from `other`.
    func filled(from other: Tags) -> Tags {
        var tags = self
        tags.title = title ?? other.title
        if artists.isEmpty { tags.artists = other.artists }
        tags.album = album ?? other.album
        if albumArtists.isEmpty { tags.albumArtists = other.albumArtists }
        tags.trackNumber = trackNumber ?? other.trackNumber
        tags.discNumber = discNumber ?? other.discNumber
        tags.date = date ?? other.date
        if genres.isEmpty { tags.genres = other.genres }
        if composers.isEmpty { tags.composers = other.composers }
        tags.replayGain = replayGain.filled(from: other.replayGain)
        return tags
    }
}
