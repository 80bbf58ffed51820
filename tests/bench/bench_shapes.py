"""The parts of scripts/bench on shapes of data that the others leave out: one-hot rows (ctr), ten
million sparse columns (huge), and one and two threads on wide, tall and sparse data (threads).

Times are processor seconds, so that other work on the machine does not count, except those of
`threads`. Each part is a function of (bench, repeats, quick) that returns lines of Markdown;
`bench` is scripts/bench itself. Data are generated in a temporary folder.
"""
import concurrent.futures
import contextlib
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time

import bench_classify
import bench_strategies
import liblinear

TOL = 1e-6


class Shape:
    """A folder with arrays of compressed columns, Tamis's file made of them, and its response."""

    def __init__(self, bench, folder, maker, *sizes):
        self.bench, self.folder = bench, pathlib.Path(folder)
        bench.lines("/usr/bin/python3", f"tests/bench/{maker}", folder, *sizes)
        self.file = self.folder / "x.tam"
        bench.lines(bench.TAMIS, "convert", self.folder / "y.npz", self.file)
        (self.folder / "y.npz").unlink()

    def size(self):
        """Rows and columns."""
        import numpy as np

        return [int(value) for value in np.load(self.folder / "shape.npy")]

    def ours(self, response, method, count, ratio, threads, tol=TOL):
        """Runs by number of threads, and the grid."""
        return run(self.bench, self.file, response, method, count, ratio, tol, threads)

    def glmnet(self, response, family, grid, limit, tol=TOL):
        """Seconds, threshold and worst gap of each of its fits; None without it. All of them
        together end after `limit` processor seconds; None: when they are done."""
        if not self.bench.works("Rscript", "-e", "library(glmnet)"):
            return None
        file = self.folder / "lambdas"
        file.write_text("".join(f"{value!r}\n" for value in grid))
        limited = ["prlimit", f"--cpu={limit}:{limit + 5}"] if limit else []
        try:
            return self.bench.one_thread(*limited, "Rscript", "tests/bench/peer_glmnet_sparse.R",
                                         self.folder, response, family, file, tol)
        except subprocess.CalledProcessError as ended:
            if not limit or ended.returncode != -signal.SIGXCPU:
                raise
            return [line.split() for line in ended.output.splitlines()]

    def liblinear(self, response):
        import numpy as np
        import scipy.sparse

        if liblinear.library() is None:
            return None
        arrays = [np.load(self.folder / f"{name}.npy") for name in ("data", "indices", "indptr")]
        x = scipy.sparse.csc_matrix((arrays[0], arrays[1].astype(np.int32),
                                     arrays[2].astype(np.int32)), shape=self.size())
        return bench_classify.peer(x.tocsr(), np.load(self.folder / f"{response}.npy"))


def run(bench, file, response, method, count, ratio, tol, threads):
    out = bench.lines(bench.TAMIS, "run", "--jobs", "1", "tests/bench/shapes.lua", file, response,
                      method, count, ratio, tol, *threads)
    rows = [row for row in out if row[0] != "lambda"]
    bench_strategies.must_converge(rows, 6)
    return rows, [float(row[1]) for row in out if row[0] == "lambda"]


def glmnet_rows(shape, response, method, grid, ours, limit):
    """glmnet's row, if it is installed: its last fit, which without a limit meets the gap."""
    fits = shape.glmnet(response, "gaussian" if method == "lasso" else "binomial", grid, limit)
    if fits is None:
        return []
    if not fits:
        return [[f"glmnet, no fit in {limit} s", "", f"> {limit}", f"> {limit / ours:.0f}", "", ""]]
    seconds, thresh, worst = fits[-1]
    reached = "" if float(worst) <= TOL else f", the last in {limit} s" if limit else ""
    return [[f"glmnet, thresh {thresh}{reached}", "", f"{float(seconds):.2f}",
             f"{float(seconds) / ours:.1f}", "", worst]]


