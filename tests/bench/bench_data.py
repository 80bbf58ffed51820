"""The part `data` of scripts/bench: reading, products with every kind of storage, files larger than
what may be resident."""
import lzma
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

SKLEARN = """
import sys, time
from sklearn.datasets import load_svmlight_file
for _ in range(int(sys.argv[2])):
    began = time.process_time()
    load_svmlight_file(sys.argv[1])
    print(time.process_time() - began)
"""
NUMPY = """
import sys, time, numpy
began = time.process_time()
numpy.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
print(time.process_time() - began)
"""
FREAD = """
library(data.table); setDTthreads(1); file <- commandArgs(TRUE)[1]
cat(system.time(fread(file))[["elapsed"]], "\\n")
"""


def has(bench, *command):
    return bench.works(*command)


def loads(bench, path, repeats):
    return [
        [float(word) for word in bench.lines(bench.TAMIS, "run", "tests/bench/load.lua", path)[0]]
        for _ in range(repeats)
    ]


def sparse_text(bench, folder, repeats):
    source = bench.DATA / "debtext1.train.svm.xz"
    if not source.exists():
        print(f"bench: {source} is not there: reading of LIBSVM skipped", file=sys.stderr)
        return [], None
    path = pathlib.Path(folder, "debtext1.svm")
    # Two classes, so that LIBLINEAR reads one problem.
    with lzma.open(source, "rt") as given, path.open("w") as binary:
        for line in given:
            label, rest = line.split(" ", 1)
            binary.write(("+1 " if int(float(label)) in (28, 29) else "-1 ") + rest)
    size = path.stat().st_size
    ours = loads(bench, path, repeats)
    seconds = statistics.median(run[0] for run in ours)
    matrix, grown = ours[0][4], max(run[5] for run in ours)
    rows = [
        ["tamis", f"{seconds:.3f}", f"{size / seconds / 1e6:.0f}", "1.0", f"{grown / matrix:.2f}"]
    ]
    if has(bench, "/usr/bin/python3", "-c", "import sklearn"):
        other = statistics.median(
            float(row[0]) for row in bench.lines("/usr/bin/python3", "-c", SKLEARN, path, repeats)
        )
        rows.append(
            [
                "scikit-learn, load_svmlight_file",
                f"{other:.3f}",
                f"{size / other / 1e6:.0f}",
                f"{other / seconds:.1f}",
                "",
            ]
        )
    if has(bench, "sh", "-c", "command -v liblinear-train"):
        times = []
        for _ in range(repeats):
            began = time.monotonic()
            subprocess.run(
                ["liblinear-train", "-q", "-s", "1", "-c", "1e-9", "-e", "1e9", path, "/dev/null"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            times.append(time.monotonic() - began)
        other = statistics.median(times)
        rows.append(
            [
                "liblinear-train, stopped at once",
                f"{other:.3f}",
                f"{size / other / 1e6:.0f}",
                f"{other / seconds:.1f}",
                "",
            ]
        )
    head = ["reader", "seconds", "MB/s", "x tamis", "memory / matrix"]
    return [
        "### LIBSVM text",
        "",
        f"debtext1, {size / 1e6:.0f} MB of text, {matrix / 1e6:.0f} MB as columns, one core.",
        "`memory / matrix`: by how much the most memory ever held exceeds what was held before,",
        "over the size of the matrix.",
        "",
    ] + bench.table(head, rows), path


def dense_text(bench, folder, repeats, quick):
    wanted, columns = (40e6 if quick else 1e9), 500
    path, generator = pathlib.Path(folder, "big.csv"), random.Random(1)
    block = "".join(
        ",".join(f"{generator.gauss(0, 1):.15g}" for _ in range(columns + 1)) + "\n"
        for _ in range(100)
    )
    with path.open("w") as file:
        file.write(",".join(f"x{j}" for j in range(columns)) + ",y\n")
        for _ in range(int(wanted / len(block)) + 1):
            file.write(block)
    size = path.stat().st_size
    seconds = statistics.median(run[0] for run in loads(bench, path, repeats))
    rows = [["tamis", f"{seconds:.2f}", f"{size / seconds / 1e6:.0f}", "1.0"]]
    if has(bench, "Rscript", "-e", "library(data.table)"):
        other = float(bench.lines("Rscript", "-e", FREAD, path)[0][0])
        rows.append(
            [
                "data.table, fread",
                f"{other:.2f}",
                f"{size / other / 1e6:.0f}",
                f"{other / seconds:.1f}",
            ]
        )
    if has(bench, "/usr/bin/python3", "-c", "import numpy"):
        other = float(bench.lines("/usr/bin/python3", "-c", NUMPY, path)[0][0])
        rows.append(
            [
                "numpy, loadtxt",
                f"{other:.2f}",
                f"{size / other / 1e6:.0f}",
                f"{other / seconds:.1f}",
            ]
        )
    path.unlink()
    return [
        "",
        "### CSV",
        "",
        f"{size / 1e6:.0f} MB of doubles in 15 digits, {columns} columns, one core.",
        "",
    ] + bench.table(["reader", "seconds", "MB/s", "x tamis"], rows)


def products(bench, svm, repeats, quick):
    arguments = [500, 20000 if quick else 200000, repeats] + ([svm] if svm else [])
    found = subprocess.run(
        [str(bench.ROOT / "build/tests/bench/data_speed"), *map(str, arguments)],
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    ).stdout
    runs = [line.split("\t") for line in found.splitlines()]
    memory = {
        threads: int(size) / float(seconds)
        for what, threads, size, seconds in runs
        if what == "memory"
    }
    rows = []
    for what, threads, size, seconds in runs:
        rate = int(size) / float(seconds)
        rows.append(
            [
                what,
                threads,
                f"{int(size) / 1e6:.0f}",
                f"{float(seconds) * 1e3:.2f}",
                f"{rate / 1e9:.1f}",
                f"{memory[threads] / rate:.2f}",
            ]
        )
    return [
        "",
        "### X'v",
        "",
        f"Dense {arguments[0]} x {arguments[1]:,} and debtext1: all columns times a vector.",
        "`memory` reads the same bytes and adds them up; the last column is the ratio of a",
        "product to that bandwidth. Genotypes read so few bytes that arithmetic dominates:",
        "compare milliseconds. `rows copied` and `rows viewed` use 15 of 16 rows; the bytes are",
        "those of the copy.",
        "",
    ] + bench.table(
        ["storage", "threads", "MB", "milliseconds", "GB/s", "memory is faster by"], rows
    )


def larger_than_memory(bench, folder, quick):
    n, p, limit = (1000, 20000, 128e6) if quick else (4096, 131072, 512e6)
    path = pathlib.Path(folder, "large.tam")
    bench.lines(bench.TAMIS, "run", "tests/bench/resident.lua", "make", path, n, p)
    size = path.stat().st_size
    run = bench.lines(
        bench.TAMIS,
        "run",
        "--jobs",
        "1",
        "tests/bench/resident.lua",
        "solve",
        path,
        int(limit / 4),
        0.2,
    )[0]
    path.unlink()
    most = float(run[4])
    if most > limit:
        sys.exit(f"bench: {most / 1e6:.0f} MB were resident, {limit / 1e6:.0f} are allowed")
    return [
        "",
        "### A file larger than what may be resident",
        "",
        f"A lasso at 0.2 of lambda_max on a .tam of {n:,} x {p:,} doubles. The most that was ever",
        "resident (VmHWM of the process, pages of the file included) is measured, and the",
        f"benchmark fails above {limit / 1e6:.0f} MB.",
        "",
    ] + bench.table(
        ["file, MB", "most resident, MB", "chosen", "seconds", "passes", "relative gap"],
        [
            [
                f"{size / 1e6:.0f}",
                f"{most / 1e6:.0f}",
                run[1],
                f"{float(run[0]):.2f}",
                f"{float(run[2]):.2f}",
                f"{float(run[3]):.1e}",
            ]
        ],
    )


def data(bench, repeats, quick):
    with tempfile.TemporaryDirectory() as folder:
        text, svm = sparse_text(bench, folder, repeats)
        return (
            ["## Data", ""]
            + text
            + dense_text(bench, folder, min(repeats, 3), quick)
            + products(bench, svm, repeats, quick)
            + larger_than_memory(bench, folder, quick)
        )


PARTS = {"data": data}
