"""What the tests of the command line share: running the program, small data, an own lasso."""
import json
import lzma
import math
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = os.environ.get("TAMIS_BIN", str(ROOT / "build/src/cli/tamis"))
GOLUB = ROOT / "examples/data/golub.svm.xz"
SHARED = pathlib.Path(os.environ.get("TAMIS_DATA", ROOT.parent / "shared/data"))
# A hang is a failure, slowness is not.
TIMEOUT = 120 * float(os.environ.get("TAMIS_TEST_SLOWNESS", "1"))


SANITIZED = "san" in os.environ.get("TAMIS_BUILD", "")


def rounds(count):
    """How often a test repeats what chance decides, or how large it makes what only has to last: a
    fifth under a sanitizer, where it takes five times as long and other tests have found more."""
    return max(2, count // 5) if SANITIZED else count


def default_signals():
    """What nohup or a shell's background job ignores would be ignored by what they start too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def environment(**changes):
    variables = {key: value for key, value in os.environ.items()
                 if key not in ("NO_COLOR", "COLORTERM")}
    variables.update(LC_ALL="C.UTF-8", TERM="xterm-256color")
    variables.update(changes)
    return variables


def start(*args, **options):
    options.setdefault("env", environment())
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([BIN, *map(str, args)], preexec_fn=default_signals,
                            stdout=options.pop("stdout", subprocess.PIPE),
                            stderr=options.pop("stderr", subprocess.PIPE), **options)


def tamis(*args, text=None, **options):
    """Runs the program to its end; text (str or bytes) is its standard input."""
    if isinstance(text, str):
        text = text.encode()
    process = start(*args, stdin=subprocess.DEVNULL if text is None else subprocess.PIPE, **options)
    try:
        out, err = process.communicate(text, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    err_bytes = err or b""
    if b"Sanitizer" in err_bytes or b": runtime error: " in err_bytes:
        raise AssertionError(err_bytes.decode("utf-8", "replace"))
    return subprocess.CompletedProcess(process.args, process.returncode, (out or b"").decode(),
                                       err_bytes.decode("utf-8", "replace"))


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tamis-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def good(self, *args, **options):
        run = tamis(*args, **options)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.args)
        return run.stdout

    def fit(self, *args, **options):
        """The object that `fit --json` prints."""
        return json.loads(self.good("fit", *args, "--method", "lasso", "--json", **options))

    def fails(self, status, *args, says=(), **options):
        """The run ends with this status and exactly one line, which says all of these."""
        run = tamis(*args, **options)
        self.assertEqual(run.returncode, status, (run.args, run.stdout[:500], run.stderr))
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith("tamis"), run.stderr)
        self.assertEqual(run.stdout, "")
        for word in (says,) if isinstance(says, str) else says:
            self.assertIn(word, run.stderr)
        return run.stderr


# ---- data and an independent view of the lasso -----------------------------------------------

def read_svm(path):
    """(columns, y): each column {row: value}, features numbered from 1; the greater label is +1."""
    data = pathlib.Path(path).read_bytes()
    if str(path).endswith(".xz"):
        data = lzma.decompress(data)
    columns, labels = {}, []
    for i, line in enumerate(data.decode().splitlines()):
        words = line.split()
        labels.append(float(words[0]))
        for word in words[1:]:
            feature, value = word.split(":")
            columns.setdefault(int(feature), {})[i] = float(value)
    if len(set(labels)) == 2:
        labels = [1.0 if label == max(labels) else -1.0 for label in labels]
    return columns, labels


def dot(column, v):
    return math.fsum(value * v[i] for i, value in column.items())


class Certificate:
    """Primal, dual and gap of a lasso with intercept from its coefficients and the data alone."""

    def __init__(self, columns, y, lam, coef, b):
        n = len(y)
        residual = [y_i - b for y_i in y]
        for feature, weight in coef:
            for i, value in columns[feature].items():
                residual[i] -= weight * value
        self.residual_mean = math.fsum(residual) / n
        self.primal = math.fsum(r * r for r in residual) / 2 + \
            lam * math.fsum(abs(weight) for _, weight in coef)
        u = [r - self.residual_mean for r in residual]
        greatest = max(abs(dot(column, u)) for column in columns.values())
        yu, uu = math.fsum(a * b for a, b in zip(y, u)), math.fsum(a * a for a in u)
        most = lam / greatest if greatest > 0 else math.inf
        scale = min(max(yu / uu, -most), most) if uu > 0 else 0.0
        self.dual = scale * yu - scale * scale * uu / 2
        self.gap = self.primal - self.dual
        mean = math.fsum(y) / n
        self.null = math.fsum((y_i - mean) ** 2 for y_i in y) / 2
        centred = [y_i - mean for y_i in y]
        self.lambda_max = max(abs(dot(column, centred)) for column in columns.values())


def random_svm(seed, n=30, p=12, classes=False):
    """A small problem as LIBSVM text, and as rows of values."""
    generator = random.Random(seed)
    rows = [[generator.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    y = [2 * row[0] - 1.5 * row[3] + generator.gauss(0, 0.3) for row in rows]
    if classes:
        y = [1 if value > 0 else -1 for value in y]
    return svm_text(y, rows), y, rows


def svm_text(y, rows):
    return "".join(f"{label!r} " + " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(row))
                   + "\n" for label, row in zip(y, rows))
