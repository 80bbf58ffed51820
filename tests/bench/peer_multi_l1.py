#!/usr/bin/python3
"""min |w|_1 + C R(w) for each multivariate measure, by enumerating every labeling of a small
problem and solving the linear program over all of them with scipy's HiGHS; and, of a file, the
l1 SVM with hinge loss.

usage: peer_multi_l1.py                 the small problem of tests/property/test_bmrm.c: a line a measure
       peer_multi_l1.py FILE.svm C      min |w|_1 + C sum_i max(0, 1 - y_i x_i'w)
"""
import itertools
import lzma
import sys

import numpy as np
from scipy.optimize import linprog


def l1_with_planes(a, b, weights, C):
    """min |w|_1 + C weights'xi, xi >= 0, xi_(k's own) >= b_k - a_k'w: here each row of a has its
    own weight, or all share one slack when weights is None."""
    rows, p = a.shape
    slacks = 1 if weights is None else rows
    cost = np.concatenate([np.ones(2 * p), C * (np.ones(1) if weights is None else weights)])
    slack = np.ones((rows, 1)) if weights is None else np.eye(rows)
    found = linprog(cost, A_ub=np.hstack([-a, a, -slack]), b_ub=-b,
                    bounds=[(0, None)] * (2 * p + slacks),
                    method="highs", options={"primal_feasibility_tolerance": 1e-10,
                                             "dual_feasibility_tolerance": 1e-10})
    assert found.status == 0, found.message
    return found.fun


def small():
    n, p = 11, 8
    i, j = np.meshgrid(np.arange(n), np.arange(p), indexing="ij")
    x = np.sin(1.7 * i + 2.3 * j + i * j)
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    return x, y


def delta(measure, y, yhat):
    tp, fp = np.sum((yhat > 0) & (y > 0)), np.sum((yhat > 0) & (y < 0))
    positives, predicted = np.sum(y > 0), tp + fp
    wanted = {"prec@3": 3, "rec@2p": 2 * positives, "prbep": positives}.get(measure, predicted)
    if predicted != wanted:
        return None
    return {"hamming": 2 * np.sum(y != yhat), "f1": 100 * (1 - 2 * tp / (positives + predicted)),
            "prec@3": 100 * (1 - tp / 3), "rec@2p": 100 * (1 - tp / positives),
            "prbep": 100 * (1 - tp / positives)}[measure]


def main():
    if len(sys.argv) == 1:
        x, y = small()
        n = len(y)
        for C in (3.0, 30.0):
            for measure in ("hamming", "f1", "prec@3", "rec@2p", "prbep"):
                pairs = [(np.array(s), delta(measure, y, np.array(s)))
                         for s in itertools.product((-1, 1), repeat=n)]
                planes = [((y - yhat) @ x / n, loss / n) for yhat,
                          loss in pairs if loss is not None]
                a, b = np.array([p[0] for p in planes]), np.array([p[1] for p in planes])
                print(measure, C, repr(l1_with_planes(a, b, None, C)))
            a = np.array([x[i] - x[k] for i in range(n) for k in range(n) if y[i] > 0 > y[k]])
            print("rocarea", C, repr(l1_with_planes(a, np.ones(len(a)),
                                                    np.full(len(a), 100 / n / len(a)), C)))
        return
    from sklearn.datasets import load_svmlight_file
    path, C = sys.argv[1], float(sys.argv[2])
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        x, y = load_svmlight_file(file)
    y = np.where(y == y.max(), 1, -1)
    print(repr(l1_with_planes(y[:, None] * x.toarray(), np.ones(len(y)), np.ones(len(y)), C)))


main()
