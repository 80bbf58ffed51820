"""tm.search beside random search at equal counted work; a part of scripts/bench."""

DATA = [("golub", "examples/data/golub.svm.xz", ""),
        ("digits, 8", "examples/data/digits.svm.xz", "8"),
        ("breast cancer", "examples/data/breast_cancer.csv", "")]


def search(bench, repeats, quick):
    del repeats  # counted work is the same each time
    rows = []
    for name, file, label in DATA:
        for line in bench.output(bench.TAMIS, "run", "tests/bench/search.lua", file, label,
                                 2 if quick else 5, 54):
            what, _, work, ours, random, better, worse = line.split("\t")
            rows.append([name, what, f"{int(work):,}", ours, random, better, worse])
    return [
        "## Searches at equal counted work",
        "",
        "`l1logistic` with five axes (lambda_ratio, alpha, scale, filter, keep), log loss over "
        "five folds, which are the",
        "same for five seeds. Halving draws 54 configurations, TPE 27; random search continues "
        "until it has cost as much.",
        "Work is the number of column products and coordinate updates, each weighted by its "
        "number of rows; medians over the seeds.",
        "`digits` are 600 of its rows, 8 against the rest.",
        "",
    ] + bench.table(["data", "search", "work", "best log loss", "random draws' best",
                     "seeds better", "worse"], rows)


PARTS = {"search": search}
