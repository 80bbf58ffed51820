"""The part `bigrams` of scripts/bench: words and pairs of neighbouring words of the descriptions of
Debian's packages, sparse columns most of which are in a row or two.

The descriptions are the largest list of them that apt has (scripts/setup --bench fetches it), or
the file that $TAMIS_DESCRIPTIONS names; --quick takes made-up text. The part is a function of
(bench, repeats, quick) that returns lines of Markdown; `bench` is scripts/bench itself.
"""
import os
import pathlib
import sys
import tempfile

import bench_shapes

RATIOS = (0.005, 0.003)
LIMIT = 150  # processor seconds for all of glmnet's fits of a row


def descriptions():
    """The file of descriptions, or None."""
    named = os.environ.get("TAMIS_DESCRIPTIONS")
    found = [pathlib.Path(named)] if named else \
        pathlib.Path("/var/lib/apt/lists").glob("*_i18n_Translation-en*")
    found = [file for file in found if file.is_file()]
    if not found:
        print(f"bench: {named or 'no list of descriptions (scripts/setup --bench)'} is not there:"
              " bigrams skipped", file=sys.stderr)
        return None
    return max(found, key=lambda file: file.stat().st_size)


def problems(quick):
    """glmnet, which takes minutes, is left out but for the first ratio."""
    return [("y", "-", method, ratio, LIMIT if ratio == ratios[0] else 0)
            for ratios in [(0.3,) if quick else RATIOS]
            for method in ("lasso", "l1logistic") for ratio in ratios]


def rarity(shape):
    """Entries, the share of the columns with one, and how many columns differ from each other:
    equal ones have the same product with a random vector."""
    import numpy as np

    values, rows, starts = (np.load(shape.folder / f"{name}.npy")
                            for name in ("data", "indices", "indptr"))
    random = np.random.default_rng(1).random(shape.size()[0])
    products = np.add.reduceat(values * random[rows.astype(int)], starts[:-1].astype(int))
    return len(values), (np.diff(starts) == 1).mean(), len(np.unique(products))


def bigrams(bench, repeats, quick):
    """Words and pairs of words of a text."""
    import numpy as np

    source = "-" if quick else descriptions()
    if not source:
        return []
    with tempfile.TemporaryDirectory() as folder:
        shape = bench_shapes.Shape(bench, folder, "make_bigrams.py", source)
        (n, p), (entries, single, different) = shape.size(), rarity(shape)
        positive = (np.load(shape.folder / "y.npy") > 0).mean()
        tables = bench_shapes.times_and_memory(shape, repeats, problems(quick))
    return ["## Words and pairs of words", "",
            "Words and pairs of neighbouring words of " +
            ("made-up text:" if quick else "the descriptions of Debian's packages:"),
            f"{n:,} x {p:,}, {entries:,} entries. Of the columns {100 * single:.0f} % have one",
            f"entry, and {different:,} differ from each other. Values are",
            "(1 + log(count)) log(rows / rows with the word), and rows are divided by their length.",
            f"The class is +1 for the sections libs and libdevel, {100 * positive:.0f} % of the",
            "rows, and -1 for the rest; lasso takes the classes as numbers.", *bench_shapes.HOW,
            "glmnet is run for the greater ratio alone, and ended when its fits of a row take",
            f"{LIMIT} processor seconds together: the row shows the last fit, if there was one.",
            "", *tables]


PARTS = {"bigrams": bigrams}
