import Foundation

/// A folder of a test's own, gone with all that is in it when the test is over.
package final class TemporaryFolder: Sendable {
    /// The absolute path, short enough for a socket in it.
    package let path: String

    package init() throws {
        var template = Array("/tmp/tianlai-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("no temporary folder: \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The path of `name` in the folder.
    package func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Makes a folder in the folder, for its owner alone, and returns its path.
    @discardableResult
    package func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return path(name)
    }

    /// Writes a file in the folder and returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// An environment of a test's own: a private HOME and private XDG folders, English, and the PATH of the tests.
///
/// As a value, because setting variables of the test process would be seen by every test.
package func privateEnvironment(in folder: TemporaryFolder) throws -> [String: String] {
    [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": try folder.makeFolder("home"),
        "XDG_RUNTIME_DIR": try folder.makeFolder("run"),
        "XDG_CONFIG_HOME": try folder.makeFolder("config"),
        "XDG_STATE_HOME": try folder.makeFolder("state"),
        "XDG_CACHE_HOME": try folder.makeFolder("cache"),
        "XDG_DATA_HOME": try folder.makeFolder("data"),
        // No test has the machine wait before it sleeps.
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/no-system-bus",
    ]
}