def peer_rows(shape, response, method, grid, chosen_by, limit):
    """glmnet's and LIBLINEAR's cells behind the solver's name: seconds, slower by, passes, gap."""
    ours = chosen_by
    rows = [] if limit == 0 else glmnet_rows(shape, response, method, grid, ours, limit)
    other = shape.liblinear(response) if method != "lasso" else None
    if other:
        other.clock = time.process_time
        seconds, worst = bench_classify.peer_path(other, method, grid, TOL)
        rows.append(["LIBLINEAR, lambda after lambda", "", f"{seconds:.2f}",
                     f"{seconds / ours:.1f}", "", f"{worst:.3e}"])
    return rows


HEAD = ["method", "lambdas", "least / max", "solver", "chosen at the end", "processor seconds",
        "slower by", "passes", "worst relative gap"]
HOW = ["No intercept. Every point's gap at most 1e-6 of the null model's objective: glmnet's",
       "threshold is divided by ten, LIBLINEAR's -e by three, until the gap of the answers,",
       "computed from the data, is that small, and only the last fit counts. Processor seconds of",
       "one thread, the fit alone."]


def compare(shape, repeats, response, file_response, method, count, ratio, limit=None):
    """The table's rows, and the most KB that were resident. limit: see Shape.glmnet; 0 leaves
    glmnet out."""
    rows, grid = shape.ours(file_response, method, count, ratio, [1] * max(repeats, 2))
    # The first run of a process is not counted: the peers, too, have fitted before.
    seconds = statistics.median(float(row[2]) for row in rows[1:])
    cells = [["auto", rows[0][1], f"{seconds:.2f}", "1.0", rows[0][4], rows[0][5]]]
    cells += peer_rows(shape, response, method, grid, seconds, limit)
    return [[method, count, ratio, *row] for row in cells], int(rows[-1][8])


def times_and_memory(shape, repeats, problems):
    """The tables of problems of one lambda: response, its file or "-", method, ratio, limit."""
    size, p = shape.file.stat().st_size, shape.size()[1]
    rows, memory = [], []
    for response, given, method, ratio, limit in problems:
        found, peak = compare(shape, repeats, response, given, method, 1, ratio, limit)
        rows += found
        memory.append([method, ratio, f"{size / 1e6:,.0f}", f"{peak * 1024 / 1e6:,.0f}",
                       f"{peak * 1024 / size:.2f}", f"{(peak * 1024 - size) / p:.0f}"])
    return shape.bench.table(HEAD, rows) + \
        ["", "Memory: the most that the process ever had resident, pages of the mapped .tam file",
         "included, beside the size of that file, which holds each column's mean and length, too.",
         ""] + \
        shape.bench.table(["method", "least / max", "file, MB", "most resident, MB", "ratio",
                           "bytes a column beside it"], memory)


def ctr(bench, repeats, quick):
    """One-hot rows: every row has a one in each of 20 blocks of columns."""
    n, p, fields = (4000, 1500, 20) if quick else (400000, 92308, 20)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        shape = Shape(bench, folder, "make_onehot.py", n, p, fields)
        for ratio in (0.01,) if quick else (0.001,):
            rows += compare(shape, repeats, "y", "-", "l1logistic", 10, ratio)[0]
    return ["## One-hot rows", "",
            f"{n:,} x {p:,}, a one in each of {fields} blocks of columns whose frequencies fall",
            "like 1/rank: what logs of clicks look like. A fifth of the rows are positive.", *HOW,
            ""] + bench.table(HEAD, rows)


def huge(bench, repeats, quick):
    """Very many sparse columns."""
    n, p = (2000, 20000) if quick else (100000, 10000000)
    with tempfile.TemporaryDirectory() as folder:
        shape = Shape(bench, folder, "make_wide_sparse.py", n, p)
        tables = times_and_memory(shape, repeats, [
            ("y", "-", "lasso", 0.5 if quick else 0.02, None),
            ("classes", shape.folder / "classes.npy", "l1logistic", 0.5 if quick else 0.05, None)])
    return ["## Ten million sparse columns", "",
            f"{n:,} x {p:,}: ten entries a column, and a thousand columns with one in every",
            "hundred rows, 100 of which make the response and the classes.", *HOW, "", *tables]


