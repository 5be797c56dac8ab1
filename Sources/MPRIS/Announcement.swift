package import DBus
package import Library
package import Music
package import Playback

/// One signal that tells the desktop what has changed.
package enum Announcement: Equatable, Sendable {
    /// `PropertiesChanged` of the Player interface: name and value of each property, in the order sent.
    case player([PropertyChange])
    /// `Seeked`, with the position in force.
    case seeked(TrackTime)
    /// One signal of the TrackList interface.
    case trackList(TrackListChange)
    /// `PropertiesChanged` of the TrackList interface, without a value as MPRIS has it: that the list is another (T-7).
    case tracks
    /// `PlaylistChanged`.
    case playlist(PlaylistSummary)
    /// `PropertiesChanged` of the Playlists interface.
    case playlists([PropertyChange])
    /// `PropertiesChanged` of our own interface.
    case control([PropertyChange])
    /// `LyricsChanged`, of the track that is current now.
    case lyrics(CurrentTrack?)

    /// What takes a client from `old`, what it was told of last, to `new`, heard at `position`; nothing where nothing
    /// has changed.
    ///
    /// The track list comes round the player (see ``TrackListChange``), the rest after both.
    package static func between(_ old: Snapshot, _ new: Snapshot, position: TrackTime) -> [Announcement] {
        let list = TrackListChange.between(
            old.player.listed,
            new.player.listed,
            current: new.player.current?.id
        )
        var announcements = list.before.map(Announcement.trackList)
        announcements += between(old.player, new.player, position: position)
        announcements += list.after.map(Announcement.trackList)
        if list.isOtherList { announcements.append(.tracks) }

        let renamed = PlaylistsInterface.renamed(old.library.playlists, new.library.playlists)
        announcements += renamed.map(Announcement.playlist)
        let playlists = PlaylistsInterface.told.changes(from: old, to: new)
        if !playlists.isEmpty { announcements.append(.playlists(playlists)) }
        let control = ControlInterface.told.changes(from: old, to: new)
        if !control.isEmpty { announcements.append(.control(control)) }
        if haveOtherLyrics(old.player.current, new.player.current) {
            announcements.append(.lyrics(new.player.current))
        }
        return announcements
    }

    /// Whether the lyrics to be read are others, though they may say the same; having none again is no news.
    private static func haveOtherLyrics(_ old: CurrentTrack?, _ new: CurrentTrack?) -> Bool {
        let (former, present) = (old?.track.lyrics, new?.track.lyrics)
        return former != present || present != nil && old?.id != new?.id
    }

    /// What the Player interface tells.
    ///
    /// One transition is one `PropertiesChanged` with what has another value than before (C-27). `Position` is in it,
    /// last, when the track has changed or the position has jumped, and never otherwise (C-31); after a jump `Seeked`
    /// says the same once more (C-29).
    private static func between(
        _ old: PlayerStatus,
        _ new: PlayerStatus,
        position: TrackTime
    ) -> [Announcement] {
        let isAnotherTrack = old.current?.id != new.current?.id
        let hasJumped = !isAnotherTrack && new.current != nil && old.jumps != new.jumps
        // Compared as sent: a change of what is not in the map is none.
        let metadata = old.current == new.current ? nil : Metadata.value(of: new.current)
        let isOtherMetadata = metadata != nil && metadata != Metadata.value(of: old.current)

        var changes: [PropertyChange] = []
        func add(_ name: String, _ value: BusValue, if hasChanged: Bool) {
            if hasChanged { changes.append(PropertyChange(name, value)) }
        }
        add("PlaybackStatus", new.playbackValue, if: old.playback != new.playback)
        add("CanGoNext", .boolean(new.canGoNext), if: old.canGoNext != new.canGoNext)
        add("CanGoPrevious", .boolean(new.canGoPrevious), if: old.canGoPrevious != new.canGoPrevious)
        add("CanPlay", .boolean(new.canPlay), if: old.canPlay != new.canPlay)
        add("CanPause", .boolean(new.canPause), if: old.canPause != new.canPause)
        add("CanSeek", .boolean(new.canSeek), if: old.canSeek != new.canSeek)
        add("LoopStatus", new.loopValue, if: old.loop != new.loop)
        add("Shuffle", new.shuffleValue, if: old.isShuffled != new.isShuffled)
        add("Volume", new.volumeValue, if: old.volume != new.volume)
        if let metadata { add("Metadata", metadata, if: isOtherMetadata) }
        // After Metadata, which makes some clients begin at 0 (C-28).
        add("Position", .position(position), if: isAnotherTrack || hasJumped)

        var announcements: [Announcement] = changes.isEmpty ? [] : [.player(changes)]
        let isUnexpected =
            isAnotherTrack
            ? new.current != nil && beginsUnexpectedly(new.playback, at: position)
            : hasJumped || isOtherMetadata
        if isUnexpected { announcements.append(.seeked(max(.zero, position))) }
        return announcements
    }

    /// Whether clients would be wrong about where a new track stands (P-32, C-29).
    ///
    /// They take it to begin at 0. Some ask no more while paused, so that is always told; while playing, the moment
    /// that has passed since the track began does not count.
    private static func beginsUnexpectedly(_ playback: PlaybackStatus, at position: TrackTime) -> Bool {
        switch playback {
        case .playing: position > .seconds(0.25)
        case .paused: true
        case .stopped: false
        }
    }
}

/// A property and its new value.
package struct PropertyChange: Equatable, Sendable {
    package var name: String
    package var value: BusValue

    package init(_ name: String, _ value: BusValue) {
        self.name = name
        self.value = value
    }
}
