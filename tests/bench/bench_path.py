"""The parts of scripts/bench that compare the lasso with glmnet: paths, single lambdas, weights and
penalty factors.

Each part is a function of (bench, repeats, quick) that returns lines of Markdown; `bench` is
scripts/bench itself.
"""
import contextlib
import pathlib
import random
import tempfile

from bench_strategies import two_classes

TOL = 2e-6
HOW = ["Every point's gap at most 1e-6 of y'y (2e-6 of the null model's objective), intercept.",
       "glmnet's threshold is divided by ten until the worst gap of its answers, computed from",
       "the data, is that small; only its fit is timed, on one thread. `auto:2` divides its",
       "passes over the data between two threads. The first run of a process is not counted, as",
       "glmnet has also run once before it is timed."]


@contextlib.contextmanager
def data_sets(bench, quick):
    """Name, folder for glmnet, and the file and response for tamis, of each data set."""
    with tempfile.TemporaryDirectory() as top:
        found = []
        for rho in () if quick else (0, 0.7):
            folder = pathlib.Path(top, f"dense{rho}")
            folder.mkdir()
            bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", folder, 500, 20000, rho)
            name = "dense 500 x 20,000, " + (f"correlation {rho}" if rho else "independent")
            found.append((name, folder, folder / "x.npy", folder / "y.npy"))
        for name, file, labels in (("leukemia 34 x 7,129", "leukemia.svm.xz", []),
                                   ("allaml 72 x 7,129", "allaml.svm.xz", []),
                                   ("debtext1 47,627 x 31,216, libs", "debtext1.train.svm.xz",
                                    [28, 29])):
            source = bench.DATA / file
            if not source.exists() or (quick and labels):
                continue
            folder = pathlib.Path(top, file.split(".")[0])
            folder.mkdir()
            if not labels:
                bench.lines("/usr/bin/python3", "tests/bench/peer_data.py", source, folder)
                found.append((name, folder, folder / "x.npy", folder / "y.npy"))
                continue
            text = folder / "data.svm"
            two_classes(source, text, labels)
            bench.lines("/usr/bin/python3", "tests/bench/peer_data.py", text, folder)
            found.append((name, folder, text, "-"))
        yield found


def ours(bench, repeats, args, names):
    """Rows by name, each repeat running all names in turn; a run before them is not counted, as
    glmnet, too, has run before it is timed."""
    by_name = {}
    given = [name for name in names if "=" in name]
    words = given + ["warm"] + [name for name in names if name not in given]
    for _ in range(repeats):
        for row in bench.lines(bench.TAMIS, "run", "--jobs", "1", "tests/bench/path.lua", *args,
                               *words):
            if row[6] != "converged":
                raise SystemExit(f"bench: {row} did not converge")
            by_name.setdefault(row[0], []).append(row)
    return by_name


def glmnet(bench, folder, grid, repeats):
    if not bench.works("Rscript", "-e", "library(glmnet)"):
        return None
    file = pathlib.Path(folder, "lambdas")
    file.write_text("".join(f"{row[0]}\n" for row in grid))
    return bench.one_thread("Rscript", "tests/bench/peer_glmnet.R", folder, file, TOL, repeats)


def compare(bench, repeats, folder, args, names):
    """Rows of a table for one problem: name, chosen, seconds, glmnet / this, passes, gap, and
    objective."""
    before = [name for name in names if "=" in name]
    grid = bench.lines(bench.TAMIS, "run", "--jobs", "1", "tests/bench/path.lua", *args, *before,
                       "lambdas")
    runs = ours(bench, repeats, args, names)
    peer = glmnet(bench, folder, grid, repeats)
    theirs = bench.median_of(peer, 0) if peer else None
    out = []
    for name, rows in runs.items():
        seconds, row = bench.median_of(rows, 2), rows[0]
        out.append([name, row[1], f"{seconds:.4f}", f"{theirs / seconds:.1f}" if peer else "",
                    f"{float(row[4]):.1f}",
                    row[5], float(row[7])])
    if peer:
        out.append([f"glmnet, thresh {peer[0][2]}", "", f"{theirs:.4f}", "1.0", "", peer[0][1],
                    float(peer[0][3])])
    return out


