import MPRIS
import Music
import Playback
import Testing

private func track(_ number: UInt64, _ title: String = "Song") -> ListedTrack {
    var tags = Tags()
    tags.title = title
    guard let path = FilePath("/music/\(number).mp3") else { preconditionFailure("a path is a path") }
    return ListedTrack(id: TrackID(number), track: Track(TrackLocation(path), tags: tags))
}

private func tracks(_ numbers: some Sequence<Int>) -> [ListedTrack] { numbers.map { track(UInt64($0)) } }

private func ids(_ numbers: some Sequence<Int>) -> [TrackID] { numbers.map { TrackID(UInt64($0)) } }

/// A client that believes what it is told.
private struct Client {
    var list: [ListedTrack]
    /// What can be read at the moment of the signals.
    var service: [ListedTrack]
    var complaints: [String] = []

    mutating func hear(_ changes: [TrackListChange]) {
        for change in changes {
            switch change {
            case .replaced(let ids, let current):
                // A client keeps what it knows of tracks that stay.
                list = ids.compactMap { id in (list + service).first { $0.id == id } }
                if let current, !ids.contains(current) { complaints.append("\(current) is not of the list") }
            case .added(let listed, nil):
                check(!contains(listed.id), "\(listed.id) is there already")
                list.insert(listed, at: 0)
            case .added(let listed, let after?):
                check(!contains(listed.id), "\(listed.id) is there already")
                guard let index = list.firstIndex(where: { $0.id == after }) else {
                    complaints.append("added behind \(after), which is not there")
                    continue
                }
                list.insert(listed, at: index + 1)
            case .removed(let id):
                check(contains(id), "\(id) is not there to be removed")
                list.removeAll { $0.id == id }
            case .metadataChanged(let listed):
                check(contains(listed.id), "\(listed.id) is not there to be changed")
                list = list.map { $0.id == listed.id ? listed : $0 }
            }
        }
    }

    func contains(_ id: TrackID) -> Bool { list.contains { $0.id == id } }

    private mutating func check(_ isTrue: Bool, _ complaint: String) {
        if !isTrue { complaints.append(complaint) }
    }
}

