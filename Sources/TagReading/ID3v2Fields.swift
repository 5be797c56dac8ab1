import Music

/// What is known of the frames of an ID3v2 tag, of any version.
struct ID3v2Fields {
    private var (texts, released, named) = (TagTexts(), TagTexts(), NamedTexts())
    private var (year, dayAndMonth): (TagText?, TagText?)
    private var (comments, describedComments): ([TagText], [TagText]) = ([], [])
    private var pictures = PictureChoice()
    private var gains = GainFields()
    private var lyrics: LyricsFields
    /// How long a frame of the sound plays, which lyrics may count in.
    private var frameLength = MPEGFrame.usual

    init(wantsLyrics: Bool = false) {
        lyrics = LyricsFields(areWanted: wantsLyrics)
    }

    /// The text frames that are read, by what they tell: four letters since version 2.3, three before.
    private static let fields: [String: TagField] = [
        "TIT2": .title, "TPE1": .artist, "TALB": .album, "TPE2": .albumArtist, "TRCK": .track, "TPOS": .disc,
        "TDRC": .date, "TCON": .genre, "TCOM": .composer, "TBPM": .tempo,
        "TT2": .title, "TP1": .artist, "TAL": .album, "TP2": .albumArtist, "TRK": .track, "TPA": .disc,
        "TCO": .genre, "TCM": .composer, "TBP": .tempo,
    ]

    /// Takes a frame.
    mutating func take(_ name: String, _ bytes: UnsafeRawBufferPointer) {
        if lyrics.takeFrame(name, bytes) { return }
        switch name {
        case "APIC", "PIC":
            if let picture = PictureFrame(bytes, isOld: name != "APIC") { pictures.offer(picture) }
        case "TXXX", "TXX": takeNamed(bytes)
        case "COMM", "COM": takeComment(bytes)
        case "RVA2": gains.takeRelativeVolume(bytes)
        case "RGAD": gains.takeAdjustment(bytes)
        case "POPM", "POP": texts.add(RatingText.rating(bytes).map { [.text($0)] } ?? [], to: .rating)
        case "UFID", "UFI": takeIdentifier(bytes)
        case "TDRL": released.add(ID3Text.values(bytes), to: .date)
        case "TYER", "TYE": year = year ?? ID3Text.values(bytes).first
        case "TDAT", "TDA": dayAndMonth = dayAndMonth ?? ID3Text.values(bytes).first
        default:
            if let field = Self.fields[name] { texts.add(ID3Text.values(bytes), to: field) }
        }
    }

    /// Texts with a name of their own, in which some programs put what has a frame.
    private mutating func takeNamed(_ bytes: UnsafeRawBufferPointer) {
        let (name, values) = ID3Text.described(bytes)
        if lyrics.take(name.uppercased(), LyricsFrame(bytes, headCount: 0)?.text ?? "") { return }
        for value in values where !named.take(name.uppercased(), value) {
            gains.take(name.uppercased(), value.known ?? "")
        }
    }

    /// Programs keep notes of their own in comments, which nobody has written to be read.
    private mutating func takeComment(_ bytes: UnsafeRawBufferPointer) {
        let (name, values) = ID3Text.described(bytes, headCount: 3)
        guard !["itun", "songs-db", "musicmatch"].contains(where: name.lowercased().hasPrefix) else { return }
        if name.isEmpty { comments += values } else { describedComments += values }
    }

    private mutating func takeIdentifier(_ bytes: UnsafeRawBufferPointer) {
        let owner = bytes.prefix(64).prefix { $0 != 0 }
        guard owner.elementsEqual("http://musicbrainz.org".utf8) else { return }
        texts.add(TagText(undeclared: bytes.dropFirst(owner.count + 1).prefix(64)), to: .recordingID)
    }

    /// Looks into the sound where lyrics are counted by it.
    mutating func measureFrames(of file: TagBytes) {
        if lyrics.countsFrames { frameLength = MPEGFrame.length(in: file) }
    }

    var content: TagContent {
        var years = TagTexts()
        years.add(date.map { [$0] } ?? [], to: .date)
        var remarks = TagTexts()
        remarks.add(comments + describedComments, to: .comment)
        return TagContent(
            texts: texts.filled(from: released).filled(from: years).filled(from: remarks).filled(
                from: named.texts
            ),
            gain: gains.replayGain(),
            cover: pictures.best?.image,
            lyrics: lyrics.lyrics(frame: frameLength)
        )
    }

    /// Before version 2.4 the year and `DDMM` have a frame each.
    private var date: TagText? {
        guard let year = year?.known, let day = dayAndMonth?.known, day.utf8.count == 4 else { return year }
        return .text("\(Text.cleanLine(year))-\(day.suffix(2))-\(day.prefix(2))")
    }
}
