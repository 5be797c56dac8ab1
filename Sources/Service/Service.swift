import Glibc

/// The version of Tianlai, in the one place where it is written.
package let version = "0.1.0"

/// Runs the service in the foreground until it is told to end, and returns the exit code.
package func serve(_ options: ServeOptions) -> CInt {
    notYet("serve")
}

/// Decodes files as the service would play them and writes what would be heard, and returns the exit code.
package func render(_ options: RenderOptions) -> CInt {
    notYet("render")
}

/// Shows what is read in files, and returns the exit code.
package func showTags(_ options: TagsOptions) -> CInt {
    notYet("tags")
}

private func notYet(_ command: String) -> CInt {
    let line = Array("tianlai: \(command) is not built yet\n".utf8)
    write(STDERR_FILENO, line, line.count)
    return 1
}
