#!/usr/bin/python3
"""tests/data/make_mat.py: writes the MATLAB samples in mat/ with scipy (versions 4 and 5) and h5py
(version 7.3 as MATLAB lays it out; Debian: python3-scipy, python3-h5py).

v73_matio_sparse.mat is matio's: make_mat.c. The matrix is the same in all.
"""
import pathlib

import h5py
import numpy as np
import scipy.io
import scipy.sparse

HERE = pathlib.Path(__file__).resolve().parent / "mat"
X = np.array([[1, 0, 3], [0, 2, 0], [4, 0, 0], [0, 0, 5.5]])
Y = np.array([1, 2, 2.5, 4])
WORDS = ["aa", "b", "aa", "b"]
SPARSE = scipy.sparse.csc_matrix(X)


def class_of(item, name):
    item.attrs["MATLAB_class"] = np.bytes_(name)


def new(name, fill):
    """Version 7.3: HDF5 behind MATLAB's header."""
    with h5py.File(HERE / name, "w", userblock_size=512) as file:
        fill(file)
        if "y" not in file:
            class_of(file.create_dataset("y", data=Y.reshape(1, -1)), "double")
    with open(HERE / name, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + bytes(8) + b"\0\2IM")


def full(file):
    class_of(file.create_dataset("X", data=X.T), "double")


def sparse(file):
    group = file.create_group("X")
    class_of(group, "double")
    group.attrs["MATLAB_sparse"] = np.uint64(X.shape[0])
    group["data"] = SPARSE.data
    group["ir"] = SPARSE.indices.astype("u8")
    group["jc"] = SPARSE.indptr.astype("u8")


def cells(file):
    full(file)
    store = file.create_group("#refs#")
    references = []
    for k, text in enumerate(WORDS):
        item = store.create_dataset(str(k), data=np.array([[ord(c)] for c in text], dtype="u2"))
        class_of(item, "char")
        item.attrs["MATLAB_int_decode"] = np.int32(2)
        references.append(item.ref)
    item = file.create_dataset("y", (1, len(WORDS)), dtype=h5py.ref_dtype)
    item[0, :] = references
    class_of(item, "cell")


HERE.mkdir(exist_ok=True)
scipy.io.savemat(HERE / "v4_sparse.mat", {"X": SPARSE, "y": Y}, format="4")
scipy.io.savemat(HERE / "v4_text.mat", {"X": X, "y": np.array(["aa", "bb", "aa", "bb"])},
                 format="4")
scipy.io.savemat(HERE / "v5_char.mat", {"X": X, "y": np.array(WORDS)})
scipy.io.savemat(HERE / "v5_cell.mat", {"X": X, "y": np.array(WORDS, dtype=object),
                                        "names": np.array(["g1", "g2", "ü3"], dtype=object)})
new("v73_h5py.mat", full)
new("v73_sparse.mat", sparse)
new("v73_cell.mat", cells)
with h5py.File(HERE / "plain_hdf5.mat", "w") as plain:
    plain["X"] = X
    plain["y"] = Y
