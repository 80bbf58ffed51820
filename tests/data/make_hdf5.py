#!/usr/bin/python3
"""tests/data/make_hdf5.py: writes the HDF5 samples beside it with h5py (Debian: python3-h5py).

The layouts are those of anndata (new and old) and of 10x Genomics. The matrix is the same in all:
cells x genes [[0, 2, 0], [1, 0, 3.5], [0, 0, 4], [5, 6, 0]].
"""
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
X = np.array([[0, 2, 0], [1, 0, 3.5], [0, 0, 4], [5, 6, 0]])
GENES = ["Actb", "Größe", "Zfp"]
TEXT = h5py.string_dtype()


def compressed(a):
    rows, cols = np.nonzero(a)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=a.shape[0]))])
    return a[rows, cols], cols.astype(np.int32), starts.astype(np.int64)


def sparse(group, name, a, kind):
    data, indices, indptr = compressed(a if kind == "csr" else a.T)
    g = group.create_group(name)
    g.attrs["encoding-type"], g.attrs["shape"] = kind + "_matrix", np.array(a.shape)
    g["data"], g["indices"], g["indptr"] = data.astype(np.float32), indices, indptr


def table(group, name, index):
    g = group.create_group(name)
    g.attrs["_index"], g.attrs["encoding-type"] = "names", "dataframe"
    g.create_dataset("names", data=index, dtype=TEXT)
    return g


def main():
    with h5py.File(HERE / "new.h5ad", "w", libver="earliest") as f:
        sparse(f, "X", X, "csr")
        layers = f.create_group("layers")
        sparse(layers, "columns", 2 * X, "csc")
        layers["full"] = 3 * X
        table(f, "var", GENES)
        obs = table(f, "obs", ["c1", "c2", "c3", "c4"])
        obs["depth"] = np.array([1.5, 2, np.nan, 4])
        obs["good"] = np.array([True, False, True, True])
        obs.create_dataset("word", data=["b", "a", "b", "b"], dtype=TEXT)
        kind = obs.create_group("kind")
        kind.attrs["encoding-type"] = "categorical"
        kind["codes"] = np.array([0, 1, -1, 1], dtype=np.int8)
        kind.create_dataset("categories", data=["T cell", "NK"], dtype=TEXT)
        batch = obs.create_group("batch")
        batch["codes"] = np.array([1, 0, 2, 0], dtype=np.int8)
        batch["categories"] = np.array([7, 8, 9])
    with h5py.File(HERE / "old.h5ad", "w", libver="earliest") as f:
        f["X"] = X.astype(np.float32)
        var = f.create_group("var")
        var.attrs["_index"] = np.bytes_("index")
        var["index"] = np.array([g.encode() for g in ["Actb", "Cd4", "Zfp"]])
        obs = f.create_group("obs")
        obs["kind"] = np.array([0, 1, 2, 1], dtype=np.int8)
        categories = obs.create_group("__categories")
        categories.create_dataset("kind", data=["B", "NK", "T"], dtype=TEXT)
    with h5py.File(HERE / "tenx.h5", "w", libver="earliest") as f:
        g = f.create_group("matrix")
        g["data"], g["indices"], g["indptr"] = compressed(X)
        g["shape"] = np.array(X.T.shape, dtype=np.int32)
        features = g.create_group("features")
        features["name"] = np.array([g.encode() for g in ["Actb", "Cd4", "Zfp"]])
    with h5py.File(HERE / "plain.h5", "w", libver="earliest") as f:
        f["X"], f["y"] = X, np.array([1.0, 2, 3, 5])


main()
