"""scripts/bench tui: how soon an answer is on the screen, and what the screen costs.

The program runs on a pseudo terminal of 120 x 40. A key's answer is there when its last byte has
arrived: what is written after the key is read until nothing has come for a while, and that
silence is not counted.
"""
import fcntl
import os
import pathlib
import pty
import select
import signal
import statistics
import struct
import tempfile
import termios
import time

SIZE = struct.pack("HHHH", 40, 120, 0, 0)


class Program:
    def __init__(self, words, home):
        self.seen = b""
        self.process, self.fd = pty.fork()
        if self.process == 0:
            environment = {k: v for k, v in os.environ.items() if k == "PATH"}
            environment.update(HOME=home, TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execvpe(words[0], words, environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, SIZE)
        os.kill(self.process, signal.SIGWINCH)

    def read(self, silence, limit=60.0):
        """Seconds until the last byte before a silence, and how many bytes came; `self.seen` is
        what came."""
        began = last = time.monotonic()
        self.seen = b""
        while time.monotonic() - last < silence and time.monotonic() - began < limit:
            if select.select([self.fd], [], [], 0.01)[0]:
                try:
                    self.seen += os.read(self.fd, 65536)
                except OSError:  # it has ended
                    break
                last = time.monotonic()
        return last - began, len(self.seen)

    def start(self, limit=120.0):
        """Waits for the first answer: loading is silent for longer than any answer takes."""
        began = time.monotonic()
        while b"converged" not in self.seen:
            self.read(1.0)
            if time.monotonic() - began > limit:
                raise SystemExit("bench: the workbench has not solved anything")

    def key(self, bytes_of_key, silence=0.25):
        os.write(self.fd, bytes_of_key)
        return self.read(silence)

    def cpu(self, thread=True):
        """Seconds of CPU time of the UI thread, or of the process."""
        if thread:
            text = pathlib.Path(f"/proc/{self.process}/task/{self.process}/schedstat").read_text()
            return int(text.split()[0]) / 1e9
        fields = pathlib.Path(f"/proc/{self.process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        os.write(self.fd, b"\x1b\x1bqq")
        self.read(0.5)
        os.close(self.fd)
        os.waitpid(self.process, 0)


def tui(bench, repeats, quick):
    leukemia = bench.DATA / "leukemia.svm.xz"
    file = leukemia if leukemia.exists() else bench.ROOT / "examples/data/golub.svm.xz"
    left, right = b"\x1b[D", b"\x1b[C"
    presses = 10 if quick else 40
    latency, held, spent = [], [], []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(max(1, repeats // 2)):
            program = Program([str(bench.TAMIS), str(file)], home)
            program.start()
            before = program.cpu()
            for i in range(presses):
                seconds, count = program.key(left if i % 20 < 10 else right)
                if count == 0:
                    raise SystemExit("bench: a key changed nothing")
                latency.append(seconds)
            spent.append((program.cpu() - before) / presses)
            for _ in range(3):  # thirty keys a second for a second, then the answer to the last one
                for i in range(30):
                    os.write(program.fd, left if i < 15 else right)
                    program.read(0, 0)
                    time.sleep(1 / 30)
                os.write(program.fd, left)
                held.append(program.read(0.25)[0])
            before, began = program.cpu(), time.monotonic()
            time.sleep(1 if quick else 3)
            idle = (program.cpu() - before) / (time.monotonic() - began)
            os.write(
                program.fd,
                b">r = tm.lasso(tm.synth('saif', {n=60, p=2000, k=30, seed=2}), {lambda_ratio=1e-3,"
                b" tol=1e-15, screen='none', check_every=1, max_iter=1e9})\r",
            )
            program.read(0.1, 2)
            before, began = program.cpu(), time.monotonic()
            program.read(60, 2 if quick else 5)
            busy = (program.cpu() - before) / (time.monotonic() - began)
            program.key(b"\x03")
            program.close()
    milliseconds = lambda values, of: f"{1000 * of(values):.0f} ms"
    rows = [
        [
            "a key to its answer on the screen",
            milliseconds(latency, statistics.median),
            milliseconds(latency, max),
            len(latency),
        ],
        [
            "the last key of a held arrow (30 a second) to its answer",
            milliseconds(held, statistics.median),
            milliseconds(held, max),
            len(held),
        ],
        [
            "CPU time of the UI thread for a key",
            f"{1000 * statistics.median(spent):.1f} ms",
            f"{1000 * max(spent):.1f} ms",
            len(spent),
        ],
        ["UI thread, idle", f"{100 * idle:.2f} % of a core", "", 1],
        [
            "UI thread beside a solver that tells every epoch",
            f"{100 * busy:.2f} % of a core",
            "",
            1,
        ],
    ]
    return [
        "## The workbench",
        "",
        f"{file.name.split('.')[0]}, explore view at 120 x 40: arrow keys on lambda re-solve",
        "warm-started. The screen is drawn at most 30 times a second, so a frame (33 ms) or two",
        "are part of every time.",
        "",
    ] + bench.table(["what", "median", "greatest", "measured"], rows)


PARTS = {"tui": tui}
