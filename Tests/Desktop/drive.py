#!/usr/bin/python3
"""Drives KDE's or GNOME's media widget and media keys, and looks at what they show: drive.py kde|gnome OUTDIR

On the display, the session bus and the system bus that the environment names (Scripts/test-desktop sees to them), with
Tianlai playing there. Reads the screen as screen readers do, presses by mouse and keyboard, asks the player on the bus.
"""
import json
import os
import subprocess
import sys

from session import DEADLINE, Bus, GLib, Player, Screen, Thing, run, wait

SECOND = 1_000_000


class Report:
    """What was looked at, and with which result."""

    def __init__(self):
        self.counts = {"PASS": 0, "FAIL": 0}

    def expect(self, what, condition, limit=DEADLINE):
        """Waits until `condition` holds."""
        result = "PASS" if wait(condition, limit) else "FAIL"
        self.counts[result] += 1
        print(result, what, flush=True)
        return result == "PASS"


class Desktop:
    """What KDE and GNOME have in common: a widget with buttons, and media keys."""

    def __init__(self, name, outdir):
        self.name, self.outdir = name, outdir
        self.bus, self.report, self.programs = Bus(), Report(), []
        self.player, self.screen = Player(self.bus), Screen(outdir)

    def start(self, *words, **environment):
        with open(os.path.join(self.outdir, f"{os.path.basename(words[0])}.log"), "w") as log:
            program = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       env={**os.environ, **environment})
        self.programs.append(program)

    def end(self):
        for program in reversed(self.programs):
            program.terminate()
        for program in reversed(self.programs):
            try:
                program.wait(5)
            except subprocess.TimeoutExpired:
                program.kill()

    def expect(self, what, condition, limit=DEADLINE):
        return self.report.expect(f"{self.name}: {what}", condition, limit)

    def expect_status(self, what, status):
        self.expect(f"{what} → {status}", lambda: self.player.PlaybackStatus == status)

    def expect_step(self, what, press):
        """That `press` leads to another song."""
        before = self.player.Metadata["mpris:trackid"]
        press()
        self.expect(what, lambda: self.player.Metadata["mpris:trackid"] != before)

    def expect_shown(self, when):
        """That title, artist and cover of the song are on the screen."""
        self.screen.rest()
        self.expect(f"title and artist, {when}", lambda: self.screen.shows(*self.player.texts))
        self.expect(f"cover, {when}", lambda: (place := self.cover()) and self.screen.has_picture(self.player.cover, place))
        self.screen.photograph(f"{self.name}-{when.replace(' ', '-')}")

    def expect_keys(self):
        def stopped():
            # Lost until the desktop listens; a second one does no harm.
            self.screen.press("XF86AudioStop")
            return wait(lambda: self.player.PlaybackStatus == "Stopped", 1)
        self.expect("key Stop → Stopped", stopped)
        self.screen.press("XF86AudioPlay")
        self.expect_status("key Play", "Playing")
        self.screen.press("XF86AudioPlay")
        self.expect_status("key Play", "Paused")
        self.screen.press("XF86AudioPlay")
        self.expect_status("key Play", "Playing")
        self.expect_step("key Next → another song", lambda: self.screen.press("XF86AudioNext"))
        self.expect_step("key Previous → another song", lambda: self.screen.press("XF86AudioPrev"))

    def drive(self):
        self.expect_status("the player", "Playing")
        # A song that ends is no sign that a button works.
        self.player.set("LoopStatus", GLib.Variant("s", "Track"))
        try:
            self.open()
            self.expect_shown("at the start")
            self.press_buttons()
            self.expect_step("next by another client", lambda: self.player.call("Next"))
            self.expect_shown("after another client")
            self.close()
            self.expect_keys()
        finally:
            self.end()
        self.expect_status("when it has gone, the player", "Playing")
        print(f"{self.name}: {self.report.counts['PASS']} passed, {self.report.counts['FAIL']} failed", flush=True)
        return self.report.counts["FAIL"] == 0

    def press_buttons(self):
        self.press("Pause")
        self.expect_status("button Pause", "Paused")
        self.press("Play")
        self.expect_status("button Play", "Playing")
        self.expect_step("button Next → another song", lambda: self.press("Next"))
        self.expect_shown("after Next")
        self.expect_step("button Previous → another song", lambda: self.press("Previous"))
        self.expect_shown("after Previous")


