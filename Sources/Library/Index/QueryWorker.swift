import EventLoop
import Music
import Synchronization

/// The thread that asks the index for what the loop wants to know, so that a slow disk keeps nobody waiting.
///
/// Started with the first question.
final class QueryWorker {
    private let questions = Questions()
    private let thread: WorkerThread

    enum Question: Sendable {
        case search(String, limit: Int)
        case describe([TrackLocation])
    }

    /// The answer to the question of this number.
    struct Answer: Sendable {
        var number: Int
        var tracks: Result<[Track], LibraryError>
    }

    init(_ reader: IndexReader, _ answers: Mailbox<Answer>) throws(EventLoopError) {
        thread = try WorkerThread(name: "search") { [questions] in
            while let (number, question) = questions.next({ reader.rest() }) {
                let tracks: Result<[Track], LibraryError> =
                    switch question {
                    case .search(let words, let limit): reader.search(words, limit: limit)
                    case .describe(let locations): .success(reader.describe(locations))
                    }
                answers.post(Answer(number: number, tracks: tracks))
            }
        }
    }

    func ask(_ number: Int, _ question: Question) {
        questions.add(number, question)
    }

    /// Ends the thread, with what is still to be answered unanswered.
    func end() {
        questions.end()
        thread.join()
    }
}

/// What is still to be answered.
private final class Questions: Sendable {
    private struct Waiting: Sendable {
        var questions: [(number: Int, question: QueryWorker.Question)] = []
        var isOver = false
    }

    private let waiting = Mutex(Waiting())
    private let changed = Semaphore()

    func add(_ number: Int, _ question: QueryWorker.Question) {
        waiting.withLock { $0.questions.append((number, question)) }
        changed.signal()
    }

    func end() {
        waiting.withLock { $0.isOver = true }
        changed.signal()
    }

    /// Sleeps until there is a question, after `rest`; `nil` when there is to be none any more.
    func next(_ rest: () -> Void) -> (Int, QueryWorker.Question)? {
        while true {
            let (isOver, question) = waiting.withLock { waiting in
                (waiting.isOver, waiting.questions.isEmpty ? nil : waiting.questions.removeFirst())
            }
            if isOver { return nil }
            if let question { return (question.number, question.question) }
            rest()
            changed.wait()
        }
    }
}
