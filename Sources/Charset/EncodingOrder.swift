/// The encodings that text may be in which does not say so, those that are thought of first in front.
package struct EncodingOrder: Equatable, Sendable {
    package var encodings: [TextEncoding]

    package init(_ encodings: [TextEncoding]) {
        self.encodings = encodings
    }

    /// What people have written where a locale such as `zh_TW.UTF-8` is at home; the West where nothing is known of it.
    package init(locale: String) {
        let name = locale.prefix { $0 != "." && $0 != "@" }.lowercased()
        let words = name.split { $0 == "_" || $0 == "-" }
        let isTraditional = words.contains { ["tw", "hk", "mo", "hant"].contains($0) }
        switch words.first {
        case "zh" where isTraditional: self.init([.big5, .gb18030])
        case "zh": self.init([.gb18030, .big5])
        case "ja": self.init([.shiftJIS])
        case "ko": self.init([.uhc])
        default:
            let label = words.first.flatMap { Self.pages[String($0)] } ?? "WINDOWS-1252"
            self.init([TextEncoding(label: label)] + (label == "WINDOWS-1251" ? [.koi8] : []))
        }
    }

    /// What Windows wrote in languages outside the West.
    private static let pages = [
        "ru": "WINDOWS-1251", "uk": "WINDOWS-1251", "be": "WINDOWS-1251", "bg": "WINDOWS-1251",
        "mk": "WINDOWS-1251", "sr": "WINDOWS-1251", "kk": "WINDOWS-1251", "mn": "WINDOWS-1251",
        "cs": "WINDOWS-1250", "sk": "WINDOWS-1250", "pl": "WINDOWS-1250", "hu": "WINDOWS-1250",
        "sl": "WINDOWS-1250", "hr": "WINDOWS-1250", "bs": "WINDOWS-1250", "ro": "WINDOWS-1250",
        "el": "WINDOWS-1253", "tr": "WINDOWS-1254", "az": "WINDOWS-1254", "he": "WINDOWS-1255",
        "ar": "WINDOWS-1256", "fa": "WINDOWS-1256", "et": "WINDOWS-1257", "lv": "WINDOWS-1257",
        "lt": "WINDOWS-1257", "vi": "WINDOWS-1258", "th": "CP874",
    ]
}
