#!/usr/bin/python3
"""The l2-regularised SVM with hinge loss by LIBLINEAR (through scikit-learn), without an intercept.

usage: peer_hinge.py FILE.svm C     prints 1/2 |w|^2 + C sum_i max(0, 1 - y_i x_i'w)
"""
import lzma
import sys

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

path, c = sys.argv[1], float(sys.argv[2])
with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
    x, y = load_svmlight_file(file)
y = np.where(y == y.max(), 1, -1)
model = LinearSVC(C=c, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**7).fit(x, y)
w = model.coef_[0]
print(repr(w @ w / 2 + c * np.maximum(0, 1 - y * (x @ w)).sum()))
