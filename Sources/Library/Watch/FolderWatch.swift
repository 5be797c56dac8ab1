import CLinux
import EventLoop
import Glibc
import Music

/// Hears on the loop what happens in the library's folders, and says after a quiet moment which of them have changed.
///
/// No timer runs while nothing happens.
final class FolderWatch {
    /// Where the scan puts the folders.
    let watches: FolderWatches
    private let wanted: WantedFiles
    private let onAltered: (Altered) -> Void
    private var altered = Altered()
    private var quiet = QuietTime()
    private var watch: Watch?
    private var timer: Timer?

    /// Which folders have changed, by their ids in the index.
    struct Altered {
        var folders: Set<Int64> = []
        /// Events were lost: any of them may have.
        var isAll = false
    }

    init(
        _ loop: EventLoop,
        _ wanted: WantedFiles,
        onAltered: @escaping (Altered) -> Void
    ) throws(WatchError) {
        watches = try FolderWatches()
        self.wanted = wanted
        self.onAltered = onAltered
        timer = loop.timer { [unowned self] in tell() }
        watch = loop.watch(watches.descriptor, for: .readable) { [unowned self] _ in readEvents() }
    }

    private func tell() {
        quiet.end()
        defer { altered = Altered() }
        onAltered(altered)
    }

    private func readEvents() {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while true {
                let count = read(watches.descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        guard let wait = quiet.wait(from: .now()) else { return }
        timer?.start(after: wait)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        let header = MemoryLayout<inotify_event>.size
        var rest = bytes[...]
        while rest.count >= header {
            let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
            let end = min(rest.startIndex + header + Int(event.len), rest.endIndex)
            let name = Array(rest[(rest.startIndex + header)..<end].prefix { $0 != 0 })
            rest = rest[end...]
            take(
                FolderEvent(mask: event.mask, name: name) { wanted.kind(ofName: $0) != nil },
                name,
                watch: event.wd
            )
        }
    }

    private func take(_ event: FolderEvent, _ name: [UInt8], watch: CInt) {
        if event == .lost {
            watches.forgetWriting()
            altered.isAll = true
            return quiet.note(.now())
        }
        guard let folder = watches.folder(of: watch) else { return }
        switch event {
        case .written: watches.note(.written, of: name, in: folder)
        case .watchEnded: watches.forget(watch)
        case .made, .altered:
            watches.note(event == .made ? .made : nil, of: name, in: folder)
            altered.folders.insert(folder)
            quiet.note(.now())
        case .lost, .nothing: break
        }
    }
}
