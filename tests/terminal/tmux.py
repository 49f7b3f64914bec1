"""A terminal without a screen: tmux, whose keys are pressed and whose screen is
read. Waits for what is shown, never for a time."""
import atexit
import os
import re
import shutil
import subprocess
import tempfile
import time

CAP = float(os.environ.get("SALOTTO_CAP", 600))  # seconds after which something hangs; nothing else is measured by it
FOLDER = tempfile.mkdtemp(prefix="salotto-tmux-")
SOCKET = os.path.join(FOLDER, "socket")
_count = 0


class Control:
    """A client of the server that stays: a command costs no process of its own."""

    def __init__(self):
        self.client = subprocess.Popen(
            ["tmux", "-S", SOCKET, "-f", "/dev/null", "-C", "attach", "-t", "keep"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.answer()  # to the attaching

    def answer(self):
        """What stands between the marks of the next answer, and whether it went well."""
        lines, inside = [], False
        for line in self.client.stdout:
            if inside and line.startswith(("%end ", "%error ")):
                return "".join(lines), line.startswith("%end")
            if inside:
                lines.append(line)
            inside = inside or line.startswith("%begin ")
        raise AssertionError("tmux is gone")

    def run(self, arguments):
        self.client.stdin.write(" ".join(quoted(word) for word in arguments) + "\n")
        self.client.stdin.flush()
        return self.answer()


_control = None


def tmux(*arguments, check=True):
    """Does what tmux's command says. What has no place in a line goes by a process."""
    if _control and all(word.isprintable() for word in arguments):
        answer, well = _control.run(arguments)
        assert well or not check, answer
        return answer
    return subprocess.run(["tmux", "-S", SOCKET, "-f", "/dev/null", *arguments], check=check,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def close():
    global _control
    _control = None
    subprocess.run(["tmux", "-S", SOCKET, "kill-server"], stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(FOLDER, ignore_errors=True)


atexit.register(close)


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"


class Terminal:
    """A shell in a terminal of that size; `run` types a command into it."""

    def __init__(self, width=80, height=24, term="xterm-256color", state=None, locale="C.UTF-8",
                 **env):
        global _count, _control
        _count += 1
        self.name = f"t{_count}"
        self.state = state or os.path.join(FOLDER, self.name)
        if _count == 1:  # a server without a session ends
            tmux("new-session", "-d", "-s", "keep", "cat")
            _control = Control()
        settings = {"TERM": term, "XDG_STATE_HOME": self.state, "PS1": "$ ", "ENV": "",
                    "LC_ALL": locale, "LANGUAGE": "", **env}
        words = [f"{key}={quoted(value)}" for key, value in settings.items()]
        tmux("new-session", "-d", "-s", self.name, "-x", str(width), "-y", str(height),
             "env " + " ".join(words) + " sh -i")
        self.wait(r"\$$")

    def screen(self):
        return tmux("capture-pane", "-p", "-t", self.name)

    def press(self, *keys):
        tmux("send-keys", "-t", self.name, *keys)

    def type(self, text):
        tmux("send-keys", "-t", self.name, "-l", text)

    def run(self, *command):
        self.type(" ".join(quoted(word) for word in command))
        self.press("Enter")

    def until(self, what, says):
        """Waits until what(screen) is true; the screen."""
        end = time.monotonic() + CAP
        while True:
            screen = self.screen()
            if what(screen):
                return screen
            assert time.monotonic() < end, f"{says} did not come:\n{screen}"
            time.sleep(0.01)

    def settled(self, what, says):
        """The same, and nothing more is being drawn: seen three times in a row."""
        seen, times = None, 0

        def still(screen):
            nonlocal seen, times
            times = times + 1 if screen == seen else 0
            seen = screen
            return times >= 2 and what(screen)
        return self.until(still, says)

    def wait(self, pattern):
        return self.until(lambda screen: re.search(pattern, screen, re.M), pattern)

    def gone(self, pattern):
        return self.until(lambda screen: not re.search(pattern, screen, re.M), "not " + pattern)

    def change(self, before):
        return self.until(lambda screen: screen != before, "a change")

    def resize(self, width, height):
        tmux("resize-window", "-t", self.name, "-x", str(width), "-y", str(height))

    def alternate(self):
        """Whether the terminal shows its other screen."""
        return tmux("display-message", "-p", "-t", self.name, "#{alternate_on}").strip() == "1"

    def pid_of(self, program):
        """The process of the program that runs in it."""
        tty = tmux("display-message", "-p", "-t", self.name, "#{pane_tty}").strip()
        listed = subprocess.run(["ps", "-o", "pid=,comm=", "-t", tty], stdout=subprocess.PIPE,
                                text=True, check=True).stdout
        return next(int(line.split()[0]) for line in listed.splitlines() if program in line)

    def close(self):
        tmux("kill-session", "-t", self.name, check=False)
