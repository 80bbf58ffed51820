"""The parts of scripts/bench that compare screening strategies with each other, as the seeds'
tables do.

Each part is a function of (bench, repeats, quick) that returns lines of Markdown; `bench` is
scripts/bench itself.
"""
import lzma
import pathlib
import statistics
import sys
import tempfile

CONFIGS = ["org", "warm", "shr", "warm_shr", "scr", "warm_scr", "scr_shr"]


def shared(bench, name):
    path = bench.DATA / name
    if path.exists():
        return path
    print(f"bench: {name} is not in {bench.DATA}: skipped", file=sys.stderr)
    return None


def two_classes(source, target, positive):
    """A file of section numbers as +1 for those in `positive` and -1 for the rest."""
    with lzma.open(source, "rt") as given, target.open("w") as out:
        for line in given:
            label, rest = line.split(" ", 1)
            out.write(("+1 " if int(float(label)) in positive else "-1 ") + rest)


def interleaved(bench, repeats, script, args, names):
    """Rows by name, each repeat running all names in turn."""
    by_name = {}
    for _ in range(repeats):
        for row in bench.tamis(script, *args, strategies=names):
            by_name.setdefault(row[0], []).append(row)
    return by_name


def must_converge(rows, status):
    for row in rows:
        if row[status] != "converged":
            sys.exit(f"bench: {row} did not converge")


def configs(bench, repeats, quick):
    """VI's tables 2 and 3."""
    rows, tol, count = [], 1e-4, 8 if quick else 20
    with tempfile.TemporaryDirectory() as folder:
        files = []
        leukemia, debtext = shared(bench, "leukemia.svm.xz"), shared(bench, "debtext1.train.svm.xz")
        if leukemia:
            files.append(("leukemia", leukemia, count))
        if debtext:
            libs = pathlib.Path(folder, "debtext1.svm")
            two_classes(debtext, libs, (28, 29))
            files.append(("debtext1, libs", libs, 4 if quick else 20))
        for data, path, lambdas in files:
            runs = interleaved(bench, repeats, "configs.lua", [path, "l1svm", lambdas, tol],
                               CONFIGS)
            must_converge([row for name in CONFIGS for row in runs[name]], 7)
            best = min(bench.median_of(runs[name], 2) for name in CONFIGS)
            for name in CONFIGS:
                seconds, row = bench.median_of(runs[name], 2), runs[name][0]
                rows.append([data, lambdas, name, f"{seconds:.4f}", f"{seconds / best:.1f}",
                             f"{int(row[3]):,}", f"{int(row[4]):,}", f"{float(row[5]):.1f}",
                             row[1]])
    head = ["data", "lambdas", "config", "seconds", "x best", "epochs", "updates", "passes",
            "chosen at the end"]
    return ["## VI's tables 2 and 3: seven configurations", "",
            "`l1svm` with an intercept along lambda_max / k, k = 1, 2, ..., relative gap at most",
            "1e-4. The base solver is proximal Newton, in the paper coordinate gradient descent:",
            "epochs compare with each other only.",
            ""] + bench.table(head, rows)


def single_lambdas(bench, repeats, cases, names, tol):
    rows = []
    for data, spec, method, lambdas in cases:
        for lam in lambdas:
            runs = interleaved(bench, repeats, "at_lambda.lua", [spec, method, lam, tol], names)
            saif = bench.median_of(runs["saif"], 2)
            for name in names:
                seconds, row = bench.median_of(runs[name], 2), runs[name][0]
                least = "" if row[6] == "converged" else "> "
                rows.append([data, lam, name, f"{least}{seconds:.4f}",
                             f"{least}{seconds / saif:.1f}", f"{int(row[3]):,}",
                             f"{float(row[4]):.1f}", row[1]])
    return bench.table(["data", "lambda", "screen", "seconds", "x saif", "updates", "passes",
                        "chosen"], rows)


