"""The parts of scripts/bench that measure l1logistic and l1svm against LIBLINEAR.

LIBLINEAR is called in memory (liblinear.py), so that its training alone is timed: neither
reading nor conversion. Its tolerance -e is the greatest found, to a factor of 2, at which the
gap of its answer, certified as Tamis's are, is at most the same tolerance; at its default it is
far above. It has no path: it is run for each lambda. Each part is a function of (bench, repeats,
quick) that returns lines of Markdown; `bench` is scripts/bench itself.
"""
import pathlib
import statistics
import sys
import tempfile

import bench_strategies
import liblinear

METHODS = ["l1svm", "l1logistic"]
PROBLEMS = [("libs, libdevel", (28, 29)), ("games", (13,))]


def peer(x, y):
    """The problem as LIBLINEAR's, or None without it."""
    if liblinear.library() is None:
        print("bench: liblinear.so.4 before 2.40 is not installed: no LIBLINEAR", file=sys.stderr)
        return None
    return liblinear.Problem(x, y)


class Problems:
    """Data sets in a folder of their own, each as Tamis's file(s) and LIBLINEAR's problem, made
    when asked for."""

    def __init__(self, bench, folder):
        self.bench, self.folder = bench, pathlib.Path(folder)

    def text(self, positive):
        """debtext1 with the given sections against the rest; None where it is not there."""
        from sklearn.datasets import load_svmlight_file

        source = bench_strategies.shared(self.bench, "debtext1.train.svm.xz")
        if not source:
            return None
        text = self.folder / "text.svm"
        bench_strategies.two_classes(source, text, positive)
        x, y = load_svmlight_file(str(text))
        return self.converted(text), "-", peer(x.tocsr(), y)

    def converted(self, text):
        file = text.with_suffix(".tam")
        self.bench.lines(self.bench.TAMIS, "convert", text, file)
        return file

    def dense(self, n, p):
        import numpy as np

        rng = np.random.default_rng(1)
        x = np.asfortranarray(rng.standard_normal((n, p)))
        y = labels(rng, x)
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "y.npy", y)
        return self.folder / "x.npy", self.folder / "y.npy", peer(x, y)

    def sparse(self, n, p, density):
        import numpy as np
        import scipy.sparse
        from sklearn.datasets import dump_svmlight_file

        rng = np.random.default_rng(1)
        x = scipy.sparse.random(
            n, p, density, format="csr", random_state=1, data_rvs=rng.standard_normal
        )
        y = labels(rng, x)
        text = self.folder / "sparse.svm"
        dump_svmlight_file(x, y, str(text), zero_based=False)
        return self.converted(text), "-", peer(x, y)


def labels(rng, x):
    """Signs of a combination of 100 columns with noise of a quarter of its variance."""
    import numpy as np

    w = np.zeros(x.shape[1])
    w[rng.choice(x.shape[1], 100, replace=False)] = rng.standard_normal(100)
    signal = x @ w
    return np.where(signal + rng.standard_normal(x.shape[0]) * signal.std() / 2 > 0, 1.0, -1.0)


def single(bench, repeats, name, problem, method, ratio, tol):
    """A row for one lambda: Tamis and LIBLINEAR in turn."""
    file, response, other = problem
    # The second solve of a process: LIBLINEAR's are repeated in one, too, with its pages there.
    run = lambda: bench.tamis(
        "classify.lua", file, response, method, ratio, tol, strategies=["auto"] * 2
    )[1]
    row = run()
    lam = float(row[7])
    e = other.loosest(method, lam, tol) if other else None
    ours, theirs = [], []
    for _ in range(repeats):
        row = run()
        bench_strategies.must_converge([row], 6)
        ours.append(float(row[2]))
        if e:
            w, seconds = other.train(method, lam, e)
            theirs.append(seconds)
    cells = [
        name,
        method,
        ratio,
        f"{tol:g}",
        row[1],
        f"{statistics.median(ours):.3f}",
        row[4],
        row[5],
    ]
    if not e:
        return cells + ["", "", "", ""]
    return cells + [
        f"{statistics.median(theirs):.3f}",
        f"{e:.1e}",
        f"{other.relative_gap(method, lam, w):.1e}",
        f"{statistics.median(theirs) / statistics.median(ours):.1f}",
    ]


SINGLE = [
    "data",
    "method",
    "lambda / max",
    "tol",
    "chosen",
    "auto: seconds",
    "passes",
    "gap",
    "LIBLINEAR: seconds",
    "-e",
    "gap",
    "LIBLINEAR / auto",
]
ALIKE = [
    "No intercept, one thread, training alone. Gaps are relative to the null model's objective",
    "and certified alike for both: the best dual point that the weights give, LIBLINEAR's weights",
    "also scaled by their best multiple.",
]
HOW = [
    "",
    *ALIKE,
    "LIBLINEAR's -e is the greatest, to a factor of 2, that reaches tol. For Tamis the second",
    "solve of a process is timed, as LIBLINEAR has also trained once before it is timed.",
    "",
]


