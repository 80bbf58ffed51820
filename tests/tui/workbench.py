#!/usr/bin/python3
"""Drives the real workbench in tmux and looks at what is on the screen. The tests are in test_*.py.

TAMIS_BIN names the program. Each test has a tmux server of its own on a private socket, and kills
that server only. Waiting means polling for what must appear, up to a limit.
"""
import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TAMIS = os.path.abspath(os.environ.get("TAMIS_BIN", os.path.join(ROOT, "build/src/cli/tamis")))
DATA = os.path.join(ROOT, "examples/data/golub.svm.xz")
LEUKEMIA = os.path.join(os.environ.get("TAMIS_DATA",
                                       os.path.join(os.path.dirname(ROOT), "shared/data")),
                        "leukemia.svm.xz")
PATIENCE = 20.0
# Opening a file of /proc fails when the process is gone; reading one fails when it goes meanwhile.
GONE = (FileNotFoundError, ProcessLookupError)
SLOW = float(os.environ.get("TAMIS_TEST_SLOWNESS", "1"))  # a busy machine has more


def wait_for(what, condition, limit=PATIENCE):
    """Polls until condition() is true; returns its value."""
    end = time.monotonic() + limit * SLOW
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.03)


def escaped(text):
    """tmux takes a semicolon at the end for the end of its command."""
    return text[:-1] + "\\;" if text.endswith(";") else text


class Terminal:
    """A tmux server with one window that runs a shell."""

    def __init__(self, columns=80, rows=24, environment=None):
        self.home = tempfile.mkdtemp(prefix="tamis-tui-")
        self.socket = os.path.join(self.home, "tmux")
        # OPENBLAS_CORETYPE too: with other kernels a run on the terminal rounds in another order
        # than one that a test starts beside it.
        kept = ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
        variables = {k: v for k, v in os.environ.items()
                     if k in kept or k.startswith("OPENBLAS_")}
        variables.update(HOME=self.home, XDG_STATE_HOME=os.path.join(self.home, "state"),
                         LC_ALL="C.UTF-8", SHELL="/bin/bash", PS1="ready$ ",
                         HISTFILE="", TERM="xterm-256color")
        self.settings = os.path.join(self.home, "tmux.conf")
        with open(self.settings, "w") as f:
            f.write('set -g default-terminal "tmux-256color"\nset -g status off\n'
                    "set -s escape-time 0\n")
        overrides = environment or {}
        words = ["env", "-u", "NO_COLOR"] + ["%s=%s" % item for item in overrides.items()]
        words += ["bash", "--norc", "--noprofile", "-i"]
        self.variables = variables
        self.run("new-session", "-d", "-x", str(columns), "-y", str(rows), "-s", "t", *words)
        wait_for("the shell", lambda: "ready$" in self.text())

    def run(self, *words):
        result = subprocess.run(["tmux", "-u", "-S", self.socket, "-f", self.settings, *words],
                                env=self.variables, capture_output=True, text=True,
                                timeout=3 * PATIENCE * SLOW)
        if result.returncode != 0:
            raise AssertionError("tmux %s: %s" % (words[0], result.stderr))
        return result.stdout

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.variables,
                       capture_output=True, timeout=3 * PATIENCE * SLOW)
        shutil.rmtree(self.home, ignore_errors=True)

    def text(self, colours=False):
        return self.run("capture-pane", "-p", "-t", "t", *(["-e"] if colours else []))

    def settled(self):
        """The screen once it has not changed for a while."""
        last = [self.text(), time.monotonic()]

        def still():
            now = self.text()
            if now != last[0]:
                last[:] = [now, time.monotonic()]
            return time.monotonic() - last[1] > 0.3 * SLOW
        wait_for("a screen that stays", still)
        return last[0]

    def settled_colours(self):
        self.settled()
        return self.text(colours=True)

    def lines(self):
        return self.text().split("\n")

    def keys(self, *names):
        """Presses keys. Esc is left alone for a moment: with the next key it would be Alt."""
        for name in names:
            self.run("send-keys", "-t", "t", "--", escaped(name))
            if name == "Escape":
                time.sleep(0.15 * SLOW)

    def type(self, text):
        self.run("send-keys", "-t", "t", "-l", "--", escaped(text))

    def command(self, text):
        self.type(text)
        self.keys("Enter")

    def answer(self, key, question, text):
        """Presses a key that asks for a line, and types this one in place of what is offered."""
        self.keys(key)
        self.see(question)
        self.keys("C-u")
        self.command(text)

    def file(self, name, text):
        """The path of a new file in the test's own folder."""
        path = os.path.join(self.home, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def resize(self, columns, rows):
        self.run("resize-window", "-t", "t", "-x", str(columns), "-y", str(rows))

    def see(self, pattern, limit=PATIENCE):
        """Waits until the screen matches; returns the match."""
        last = [""]

        def found():
            last[0] = self.text()
            return re.search(pattern, last[0], re.M)
        try:
            return wait_for(pattern, found, limit)
        except AssertionError:
            raise AssertionError("%r never appeared on:\n%s" % (pattern, last[0])) from None

    def see_number(self, pattern, value, delta):
        """Waits until the group of the pattern is the value, however many digits are written."""
        last = [""]

        def found():
            last[0] = self.text()
            shown = re.findall(pattern, last[0], re.M)
            return any(abs(float(number) - value) <= delta for number in shown)
        try:
            wait_for(pattern, found)
        except AssertionError:
            raise AssertionError("%g not in %r of:\n%s" % (value, pattern, last[0])) from None

    def see_gone(self, pattern):
        try:
            wait_for("the end", lambda: not re.search(pattern, self.text(), re.M))
        except AssertionError:
            raise AssertionError("%r stayed on:\n%s" % (pattern, self.text())) from None

    def process(self):
        """The process id of the program below the shell."""
        shell = self.run("display-message", "-p", "-t", "t", "#{pane_pid}").strip()

        def child():
            with open("/proc/%s/task/%s/children" % (shell, shell)) as f:
                ids = f.read().split()
            for number in ids:
                with contextlib.suppress(*GONE), open("/proc/%s/comm" % number) as f:
                    if f.read().strip() == os.path.basename(TAMIS)[:15]:
                        return int(number)
            return None
        return wait_for("the program", child)


def ticks(path):
    """CPU time (user and system) of a process or thread, in clock ticks."""
    with open(path) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def alive(process):
    """Whether the process exists and is not only waiting for its parent to notice its end."""
    try:
        with open("/proc/%d/stat" % process) as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except GONE:
        return False


class Workbench(unittest.TestCase):
    size = (80, 24)
    environment = {}
    arguments = DATA

    def setUp(self):
        self.assertIsNotNone(shutil.which("tmux"), "tmux is needed for these tests")
        self.assertTrue(os.access(TAMIS, os.X_OK), TAMIS + " is not there; set TAMIS_BIN")
        self.t = Terminal(*self.size, environment=self.environment)
        self.addCleanup(self.t.close)

    def start(self, arguments=None):
        self.t.command("%s %s" % (TAMIS, self.arguments if arguments is None else arguments))
        # A script that has already loaded data says so in place of the views' names.
        self.t.see(r"1:explore|o in the explore view")

    def start_solved(self):
        """Waits until the answer and the path are there."""
        self.start()
        self.t.see(r"converged")
        self.t.see(r"0 running")
        # The path has drawn its points.
        self.t.see(r"0 running [2-9]\d* done")

    def quit(self):
        self.t.keys("Escape", "Escape", "q")
        self.t.see_gone(r"1:explore")
        self.t.see(r"ready\$ *$")
