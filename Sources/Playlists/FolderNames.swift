import Glibc
import Music

/// The names in folders without regard to letter case, remembered while one list is read.
struct FolderNames {
    /// By path of the folder, then by name in small letters, composed or not.
    private var folders: [[UInt8]: [String: [[UInt8]]]] = [:]
    private var count = 0

    /// A folder with more names than this is not searched, and no more are remembered.
    private static let most = 50_000

    /// The only path below `root` that reads as `path` does; `nil` where there is none or more than one.
    mutating func match(_ path: [UInt8], below root: [UInt8]) -> [UInt8]? {
        var places = [root]
        for part in path.split(separator: slash) {
            var next: [[UInt8]] = []
            for place in places {
                for name in names(Array(part), in: place) {
                    next.append(place.last == slash ? place + name : place + [slash] + name)
                }
            }
            guard !next.isEmpty, next.count <= 16 else { return nil }
            places = next
        }
        return places.count == 1 ? places[0] : nil
    }

    private mutating func names(_ name: [UInt8], in folder: [UInt8]) -> [[UInt8]] {
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return [name] }
        if folders[folder] == nil {
            if count > Self.most { (folders, count) = ([:], 0) }
            let names = Self.list(folder)
            count += names.count + 1
            folders[folder] = names
        }
        return folders[folder]?[Self.folded(name)] ?? []
    }

    private static func list(_ folder: [UInt8]) -> [String: [[UInt8]]] {
        guard let path = FilePath(bytes: folder), let stream = path.withCString({ opendir($0) }) else {
            return [:]
        }
        defer { closedir(stream) }
        var names: [String: [[UInt8]]] = [:]
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            names[folded(name), default: []].append(name)
            if names.count > most { return [:] }
        }
        return names
    }

    /// What names are compared by; strings are equal whether their accents are composed or not.
    private static func folded(_ name: [UInt8]) -> String {
        String(decoding: name, as: UTF8.self).lowercased()
    }
}
