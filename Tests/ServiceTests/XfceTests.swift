import Foundation
import Testing
import TestSupport

/// The sound button in XFCE's panel: its menu, and the media keys that it listens to.
@Suite(
    "XFCE",
    .waiting,
    .timeLimit(.minutes(5)),
    .needs("Xvfb", "xdotool", "xfce4-panel", "xfconf-query")
)
struct XfceTests {
    private let fixtures: Fixtures
    private let server: NullSoundServer
    private let service: RunningService
    private let screen: VirtualScreen
    private let settings: ChildProcess
    private let panel: ChildProcess

    init() throws {
        fixtures = try Fixtures()
        server = try NullSoundServer()
        service = try RunningService(try fixtures.makeTones(3, seconds: 40, rate: 16_000), sound: server)
        screen = try VirtualScreen(width: 800, height: 480)
        let environment = screen.environment.merging(quietDesktop) { $1 }.merging([
            // The menu shows players that are installed.
            "XDG_DATA_DIRS": "\(try installedEntry(in: service.folder)):/usr/local/share:/usr/share"
        ]) { $1 }
        try service.folder.makeFolder("config/xfce4/xfconf/xfce-perchannel-xml")
        try service.folder.write(
            "config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml",
            panelSettings.utf8
        )
        settings = try service.startOther(try xfconfd(), environment: environment)
        try service.waitForName("org.xfce.Xfconf")
        panel = try service.startOther("xfce4-panel", "--disable-wm-check", environment: environment)
    }

    @Test("media keys, and the buttons of the menu")
    func menu() throws {
        let button = try screen.window(of: "wrapper-2.0") { $0.width > 20 && $0.width < 60 && $0.height > 20 }
        let keys = MediaKeys(screen: screen, service: service)
        try keys.expectObedience()

        try service.playerctl("play")
        try screen.click(x: button.x + button.width / 2, y: button.y + button.height / 2)
        let menu = try screen.window(of: "wrapper-2.0") { $0.width > 200 }
        // The player's buttons stand at the right end of the line above the last.
        let (right, y) = (menu.x + menu.width, menu.y + menu.height - 51)
        let (previous, play, next) = (right - 95, right - 60, right - 24)
        try screen.click(x: play, y: y)
        try service.wait(until: "Paused", "tone-0.mp3")
        try screen.click(x: play, y: y)
        try service.wait(until: "Playing", "tone-0.mp3")
        try screen.click(x: next, y: y)
        try service.wait(until: "Playing", "tone-1.mp3")
        try screen.click(x: previous, y: y)
        try service.wait(until: "Playing", "tone-0.mp3")

        panel.stop()
        try service.playerctl("next")
        try service.wait(until: "Playing", "tone-1.mp3")
        #expect(service.process.report.errors.isEmpty, "\(service.process.report.errorText)")
    }
}

/// Puts the desktop entry where programs look for those of installed ones, and returns that folder.
private func installedEntry(in folder: TemporaryFolder) throws -> String {
    let entry = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../desktop/tianlai.desktop")
    try folder.makeFolder("share/applications")
    try folder.write("share/applications/tianlai.desktop", try Data(contentsOf: entry.standardized))
    return folder.path("share")
}

/// Where the program that keeps XFCE's settings is, which differs from one kind of machine to another.
private func xfconfd() throws -> String {
    let service = try String(
        contentsOfFile: "/usr/share/dbus-1/services/org.xfce.Xfconf.service",
        encoding: .utf8
    )
    let line = service.split(separator: "\n").first { $0.hasPrefix("Exec=") }
    return String(try #require(line).dropFirst("Exec=".count))
}

/// A panel with nothing but the sound button.
private let panelSettings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <channel name="xfce4-panel" version="1.0">
      <property name="configver" type="int" value="2"/>
      <property name="panels" type="array">
        <value type="int" value="1"/>
        <property name="panel-1" type="empty">
          <property name="position" type="string" value="p=6;x=0;y=0"/>
          <property name="position-locked" type="bool" value="true"/>
          <property name="length" type="uint" value="100"/>
          <property name="size" type="uint" value="32"/>
          <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
        </property>
      </property>
      <property name="plugins" type="empty">
        <property name="plugin-1" type="string" value="pulseaudio">
          <property name="enable-multimedia-keys" type="bool" value="true"/>
          <property name="enable-mpris" type="bool" value="true"/>
        </property>
      </property>
    </channel>
    """
