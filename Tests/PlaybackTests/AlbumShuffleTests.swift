import Music
import Playback
import Testing

@Suite
struct AlbumShuffleTests {
    /// Albums of these sizes: `/a/0.mp3`, `/a/1.mp3`, `/b/0.mp3` and so on.
    private func makeQueue(_ sizes: [Int], seed: UInt64 = 3) -> PlayQueue {
        var queue = PlayQueue(seed: seed)
        let paths = zip("abcdefgh", sizes).flatMap { album, size in (0..<size).map { "/\(album)/\($0).mp3" } }
        queue.apply(.replace(paths.compactMap { FilePath($0).map { TrackLocation($0) } }))
        return queue
    }

    private func name(_ queue: PlayQueue) -> String {
        queue.current.map { String($0.location.description.dropFirst().dropLast(4)) } ?? "none"
    }

    private func walk(_ queue: inout PlayQueue, _ steps: Int) -> [String] {
        (0..<steps).map { _ in
            _ = queue.moveForward(wrapping: true)
            return name(queue)
        }
    }

    @Test("albums come whole and in the order of the list, every track once a round", arguments: 1...20)
    func rounds(seed: UInt64) {
        var queue = makeQueue([3, 1, 4, 2], seed: seed)
        queue.apply(.shuffle(.albums))
        var heard = [name(queue)] + walk(&queue, 9)
        #expect(heard.starts(with: ["a/0", "a/1", "a/2"]))
        for _ in 0..<4 {
            #expect(Set(heard).count == 10)
            for (track, next) in zip(heard, heard.dropFirst()) where track.first == next.first {
                #expect(track < next)
            }
            let albums = heard.map(\.first).reduce(into: [Character?]()) {
                if $0.last != $1 { $0.append($1) }
            }
            #expect(albums.count == 4)
            let last = heard[9]
            heard = walk(&queue, 10)
            #expect(heard[0].first != last.first)
        }
    }

    @Test("begun inside an album, what stands before comes at the end of the round")
    func begunInside() {
        var queue = makeQueue([4, 2, 2])
        queue.apply(.jump(to: queue[2].id))
        queue.apply(.shuffle(.albums))
        let heard = [name(queue)] + walk(&queue, 7)
        #expect(heard.starts(with: ["a/2", "a/3"]))
        #expect(heard.suffix(2) == ["a/0", "a/1"])
    }

    @Test("a single album goes round")
    func single() {
        var queue = makeQueue([3])
        queue.apply(.jump(to: queue[1].id))
        queue.apply(.shuffle(.albums))
        #expect(walk(&queue, 6) == ["a/2", "a/0", "a/1", "a/2", "a/0", "a/1"])
    }

    @Test("an album that is gone to is played on, and the one left comes later")
    func jump() {
        var queue = makeQueue([4, 3, 2])
        queue.apply(.shuffle(.albums))
        _ = walk(&queue, 1)
        queue.apply(.jump(to: queue[5].id))
        #expect(name(queue) == "b/1")
        let rest = walk(&queue, 6)
        #expect(rest[0] == "b/2")
        #expect(Set(rest) == ["a/2", "a/3", "b/0", "b/2", "c/0", "c/1"])
    }

    @Test("the parts of one file are an album, and tracks of a folder need not be neighbours")
    func parts() {
        func part(_ file: String, _ number: Int64) -> TrackLocation? {
            FilePath(file).map { TrackLocation($0, Excerpt(start: TrackTime(microseconds: number))) }
        }
        let list = [
            part("/x/1.flac", 0), part("/x/2.flac", 0), part("/x/1.flac", 9),
            FilePath("/x/3.mp3").map { TrackLocation($0) },
            part("/x/2.flac", 9), FilePath("/x/4.mp3").map { TrackLocation($0) },
        ]
        for seed: UInt64 in 1...10 {
            var queue = PlayQueue(seed: seed)
            queue.apply(.replace(list.compactMap { $0 }))
            queue.apply(.shuffle(.albums))
            let places = (0..<12).map { _ in
                defer { _ = queue.moveForward(wrapping: true) }
                return queue.currentIndex ?? -1
            }
            #expect(places[0...1] == [0, 2])
            for (first, second) in [(0, 2), (1, 4), (3, 5)] {
                for (place, index) in places.enumerated() where index == first {
                    #expect(places[place + 1] == second)
                }
            }
        }
    }

    @Test("new albums stand between others")
    func insert() {
        for seed: UInt64 in 1...20 {
            var queue = makeQueue([2, 3, 3], seed: seed)
            queue.apply(.shuffle(.albums))
            let new = ["/y/0.mp3", "/y/1.mp3", "/z/0.mp3"].compactMap {
                FilePath($0).map { TrackLocation($0) }
            }
            queue.apply(.insert(new, at: queue.count))
            let heard = [name(queue)] + walk(&queue, 10)
            #expect(Set(heard).count == 11)
            let albums = heard.map(\.first).reduce(into: [Character?]()) {
                if $0.last != $1 { $0.append($1) }
            }
            #expect(albums.count == 5)
        }
    }
}
