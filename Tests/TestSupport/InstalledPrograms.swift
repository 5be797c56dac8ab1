import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skipped where one of `programs` is not installed, unless `CI` is set: there `Scripts/setup test` has seen to it.
    package static func needs(_ programs: String...) -> ConditionTrait {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let missing = programs.filter { program in
            !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
        }
        let isAsked = missing.isEmpty || environment["CI"] != nil
        return .enabled(if: isAsked, "not installed: \(missing.joined(separator: ", ")) (Scripts/setup test)")
    }
}
