"""Support vector machines: SAIF's table 5.1 and figure 5.1 in kind, LIBLINEAR and LIBSVM beside."""
import json
import lzma
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.datasets import load_svmlight_file, dump_svmlight_file

SCREENS = ("none", "shrink", "gap", "saiv", "auto")
TOL = 1e-5


class Problem:
    """Rows with classes +-1, as a file that all programs read; a kernel and the greatest C."""
    def __init__(self, folder, name, x, y, kernel, C, gamma=0.0):
        self.name, self.x, self.y, self.kernel, self.C, self.gamma = name, x, y, kernel, C, gamma
        self.path = str(pathlib.Path(folder) / f"{name}-{kernel}-{len(y)}-{C}.svm")
        dump_svmlight_file(x, y, self.path, zero_based=False)


def image_classes(rows, seed):
    """Two classes of smooth 16 x 16 images, five prototypes each, of which rows are shifted, noisy
    copies: as digits of USPS, of which no copy is at hand."""
    draw = np.random.default_rng(seed)
    side = np.exp(-np.subtract.outer(np.arange(16), np.arange(16)) ** 2 / 8)
    rough = draw.normal(size=(10, 16, 16))
    shapes = np.tanh(np.einsum("ij,kjl,lm->kim", side, rough, side) / 4)
    which, images = draw.integers(0, 10, rows), np.empty((rows, 256))
    for i, k in enumerate(which):
        moved = np.roll(shapes[k], draw.integers(-1, 2, 2), (0, 1))
        images[i] = (moved + 0.5 * draw.normal(size=(16, 16))).ravel()
    return images, np.where(which < 5, 1.0, -1.0)


def read(path, rows=None):
    with lzma.open(path, "rb") as file:
        text = file.readlines()[:rows]
    with tempfile.TemporaryFile() as cut:
        cut.writelines(text)
        cut.seek(0)
        return load_svmlight_file(cut)


def problems(bench, folder, quick):
    from scipy.sparse import csr_matrix
    x, y = read(bench.ROOT / "examples/data/digits.svm.xz")
    x, y = csr_matrix(x / 16), np.where(y % 2 == 0, 1.0, -1.0)
    yield Problem(folder, "digits", x, y, "linear", 1)
    yield Problem(folder, "digits", x, y, "rbf", 10, 0.1)
    images, classes = image_classes(1000 if quick else 2000, 1)
    images = csr_matrix(images)
    yield Problem(folder, "images", images, classes, "linear", 0.01)
    yield Problem(folder, "images", images, classes, "rbf", 10, 0.003)
    text = bench.DATA / "debtext1.train.svm.xz"
    if not text.exists():
        print(f"bench: {text} is not there: skipped", file=sys.stderr)
        return
    x, y = read(text, 20000)
    pick = np.random.default_rng(1).permutation(len(y))[:2000 if quick else 4000]
    x, y = x[pick], np.where(np.isin(y[pick], (28, 29)), 1.0, -1.0)
    for C in (0.1, 1, 10):
        yield Problem(folder, "debtext1", x, y, "linear", C)
    yield Problem(folder, "debtext1", x, y, "rbf", 10, 0.5)
    if not quick:
        x, y = read(text)
        y = np.where(np.isin(y, (28, 29)), 1.0, -1.0)
        yield Problem(folder, "debtext1", x, y, "linear", 1)


def timed(command, system=False):
    """Its output and the user time of its process, with the system's time where asked."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"bench: {command} failed")
    return out, usage.ru_utime + (usage.ru_stime if system else 0)


def ours(bench, problem, screen, tol=TOL, C=None):
    """The fit's JSON with the user time of the process, which reads the file too."""
    command = [bench.TAMIS, "fit", problem.path, "--json", "--threads", 1, "--method", "svm",
               "--kernel", problem.kernel, "--C", C or problem.C, "--tol", tol, "--screen", screen,
               "--intercept", "none" if problem.kernel == "linear" else "free"]
    if problem.kernel == "rbf":
        command += ["--gamma", problem.gamma]
    out, seconds = timed(command)
    return json.loads(out) | {"user": seconds}


