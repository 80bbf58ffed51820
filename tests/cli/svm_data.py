"""The problems on which `svm` is held against LIBLINEAR and LIBSVM: of the digits that come with
Tamis, and of Debian's package descriptions where they are at hand."""
import lzma

from tamis_cli import ROOT, SHARED

DIGITS = ROOT / "examples/data/digits.svm.xz"
TEXT = SHARED / "debtext1.train.svm.xz"

# Source, the labels that are class +1, kernel, C, gamma; a linear kernel has no intercept, as in
# `liblinear-train -s 3 -B -1`, or with "free" the one of svm-train, as the other kernels.
PROBLEMS = {
    "digits even": ("digits", (0, 2, 4, 6, 8), "linear", 1.0, None),
    "digits 3": ("digits", (3,), "linear", 0.1, None),
    "digits 8": ("digits", (8,), "linear", 0.01, None),
    "digits even, free": ("digits", (0, 2, 4, 6, 8), "free", 0.1, None),
    "digits 8, free": ("digits", (8,), "free", 0.01, None),
    "digits even, rbf": ("digits", (0, 2, 4, 6, 8), "rbf", 10.0, 0.1),
    "digits 3, rbf": ("digits", (3,), "rbf", 1.0, 0.05),
    "debtext1 0": ("text 0", (28, 29), "linear", 1.0, None),
    "debtext1 1": ("text 1", (28, 29), "linear", 0.1, None),
    "debtext1 2": ("text 2", (13,), "linear", 10.0, None),
    "debtext1 0, free": ("text 0", (28, 29), "free", 1.0, None),
    "debtext1 1, rbf": ("text 1", (28, 29), "rbf", 10.0, 0.5),
}
TEXT_ROWS = 700


def lines_of(source):
    """(label, features) of each row: all digits, divided by 16 as elsewhere; of the text a block
    of rows, every 20th of a stretch."""
    if source == "digits":
        with lzma.open(DIGITS, "rt") as file:
            for line in file:
                label, *words = line.split()
                cells = (word.split(":") for word in words)
                yield int(label), " ".join(f"{j}:{float(v) / 16!r}" for j, v in cells)
        return
    block = int(source.split()[1])
    with lzma.open(TEXT, "rt") as file:
        for number, line in enumerate(file):
            if number >= 20 * TEXT_ROWS:
                return
            if number % 20 == block:
                label, _, words = line.strip().partition(" ")
                yield int(label), words


def has_source(source):
    return source == "digits" or TEXT.exists()


def text_of(source, positive):
    """The problem as a file that all programs read. The first row has class +1, which LIBSVM and
    LIBLINEAR would otherwise take for the negative one."""
    rows = [(1 if label in positive else -1, words) for label, words in lines_of(source)]
    first = next(k for k, row in enumerate(rows) if row[0] > 0)
    rows.insert(0, rows.pop(first))
    return "".join(f"{y:+d} {words}\n" for y, words in rows)