def classify(bench, repeats, quick):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, sections in PROBLEMS[:1] if quick else PROBLEMS:
            problem = Problems(bench, folder).text(sections)
            if not problem:
                return []
            for method in METHODS:
                for ratio in (0.02,) if quick else (0.02, 0.005):
                    for tol in (1e-4,) if quick else (1e-4, 1e-6):
                        rows.append(single(bench, repeats, name, problem, method, ratio, tol))
    return (
        [
            "## Sparse classification",
            "",
            "debtext1, sections against the rest: 47,627 x 31,216, 2.0 M nonzeros.",
        ]
        + HOW
        + bench.table(SINGLE, rows)
    )


def dense(bench, repeats, quick):
    rows, (n, p) = [], (500, 5000) if quick else (2000, 20000)
    with tempfile.TemporaryDirectory() as folder:
        problem = Problems(bench, folder).dense(n, p)
        for method in METHODS:
            for ratio in (0.3, 0.1):
                rows.append(single(bench, repeats, f"{n:,} x {p:,}", problem, method, ratio, 1e-4))
    return (
        [
            "## Dense classification",
            "",
            f"Dense {n:,} x {p:,}, independent columns, 100 of them with a weight in the truth.",
        ]
        + HOW
        + bench.table(SINGLE, rows)
    )


def peer_path(other, method, lambdas, tol):
    """Seconds of all lambdas together, and the worst gap. Each begins with three times the -e that
    the one before needed, and is tightened by 3 until the gap is met; only the run that meets it
    is counted."""
    seconds, worst, e = 0, 0, 0.3
    for lam in lambdas:
        e *= 3
        while True:
            e /= 3
            w, last = other.train(method, lam, e)
            gap = other.relative_gap(method, lam, w)
            if gap <= tol or e < 1e-12:
                break
        e = min(3 * e, 0.3)
        seconds, worst = seconds + last, max(worst, gap)
    return seconds, worst


def path(bench, repeats, name, problem, method, count, ratio, tol):
    file, response, other = problem
    out = bench.lines(
        bench.TAMIS,
        "run",
        "--jobs",
        "1",
        "tests/bench/classify_path.lua",
        file,
        response,
        method,
        count,
        ratio,
        tol,
        repeats,
    )
    runs = [row for row in out if row[0] != "lambda"]
    bench_strategies.must_converge(runs, 4)
    ours = statistics.median(float(row[1]) for row in runs)
    cells = [
        name,
        method,
        count,
        ratio,
        f"{tol:g}",
        runs[0][0],
        f"{ours:.3f}",
        runs[0][2],
        runs[0][3],
    ]
    if not other:
        return cells + ["", "", ""]
    theirs, worst = peer_path(
        other, method, [float(row[1]) for row in out if row[0] == "lambda"], tol
    )
    return cells + [f"{theirs:.2f}", f"{worst:.1e}", f"{theirs / ours:.1f}"]


PATH = [
    "data",
    "method",
    "lambdas",
    "least / max",
    "tol",
    "chosen at the end",
    "auto: seconds",
    "passes",
    "worst gap",
    "LIBLINEAR: seconds",
    "worst gap",
    "LIBLINEAR / auto",
]


def classpaths(bench, repeats, quick):
    rows, count = [], 6 if quick else 20
    with tempfile.TemporaryDirectory() as folder:
        for name, sections in PROBLEMS[:1] if quick else PROBLEMS:
            problem = Problems(bench, folder).text(sections)
            for method in METHODS if problem else []:
                rows.append(
                    path(bench, repeats, f"debtext1, {name}", problem, method, count, 0.01, 1e-4)
                )
        problem = Problems(bench, folder).sparse(2000, 50000, 0.005)
        # At the same share of lambda_max l1svm chooses more features; at 0.14 about as many.
        for method, ratio in [*((method, 0.05) for method in METHODS), ("l1svm", 0.14)]:
            rows.append(
                path(bench, repeats, "sparse 2,000 x 50,000", problem, method, 20, ratio, 1e-6)
            )
        n, p = (500, 5000) if quick else (2000, 20000)
        problem = Problems(bench, folder).dense(n, p)
        for method in METHODS:
            rows.append(
                path(
                    bench,
                    repeats,
                    f"dense {n:,} x {p:,}",
                    problem,
                    method,
                    6 if quick else 10,
                    0.1,
                    1e-4,
                )
            )
    return (
        [
            "## Paths of margin losses",
            "",
            "Geometric from lambda_max. LIBLINEAR has no path: it is run for each lambda, with",
            "an -e that begins at three times the value of the previous lambda and is divided",
            "by 3 until the gap is reached; only the run that reaches it is counted (LIBLINEAR",
            "stops after 1,000 iterations: the worst gap shows where it did). The sparse",
            "data have 0.5 % of",
            "their entries; dense ones are independent normals.",
        ]
        + ALIKE
        + [""]
        + bench.table(PATH, rows)
    )


PARTS = {"classify": classify, "classdense": dense, "classpaths": classpaths}