class KDE(Desktop):
    """Plasma's media controller in a window of its own; the keys come from its data engine and KDE's key daemon."""

    def open(self):
        kde = dict(XDG_CURRENT_DESKTOP="KDE", KDE_FULL_SESSION="true", KDE_SESSION_VERSION="5", QT_QPA_PLATFORM="xcb",
                   QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
        self.start("kglobalaccel5", **kde)
        self.expect("key daemon", lambda: self.bus.has("org.kde.kglobalaccel"))
        self.start("plasmawindowed", "org.kde.plasma.mediacontroller", **kde)
        window = run("timeout", DEADLINE, "xdotool", "search", "--sync", "--onlyvisible", "--name", "Media Player").split()[0]
        # Only now does it show more than an icon.
        run("xdotool", "windowmove", window, 0, 0, "windowsize", "--sync", window, 480, 520)

    def close(self):
        pass

    def cover(self):
        area = next((thing for thing in self.screen.things() if thing.role == "layered pane"), None)
        return area and Thing(*area[:3], area.y + (area.height - area.width) // 2, area.width, area.width)

    def press(self, button):
        # What it is named after, what it does next, follows a little later than the player.
        wait(lambda: self.screen.button(button))
        self.screen.click(self.screen.button(button))

    def press_buttons(self):
        super().press_buttons()
        slider = next(thing for thing in self.screen.things() if thing.role == "slider")
        length = self.player.Metadata["mpris:length"]
        self.screen.click(slider)
        self.expect("slider, middle → half the song", lambda: 0.45 < self.player.Position / length < 0.6)
        self.screen.rest()
        self.expect("clock, after the slider", lambda: self.shows_time(self.player.Position))
        self.screen.photograph("kde-in-the-middle")
        self.player.call("SetPosition", "(ox)", self.player.Metadata["mpris:trackid"], 5 * SECOND)
        self.expect("clock, after another client's seek", lambda: self.shows_time(self.player.Position))
        self.press("Shuffle")
        self.expect("button Shuffle → on", lambda: self.player.Shuffle)
        self.press("Shuffle")
        self.expect("button Shuffle → off", lambda: not self.player.Shuffle)
        for loop in ("None", "Playlist", "Track"):
            self.press("Repeat")
            self.expect(f"button Repeat → {loop}", lambda: self.player.LoopStatus == loop)
        for key, volume in (("down", 0.95), ("up", 1)):
            self.bus.call("org.kde.kglobalaccel", "/component/mediacontrol", "org.kde.kglobalaccel.Component",
                          "invokeShortcut", "(s)", f"mediavolume{key}")
            self.expect(f"media volume {key}", lambda: abs(self.player.Volume - volume) < 0.01)

    def shows_time(self, position):
        seconds = position // SECOND
        return any(self.screen.shows(f"{second // 60}:{second % 60:02}") for second in (seconds, seconds + 1))


class GNOME(Desktop):
    """GNOME's shell, where the player is in the tray under the clock, and its settings daemon for the keys."""

    # What a screen reader would be told, but by the shell itself, and of the player alone: all of it takes too long.
    THINGS = """
        const {St} = imports.gi, things = [];
        const roles = [[St.Label, 'label'], [St.Button, 'push button'], [St.Icon, 'icon']];
        const look = actor => {
            if (!actor.mapped) return;
            const role = roles.find(role => actor instanceof role[0]);
            if (role) things.push([role[1], actor.text ?? '', ...actor.get_transformed_position(), ...actor.get_transformed_size()]);
            actor.get_children().forEach(look);
        };
        look(Main.panel.statusArea.dateMenu._messageList._mediaSection);
        things
        """

    def open(self):
        gnome = dict(XDG_CURRENT_DESKTOP="GNOME", XDG_SESSION_TYPE="x11", XDG_SESSION_CLASS="user", XDG_SESSION_ID="c1")
        self.screen.things = lambda: [Thing(thing[0], thing[1], *map(round, thing[2:])) for thing in self.shell(self.THINGS)]
        self.start("/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind")
        self.start("gnome-shell", "--x11", "--unsafe-mode", **gnome)
        self.expect("shell", lambda: self.shell("Main.layoutManager._startingUp") is False)
        self.start("/usr/libexec/gsd-media-keys", **gnome)
        # It begins with all windows side by side, and with what it thinks of this session.
        self.shell("Main.overview.hide(); Main.messageTray.getSources().forEach(source => source.destroy())")
        self.expect("desktop", lambda: not self.shell("Main.overview.visible"))
        self.screen.click(Thing("", "", 630, 6, 20, 20))
        self.expect("tray", lambda: self.shell("Main.panel.statusArea.dateMenu.menu.isOpen"))

    def close(self):
        self.screen.press("Escape")

    def shell(self, script):
        done, answer = self.bus.call("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval", "(s)", script)
        return json.loads(answer) if done and answer else None

    def cover(self):
        return next((thing for thing in self.screen.things() if thing.role == "icon" and thing.width == 48), None)

    def press(self, button):
        # Without names, from left to right.
        buttons = [thing for thing in self.screen.things() if thing.role == "push button"]
        self.screen.click(buttons[-3:][{"Previous": 0, "Play": 1, "Pause": 1, "Next": 2}[button]])


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("kde", "gnome"):
        sys.exit(__doc__)
    desktop = {"kde": KDE, "gnome": GNOME}[sys.argv[1]](sys.argv[1], sys.argv[2])
    sys.exit(0 if desktop.drive() else 1)


if __name__ == "__main__":
    main()