def solve_alone(bench, problem, repeats, ways):
    """tests/bench/svm_solvers.c: for each way the seconds of solving and of making its rows, the
    distance to the bound, and counts."""
    lines = bench.lines(bench.ROOT / "build/tests/bench/svm_solvers", problem.path, problem.kernel,
                        problem.C, problem.gamma, repeats, *ways)
    return {f"{line[0]}@{line[1]}": [float(v) for v in line[2:]] for line in lines}


def peer_ways(bench, problem):
    """The loosest tolerance, to a factor of 1.3, at which the peer's answer is as near as ours, and
    the next looser one; the tightest where it never is."""
    program = "liblinear-train" if problem.kernel == "linear" else "svm-train"
    built = (bench.ROOT / "build/tests/bench/svm_solvers").exists()
    if not shutil.which(program) or not built:
        print("bench: LIBLINEAR or LIBSVM (scripts/setup --bench) is not there", file=sys.stderr)
        return []
    eps = [f"{0.1 * 1.3 ** -k:.3g}" for k in range(0, 24, 1 if problem.kernel == "linear" else 4)]
    found = solve_alone(bench, problem, 1, [f"peer@{e}" for e in eps])
    near = [k for k, e in enumerate(eps) if found[f"peer@{e}"][2] <= TOL]
    last = near[0] if near else len(eps) - 1
    return [f"peer@{e}" for e in eps[max(last - 1, 0):last + 1]]


def peer_command(problem, eps, folder):
    model = str(pathlib.Path(folder) / "peer.model")
    how = ["liblinear-train", "-q", "-s", 3, "-B", -1] if problem.kernel == "linear" else [
        "svm-train", "-q", "-t", 2, "-g", problem.gamma]
    return [*how, "-c", problem.C, "-e", eps, problem.path, model]


def single(bench, list_of, folder, repeats):
    rows = []
    for problem in list_of:
        n = problem.x.shape[0]
        label = [problem.name, problem.kernel, f"{problem.C:g}", f"{n:,} x {problem.x.shape[1]:,}"]
        peers = peer_ways(bench, problem)
        ways = [f"{screen}@{TOL:g}" for screen in SCREENS] + peers
        alone = solve_alone(bench, problem, repeats, ways) if peers else {}
        whole, fits = {way: [] for way in ways}, {}
        for _ in range(repeats):
            for way in ways:
                name, tol = way.split("@")
                if name == "peer":
                    whole[way].append(timed(peer_command(problem, tol, folder))[1])
                    continue
                fits[way] = ours(bench, problem, name)
                whole[way].append(fits[way]["user"])
        for way in ways:
            name, tol = way.split("@")
            fit, found = fits.get(way), alone.get(way)
            counts = [f"{fit['updates']:,}", f"{fit['columns']:,}",
                      f"{n - fit['screened']:,}"] if fit else ["", "", ""]
            program = "LIBLINEAR" if problem.kernel == "linear" else "LIBSVM"
            rows.append([*label, name if fit else f"{program} -e {tol}",
                         f"{statistics.mean(whole[way]):.3f}",
                         *([f"{1000 * t:.1f}" for t in found[:2]] if found else ["", ""]),
                         *counts,
                         f"{found[2]:.1e}" if found else ""])
    return bench.table(["data", "kernel", "C", "size", "solver", "process s", "solving ms",
                        "rows ms", "updates", "columns", "samples kept", "distance"], rows)


