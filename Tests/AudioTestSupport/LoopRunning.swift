package import EventLoop
import Music

extension EventLoop {
    /// Turns until `condition` holds; `false` when it does not within a minute.
    ///
    /// After each turn `step` may do something; where it says so, the next turn does not wait for an event.
    package func run(until condition: () -> Bool, step: () -> Bool = { false }) -> Bool {
        var isLate = false
        let deadline = timer { isLate = true }
        deadline.start(after: .seconds(60))
        while !condition(), !isLate { turn(waiting: !step()) }
        return condition()
    }
}
