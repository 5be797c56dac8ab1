import CPulse

/// What a server has been asked and has not answered.
///
/// Whoever asks keeps these: what is still open when they go is taken back, and never answered.
final class Questions {
    private var open: [ObjectIdentifier: (question: AnyObject, operation: OpaquePointer)] = [:]

    var isEmpty: Bool { open.isEmpty }

    /// Has `send` ask libpulse something, with the pointer by which the answer finds its way back to ``Question/from(_:)``.
    func ask<Value>(
        _ answer: @escaping (Value) -> Void,
        _ send: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        let question = Question(of: self, answer: answer)
        // Where the server was not even asked, nothing will answer.
        if let operation = send(Unmanaged.passUnretained(question).toOpaque()) {
            open[ObjectIdentifier(question)] = (question, operation)
        }
    }

    fileprivate func close(_ question: AnyObject) {
        if let (_, operation) = open.removeValue(forKey: ObjectIdentifier(question)) {
            pa_operation_unref(operation)
        }
    }

    deinit {
        for (_, operation) in open.values {
            // libpulse answers no more, though the server still may.
            pa_operation_cancel(operation)
            pa_operation_unref(operation)
        }
    }
}

/// A question on its way to the server.
final class Question<Value> {
    /// What has come of the answer so far.
    var found: Value?
    private weak var questions: Questions?
    private let answer: (Value) -> Void

    fileprivate init(of questions: Questions, answer: @escaping (Value) -> Void) {
        self.questions = questions
        self.answer = answer
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Question? {
        context.map { Unmanaged<Question>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The answer is whole.
    func end(_ value: Value) {
        questions?.close(self)
        answer(value)
    }
}
