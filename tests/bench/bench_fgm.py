"""The part `fgm` of scripts/bench: what FGM and MSLR measure. About four minutes, with --quick one.

A function of (bench, repeats, quick) that returns lines of Markdown; `bench` is scripts/bench
itself.
"""
import pathlib
import statistics
import tempfile

from bench_strategies import shared, two_classes


def runs(bench, data, test, method, variants, repeats=1, jobs=1):
    """Rows by variant, each repeat running all variants in turn."""
    rows = {}
    for _ in range(repeats):
        for row in bench.lines(
            bench.TAMIS, "run", "--jobs", jobs, "tests/bench/fgm.lua", data, test, method, *variants
        ):
            rows.setdefault(row[0], []).append(row)
    return [rows[v] for v in variants]


def seconds(rows):
    return statistics.median(float(row[3]) for row in rows)


MASTERS = {
    "mslr": "",
    "mslr, coordinate descent": "scd",
    "mslr, apg": "apg",
    "mslr, simplemkl": "simplemkl",
}
SLOW = ("scd", "simplemkl")  # the papers' own, which stall above small gaps
PATIENCE = 60  # seconds for each of these


def masters(bench, repeats, quick):
    """MSLR's claim: mslr against the sub-gradient method, at the same gap and after the same
    rounds."""
    n, p, k = (512, 1024, 40) if quick else (2048, 4096, 100)
    cases = [(f"10 rounds, B = {B}", f"B={B},C=10,T=10,inner_tol=1e-3") for B in (5, 20)]
    cases.append(("gap 1e-2", "B=10,C=10,tol=1e-2"))
    rows = []
    for case, common in cases:
        data, found = f"mslr:{n}:{p}:{k}", {}
        for slow in False, True:
            variants = {m: common + (f",master={m}" if m else "") +
                        (f",max_seconds={PATIENCE}" if slow else "")
                        for m in MASTERS.values() if (m in SLOW) == slow}
            found.update(zip(variants, runs(bench, data, "-", "mslr", variants.values(),
                                            1 if slow else repeats)))
        slow, cut = seconds(found["simplemkl"]), seconds(found["simplemkl"]) >= PATIENCE
        for name, r in ((name, found[m]) for name, m in MASTERS.items()):
            rows.append(
                [
                    case,
                    name,
                    f"{seconds(r):.3f}",
                    f"{'> ' if cut else ''}{slow / seconds(r):.1f}",
                    r[0][1],
                    r[0][6],
                    r[0][8],
                ]
            )
    head = ["until", "method", "seconds", "simplemkl / this", "features", "gap / null", "objective"]
    return [
        f"### Masters: synthetic {n:,} x {p:,}, {k} true features, C = 10",
        "",
        "`synth mslr`. `mslr` alone is its default, which solves over all sets of the features",
        "found so far: after the same rounds its objective is at most that of the others,",
        "of which apg and simplemkl have solved one and the same problem; coordinate descent, as",
        "in MSLR, stalls before (docs/fgm.md), which its gaps say. It and simplemkl run once and",
        f"are stopped after {PATIENCE} seconds.",
        "",
    ] + bench.table(head, rows)


def optimum(bench):
    """fgm with the logistic loss and mslr, each master: one optimum."""
    rows = []
    for method, extra in (
        ("mslr", ""),
        ("mslr", "master=scd"),
        ("mslr", "master=apg"),
        ("fgm", "master=support"),
        ("fgm", "master=apg"),
    ):
        options = ",loss=logistic,intercept=false" if method == "fgm" else ""
        r = runs(
            bench,
            "mslr:300:600:20",
            "-",
            method,
            ["B=5,C=1,tol=1e-6" + options + (f",{extra}" if extra else "")],
        )[0][0]
        rows.append([method, extra, r[8], r[6], r[1], f"{float(r[3]):.2f}"])
    return [
        "### One optimum: `mslr` and `fgm` with the logistic loss",
        "",
        "`synth mslr`, 300 x 600, B = 5, C = 1, no intercept, until a gap of 1e-6 of the null",
        "model's objective, which MSLR's coordinate descent does not reach.",
        "",
    ] + bench.table(["method", "", "objective", "gap / null", "features", "seconds"], rows)


