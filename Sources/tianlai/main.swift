import Glibc
import Music
import Service

var args = Array(CommandLine.arguments.dropFirst())
if args.first == "serve" {
    var o = ServeOptions()
    o.output = .silent
    for a in args.dropFirst() {
        if a == "--play" {
            o.play = true
        } else if let l = Location(argument: Array(a.utf8)) {
            o.locations.append(l)
        }
    }
    exit(serve(o))
} else {
    args.removeFirst()
    let json = args.contains("--json")
    args.removeAll { $0 == "--json" }
    var o = RenderOptions(output: FilePath(args[1])!, files: args.dropFirst(2).compactMap { FilePath($0) })
    o.json = json
    exit(render(o))
}
