"""Parts of scripts/bench: the most violated labeling, and features for the measure that matters
(FSM table 2 in kind)."""
import json
import lzma
import os
import pathlib
import resource
import sys
import tempfile


def labeling(bench, repeats, quick):
    rows = bench.lines(bench.ROOT / "build/tests/bench/labeling", 100000 if quick else 1000000)
    by_measure = {}
    for row in rows:
        by_measure.setdefault(row[0], []).append(row)
    sizes = [row[1] for row in by_measure["f1"]]
    out = [
        [name] + [f"{1000 * float(row[2]):.3f}" for row in found]
        for name, found in by_measure.items()
    ]
    out.append(
        ["f1, every table"]
        + [f"{1000 * float(row[3]):.1f}" if len(row) > 3 else "" for row in by_measure["f1"]]
    )
    return [
        "## The most violated labeling",
        "",
        "Milliseconds of one search against n, 10 % positives; the last line tries every pair of",
        "true and false positives, as the papers do.",
        "",
    ] + bench.table(["measure"] + [f"{int(n):,}" for n in sizes], out)


def table2(bench, *arguments, name=None):
    """Lines of examples/papers/fsm_table2.lua; its first is the heading. With $TAMIS_SCORES the
    scores of each class are kept in that folder's NAME.csv, and a bench that was ended goes on."""
    folder = os.environ.get("TAMIS_SCORES")
    kept = ["--scores", pathlib.Path(folder, f"{name}.csv")] if folder and name else []
    rows = [
        " ".join(row).split("|")
        for row in bench.lines(
            bench.TAMIS, "run", "--jobs", "2", "examples/papers/fsm_table2.lua", *kept, *arguments
        )
    ]
    return bench.table(rows[0], rows[1:])


def unit_rows(source, target):
    """The LIBSVM file with each row divided by its length."""
    with lzma.open(source, "rt") as given, open(target, "w", encoding="ascii") as out:
        for line in given:
            label, *terms = line.split()
            pairs = [(j, float(x)) for j, x in (term.split(":") for term in terms)]
            length = sum(x * x for _, x in pairs) ** 0.5 or 1
            out.write(label + "".join(f" {j}:{x / length:.7g}" for j, x in pairs) + "\n")


HOW = [
    "FSM's table 2 in kind: scores of the test data in per cent, each measure's by its own run,",
    "with its number of features. C of every method (of `l1svm` lambda) is chosen for each class",
    "and measure in the same way: by the measure's value on a quarter of the training rows that",
    "is held out; then the method runs on all of them. `fsmulti` ends at a gap of 1e-2 of the",
    "objective without weights, after 20 rounds, or, in the lines with a number, at 4 B features;",
    "`svmperf` after 2,000 and `bmrm` after 200 labelings. Seconds are the mean of the final",
    "runs, with two running at once.",
    "",
]


def multi(bench, repeats, quick):
    """About five minutes on two cores, of which fsmulti without a limit takes most;
    --quick: one section, two methods."""
    train, test = (bench.DATA / f"debtext1.{name}.svm.xz" for name in ("train", "test"))
    if not train.exists():
        print(f"bench: {train} is not there: multi skipped", file=sys.stderr)
        return []
    out = ["## Features for the measure that matters", "", *HOW]
    names = dict(
        line.split() for line in (bench.DATA / "debtext1.sections").read_text().splitlines()
    )
    for section in ("13",) if quick else ("13", "33", "19", "38"):
        out += ["", f"debtext1, {names[section]} against the rest, B = 50", ""]
        out += table2(bench, train, test, 50, "svmperf,l1svm" if quick else "all", section)
    return out


