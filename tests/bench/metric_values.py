#!/usr/bin/python3
"""Prints tests/unit/metric_values.h: what scikit-learn says of random and degenerate predictions.

usage: tests/bench/metric_values.py > tests/unit/metric_values.h

Needs python3-sklearn. The values of the k best rows come from labelling exactly those rows and
asking for precision and recall; where rows tie across place k, from the mean over every choice
among them.
"""
import itertools
import random
import warnings

import numpy as np
import sklearn
from sklearn import metrics

warnings.filterwarnings("ignore")


def best_rows(y, z, k, score):
    """The mean of `score` over every way to label the k best rows +1."""
    order = sorted(set(z), reverse=True)
    sure, tied = [], []
    for level in order:
        rows = [i for i, value in enumerate(z) if value == level]
        if len(sure) + len(rows) <= k:
            sure += rows
        else:
            tied = rows
            break
    values = []
    for chosen in itertools.combinations(tied, k - len(sure)):
        labels = -np.ones(len(y))
        labels[list(sure) + list(chosen)] = 1
        values.append(score(y, labels, zero_division=0))
    return float(np.mean(values))


def at(y, z, text, score):
    positives = int(sum(y > 0))
    k = int(float(text[:-1]) * positives + 0.5) if text.endswith("p") else int(text)
    return best_rows(y, z, min(max(k, 1), len(y)), score)


def binary_values(y, z):
    labels = np.where(z > 0, 1, -1)
    out = {
        "accuracy": metrics.accuracy_score(y, labels),
        "error": metrics.zero_one_loss(y, labels),
        "precision": metrics.precision_score(y, labels, zero_division=0),
        "recall": metrics.recall_score(y, labels, zero_division=0),
        "f1": metrics.f1_score(y, labels, zero_division=0),
        "fbeta@2": metrics.fbeta_score(y, labels, beta=2, zero_division=0),
        "fbeta@0.5": metrics.fbeta_score(y, labels, beta=0.5, zero_division=0),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, labels),
        "ap": metrics.average_precision_score(y, z) if any(y > 0) else 0.0,
        "logloss": metrics.log_loss(y > 0, 1 / (1 + np.exp(-z)), labels=[False, True]),
        "prbep": at(y, z, "1p", metrics.precision_score),
    }
    for k in ("1", "3", "10", "2p", "0.5p"):
        out["prec@" + k] = at(y, z, k, metrics.precision_score)
        out["rec@" + k] = at(y, z, k, metrics.recall_score)
    (out["tn"], out["fp"]), (out["fn"], out["tp"]) = metrics.confusion_matrix(y, labels,
                                                                              labels=[-1, 1])
    if len(set(y)) == 2:
        out["auc"] = metrics.roc_auc_score(y, z)
    return out


def numeric_values(y, z):
    return {"mse": metrics.mean_squared_error(y, z), "mae": metrics.mean_absolute_error(y, z),
            "r2": metrics.r2_score(y, z)}


def cases():
    rng = random.Random(7)
    for n, share, levels in ((5, 0.5, 0), (12, 0.3, 4), (16, 0.1, 3), (20, 0.5, 0), (14, 0.7, 2),
                             (18, 0.2, 6)):
        y = [1.0 if rng.random() < share else -1.0 for _ in range(n)]
        z = [float(rng.randrange(levels) - 1) if levels else round(rng.gauss(0, 2), 3)
             for _ in range(n)]
        yield "random", y, z
    yield "one class, +1", [1.0] * 4, [1.0, -1.0, 0.0, 2.0]
    yield "one class, -1", [-1.0] * 4, [1.0, -1.0, 0.0, 2.0]
    yield "all tied", [1.0, -1.0, -1.0, 1.0, -1.0], [0.5] * 5
    yield "all tied at 0", [1.0, -1.0, -1.0, 1.0, -1.0], [0.0] * 5
    yield "perfect", [1.0, 1.0, -1.0, -1.0], [4.0, 3.0, -2.0, -1.0]
    yield "reversed", [1.0, 1.0, -1.0, -1.0], [-4.0, -3.0, 2.0, 1.0]
    yield "one row", [1.0], [-0.25]
    yield "one of each", [-1.0, 1.0], [0.0, 0.0]
    for n in (2, 9, 25):
        yield "numbers", [round(rng.gauss(3, 2), 3) for _ in range(n)], [round(rng.gauss(3, 2), 3)
                                                                         for _ in range(n)]
    yield "constant, missed", [2.0] * 5, [2.0, 2.0, 3.0, 2.0, 2.0]
    yield "constant, exact", [2.0] * 5, [2.0] * 5


def numbers(values):
    return "{" + ", ".join(repr(v) for v in values) + "}"


def main():
    print("/* Printed by tests/bench/metric_values.py from scikit-learn " + sklearn.__version__
          + ". */")
    print("#ifndef TESTS_METRIC_VALUES_H\n#define TESTS_METRIC_VALUES_H\n\n#include <stddef.h>\n")
    print("typedef struct metric_case {\n    const char *name;\n    size_t n;\n    double y[25], "
          "z[25];\n"
          "    struct {\n        const char *metric;\n        double value;\n    } values[29];\n} "
          "metric_case;\n")
    print("static const metric_case metric_cases[] = {")
    for name, y, z in cases():
        numeric = name.startswith(("numbers", "constant"))
        found = (numeric_values if numeric else binary_values)(np.array(y), np.array(z))
        values = ", ".join('{"%s", %r}' % (m, float(v)) for m, v in found.items())
        print('    {"%s", %d, %s, %s, {%s}},' % (name, len(y), numbers(y), numbers(z), values))
    print("};\n\n#endif")


main()
