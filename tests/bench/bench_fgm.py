"""The part `fgm` of scripts/bench: what FGM and MSLR measure, and their peers.

A function of (bench, repeats, quick) that returns lines of Markdown; `bench` is scripts/bench itself.
"""
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from bench_strategies import shared, two_classes


def runs(bench, data, test, method, variants, repeats=1, jobs=1):
    """Rows by variant, each repeat running all variants in turn."""
    rows = {}
    for _ in range(repeats):
        for row in bench.lines(bench.TAMIS, "run", "--jobs", jobs, "tests/bench/fgm.lua", data, test,
                               method, *variants):
            rows.setdefault(row[0], []).append(row)
    return [rows[v] for v in variants]


def seconds(rows):
    return statistics.median(float(row[3]) for row in rows)


def masters(bench, repeats, quick):
    """MSLR's claim: at the same gap, mslr against the sub-gradient method; and to which value each comes."""
    n, p, k = (512, 1024, 40) if quick else (2048, 4096, 100)
    cases = [(f"10 rounds, B = {B}", f"B={B},C=10,T=10,inner_tol=1e-3") for B in (5, 20)]
    cases += [(f"gap {tol}", f"B=10,C=10,tol={tol}") for tol in (["1e-2"] if quick else ["1e-2", "1e-3"])]
    rows = []
    for case, common in cases:
        logistic = f"{common},loss=logistic,intercept=false"
        found = [("mslr", runs(bench, f"fgm:{n}:{p}:{k}", "-", "mslr", [common], repeats)[0])]
        for master in ("support", "apg", "simplemkl"):
            limit = ",max_seconds=300" if master == "simplemkl" else ""
            found.append((f"fgm {master}", runs(bench, f"fgm:{n}:{p}:{k}", "-", "fgm",
                                                [f"{logistic},master={master}{limit}"], repeats)[0]))
        slow = seconds(found[-1][1])
        for name, r in found:
            rows.append([case, name, f"{seconds(r):.3f}", f"{slow / seconds(r):.1f}", r[0][1], r[0][6],
                         r[0][8]])
    head = ["until", "method", "seconds", "simplemkl / this", "features", "gap / null", "objective"]
    return [f"### Masters: synthetic {n:,} x {p:,}, {k} true features, logistic, C = 10, no intercept", "",
            "After the same rounds `mslr`, apg and simplemkl have solved the same master problem; support's knows more sets "
            "of the same features, so its objective is lower.", ""] + bench.table(head, rows)


def large(bench, repeats, quick):
    """FGM figure 3: time and memory on dense data, and LIBLINEAR choosing as many features where a file of the
    data is not too large for it."""
    shapes = [(1024, 8192, 60, True)] if quick else [(2048, 16384, 100, True), (8192, 65536, 300, False)]
    rows = []
    for n, p, k, peer in shapes:
        features = 2 * k
        for loss in ("squared_hinge", "logistic"):
            variant = f"B={features // 10},features={features},C=10,loss={loss},intercept=false,threads=2"
            r = runs(bench, f"fgm:{n}:{p}:{k}:float", "1024", "fgm", [variant], 1, 2)[0]
            rows.append([f"{n:,} x {p:,}", f"fgm {loss}", r[0][1], f"{seconds(r):.2f}",
                         f"{int(r[0][11]) / 1024:,.0f}", r[0][9], r[0][10]])
        if peer and shutil.which("liblinear-train"):
            rows += liblinear(bench, n, p, k, features)
    head = ["data", "solver", "features", "seconds", "peak MB", "test accuracy", "true features"]
    return ["### Dense data in single precision (FGM figure 3)", "",
            "The peak is that of the process, which draws the data first. LIBLINEAR: -s 5 and -s 6 with the C at which "
            "they choose about as many features, reading the file taken off.", ""] + bench.table(head, rows)


