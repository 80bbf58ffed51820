"""The part of scripts/bench on paths of classes of tall data: l1logistic and l1svm with several
lambdas solved together and one after the other, and glmnet's logistic paths. All of it is processor
time of one thread, so that other work on the machine does not count.
"""
import pathlib
import statistics
import tempfile

TOL = 1e-6
LAMBDAS, RATIO = 100, 0.001
# Column-major, 1 and -1 about the median of make_dense.py's response.
CLASSES = ("import numpy, sys; y = numpy.load(sys.argv[1]); "
           "numpy.save(sys.argv[2], numpy.where(y > numpy.median(y), 1.0, -1.0))")


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"


def ours(bench, repeats, x, y, method):
    rows = {}
    for _ in range(repeats):
        for row in bench.tamis("tall.lua", x, y, method, LAMBDAS, RATIO, TOL,
                               strategies=["together", "each"]):
            rows.setdefault(row[0], []).append(row)
    return {way: [found[0][1], statistics.median(float(row[2]) for row in found), found[0][3],
                  found[0][4]] for way, found in rows.items()}


def tallclasses(bench, repeats, quick):
    """Many more rows than features: l1logistic and l1svm."""
    n, p = (10000, 50) if quick else (50000, 200)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        x, y = folder / "x.npy", folder / "classes.npy"
        bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", folder, n, p, 0.7)
        bench.lines("/usr/bin/python3", "-c", CLASSES, folder / "y.npy", y)
        for method in ("l1logistic", "l1svm"):
            found = ours(bench, repeats, x, y, method)
            for way, text in (("together", "auto"), ("each", "auto, one lambda after the other")):
                chosen, seconds, passes, gap = found[way]
                rows.append([method, text, chosen, f"{seconds:.2f}",
                             f"{seconds / found['together'][1]:.1f}", passes, gap])
            if method == "l1logistic" and bench.works("Rscript", "-e", "library(glmnet)"):
                peer = bench.one_thread("Rscript", "tests/bench/peer_glmnet_classes.R", x, y,
                                        LAMBDAS, RATIO, TOL)[0]
                rows.append([method, f"glmnet, thresh {peer[1]}", "", f"{float(peer[0]):.2f}",
                             f"{float(peer[0]) / found['together'][1]:.1f}", "", peer[2]])
    return ["## Classes of tall data", "",
            f"{LAMBDAS} lambdas from lambda_max to {RATIO} of it, dense {n:,} x {p:,}, correlation",
            "0.7, intercept, every point's gap at most 1e-6 of the null model's objective;",
            "glmnet's threshold is divided by ten until that of every tenth of its answers is.",
            f"Processor time of one thread of {processor()}, scores on the rows included",
            "for Tamis. LIBLINEAR has no paths.", ""] + bench.table(
                ["method", "solver", "chosen at the end", "processor seconds", "slower by",
                 "passes", "worst relative gap"], rows)


PARTS = {"tallclasses": tallclasses}
