import Testing
import TestSupport

/// Calls that make no sense get the standard errors and change nothing.
@Suite("wrong calls", .waiting, .timeLimit(.minutes(5)))
struct BusErrorTests {
    private struct WrongCall {
        var words: [String]
        /// Without `org.freedesktop.DBus.Error.`; `nil` for calls that are answered and do nothing.
        var error: String?

        init(_ words: String..., error: String?) {
            (self.words, self.error) = (words, error)
        }

        static func set(_ property: String, _ value: String, error: String?) -> WrongCall {
            WrongCall(
                "\(Bus.properties).Set",
                "string:\(Bus.player)",
                "string:\(property)",
                "variant:\(value)",
                error: error
            )
        }
    }

    private static let wrongCalls: [WrongCall] = [
        WrongCall("\(Bus.player).Seek", error: "InvalidArgs"),
        WrongCall("\(Bus.player).Seek", "string:5", error: "InvalidArgs"),
        WrongCall("\(Bus.player).Seek", "int64:5", "int64:5", error: "InvalidArgs"),
        WrongCall("\(Bus.player).Next", "string:surplus", error: "InvalidArgs"),
        WrongCall(
            "\(Bus.player).SetPosition",
            "int64:5",
            "objpath:/org/tianlai/track/1",
            error: "InvalidArgs"
        ),
        WrongCall("\(Bus.player).SetPosition", "objpath:/somebody/else", "int64:5000000", error: nil),
        WrongCall("\(Bus.player).SetPosition", "objpath:/org/tianlai/track/999", "int64:5000000", error: nil),
        WrongCall("\(Bus.player).OpenUri", "string:http://localhost/a.mp3", error: "Failed"),
        WrongCall("\(Bus.player).OpenUri", "string:", error: "Failed"),
        WrongCall("\(Bus.player).Explode", error: "UnknownMethod"),
        WrongCall("org.example.Nothing.Play", error: "UnknownInterface"),
        WrongCall("\(Bus.properties).Get", "string:\(Bus.player)", error: "InvalidArgs"),
        WrongCall("\(Bus.properties).Get", "string:\(Bus.player)", "string:Colour", error: "UnknownProperty"),
        WrongCall("\(Bus.properties).GetAll", "string:org.example.Nothing", error: "UnknownInterface"),
        .set("PlaybackStatus", "string:Playing", error: "PropertyReadOnly"),
        .set("Position", "int64:5", error: "PropertyReadOnly"),
        .set("CanGoNext", "boolean:false", error: "PropertyReadOnly"),
        .set("Colour", "string:red", error: "UnknownProperty"),
        .set("Volume", "string:loud", error: "InvalidArgs"),
        .set("Volume", "double:nan", error: "InvalidArgs"),
        .set("Shuffle", "int32:1", error: "InvalidArgs"),
        .set("LoopStatus", "string:Sometimes", error: "InvalidArgs"),
        .set("Rate", "double:2", error: nil),
    ]

    @Test("each is answered as the standard has it, and nothing has changed")
    func wrongCalls() throws {
        let fixtures = try Fixtures()
        let service = try RunningService([
            try fixtures.makeTone(MeasuringTone(band: 0, seconds: 20), rate: 16_000)
        ])
        let before = try #require(try service.getAll())
        for call in Self.wrongCalls {
            let answer = try Bus.call(on: service.bus, call.words[0], Array(call.words.dropFirst()))
            #expect(
                answer.error == call.error.map { "org.freedesktop.DBus.Error.\($0)" },
                "\(call.words.joined(separator: " "))"
            )
        }
        let nowhere = try Bus.call(on: service.bus, at: "/org/nowhere", "\(Bus.player).Play")
        #expect(nowhere.error == "org.freedesktop.DBus.Error.UnknownObject")
        #expect(try service.getAll() == before)
        #expect(try service.monitor.playerSignals(since: 0) == [])
        #expect(service.process.report.errors.isEmpty)
    }

    @Test("PlayPause with nothing to play is an error")
    func emptyQueue() throws {
        let service = try RunningService([])
        #expect(try service.get("CanPlay") == .flag(false))
        #expect(try service.get("Metadata")?.names == [])
        #expect(try service.call("\(Bus.player).PlayPause").error == "org.freedesktop.DBus.Error.Failed")
        #expect(try service.call("\(Bus.player).Play").error == nil)
        #expect(try service.get("PlaybackStatus") == .text("Stopped"))
    }
}
