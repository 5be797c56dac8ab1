import DBus
import Music

/// A lock of logind's that holds the machine awake: it lasts until its descriptor is closed.
///
/// On the loop only.
final class InhibitorLock {
    private let call: MethodCall
    private let onRefusal: (CallError) -> Void
    private var descriptor: Descriptor?
    private var isWanted = false
    private var isAskedFor = false

    /// A lock against `what`, in logind's words, for a reason that people may be shown; `mode` is `block` or `delay`.
    init(_ what: String, mode: String, because reason: String, onRefusal: @escaping (CallError) -> Void) {
        call = Logind.call("Inhibit", [what, "Tianlai", reason, mode].map(BusValue.string))
        self.onRefusal = onRefusal
    }

    /// Asks for the lock over `bus`, or lets it go at once.
    func want(_ isWanted: Bool, over bus: BusConnection) {
        self.isWanted = isWanted
        guard isWanted else {
            descriptor = nil
            return
        }
        guard descriptor == nil, !isAskedFor else { return }
        isAskedFor = true
        do throws(CallError) {
            try bus.call(call) { [weak self] in self?.take($0) }
        } catch {
            isAskedFor = false
        }
    }

    /// The connection is gone, and with it all that was asked for over it.
    func letGo() {
        isWanted = false
        isAskedFor = false
        descriptor = nil
    }

    private func take(_ answer: Result<[BusValue], CallError>) {
        isAskedFor = false
        switch answer {
        case .success(let values): if isWanted { descriptor = values.first?.descriptor }
        case .failure(let error): onRefusal(error)
        }
    }
}
