#!/usr/bin/python3
"""Writes classes of one-hot rows, as logs of clicks have them: each row has a one in each of
`fields` blocks of columns.

Arguments: folder rows columns fields. The sizes of the blocks grow geometrically, and within a
block the frequencies fall like 1/rank, so that most columns are rare. A tenth of the columns have
a normal weight in the truth, and a fifth of the rows are positive. Seed 1. Writes y.npz (SciPy's
compressed columns with y, for Tamis), and for R y.npy, data.npy, indices.npy, indptr.npy and
shape.npy, the arrays of compressed columns as doubles.
"""
import pathlib
import sys

import numpy as np
import scipy.sparse

folder = pathlib.Path(sys.argv[1])
n, p, fields = (int(word) for word in sys.argv[2:5])
rng = np.random.default_rng(1)

# Blocks of at least 2 columns whose sizes sum to p: the largest has the remainder.
sizes = np.geomspace(2, p / 4, fields)
sizes = np.maximum(2, (sizes * p / sizes.sum()).astype(int))
sizes[-1] += p - sizes.sum()
starts = np.concatenate([[0], np.cumsum(sizes)])

weights = np.where(rng.random(p) < 0.1, rng.standard_normal(p), 0.0)
score = np.zeros(n)
indices = np.empty((n, fields), np.int32)
for k, size in enumerate(sizes):
    share = 1 / np.arange(1, size + 1)
    drawn = np.searchsorted(np.cumsum(share / share.sum()), rng.random(n))
    indices[:, k] = starts[k] + rng.permutation(size)[np.minimum(drawn, size - 1)]
    score += weights[indices[:, k]]
margin = score + rng.logistic(size=n)
y = np.where(margin > np.quantile(margin, 0.8), 1.0, -1.0)

rows = scipy.sparse.csr_matrix(
    (np.ones(n * fields), indices.ravel(), np.arange(0, n * fields + 1, fields)), shape=(n, p))
x = rows.tocsc()
x.sort_indices()
np.savez(folder / "y.npz", format=np.array(b"csc"), data=x.data, indices=x.indices,
         indptr=x.indptr, shape=np.array(x.shape), y=y)
np.save(folder / "y.npy", y)
for name in ("data", "indices", "indptr", "shape"):
    np.save(folder / f"{name}.npy", np.asarray(getattr(x, name), float))
