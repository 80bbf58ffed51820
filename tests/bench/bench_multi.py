"""Parts of scripts/bench: the most violated labeling, and features for the measure that matters (FSM table 2 in kind)."""
import json
import sys


def labeling(bench, repeats, quick):
    rows = bench.lines(bench.ROOT / "build/tests/bench/labeling", 100000 if quick else 1000000)
    by_measure = {}
    for row in rows:
        by_measure.setdefault(row[0], []).append(row)
    sizes = [row[1] for row in by_measure["f1"]]
    out = [[name] + [f"{1000 * float(row[2]):.3f}" for row in found] for name, found in by_measure.items()]
    out.append(["f1, every table"] + [f"{1000 * float(row[3]):.1f}" if len(row) > 3 else "" for row in by_measure["f1"]])
    return ["## The most violated labeling", "",
            "Milliseconds of one search against n, 10 % positives; the last line tries every pair of true and false",
            "positives, as the papers do.", ""] + bench.table(["measure"] + [f"{int(n):,}" for n in sizes], out)


def table2(bench, *arguments):
    """Lines of examples/papers/fsm_table2.lua; its first is the heading."""
    rows = bench.lines(bench.TAMIS, "run", "examples/papers/fsm_table2.lua", *arguments)
    return bench.table(["method", "F1", "Rec@2p", "PRBEP", "features", "seconds"], rows[1:])


def multi(bench, repeats, quick):
    news, train, test = (bench.DATA / f"{name}.svm.xz" for name in ("news20", "debtext1.train", "debtext1.test"))
    out = ["## Features for the measure that matters", "",
           "FSM's table 2 in kind: scores of the test data in per cent, each measure's by its own run; numbers of",
           "features for the three measures; both cores.", ""]
    if train.exists():
        sections = ("13",) if quick else ("13", "33", "19", "38")
        names = dict(line.split() for line in (bench.DATA / "debtext1.sections").read_text().splitlines())
        out += ["", "debtext1, the mean over " + ", ".join(names[s] for s in sections) +
                " against the rest, B = 50, C = 0.1 n, tol 1e-2", ""]
        out += table2(bench, train, test, 50, 0.1, 1e-2, *sections)
    else:
        print(f"bench: {train} is not there: skipped", file=sys.stderr)
    if news.exists() and not quick:
        out += ["", "news20, each of 20 classes against the rest, 80/20 split, B = 250, C = 0.1 n, tol 1e-2: macro averages", ""]
        out += table2(bench, news, 0.2, 250, 0.1, 1e-2)
    return out


def sections(bench, repeats, quick):
    train, test = (bench.DATA / f"debtext1.{name}.svm.xz" for name in ("train", "test"))
    if not train.exists():
        print(f"bench: {train} is not there: sections skipped", file=sys.stderr)
        return []
    words = [bench.TAMIS, "fit", train, "--test", test, "--method", "fsmulti", "--measure", "f1", "--B", "50",
             "--C_per_row", "0.1", "--tol", "1e-2", "--max_seconds", "1" if quick else "25", "--one-vs-rest", "--json"]
    result = json.loads(" ".join(" ".join(line) for line in bench.lines(*words)))
    head = ["class", "rows", "features", "precision", "recall", "F1", "Rec@2p", "PRBEP", "gap", "seconds"]
    names = ("precision", "recall", "f1", "rec@2p", "prbep")
    rows = [[c["class"], c["rows"], c["nnz"]] + [f"{c['score'].get(m, float('nan')):.3f}" for m in names] +
            [f"{c['gap']:.2g}", f"{c['seconds']:.1f}"] for c in result["classes"]]
    for average in ("macro", "micro"):
        rows.append([average, "", ""] + [f"{result[average][m]:.3f}" for m in names] + ["", f"{result['seconds']:.1f}"])
    return ["## All sections of debtext1", "",
            "Each of 58 sections against the rest, `fsmulti` for F1 at B = 50, C = 0.1 n, until the gap is 1e-2 of the objective",
            "without weights or 25 seconds have passed; on both cores. The seconds of the averages are the whole",
            f"run's. Accuracy of the greatest score: {result.get('accuracy', float('nan')):.3f}.", ""] + bench.table(head, rows)


PARTS = {"labeling": labeling, "multi": multi, "sections": sections}
