import CPulse

/// What is to be known of a sink.
struct SinkState: Equatable {
    var name: String
    var isSuspended: Bool
}

/// What the server can be asked about itself.
extension PulseConnection {
    /// Asks for the sink of this number; `nil` where there is none.
    func findSink(_ number: UInt32, _ answer: @escaping (SinkState?) -> Void) {
        ask(answer) { pa_context_get_sink_info_by_index(raw, number, Self.takeSink, $0) }
    }

    /// Asks for the sink of this name, as `pactl list short sinks` shows it; `nil` where there is none.
    func findSink(_ name: String, _ answer: @escaping (SinkState?) -> Void) {
        ask(answer) { pa_context_get_sink_info_by_name(raw, name, Self.takeSink, $0) }
    }

    /// Asks for the sink on which a stream is made that names none; `nil` where there is none.
    func findDefaultSink(_ answer: @escaping (SinkState?) -> Void) {
        let findNamed = { [weak self] (name: String?) in
            guard let self, let name else { return answer(nil) }
            findSink(name, answer)
        }
        ask(findNamed) {
            pa_context_get_server_info(
                raw,
                { _, info, context in
                    let name = info?.pointee.default_sink_name.map { String(cString: $0) }
                    Question<String?>.from(context)?.end(name)
                },
                $0
            )
        }
    }

    /// Asks for the volume of the stream with this index; `nil` where there is none.
    func findVolume(ofStream index: UInt32, _ answer: @escaping (pa_volume_t?) -> Void) {
        ask(answer) {
            pa_context_get_sink_input_info(
                raw,
                index,
                { _, info, isLast, context in
                    guard let question = Question<pa_volume_t?>.from(context) else { return }
                    if isLast != 0 { return question.end(question.found ?? nil) }
                    guard let info else { return }
                    var volumes = info.pointee.volume
                    question.found = pa_cvolume_avg(&volumes)
                },
                $0
            )
        }
    }

    /// A sink, if there is one, comes before the end of the list.
    private static let takeSink: pa_sink_info_cb_t = { _, info, isLast, context in
        guard let question = Question<SinkState?>.from(context) else { return }
        if isLast != 0 { return question.end(question.found ?? nil) }
        guard let info, let name = info.pointee.name else { return }
        question.found = SinkState(
            name: String(cString: name),
            isSuspended: info.pointee.state == PA_SINK_SUSPENDED
        )
    }

    private func ask<Value>(
        _ answer: @escaping (Value) -> Void,
        _ send: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        listen()
        questions.ask(answer, send)
    }
}
