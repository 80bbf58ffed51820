"""The part of scripts/bench on memory: the most that paths and readers ever have resident, beside
the data. Bytes depend on no clock; `tests/cli/test_memory.py` holds what a column and a table may
take."""
import pathlib
import tempfile

import bench_shapes

LAMBDAS, LEAST = 40, 0.05
METHODS = ("lasso", "l1logistic", "l1svm")


def measure(bench, file, response="-", method="-"):
    """Bytes when the file is read and at the end, chosen features, status."""
    row = bench.lines(bench.TAMIS, "run", "--jobs", "1", "tests/bench/memory.lua", file, response,
                      method, LAMBDAS, LEAST)[0]
    if row[3] not in ("converged", "read"):
        raise SystemExit(f"bench: {file} {method}: {row}")
    return int(row[0]), int(row[1]), row[2]


def path_rows(bench, name, entries, files):
    """A row for each method and its file and response; `entries`: bytes of the values alone."""
    rows = []
    for method, (file, response) in zip(METHODS, files):
        size = file.stat().st_size
        _, most, chosen = measure(bench, file, response, method)
        rows.append([name, method, chosen, f"{entries / 1e6:,.0f}", f"{size / 1e6:,.0f}",
                     f"{most / 1e6:,.0f}", f"{most / entries:.2f}", f"{most / size:.2f}"])
    return rows


def make(bench, kind, n, p, file):
    bench.lines(bench.TAMIS, "eval", f'tm.synth("{kind}", {{n = {n}, p = {p}, k = 50, seed = 1}})'
                f':save("{file}")')
    return file


def paths(bench, top, quick):
    rows = []
    for n, p in ((100, 2000), (5000, 50)) if quick else ((500, 200000), (200000, 200)):
        y = make(bench, "saif", n, p, top / "y.tam"), "-"
        classes = make(bench, "fgm", n, p, top / "classes.tam"), "-"
        rows += path_rows(bench, f"dense {n:,} x {p:,}", 8 * n * p, (y, classes, classes))
    for n, p in ((2000, 20000),) if quick else ((100000, 1000000), (100000, 10000000)):
        with tempfile.TemporaryDirectory() as folder:
            shape = bench_shapes.Shape(bench, folder, "make_wide_sparse.py", n, p)
            entries = 12 * (10 * (p - 1000) + 1000 * (n // 100))
            classes = shape.file, shape.folder / "classes.npy"
            rows += path_rows(bench, f"sparse {n:,} x {p:,}", entries,
                              ((shape.file, "-"), classes, classes))
    return rows


def readers(bench, top, quick):
    n, p = (100, 2000) if quick else (500, 20000)
    source, rows = make(bench, "saif", n, p, top / "source.tam"), []
    for ending in ("csv", "svm", "npz", "tam"):
        file = top / f"read.{ending}"
        bench.lines(bench.TAMIS, "convert", source, file)
        read = measure(bench, file)[0]
        rows.append([ending, f"{file.stat().st_size / 1e6:,.0f}", f"{8e-6 * n * p:,.0f}",
                     f"{read / 1e6:,.0f}", f"{read / (8 * n * p):.2f}"])
        file.unlink()
    return rows, n, p


def memory(bench, repeats, quick):
    with tempfile.TemporaryDirectory() as folder:
        path_table = paths(bench, pathlib.Path(folder), quick)
        read_table, n, p = readers(bench, pathlib.Path(folder), quick)
    return ["## Memory beside the data", "",
            "The most that the process ever had resident while it loaded a .tam file and",
            f"solved a path of {LAMBDAS} lambdas to {LEAST} of lambda_max, less what it had",
            "before; pages of the mapped file are included. `entries`: 8 bytes a value of dense",
            "data, 12 an entry of sparse ones; the file has each column's mean and deviation, too,",
            "and the start of a sparse one.",
            ""] + bench.table(
                ["data", "method", "chosen", "entries, MB", "file, MB", "resident, MB",
                 "of the entries", "of the file"], path_table) + [
            "", f"Reading the same dense {n:,} x {p:,}:", ""] + bench.table(
                ["file", "file, MB", "data, MB", "resident, MB", "of the data"], read_table)


PARTS = {"memory": memory}
