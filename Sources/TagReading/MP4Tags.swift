/// The tags of an MP4 file, as iTunes writes them: atoms in atoms, of which each item of a list holds its values.
///
/// Such files are not played, but what they say can be shown.
struct MP4Tags {
    private var (texts, named) = (TagTexts(), NamedTexts())
    private var gains = GainFields()
    private var pictures = PictureChoice()

    /// More atoms beside each other than any file has are not looked at.
    private static let mostAtoms = 4000

    /// The first letter of most names is ©, in Latin-1.
    private static let fields: [String: TagField] = [
        "©nam": .title, "©ART": .artist, "©alb": .album, "aART": .albumArtist, "©day": .date, "©gen": .genre,
        "©wrt": .composer, "©cmt": .comment,
    ]
    private static let numbers: [String: TagField] = ["trkn": .track, "disk": .disc, "tmpo": .tempo]

    private typealias Atom = (name: String, body: Range<Int64>)

    init(_ file: TagBytes, wantsCover: Bool) {
        var place: Range<Int64>? = 0..<file.size
        for name in ["moov", "udta", "meta", "ilst"] {
            place = place.flatMap { Self.atoms(file, in: $0).first { $0.name == name }?.body }
            // A version is in front of what is in this one.
            if name == "meta" { place = place.map { min($0.lowerBound + 4, $0.upperBound)..<$0.upperBound } }
        }
        for item in place.map({ Self.atoms(file, in: $0) }) ?? [] { take(item, file, wantsCover) }
    }

    private mutating func take(_ item: Atom, _ file: TagBytes, _ wantsCover: Bool) {
        guard item.name != "covr" || wantsCover else { return }
        let parts = Self.atoms(file, in: item.body)
        func text(_ part: Atom, behind head: Int64) -> [UInt8] {
            file.bytes(
                at: part.body.lowerBound + head,
                count: Int(clamping: min(Int64(part.body.count) - head, Int64(TagValue.longestText + 1)))
            )
        }
        // A type and a country are in front of a value.
        let values = parts.filter { $0.name == "data" }.prefix(TagValue.mostValues)
        if item.name == "covr" {
            for value in values {
                let image = file.bytes(
                    at: value.body.lowerBound + 8,
                    count: Int(clamping: value.body.count - 8)
                )
                if let picture = PictureFrame(type: 0, image: image[...]) { pictures.offer(picture) }
            }
        } else if let field = Self.fields[item.name] {
            texts.add(values.map { TagText(utf8: text($0, behind: 8)) }, to: field)
        } else if let field = Self.numbers[item.name], let value = values.first {
            let bytes = text(value, behind: 8)
            let number = field == .tempo ? bytes.bigEndian(2) : bytes.dropFirst(2).bigEndian(2)
            if number > 0 { texts.add(.text("\(number)"), to: field) }
        } else if item.name == "gnre", let value = values.first {
            // Counted from 1, which ID3v1 does from 0.
            let genre = GenreText.name(of: text(value, behind: 8).bigEndian(2) - 1)
            texts.add(genre.map { [.text($0)] } ?? [], to: .genre)
        } else if item.name == "----", let part = parts.first(where: { $0.name == "name" }) {
            let name = String(decoding: text(part, behind: 4), as: UTF8.self).uppercased()
            for value in values {
                let text = TagText(utf8: text(value, behind: 8))
                if !named.take(name, text) { gains.take(name, text.known ?? "") }
            }
        }
    }

    var content: TagContent {
        TagContent(
            texts: texts.filled(from: named.texts),
            gain: gains.replayGain(),
            cover: pictures.best?.image
        )
    }

    /// The atoms beside each other in a stretch, up to the first that does not fit into it.
    private static func atoms(_ file: TagBytes, in stretch: Range<Int64>) -> [Atom] {
        var (atoms, place) = ([Atom](), stretch.lowerBound)
        for _ in 0..<mostAtoms {
            let head = file.bytes(at: place, count: 16)
            guard head.count >= 8, place + 8 <= stretch.upperBound else { break }
            var (size, start) = (Int64(head.bigEndian(4)), place + 8)
            if size == 1, head.count == 16 {
                (size, start) = (Int64(clamping: head[8...].bigEndian(8)), place + 16)
            } else if size == 0 {
                size = stretch.upperBound - place
            }
            guard size >= start - place, size <= stretch.upperBound - place else { break }
            let name = String(String.UnicodeScalarView(head[4..<8].map { Unicode.Scalar($0) }))
            atoms.append((name, start..<place + size))
            place += size
        }
        return atoms
    }
}
