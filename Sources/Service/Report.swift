import Glibc

/// Says one line to the person who reads the journal or the terminal.
func report(_ line: String) {
    let bytes = Array("tianlai: \(line)\n".utf8)
    write(STDERR_FILENO, bytes, bytes.count)
}

/// Prints results on standard output.
func show(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    write(STDOUT_FILENO, bytes, bytes.count)
}
