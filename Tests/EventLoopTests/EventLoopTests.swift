import EventLoop
import Glibc
import Music
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventLoopTests {
    @Test("messages arrive on the loop in the order posted, also from another thread")
    func mailbox() throws {
        let loop = try EventLoop()
        var received: [Int] = []
        let mailbox = try loop.mailbox { (message: Int) in
            received.append(message)
            if message == 999 { loop.stop(exitCode: 7) }
        }
        let thread = try WorkerThread(name: "poster") {
            for message in 0..<1000 { mailbox.post(message) }
        }
        #expect(loop.run() == 7)
        thread.join()
        #expect(received == Array(0..<1000))
    }

    @Test("timers run out in the order of their delays, and not when stopped")
    func timers() throws {
        let loop = try EventLoop()
        var order: [String] = []
        let late = loop.timer {
            order.append("late")
            loop.stop(exitCode: 0)
        }
        let early = loop.timer { order.append("early") }
        let never = loop.timer { order.append("never") }
        late.start(after: .seconds(0.03))
        early.start(after: .seconds(0.01))
        never.start(after: .seconds(0.02))
        never.stop()
        #expect(loop.run() == 0)
        #expect(order == ["early", "late"])
        #expect(!late.isRunning)
    }

    @Test("a watch may be cancelled from inside its own handler")
    func cancelInside() throws {
        let loop = try EventLoop()
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var calls = 0
        var watch: Watch?
        watch = loop.watch(ends[0], for: .readable) { readiness in
            calls += 1
            #expect(readiness.contains(.readable))
            watch?.cancel()
            loop.stop(exitCode: 0)
        }
        var byte: UInt8 = 1
        write(ends[1], &byte, 1)
        #expect(loop.run() == 0)
        #expect(calls == 1)
    }

    @Test("what is due at the end of a turn runs once a turn, after what happened in it")
    func turnEnd() throws {
        let loop = try EventLoop()
        var log: [String] = []
        let timer = loop.timer { log.append("timer") }
        loop.atTurnEnd { log.append("end") }
        timer.start(after: .zero)
        loop.turn()
        #expect(log == ["timer", "end"])
    }
}
