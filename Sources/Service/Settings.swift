import CInih
import Charset
import Covers
import Glibc
import Music
import Session
import TagReading

/// What the user has written into `config.ini`, or what holds where nothing is written.
struct Settings: Equatable, Sendable {
    /// Where the library looks for music: absolute, none twice.
    var folders: [FilePath] = []
    /// From this position on, Previous begins the song again instead of going back; 0 is never.
    var previousRestartsAfter = TrackTime.zero
    /// What is done about music that is louder or softer than other music.
    var gain = GainSettings()
    /// For so long a song is heard together with the one before it, where both do not belong together; 0 is never.
    var crossfade = TrackTime.zero
    /// How often a position that just goes on is told on the bus while playing; 0 is never.
    var positionInterval = TrackTime.zero
    /// The sink that is played on, as the sound server names it; `nil` for its default.
    var outputDevice: String?
    /// Whether music pauses when its device goes, instead of going on on another.
    var pausesOnDeviceLoss = true
    /// What the music does about the machine's sleep and about other players.
    var session = SessionSettings()
    /// How text of tags is read that does not say its encoding.
    var tagEncodings = TagEncodings()
    /// So many bytes of covers are kept in the cache.
    var coverCacheSize = CoverCache.usualLimit

    /// Reads the user's `config.ini`; that there is none is fine.
    ///
    /// What cannot be used is told to `report`, in one line each, and ignored.
    static func read(
        in folders: Folders,
        environment: Environment = .process,
        report: (String) -> Void
    ) -> Settings {
        var text: [UInt8]?
        let file = folders.config?.appending("config.ini".utf8)
        if let file {
            do throws(SmallFileError) {
                text = try SmallFile.read(file)
            } catch {
                report("\(file): \(error); ignored")
            }
        }
        let parser = SettingsParser(home: folders.home, locale: environment.locale)
        if let text, let file {
            parser.parse(text)
            for problem in parser.problems { report("\(file):\(problem)") }
        }
        var settings = parser.settings
        settings.folders = parser.folders ?? folders.music().map { [$0] } ?? []
        for folder in parser.folders ?? [] where folder.withCString({ access($0, F_OK) }) != 0 {
            report(
                "\(folder): there is no such folder now; it is named in \(file.map(\.description) ?? "config.ini")"
            )
        }
        return settings
    }
}

/// Understands the text of a `config.ini`, as libinih reads it: `#` and `;` begin a comment, a line that begins with a
/// blank goes on with the value before.
final class SettingsParser {
    private(set) var settings = Settings()
    /// `nil` where the text names none; named without a value, there are none.
    private(set) var folders: [FilePath]?
    /// `LINE: what is wrong; ignored`, in the order of the lines.
    private(set) var problems: [String] = []
    private let home: FilePath?
    private var text: ArraySlice<UInt8> = []
    private var line = 0

    /// `home` is where relative folders and `~` begin; the locale says what is usual where nothing is written.
    init(home: FilePath?, locale: String = "") {
        self.home = home
        settings.tagEncodings.order = EncodingOrder(locale: locale)
    }

    /// Takes in a whole file.
    func parse(_ text: [UInt8]) {
        guard !text.contains(0) else {
            problems.append("1: is no text; ignored")
            return
        }
        self.text = text[...]
        let context = Unmanaged.passUnretained(self).toOpaque()
        let misread = ini_shim_parse(
            { buffer, size, context in
                guard let context, let buffer else { return nil }
                let parser = Unmanaged<SettingsParser>.fromOpaque(context).takeUnretainedValue()
                return parser.readLine(into: UnsafeMutableBufferPointer(start: buffer, count: Int(size)))
            },
            context,
            { context, section, name, value in
                guard let context, let section, let name, let value else { return 0 }
                let parser = Unmanaged<SettingsParser>.fromOpaque(context).takeUnretainedValue()
                parser.take(String(cString: section), String(cString: name), bytes(value))
                return 1
            },
            context,
            CInt(SmallFile.longest)
        )
        if misread > 0 { problems.append("\(misread): is neither [section] nor name = value; ignored") }
    }