def starts(bench, folder):
    """What a process costs that has almost nothing to solve: a sentence."""
    path, model = pathlib.Path(folder) / "two.svm", pathlib.Path(folder) / "two.model"
    path.write_text("+1 1:1\n-1 1:-1\n", encoding="ascii")
    found = []
    for name, command in {
            "tamis fit": [bench.TAMIS, "fit", path, "--method", "svm", "--threads", 1],
            "liblinear-train": ["liblinear-train", "-q", "-s", 3, path, model],
            "svm-train": ["svm-train", "-q", path, model]}.items():
        if shutil.which(str(command[0])):
            spent = [timed(command, system=True)[1] for _ in range(20)]
            found.append(f"{1000 * statistics.median(spent):.1f} ms of `{name}`")
    return ["Included in `process s` is the start of the program: a file of two rows costs, with",
            "the system's time, the median of 20, " + ", ".join(found) + "."]


def paths(bench, list_of, quick):
    """Paths of C; beside the table the points of the figure: data, kernel, screen, number of
    values, seconds, samples kept."""
    rows, points, seen = [], [], set()
    for problem in list_of:
        label = (problem.name, problem.kernel)
        if label in seen:
            continue
        seen.add(label)
        slow = problem.kernel == "rbf" and problem.x.shape[0] > 3000
        for count in (5,) if quick or slow else (3, 5, 10, 20):
            grid = ",".join(f"{problem.C * 0.01 ** (1 - k / (count - 1)):.6g}"
                            for k in range(count))
            for screen in ("shrink", "sequential", "saiv", "auto"):
                run = ours(bench, problem, screen, C=grid)
                kept = sum(problem.x.shape[0] - point["screened"] for point in run["path"]) / count
                points.append(f"{label[0]} {label[1]} {screen} {count} {run['user']} {kept}\n")
                if count in (5, 20):
                    rows.append([*label, count, screen, f"{run['user']:.3f}",
                                 f"{run['updates']:,}", f"{run['columns']:,}", f"{kept:.0f}"])
    return bench.table(["data", "kernel", "values of C", "screen", "process s", "updates",
                        "columns", "samples kept, mean"], rows), points


def draw_paths(bench, points):
    """Figure 5.1, where results are written down."""
    if not bench.WRITES:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(points)
        file.flush()
        bench.lines(bench.TAMIS, "run", "tests/bench/samples_plot.lua", file.name,
                    bench.ROOT / "docs/figures")


def samples(bench, repeats, quick):
    with tempfile.TemporaryDirectory() as folder:
        list_of = list(problems(bench, folder, quick))
        one = single(bench, list_of, folder, repeats)
        many, points = paths(bench, list_of, quick)
        start = starts(bench, folder)
    draw_paths(bench, points)
    return ["## Support vector machines and screening of samples", "",
            "SAIF's table 5.1 in kind: `digits` (even against odd, divided by 16), smooth",
            "random images in two classes of five prototypes each (in place of USPS, of which",
            "no copy is at hand), and 4,000 rows and all of debtext1 (libs and libdevel against",
            "the rest). Linear without an intercept, rbf with a free one; certified gap at most",
            "1e-5 of the null model's objective. Peers: LIBLINEAR (`-s 3 -B -1`) and LIBSVM,",
            "with the loosest of their tolerances, in steps of 1.3 (2.9 for LIBSVM), at which",
            "the objective of their answer is proven that close, and the one before it.",
            "`process s`: user time of the whole process, `tamis fit`, `liblinear-train` or",
            "`svm-train`, which starts and reads the file: the mean of the repeats. `solving",
            "ms`: processor time of solving in one process (`tests/bench/svm_solvers.c`), the",
            "least of the repeats; ours with the certificate and the model. `rows ms`: before",
            "it, of copying the rows (ours) or making the nodes (theirs) from the same columns.",
            "The solvers take turns. `columns` are multiplications with rows and kernel values,",
            "in columns' worth; `samples kept` is the number worked on at the end; `distance`",
            "is the objective less the best certified bound (of tol 1e-7), relative to that at",
            "w = 0; of our own answers it is the certified gap.",
            ""] + one + ["", *start, "",
            "Figure 5.1 in kind: paths of C, from 0.01 of the greatest up, one run each.", "",
            "![seconds against values of C](figures/svm_paths.svg)",
            "![samples kept against values of C](figures/svm_kept.svg)", ""] + many


PARTS = {"samples": samples}
