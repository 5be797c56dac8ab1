import EventLoop
import Music

/// When the music is to end because somebody falls asleep over it.
///
/// Counts the time that the machine is awake. On the loop only.
final class SleepTimer {
    /// When it runs out; `nil` while none is set.
    private(set) var end: Instant?
    private let timer: Timer
    private let now: () -> Instant

    /// Nobody wants to be woken by an end that is further away.
    private static let longest = TrackTime.seconds(86_400)

    /// Calls `isOver` each time that it has run out.
    init(loop: EventLoop, now: @escaping () -> Instant, isOver: @escaping () -> Void) {
        final class Later { weak var timer: SleepTimer? }
        let later = Later()
        self.now = now
        timer = loop.timer {
            later.timer?.end = nil
            isOver()
        }
        later.timer = self
    }

    /// Runs out after `time`, a day at most, instead of when it was to before; `nil` and 0 are never.
    func set(_ time: TrackTime?) {
        guard let time, time > .zero else {
            end = nil
            return timer.stop()
        }
        let delay = min(time, Self.longest)
        end = now().advanced(by: delay)
        timer.start(after: delay)
    }
}
