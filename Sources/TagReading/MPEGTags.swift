import CTagLib

/// The tags of an MPEG file put together: ID3v2 before APEv2 before ID3v1, field by field.
struct MPEGTags {
    let content: TagContent

    /// Reads what is there; damage costs what is behind it, not more.
    init(_ file: TagBytes, wantsCover: Bool, wantsLyrics: Bool = false) {
        let end = FileEnd(file)
        let ape = APEFields(file, end, wantsCover: wantsCover, wantsLyrics: wantsLyrics)
        content = ID3v2Fields(file, wantsCover: wantsCover, wantsLyrics: wantsLyrics).content
            .filled(from: ape.content)
            .filled(from: end.id3v1.content)
    }
}

extension ID3v2Fields {
    /// Reads the ID3v2 tag of an MPEG file, wherever it is.
    init(_ file: TagBytes, wantsCover: Bool, wantsLyrics: Bool) {
        self.init(wantsLyrics: wantsLyrics)
        withUnsafeMutablePointer(to: &self) { fields in
            _ = taglib_read_mpeg(file.descriptor, wantsCover, wantsLyrics, Self.handler, fields)
        }
        measureFrames(of: file)
    }

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
                Self.handler,
                fields
            )
        }
    }

    private static let handler: taglib_frame_handler = { context, frame in
        guard let context, let frame = frame?.pointee else { return }
        let bytes = UnsafeRawBufferPointer(start: frame.bytes, count: frame.count)
        context.assumingMemoryBound(to: ID3v2Fields.self).pointee.take(String(cString: frame.id), bytes)
    }
}
