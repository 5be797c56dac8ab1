package import Music
package import TagReading

/// What the library is made of, and how its files are read.
package struct LibrarySettings: Sendable {
    /// The folders that are looked through, absolute; what is below another of them is looked through once.
    package var folders: [FilePath]
    /// Where the index is kept; it can be made anew at any time.
    package var cacheFolder: FilePath
    /// The suffixes of music and of playlists, in lower case and without dot.
    package var musicSuffixes: Set<String>
    package var playlistSuffixes: Set<String>
    /// How text of tags is read that does not say its encoding.
    package var encodings: TagEncodings
    /// How long the music in a file is; on the library's worker, for each new file, so it ought to be cheap.
    package var length: @Sendable (FilePath) -> FileLength
    /// How loud files are; `nil` where that cannot be measured.
    package var measure: MeasureLoudness?

    package init(
        folders: [FilePath],
        cacheFolder: FilePath,
        musicSuffixes: Set<String>,
        playlistSuffixes: Set<String>,
        encodings: TagEncodings = TagEncodings(),
        length: @escaping @Sendable (FilePath) -> FileLength = { _ in .unknown },
        measure: MeasureLoudness? = nil
    ) {
        self.folders = folders
        self.cacheFolder = cacheFolder
        self.musicSuffixes = musicSuffixes
        self.playlistSuffixes = playlistSuffixes
        self.encodings = encodings
        self.length = length
        self.measure = measure
    }

    var wanted: WantedFiles { WantedFiles(music: musicSuffixes, playlists: playlistSuffixes) }
}
