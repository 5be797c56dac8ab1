package import Music

/// What `tianlai tags` and `tianlai playlist show` are asked for.
package struct ShowOptions: Equatable, Sendable {
    /// At least one.
    package var files: [FilePath]
    package var json = false

    package init(files: [FilePath]) {
        self.files = files
    }
}

/// What is shown of one file: to programs, and to people.
struct ShownFile {
    var json: JSON
    var lines: String
}

/// Shows what `read` finds in each file, and returns the exit code.
///
/// One JSON object a file on standard output, or lines for people; what cannot be used is said and makes the code 1.
func showFiles<Refusal: CustomStringConvertible>(
    _ options: ShowOptions,
    _ read: (FilePath) throws(Refusal) -> ShownFile
) -> CInt {
    var hasFailed = false
    for path in options.files {
        do throws(Refusal) {
            let file = try read(path)
            show(options.json ? file.json.description : file.lines)
        } catch {
            hasFailed = true
            if options.json {
                let error = JSON.string(error.description)
                show(JSON.members(["path": .string(path.description), "error": error]).description)
            } else {
                report("\(path): \(error)")
            }
        }
    }
    return hasFailed ? 1 : 0
}
