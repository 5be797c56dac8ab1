import Music
import Playback

extension PlayQueue {
    var entries: [QueueEntry] { (0..<count).map { self[$0] } }

    /// As Next does it.
    mutating func moveForward(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> Bool {
        guard let next = following(wrapping: wrapping, skipping: skipped) else { return false }
        apply(.goForward(to: next.id))
        return true
    }

    /// As Previous does it.
    mutating func moveBack(wrapping: Bool, skipping skipped: Set<TrackID> = []) -> Bool {
        guard let former = preceding(wrapping: wrapping, skipping: skipped) else { return false }
        apply(.goBack(to: former.id))
        return true
    }

    /// As OpenUri does it.
    mutating func insertAfterCurrent(_ paths: [FilePath]) {
        let place = currentIndex.map { $0 + 1 } ?? 0
        apply(.insert(paths.map { TrackLocation($0) }, at: place))
        apply(.jump(to: self[place].id))
    }
}
