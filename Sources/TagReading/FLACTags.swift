/// The tags of a FLAC file: its blocks of comments and pictures, then what an ID3v2 tag before it may have.
struct FLACTags {
    private var comments: VorbisComments?
    private var pictures = PictureChoice()
    private var id3v2 = ID3v2Fields()

    /// A file has a handful.
    private static let mostBlocks = 1000

    /// Reads the blocks of the stream that begins at `start`.
    init(_ file: TagBytes, from start: Int64, wantsCover: Bool, wantsLyrics: Bool = false) {
        if start > 0 {
            id3v2 = ID3v2Fields(
                file,
                at: 0,
                length: start,
                wantsCover: wantsCover,
                wantsLyrics: wantsLyrics
            )
        }
        var offset = start + 4
        var room = TagBytes.largestTag
        for _ in 0..<Self.mostBlocks {
            let head = file.bytes(at: offset, count: 4)
            guard head.count == 4 else { return }
            let length = head.dropFirst().bigEndian(3)
            offset += 4
            switch head[0] & 0x7F {
            case 4 where comments == nil:
                comments = VorbisComments(
                    file.bytes(at: offset, count: length),
                    wantsCover: wantsCover,
                    wantsLyrics: wantsLyrics
                )
            case 6 where wantsCover && length <= room:
                // Of many pictures only those are read that may be the one.
                guard pictures.isBetter(file.bytes(at: offset, count: 4).bigEndian(4)) else { break }
                room -= length
                if let picture = PictureFrame(block: file.bytes(at: offset, count: length)) {
                    pictures.offer(picture)
                }
            case 127: return
            default: break
            }
            offset += Int64(length)
            if head[0] & 0x80 != 0 { return }
        }
    }

    var content: TagContent {
        var content = comments?.content ?? TagContent()
        content.cover = pictures.best?.image ?? content.cover
        return content.filled(from: id3v2.content)
    }
}
