import Glibc
package import Music
import Synchronization
package import TagReading

/// Which picture is shown of a track: the one in its tags, else one that lies beside it (C164).
///
/// All pictures are shown as files of the cache, so that a URL is another for another picture, stays when the picture
/// beside the music is renamed, and is in a place that confined programs may see. From any thread.
package final class TrackCovers: Sendable {
    private let cache: CoverCache?
    private let seen = Mutex(Seen())

    /// What was seen last, since the tracks of a folder come one after the other.
    private struct Seen: Sendable {
        var folders: [SeenFolder] = []
        var picture: (path: FilePath, stamp: ImageStamp, name: CoverName)?
    }

    private struct SeenFolder: Sendable {
        var path: FilePath
        var stamp: ImageStamp
        var pictures: [FilePath]
    }

    /// Without a cache only the pictures that lie beside music are shown, where they lie.
    package init(cache: CoverCache?) {
        self.cache = cache
    }

    /// The file to show of `track`, complete, where `embedded` is the picture in its tags; `nil` where there is no picture.
    ///
    /// Blocks while files are read and written. One that `isNear` belongs to a track that plays or is next.
    package func cover(of track: FilePath, embedded: [UInt8]?, isNear: Bool) -> FilePath? {
        if let embedded, let kept = cache?.keep(embedded, isNear: isNear) { return kept }
        return firstPicture(beside: track) { image in
            guard let name = name(of: image) else { return nil }
            // Where nothing can be written, it is shown where it lies (C161).
            return cache?.keep(image, as: name, isNear: isNear) ?? image.path
        }
    }

    /// The picture that lies beside `track` and would be shown of it.
    package func picture(beside track: FilePath) -> (path: FilePath, kind: ImageKind, size: Int)? {
        firstPicture(beside: track) { ($0.path, $0.kind, $0.stamp.size) }
    }

    /// Puts what has been kept too long out of the cache where that is due; call where nobody waits.
    package func tidyIfDue() {
        cache?.tidyIfDue()
    }

    /// What `use` makes of the best picture that it can use.
    private func firstPicture<Used>(
        beside track: FilePath,
        _ use: (borrowing ImageFile) -> Used?
    ) -> Used? {
        func first(of paths: [FilePath]) -> Used? {
            for path in paths {
                if let image = ImageFile(path), let used = use(image) { return used }
            }
            return nil
        }
        if let used = first(of: FolderPictures.ofTrack(track)) { return used }
        guard let folder = track.folder ?? FilePath(".") else { return nil }
        if let used = first(of: pictures(in: folder)) { return used }
        guard FolderPictures.isDisc(folder.name), let album = folder.folder else { return nil }
        return first(of: pictures(in: album))
    }

    /// The hash of a picture is worked out once for all the tracks of its folder.
    private func name(of image: borrowing ImageFile) -> CoverName? {
        let (path, stamp) = (image.path, image.stamp)
        let known = seen.withLock { $0.picture }
        if let known, known.path == path, known.stamp == stamp { return known.name }
        guard let name = image.name() else { return nil }
        seen.withLock { $0.picture = (path, stamp, name) }
        return name
    }

    private func pictures(in folder: FilePath) -> [FilePath] {
        guard let stamp = ImageStamp(at: folder) else { return [] }
        let known = seen.withLock { seen in seen.folders.first { $0.path == folder && $0.stamp == stamp } }
        if let known { return known.pictures }
        let pictures = FolderPictures.inFolder(folder)
        // A folder that has just changed may change once more at what its file system takes for the same moment.
        guard Int64(time(nil)) - stamp.modified / 1_000_000_000 > 2 else { return pictures }
        seen.withLock { seen in
            seen.folders.removeAll { $0.path == folder }
            // One album, on several discs.
            seen.folders =
                [SeenFolder(path: folder, stamp: stamp, pictures: pictures)] + seen.folders.prefix(3)
        }
        return pictures
    }
}
