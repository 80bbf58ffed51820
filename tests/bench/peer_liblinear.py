#!/usr/bin/python3
"""Times liblinear-train on one LIBSVM file (labels +1/-1, no intercept) at one lambda.

Its tolerance -e is tightened until the duality gap of its answer, computed here from the data, is at
most `tol` times the null model's objective, or until it can be tightened no further. Reading the file is
timed apart (a run that stops at once) and taken off. Arguments: path, l1svm | l1logistic, lambda (losses
summed, the squared hinge halved), tol, repeats. Prints "seconds relative_gap e" a line.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.datasets import load_svmlight_file


def read_weights(path, p):
    text = pathlib.Path(path).read_text().split("\nw\n", 1)
    labels = next(l for l in text[0].splitlines() if l.startswith("label")).split()[1:]
    w = np.zeros(p)
    values = np.array([float(v) for v in text[1].split()])
    w[:len(values)] = values
    return w if float(labels[0]) > 0 else -w


def relative_gap(x, y, method, lam, w):
    m = y * (x @ w)
    penalty = lam * np.abs(w).sum()
    if method == "l1logistic":
        primal = np.logaddexp(0, -m).sum() + penalty
        alpha = 1 / (1 + np.exp(m))
        null = len(y) * np.log(2)
    else:
        primal = (np.maximum(0, 1 - m) ** 2).sum() / 2 + penalty
        alpha = np.maximum(0, 1 - m)
        null = len(y) / 2
    most = lam / np.abs(x.T @ (y * alpha)).max()
    if method == "l1logistic":
        alpha = min(1, most) * alpha
        inside = alpha[(alpha > 0) & (alpha < 1)]
        dual = -(inside * np.log(inside) + (1 - inside) * np.log(1 - inside)).sum()
    else:
        s = min(alpha.sum() / (alpha @ alpha), most)
        dual = s * alpha.sum() - s * s * (alpha @ alpha) / 2
    return (primal - dual) / null


def train(path, method, lam, e, model):
    solver, c = ("6", 1 / lam) if method == "l1logistic" else ("5", 1 / (2 * lam))
    began = time.perf_counter()
    subprocess.run(["liblinear-train", "-q", "-s", solver, "-c", repr(c), "-e", repr(e), path, model],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def main():
    path, method, lam, tol, repeats = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), \
        int(sys.argv[5])
    x, y = load_svmlight_file(path)
    with tempfile.TemporaryDirectory() as folder:
        model = folder + "/model"
        e, gap = 1e-2, np.inf
        while True:
            train(path, method, lam, e, model)
            gap = relative_gap(x, y, method, lam, read_weights(model, x.shape[1]))
            if gap <= tol or e < 1e-7:
                break
            e /= 10
        for _ in range(repeats):
            reading = train(path, method, lam, 1e10, model)
            seconds = train(path, method, lam, e, model) - reading
            print(f"{seconds:.4f} {gap:.3e} {e:g}", flush=True)


main()