HEAD = ["solver", "chosen at the end", "seconds", "glmnet is slower by", "passes",
        "worst relative gap"]


def path(bench, repeats, quick):
    """100 lambdas."""
    rows = []
    with data_sets(bench, quick) as sets:
        for name, folder, x, y in sets:
            for ratio in (0.1, 0.01):
                names = ["auto", "auto:2"] + (["saif", "gap"] if "independent" in name and ratio
                                              == 0.1 else [])
                args = [x, y, 100, ratio, TOL]
                rows += [[name, ratio, *row[:6]] for row in compare(bench, repeats, folder, args,
                                                                    names)]
    return ["## Lasso paths", "", "100 lambdas from lambda_max.", *HOW, ""] + bench.table(
        ["data", "least lambda / max", *HEAD], rows)


def tall(bench, repeats, quick):
    """Many more rows than features: paths from the normal equations."""
    n, p = (20000, 100) if quick else (200000, 200)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", folder, n, p, 0.7)
        for ratio in (0.1, 0.001):
            args = [pathlib.Path(folder, "x.npy"), pathlib.Path(folder, "y.npy"), 100, ratio, TOL]
            rows += [[ratio, *row[:6]] for row in compare(bench, repeats, folder, args,
                                                          ["auto", "auto:2", "gap"])]
    return ["## Lasso paths of tall data", "", f"100 lambdas from lambda_max, dense {n:,} x {p:,},",
            "correlation 0.7.", *HOW, ""] + bench.table(["least lambda / max", *HEAD], rows)


def single(bench, repeats, quick):
    """One lambda from nothing."""
    rows = []
    with data_sets(bench, quick) as sets:
        for name, folder, x, y in sets:
            for ratio in (0.5, 0.1, 0.05, 0.01):
                args = [x, y, 1, ratio, TOL]
                found = compare(bench, repeats, folder, args, ["auto", "auto:2"])
                rows += [[name, ratio, *row[:6]] for row in found]
    return ["## Lasso at one lambda", "", *HOW,
            "glmnet solves this lambda directly or along ten lambdas from lambda_max; the faster",
            "is counted.",
            ""] + bench.table(
                ["data", "lambda / max", *HEAD], rows)


def weighted(bench, repeats, quick):
    """Sample weights and penalty factors, with the objectives compared."""
    rows = []
    with data_sets(bench, quick) as sets:
        for name, folder, x, y in sets:
            if y == "-" or "correlation" in name:
                continue
            draw = random.Random(1)
            text = {}
            sizes = bench.lines(bench.TAMIS, "eval",
                                f"local d = tm.load('{x}', {{response = '{y}'}}) print(d.n, d.p)")
            for kind, count in zip(("weights", "factors"), sizes[0]):
                values = [draw.uniform(0.5, 2) for _ in range(int(count))]
                text[kind] = folder / f"{kind}.txt"
                text[kind].write_text("".join(f"{value!r}\n" for value in values))
                bench.lines("/usr/bin/python3", "-c",
                            "import numpy, sys; "
                            "numpy.save(sys.argv[2], numpy.loadtxt(sys.argv[1]))",
                            text[kind], folder / f"{kind}.npy")
            names = [f"weights={text['weights']}", f"factors={text['factors']}", "auto", "auto:2"]
            found = compare(bench, repeats, folder, [x, y, 100, 0.1, TOL], names)
            least = min(row[6] for row in found)
            rows += [[name, *row[:6], f"{row[6] / least - 1:.1e}"] for row in found]
    return ["## Sample weights and penalty factors", "",
            "100 lambdas to 0.1 lambda_max, weights and factors drawn uniformly from [0.5, 2].",
            *HOW,
            "The last column compares the objectives at the last lambda: the excess of each",
            "over the least.",
            ""] + bench.table(["data", *HEAD, "objective above the least"], rows)


PARTS = {"path": path, "single": single, "tall": tall, "weighted": weighted}
