import Music
import Playback
import Testing

/// Sound that has gone for a moment goes on by itself, unless somebody has wanted anything else meanwhile (C206).
@Suite
struct OutputReturnTests {
    private static let heard = PlaybackMachine.Heard(position: .seconds(20), length: .seconds(60))

    /// A row of what happens while the sound is away, and of what its return does then: plays this track from this
    /// second, or nothing.
    struct Row: Sendable {
        var what: String
        var meanwhile: @Sendable (inout PlaybackMachine) -> Void
        var track: Int?
        var second = 17.0

        static func commands(_ commands: PlayerCommand..., plays track: Int?, at second: Double = 17) -> Row {
            Row(
                what: "\(commands)",
                meanwhile: { machine in
                    for command in commands { _ = machine.perform(command, heard: OutputReturnTests.heard) }
                },
                track: track,
                second: second
            )
        }
    }

    private func makeMachine() -> PlaybackMachine {
        var machine = PlaybackMachine(seed: 3)
        _ = machine.replaceQueue(with: (1...3).compactMap { FilePath("/\($0)").map { TrackLocation($0) } })
        _ = machine.perform(.play, heard: Self.heard)
        return machine
    }

    @Test(
        "what was wanted meanwhile decides",
        arguments: [
            .commands(plays: 0),
            .commands(.next, plays: 1, at: 0),
            .commands(.previous, plays: 2, at: 0),
            .commands(.seek(.seconds(10)), plays: 0, at: 30),
            .commands(.setPosition(TrackID(1), .seconds(5)), .setShuffle(true), plays: 0, at: 5),
            .commands(.remove([TrackID(1)]), plays: 1, at: 0),
            .commands(.setVolume(0.5), .setLoop(.none), .move([TrackID(3)], after: nil), plays: 0),
            .commands(.pause, plays: nil),
            .commands(.stop, plays: nil),
            .commands(.pause, .next, plays: nil),
            .commands(.clear, plays: nil),
            // These play at once, and have nothing to wait for.
            .commands(.play, plays: nil),
            .commands(.playPause, plays: nil),
            .commands(.goTo(TrackID(2)), plays: nil),
            Row(
                what: "another queue",
                meanwhile: { machine in
                    _ = machine.replaceQueue(
                        with: [FilePath("/4")].compactMap { $0.map { TrackLocation($0) } }
                    )
                },
                track: nil
            ),
            Row(
                what: "Play in vain",
                meanwhile: { machine in
                    _ = machine.perform(.play, heard: OutputReturnTests.heard)
                    _ = machine.handle(.lostOutput(at: .seconds(17), mayReturn: true))
                },
                track: 0
            ),
        ] as [Row]
    )
    func meanwhile(row: Row) {
        var machine = makeMachine()
        let entries = machine.queue.entries
        let lost = machine.handle(.lostOutput(at: .seconds(17), mayReturn: true))
        #expect(lost.isEmpty && machine.status == .paused)
        row.meanwhile(&machine)
        let expected: [PlaybackMachine.Action] =
            row.track.map { [.load(entries[$0], at: .seconds(row.second))] } ?? []
        #expect(machine.awaitsOutput == !expected.isEmpty, "\(row.what)")
        let actions = machine.handle(.outputReturned)
        #expect(actions == expected, "\(row.what)")
        let again = machine.handle(.outputReturned)
        #expect(again.isEmpty && !machine.awaitsOutput)
    }

    @Test("a loss that is for good waits for Play, and so does one while paused or stopped")
    func forGood() {
        for command in [nil, PlayerCommand.pause, .stop] {
            var machine = makeMachine()
            if let command { _ = machine.perform(command, heard: Self.heard) }
            _ = machine.handle(.lostOutput(at: .seconds(17), mayReturn: command != nil))
            let status = machine.status
            let actions = machine.handle(.outputReturned)
            #expect(actions.isEmpty && machine.status == status && status != .playing)
        }
    }

    @Test("sound that stood still and goes on is where no clock is: it has jumped")
    func wentOn() {
        var machine = makeMachine()
        let actions = machine.handle(.wentOn)
        #expect(actions.isEmpty && machine.jumps == 1 && machine.status == .playing)
    }
}
