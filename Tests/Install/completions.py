#!/usr/bin/env python3
"""Has real shells complete command lines: completions.py FOLDER   (of tianlai.bash, _tianlai and tianlai.fish)

Shells that are not installed are left out. Prints what went otherwise than expected; ends with 0 when nothing did.
"""
import fcntl, os, pty, select, shutil, signal, struct, subprocess, sys, tempfile, termios, time

# What is typed before Tab, and the words that it becomes.
TYPED = [
    ("tianlai que", ["tianlai", "queue"]),
    ("tianlai queue a", ["tianlai", "queue", "add"]),
    ("tianlai queue add --n", ["tianlai", "queue", "add", "--next"]),
    ("tianlai shuffle al", ["tianlai", "shuffle", "albums"]),
    ("tianlai serve --output si", ["tianlai", "serve", "--output", "silent"]),
    ("tianlai status --fol", ["tianlai", "status", "--follow"]),
    ("tianlai status --form", ["tianlai", "status", "--format"]),
    ("tianlai lyrics sh", ["tianlai", "lyrics", "show"]),
    ("tianlai lyrics show so", ["tianlai", "lyrics", "show", "song one.mp3"]),
    ("tianlai tags so", ["tianlai", "tags", "song one.mp3"]),
    ("tianlai queue add --next so", ["tianlai", "queue", "add", "--next", "song one.mp3"]),
    ("tianlai render -o out.wav so", ["tianlai", "render", "-o", "out.wav", "song one.mp3"]),
    ("tianlai playlist play Ro", ["tianlai", "playlist", "play", "Road Trip"]),
    # Nothing fits: a number, a template, and one word too many.
    ("tianlai status --format so", ["tianlai", "status", "--format", "so"]),
    ("tianlai queue goto so", ["tianlai", "queue", "goto", "so"]),
    ("tianlai shuffle on al", ["tianlai", "shuffle", "on", "al"]),
]

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='$ '; bind 'set bell-style none'; source {folder}/tianlai.bash"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='$ '; unsetopt beep prompt_sp; bindkey -e; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D",
    ),
}


class Terminal:
    """An interactive shell, as someone types into it."""

    def __init__(self, command, environment, folder):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            # Wide, so that no line is wrapped.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 1000, 0, 0))
            os.execvpe(command[0], command, environment)
        self.text = b""

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def wait_for(self, text):
        deadline = time.monotonic() + 30
        while text.encode() not in self.text:
            ready, _, _ = select.select([self.descriptor], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no {text!r} in {self.text[-500:]!r}")
            self.text += os.read(self.descriptor, 4096)

    def take(self, start, end):
        self.wait_for(end)
        found, self.text = self.text.split(end.encode(), 1)
        return found.rsplit(start.encode(), 1)[-1].decode()

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


def completed_by_typing(shell, folder, environment, music):
    command, start = START[shell]
    terminal = Terminal(command, environment, music)
    try:
        # What is shown is put together of parts, so that it is not found in the echo of what is typed.
        terminal.type(start.format(folder=folder) + "; show() { printf '@%s' begin \"$@\" end; printf '\\n'; }; show ready\r")
        terminal.take("@begin@", "ready@end")
        for typed, _ in TYPED:
            # Back to the front of the line, to have it shown instead of carried out.
            terminal.type(typed + "\t\x01show \r")
            yield typed, terminal.take("@begin@tianlai", "@end")
    finally:
        terminal.close()


def completed_by_fish(folder, environment, music):
    for typed, _ in TYPED:
        script = 'source "$argv[1]/tianlai.fish"; complete -C "$argv[2]"'
        asked = subprocess.run(["fish", "--no-config", "-c", script, folder, typed], env=environment, cwd=music,
                               stdout=subprocess.PIPE, check=True, timeout=60)
        found = [line.split("\t")[0] for line in asked.stdout.decode().splitlines()]
        words = typed.split(" ")
        yield typed, "@" + "@".join(words[1:-1] + (found or [words[-1]]))


def main():
    folder = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory() as music:
        open(os.path.join(music, "song one.mp3"), "w").close()
        # A stand-in for the one call that completion makes.
        programs = os.path.join(music, "bin")
        os.mkdir(programs)
        with open(os.path.join(programs, "tianlai"), "w") as program:
            program.write("#!/bin/sh\n[ \"$*\" = 'playlist list' ] && printf '> Evening\\n  Road Trip\\n'\n")
        os.chmod(program.name, 0o755)
        environment = {"PATH": programs + ":" + os.environ["PATH"], "HOME": music, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        for shell in ["bash", "zsh", "fish"]:
            if not shutil.which(shell):
                print(f"there is no {shell}: left out")
                continue
            asked = completed_by_fish if shell == "fish" else lambda *rest: completed_by_typing(shell, *rest)
            expected = dict(TYPED)
            for typed, text in asked(folder, environment, music):
                words = ["tianlai"] + text.split("@")[1:]
                if words != expected[typed]:
                    print(f"{shell}: “{typed}” becomes {words}, not {expected[typed]}")
                    failures += 1
    sys.exit(1 if failures else 0)


main()
