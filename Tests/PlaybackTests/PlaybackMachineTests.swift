import Music
import Playback
import Testing

/// The rules of play, pause, stop, skip, seek and the ends, each as a row of start, command and outcome.
@Suite
struct PlaybackMachineTests {
    private let heard = PlaybackMachine.Heard(position: .seconds(20), length: .seconds(60))

    private func makeMachine(
        _ status: PlaybackStatus,
        tracks count: Int = 3,
        loop: LoopMode = .playlist
    ) -> PlaybackMachine {
        var machine = PlaybackMachine(seed: 3)
        _ = machine.replaceQueue(
            with: (0..<count).compactMap { FilePath("/\($0 + 1)").map { TrackLocation($0) } }
        )
        _ = machine.perform(.setLoop(loop), heard: heard)
        switch status {
        case .stopped: _ = machine.perform(.stop, heard: heard)
        case .paused:
            _ = machine.perform(.play, heard: heard)
            _ = machine.perform(.pause, heard: heard)
        case .playing: _ = machine.perform(.play, heard: heard)
        }
        return machine
    }

    private func at(_ machine: PlaybackMachine) -> String {
        machine.queue.current.map { $0.location.description } ?? "none"
    }

    private func sounds(_ machine: PlaybackMachine, _ expected: PlaybackStatus, _ track: String) -> Bool {
        machine.status == expected && at(machine) == track
    }

    @Test(
        "what each command does in each state (P-4 to P-9, C001 to C008, C019)",
        arguments: [
            (.stopped, .play, .playing, "/1"), (.stopped, .pause, .stopped, "/1"),
            (.stopped, .playPause, .playing, "/1"), (.stopped, .stop, .stopped, "/1"),
            (.stopped, .next, .stopped, "/2"), (.stopped, .previous, .stopped, "/3"),
            (.paused, .play, .playing, "/1"), (.paused, .pause, .paused, "/1"),
            (.paused, .playPause, .playing, "/1"), (.paused, .stop, .stopped, "/1"),
            (.paused, .next, .paused, "/2"), (.paused, .previous, .paused, "/3"),
            (.playing, .play, .playing, "/1"), (.playing, .pause, .paused, "/1"),
            (.playing, .playPause, .paused, "/1"), (.playing, .stop, .stopped, "/1"),
            (.playing, .next, .playing, "/2"), (.playing, .previous, .playing, "/3"),
        ] as [(PlaybackStatus, PlayerCommand, PlaybackStatus, String)]
    )
    func commands(start: PlaybackStatus, command: PlayerCommand, end: PlaybackStatus, track: String) {
        var machine = makeMachine(start)
        _ = machine.perform(command, heard: heard)
        #expect(sounds(machine, end, track))
    }

    @Test("a command without effect asks nothing of the deck", arguments: [PlayerCommand.pause, .play])
    func repeated(command: PlayerCommand) {
        var machine = makeMachine(.playing)
        _ = machine.perform(command, heard: heard)
        let before = machine
        let actions1 = machine.perform(command, heard: heard)
        #expect(actions1.isEmpty)
        #expect(machine == before)
    }

    @Test("pause holds the sound and play lets it go on; stop begins anew")
    func resume() {
        var machine = makeMachine(.paused)
        let actions2 = machine.perform(.play, heard: heard)
        #expect(actions2 == [.setPaused(false)])
        let actions3 = machine.perform(.stop, heard: heard)
        #expect(actions3 == [.unload])
        let first = machine.queue.entries[0]
        let actions4 = machine.perform(.play, heard: heard)
        #expect(actions4 == [.load(first, at: .zero)])
    }

    @Test("an empty queue obeys everything and does nothing (C-32)", arguments: PlaybackStatus.allCases)
    func empty(status: PlaybackStatus) {
        var machine = makeMachine(status, tracks: 0)
        let commands: [PlayerCommand] = [
            .play, .playPause, .pause, .stop, .next, .previous, .seek(.seconds(5)), .setShuffle(true),
            .setLoop(.none),
        ]
        for command in commands {
            let actions = machine.perform(command, heard: PlaybackMachine.Heard(position: .zero, length: nil))
            #expect(actions.isEmpty)
            #expect(machine.status == .stopped)
        }
        #expect(!machine.canGoNext && !machine.canGoPrevious && machine.following == nil)
    }

