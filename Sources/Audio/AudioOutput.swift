package import Music

/// Where sound goes: one stream at a time, which asks its source for samples when it has room.
///
/// Everything here is called on the loop and returns at once. The order of calls is
/// `open (setPaused | cut | takeBack | sourceHasSound | drain)* close`; calls without a stream do nothing. An output
/// that has lost its stream (``OutputSource/outputLost(_:)``) is as if closed and may be opened again.
package protocol AudioOutput: AnyObject {
    /// Who is asked for samples and told what happens; not owned.
    var source: (any OutputSource)? { get set }

    /// Begins a stream of `format`, throwing away what a former stream still held.
    ///
    /// The source is asked for samples when the stream can take them, also while paused. What `beginsInMidWave` fades in.
    func open(_ format: StreamFormat, paused: Bool, beginsInMidWave: Bool)

    /// Holds the stream where it is, or lets it go on, at once in spite of what is buffered.
    func setPaused(_ paused: Bool)

    /// Says that a stream of `format` is likely to be opened when the present one has been drained, so that all can be
    /// ready for it.
    func prepare(_ format: StreamFormat)

    /// Throws away what was taken from the source and is not heard yet, but for a few milliseconds in which it fades, then
    /// asks the source anew; what comes then fades in where it `beginsInMidWave`.
    func cut(beginsInMidWave: Bool)

    /// Throws away only the last `frames` of what was taken from the source, so that something else can follow what is
    /// before them without a seam; does nothing and says `false` where it is too late for that.
    func takeBack(_ frames: Int64) -> Bool

    /// Says that the source, having given less than it was asked for, has samples again.
    func sourceHasSound()

    /// Plays what is held to its end, since the source has no more, then tells the source.
    ///
    /// ``cut()`` and ``takeBack(_:)`` undo it.
    func drain()

    /// Ends the stream at once.
    func close()

    /// The volume of the stream in the sound server, 0 to 1 on the server's own scale; `nil` leaves it to the server.
    ///
    /// Kept for the next stream when there is none. The source hears of changes that others make.
    var volume: Double? { get set }
}

extension AudioOutput {
    /// For sound that begins with its own beginning.
    package func open(_ format: StreamFormat, paused: Bool) {
        open(format, paused: paused, beginsInMidWave: false)
    }

    /// For sound that begins with its own beginning.
    package func cut() { cut(beginsInMidWave: false) }
}

/// What feeds an ``AudioOutput``; all of it is called on the loop.
package protocol OutputSource: AnyObject {
    /// Writes as many samples as there are and fit, whole frames; returns how many. Never waits.
    ///
    /// Less than what fits means that there are no more now: ``AudioOutput/sourceHasSound()`` follows when there are.
    func fill(_ samples: UnsafeMutableBufferPointer<Float>) -> Int

    /// Of the frames that were filled in since the stream was opened or cut, `unheard` had not been heard at
    /// `instant`; from then on the stream moves in real time (`isAdvancing`) or rests.
    ///
    /// Told after each fill, pause, resume and cut, as soon as the sound server has answered.
    func outputTimed(unheard: Int64, at instant: Instant, isAdvancing: Bool)

    /// The last frame has been heard.
    func outputDrained()

    /// Somebody else set the stream's volume, 0 to 1 on the server's own scale.
    func outputVolumeChanged(_ volume: Double)

    /// The stream is gone and what it held is lost.
    func outputLost(_ loss: OutputLoss)

    /// After a loss that was said to be one for a moment only: the same device is there again.
    func outputReturned()
}

/// Why there is no stream any more.
package struct OutputLoss: Equatable, Sendable {
    /// In words for people, with what to do.
    package var reason: String
    /// Whether the output looks out for the return of the device for some seconds and says so then.
    package var mayReturn: Bool
    /// When the sound was last known to go on, where that is not the moment of the loss: it may have ended soon after.
    package var heardUntil: Instant?

    package init(_ reason: String, mayReturn: Bool = false, heardUntil: Instant? = nil) {
        self.reason = reason
        self.mayReturn = mayReturn
        self.heardUntil = heardUntil
    }
}
