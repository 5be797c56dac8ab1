import CLinux
import Glibc

/// The messages in the user's language, as gettext finds them beside the executable.
///
/// Only what is asked for here is translated: the process itself stays in the C locale, and with it what libraries and
/// `strerror` say, which may go to the bus or into JSON.
enum Catalog {
    private static let domain = "tianlai"

    /// The user's locale, by `LC_ALL`, `LC_MESSAGES` and `LANG`; `nil` where that is C, or none that the machine has.
    ///
    /// It lives as long as the process.
    private nonisolated(unsafe) static let locale: locale_t? = {
        guard let locale = newlocale(1 << LC_MESSAGES, "", nil), locale != newlocale(1 << LC_ALL, "C", nil)
        else { return nil }
        guard let folder else { return nil }
        bindtextdomain(domain, folder)
        bind_textdomain_codeset(domain, "UTF-8")
        return locale
    }()

    /// The message in the user's language; `nil` where that is English, or nobody has translated it.
    static func translation(of message: String) -> String? {
        guard let locale else { return nil }
        let former = uselocale(locale)
        defer { uselocale(former) }
        return message.withCString { original in
            guard let translation = dgettext(domain, original), translation != original else { return nil }
            return String(cString: translation)
        }
    }

    /// `share/locale` of the prefix that the executable is installed in, wherever that is.
    private static var folder: String? {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = path.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink("/proc/self/exe", $0, buffer.count) } ?? 0
        }
        guard length > 0 else { return nil }
        var words = path[..<length].split(separator: UInt8(ascii: "/"))
        guard words.count >= 2 else { return nil }
        words.removeLast(2)
        let prefix = String(decoding: words.map { [UInt8(ascii: "/")] + $0 }.joined(), as: UTF8.self)
        return prefix + "/share/locale"
    }
}
