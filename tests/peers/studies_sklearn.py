#!/usr/bin/python3
"""Writes tests/cli/studies.json: the answers of scikit-learn and SciPy to examples/studies.

    python3 tests/peers/studies_sklearn.py [TAMIS]

Needs python3-sklearn. The random draws and halves are those that the studies print, so that both
answer the same question; nothing else of Tamis's goes into the numbers.
"""
import csv
import json
import lzma
import pathlib
import subprocess
import sys

import numpy as np
from scipy.stats import ttest_rel
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, Ridge

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TAMIS = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/src/cli/tamis"
STRICT = {"tol": 1e-12, "max_iter": 1000000}


def study(name, *args):
    run = subprocess.run([TAMIS, "run", ROOT / "examples/studies" / name, *args], cwd=ROOT,
                         check=True, text=True, stdout=subprocess.PIPE)
    return [line.split() for line in run.stdout.splitlines()]


def breast_cancer():
    with open(ROOT / "examples/data/breast_cancer.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    y = np.array([1.0 if row[-1] == "malignant" else -1.0 for row in rows])
    return np.array([[float(value) for value in row[:-1]] for row in rows]), y


def golub():
    rows, labels = [], []
    text = lzma.open(ROOT / "examples/data/golub.svm.xz", "rt").read()
    for line in text.splitlines():
        label, *words = line.split()
        labels.append(float(label))
        rows.append({int(word.split(":")[0]) - 1: float(word.split(":")[1]) for word in words})
    x = np.zeros((len(rows), 1 + max(max(row) for row in rows)))
    for i, row in enumerate(rows):
        x[i, list(row)] = list(row.values())
    return x, np.where(np.array(labels) == max(labels), 1.0, -1.0)


def lasso(x, y, lam, alpha=1.0):
    """least squares / 2 + lam (alpha |w| + (1 - alpha) / 2 |w|^2)"""
    if alpha == 1.0:
        return Lasso(alpha=lam / len(y), **STRICT).fit(x, y)
    return ElasticNet(alpha=lam / len(y), l1_ratio=alpha, **STRICT).fit(x, y)


def objective(model, x, y, lam):
    residual = y - model.predict(x)
    return residual @ residual / 2 + lam * np.abs(model.coef_).sum()


def logistic(x, y, lam):
    """LIBLINEAR penalises the intercept as a weight of a column of that height: as good as not."""
    return LogisticRegression(penalty="l1", C=1 / lam, solver="liblinear", intercept_scaling=1000,
                              tol=1e-8, max_iter=100000, random_state=1).fit(x, y)


METHODS = {"lasso": lasso, "elastic net": lambda x, y, lam: lasso(x, y, lam, 0.5),
           "ridge": lambda x, y, lam: Ridge(alpha=lam).fit(x, y), "l1logistic": logistic}


def accuracy(fit, lam, x, y, train, test):
    scale = x[train].std(axis=0)
    model = fit(x[train] / scale, y[train], lam)
    values = model.decision_function(x[test] / scale) if hasattr(model, "decision_function") \
        else model.predict(x[test] / scale)
    return float(np.mean(np.where(values > 0, 1.0, -1.0) == y[test]))


def nested(outer=10, inner=4):
    x, y = breast_cancer()
    scores, chosen = {}, {}
    for name, fit in METHODS.items():
        scores[name], chosen[name] = [], []
        for k in range(outer):
            train = np.array([i for i in range(len(y)) if i % outer != k])
            test = np.array([i for i in range(len(y)) if i % outer == k])
            best = None
            for lam in (100, 30, 10, 3, 1):
                places = np.arange(len(train))
                total = sum(accuracy(fit, lam, x, y, train[places % inner != j],
                                     train[places % inner == j]) for j in range(inner))
                if best is None or total > best[0] + 1e-9:
                    best = (total, lam)
            chosen[name].append(best[1])
            scores[name].append(accuracy(fit, best[1], x, y, train, test))
    order = sorted(METHODS, key=lambda name: -np.mean(scores[name]))
    test = ttest_rel(scores[order[0]], scores[order[-1]])
    return {"means": {name: float(np.mean(scores[name])) for name in METHODS}, "chosen": chosen,
            "best": order[0], "worst": order[-1], "t": float(test.statistic),
            "p": float(test.pvalue)}


def random_search(folds=5):
    x, y = breast_cancer()
    x = x / x.std(axis=0)
    fold, draws = np.arange(len(y)) % folds, []
    for words in study("random_search.lua"):
        if words[0] != "draw":
            continue
        lam, alpha = float(words[3]), float(words[5])
        errors = []
        for k in range(folds):
            model = lasso(x[fold != k], y[fold != k], lam, alpha)
            errors.append(np.mean((y[fold == k] - model.predict(x[fold == k])) ** 2))
        draws.append([lam, alpha, float(np.mean(errors))])
    return {"draws": draws, "best": 1 + int(np.argmin([draw[2] for draw in draws]))}


def rejection(points=12, smallest=0.05):
    x, y = golub()
    greatest = np.abs(x.T @ (y - y.mean())).max()
    path = []
    for i in range(points):
        lam = greatest * smallest ** (i / (points - 1))
        model = lasso(x, y, lam)
        path.append([lam / greatest, int(np.sum(model.coef_ != 0)) if i else 0,
                     objective(model, x, y, lam)])
    return {"path": path}


def stability():
    x, y = golub()
    greatest = np.abs(x.T @ (y - y.mean())).max()
    counts, halves = np.zeros(x.shape[1], int), []
    for words in study("stability.lua", ROOT / "examples/data/golub.svm.xz", "0.3", "40", "rows"):
        if words[0] == "half":
            halves.append([int(word) - 1 for word in words[1:]])
    for rows in halves:
        counts += lasso(x[rows], y[rows], 0.3 * greatest / 2).coef_ != 0
    order = sorted(np.nonzero(counts)[0], key=lambda j: (-counts[j], j))[:20]
    return {"lambda": 0.3 * greatest, "halves": len(halves),
            "counts": [[int(j) + 1, int(counts[j])] for j in order]}


def bisection(wanted=25):
    x, y = golub()
    greatest = np.abs(x.T @ (y - y.mean())).max()
    low, high = np.log(0.01), 0.0
    for _ in range(60):
        middle = (low + high) / 2
        model = lasso(x, y, np.exp(middle) * greatest)
        count = int(np.sum(model.coef_ != 0))
        if count == wanted:
            break
        low, high = (middle, high) if count > wanted else (low, middle)
    return {"lambda": np.exp(middle) * greatest, "support": [int(j) + 1 for j in
                                                             np.nonzero(model.coef_)[0]],
            "predictions": model.predict(x).tolist()}


answers = {part.__name__: part() for part in (nested, random_search, rejection, stability,
                                              bisection)}
(ROOT / "tests/cli/studies.json").write_text(json.dumps(answers, indent=1) + "\n")
