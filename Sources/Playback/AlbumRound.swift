import Music

extension EntryTable {
    /// All numbers in an order that shuffles albums and keeps the tracks of each together, in the order of the list.
    ///
    /// With `beginning`, which is in the table, it begins there: the rest of that album, then the others, and at last
    /// what stands before it in its own, so that every track comes once. Otherwise it does not begin with the album of
    /// `last`; where that is the only one, it goes on behind `last`.
    func albumRound(
        beginning: UInt32? = nil,
        after last: UInt32? = nil,
        using random: inout RandomSource
    ) -> [UInt32] {
        let (album, count) = albums()
        guard count > 0 else { return [] }
        var order = Array(0..<count)
        order.shuffle(using: &random)
        let first = beginning.flatMap { index(of: $0) }
        let heard = last.flatMap { index(of: $0) }
        if let first, let place = order.firstIndex(of: album[first]) {
            order.swapAt(0, place)
        } else if let heard, count > 1, order[0] == album[heard] {
            order.swapAt(0, Int.random(in: 1..<count, using: &random))
        }

        // Where each album's next track goes.
        var places = [Int](repeating: 0, count: count)
        for album in album { places[album] += 1 }
        var place = 0
        for album in order { (places[album], place) = (place, place + places[album]) }
        var round = [UInt32](repeating: 0, count: rows.count)
        for (row, album) in zip(rows, album) {
            round[places[album]] = row.number
            places[album] += 1
        }

        var cut: Int?
        if let first {
            cut = round.firstIndex(of: rows[first].number)
        } else if let heard, count == 1 {
            cut = (heard + 1) % rows.count
        }
        return cut.map { Array(round[$0...] + round[..<$0]) } ?? round
    }

    /// The album of each entry, numbered by their first tracks: what lies in one folder or, as parts, in one file.
    private func albums() -> (of: [Int], count: Int) {
        var byFolder = [Int?](repeating: nil, count: folderCount)
        var byFile: [[UInt8]: Int] = [:]
        var count = 0
        var albums: [Int] = []
        albums.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            var known: Int?
            var file: [UInt8] = []
            if !row.hasExcerpt {
                known = byFolder[row.folderIndex]
            } else if index > 0, areOfOneAlbum(index - 1, index) {
                known = albums[index - 1]
            } else {
                file = withUnsafeBytes(of: row.folder) { Array($0) } + name(at: index)
                known = byFile[file]
            }
            if known == nil {
                if row.hasExcerpt { byFile[file] = count } else { byFolder[row.folderIndex] = count }
                count += 1
            }
            albums.append(known ?? count - 1)
        }
        return (albums, count)
    }
}
