"""The generalised lasso beside CVXOPT at the sizes of SAIF's tables 3.2 to 3.4, large problems,
and bounds by linear programs; parts of scripts/bench."""
import pathlib
import random
import statistics
import subprocess
import tempfile


def make(folder, shape, edges, seed):
    """The thesis's simulation: X in [-10, 10], coefficients constant on two regions."""
    n, p, loss = shape
    draw = random.Random(seed)
    order = list(range(p))
    draw.shuffle(order)
    pairs = {(order[k], order[draw.randrange(max(0, k - 5), k)]) for k in range(1, p)}
    pairs = set(draw.sample(sorted(pairs), min(edges, p - 1)))
    while len(pairs) < edges:
        a, b = draw.sample(range(p), 2)
        if (a, b) not in pairs and (b, a) not in pairs:
            pairs.add((a, b))
    region = {j: value for start, value in ((0, 0.8), (p // 2, -0.6))
              for j in order[start:start + p // 100]}
    rows = [[draw.uniform(-10, 10) for _ in range(p)] for _ in range(n)]
    y = [sum(row[j] * w for j, w in region.items()) + draw.gauss(0, 1) for row in rows]
    if loss == "logistic":
        middle = sorted(y)[n // 2]
        y = [1 if value >= middle else -1 for value in y]
    data, graph = folder / "data.csv", folder / "graph.edges"
    with open(data, "w", encoding="ascii") as file:
        file.write("y," + ",".join(f"x{j + 1}" for j in range(p)) + "\n")
        for value, row in zip(y, rows):
            file.write(f"{value!r}," + ",".join(f"{v:.9g}" for v in row) + "\n")
    graph.write_text("".join(f"{a + 1} {b + 1}\n" for a, b in sorted(pairs)), encoding="ascii")
    return data, graph


CASES = [("3.2", (100, 3000, "squared"), 0, 3, 1, ["p-1", "1.2p"]),
         ("3.3", (60, 1500, "logistic"), 0, 3, 1, ["p-1", "1.2p"]),
         ("3.4", (100, 5000, "squared"), 8, 100, 50, ["0.6p"])]


def count_edges(word, p):
    return p - 1 if word == "p-1" else round(float(word[:-1]) * p)


def compare(bench, case, word, repeats):
    number, shape, ratio, first, last, _ = case
    lambdas = [first + (last - first) * k / 49 for k in range(50)]
    text = ",".join(f"{value:.9g}" for value in lambdas)
    with tempfile.TemporaryDirectory() as name:
        data, graph = make(pathlib.Path(name), shape, count_edges(word, shape[1]), 1)
        screens = ["none", "bounds", "transform"]
        runs = {}
        for _ in range(repeats):
            for row in bench.tamis("structure.lua", data, graph, shape[2], ratio, 1e-8, text,
                                   strategies=screens):
                runs.setdefault((row[0], row[2]), []).append(row)
        points = sorted({key[1] for key in runs}, key=float)
        peer = bench.lines("/usr/bin/python3", "tests/bench/peer_cvxopt.py", data, graph, shape[2],
                           ratio, points[-1])
    seconds = {s: bench.median_of(runs[s, points[0]], 1) / len(points) for s in screens}
    other = float(peer[0][1])
    worst = max(abs(float(runs[s, x][0][3]) - float(runs["none", x][0][3]))
                for s in screens for x in points)
    gap = max(float(runs[s, x][0][4]) for s in screens for x in points)
    first = float(runs["none", points[-1]][0][3])
    return [number, word, f"{other:.2f}", *(f"{seconds[s]:.4f}" for s in screens),
            f"{other / seconds['none']:.0f}", f"{worst:.1e}", f"{gap:.1e}",
            f"{float(peer[0][0]) - first:.1e}"]


def structure(bench, repeats, quick):
    rows = []
    for case in CASES:
        shape = (case[1][0] // 2, case[1][1] // 10, case[1][2]) if quick else case[1]
        for word in case[5]:
            rows.append(compare(bench, (case[0], shape, *case[2:]), word, 1 if quick else repeats))
    head = ["table", "edges", "CVXOPT", "none", "bounds", "transform", "CVXOPT / none",
            "primal difference", "worst gap", "CVXOPT's primal - ours"]
    return ["## Structure: SAIF's tables 3.2 to 3.4 in kind", "",
            "The generalised lasso on a random graph at the sizes of the thesis: CPU seconds a",
            "lambda. Tamis solves paths of 50 lambdas (3 to 1; table 3.4: 100 to 50 with l1_ratio",
            "8) to a certified relative gap of 1e-8, without screening and with; the primal",
            "difference is the greatest between them. CVXOPT, an interior-point solver, solves the",
            "greatest lambda alone.", ""] + bench.table(head, rows)


LARGE = {
    "line": "total variation along a line of 1,000,000 (X = I), lambda 5",
    "trend": "trend filtering, order 1, of 100,000 (X = I), lambda 1,000, tol 1e-6",
    "trend_rows": "the same of 20,000 features, n = 100, lambda_max x 0.1, tol 1e-6",
    "image": "total variation of an image of 256 x 256 (X = I), lambda 1",
    "grid": "a grid of 64 x 64 x 32, n = 200, lambda_max x 0.3",
    "graph": "100,000 nodes and 300,000 edges, n = 100, lambda_max x 0.3",
    "tree": "a random tree of 100,000, n = 100, lambda_max x 0.3",
    "tree_saif": "the same by screen saif",
}


def structure_large(bench, repeats, quick):
    rows = []
    for kind, what in LARGE.items():
        if quick and kind in ("image", "grid"):
            continue
        runs = [bench.tamis("structure_large.lua", strategies=[kind])[0]
                for _ in range(1 if quick else repeats)]
        if runs[0][1] != "converged":
            raise SystemExit(f"bench: {kind} did not converge")
        rows.append([what, f"{bench.median_of(runs, 2):.2f}", f"{bench.median_of(runs, 3):.0f}",
                     f"{float(runs[0][4]):.1e}", f"{float(runs[0][5]):.10g}", runs[0][6]])
    head = ["problem", "CPU seconds", "peak MiB", "gap", "primal", "columns"]
    return ["## Structure: large problems", "",
            "One solve of the generalised lasso in a process of its own, relative tolerance",
            "1e-8 if not said, no intercept; the gap is absolute and certified. The peak is of",
            "the whole process, reading or making the data with it.", ""] + bench.table(head, rows)


def beside(bench, word, repeats):
    """Rows of table 3.9 at two lambdas; the lower bound of both solvers' gaps is ours."""
    shape, ratio, lambdas = (30, 500, "squared"), 1, ["500", "50"]
    screens = ["none", "bounds", "transform"]
    with tempfile.TemporaryDirectory() as name:
        data, graph = make(pathlib.Path(name), shape, count_edges(word, shape[1]), 1)
        rows = []
        for lam in lambdas:
            runs = {}
            for _ in range(repeats):
                for row in bench.tamis("structure.lua", data, graph, shape[2], ratio, 1e-8, lam,
                                       strategies=screens):
                    runs.setdefault(row[0], []).append(row)
            peer = [bench.lines("/usr/bin/python3", "tests/bench/peer_cvxopt.py", data, graph,
                                shape[2], ratio, lam)[0] for _ in range(repeats)]
            lower = max(float(runs[s][0][3]) - float(runs[s][0][4]) for s in screens)
            other = statistics.median(float(row[1]) for row in peer)
            ours = {s: bench.median_of(runs[s], 1) for s in screens}
            rows.append([word, lam, f"{other:.2f}", *(f"{ours[s]:.4f}" for s in screens),
                         f"{other / ours['none']:.0f}", f"{float(runs['none'][0][3]):.10g}",
                         f"{float(runs['none'][0][3]) - lower:.1e}",
                         f"{float(peer[0][0]) - lower:.1e}"])
    return rows


def structure_solvers(bench, repeats, quick):
    rows = []
    for word in ["0.8p", "1.3p"]:
        rows += beside(bench, word, 1 if quick else repeats)
    head = ["edges", "lambda", "CVXOPT", "none", "bounds", "transform", "CVXOPT / none", "primal",
            "gap", "CVXOPT's gap"]
    return ["## Structure: SAIF's table 3.9 in kind", "",
            "One solve of the sparse generalised fused lasso (l1_ratio 1) on a random graph, with",
            "n = 30 and p = 500: CPU seconds of Tamis without screening and with, of CVXOPT, an",
            "interior-point solver. Both gaps are measured from the same certified lower bound;",
            "the thesis's other two solvers, paths and graph cuts, are not in Debian.",
            ""] + bench.table(head, rows)


LP_COLUMNS = ["lambda", "gap", "gap_here", "seconds", "excess", "rejected_lp", "rejected_bounds",
              "rejected_transform", "mean_lp", "mean_bounds", "mean_transform", "apart",
              "apart_variance"]


def programs(bench, word, shape, every):
    """One row of the table, and a row for each lambda."""
    edges = count_edges(word, shape[1])
    with tempfile.TemporaryDirectory() as name:
        data, graph = make(pathlib.Path(name), shape, edges, 1)
        printed = bench.output(bench.TAMIS, "run", "--jobs", "1", "tests/bench/bounds.lua", data,
                               graph, 1e-8, 50, 0.05)
        peer = ["/usr/bin/python3", "tests/bench/peer_linprog.py", data, str(every)]
        found = subprocess.run(peer, input="\n".join(printed) + "\n", cwd=bench.ROOT, check=True,
                               text=True, stdout=subprocess.PIPE).stdout
    points = [dict(zip(LP_COLUMNS, map(float, line.split()))) for line in found.splitlines()]
    if max(point["excess"] for point in points) > 1e-9:
        raise SystemExit("bench: a propagated bound excludes what a linear program finds")
    if max(abs(point["gap"] / point["gap_here"] - 1) for point in points) > 1e-6:
        raise SystemExit("bench: the linear programs are of another ball")
    ours = float(next(line.split()[2] for line in printed if line.startswith("time\tbounds")))
    theirs = sum(point["seconds"] for point in points) * 2 * edges

    def mean(column):
        return statistics.fmean(point[column] for point in points)
    greatest = points[0]["lambda"] / 0.05 ** (1 / 49)
    return ([word, f"{theirs:.0f}", f"{ours:.3f}", f"{theirs / ours:.0f}"]
            + [f"{mean(column):.3f}" for column in LP_COLUMNS[5:8]]
            + [f"{mean(column):.4f}" for column in ("mean_lp", "mean_bounds", "mean_transform")]
            + [f"{max(point['apart'] for point in points):.1e}"],
            [[word, f"{point['lambda'] / greatest:.6g}"]
             + [f"{point[column]:.6g}" for column in LP_COLUMNS[4:]] for point in points])


def structure_lp(bench, repeats, quick):
    rows, points = [], [["edges", "ratio", *LP_COLUMNS[4:]]]
    for word in ["1.2p", "1.3p"]:
        row, more = programs(bench, word, (50, 500, "squared"), 200 if quick else 20)
        rows.append(row)
        points += more
    if bench.WRITES:
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name, "points.csv")
            file.write_text("".join(",".join(row) + "\n" for row in points), encoding="ascii")
            bench.output(bench.TAMIS, "run", "tests/bench/bounds_plot.lua", file,
                         bench.ROOT / "docs/figures")
    head = ["edges", "linear programs", "propagation", "ratio", "rejected: programs",
            "propagation", "transform", "mean bound: programs", "propagation", "transform",
            "greatest mean difference"]
    return ["## Structure: SAIF's table 3.5 and figures 3.7 to 3.9", "",
            "The bounds that screening propagates against linear programs (HiGHS, by SciPy) over",
            "the same intervals, n = 50, p = 500, along 50 lambdas to 0.05 of lambda_max, each",
            "screened from the answer before. CPU seconds of two programs an edge and lambda,",
            "measured on every twentieth edge, and of the whole path by screen bounds, its solves",
            "included. Rejected are the edges proven to have equal ends; a bound is the greatest",
            "|u| as a share of lambda; means over those edges and all lambdas. No propagated bound",
            "is below what a program reaches; difference: of propagation and programs. Their",
            "ball is made from the printed answer, in Python, and has the gap that the log has.",
            ""] + bench.table(head, rows)


SCREENED = [("3.2", (100, 3000, "squared"), 0, 0, ["p-1", "1.1p", "1.2p", "1.3p"]),
            ("3.3", (60, 1500, "logistic"), 0, 0, ["p-1", "1.2p"]),
            ("3.4", (100, 5000, "squared"), 8, 100, ["0.6p", "1.2p"]),
            ("a tree", (100, 5000, "squared"), 0, 0, ["p-1"])]


def screened(bench, case, word, repeats):
    number, shape, ratio, first, _ = case
    screens = ["none", "bounds", "transform", "paths"]
    with tempfile.TemporaryDirectory() as name:
        data, graph = make(pathlib.Path(name), shape, count_edges(word, shape[1]), 1)
        runs = {}
        for row in bench.tamis("structure_screening.lua", data, graph, shape[2], ratio, first,
                               repeats, strategies=screens):
            runs.setdefault(row[0], []).append(row)
    seconds = {s: bench.median_of(runs[s], 1) for s in screens}
    return [number, word, f"{seconds['none']:.3f}",
            *(f"{seconds[s] / seconds['none']:.2f}" for s in screens[1:]),
            *(f"{float(runs[s][0][2]):.0f}" for s in ("none", "transform")),
            *(f"{float(runs[s][0][3]):.3f}" for s in screens[1:]),
            f"{max(float(row[4]) for s in screens for row in runs[s]):.1e}"]


def structure_screening(bench, repeats, quick):
    rows = []
    for case in SCREENED:
        shape = (case[1][0] // 2, case[1][1] // 10, case[1][2]) if quick else case[1]
        for word in case[4]:
            rows.append(screened(bench, (case[0], shape, *case[2:]), word, repeats))
    head = ["table", "edges", "none", "bounds", "transform", "paths", "passes: none", "transform",
            "rejected: bounds", "transform", "paths", "primal difference"]
    return ["## Structure: what screening saves and rejects", "",
            "Paths of 50 lambdas at the sizes of SAIF's tables 3.2 to 3.4 and on a tree: CPU",
            "seconds of the process for the whole path without screening, and the share of that",
            "with each kind of it; the certified relative gap is 1e-8. Rejected is the mean share",
            "of the features that are proven equal to others or 0 for their lambda; the",
            "primal difference is the greatest relative one to no screening. The thesis's lambdas",
            "of 3 to 1 begin where every term is zero (its sparse levels begin with 1.000), so",
            "here they are lambda_max to a third of it; for table 3.4 they are its own, 100 to 50,",
            "with l1_ratio 8.", ""] + bench.table(head, rows)


PARTS = {"structure": structure, "structure_large": structure_large, "structure_lp": structure_lp,
         "structure_screening": structure_screening,
         "structure_solvers": structure_solvers}