@Suite
struct TrackListChangeTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var old: [ListedTrack]
        var new: [ListedTrack]
        var current: TrackID? = TrackID(1)
        var before: [TrackListChange] = []
        var after: [TrackListChange] = []
        var isOtherList = true
    }

    @Test(
        "what has become of the list is told in the fewest words",
        arguments: [
            Case(testDescription: "nothing", old: tracks(1...3), new: tracks(1...3), isOtherList: false),
            Case(testDescription: "nothing of nothing", old: [], new: [], isOtherList: false),
            Case(
                testDescription: "one at the start",
                old: tracks(1...2),
                new: tracks([3, 1, 2]),
                before: [.added(track(3), after: nil)]
            ),
            Case(
                testDescription: "two in the middle",
                old: tracks(1...2),
                new: tracks([1, 3, 4, 2]),
                before: [.added(track(3), after: TrackID(1)), .added(track(4), after: TrackID(3))]
            ),
            Case(
                testDescription: "some gone",
                old: tracks(1...4),
                new: tracks([1, 3]),
                after: [.removed(TrackID(2)), .removed(TrackID(4))]
            ),
            Case(
                testDescription: "the window goes on",
                old: tracks(1...3),
                new: tracks(2...4),
                current: TrackID(3),
                before: [.added(track(4), after: TrackID(3))],
                after: [.removed(TrackID(1))]
            ),
            Case(
                testDescription: "two change places",
                old: tracks(1...3),
                new: tracks([2, 1, 3]),
                before: [.replaced(ids([2, 1, 3]), current: TrackID(1))]
            ),
            Case(
                testDescription: "all others, the current one not among them",
                old: tracks(1...3),
                new: tracks(4...5),
                before: [.replaced(ids(4...5), current: nil)]
            ),
            Case(
                testDescription: "the first ones",
                old: [],
                new: tracks(1...2),
                before: [.replaced(ids(1...2), current: TrackID(1))]
            ),
            Case(
                testDescription: "emptied",
                old: tracks(1...2),
                new: [],
                current: nil,
                before: [.replaced([], current: nil)]
            ),
            Case(
                testDescription: "twenty more",
                old: tracks(1...1),
                new: tracks(1...21),
                before: (2...21).map { .added(track(UInt64($0)), after: TrackID(UInt64($0 - 1))) }
            ),
            Case(
                testDescription: "more than twenty more",
                old: tracks(1...1),
                new: tracks(1...22),
                before: [.replaced(ids(1...22), current: TrackID(1))]
            ),
            Case(
                testDescription: "more known of one",
                old: tracks(1...3),
                new: [track(1), track(2, "Known"), track(3)],
                before: [.metadataChanged(track(2, "Known"))],
                isOtherList: false
            ),
            Case(
                testDescription: "more known of one beside others that come and go",
                old: tracks(1...3),
                new: [track(2, "Known"), track(3), track(4)],
                current: TrackID(3),
                before: [.added(track(4), after: TrackID(3)), .metadataChanged(track(2, "Known"))],
                after: [.removed(TrackID(1))]
            ),
        ]
    )
    func changes(_ change: Case) {
        let told = TrackListChange.between(change.old, change.new, current: change.current)
        #expect(told.before == change.before)
        #expect(told.after == change.after)
        #expect(told.isOtherList == change.isOtherList)
    }

    @Test("what is known besides, and is not in the map, is no change")
    func unseen() {
        let old = tracks(1...1)
        var new = old
        new[0].track.length = .zero
        #expect(old != new)
        #expect(TrackListChange.between(old, new, current: nil).before == [])
    }

    @Test(
        "a client that follows the signals has the list, and the current track at every moment",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func following(_ seed: UInt64) {
        var random = RandomSource(seed: seed)
        var list: [ListedTrack] = []
        var current: TrackID?
        var nextNumber: UInt64 = 1
        var kinds: Set<String> = []
        for _ in 0..<500 {
            var new = list
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                switch Int.random(in: 0...9, using: &random) {
                case 0...4:
                    new.insert(track(nextNumber), at: Int.random(in: 0...new.count, using: &random))
                    nextNumber += 1
                case 5...7 where !new.isEmpty:
                    new.remove(at: Int.random(in: 0..<new.count, using: &random))
                case 8 where !new.isEmpty:
                    let index = Int.random(in: 0..<new.count, using: &random)
                    new[index] = track(new[index].id.number, "Title \(nextNumber)")
                    nextNumber += 1
                case 9 where Bool.random(using: &random): new.shuffle(using: &random)
                default: new = Array(new.suffix(60))
                }
            }
            let newCurrent = new.randomElement(using: &random)?.id
            let told = TrackListChange.between(list, new, current: newCurrent)
            var client = Client(list: list, service: new)
            client.hear(told.before)
            if let newCurrent { #expect(client.contains(newCurrent)) }
            // Only a list that is replaced leaves the former current track no time.
            if case .replaced = told.before.first {} else if let current { #expect(client.contains(current)) }
            client.hear(told.after)
            #expect(client.complaints == [])
            #expect(client.list == new)
            #expect(told.isOtherList == (list.map(\.id) != new.map(\.id)))
            for change in told.before + told.after { kinds.insert(change.kind) }
            (list, current) = (new, newCurrent)
        }
        #expect(kinds == ["replaced", "added", "removed", "metadataChanged"])
    }
}

extension TrackListChange {
    fileprivate var kind: String {
        switch self {
        case .replaced: "replaced"
        case .added: "added"
        case .removed: "removed"
        case .metadataChanged: "metadataChanged"
        }
    }
}
