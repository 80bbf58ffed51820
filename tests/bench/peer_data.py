#!/usr/bin/python3
"""Writes a data set in LIBSVM format as arrays that R reads without a library.

Arguments: file folder [positive labels...]. y.npy has the labels, with positive labels given +1
for those and -1 for the others. x.npy has the columns when half of the entries are stored; else
data.npy, indices.npy, indptr.npy (all doubles) and shape.npy are those of compressed columns.
"""
import lzma
import pathlib
import sys

import numpy as np
from sklearn.datasets import load_svmlight_file

source, folder, positive = sys.argv[1], pathlib.Path(sys.argv[2]), [float(label)
                                                                    for label in sys.argv[3:]]
with (lzma.open if source.endswith(".xz") else open)(source, "rb") as file:
    x, y = load_svmlight_file(file)
np.save(folder / "y.npy", np.where(np.isin(y, positive), 1.0, -1.0) if positive else y)
if x.nnz >= x.shape[0] * x.shape[1] / 2:
    np.save(folder / "x.npy", np.asfortranarray(x.toarray()))
else:
    columns = x.tocsc()
    columns.sort_indices()
    for name in ("data", "indices", "indptr", "shape"):
        np.save(folder / f"{name}.npy", np.asarray(getattr(columns, name), float))