def liblinear(bench, n, p, k, features):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path, model = pathlib.Path(folder, "data.svm"), pathlib.Path(folder, "model")
        subprocess.run([bench.TAMIS, "eval", f"tm.synth('fgm', {{n={n}, p={p}, k={k}, seed=1}})"
                        f":save('{path}')"], check=True, cwd=bench.ROOT, stdout=subprocess.DEVNULL)
        for solver, name in (("5", "LIBLINEAR -s 5"), ("6", "LIBLINEAR -s 6")):
            reading = train(path, model, solver, 1e-9)[0]
            low, high = 1e-6, 10.0
            for _ in range(9): # about as many features
                c = (low * high) ** 0.5
                took, chosen = train(path, model, solver, c)
                if abs(chosen - features) <= features / 10:
                    break
                low, high = (c, high) if chosen < features else (low, c)
            rows.append([f"{n:,} x {p:,}", name, chosen, f"{max(took - reading, 0):.2f}", "", "", ""])
    return rows


def train(path, model, solver, c):
    began = time.perf_counter()
    subprocess.run(["liblinear-train", "-q", "-s", solver, "-c", repr(c), path, model], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = time.perf_counter() - began
    weights = model.read_text().split("\nw\n", 1)[1].split()
    return took, sum(float(w) != 0 for w in weights)


def sensitivity(bench, repeats, quick, train_file, test_file):
    """FGM figures 10 to 12 in kind: B for a fixed number of features, and C."""
    features = 100 if quick else 400
    Bs = [10, 20, 50, 100] if quick else [2, 4, 8, 20, 40, 80, 200, 400]
    variants = [f"B={B},features={features},C=10,intercept=false,threads=2" for B in Bs]
    found = runs(bench, train_file, test_file, "fgm", variants, 1, 2)
    rows = [["B", B, r[0][1], f"{seconds(r):.2f}", r[0][9]] for B, r in zip(Bs, found)]
    Cs = ["0.5", "5", "50", "500"]
    variants = [f"B=20,features={features},C={C},intercept=false,threads=2" for C in Cs]
    found = runs(bench, train_file, test_file, "fgm", variants, 1, 2)
    rows += [["C", C, r[0][1], f"{seconds(r):.2f}", r[0][9]] for C, r in zip(Cs, found)]
    head = ["varied", "value", "features with weight", "seconds", "test accuracy"]
    return [f"### B and C on debtext1, libraries, {features} features (FGM figures 10 to 12)", "",
            "C = 10 where B is varied, B = 20 where C is."] + [""] + bench.table(head, rows)


def generated(bench, quick, train_file, test_file):
    """FGM sections 8.5 and 8.6 in kind: features that are never stored."""
    cases = [("debtext1, columns", train_file, test_file, "B=40,features=200"),
             ("debtext1, products of degree 2", train_file, test_file, "B=40,features=200,source=poly2"),
             ("debtext1, histogram intersection", train_file, test_file, "B=20,features=40,source=hik")]
    shape = "fgm_group:1024:40000:20" if quick else "fgm_group:4096:400000:100:generated"
    cases.append((f"{shape.split(':')[2]} columns in groups of 10", shape, "512" if quick else "-",
                  "B=10,features=40,source=groups,groups=10,loss=logistic" if quick else
                  "B=20,features=100,source=groups,groups=10,loss=logistic"))
    rows = []
    for name, data, test, variant in cases:
        r = runs(bench, data, test, "fgm", [variant + ",C=10,threads=2"], 1, 2)[0]
        rows.append([name, r[0][2], r[0][1], f"{seconds(r):.2f}", f"{int(r[0][11]) / 1024:,.0f}", r[0][9],
                     r[0][10]])
    head = ["source", "units chosen", "features with weight", "seconds", "peak MB", "test accuracy", "true groups"]
    return ["### Features that are never stored (FGM sections 8.5 and 8.6)", "",
            "debtext1 has 31,216 columns: 487 million products, 3.1 million histogram features. Accuracy 0: not scored."] + \
        [""] + bench.table(head, rows)


def fgm(bench, repeats, quick):
    out = ["## Feature generation (FGM, MSLR)", ""]
    out += masters(bench, 1 if quick else repeats, quick) + [""]
    out += large(bench, repeats, quick) + [""]
    debtext, test = shared(bench, "debtext1.train.svm.xz"), shared(bench, "debtext1.test.svm.xz")
    if debtext and test:
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("train.svm", "test.svm")]
            two_classes(debtext, files[0], (28, 29))
            two_classes(test, files[1], (28, 29))
            out += sensitivity(bench, repeats, quick, *files) + [""] + generated(bench, quick, *files)
    return out


PARTS = {"fgm": fgm}
