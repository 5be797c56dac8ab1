import Music
import Playback

/// What a queue has to be, written down in the plainest way: a list, what has been played, what has not been yet.
///
/// Where a shuffle is free to choose, the model is told what was chosen and says whether that was allowed.
struct QueueModel {
    struct Entry: Equatable {
        var id: TrackID
        var location: TrackLocation
    }

    private(set) var entries: [Entry] = []
    private(set) var current: TrackID?
    private(set) var kind: ShuffleKind?
    private var nextID: UInt64 = 1
    /// Of the shuffle: what was played, where in it the current one is, and what this round has left.
    private(set) var played: [TrackID] = []
    private(set) var place = 0
    private(set) var unheard: Set<TrackID> = []

    var isShuffled: Bool { kind != nil && entries.count > 1 }
    var ids: [TrackID] { entries.map(\.id) }
    private var currentIndex: Int? { entries.firstIndex { $0.id == current } }

    // MARK: Steps

    /// What Next may choose; empty where it does nothing.
    func candidates(wrapping: Bool) -> Set<TrackID> {
        guard let currentIndex else { return [] }
        guard isShuffled else {
            if currentIndex + 1 < entries.count { return [entries[currentIndex + 1].id] }
            return wrapping ? [entries[0].id] : []
        }
        if place + 1 < played.count { return [played[place + 1]] }
        if !unheard.isEmpty { return unheard }
        return wrapping ? Set(ids).subtracting(played.suffix(1)) : []
    }

    /// What Previous may choose.
    func candidatesBefore(wrapping: Bool) -> Set<TrackID> {
        guard let currentIndex else { return [] }
        guard isShuffled else {
            if currentIndex > 0 { return [entries[currentIndex - 1].id] }
            return wrapping ? [entries[entries.count - 1].id] : []
        }
        if place > 0 { return [played[place - 1]] }
        guard wrapping else { return [] }
        return unheard.isEmpty ? Set(played.suffix(1)) : unheard
    }

    /// Next chose `id`, having left out what is `skipped`.
    mutating func wentForward(to id: TrackID, skipping skipped: TrackID? = nil) {
        current = id
        guard isShuffled else { return }
        if place + 1 < played.count {
            place += 1
            return
        }
        if unheard.isEmpty { unheard = Set(ids) }
        if let skipped { unheard.remove(skipped) }
        play(id)
    }

    mutating func wentBack(to id: TrackID) {
        current = id
        guard isShuffled else { return }
        if place > 0 {
            place -= 1
        } else if unheard.remove(id) != nil {
            played.insert(id, at: 0)
            if played.count > 1000 { played.removeLast() }
        } else {
            place = played.count - 1
        }
    }

    private mutating func play(_ id: TrackID) {
        unheard.remove(id)
        if played.last != id { played.append(id) }
        played = played.suffix(1000)
        place = played.count - 1
    }

    // MARK: Edits

    mutating func replace(_ locations: [TrackLocation]) {
        entries = []
        insert(locations, at: 0, comesNext: false)
        current = entries.first?.id
        beginRound()
    }

    mutating func insert(_ locations: [TrackLocation], at index: Int, comesNext: Bool) {
        let wasShuffled = isShuffled
        let new = locations.map { location in
            defer { nextID += 1 }
            return Entry(id: TrackID(nextID), location: location)
        }
        let place = min(max(0, index), entries.count)
        let isNext = comesNext && place == currentIndex.map { $0 + 1 }
        entries.insert(contentsOf: new, at: place)
        guard !new.isEmpty else { return }
        current = current ?? entries.first?.id
        guard wasShuffled else { return beginRound() }
        if isNext { played = Array(played[...self.place]) }
        unheard.formUnion(new.map(\.id))
    }

    /// What may be current when these are taken out.
    func candidates(without gone: Set<TrackID>) -> Set<TrackID> {
        guard let current, let currentIndex else { return [] }
        let staying = entries.filter { !gone.contains($0.id) }
        guard gone.contains(current), let first = staying.first else { return [current] }
        guard isShuffled, staying.count > 1 else {
            return [entries[currentIndex...].first { !gone.contains($0.id) }?.id ?? first.id]
        }
        if let next = played[place...].first(where: { !gone.contains($0) }) { return [next] }
        let rest = unheard.subtracting(gone)
        guard rest.isEmpty else { return rest }
        return Set(staying.map(\.id)).subtracting(played.filter { !gone.contains($0) }.suffix(1))
    }

    mutating func remove(_ gone: Set<TrackID>, leaving id: TrackID?) {
        let hasForward = played.indices.contains(place) && played[place...].contains { !gone.contains($0) }
        var kept: [TrackID] = []
        var keptPlace: Int?
        for (index, entry) in played.enumerated() where !gone.contains(entry) {
            if kept.last != entry { kept.append(entry) }
            if index >= place, keptPlace == nil { keptPlace = kept.count - 1 }
        }
        entries.removeAll { gone.contains($0.id) }
        unheard.subtract(gone)
        current = id
        guard isShuffled, let id else { return (played, place, unheard) = ([], 0, []) }
        played = kept
        place = keptPlace ?? 0
        guard !hasForward else { return }
        if unheard.isEmpty { unheard = Set(ids) }
        play(id)
    }

    mutating func move(_ moved: Set<TrackID>, after: TrackID?) {
        if let after, moved.contains(after) || !ids.contains(after) { return }
        let brought = entries.filter { moved.contains($0.id) }
        entries.removeAll { moved.contains($0.id) }
        let place = after.flatMap { after in entries.firstIndex { $0.id == after } }.map { $0 + 1 } ?? 0
        entries.insert(contentsOf: brought, at: place)
    }

    mutating func jump(to id: TrackID) {
        guard ids.contains(id) else { return }
        current = id
        guard isShuffled else { return }
        played = Array(played[...place])
        play(id)
    }

    mutating func rewind(to id: TrackID?) {
        current = id
        beginRound()
    }

    mutating func shuffle(_ kind: ShuffleKind?) {
        guard kind != self.kind else { return }
        self.kind = kind
        beginRound()
    }

    mutating func relocate(from old: String, to new: String) {
        for index in entries.indices {
            let path = entries[index].location.path.description
            guard path == old || path.hasPrefix(old + "/") else { continue }
            guard let moved = FilePath(new + path.dropFirst(old.count)) else { continue }
            entries[index].location.path = moved
        }
    }

    private mutating func beginRound() {
        guard isShuffled, let current else { return (played, place, unheard) = ([], 0, []) }
        (played, place) = ([current], 0)
        unheard = Set(ids).subtracting([current])
    }
}
