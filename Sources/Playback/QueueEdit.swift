package import Music

/// One change of the queue: every change there is, as a value that can be kept and carried out again.
///
/// The same edits on the same queue give the same queue, shuffles included. An edit that names what is not there does
/// nothing.
package enum QueueEdit: Equatable, Sendable {
    /// A new queue; its first entry becomes current.
    case replace([TrackLocation])
    /// New entries at this place of the list, clamped to it; the current entry stays, or is the first of an empty queue.
    ///
    /// When shuffled they come at random places in the rest of the round; those that stand directly behind the current
    /// entry come next, in their order, unless that is the only one: there is no order yet.
    case insert([TrackLocation], at: Int)
    /// New entries at the end of the list; when shuffled at random places in the rest of the round, in any case.
    case append([TrackLocation])
    /// Takes entries out; where the current one is among them the next that stays becomes current, in the order in force.
    case remove([TrackID])
    /// Brings entries, in the order of the list, behind `after`; to the front where that is `nil`.
    case move([TrackID], after: TrackID?)
    /// Goes on, or back, to an entry that follows or precedes the current one in the order in force.
    ///
    /// Entries between are left out of the round of a shuffle.
    case goForward(to: TrackID)
    case goBack(to: TrackID)
    /// Makes an entry current wherever it stands; when shuffled, what was to come still comes.
    ///
    /// Where albums are shuffled, the rest of the entry's album comes first.
    case jump(to: TrackID)
    /// Makes the first entry current, as after the end; when shuffled, the first of a new round.
    case rewind
    /// Walks the queue in random order from the current entry on, or in the order of the list (`nil`).
    ///
    /// A shuffle of albums begins with the rest of the current one; what stands before the current entry in it comes at
    /// the end of that round.
    case shuffle(ShuffleKind?)
    /// A file or folder has another path now; ids and places stay (C233).
    case relocate(from: FilePath, to: FilePath)
}
