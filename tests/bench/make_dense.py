#!/usr/bin/python3
"""Writes a dense regression problem as x.npy (n x p, column-major doubles) and y.npy.

Arguments: folder n p correlation. Neighbouring columns are correlated (autoregressive); 100
features carry signal and the noise has a quarter of its variance. Seed 1.
"""
import pathlib
import sys

import numpy as np

folder, n, p = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rho = float(sys.argv[4])
rng = np.random.default_rng(1)
x = np.asfortranarray(rng.standard_normal((n, p)))
for j in range(1, p if rho else 1):
    x[:, j] = rho * x[:, j - 1] + np.sqrt(1 - rho * rho) * x[:, j]
w = np.zeros(p)
w[rng.choice(p, min(100, p), replace=False)] = rng.standard_normal(min(100, p))
signal = x @ w
y = signal + rng.standard_normal(n) * signal.std() / 2
np.save(folder / "x.npy", x)
np.save(folder / "y.npy", y)