    /// What `fgets` does, from memory; the lines are counted here since libinih tells no numbers.
    private func readLine(into buffer: UnsafeMutableBufferPointer<CChar>) -> UnsafeMutablePointer<CChar>? {
        guard !text.isEmpty, buffer.count > 1 else { return nil }
        let newline = UInt8(ascii: "\n")
        let end = text.firstIndex(of: newline).map { $0 + 1 } ?? text.endIndex
        let part = text[..<end].prefix(buffer.count - 1)
        for (index, byte) in part.enumerated() { buffer[index] = CChar(bitPattern: byte) }
        buffer[part.count] = 0
        text = text[part.endIndex...]
        if part.last == newline || text.isEmpty { line += 1 }
        return buffer.baseAddress
    }

    private func take(_ section: String, _ name: String, _ value: [UInt8]) {
        switch (section, name) {
        case ("library", "folders"): takeFolders(value)
        case ("playback", "previous-restarts-after"):
            takeSeconds(value, atLeast: 0, \.previousRestartsAfter, name)
        case ("playback", "replay-gain"):
            let kinds = GainSettings.Mode.allCases.map { ($0.rawValue, $0) }
            takeWord(value, kinds, \.gain.mode, name)
        case ("playback", "replay-gain-preamp"): takeDecibels(value, within: 15, \.gain.preamp, name)
        case ("playback", "replay-gain-prevents-clipping"):
            takeFlag(value, \.gain.preventsClipping, name)
        case ("playback", "crossfade"):
            takeSeconds(value, atLeast: 0, atMost: 15, \.crossfade, name)
        case ("playback", "pause-on-sleep"): takeFlag(value, \.session.pausesOnSleep, name)
        case ("playback", "inhibit-suspend"): takeFlag(value, \.session.inhibitsSuspend, name)
        case ("playback", "pause-others"): takeFlag(value, \.session.pausesOthers, name)
        case ("playback", "pause-when-others-play"): takeFlag(value, \.session.pausesWhenOthersPlay, name)
        case ("bus", "position-interval"):
            // A tenth: below that the bus does little else.
            takeSeconds(value, atLeast: 0.1, \.positionInterval, name)
        case ("audio", "output-device"):
            settings.outputDevice = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        case ("audio", "pause-on-device-loss"):
            takeFlag(value, \.pausesOnDeviceLoss, name)
        case ("tags", "encodings"): takeEncodings(value)
        case ("tags", "encoding-in"): takeEncodingOfFolder(value)
        case ("covers", "cache-size"): takeMegabytes(value, within: 10...1_000_000, \.coverCacheSize, name)
        default:
            let place = section.isEmpty ? "before the first section" : "in [\(section)]"
            complain("there is no setting “\(name)” \(place)")
        }
    }

    private func takeFolders(_ value: [UInt8]) {
        var folders = folders ?? []
        for word in value.split(separator: UInt8(ascii: ":")) {
            let word = trimmed(word)
            guard let named = FilePath(bytes: word) else { continue }
            guard let folder = absolute(named)?.withoutSlashesAtEnd else {
                complain("there is no home in which “\(named)” could be")
                continue
            }
            if !folders.contains(folder) { folders.append(folder) }
        }
        self.folders = folders
    }

    /// `~/a` and `a` are in the home; the homes of others (`~name`) are not looked up.
    private func absolute(_ path: FilePath) -> FilePath? {
        if path.isAbsolute { return path }
        guard path.bytes.first == UInt8(ascii: "~") else { return home?.appending(path.bytes) }
        let rest = path.bytes.dropFirst()
        if rest.isEmpty { return home }
        guard rest.first == UInt8(ascii: "/") else { return home?.appending(path.bytes) }
        return home?.appending(rest.drop { $0 == UInt8(ascii: "/") })
    }

    /// Several, with commas between them; those that are not known are left out.
    private func takeEncodings(_ value: [UInt8]) {
        let encodings = value.split(separator: UInt8(ascii: ",")).compactMap { encoding(named: trimmed($0)) }
        if !encodings.isEmpty { settings.tagEncodings.order = EncodingOrder(encodings) }
    }

