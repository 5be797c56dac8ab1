import DBus
package import Library
package import Playback

/// All that clients can read, at one moment: two of them are compared to find what has changed.
package struct Snapshot: Equatable, Sendable {
    package var player: PlayerStatus
    package var library: LibraryStatus

    package init(_ player: PlayerStatus, _ library: LibraryStatus) {
        self.player = player
        self.library = library
    }

    /// The same without what is no news to somebody who was told of `told`.
    ///
    /// That a scan goes on is told, but neither how far it is nor each number of tracks on the way.
    package func asNews(after told: Snapshot) -> Snapshot {
        guard library.scan != nil else { return self }
        var news = self
        news.library.scan = ScanProgress()
        news.library.trackCount = told.library.trackCount
        return news
    }
}

/// A property that is told when it changes: one row for `Get`, `Set`, and finding the change.
struct ToldProperty: Sendable {
    let name: String
    let value: @Sendable (Snapshot) -> BusValue
    /// The row of the interface's table.
    let row: Property<Controls>

    /// `value` gives a value of the type `type`; see ``Property`` for `set`.
    init(
        _ name: String,
        _ type: String,
        _ value: @escaping @Sendable (Snapshot) -> BusValue,
        set: (@Sendable (Controls, BusValue) throws(CallError) -> Void)? = nil
    ) {
        self.name = name
        self.value = value
        row = Property(name, type, get: { value($0.snapshot) }, set: set)
    }
}

extension [ToldProperty] {
    /// Those that have another value in `new` than in `old`.
    func changes(from old: Snapshot, to new: Snapshot) -> [PropertyChange] {
        compactMap { property in
            let value = property.value(new)
            return value == property.value(old) ? nil : PropertyChange(property.name, value)
        }
    }
}