def sensitivity(bench, quick, train_file, test_file):
    """FGM figures 10, 11 and 12: C; B when a small change or T ends the run; B for a fixed number
    of features."""

    def table(head, heading, cases):
        found = runs(
            bench,
            train_file,
            test_file,
            "fgm",
            [words + ",intercept=false,threads=2" for _, words in cases],
            1,
            2,
        )
        rows = [
            [*name, r[0][1], f"{seconds(r):.2f}", r[0][9]] for (name, _), r in zip(cases, found)
        ]
        return ["", heading, ""] + bench.table(
            [*head, "features with weight", "seconds", "test accuracy"], rows
        )

    features, Bs = (100, [10, 50, 100]) if quick else (400, [2, 4, 8, 20, 40, 80, 200, 400])
    out = ["### B and C on debtext1, libraries (FGM figures 10 to 12)"]
    out += table(
        ["B"],
        f"Until {features} features (figure 12), C = 10:",
        [([B], f"B={B},features={features},C=10") for B in Bs],
    )
    stops = [("change 0.005", "change=0.005"), ("change 0.001", "change=0.001"), ("T = 10", "T=10")]
    out += table(
        ["B", "until"],
        "Until a round changes the objective by a small share of the null model's, or ten rounds "
        "(figure 11), C = 10:",
        [
            ([B, name], f"B={B},C=10,{stop}")
            for B in ([10, 40] if quick else [5, 10, 20, 40, 60])
            for name, stop in stops
        ],
    )
    out += table(
        ["C", "inner_tol"],
        f"Until {features} features, B = {features // 10} (figure 10), the master problem "
        "solved inexactly and nearly exactly:",
        [
            ([C, inner], f"B={features // 10},features={features},C={C},inner_tol={inner}")
            for C in ("0.5", "5", "50", "500")
            for inner in ("0.1", "1e-4")
        ],
    )
    return out


def generated(bench, quick, train_file, test_file):
    """FGM sections 8.5 and 8.6 in kind: features that are never stored."""
    cases = [
        ("debtext1, columns", train_file, test_file, "B=40,features=200"),
        ("debtext1, products of degree 2", train_file, test_file, "B=40,features=200,source=poly2"),
        ("debtext1, histogram intersection", train_file, test_file, "B=20,features=40,source=hik"),
        (
            "debtext1, additive chi2 kernel",
            train_file,
            test_file,
            "B=20,features=40,source=additive,kernel=chi2",
        ),
    ]
    shape = "fgm_group:1024:40000:20" if quick else "fgm_group:4096:400000:100:generated"
    cases.append(
        (
            f"{shape.split(':')[2]} columns in groups of 10",
            shape,
            "512" if quick else "-",
            "B=10,features=40,source=groups,groups=10,loss=logistic"
            if quick
            else "B=20,features=60,source=groups,groups=10,loss=logistic",
        )
    )
    rows = []
    for name, data, test, variant in cases:
        r = runs(bench, data, test, "fgm", [variant + ",C=10,threads=2"], 1, 2)[0]
        rows.append(
            [
                name,
                r[0][2],
                r[0][1],
                f"{seconds(r):.2f}",
                f"{int(r[0][11]) / 1024:,.0f}",
                r[0][9] if test != "-" else "",
                r[0][10] if data == shape else "",
            ]
        )
    head = [
        "source",
        "units chosen",
        "features with weight",
        "seconds",
        "peak MB",
        "test accuracy",
        "true groups",
    ]
    return (
        [
            "### Features that are never stored (FGM sections 8.5 and 8.6)",
            "",
            "debtext1 has 31,216 columns: 487 million products, 3.1 million histogram features.",
        ]
        + [""]
        + bench.table(head, rows)
    )


def fgm(bench, repeats, quick):
    out = ["## Feature generation (FGM, MSLR)", ""]
    out += masters(bench, 1 if quick else min(repeats, 3), quick) + [""]
    out += optimum(bench) + [""]
    debtext, test = shared(bench, "debtext1.train.svm.xz"), shared(bench, "debtext1.test.svm.xz")
    if debtext and test:
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("train.svm", "test.svm")]
            two_classes(debtext, files[0], (28, 29))
            two_classes(test, files[1], (28, 29))
            out += sensitivity(bench, quick, *files) + [""] + generated(bench, quick, *files)
    return out


PARTS = {"fgm": fgm}
