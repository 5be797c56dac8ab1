import Glibc

/// The bytes of `text` in an encoding that iconv knows by `name`; empty where it cannot be written in that.
package func written(_ text: String, _ name: String) -> [UInt8] {
    let converter = iconv_open(name, "UTF-8")
    guard converter != iconv_t(bitPattern: -1) else { return [] }
    defer { iconv_close(converter) }
    var source = Array(text.utf8)
    var target = [UInt8](repeating: 0, count: source.count * 4 + 16)
    var left = target.count
    let isDone = source.withUnsafeMutableBytes { source in
        target.withUnsafeMutableBytes { target in
            var input = source.bindMemory(to: CChar.self).baseAddress
            var output = target.bindMemory(to: CChar.self).baseAddress
            var rest = source.count
            return iconv(converter, &input, &rest, &output, &left) >= 0 && rest == 0
        }
    }
    return isDone ? Array(target.prefix(target.count - left)) : []
}