def news20(bench, repeats, quick):
    """About 25 minutes on two cores; --quick, three classes: about four. In pieces with
    $TAMIS_SCORES."""
    news = bench.DATA / "news20.svm.xz"
    if not news.exists():
        print(f"bench: {news} is not there: news20 skipped", file=sys.stderr)
        return []
    out = ["## Features for the measure that matters: news20", "", *HOW]
    with tempfile.TemporaryDirectory() as folder:
        scaled = pathlib.Path(folder, "news20.svm")
        unit_rows(news, scaled)
        for file, what in ((news, "word counts"), (scaled, "rows of unit length")):
            out += [
                "",
                f"news20, {what}, {'three' if quick else 'each of 20'} classes against the rest, "
                f"80/20 split, "
                "B = 250: macro averages",
                "",
            ]
            out += table2(
                bench,
                file,
                0.2,
                250,
                "few,hamming-few,svmperf,l1svm,rfe",
                *(("1", "2", "3") if quick else ()),
                name="news20_" + ("counts" if file == news else "unit"),
            )
    return out


def sections(bench, repeats, quick):
    train, test = (bench.DATA / f"debtext1.{name}.svm.xz" for name in ("train", "test"))
    if not train.exists():
        print(f"bench: {train} is not there: sections skipped", file=sys.stderr)
        return []
    words = [
        bench.TAMIS,
        "fit",
        train,
        "--test",
        test,
        "--method",
        "fsmulti",
        "--measure",
        "f1",
        "--B",
        "50",
        "--C_per_row",
        "0.1",
        "--tol",
        "1e-2",
        "--max_seconds",
        "1" if quick else "25",
        "--one-vs-rest",
        "--json",
    ]
    result = json.loads(" ".join(" ".join(line) for line in bench.lines(*words)))
    head = [
        "class",
        "rows",
        "features",
        "precision",
        "recall",
        "F1",
        "Rec@2p",
        "PRBEP",
        "gap",
        "seconds",
    ]
    names = ("precision", "recall", "f1", "rec@2p", "prbep")
    rows = [
        [c["class"], c["rows"], c["nnz"]]
        + [f"{c['score'].get(m, float('nan')):.3f}" for m in names]
        + [f"{c['gap']:.2g}", f"{c['seconds']:.1f}"]
        for c in result["classes"]
    ]
    for average in ("macro", "micro"):
        rows.append(
            [average, "", ""]
            + [f"{result[average][m]:.3f}" for m in names]
            + ["", f"{result['seconds']:.1f}"]
        )
    return [
        "## All sections of debtext1",
        "",
        "Each of 58 sections against the rest, `fsmulti` for F1 at B = 50, C = 0.1 n, until the",
        "gap is 1e-2 of the objective without weights or 25 seconds have passed; on both cores.",
        "The seconds of the averages are the whole run's. Accuracy of the greatest score:",
        f"{result.get('accuracy', float('nan')):.3f}.",
        "",
    ] + bench.table(head, rows)


def large_C(bench, repeats, quick):
    """F1 on games against the rest at C one a row; about half a minute of one core."""
    train = bench.DATA / "debtext1.train.svm.xz"
    if not train.exists():
        print(f"bench: {train} is not there: large_C skipped", file=sys.stderr)
        return []
    words = [bench.TAMIS, "fit", train, "--class", "13", "--method", "fsmulti", "--measure", "f1",
             "--B", "50", "--jobs", "1", "--max_seconds", "300", "--json"]
    rows = []
    for C, tol in ((0.1, 1e-3), (1, 1e-2), (1, 1e-3))[: 2 if quick else 3]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        told = bench.lines(*words, "--C_per_row", str(C), "--tol", str(tol))
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        r = json.loads(" ".join(" ".join(line) for line in told))
        rows.append([C, tol, r["status"], f"{r['upper']:.3f}", f"{r['lower']:.3f}", r["nnz"],
                     r["updates"], f"{r['passes']:.1f}", f"{seconds:.1f}"])
    return [
        "## F1 of a rare section at a large C",
        "",
        "debtext1, games against the rest (2 % of 47,627 rows, 31,216 words), `fsmulti` for F1 at",
        "B = 50, on one thread. The objective of the null model is 100 C / n. Seconds are",
        "processor time of the whole command, reading included.",
        "",
    ] + bench.table(["C / n", "tol", "ends", "upper", "lower", "features", "labelings", "passes",
                     "seconds"], rows)


PARTS = {"labeling": labeling, "large_C": large_C, "multi": multi, "news20": news20,
         "sections": sections}