def squared(bench, repeats, quick):
    """SAIF's figures 2.2 and 2.3."""
    n, p = (100, 1000) if quick else (100, 5000)
    lambdas = ["1000", "100"] if quick else ["1000", "100", "20"]
    cases = [(f"simulation {n} x {p:,}", f"saif:{n}:{p}", "lasso", lambdas)]
    allaml = shared(bench, "allaml.svm.xz")
    if allaml:
        cases.append(("allaml", allaml, "lasso", ["0.1x"] if quick
                      else ["0.1x", "0.01x", "0.001x"]))
    out = ["## SAIF's figure 2.2: time at one lambda", "",
           "The simulation is that of the thesis; its breast cancer data may not be",
           "redistributed and are replaced by allaml (72 x 7,129 gene expressions), at",
           "shares of lambda_max",
           "(marked x). Relative gap at most 1e-6, or a",
           "minute (marked >).", ""]
    out += single_lambdas(bench, repeats, cases, ["none", "gap", "blitz", "ws", "saif", "auto"],
                          1e-6)
    rows = []
    for row in bench.tamis("active_set.lua", allaml or f"saif:{n}:{p}", "0.01", "1e-8", 8,
                           strategies=["gap", "saif"]):
        rows.append([row[0], row[1], f"{int(row[2]):,}", row[3], row[4], row[5]])
    return out + ["", "## SAIF's figure 2.3: the active set and the dual along the way", "",
                  f"{'allaml' if allaml else 'the simulation'}, lambda = 0.01 lambda_max. `dual`",
                  "is a proven lower bound on the whole problem's optimum, where the thesis plots",
                  "that of the sub-problem.",
                  ""] + bench.table(
                      ["screen", "seconds", "columns", "active", "dual", "relative gap"], rows)


def logistic(bench, repeats, quick):
    """SAIF's figure 2.5."""
    sizes = [("fgm:600:500:50", "Gisette's size / 10")] if quick else \
        [("fgm:6000:5000:300", "Gisette's size, 6,000 x 5,000"),
         ("fgm:7291:256:100", "USPS's size, 7,291 x 256")]
    cases = [(name, spec, "l1logistic", ["0.1x"] if quick else ["0.2x", "0.05x", "0.02x"]) for spec,
             name in sizes]
    dexter = shared(bench, "dexter.svm.xz")
    if dexter:
        cases.append(("dexter", dexter, "l1logistic", ["0.1x", "0.02x"]))
    return ["## SAIF's figure 2.5: logistic regression", "",
            "Generated data of the sizes of the thesis' two (`synth fgm`: y = sign(Xw)), and",
            "dexter (300 x 20,000,",
            "sparse). Relative gap at most 1e-6, or a minute (marked >); lambda as a share of "
            "lambda_max.", ""] + single_lambdas(
                bench, repeats, cases, ["none", "gap", "blitz", "ws", "saif", "auto"], 1e-6)


def paths(bench, repeats, quick):
    """SAIF's figure 2.6 and table 2.1."""
    rows = []
    names = ["dpp", "edpp", "strong_once", "homotopy", "saif", "auto"]
    specs = [("simulation", "saif:100:500" if quick else "saif:100:5000", 0.01 if quick else 0.001)]
    allaml = shared(bench, "allaml.svm.xz")
    if allaml and not quick:
        specs.append(("allaml", allaml, 0.001))
    for data, spec, least in specs:
        for count in (10, 20) if quick else (20, 50, 100, 200, 300, 400, 500):
            runs = {}
            for _ in range(1 if not quick and count > 50 else repeats):
                for row in bench.tamis("path_truth.lua", spec, count, least, 1e-6,
                                       strategies=names):
                    runs.setdefault(row[0], []).append(row)
            for name in names:
                row = runs[name][0]
                rows.append([data, count, name, f"{bench.median_of(runs[name], 1):.3f}",
                             f"{int(row[2]):,}", row[3],
                             row[4]] + [f"{float(value):.3f}" for value in row[5:9]])
    head = ["data", "lambdas", "screen", "seconds", "updates", "gap not met at",
            "worst relative gap", "recall",
            "std", "precision", "std"]
    return ["## SAIF's figure 2.6 and table 2.1: paths, and who recovers the features", "",
            "Geometric from lambda_max to 0.001 lambda_max, relative gap at most 1e-6. Recall and",
            "precision are of the features with a weight, against `auto` at 1e-10, averaged over",
            "the lambdas.",
            ""] + bench.table(
                head, rows) + unsafe(bench)