def reading_speed(repeats, quick):
    """GB/s at which one and two threads read memory: products of vectors beyond any cache."""
    import numpy as np

    halves = [np.ones(2**21 if quick else 2**26) for _ in range(2)]
    both, ones = sum(half.nbytes for half in halves), np.ones(2**12)

    def read(values):
        return (values.reshape(-1, len(ones)) @ ones).sum()

    speeds = {1: [], 2: []}
    for _ in range(repeats + 1):
        for workers, found in speeds.items():
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                began = time.perf_counter()
                list(pool.map(read, halves))
                found.append(both / (time.perf_counter() - began) / 1e9)
    return [statistics.median(found[1:]) for found in speeds.values()]


def write_signs(source, file):
    import numpy as np

    np.save(file, np.where(np.load(source) > 0, 1.0, -1.0))


@contextlib.contextmanager
def thread_data(bench, quick):
    """Name, file, response, method, lambdas, least ratio."""
    with tempfile.TemporaryDirectory() as top:
        folders = [pathlib.Path(top, name) for name in ("wide", "tall", "sparse")]
        for folder in folders:
            folder.mkdir()
        wide, tall, sparse = folders
        sizes = ((200, 2000), (5000, 50), (500, 5000), (200, 2000)) if quick else \
            ((500, 20000), (100000, 200), (2000, 50000), (2000, 20000))
        bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", wide, *sizes[0], 0)
        bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", tall, *sizes[1], 0.7)
        problems = bench_classify.Problems(bench, sparse)
        file = problems.sparse(*sizes[2], 0.005)[0]
        x, y, _ = problems.dense(*sizes[3])
        write_signs(tall / "y.npy", tall / "signs.npy")
        names = [f"{kind} {n:,} x {p:,}" for kind, (n, p) in zip(
            ("dense", "dense", "sparse", "dense"), sizes)]
        yield [(names[0], wide / "x.npy", wide / "y.npy", "lasso", 1, 0.5),
               (names[0], wide / "x.npy", wide / "y.npy", "lasso", 100, 0.1),
               (names[1], tall / "x.npy", tall / "y.npy", "lasso", 100, 0.01),
               (names[2], file, "-", "lasso", 20, 0.05),
               (names[1], tall / "x.npy", tall / "signs.npy", "l1logistic", 100, 0.001),
               (names[2], file, "-", "l1logistic", 20, 0.05),
               (names[3], x, y, "l1logistic", 10, 0.1),
               (names[3], x, y, "l1svm", 10, 0.1)]


def threads(bench, repeats, quick):
    """One and two threads in turn."""
    rows = []
    with thread_data(bench, quick) as sets:
        for name, file, response, method, count, ratio in sets:
            found, _ = run(bench, file, response, method, count, ratio, TOL,
                           [1, 2] * (repeats + 1))
            one, two = found[2::2], found[3::2]  # the first pair warms up
            pairs = [float(a[3]) / float(b[3]) for a, b in zip(one, two)]
            work = [statistics.median(float(row[2]) for row in runs) for runs in (one, two)]
            same = len({(row[1], row[4], row[5], row[7]) for row in found}) == 1
            rows.append([name, method, count, ratio, one[0][4],
                         f"{statistics.median(float(row[3]) for row in one):.4f}",
                         f"{statistics.median(float(row[3]) for row in two):.4f}",
                         f"{statistics.median(pairs):.2f}", f"{work[1] / work[0]:.2f}",
                         "yes" if same else "NO"])
            if not same:
                raise SystemExit(f"bench: {name}, {method}: answers differ between threads")
    one, two = reading_speed(repeats, quick)
    return ["## Threads", "",
            "The same work on one and on two threads in turn: medians of elapsed seconds, of the",
            "ratios of pairs, and the processor seconds of two threads over those of one. `same",
            "bits`: weights, passes and gaps are equal to the last bit. Passes over dense data are",
            f"bound by memory: here one thread reads {one:.1f} GB/s of vectors beyond the caches,",
            f"two {two:.1f}, {two / one:.2f} times as much, which no pass can exceed.",
            ""] + bench.table(
                ["data", "method", "lambdas", "least / max", "passes", "one thread, s",
                 "two threads, s", "faster by", "processor seconds, two / one", "same bits"], rows)


PARTS = {"ctr": ctr, "huge": huge, "threads": threads}
