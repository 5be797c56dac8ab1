import EventLoop
import Foundation
import Glibc
import Music
import Testing

/// A program that a test has started; what it prints arrives while the test's loop turns.
final class CommandRun {
    private(set) var output = ""
    private(set) var errors = ""
    private let process = Process()
    private let (outputPipe, errorPipe) = (Pipe(), Pipe())
    private var watches: [Watch] = []
    private var openPipes = 2

    /// Starts `program` on the bus at `address`, or without any bus, with nothing but that and `environment` in its own.
    init(
        _ program: URL,
        _ words: [String],
        bus address: String?,
        environment: [String: String] = [:],
        on loop: EventLoop
    ) throws {
        process.executableURL = program
        process.arguments = words
        process.environment = environment
        if let address { process.environment?["DBUS_SESSION_BUS_ADDRESS"] = address }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        try process.run()
        for (pipe, text) in [(outputPipe, \CommandRun.output), (errorPipe, \CommandRun.errors)] {
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            let index = watches.count
            watches.append(
                loop.watch(descriptor, for: .readable) { [unowned self] _ in
                    var bytes = [UInt8](repeating: 0, count: 65_536)
                    let count = read(descriptor, &bytes, bytes.count)
                    guard count > 0 else {
                        watches[index].cancel()
                        openPipes -= 1
                        return
                    }
                    take(String(decoding: bytes[..<count], as: UTF8.self), from: text)
                }
            )
        }
    }

    /// Whether it has said all that it will ever say.
    var hasEnded: Bool { openPipes == 0 }

    /// Its exit code, once it has ended.
    var code: CInt {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    func signal(_ number: CInt) {
        kill(process.processIdentifier, number)
    }

    deinit {
        if process.isRunning { signal(SIGKILL) }
    }

    private func take(_ text: String, from source: KeyPath<CommandRun, String>) {
        if source == \.output { output += text } else { errors += text }
    }

    /// The executable under test: the one that was built with these tests, unless the environment names another.
    static var tianlai: URL {
        if let path = ProcessInfo.processInfo.environment["TIANLAI_BINARY"] {
            return URL(fileURLWithPath: path)
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../.build/debug/tianlai").standardizedFileURL
    }
}
