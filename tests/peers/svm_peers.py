#!/usr/bin/python3
"""Writes tests/cli/svm_peers.json: objectives of LIBLINEAR and LIBSVM (liblinear-tools,
libsvm-tools) on the problems of tests/cli/svm_data.py.

    python3 tests/peers/svm_peers.py

Needs python3-sklearn, and the package descriptions beside the project. The objectives are computed
from the models that the programs write, with the intercept that is best for them.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.datasets import load_svmlight_file

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/cli"))
from svm_data import PROBLEMS, text_of  # noqa: E402


def best_loss(y, f):
    """The least sum of hinge losses over all intercepts: at one of its breaks."""
    return min(np.maximum(0, 1 - y * (f + b)).sum() for b in y - f)


def liblinear(path, model, C, x, y):
    subprocess.run(["liblinear-train", "-q", "-s", "3", "-B", "-1", "-c", repr(C), "-e", "1e-9",
                    path, model], check=True, stdout=subprocess.DEVNULL)
    lines = pathlib.Path(model).read_text().split("\n")
    w = np.array([float(v) for v in lines[lines.index("w") + 1:] if v.strip()])
    return w @ w / 2 + C * np.maximum(0, 1 - y * (x[:, :len(w)] @ w)).sum()


def libsvm(path, model, C, gamma, x, y):
    kernel = ["-t", "2", "-g", repr(gamma)] if gamma else ["-t", "0"]
    subprocess.run(["svm-train", "-q", *kernel, "-c", repr(C), "-e", "1e-7", path, model],
                   check=True, stdout=subprocess.DEVNULL)
    body = pathlib.Path(model).read_text().split("\nSV\n")[1]
    with tempfile.TemporaryFile() as rows:
        rows.write(body.encode())
        rows.seek(0)
        support, coef = load_svmlight_file(rows, n_features=x.shape[1], zero_based=False)

    def products(a, b):
        inner = (a @ b.T).toarray()
        if not gamma:
            return inner
        squares = [np.asarray(m.multiply(m).sum(1)).ravel() for m in (a, b)]
        distance = squares[0][:, None] + squares[1][None, :] - 2 * inner
        return np.exp(-gamma * np.maximum(distance, 0))

    size = coef @ (products(support, support) @ coef) / 2
    return size + C * best_loss(y, products(x, support) @ coef)


def main():
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path, model = f"{folder}/data.svm", f"{folder}/model"
        for name, (source, positive, kernel, C, gamma) in PROBLEMS.items():
            pathlib.Path(path).write_text(text_of(source, positive), encoding="ascii")
            x, y = load_svmlight_file(path, zero_based=False)
            found[name] = (liblinear(path, model, C, x, y) if kernel == "linear"
                           else libsvm(path, model, C, gamma, x, y))
    text = json.dumps(found, indent=1)
    (ROOT / "tests/cli/svm_peers.json").write_text(text + "\n", encoding="ascii")


main()
