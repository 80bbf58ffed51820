"""Random keys, pasted text, mouse, resizes, signals and runs in the real workbench, in a terminal
of its own. A session is repeated by its number."""
import fcntl
import json
import os
import pathlib
import pty
import random
import select
import shutil
import signal
import struct
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVENTS = 400  # of one session
PATIENCE = 120.0  # seconds without an answer to a resize that pass for a hang, on an idle machine
TERMINALS = ["xterm-256color", "xterm-256color", "xterm", "tmux-256color", "screen", "linux",
             "vt100"]
DATA = ["examples/data/golub.svm.xz", "tests/data/table.dta", "tests/data/tenx.h5", ""]
LETTERS = [chr(code) for code in range(32, 127)]
# Ctrl-Z is left to SIGCONT below.
CONTROLS = [chr(code) for code in range(1, 32) if chr(code) not in "\x1a\x1b"]
SEQUENCES = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1bOA", "\x1bOB", "\x1b[H", "\x1b[F",
             "\x1b[5~", "\x1b[6~", "\x1b[2~", "\x1b[3~", "\x1b[Z", "\x1b[1;2C", "\x1b[1;2D",
             "\x1b[1;5C", "\x1bOP", "\x1bOQ", "\x1b[15~", "\x1b[24~", "\x7f", "\t", "\r",
             "\x1b[?1;2c", "\x1b[99;99;99;99;99~", "\x1b[", "\x1b]0;x\x07", "\xe9", "äöü", "漢字",
             "e\u0301"]
METHODS = {
    "lasso": "lambda_ratio=%g, screen='%s'", "l1logistic": "lambda_ratio=%g, screen='%s'",
    "l1svm": "lambda_ratio=%g, screen='%s'", "sdca": "lambda_ratio=%g", "ridge": "C=%g",
    "fgm": "B=2, C=%g", "svm": "C=%g", "grouplasso": "lambda_ratio=%g, groups=3",
    "genlasso": "lambda_ratio=%g", "gomp": "features=3", "rfe": "features=3",
}
SCREENS = ["none", "auto", "gap", "ws", "dpp", "strong", "saif", "nonsense"]
SETTINGS = ["lambda_ratio 0.3", "lambda_ratio 0.01", "alpha 0.5", "screen ws", "intercept true",
            "standardize true", "method l1svm", "method fgm", "method lasso", "tol 1e-9", "tol x",
            "class 1", "metric auc", "weights nonsense"]


def data(chance):
    """Lua for a small data set."""
    return "tm.synth('%s', {n=%d, p=%d, seed=%d})" % (
        chance.choice(["saif", "corral", "xor"]), chance.randint(6, 60), chance.randint(6, 300),
        chance.randint(1, 99))


def fit(chance):
    """Lua for a run."""
    method = chance.choice(sorted(METHODS))
    words = METHODS[method]
    values = (10 ** chance.uniform(-3, 0),) * words.count("%g") + \
        (chance.choice(SCREENS),) * words.count("%s")
    return "tm.%s(%s, {%s})" % (method, data(chance), words % values)


def line(chance):
    """A line for the prompt that means something."""
    kind = chance.randrange(14)
    if kind < 5:
        return "r = " + fit(chance)
    return (lambda: "r = tm.path(%s, 'lasso', {lambdas=%d})" % (data(chance),
                                                                chance.randint(2, 40)),
            lambda: "s = tm.sweep{data=%s, method='l1logistic', grid={lambda_ratio={0.5, 0.1}, "
                    "alpha={1, 0.5}}, folds=3, metric='accuracy'}" % data(chance),
            lambda: "d = " + data(chance),
            lambda: "tm.plot{series={{name='a', x={1, 2, 3}, y={1, 0.1, %g}}}, ylog=true}:show()"
                    % 10 ** chance.uniform(-300, 5),
            lambda: "tm.table({{a=1, b='x'}, {a=2}}, {'a', 'b'})",
            lambda: chance.choice(["while true do end", "error('x')", "x = = 1", "print(r)",
                                   "r:cancel()", "print(('x'):rep(3000))",
                                   "for i = 1, 500 do print(i) end"]),
            lambda: "tm.on('done', function(r) print(r.gap) end)",
            lambda: "print(pcall(function() return r.model:top(%d) end))" % chance.randint(-1, 50),
            lambda: "s:wait() print(s.table)")[kind - 5]()


def command(chance):
    """A line that begins with a colon."""
    return chance.choice([
        ":set " + chance.choice(SETTINGS), ":open " + str(ROOT / chance.choice(DATA[:3])),
        ":open nowhere", ":theme " + chance.choice(["dark", "light", "mono", "contrast", "x"]),
        ":lesson %d" % chance.randint(0, 12), ":snapshot a.txt", ":session a.lua", ":shape chain",
        ":shape none", ":shape grid:3x4", ":export plot a.svg", ":export features a.csv", ":help",
        ":run a.lua", ":" + "".join(chance.choices("abcdefgh ", k=6))])


def event(chance):
    """What happens next: a kind and its bytes, or sizes."""
    kind = chance.random()
    if kind < 0.35:
        return "keys", chance.choice(LETTERS)
    if kind < 0.43:
        return "keys", chance.choice(CONTROLS)
    if kind < 0.58:
        return "keys", chance.choice(SEQUENCES)
    if kind < 0.63:
        return "escape", "\x1b"
    if kind < 0.70:
        return "keys", "\x1b[<%d;%d;%d%s" % (chance.choice([0, 0, 32, 64, 65, 2, 99]),
                                             chance.randint(0, 250), chance.randint(0, 80),
                                             chance.choice("MMm"))
    if kind < 0.78:
        return "run", "\x1b|>" + line(chance) + "\r"
    if kind < 0.83:
        return "keys", "\x1b|" + command(chance) + "\r"
    if kind < 0.86:
        text = "".join(chance.choices(LETTERS + ["\n", "\t", "é"], k=chance.randint(1, 400)))
        return "keys", "\x1b[200~" + text.replace("/", "") + "\x1b[201~"
    if kind < 0.88:
        return "stop", ""
    if kind < 0.90:
        return "wait", chance.uniform(0.05, 1.5)
    return "resize", (chance.choice([1, 2, 5, 20, 40, 80, 80, 120, 200, 500]),
                      chance.choice([1, 2, 4, 10, 24, 24, 40, 60, 200]))


class Session:
    """One run of the program."""

    def __init__(self, number, program, slowness):
        self.chance = random.Random(number)
        self.limit = PATIENCE * slowness
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tamis-keys-"))
        self.counts = {"keys": 0, "resize": 0, "run": 0}
        self.found = ""
        self.log = []
        arguments = [str(program)]
        start = self.chance.choice(DATA)
        if start:
            arguments.append(str(ROOT / start))
        environment = dict(
            PATH=os.environ["PATH"], HOME=str(self.home), LC_ALL="C.UTF-8",
            TERM=self.chance.choice(TERMINALS), XDG_STATE_HOME=str(self.home / "state"),
            OPENBLAS_NUM_THREADS="1",
            LSAN_OPTIONS="print_suppressions=0:suppressions=%s/tests/soak/leaks.supp" % ROOT,
            ASAN_OPTIONS="log_path=%s/asan:handle_segv=2:handle_abort=2:quarantine_size_mb=64:"
                         "detect_stack_use_after_return=1" % self.home,
            UBSAN_OPTIONS="log_path=%s/asan:print_stacktrace=1:halt_on_error=1" % self.home)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(self.home)
            os.execve(arguments[0], arguments, environment)
        self.log.append(["start", environment["TERM"], start])
        self.status = None
        self.size(80, 24)

    def size(self, columns, rows):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def ended(self):
        if self.status is None:
            done, status = os.waitpid(self.process, os.WNOHANG)
            self.status = status if done else None
        return self.status is not None

    def signal(self, number):
        """Sends a signal, unless the program has ended; whether it had not."""
        if self.ended():
            return False
        os.kill(self.process, number)
        return True

    def drain(self, seconds):
        """Reads what the program draws, for so long; whether it drew something."""
        end, drew = time.monotonic() + seconds, False
        while True:
            left = end - time.monotonic()
            ready, _, _ = select.select([self.terminal], [], [], max(left, 0))
            if not ready:
                return drew
            try:
                drew = len(os.read(self.terminal, 65536)) > 0 or drew
            except OSError:  # the program has ended
                time.sleep(0.02)
                return drew

    def send(self, text):
        """Types; the program's own output is read meanwhile, as a full terminal stops it."""
        data = text.encode("utf-8", "replace")
        while data and not self.ended():
            _, ready, _ = select.select([], [self.terminal], [], 0.05)
            if ready:
                try:
                    data = data[os.write(self.terminal, data[:512]):]
                except OSError:
                    return
            self.drain(0)

    def answers(self):
        """A resize makes the program draw all of its screen, whatever runs."""
        self.signal(signal.SIGCONT)
        end, columns = time.monotonic() + self.limit, 80
        while time.monotonic() < end and not self.ended():
            columns = 161 - columns
            self.size(columns, 24)
            if self.drain(0.3):
                return True
        return self.ended()

    def happen(self, kind, what):
        self.log.append([kind, what])
        if kind == "resize":
            self.size(*what)
        elif kind == "wait":
            self.drain(what)
        elif kind == "stop":
            self.send("\x1a")
            self.drain(0.1)
            self.signal(signal.SIGCONT)
        elif kind == "run" or what.startswith("\x1b|"):
            # Out of what is open, so that the line reaches the prompt.
            for part in ("\x1b", "\x1b", *what[2:3], what[3:]):
                self.send(part)
                self.drain(0.15 if part == "\x1b" else 0.02)
        else:
            self.send(what)
            self.drain(0.15 if kind == "escape" else self.chance.choice([0, 0, 0, 0.02]))
        name = {"escape": "keys"}.get(kind, kind)
        if name in self.counts:
            self.counts[name] += 1

    def end(self):
        """Ends it as a user does, or by a signal."""
        if self.chance.random() < 0.6:
            for part in ("\x03", "\x1b", "\x1b", "q", "y"):
                self.send(part)
                self.drain(0.3)
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
            stop = time.monotonic() + self.limit
            if self.signal(number) and number == signal.SIGKILL:
                self.found = self.found or "does not end"
            while not self.ended() and time.monotonic() < stop:
                self.drain(0.1)

    def play(self):
        """What is wrong with the session; empty: nothing."""
        try:
            self.drain(1)
            for k in range(EVENTS):
                if self.ended():
                    break
                self.happen(*event(self.chance))
                if k % 50 == 49 and not self.answers():
                    self.found = "does not answer"
                    break
            self.end()
        finally:
            if self.signal(signal.SIGKILL):
                _, self.status = os.waitpid(self.process, 0)
            os.close(self.terminal)
        reports = "".join(path.read_text(errors="replace") for path in self.home.glob("asan*"))
        if reports:
            return "a sanitizer reports:\n" + reports
        code = os.waitstatus_to_exitcode(self.status)
        if not self.found and code not in (0, -signal.SIGTERM, 128 + signal.SIGTERM):
            self.found = f"ended with status {code}"
        return self.found


def soak(minutes, program, first, keep, slowness):
    """Sessions for so long, from this number on: a dictionary of counts, and of what was found."""
    total = {"sessions": 0, "keys": 0, "resize": 0, "run": 0}
    wrong, number, end = [], first, time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        session = Session(number, program, slowness())
        found = session.play()
        if found:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"keys-{number}.txt").write_text(
                found + "\n" + "\n".join(json.dumps(event) for event in session.log) + "\n")
            print(f"session {number}: {found.splitlines()[0]}, see {keep}/keys-{number}.txt",
                  flush=True)
            wrong.append(number)
        shutil.rmtree(session.home, ignore_errors=True)
        for name, count in session.counts.items():
            total[name] += count
        total["sessions"] += 1
        number += 1
    return total, wrong
