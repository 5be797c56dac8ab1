import Music
import Playback
import Testing

@Suite
struct QueueSnapshotTests {
    private func makeQueue(_ count: Int, _ kind: ShuffleKind?) -> PlayQueue {
        var queue = PlayQueue(seed: 5)
        let locations = (0..<count).compactMap { index in
            FilePath(bytes: Array("/music/\(index / 5)/".utf8) + [0xFF, UInt8(index % 200 + 1)]).map { path in
                var excerpt = Excerpt(start: TrackTime(microseconds: Int64(index)))
                excerpt.title = "題 \(index)"
                return TrackLocation(path, index % 7 == 0 ? excerpt : nil)
            }
        }
        queue.apply(.replace(locations))
        queue.apply(.shuffle(kind))
        for _ in 0..<(count / 2) { _ = queue.moveForward(wrapping: true) }
        queue.apply(.remove(queue.ids(in: 1..<4)))
        return queue
    }

    private func decode(_ bytes: [UInt8]) -> PlayQueue? {
        bytes.withUnsafeBytes { PlayQueue(encoded: $0) }
    }

    @Test("a queue comes back as it was", arguments: [0, 1, 2, 30], [nil, ShuffleKind.tracks, .albums])
    func roundTrip(count: Int, kind: ShuffleKind?) {
        let queue = makeQueue(count, kind)
        #expect(decode(queue.encoded()) == queue)
    }

    @Test(
        "a part of a snapshot is none, nor is one with more behind it",
        arguments: [nil, ShuffleKind.albums]
    )
    func cut(kind: ShuffleKind?) {
        let bytes = makeQueue(20, kind).encoded()
        for length in bytes.indices { #expect(decode(Array(bytes[..<length])) == nil, "length \(length)") }
        #expect(decode(bytes + [0]) == nil)
    }

    @Test("whatever the bytes are, what is read can be used", arguments: [nil, ShuffleKind.tracks, .albums])
    func damaged(kind: ShuffleKind?) throws {
        let bytes = makeQueue(20, kind).encoded()
        var random = RandomSource(seed: 9)
        var readable = 0
        for round in 0..<2000 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = round < bytes.count ? round : Int.random(in: damaged.indices, using: &random)
                damaged[place] =
                    [0, 0xFF, damaged[place] ^ 1, UInt8.random(in: 0...255, using: &random)][
                        Int(random.next() % 4)
                    ]
            }
            guard var queue = decode(damaged) else { continue }
            readable += 1
            for step in 0..<6 {
                _ = queue.moveForward(wrapping: true)
                _ = queue.moveBack(wrapping: step > 2)
            }
            queue.apply(.insert(queue.entries.map(\.location), at: 1))
            queue.apply(.relocate(from: try #require(FilePath("/music/1")), to: try #require(FilePath("/m"))))
            queue.apply(.remove(queue.ids(in: 0..<(queue.count * 2 / 3))))
            queue.apply(.shuffle(.albums))
            queue.apply(.rewind)
            #expect(decode(queue.encoded()) == queue)
        }
        #expect(readable > 100)
    }

    @Test("edits come back as they were, and no other bytes are taken for one")
    func edits() throws {
        let path = try #require(FilePath("/m/ü.mp3"))
        var excerpt = Excerpt(start: .zero, end: .seconds(3))
        excerpt.artist = "a\0b"
        let edits: [QueueEdit] = [
            .replace([]), .replace([TrackLocation(path), TrackLocation(path, excerpt)]),
            .insert([TrackLocation(path, excerpt)], at: -3), .append([TrackLocation(path)]),
            .remove([TrackID(1), TrackID(.max)]),
            .move([TrackID(4)], after: nil), .move([], after: TrackID(2)), .goForward(to: TrackID(7)),
            .goBack(to: TrackID(8)), .jump(to: TrackID(9)), .rewind, .shuffle(nil), .shuffle(.tracks),
            .shuffle(.albums), .relocate(from: path, to: path),
        ]
        var random = RandomSource(seed: 2)
        for edit in edits {
            var writer = ByteWriter()
            edit.put(into: &writer)
            func read(_ bytes: [UInt8]) -> QueueEdit? {
                bytes.withUnsafeBytes { bytes in
                    var reader = ByteReader(bytes)
                    return QueueEdit(from: &reader)
                }
            }
            #expect(read(writer.bytes) == edit)
            for length in writer.bytes.indices { #expect(read(Array(writer.bytes[..<length])) == nil) }
            for _ in 0..<100 {
                var damaged = writer.bytes
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
                guard let other = read(damaged) else { continue }
                var queue = makeQueue(8, .tracks)
                queue.apply(other)
                #expect(queue.entries.count == queue.count)
            }
        }
    }

    @Test("what is taken out does not stay for ever, and a long queue grows in proportion")
    func size() {
        var queue = makeQueue(1000, nil)
        let size = queue.encoded().count
        for _ in 0..<50 {
            queue.apply(.insert(queue.entries.map(\.location), at: 0))
            queue.apply(.remove(queue.ids(in: 0..<(queue.count / 2))))
        }
        #expect(queue.encoded().count < size * 5 / 2)
        queue.apply(.remove(queue.ids(in: 0..<queue.count)))
        #expect(queue.encoded().count < 100)
    }
}
