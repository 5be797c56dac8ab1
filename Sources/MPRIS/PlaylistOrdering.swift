package import Library
import Music

/// The orders in which playlists can be listed truthfully, under the names that MPRIS gives them (L-7).
///
/// When a file was created is not known, and there is no order of the user's own.
package enum PlaylistOrdering: String, Sendable, CaseIterable {
    case alphabetical = "Alphabetical"
    /// The one longest unchanged first.
    case modified = "Modified"
    /// The one longest not played first, those that never were last.
    case played = "Played"

    /// The playlists in this order, or in the reverse one; those without a date come last in both.
    package func sorted(_ playlists: [PlaylistSummary], isReversed: Bool) -> [PlaylistSummary] {
        let rows = playlists.map { (date: date(of: $0), name: Self.folded($0.name), playlist: $0) }
        return rows.sorted { left, right in
            if (left.date == nil) != (right.date == nil) { return right.date == nil }
            let (first, second) = isReversed ? (right, left) : (left, right)
            return (first.date ?? 0, first.name, first.playlist.id.number)
                < (second.date ?? 0, second.name, second.playlist.id.number)
        }
        .map(\.playlist)
    }

    private func date(of playlist: PlaylistSummary) -> Int64? {
        switch self {
        case .alphabetical: 0
        case .modified: playlist.modified
        case .played: playlist.played
        }
    }

    /// The name without regard to case, as Unicode folds it: by way of capitals, which make `ß` two letters.
    private static func folded(_ name: String) -> String { name.uppercased().lowercased() }
}
