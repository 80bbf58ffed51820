"""The part of scripts/bench on data that several processes have a part of each, written by `tamis
convert --shards`: what each keeps, what it receives, and whether the answer is the same.

`shards` is a function of (bench, repeats, quick) that returns lines of Markdown; `bench` is
scripts/bench itself. Data are generated in a temporary folder.
"""
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

UNITS = {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
# Method, what is divided, lambdas, least lambda as a share of the greatest, tolerance. The normal
# equations of few features are solved to rounding if that is asked for.
WIDE = (("lasso", "columns", 20, 0.1, 1e-9), ("l1logistic", "columns", 20, 0.1, 1e-9),
        ("l1svm", "columns", 20, 0.1, 1e-9))
TALL = (("lasso", "rows", 100, 0.001, 1e-12), ("l1logistic", "rows", 20, 0.01, 1e-9),
        ("l1svm", "rows", 20, 0.01, 1e-9))


def size(number, unit):
    return float(number) * UNITS[unit]


def fit(bench, path, case, ranks):
    """The page as JSON, and what the ranks say of their memory and of what they received."""
    method, what, count, ratio, tolerance = case
    words = [str(bench.TAMIS), "fit", str(path), "--method", method, "--lambdas", str(count),
             "--lambda-min-ratio", str(ratio), "--tol", str(tolerance), "--threads", "1", "--json"]
    if ranks > 1:
        words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *words,
                 f"--shard-{what}"]
    done = subprocess.run(words, check=True, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    return json.loads(done.stdout), done.stderr


def told(text):
    """Most that a rank keeps and has resident at the end, and that it has received; what is
    received in the least possible, as a factor. None where nothing is said."""
    kept = [size(*found) for found in re.findall(r"keeps ([\d.]+) (\w+) ", text)]
    resident = [size(*found) for found in re.findall(r"has ([\d.]+) (\w+) in memory", text)]
    received, least = None, None
    products = re.findall(r"received ([\d.]+) (\w+) of products, ([\d.]+) times 8 bytes .* in "
                          r"([\d.]+) passes, and ([\d.]+) (\w+) in", text)
    sums = re.search(r"received ([\d.]+) (\w+) for \d+ sums, ([\d.]+) times", text)
    sent = re.findall(r"sent ([\d.]+) (\w+), its sums", text)
    if products:
        received = max(size(*row[:2]) + size(*row[4:]) for row in products)
        least = max(float(row[2]) for row in products)
    elif sums:
        received, least = size(sums[1], sums[2]), float(sums[3])
    elif sent:
        received = sum(size(*found) for found in sent) * (len(sent) - 1) / len(sent)
    ranks = len(kept)
    return max(kept, default=None), max(resident[-ranks:] if ranks else [], default=None), \
        received, least


def megabytes(value):
    return "" if value is None else f"{value / 1e6:,.3g}"


def divide(bench, place, shape, correlation, classes, what, most):
    """The data as one file, and as files of parts in a folder for each number of ranks."""
    import numpy as np

    bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", place, *shape, correlation)
    response = place / "y.npy"
    if classes:
        response = place / "classes.npy"
        y = np.load(place / "y.npy")
        np.save(response, np.where(y > np.median(y), 1.0, -1.0))
    whole = place / "whole.tam"
    bench.lines(bench.TAMIS, "convert", place / "x.npy", whole, "--response", response)
    (place / "x.npy").unlink()
    for ranks in range(2, most + 1):
        bench.lines(bench.TAMIS, "convert", whole, place / f"parts{ranks}.tam", "--shards", ranks,
                    "--shard-by", what)
    return whole


def compare(bench, repeats, case, shape, correlation, most):
    method, what = case[:2]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        whole = divide(bench, place, shape, correlation, method != "lasso", what, most)
        for ranks in range(1, most + 1):
            path = whole if ranks == 1 else place / f"parts{ranks}.tam"
            runs = [fit(bench, path, case, ranks) for _ in range(repeats)]
            page, text = runs[0]
            if page["status"] != "converged":
                raise SystemExit(f"bench: {method} on {ranks} ranks did not converge")
            points = [point["primal"] for point in page["path"]]
            one = points if ranks == 1 else one
            kept, resident, received, least = told(text)
            passes = page["passes"]
            rows.append([method, what, f"{shape[0]:,} x {shape[1]:,}", ranks,
                         f"{statistics.median(run[0]['seconds'] for run in runs):.2f}",
                         f"{max(abs(a / b - 1) for a, b in zip(points, one)):.1e}",
                         f"{max(point['gap'] for point in page['path']):.1e}", f"{passes:.0f}",
                         megabytes(kept), megabytes(resident), megabytes(received),
                         "" if received is None else f"{received / passes / 1e3:,.3g}",
                         "" if least is None else f"{least:.2f}"])
    return rows


def shards(bench, repeats, quick):
    if not shutil.which("mpirun"):
        return ["## Several processes", "", "mpirun is not installed: nothing was measured."]
    wide, tall, most = ((200, 3000), (6000, 30), 2) if quick else ((500, 40000), (200000, 100), 4)
    rows = []
    for case in WIDE:
        rows += compare(bench, repeats, case, wide, 0, most)
    for case in TALL:
        rows += compare(bench, repeats, case, tall, 0.7, most)
    return ["## Several processes", "",
            "`mpirun -n RANKS tamis fit` on files of parts, dense: paths of 20 lambdas to 0.1 of",
            "lambda_max by columns, tol 1e-9, 100 to 0.001 (lasso, tol 1e-12) or 20 to 0.01 by",
            "rows. The greatest relative difference of a primal value from that of one process,",
            "and the worst gap. What the rank with the most keeps of the data, has resident at",
            "the end (mapped files, MPI and the program included), and has received; the last as a",
            "multiple of the least possible: with columns every rank must know the products of",
            "the others' columns, and no way of adding up vectors of N processes sends less than",
            "2 (N - 1) / N of a vector to each. Ranks share the cores of one machine. No peer in",
            "Debian solves these problems over processes.",
            ""] + bench.table(
                ["method", "divided by", "data", "ranks", "seconds", "primal's difference",
                 "worst gap", "passes", "kept, MB", "resident, MB", "received, MB",
                 "kB a pass", "of the least"], rows)


PARTS = {"shards": shards}
