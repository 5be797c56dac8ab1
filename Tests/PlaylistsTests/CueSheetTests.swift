import Music
import Playlists
import Testing

@Suite("Cue sheets")
struct CueSheetTests {
    /// File, start and end in frames of a 75th of a second, title, artist.
    private func tracks(_ sheet: String) throws -> [String] {
        try Shelf().read("album.cue", sheet).map { entry in
            let excerpt = try #require(entry.excerpt)
            let end = excerpt.end.map { "\($0.frames(rate: 75))" } ?? ""
            let words = [excerpt.number.map { "\($0)" }, excerpt.title, excerpt.artist, excerpt.album].map {
                $0 ?? "-"
            }
            return "\(entry.text) \(excerpt.start.frames(rate: 75))..\(end) \(words.joined(separator: "|"))"
        }
    }

    @Test(
        "make tracks of files",
        arguments: [
            // The plain case; the pregap of the second belongs to the first.
            (
                """
                REM GENRE Folk
                PERFORMER "P"
                TITLE "Al bum"
                FILE "a b.mp3" MP3
                  TRACK 01 AUDIO
                    TITLE "One"
                    INDEX 01 00:00:00
                  TRACK 02 AUDIO
                    TITLE "Two"
                    PERFORMER "Q"
                    INDEX 00 00:01:00
                    INDEX 01 00:01:37
                """, ["a b.mp3 0..112 1|One|P|Al bum", "a b.mp3 112.. 2|Two|Q|Al bum"]
            ),
            // FILE between TRACK and INDEX 01: the pregap is at the end of the file before (C247).
            (
                """
                FILE "1.wav" WAVE
                TRACK 01 AUDIO
                INDEX 01 00:00:00
                TRACK 02 AUDIO
                TITLE "Two"
                INDEX 00 03:00:00
                FILE "2.wav" WAVE
                INDEX 01 00:00:00
                TRACK 03 AUDIO
                INDEX 01 00:02:00
                """, ["1.wav 0.. 1|-|-|-", "2.wav 0..150 2|Two|-|-", "2.wav 150.. 3|-|-|-"]
            ),
            // Long minutes, small letters, tabs, no quotes, blank lines, no kind of file (C248).
            (
                "rem replaygain_album_gain -7 dB\n\n\tperformer Two Words \nfile long set.mp3\n\ttrack 1 audio\n"
                    + "\t\ttitle \"Half quoted\n\t\tindex 1 108:48:69\n\ttrack 2\n\t\tindex 01 1234:00:00\n",
                [
                    "long set.mp3 489669..5553000 1|Half quoted|Two Words|-",
                    "long set.mp3 5553000.. 2|-|Two Words|-",
                ]
            ),
            // No sound, and tracks that are none or have no sensible start.
            (
                """
                FILE data.bin BINARY
                TRACK 01 AUDIO
                INDEX 01 00:00:00
                FILE "a.mp3" MP3
                TRACK 02 MODE1/2352
                INDEX 01 00:00:00
                TRACK 03 AUDIO
                INDEX 00 00:10:00
                TRACK 04 AUDIO
                INDEX 01 99:99:99
                TRACK 05 AUDIO
                INDEX 01 -1:00:00
                TRACK 06 AUDIO
                INDEX 01 00:20.00
                TRACK 16 AUDIO
                INDEX 01 00:60:00
                TRACK 26 AUDIO
                INDEX 01 00:00:75
                TRACK 07 AUDIO
                INDEX 01 00:20:00
                INDEX 02 00:21:00
                """, ["a.mp3 1500.. 7|-|-|-"]
            ),
            // The album's lines change with the file, also where they stand behind FILE; a start that goes back ends nothing.
            (
                """
                FILE one.mp3 MP3
                PERFORMER "A"
                TITLE "X"
                TRACK 01 AUDIO
                INDEX 01 00:05:00
                TITLE "late"
                TRACK 02 AUDIO
                INDEX 01 00:01:00
                FILE two.mp3 MP3
                PERFORMER "B"
                TITLE "Y"
                TRACK 01 AUDIO
                INDEX 01 00:00:12
                """, ["one.mp3 375.. 1|late|A|X", "one.mp3 75.. 2|-|A|X", "two.mp3 12.. 1|-|B|Y"]
            ),
            ("FILE \"a \"b\" c.mp3\" MP3\nTRACK 1 AUDIO\nINDEX 01 0:0:0", ["a \"b\" c.mp3 0.. 1|-|-|-"]),
            ("FILE \"open.mp3 WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:0", ["open.mp3 0.. 1|-|-|-"]),
        ] as [(String, [String])]
    )
    func sheets(sheet: String, expected: [String]) throws {
        #expect(try tracks(sheet) == expected)
        #expect(try tracks("\u{FEFF}" + sheet.split(separator: "\n").joined(separator: "\r\n")) == expected)
    }

    @Test("times are exact to the sample", arguments: [1, 2, 37, 74, 4499, 489_669] as [Int64])
    func exact(frames: Int64) throws {
        let (minutes, rest) = frames.quotientAndRemainder(dividingBy: 75 * 60)
        let sheet = "FILE a MP3\nTRACK 1 AUDIO\nINDEX 01 \(minutes):\(rest / 75):\(rest % 75)\n"
        let excerpt = try #require(try Shelf().read("a.cue", sheet).first?.excerpt)
        #expect(excerpt.start.frames(rate: 44100) == frames * 588)
    }

    @Test("the length of a track is that of its stretch, and its texts are the entry's too")
    func entry() throws {
        let sheet =
            "PERFORMER P\nTITLE Al\nFILE a MP3\nTRACK 1 AUDIO\nTITLE T\nINDEX 01 0:01:00\nTRACK 2 AUDIO\nINDEX 01 0:03:00"
        let entries = try Shelf().read("a.cue", sheet)
        #expect(entries.map(\.duration) == [.seconds(2), nil])
        #expect(entries.first.map { [$0.title, $0.artist, $0.album] } == ["T", "P", "Al"])
    }

    @Test("text is read in what it is in (C248)", arguments: ["BIG5", "GB18030", "SHIFT_JIS", "UTF-16"])
    func encodings(encoding: String) throws {
        let song = encodedSong(encoding)
        let sheet =
            "PERFORMER \"合唱\"\nFILE \"整曲.mp3\" MP3\nTRACK 01 AUDIO\nTITLE \"\(song)\"\nINDEX 01 00:00:00\n"
        let entry = try #require(try Shelf().read("album.cue", try encoded(sheet, encoding)).first)
        #expect(entry.text == "整曲.mp3")
        #expect(entry.title == song)
        #expect(entry.artist == "合唱")
    }

    @Test("without a track of sound it is refused")
    func empty() throws {
        #expect(
            try Shelf().refusal("a.cue", "FILE a.mp3 MP3\nTRACK 1 AUDIO\n")
                == "it is a cue sheet without a track of sound"
        )
    }
}
