#!/usr/bin/python3
"""Writes a sparse problem of very many columns, most of them rare, with a response and classes.

Arguments: folder rows columns. Columns have 10 entries, and a thousand of them one in every hundred
rows, all of a normal distribution, the k-th entry in the k-th part of the rows. 100 of the frequent
columns have a weight in the truth, and the noise has a quarter of the signal's variance. Seed 1.
Writes data.npy, indices.npy, indptr.npy and shape.npy (compressed columns as doubles, for R),
y.npy, classes.npy, and for Tamis y.npz (SciPy's compressed columns with y).
"""
import pathlib
import sys

import numpy as np

RARE, FREQUENT, BLOCK = 10, 1000, 1 << 18
folder = pathlib.Path(sys.argv[1])
n, p = int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(1)
counts = np.full(p, RARE)
frequent = np.arange(FREQUENT) * (p // FREQUENT)
counts[frequent] = n // 100
starts = np.concatenate([[0], np.cumsum(counts)])
rows, values = np.empty(starts[-1], np.int32), np.empty(starts[-1])
for j in range(0, p, BLOCK):
    here = counts[j:j + BLOCK]
    a, b = starts[j], starts[j + len(here)]
    place = np.arange(b - a) - np.repeat(starts[j:j + len(here)] - a, here)
    rows[a:b] = (place + rng.random(b - a)) * (n / np.repeat(here, here))
    values[a:b] = rng.standard_normal(b - a)
signal = np.zeros(n)
for j in rng.choice(frequent, 100, replace=False):
    inside = slice(starts[j], starts[j + 1])
    signal[rows[inside]] += values[inside] * rng.choice((-1, 1)) * rng.uniform(1, 2)
y = signal + rng.standard_normal(n) * signal.std() / 2
np.save(folder / "y.npy", y)
np.save(folder / "classes.npy", np.where(y > np.median(y), 1.0, -1.0))
np.savez(folder / "y.npz", format=np.array(b"csc"), data=values, indices=rows, indptr=starts,
         shape=np.array((n, p)), y=y)
for name, array in (("data", values), ("indices", rows), ("indptr", starts),
                    ("shape", np.array((n, p)))):
    np.save(folder / f"{name}.npy", np.asarray(array, float))
