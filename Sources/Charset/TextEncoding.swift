/// How bytes stand for text.
package enum TextEncoding: Hashable, Sendable {
    case utf8
    /// Every byte is the character of its number: what is left where nothing else fits.
    case latin1
    /// An encoding by the name under which iconv knows it.
    case other(String)

    package var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .latin1: "ISO-8859-1"
        case .other(let name): name
        }
    }

    /// The encoding that goes by `label` in a document or with a guesser.
    ///
    /// Names that stand for less than people write under them are widened: GB2312 and GBK to GB18030, Shift-JIS and
    /// EUC-KR to what Windows made of them, Latin-1 to Windows-1252.
    package init(label: String) {
        let label = label.uppercased()
        self =
            switch label {
            case "UTF-8", "UTF8", "ASCII", "US-ASCII": .utf8
            case "GB2312", "GBK", "GB18030", "HZ-GB-2312", "CP936": .gb18030
            case "BIG5", "BIG-5", "CP950": .big5
            case "SHIFT_JIS", "SHIFT-JIS", "SJIS", "WINDOWS-31J": .shiftJIS
            case "EUC-KR", "UHC", "CP949", "KS_C_5601-1987": .uhc
            case "EUC-TW": .other("EUC-TW")
            case "ISO-8859-1", "LATIN1", "LATIN-1", "WINDOWS-1252", "CP1252": .windows1252
            case "WINDOWS-1251", "CP1251": .windows1251
            default: .other(label)
            }
    }

    package static let gb18030 = TextEncoding.other("GB18030")
    /// Big5 with the additions of Hong Kong, which hold those of Windows.
    package static let big5 = TextEncoding.other("BIG5-HKSCS")
    package static let shiftJIS = TextEncoding.other("CP932")
    package static let uhc = TextEncoding.other("UHC")
    package static let windows1251 = TextEncoding.other("WINDOWS-1251")
    package static let koi8 = TextEncoding.other("KOI8-R")
    package static let windows1252 = TextEncoding.other("WINDOWS-1252")

    /// Whether it is one byte a character, and those that are not ASCII are mostly accented Latin letters.
    package var isLatin: Bool {
        switch self {
        case .utf8: false
        case .latin1: true
        case .other(let name): Self.latinNames.contains(name)
        }
    }

    private static let latinNames: Set<String> = [
        "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-9", "ISO-8859-10", "ISO-8859-13", "ISO-8859-14",
        "ISO-8859-15", "ISO-8859-16", "WINDOWS-1250", "WINDOWS-1252", "WINDOWS-1254", "WINDOWS-1257",
        "WINDOWS-1258", "CP437", "CP850", "CP852", "MACINTOSH",
    ]

    /// The encoding that a byte order mark at the front announces, and the length of the mark.
    package static func announced(by bytes: some Sequence<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.other("UTF-16LE"), 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.other("UTF-16BE"), 2) }
        return nil
    }
}
