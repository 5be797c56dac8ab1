import Covers
import Language
import Music
import TagReading

/// The cover that is shown of a file, and where it comes from.
struct ShownCover: Equatable {
    var kind: ImageKind
    /// In bytes.
    var size: Int
    /// Where it lies; `nil` where it is in the tags.
    var path: FilePath?

    /// Finds it among `covers`, as the service would; `nil` where nothing is shown.
    init?(of track: FilePath, _ tags: FileTags, _ covers: TrackCovers) {
        if let image = tags.cover, let kind = ImageKind(image) {
            (self.kind, size, path) = (kind, image.count, nil)
        } else if let picture = covers.picture(beside: track) {
            (kind, size, path) = (picture.kind, picture.size, picture.path)
        } else {
            return nil
        }
    }

    var json: JSON {
        .members([
            "kind": .string(kind.rawValue), "bytes": .integer(Int64(size)), "from": .string(source),
        ])
    }

    /// For people.
    var line: Phrase {
        let source = path.map { Phrase(verbatim: $0.description) } ?? Phrase("embedded")
        return "\(size) bytes, \(kind.rawValue), \(source)"
    }

    private var source: String { path?.description ?? "embedded" }
}