    /// `FOLDER: ENCODING`; a folder may have colons in its name.
    private func takeEncodingOfFolder(_ value: [UInt8]) {
        guard let colon = value.lastIndex(of: UInt8(ascii: ":")),
            let named = FilePath(bytes: trimmed(value[..<colon]))
        else {
            complain("“\(String(decoding: value, as: UTF8.self))”: encoding-in is FOLDER: ENCODING")
            return
        }
        guard let encoding = encoding(named: trimmed(value[(colon + 1)...])) else { return }
        guard let folder = absolute(named)?.withoutSlashesAtEnd else {
            complain("there is no home in which “\(named)” could be")
            return
        }
        settings.tagEncodings.folders.append(TagEncodings.Folder(path: folder, encoding: encoding))
    }

    private func encoding(named name: ArraySlice<UInt8>) -> TextEncoding? {
        let label = String(decoding: name, as: UTF8.self)
        let encoding = TextEncoding(label: label)
        guard !label.isEmpty, TextDecoder(encoding).isKnown else {
            complain("“\(label)” is no encoding that this system knows; `iconv -l` lists them")
            return nil
        }
        return encoding
    }

    private func takeSeconds(
        _ value: [UInt8],
        atLeast least: Double,
        atMost most: Int = 3600,
        _ setting: WritableKeyPath<Settings, TrackTime>,
        _ name: String
    ) {
        let isPlain = value.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, let seconds = Double(String(decoding: value, as: UTF8.self)),
            seconds == 0 || (least...Double(most)).contains(seconds)
        else {
            let range = least > 0 ? "0 (off) or \(least) to \(most)" : "0 (off) to \(most)"
            complain("“\(String(decoding: value, as: UTF8.self))”: \(name) is a number of seconds, \(range)")
            return
        }
        settings[keyPath: setting] = .seconds(seconds)
    }

    private func takeWord<Value>(
        _ value: [UInt8],
        _ words: [(String, Value)],
        _ setting: WritableKeyPath<Settings, Value>,
        _ name: String
    ) {
        let text = String(decoding: value, as: UTF8.self)
        guard let word = words.first(where: { $0.0 == text }) else {
            complain("“\(text)”: \(name) is \(words.map(\.0).joined(separator: ", "))")
            return
        }
        settings[keyPath: setting] = word.1
    }

    private func takeFlag(_ value: [UInt8], _ setting: WritableKeyPath<Settings, Bool>, _ name: String) {
        takeWord(value, [("yes", true), ("no", false)], setting, name)
    }

    private func takeDecibels(
        _ value: [UInt8],
        within most: Double,
        _ setting: WritableKeyPath<Settings, Double>,
        _ name: String
    ) {
        let text = String(decoding: value, as: UTF8.self)
        let isPlain = value.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
        guard isPlain, let decibels = Double(text), abs(decibels) <= most else {
            complain("“\(text)”: \(name) is a number of decibels, -\(Int(most)) to \(Int(most))")
            return
        }
        settings[keyPath: setting] = decibels
    }

    private func takeMegabytes(
        _ value: [UInt8],
        within range: ClosedRange<Int64>,
        _ setting: WritableKeyPath<Settings, Int64>,
        _ name: String
    ) {
        let text = String(decoding: value, as: UTF8.self)
        let isPlain = value.allSatisfy { (0x30...0x39).contains($0) }
        guard isPlain, let megabytes = Int64(text), range.contains(megabytes) else {
            complain(
                "“\(text)”: \(name) is a number of megabytes, \(range.lowerBound) to \(range.upperBound)"
            )
            return
        }
        settings[keyPath: setting] = megabytes * 1_000_000
    }

    private func complain(_ problem: String) {
        problems.append("\(line): \(Text.cleanLine(problem)); ignored")
    }

    private func trimmed(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = word.drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
    }
}

private func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = text
    while next.pointee != 0 {
        bytes.append(UInt8(bitPattern: next.pointee))
        next += 1
    }
    return bytes
}
