import Testing
import TestSupport

/// What the service tells is what is heard, and what it is asked for too.
@Suite("heard", .waiting, .timeLimit(.minutes(5)))
struct HeardTests {
    private let server: NullSoundServer
    private let ear: Ear
    private let fixtures: Fixtures
    private let service: RunningService
    private let playerctl: Playerctl
    private let tones = (0..<2).map { MeasuringTone(band: $0, seconds: 20) }

    init() throws {
        server = try NullSoundServer()
        ear = try Ear(on: server)
        fixtures = try Fixtures()
        service = try RunningService(try fixtures.makeTones(2, seconds: 20), sound: server)
        playerctl = service.playerctl
    }

    @Test("Metadata names the track that is heard, Position the second")
    func position() throws {
        func expectAgreement(on tone: MeasuringTone, from second: Double) throws {
            try service.wait(until: "Playing", "tone-\(tone.band).mp3")
            _ = try ear.waitToHear(tone, at: second)
            let comparison = try service.compare(with: ear, hearing: tone)
            #expect(comparison.apart < 0.2, "\(comparison)")
        }
        try playerctl("play")
        try expectAgreement(on: tones[0], from: 1)
        try playerctl("next")
        try expectAgreement(on: tones[1], from: 0.2)
        try playerctl("position", "12")
        try expectAgreement(on: tones[1], from: 12)
        try playerctl("position", "5-")
        try expectAgreement(on: tones[1], from: 7)
        // Into the next track by itself.
        try playerctl("position", "18.5")
        try expectAgreement(on: tones[0], from: 0.5)
    }

    @Test("Pause is silence, and playing goes on from the same place")
    func pause() throws {
        try playerctl("play")
        _ = try ear.waitToHear(tones[0], at: 2)
        try playerctl("pause")
        #expect(ear.waitForSilence())
        let place = try #require(try service.get("Position")?.integer)
        #expect(ear.waitForSilence(lasting: .seconds(1)))
        #expect(try service.get("Position") == .integer(place))
        try playerctl("play")
        let resumed = try ear.waitToHear(tones[0])
        #expect(abs(resumed - Double(place) / 1e6) < 0.2)
        try playerctl("stop")
        #expect(ear.waitForSilence())
    }

    @Test("Volume is the stream's volume in the mixer, in both directions")
    func volume() throws {
        try playerctl("play")
        _ = try ear.waitToHear(tones[0], at: 0.5)
        try playerctl("volume", "0.5")
        // On the mixer's scale half is an eighth of the amplitude.
        let whole = 0.5 * 0.7071
        #expect(
            ear.waitUntil(within: .seconds(60)) {
                let loudness = loudness($0.latest(.milliseconds(50)))
                return abs(loudness - whole / 8) < whole / 40
            }
        )
        let inputs = try server.pactl("list", "sink-inputs")
        #expect(inputs.contains(" 50% "), "\(inputs)")
        let index = try server.pactl("list", "short", "sink-inputs").prefix { $0 != "\t" }
        try server.pactl("set-sink-input-volume", "\(index)", "30%")
        try service.wait(for: "Volume 30 %") {
            try service.get("Volume")?.number.map { abs($0 - 0.3) < 0.005 } ?? false
        }
        // It is kept where the stream is not.
        try playerctl("stop")
        try playerctl("play")
        _ = try ear.waitToHear(tones[0], at: 0.2)
        #expect(try server.pactl("list", "sink-inputs").contains(" 30% "))
    }

    @Test("a track of another rate follows at once, and nothing of the one before is left out")
    func otherRate() throws {
        let short = (0..<2).map { MeasuringTone(band: $0, seconds: 4) }
        let files = try Fixtures()
        let paths = try [44_100, 48_000].enumerated().map { try files.makeTone(short[$0], rate: $1) }
        let service = try RunningService(paths, sound: server)
        try service.playerctl("play")
        _ = try ear.waitToHear(short[1], at: 1)
        let recording = ear.heard
        // What is heard in the middle of each twentieth of a second, a hundred times a second.
        let (window, step) = (recording.rate / 20, recording.rate / 100)
        let tones = stride(from: 0, to: recording.frames - window, by: step).map { start in
            let frequency = pureFrequency(recording.channel(0, start..<start + window), rate: recording.rate)
            return short.map { $0.second(of: frequency) }
        }
        let end = try #require(tones.lastIndex { $0[0] != nil })
        let next = try #require(tones[end...].firstIndex { $0[1] != nil })
        print("between tracks of two rates neither is heard alone for \((next - end) * 10) ms")
        #expect(try #require(tones[end][0]) > 3.9)
        #expect(try #require(tones[next][1]) < 0.2)
        // Of these, 50 ms are heard in part: the windows that have both in them.
        #expect(next - end < 30)
    }

    @Test("after a storm of calls from four clients, status, Metadata and sound agree")
    func storm() throws {
        try playerctl("play")
        _ = try ear.waitToHear(tones[0])
        let send = "dbus-send --bus=\(service.bus.address) --print-reply --dest=\(Bus.name) \(Bus.path)"
        let calls = "\(send) \(Bus.player).Next && \(send) \(Bus.player).PlayPause"
        let loop = "n=0; while [ $n -lt 50 ]; do \(calls) || exit 1; n=$((n + 1)); done"
        let clients = try (0..<4).map { _ in
            try ChildProcess(["sh", "-c", loop], environment: ["PATH": "/usr/bin:/bin"])
        }
        for client in clients { #expect(client.wait(within: .seconds(60))?.exit == .code(0)) }
        // An even number of each: all that was asked for counts.
        try service.wait(until: "Playing", "tone-0.mp3")
        _ = try ear.waitToHear(tones[0], at: 0.5)
        let comparison = try service.compare(with: ear, hearing: tones[0])
        #expect(comparison.apart < 0.2, "\(comparison)")
        #expect(try playerctl("status") == "Playing")
        try playerctl("next")
        _ = try ear.waitToHear(tones[1])
        try playerctl("pause")
        #expect(ear.waitForSilence())
    }
}
