import CLinux
import Glibc

extension EventLoop {
    /// Calls `handler` on the loop when the process gets one of `signals`, for as long as the loop lives.
    ///
    /// Call before any thread is started, so that all of them inherit the mask.
    package func onSignals(_ signals: [CInt], _ handler: @escaping (CInt) -> Void) throws(EventLoopError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = signalfd(-1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system("listen for signals", errno) }
        keep(
            watch(descriptor, for: .readable) { _ in
                var info = signalfd_siginfo()
                let size = MemoryLayout.size(ofValue: info)
                while read(descriptor, &info, size) == size {
                    handler(CInt(info.ssi_signo))
                }
            }
        )
    }
}
