import Music
import Playback
import Testing

/// A queue and its model under the same random steps.
private struct Trial {
    var queue: PlayQueue
    var model = QueueModel()
    var random: RandomSource
    /// The queue as it was kept, and the edits since then.
    var snapshot: [UInt8]
    var edits = ByteWriter()

    init(seed: UInt64) {
        queue = PlayQueue(seed: seed)
        random = RandomSource(seed: seed &* 31)
        snapshot = queue.encoded()
    }

    mutating func apply(_ edit: QueueEdit) {
        queue.apply(edit)
        edit.put(into: &edits)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    mutating func someIDs() -> [TrackID] {
        let ids = (0..<below(4)).compactMap { _ in model.ids.randomElement(using: &random) }
        return below(8) == 0 ? ids + [TrackID(1 << 40)] : ids
    }

    mutating func someLocations() -> [TrackLocation] {
        (0..<below(5)).compactMap { _ in
            let path = FilePath("/m/\(below(3))/\(below(3))/\(below(50)).mp3")
            var excerpt: Excerpt?
            if below(4) == 0 {
                excerpt = Excerpt(start: TrackTime(microseconds: Int64(below(1000))))
                excerpt?.end = below(2) == 0 ? nil : TrackTime(microseconds: 5000)
                excerpt?.title = below(2) == 0 ? nil : "曲 \(below(9))"
                excerpt?.album = below(2) == 0 ? nil : ""
                excerpt?.number = below(2) == 0 ? nil : Int32(below(20))
            }
            return path.map { TrackLocation($0, excerpt) }
        }
    }

    mutating func step() -> Bool {
        switch below(40) {
        case 0..<14: next()
        case 14..<22: previous()
        case 22..<25: insert()
        case 25..<30: remove()
        case 30..<33: move()
        case 33..<35: jump()
        case 35: rewind()
        case 36, 37: changeMode()
        case 38: relocate()
        default: replace()
        }
    }

    mutating func next() -> Bool {
        let wrapping = below(4) > 0
        let allowed = model.candidates(wrapping: wrapping)
        let following = queue.following(wrapping: wrapping)
        guard let following else { return allowed.isEmpty }
        guard allowed.contains(following.id) else { return false }
        let isSkipping = below(5) == 0 && model.unheard.count > 2 && model.place == model.played.count - 1
        if isSkipping {
            guard let other = queue.following(wrapping: wrapping, skipping: [following.id]),
                allowed.contains(other.id), other != following
            else { return false }
            apply(.goForward(to: other.id))
            model.wentForward(to: other.id, skipping: following.id)
        } else {
            apply(.goForward(to: following.id))
            model.wentForward(to: following.id)
        }
        return true
    }

    mutating func previous() -> Bool {
        let wrapping = below(4) > 0
        let allowed = model.candidatesBefore(wrapping: wrapping)
        guard let preceding = queue.preceding(wrapping: wrapping) else { return allowed.isEmpty }
        guard allowed.contains(preceding.id) else { return false }
        apply(.goBack(to: preceding.id))
        model.wentBack(to: preceding.id)
        return true
    }

    mutating func insert() -> Bool {
        let locations = model.entries.count < 60 ? someLocations() : []
        let isNext = below(2) == 0
        let wasShuffled = model.isShuffled
        let isAppended = !isNext && below(3) == 0
        let place = isNext ? (queue.currentIndex ?? 0) + 1 : below(model.entries.count + 4) - 2
        apply(isAppended ? .append(locations) : .insert(locations, at: place))
        model.insert(locations, at: isAppended ? model.entries.count : place, comesNext: !isAppended)
        guard isNext, wasShuffled, !locations.isEmpty else { return true }
        return queue.following(wrapping: false)?.id == queue[place].id
    }

    mutating func remove() -> Bool {
        var ids = someIDs()
        if below(3) == 0, let current = model.current { ids.append(current) }
        if below(60) == 0 { ids = model.ids }
        let allowed = model.candidates(without: Set(ids))
        apply(.remove(ids))
        guard let current = queue.current else {
            model.remove(Set(ids), leaving: nil)
            return model.entries.isEmpty
        }
        model.remove(Set(ids), leaving: current.id)
        return allowed.contains(current.id)
    }

    mutating func move() -> Bool {
        let (ids, after) = (someIDs(), below(3) == 0 ? nil : someIDs().first)
        apply(.move(ids, after: after))
        model.move(Set(ids), after: after)
        return true
    }

    mutating func jump() -> Bool {
        guard let id = someIDs().first else { return true }
        apply(.jump(to: id))
        model.jump(to: id)
        return true
    }

    mutating func rewind() -> Bool {
        let former = model.current
        apply(.rewind)
        let isShuffled = model.isShuffled
        model.rewind(to: queue.current?.id)
        return isShuffled ? queue.current?.id != former : queue.current?.id == model.ids.first
    }

    mutating func changeMode() -> Bool {
        let kind: ShuffleKind? = [nil, .tracks, .tracks, .albums][below(4)]
        apply(.shuffle(kind))
        model.shuffle(kind)
        return true
    }

    mutating func relocate() -> Bool {
        let old = ["/m/0", "/m/1/2", "/n", "/m/2/1/7.mp3", "/n/0/3.mp3"][below(5)]
        let new = ["/m/0", "/m/1/2", "/n", "/m/2/1/7.mp3", "/o/x"][below(5)]
        guard let from = FilePath(old), let to = FilePath(new) else { return false }
        apply(.relocate(from: from, to: to))
        model.relocate(from: old, to: new)
        return true
    }

    mutating func replace() -> Bool {
        guard below(4) == 0 else { return true }
        let locations = (0..<(1 + below(6))).flatMap { _ in someLocations() }
        apply(.replace(locations))
        model.replace(locations)
        return true
    }

    /// Whether the queue is what was kept and done since, and comes back as it is.
    mutating func survives() -> Bool {
        guard var former = snapshot.withUnsafeBytes({ PlayQueue(encoded: $0) }) else { return false }
        edits.bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            while let edit = QueueEdit(from: &reader) { former.apply(edit) }
        }
        snapshot = queue.encoded()
        edits = ByteWriter()
        return former == queue && snapshot.withUnsafeBytes { PlayQueue(encoded: $0) } == queue
    }
}

@Suite
struct QueueModelTests {
    @Test("ten thousand edits, changes of mode, nexts and previouses as the model says", arguments: 1...8)
    func model(seed: UInt64) throws {
        var trial = Trial(seed: seed)
        for step in 0..<10_000 {
            let isRight = trial.step()
            try #require(isRight, "seed \(seed), step \(step)")
            try #require(trial.queue.ids(in: 0..<100) == trial.model.ids, "seed \(seed), step \(step)")
            try #require(trial.queue.current?.id == trial.model.current, "seed \(seed), step \(step)")
            guard step % 100 == 99 else { continue }
            let entries = trial.queue.entries.map { QueueModel.Entry(id: $0.id, location: $0.location) }
            try #require(entries == trial.model.entries, "seed \(seed), step \(step)")
            let survives = trial.survives()
            try #require(survives, "seed \(seed), step \(step)")
        }
    }
}
