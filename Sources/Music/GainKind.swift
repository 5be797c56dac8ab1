/// What is made equally loud: each track by itself, or each album as a whole, so that its quiet songs stay quiet.
package enum GainKind: Equatable, Sendable {
    case track
    case album
}
