import Foundation

/// A sound server of a test's own, with a sink called `null` that plays to nobody.
///
/// It is a PulseAudio, or, where the tests are run with `TIANLAI_TEST_SOUND=pipewire`, a PipeWire.
package final class NullSoundServer {
    /// What a server is made of.
    package enum Kind: String, Sendable {
        case pulseAudio = "pulseaudio"
        case pipeWire = "pipewire"

        /// The kind that the tests are run with.
        package static var wanted: Kind {
            ProcessInfo.processInfo.environment["TIANLAI_TEST_SOUND"].flatMap(Kind.init) ?? .pulseAudio
        }
    }

    /// What clients connect to, also by `PULSE_SERVER`.
    package let address: String
    package let kind: Kind
    private let folder: TemporaryFolder
    private let environment: [String: String]
    /// What PipeWire's session manager needs; `nil` for PulseAudio.
    private let bus: PrivateBus?
    /// In the order started.
    private var daemons: [ChildProcess] = []

    /// More that is said to PulseAudio's null sink.
    private let sinkOptions: String

    /// Starts the server; it answers when this returns.
    ///
    /// With `isRecordedWhole` an ear hears every sample: where the sink takes back what it has rendered, a monitor loses
    /// some of what comes in its place.
    package init(_ kind: Kind = .wanted, isRecordedWhole: Bool = false) throws {
        self.kind = kind
        sinkOptions = isRecordedWhole ? " norewinds=1" : ""
        folder = try TemporaryFolder()
        address = "unix:\(folder.path)/run/pulse/native"
        bus = kind == .pipeWire ? try PrivateBus() : nil
        var environment = try privateEnvironment(in: folder)
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus?.address
        self.environment = environment
        try start()
    }

    /// Runs `pactl` on this server and returns what it prints.
    @discardableResult
    package func pactl(_ arguments: String...) throws -> String {
        let report = try control("pactl", arguments)
        guard report.exit == .code(0) else {
            throw TestFailure("pactl \(arguments.joined(separator: " ")): \(report.errorText)")
        }
        return report.outputText
    }

    /// The streams that play, as numbers for `pactl`.
    package func streams() throws -> [String] {
        try pactl("list", "short", "sink-inputs").split(separator: "\n").map {
            String($0.prefix { $0.isNumber })
        }
    }

    /// Ends the streams that play, as some mixers can.
    package func killStreams() throws {
        switch kind {
        case .pulseAudio:
            for stream in try streams() {
                let report = try control("pacmd", ["kill-sink-input", stream])
                guard report.exit == .code(0) else { throw TestFailure("pacmd: \(report.errorText)") }
            }
        case .pipeWire:
            // `pactl` shows serial numbers, `pw-cli` wants those of the objects.
            let nodes = try control("pw-cli", ["ls", "Node"]).outputText
            for node in nodes.split(separator: "\tid ").filter({ $0.contains("Stream/Output/Audio") }) {
                _ = try control("pw-cli", ["destroy", String(node.prefix { $0.isNumber })])
            }
        }
    }

    /// Starts another client of this server, such as `parec`.
    package func start(
        _ arguments: [String],
        onOutput: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
    ) throws -> ChildProcess {
        try ChildProcess(arguments, environment: clientEnvironment, onOutput: onOutput)
    }

    /// Ends the server at once, as a crash would.
    package func kill() {
        for daemon in daemons.reversed() { daemon.kill() }
    }

    /// Has the server end by itself, as at a logout; PipeWire cannot be asked to.
    package func exit() throws {
        guard kind == .pulseAudio else { return kill() }
        try pactl("exit")
        guard daemons[0].wait(within: .seconds(60)) != nil else { throw TestFailure("it does not end") }
    }

    /// Holds the server still, as a computer that sleeps does.
    package func freeze() {
        for daemon in daemons { daemon.signal(SIGSTOP) }
    }

    /// Lets a frozen server go on.
    package func thaw() {
        for daemon in daemons { daemon.signal(SIGCONT) }
    }

    /// Starts a new server on the same socket, after ``kill()``; it answers when this returns.
    package func restart() throws {
        try start()
    }

    deinit { kill() }

    private var clientEnvironment: [String: String] {
        environment.merging(["PULSE_SERVER": address]) { $1 }
    }

    private func control(_ program: String, _ arguments: [String]) throws -> ChildProcess.Report {
        try ChildProcess.run([program] + arguments, environment: clientEnvironment)
    }

    private func start() throws {
        daemons = []
        switch kind {
        case .pulseAudio:
            try add(
                "pulseaudio",
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--realtime=no",
                "--high-priority=no",
                "-L",
                "module-native-protocol-unix",
                "-L",
                "module-null-sink sink_name=null" + sinkOptions
            )
            // The socket is there before the modules are.
            try wait(for: "pactl", ["list", "short", "sinks"]) { $0.contains("null") }
        case .pipeWire:
            try add("pipewire")
            try wait(for: "pw-cli", ["info", "0"]) { !$0.isEmpty }
            try add("pipewire-pulse")
            try add("wireplumber")
            try wait(for: "pactl", ["list", "short", "sinks"]) { !$0.isEmpty }
            try pactl("load-module", "module-null-sink", "sink_name=null")
            // Refused until the session manager is ready.
            try wait(for: "pactl", ["set-default-sink", "null"]) { _ in true }
            try wait(for: "pactl", ["info"]) { $0.contains("Default Sink: null\n") }
        }
    }

    private func add(_ arguments: String...) throws {
        daemons.append(try ChildProcess(arguments, environment: environment))
    }

    /// Asks until the server answers as it does when it is ready.
    private func wait(for program: String, _ arguments: [String], isReady: (String) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while daemons.allSatisfy({ $0.report.exit == nil }), ContinuousClock.now < deadline {
            let report = try control(program, arguments)
            if report.exit == .code(0), isReady(report.outputText) { return }
        }
        let said = daemons.map(\.report.errorText).joined(separator: "\n")
        throw TestFailure("the sound server (\(kind.rawValue)) does not start: \(said)")
    }
}
