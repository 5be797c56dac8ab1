"""Tianlai on the bus and the screen that the environment names: asked, read, pressed and photographed."""
import os
import subprocess
import time
from collections import namedtuple
from urllib.parse import unquote, urlparse

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib

DEADLINE = 60
NAME, PATH, PLAYER = "org.mpris.MediaPlayer2.tianlai", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"

Thing = namedtuple("Thing", "role name x y width height")


class Bus:
    def __init__(self):
        self.connection = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, name, path, interface, member, signature="()", *arguments):
        answer = self.connection.call_sync(name, path, interface, member, GLib.Variant(signature, arguments),
                                           None, Gio.DBusCallFlags.NO_AUTO_START, 10_000, None)
        return answer.unpack()

    def has(self, name):
        return self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner", "(s)", name)[0]


class Player:
    """Tianlai, as it says itself on the bus."""

    def __init__(self, bus):
        self.bus = bus

    def call(self, member, signature="()", *arguments):
        self.bus.call(NAME, PATH, PLAYER, member, signature, *arguments)

    def set(self, name, value):
        self.bus.call(NAME, PATH, PROPERTIES, "Set", "(ssv)", PLAYER, name, value)

    def __getattr__(self, name):
        return self.bus.call(NAME, PATH, PROPERTIES, "Get", "(ss)", PLAYER, name)[0]

    @property
    def title(self):
        return self.Metadata["xesam:title"]

    @property
    def texts(self):
        return [self.title, *self.Metadata["xesam:artist"]]

    @property
    def cover(self):
        return unquote(urlparse(self.Metadata["mpris:artUrl"]).path)


class Screen:
    """The screen: read, pressed and photographed."""

    def __init__(self, outdir):
        self.outdir = outdir
        self.clicked = 0
        Atspi.init()
        self.desktop = Atspi.get_desktop(0)
        # What is shown now, not what was when it was first asked for.
        self.desktop.set_cache_mask(Atspi.Cache.NONE)

    def things(self):
        """All that is on the screen, the outer before the inner."""
        def within(accessible):
            try:
                box = "Component" in accessible.get_interfaces() and accessible.get_extents(Atspi.CoordType.SCREEN)
                if box and box.width < 0:
                    return
                if box and box.width > 0:
                    yield Thing(accessible.get_role_name(), accessible.get_name(), box.x, box.y, box.width, box.height)
                for index in range(accessible.get_child_count()):
                    yield from within(accessible.get_child_at_index(index))
            except (GLib.Error, AttributeError):
                return    # it has gone meanwhile
        return list(within(self.desktop))

    def button(self, name):
        """The one that is called so, such as "Next Track" for "Next"."""
        return next((thing for thing in self.things()
                     if thing.role in ("push button", "check box") and thing.name.startswith(name)), None)

    def shows(self, *texts):
        shown = [thing.name for thing in self.things() if thing.role == "label"]
        return all(text in shown for text in texts)

    def click(self, thing):
        # Sooner it would be the second half of a double click.
        time.sleep(max(0, self.clicked + 0.6 - time.monotonic()))
        self.clicked = time.monotonic()
        run("xdotool", "mousemove", thing.x + thing.width // 2, thing.y + thing.height // 2, "click", 1)

    def press(self, key):
        run("xdotool", "key", key)

    def rest(self):
        """Takes the pointer away from what would show a hint under it."""
        run("xdotool", "mousemove", 2, 300)

    def photograph(self, name):
        picture = os.path.join(self.outdir, f"{name}.png")
        run("import", "-window", "root", picture)
        return picture

    def has_picture(self, file, place):
        """Whether `file` is what is drawn at `place`, but for rounded corners and the like."""
        size = f"{place.width}x{place.height}"
        picture = self.photograph("look")
        drawn = run("convert", picture, "-crop", f"{size}+{place.x}+{place.y}", "+repage", "(", file, "-resize", f"{size}!", ")",
                    "-metric", "RMSE", "-compare", "-format", "%[distortion]", "info:")
        os.remove(picture)
        return float(drawn) < 0.15


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True).stdout


def wait(condition, limit=DEADLINE):
    deadline = time.monotonic() + limit
    while True:
        try:
            if condition():
                return True
        except GLib.Error:
            pass    # it is not there yet
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
