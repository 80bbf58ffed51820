#!/usr/bin/python3
"""Times scikit-learn's Lasso on one LIBSVM file at one lambda.

Its own tolerance is tightened until the duality gap of its answer, computed here from the data, is
at most `tol` times the null model's objective; then that setting is timed, the fit alone.
Arguments: path, lambda (losses summed), tol, repeats. Prints "seconds relative_gap" a line.
"""
import lzma
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Lasso

warnings.filterwarnings("ignore")


def relative_gap(x, y, lam, model):
    r = y - x @ model.coef_ - model.intercept_
    primal = r @ r / 2 + lam * np.abs(model.coef_).sum()
    r = r - r.mean()
    yc = y - y.mean()
    most = lam / np.abs(x.T @ r).max()
    s = min(max(yc @ r / (r @ r), -most), most)
    dual = s * (yc @ r) - s * s * (r @ r) / 2
    return (primal - dual) / (yc @ yc / 2)


def fit(x, y, lam, tol):
    model = Lasso(alpha=lam / len(y), tol=tol, max_iter=1000000)
    began = time.perf_counter()
    model.fit(x, y)
    return time.perf_counter() - began, model


def main():
    path, lam, tol, repeats = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    with (lzma.open(path) if path.endswith(".xz") else open(path, "rb")) as file:
        x, y = load_svmlight_file(file)
    dense = x.nnz > 0.5 * x.shape[0] * x.shape[1]
    x = np.asfortranarray(x.toarray()) if dense else x.tocsc()
    own = 1e-3
    while own > 1e-16 and relative_gap(x, y, lam, fit(x, y, lam, own)[1]) > tol:
        own /= 10
    for _ in range(repeats):
        seconds, model = fit(x, y, lam, own)
        print(f"{seconds:.6f} {relative_gap(x, y, lam, model):.3e}")


main()
