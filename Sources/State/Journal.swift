import Glibc
package import Music
package import Playback

/// Keeps queue, modes and place so that the next process finds what this one has acknowledged, however it ends.
///
/// On the loop only, and never waiting for a disk. A file `queue` in the state folder holds the queue as it was once and
/// what was done to it since; each change is one `write` behind the others, which survives the process from then on.
/// When the changes outgrow the queue the file is written anew beside the old one and takes its place. The place in the
/// current track lives in memory, in the runtime folder.
///
/// A state folder belongs to one process at a time; another one's end is waited for, half a second. What cannot be
/// written (a full disk, a folder that may not be written to) is said once and kept in memory; the next change that can
/// be written brings all of it.
package final class Journal: PlaybackRecorder {
    private let path: FilePath
    private let runtimeFolder: FilePath?
    private let report: (String) -> Void

    private var folder: StateFile?
    private var position: PositionFile?
    private var file: StateFile?
    /// Whether another process keeps its state here, so that this one keeps none.
    private var isTaken = false

    /// Given to all that is kept, so that earlier can be told from later.
    private var counter: UInt64 = 0
    private var modes = KeptModes()
    private var slot = 0
    private var current: TrackID?
    private var placeIsVoidSince: UInt64 = 0

    /// Where the next record goes.
    private var length = 0
    private var snapshotLength = 0
    /// Whether what the file holds is no queue to add changes to.
    private var needsSnapshot = true
    /// The queue as it is, while it cannot be written.
    private var unwritten: PlayQueue?
    private var hasReported = false

    private static let name = "queue"
    private static let nameOfNew = "queue.new"
    private static let nameOfDamaged = "queue.damaged"
    /// Fewer bytes of changes are not worth a new file.
    private static let leastGarbage = 256 << 10

    /// Keeps state in `stateFolder`, which is made when it is needed, and the place in `runtimeFolder`, which should be
    /// in memory; without one in the state folder too.
    ///
    /// `report` gets one line for people when something cannot be kept or was not as it was left.
    package init(stateFolder: FilePath, runtimeFolder: FilePath?, report: @escaping (String) -> Void) {
        path = stateFolder
        self.runtimeFolder = runtimeFolder
        self.report = report
    }

    // MARK: Coming back

    /// What a former process has left; `nil` where there is nothing, or nothing that can be read.
    ///
    /// To be called once, before anything is recorded; the first edit is then either a `replace` or one of the queue that
    /// this gave, unless that is empty. A damaged file is moved aside.
    package func restore() -> RestoredPlayback? {
        do throws(StateError) {
            guard let contents = try readJournal() else { return nil }
            modes = contents.modes
            slot = contents.slot
            current = contents.queue.currentID
            placeIsVoidSince = contents.placeIsVoidSince
            (length, snapshotLength) = (contents.length, contents.snapshotLength)
            counter = max(counter, contents.counter)
            return RestoredPlayback(queue: contents.queue, modes: modes.modes, place: place)
        } catch {
            report("cannot read the queue that was kept in \(path): \(error)")
            return nil
        }
    }

    private func readJournal() throws(StateError) -> JournalFormat.Contents? {
        guard let folder = try takeFolder() else { return nil }
        let isWritable: Bool
        let (contents, size): (JournalFormat.Contents?, Int)
        do throws(StateError) {
            let file: StateFile
            (file, isWritable) = try open(in: folder)
            (contents, size) = try file.read { (JournalFormat.read($0), $0.count) }
            self.file = file
        } catch {
            switch error {
            case .system(ENOENT): return nil
            case .system(EINVAL), .system(ELOOP), .system(EISDIR): return moveAside(folder)
            default: throw error
            }
        }
        guard let contents else {
            return moveAside(folder)
        }
        // Whoever found nothing queued may begin with a queue of its own.
        needsSnapshot = !isWritable || contents.queue.count == 0
        if contents.length < size {
            do throws(StateError) { try file?.truncate(to: contents.length) } catch { needsSnapshot = true }
        }
        return contents
    }

    private func open(in folder: StateFile) throws(StateError) -> (StateFile, isWritable: Bool) {
        do throws(StateError) {
            return (try folder.file(Self.name, O_RDWR), true)
        } catch {
            guard error == .system(EACCES) || error == .system(EROFS) else { throw error }
            return (try folder.file(Self.name, O_RDONLY), false)
        }
    }

    private func moveAside(_ folder: StateFile) -> JournalFormat.Contents? {
        file = nil
        do throws(StateError) {
            try folder.rename(Self.name, to: Self.nameOfDamaged)
            report(
                "the kept queue was damaged; it is \(Self.nameOfDamaged) in \(path) now, and the queue is empty"
            )
        } catch {
            report("the kept queue in \(path) is damaged; the queue is empty")
        }
        return nil
    }

    /// Where the current track was: what was kept last of it, if it has not begun anew since.
    private var place: TrackTime {
        let since = max(placeIsVoidSince, modes.counter)
        if let former = position?.former, former.track == current, former.counter > since {
            return former.place
        }
        return modes.counter > placeIsVoidSince && modes.entry == current ? modes.modes.place : .zero
    }

    // MARK: Keeping

    package func record(_ edits: [QueueEdit], leadingTo queue: PlayQueue) {
        counter += 1
        let former = current
        current = queue.currentID
        if current != former || edits.contains(where: \.beginsTrack) { placeIsVoidSince = counter }
        keep { () throws(StateError) in
            if needsSnapshot || isWorthNewFile || edits.contains(where: \.isReplacement) {
                try write(queue)
            } else {
                do throws(StateError) { try append(edits) } catch { try write(queue) }
            }
        }
        unwritten = hasReported ? queue : nil
    }

    package func recordWhole(_ queue: PlayQueue) {
        guard garbage > Self.leastGarbage / 4 else { return }
        keep { () throws(StateError) in try write(queue) }
    }

    package func record(_ modes: PlaybackModes) {
        counter += 1
        self.modes = KeptModes(counter: counter, entry: current, modes: modes)
        keep { () throws(StateError) in
            if let unwritten {
                try write(unwritten)
            } else if let file {
                try file.write(self.modes.bytes, at: JournalFormat.placeOfModes(1 - slot))
                slot = 1 - slot
            } else {
                // Nothing was ever queued. The queue to come is another one, so it will be written whole.
                try write(PlayQueue(seed: .random(in: .min ... .max)))
                needsSnapshot = true
            }
        }
    }

    package func record(_ place: TrackTime, of track: TrackID) {
        guard let position else { return }
        counter += 1
        position.write(PositionFile.Position(counter: counter, track: track, place: place))
    }

    /// Waits until all that was kept is on the disk, which can take a while; for the end of the process.
    ///
    /// Without this it survives the process, whatever happens to that, but not always a loss of power.
    package func flush() {
        file?.flush()
        folder?.flush()
    }

    /// Whether the changes in the file outweigh the queue in it.
    private var isWorthNewFile: Bool { garbage > max(Self.leastGarbage, snapshotLength) }

    /// Bytes of changes behind the queue as it was once.
    private var garbage: Int { length - JournalFormat.recordsStart - snapshotLength }

    /// Tries to write; what goes wrong is said once, until something goes well.
    private func keep(_ change: () throws(StateError) -> Void) {
        guard !isTaken else { return }
        do throws(StateError) {
            try change()
            if !isTaken { hasReported = false }
        } catch {
            needsSnapshot = true
            if !hasReported {
                report("cannot keep the queue in \(path): \(error); it is kept when that is over")
            }
            hasReported = true
        }
    }

    private func append(_ edits: [QueueEdit]) throws(StateError) {
        guard let file else { throw .system(EBADF) }
        let record = JournalFormat.record(edits, counter: counter, at: length)
        do throws(StateError) {
            try file.write(record, at: length)
            length += record.count
        } catch {
            // What could be written of it must not be read as damage.
            do throws(StateError) { try file.truncate(to: length) } catch {}
            throw error
        }
    }

    /// Writes a file that holds the queue as it is; it takes the place of the old one when it is whole.
    private func write(_ queue: PlayQueue) throws(StateError) {
        guard let folder = try takeFolder() else { return }
        if placeIsVoidSince > modes.counter {
            (modes.counter, modes.entry, modes.modes.place) = (placeIsVoidSince, current, .zero)
        }
        let bytes = queue.encoded()
        let beginning = JournalFormat.beginning(modes, queue: bytes)
        do throws(StateError) {
            let new = try folder.file(Self.nameOfNew, O_RDWR | O_CREAT | O_TRUNC)
            try new.write(beginning, at: 0)
            try new.write(bytes, at: beginning.count)
            try folder.rename(Self.nameOfNew, to: Self.name)
            file = new
        } catch {
            folder.remove(Self.nameOfNew)
            // The folder may be another one by the next time.
            if error == .system(ENOENT) { self.folder = nil }
            throw error
        }
        (length, snapshotLength) = (beginning.count + bytes.count, bytes.count)
        (needsSnapshot, unwritten) = (false, nil)
    }

    /// The folder, taken for this process; `nil` where another one has it.
    private func takeFolder() throws(StateError) -> StateFile? {
        if let folder { return folder }
        guard !isTaken else { return nil }
        let folder = try StateFile.folder(path)
        guard !folder.isTakenByAnother() else {
            isTaken = true
            report("another tianlai keeps its queue in \(path); this one is not kept")
            return nil
        }
        self.folder = folder
        position = PositionFile(in: [runtimeFolder, path].compactMap { $0 })
        counter = max(counter, position?.former?.counter ?? 0)
        return folder
    }
}

extension QueueEdit {
    fileprivate var isReplacement: Bool {
        if case .replace = self { true } else { false }
    }
}