    @Test(
        "where a seek leads (P-10, C025, C-33)",
        arguments: [
            (10, 30, "/1"), (-10, 10, "/1"), (-1000, 0, "/1"), (0, 20, "/1"), (40, 60, "/1"), (41, 0, "/2"),
        ]
    )
    func seek(offset: Double, place: Double, track: String) {
        for status in [PlaybackStatus.playing, .paused] {
            var machine = makeMachine(status)
            let jumps = machine.jumps
            let actions = machine.perform(.seek(.seconds(offset)), heard: heard)
            #expect(sounds(machine, status, track))
            #expect(machine.jumps == jumps + (track == "/1" ? 1 : 0))
            if status == .playing {
                #expect(actions == machine.queue.current.map { [.load($0, at: .seconds(place))] })
            } else {
                #expect(machine.state == .resting(at: .seconds(place)))
            }
        }
    }

    @Test(
        "when the sleep timer runs out it is paused where it was, with nothing left of what has faded",
        arguments: [PlaybackStatus.playing, .paused, .stopped]
    )
    func sleep(status: PlaybackStatus) {
        var machine = makeMachine(status)
        let former = machine
        let actions = machine.handle(.fellAsleep(at: .seconds(20)))
        guard status != .stopped else {
            #expect(actions.isEmpty && machine.state == former.state)
            return
        }
        #expect(actions == [.unload])
        #expect(machine.state == .resting(at: .seconds(20)) && machine.jumps == former.jumps)
        #expect(
            machine.perform(.play, heard: heard)
                == machine.queue.current.map { [.load($0, at: .seconds(20))] }
        )
    }

    @Test("music that waits for the sound server does not begin after the sleep timer has run out")
    func sleepWithoutServer() {
        var machine = makeMachine(.playing)
        _ = machine.handle(.lostOutput(at: .seconds(20), mayReturn: true))
        _ = machine.handle(.fellAsleep(at: .seconds(20)))
        #expect(machine.handle(.outputReturned).isEmpty)
        #expect(machine.status == .paused)
    }

    @Test("a seek beyond any number is the end or the start", arguments: [Int64.min, .max])
    func extremeSeek(offset: Int64) {
        var machine = makeMachine(.playing)
        _ = machine.perform(.seek(TrackTime(microseconds: offset)), heard: heard)
        #expect(sounds(machine, .playing, offset > 0 ? "/2" : "/1"))
    }

    @Test("seeking while stopped, or where the length is unknown, does nothing")
    func noSeek() {
        var stopped = makeMachine(.stopped)
        let actions5 = stopped.perform(.seek(.seconds(1)), heard: heard)
        #expect(actions5.isEmpty)
        #expect(stopped == makeMachine(.stopped))
        var playing = makeMachine(.playing)
        let unknown = PlaybackMachine.Heard(position: .seconds(20), length: nil)
        let actions6 = playing.perform(.seek(.seconds(1)), heard: unknown)
        #expect(actions6.isEmpty)
        #expect(playing == makeMachine(.playing))
    }

    @Test(
        "SetPosition checks id and range (P-11, C039)",
        arguments: [
            (1, 30, true), (1, 0, true), (1, 60, true), (1, -1, false), (1, 61, false), (2, 30, false),
            (9, 0, false),
        ]
    )
    func setPosition(id: UInt64, seconds: Double, moves: Bool) {
        var machine = makeMachine(.playing)
        let actions = machine.perform(.setPosition(TrackID(id), .seconds(seconds)), heard: heard)
        #expect(actions.isEmpty != moves)
        #expect((machine.jumps == 1) == moves)
        #expect(at(machine) == "/1")
    }

    @Test(
        "at the ends, Can* and behaviour agree (C021, C022, C065)",
        arguments: LoopMode.allCases,
        [1, 3]
    )
    func ends(loop: LoopMode, count: Int) {
        var last = makeMachine(.playing, tracks: count, loop: loop)
        for _ in 1..<count { _ = last.perform(.next, heard: heard) }
        #expect(at(last) == "/\(count)")
        #expect(last.canGoNext == (loop != .none))
        let former = last
        _ = last.perform(.next, heard: heard)
        #expect(sounds(last, .playing, loop == .none ? "/\(count)" : "/1"))
        #expect((last == former) == (loop == .none))
        var first = makeMachine(.playing, tracks: count, loop: loop)
        #expect(first.canGoPrevious == (loop != .none))
        _ = first.perform(.previous, heard: heard)
        #expect(at(first) == (loop == .none ? "/1" : "/\(count)"))
    }

    @Test("restarting the only track by Next is a jump, since nothing else changes (C035)")
    func restart() {
        var machine = makeMachine(.playing, tracks: 1)
        _ = machine.perform(.next, heard: heard)
        #expect(machine.jumps == 1)
    }

    @Test("repeat-one repeats at the end and lets Next move on, staying on (C126 to C129)")
    func repeatOne() {
        var machine = makeMachine(.playing, loop: .track)
        #expect(machine.following?.location.description == "/1")
        _ = machine.handle(.began(TrackID(1), isContinuation: true))
        #expect(sounds(machine, .playing, "/1"))
        #expect(machine.jumps == 1)
        _ = machine.perform(.next, heard: heard)
        #expect(sounds(machine, .playing, "/2"))
        #expect(machine.loop == .track)
        #expect(machine.following?.location.description == "/2")
    }

    @Test("a track that ends is followed by the next, still playing (C009)")
    func advance() {
        var machine = makeMachine(.playing)
        let actions7 = machine.handle(.began(TrackID(2), isContinuation: true))
        #expect(actions7.isEmpty)
        #expect(sounds(machine, .playing, "/2"))
        #expect(machine.jumps == 0)
    }

    @Test("the end of the queue stops with the first track current (C010, C013)")
    func endOfQueue() {
        var machine = makeMachine(.playing, loop: .none)
        _ = machine.perform(.next, heard: heard)
        _ = machine.perform(.next, heard: heard)
        #expect(machine.following == nil)
        let actions8 = machine.handle(.ended)
        #expect(actions8 == [.unload])
        #expect(sounds(machine, .stopped, "/1"))
        let actions9 = machine.handle(.ended)
        #expect(actions9.isEmpty, "an end that comes late changes nothing")
    }

    @Test("an end that was announced before the mode changed goes on")
    func endAfterModeChange() {
        var machine = makeMachine(.playing, tracks: 1, loop: .none)
        _ = machine.perform(.setLoop(.track), heard: heard)
        let actions10 = machine.handle(.ended)
        #expect(actions10 == [.load(machine.queue.entries[0], at: .zero)])
        #expect(machine.jumps == 1)
    }

    @Test(
        "files that do not play are passed over, in the direction of travel",
        arguments: [PlayerCommand.next, .previous]
    )
    func failing(command: PlayerCommand) {
        var machine = makeMachine(.playing, tracks: 4)
        _ = machine.perform(command, heard: heard)
        let bad = machine.queue.current
        let actions11 = machine.handle(.failed(bad?.id ?? TrackID(0)))
        #expect(actions11.count == 1)
        #expect(sounds(machine, .playing, "/3"))
    }

    @Test(
        "when nothing plays, one round is tried, and then it is stopped; Play tries again",
        arguments: LoopMode.allCases
    )
    func nothingPlays(loop: LoopMode) {
        var machine = makeMachine(.playing, tracks: 3, loop: loop)
        var tries = 0
        while machine.status == .playing, tries < 10 {
            tries += 1
            _ = machine.handle(.failed(machine.queue.current?.id ?? TrackID(0)))
        }
        #expect(tries == 3)
        #expect(machine.status == .stopped)
        let actions12 = machine.perform(.play, heard: heard)
        #expect(actions12.count == 1)
    }

    @Test("a following track that fails is replaced before its turn")
    func followingFails() {
        var machine = makeMachine(.playing)
        let actions13 = machine.handle(.failed(TrackID(2)))
        #expect(actions13.isEmpty)
        #expect(machine.following?.location.description == "/3")
        #expect(sounds(machine, .playing, "/1"))
        _ = machine.handle(.began(TrackID(3), isContinuation: true))
        #expect(at(machine) == "/3")
    }

    @Test("a lost sound server pauses where it was; play asks for sound from there")
    func lostOutput() {
        for status in [PlaybackStatus.playing, .paused] {
            var machine = makeMachine(status)
            let actions14 = machine.handle(.lostOutput(at: .seconds(17), mayReturn: false))
            #expect(actions14.isEmpty)
            #expect(machine.state == .resting(at: .seconds(17)))
            #expect(
                machine.perform(.play, heard: heard) == [.load(machine.queue.entries[0], at: .seconds(17))]
            )
        }
    }

    @Test("opening plays the first of what is opened, whatever there was", arguments: PlaybackStatus.allCases)
    func open(status: PlaybackStatus) {
        var machine = makeMachine(status)
        let actions = machine.open(["/a", "/b"].compactMap { FilePath($0).map { TrackLocation($0) } })
        #expect(sounds(machine, .playing, "/a"))
        #expect(actions == machine.queue.current.map { [.load($0, at: .zero)] })
        #expect(machine.following?.location.description == "/b")
        let actions15 = machine.open([])
        #expect(actions15.isEmpty)
    }

    @Test("shuffle and loop change neither track nor state (C006, C131)", arguments: PlaybackStatus.allCases)
    func modes(status: PlaybackStatus) {
        var machine = makeMachine(status)
        let state = machine.state
        for command in [
            PlayerCommand.setShuffle(true), .setLoop(.track), .setShuffle(false), .setLoop(.none),
        ] {
            let actions16 = machine.perform(command, heard: heard)
            #expect(actions16.isEmpty)
            #expect(machine.state == state && at(machine) == "/1" && machine.jumps == 0)
        }
    }

    @Test(
        "going to an entry plays it from whatever state; to none does nothing (C151)",
        arguments: PlaybackStatus.allCases
    )
    func goTo(status: PlaybackStatus) {
        var machine = makeMachine(status)
        let before = machine
        let unknown = machine.perform(.goTo(TrackID(99)), heard: heard)
        #expect(unknown.isEmpty && machine == before)
        let actions = machine.perform(.goTo(TrackID(3)), heard: heard)
        #expect(actions == [.load(machine.queue.entries[2], at: .zero)])
        #expect(sounds(machine, .playing, "/3") && machine.jumps == 0)
        _ = machine.perform(.goTo(TrackID(3)), heard: heard)
        #expect(machine.jumps == 1, "the same entry begins anew")
    }

    @Test("taking out others disturbs nothing; taking out the current one goes on with the next (C154)")
    func remove() {
        for status in PlaybackStatus.allCases {
            var machine = makeMachine(status)
            let state = machine.state
            let others = machine.perform(.remove([TrackID(2), TrackID(77)]), heard: heard)
            #expect(others.isEmpty && machine.state == state && at(machine) == "/1")
            let current = machine.perform(.remove([TrackID(1)]), heard: heard)
            #expect(sounds(machine, status, "/3"))
            #expect(machine.jumps == 0)
            #expect(current.count == (status == .stopped ? 0 : 1))
            let last = machine.perform(.remove([TrackID(3)]), heard: heard)
            #expect(last == [.unload])
            #expect(sounds(machine, .stopped, "none"))
            #expect(!machine.canGoNext && !machine.canGoPrevious)
        }
    }

    @Test("adding and moving disturb nothing, and Can* tell the truth at once", arguments: LoopMode.allCases)
    func edits(loop: LoopMode) throws {
        var machine = makeMachine(.playing, tracks: 1, loop: loop)
        let path = try #require(FilePath("/new"))
        #expect(machine.canGoNext == (loop != .none))
        for (place, next) in [
            (QueuePlace.end, "/new"), (.next, "/new"), (.start, "/new"), (.after(TrackID(1)), "/new"),
        ] {
            let actions = machine.insert([TrackLocation(path)], at: place)
            #expect(actions.isEmpty && sounds(machine, .playing, "/1"))
            #expect(machine.canGoNext)
            if place != .start {
                #expect(machine.following?.location.description == (loop == .track ? "/1" : next))
            }
        }
        #expect(machine.canGoPrevious)
        let actions = machine.perform(.move([TrackID(1)], after: nil), heard: heard)
        #expect(actions.isEmpty && machine.queue.currentIndex == 0)
        #expect(machine.canGoPrevious == (loop != .none))
        let cleared = machine.perform(.clear, heard: heard)
        #expect(cleared == [.unload] && sounds(machine, .stopped, "none"))
    }

    @Test("stopping after the current track: once, with the next track current", arguments: LoopMode.allCases)
    func stopAfterCurrent(loop: LoopMode) {
        var machine = makeMachine(.playing, tracks: 2, loop: loop)
        _ = machine.perform(.setStopsAfterCurrent(true), heard: heard)
        #expect(machine.following == nil)
        let actions = machine.handle(.ended)
        #expect(actions == [.unload])
        #expect(sounds(machine, .stopped, "/2"))
        #expect(!machine.stopsAfterCurrent)
        _ = machine.perform(.play, heard: heard)
        #expect(sounds(machine, .playing, "/2"))
        #expect((machine.following == nil) == (loop == .none))
    }

    @Test(
        "Previous begins a track anew that has played for longer than the setting",
        arguments: [(0.0, "/3", 0), (19.0, "/1", 1), (20.0, "/3", 0)] as [(Double, String, UInt64)]
    )
    func previousRestarts(after seconds: Double, track: String, jumps: UInt64) {
        var machine = PlaybackMachine(seed: 3, previousRestartsAfter: .seconds(seconds))
        _ = machine.play(["/1", "/2", "/3"].compactMap { FilePath($0).map { TrackLocation($0) } })
        _ = machine.perform(.previous, heard: heard)
        #expect(at(machine) == track && machine.jumps == jumps && machine.status == .playing)
    }

    @Test("album shuffle is a kind of shuffle: set while off it waits, set while on it acts")
    func shuffleKind() {
        var machine = makeMachine(.playing)
        _ = machine.perform(.setShuffleKind(.albums), heard: heard)
        #expect(!machine.isShuffled && machine.shuffleKind == .albums)
        _ = machine.perform(.setShuffle(true), heard: heard)
        #expect(machine.queue.shuffleKind == .albums)
        _ = machine.perform(.setShuffleKind(.tracks), heard: heard)
        #expect(machine.queue.shuffleKind == .tracks && machine.isShuffled)
    }

    @Test(
        "what a former process left comes back at rest, or stopped, and plays from its place (C263 to C265)"
    )
    func restore() {
        let former = makeMachine(.playing)
        for (isStopped, place) in [(false, TrackTime.seconds(33)), (true, .zero)] {
            var modes = PlaybackModes()
            modes.loop = .track
            modes.stopsAfterCurrent = true
            modes.shuffleKind = .albums
            modes.isStopped = isStopped
            var machine = PlaybackMachine(seed: 9)
            machine.restore(RestoredPlayback(queue: former.queue, modes: modes, place: .seconds(33)))
            #expect(sounds(machine, isStopped ? .stopped : .paused, "/1"))
            #expect(machine.loop == .track && machine.stopsAfterCurrent && machine.shuffleKind == .albums)
            let actions = machine.perform(.play, heard: heard)
            #expect(actions == [.load(former.queue.entries[0], at: place)])
        }
    }

    @Test("every change of the queue is told as an edit, and the edits alone give the same queue")
    func editsAreWhole() {
        var machine = makeMachine(.playing, tracks: 6)
        var copy = PlayQueue(seed: 3)
        let commands: [PlayerCommand] = [
            .next, .setShuffle(true), .next, .next, .previous, .remove([TrackID(2)]), .goTo(TrackID(5)),
            .move([TrackID(6)], after: TrackID(1)), .setShuffleKind(.albums), .next, .setShuffle(false),
            .next,
        ]
        for command in commands { _ = machine.perform(command, heard: heard) }
        _ = machine.handle(.began(TrackID(1), isContinuation: true))
        for edit in machine.takeEdits() { copy.apply(edit) }
        #expect(copy == machine.queue)
        #expect(machine.takeEdits().isEmpty)
    }

    @Test("shuffled music begins anywhere, and what is still coming in is shuffled into the rest (C124)")
    func shuffledStart() {
        var first: Set<String> = []
        for seed in 1...30 as ClosedRange<UInt64> {
            var machine = PlaybackMachine(seed: seed)
            _ = machine.perform(.setShuffle(true), heard: heard)
            let tracks = (1...40).compactMap { FilePath("/\($0)").map { TrackLocation($0) } }
            _ = machine.play(Array(tracks[..<8]))
            first.insert(at(machine))
            _ = machine.insert(Array(tracks[8...]), at: .end)
            _ = machine.perform(.next, heard: heard)
            first.insert("then " + at(machine))
        }
        #expect(first.count { !$0.hasPrefix("then") } > 4)
        #expect(first.count { $0.hasPrefix("then") } > 10)
    }

    @Test(
        "a disk that is away is given up soon, and the place in the queue is kept",
        arguments: [false, true]
    )
    func diskAway(isShuffled: Bool) {
        var machine = makeMachine(.playing, tracks: 5000)
        _ = machine.perform(.setShuffle(isShuffled), heard: heard)
        _ = machine.perform(.goTo(TrackID(700)), heard: heard)
        var tries = 0
        while machine.status == .playing, tries < 5000 {
            tries += 1
            _ = machine.handle(.failed(machine.queue.current?.id ?? TrackID(0)))
        }
        #expect(tries == 1000)
        #expect(sounds(machine, .stopped, "/700"))
        let again = machine.handle(.failed(TrackID(700)))
        #expect(again.isEmpty)
        #expect(sounds(machine, .stopped, "/700"), "it does not begin again by itself")
        #expect(machine.canGoNext && machine.canGoPrevious)
    }
}
