import DBus
import Foundation
import Language
import TestSupport
import Testing

/// An installation with its catalog, and a locale made for it, since a machine need not have that.
private struct TaiwaneseTianlai {
    let folder: TemporaryFolder
    let program: URL
    let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("bin")
        program = URL(fileURLWithPath: folder.path("bin/tianlai"))
        let messages = try folder.makeFolder("share/locale/zh_TW/LC_MESSAGES")
        let locales = try folder.makeFolder("locales")
        let po = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../po/zh_TW.po").standardizedFileURL.path
        let environment = try privateEnvironment(in: folder)
        for command in [
            // By another process: what this one writes may be open for writing in a child of another test, too.
            ["cp", CommandRun.tianlai.path, program.path],
            ["msgfmt", "--output-file=\(messages)/tianlai.mo", po],
            ["localedef", "--inputfile=zh_TW", "--charmap=UTF-8", "\(locales)/zh_TW.UTF-8"],
        ] {
            let report = try ChildProcess.run(command, environment: environment)
            try #require(report.exit == .code(0), "\(command): \(report.errorText)")
        }
        self.environment = ["LOCPATH": locales]
    }

    func run(_ line: String, on stage: Stage, _ variables: [String: String]) throws -> CommandRun {
        let command = try stage.start(
            line.split(separator: " ").map(String.init),
            program: program,
            environment: environment.merging(variables) { $1 }
        )
        try stage.wait("the end of \(line)") { command.hasEnded }
        return command
    }
}

@Suite("The command in Chinese", .timeLimit(.minutes(5)))
struct TranslationTests {
    private let tianlai: TaiwaneseTianlai
    private let stage: Stage

    init() throws {
        tianlai = try TaiwaneseTianlai()
        stage = try Stage()
    }

    private func run(
        _ line: String,
        _ variables: [String: String] = ["LC_ALL": "zh_TW.UTF-8"]
    ) throws -> CommandRun {
        try tianlai.run(line, on: stage, variables)
    }

    @Test("what plays, and why not")
    func status() throws {
        #expect(try run("status").output == "雨\n甲, 乙\n已暫停  0:12 / 1:40\n音量 50%，隨機播放：關，重複：無\n")
        #expect(try run("status --json").output.hasPrefix(#"{"status": "Paused", "title": "雨""#))
        stage.player.canGoNext = false
        #expect(try run("next").errors == "tianlai: 沒有下一首\n")
        // What the service says is not in the catalog.
        stage.player.error = .failed("there is no file /a")
        #expect(try run("play file:///a").errors == "tianlai: there is no file /a\n")
        stage.leave()
        let gone = try run("status --json")
        #expect(gone.code == 1)
        #expect(gone.output == "{\"error\": \"not running; to start it: tianlai play\"}\n")
        #expect(gone.errors == "tianlai: 天籟沒有在執行；啟動請用：tianlai play\n")
    }

    @Test("usage: what is put in may stand elsewhere")
    func usage() throws {
        let wrong = try run("queue move 1")
        #expect(wrong.code == 2)
        #expect(wrong.errors == "tianlai: queue move：缺少 N|N-M TO；請看 tianlai queue move --help\n")
        #expect(try run("queue remove x").errors.hasPrefix("tianlai: queue remove：「x」不是歌曲編號"))
    }

    @Test("help, in straight columns")
    func help() throws {
        let overview = try run("--help").output
        #expect(overview.hasPrefix("用法：tianlai COMMAND [ARGUMENT…]\n\n天籟"))
        let status = try run("status --help").output
        #expect(status.hasPrefix("用法：tianlai status [OPTION…]\n\n顯示正在播放的內容。\n\n"))
        for help in [overview.components(separatedBy: "  --version")[0], status] {
            let rows = help.split(separator: "\n").filter { $0.hasPrefix("  ") }.map(String.init)
            let starts = rows.map { row in
                row.firstIndex { ("\u{3000}"..."\u{9FFF}").contains($0) }.map { String(row[..<$0]) }
            }
            #expect(rows.count > 3)
            #expect(!starts.contains(nil) || help == status, "\(help)")
        }
        let tags = try run(
            "tags \(tianlai.folder.write("a.mp3", ID3Bytes.tag(ID3Bytes.text("TIT2", "T"), ID3Bytes.text("TPE2", "A")) + ID3Bytes.silence(frames: 4)))"
        )
        #expect(tags.output.hasSuffix("\n  標題:        T\n  專輯演出者:  A\n"), "\(tags.output)")
    }

    @Test(
        "English where the reader wants it, or has nothing else",
        arguments: [
            [:], ["LC_ALL": "C"], ["LANG": "zh_TW.UTF-8", "LC_MESSAGES": "C"], ["LC_ALL": "de_DE.UTF-8"],
            ["LC_ALL": "zh_TW.UTF-8", "LANGUAGE": "en"], ["LC_ALL": "zh_TW.UTF-8", "LOCPATH": "/nowhere"],
        ]
    )
    func english(variables: [String: String]) throws {
        #expect(
            try run("queue goto x y", variables).errors.hasPrefix(
                "tianlai: queue goto: “y” is one word too many"
            )
        )
    }

    @Test(
        "Chinese by each of the variables",
        arguments: [["LANG": "zh_TW.UTF-8"], ["LC_MESSAGES": "zh_TW.UTF-8", "LANG": "C"]]
    )
    func chinese(variables: [String: String]) throws {
        #expect(try run("queue goto x y", variables).errors.hasPrefix("tianlai: queue goto：多了「y」"))
    }
}