def unsafe(bench):
    """Where the strong rule fails: columns of very different scales, not standardised."""
    runs, seeds, names = {}, 40, ["strong_once", "strong", "vi", "saif"]
    for seed in range(seeds):
        for row in bench.tamis("unsafe.lua", seed, 16, 60, 12, 1e-8, strategies=names):
            runs.setdefault(row[0], []).append(row)
    rows = [[name, sum(int(row[2]) > 0 for row in runs[name]),
             sum(row[1] != "converged" for row in runs[name]),
             max(float(row[3]) for row in runs[name]), min(float(row[4]) for row in runs[name]),
             min(float(row[5]) for row in runs[name])] for name in names]
    return ["",
            "The simulation's columns are alike, and there the strong rule hardly ever fails.",
            "Where columns differ in scale by six powers of ten it does (40 problems of 16 x 60,",
            "12 lambdas, tol 1e-8): only `strong_once` loses",
            "features, and its certificate shows it.", ""] + bench.table(
                ["screen", "paths above the gap", "of which say so", "worst relative gap",
                 "least recall",
                 "least precision"], rows)


def memory_and_seconds(bench, spec, ratio, screen):
    """Of one process that makes the data and solves: its peak memory, and the solve's seconds."""
    row = bench.tamis("at_lambda.lua", spec, "lasso", f"{ratio}x", "1e-6", strategies=[screen])[0]
    if row[6] != "converged":
        sys.exit(f"bench: {spec} {screen}: {row}")
    return row, int(row[7]) / 1024


def draw_growth(bench, points):
    """The figures, where results are written down."""
    if not bench.WRITES:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(points)
        file.flush()
        bench.lines(bench.TAMIS, "run", "tests/bench/growth_plot.lua", file.name,
                    bench.ROOT / "docs/figures")


def scaling(bench, repeats, quick):
    """Time and peak memory against p at fixed support, and against n."""
    rows, points = [], []
    shapes = [(100, p) for p in ((1000, 10000) if quick else (1000, 10000, 100000, 1000000))]
    shapes += [(n, 2000) for n in ((100, 400) if quick else (100, 1000, 10000))]
    for n, p in shapes:
        for screen in ("none", "gap", "blitz", "saif", "auto"):
            runs = [memory_and_seconds(bench, f"saif:{n}:{p}:10", 0.3, screen)
                    for _ in range(repeats)]
            row, seconds = runs[0][0], statistics.median(float(run[0][2]) for run in runs)
            data, peak = n * p * 8 / 2**20, max(run[1] for run in runs)
            points.append(f"{n} {p} {screen} {seconds} {peak}\n")
            rows.append([f"{n:,}", f"{p:,}", screen, row[1], f"{seconds:.4f}", f"{int(row[3]):,}",
                         f"{float(row[4]):.1f}", f"{peak:.0f}", f"{data:.0f}"])
    head = ["n", "p", "screen", "chosen", "seconds", "updates", "passes", "peak MB", "data MB"]
    draw_growth(bench, points)
    return ["## Growth: time and memory against p and n", "",
            "`synth saif` with 10 true features, lambda = 0.3 lambda_max, relative gap at most",
            "1e-6. The peak is that of",
            "the whole process, which makes the data itself; `data` is the matrix alone.", "",
            "![seconds against features](figures/growth_p.svg)",
            "![seconds against samples](figures/growth_n.svg)",
            "![peak memory against features](figures/growth_memory.svg)",
            ""] + bench.table(head, rows)


PARTS = {"configs": configs, "squared": squared, "logistic": logistic, "paths": paths,
         "scaling": scaling}
