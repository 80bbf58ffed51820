#!/usr/bin/python3
"""MATLAB files, written here by hand: full and sparse matrices, and what is refused."""

import pathlib
import struct
import unittest
import zlib

from tamis_cli import Case, tamis

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "data/mat"
DOUBLE, INT32, UINT32, INT8, MATRIX, COMPRESSED = 9, 5, 6, 1, 14, 15
CLASS_SPARSE, CLASS_DOUBLE = 5, 6


def element(kind, content):
    return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def variable(name, class_id, shape, *content):
    flags = element(UINT32, struct.pack("<II", class_id, 100 if class_id == CLASS_SPARSE else 0))
    return element(MATRIX, flags + element(INT32, struct.pack("<ii", *shape)) +
                   element(INT8, name.encode()) + b"".join(content))


def full(name, shape, values):
    return variable(name, CLASS_DOUBLE, shape,
                    element(DOUBLE, struct.pack(f"<{len(values)}d", *values)))


def sparse(name, shape, rows, starts, values):
    return variable(name, CLASS_SPARSE, shape,
                    element(INT32, struct.pack(f"<{len(rows)}i", *rows)),
                    element(INT32, struct.pack(f"<{len(starts)}i", *starts)),
                    element(DOUBLE, struct.pack(f"<{len(values)}d", *values)))


def mat(*variables):
    return b"MATLAB 5.0 MAT-file".ljust(116) + b"\0" * 8 + struct.pack("<HH", 0x0100, 0x4d49) + \
        b"".join(variables)


def packed(content):
    content = zlib.compress(content)
    return struct.pack("<II", COMPRESSED, len(content)) + content


X = full("X", (3, 2), [1, 2, 3, 4, 5, 6.5])
Y = full("y", (1, 3), [0.5, 1.5, 9])


@unittest.skipIf("built without matio" in tamis("info", "none.mat", "--format", "mat").stderr,
                 "no matio")
class Matlab(Case):
    def csv(self, path, *options):
        return self.good("convert", path, "-", "--to", "csv", "--quiet", *options)

    def test_full_sparse_and_compressed(self):
        expected = "X1,X2,y\n1,4,0.5\n2,5,1.5\n3,6.5,9\n"
        self.assertEqual(self.csv(self.write("a.mat", mat(X, Y))), expected)
        self.assertEqual(self.csv(self.write("b.mat", mat(packed(Y), packed(X)))), expected)
        columns = sparse("fea", (3, 2), [0, 1, 2, 0, 1, 2], [0, 3, 6], [1, 2, 3, 4, 5, 6.5])
        self.assertEqual(self.csv(self.write("c.mat", mat(columns, Y))), expected)
        gaps = sparse("fea", (3, 4), [2, 1], [0, 0, 1, 1, 2], [7, 8])
        self.assertEqual(self.csv(self.write("d.mat", mat(gaps, Y))),
                         "X1,X2,X3,X4,y\n0,0,0,0,0.5\n0,0,0,8,1.5\n0,7,0,0,9\n")

    def test_files_of_other_programs(self):
        """Samples of scipy, h5py and matio: versions 4 and 7.3, sparse, texts and cells."""
        rows = ["1,0,3,", "0,2,0,", "4,0,0,", "0,0,5.5,"]
        numbers, words = ["1", "2", "2.5", "4"], ["aa", "b", "aa", "b"]
        for name, y, head in (("v4_sparse", numbers, "X1,X2,X3"),
                              ("v4_text", ["aa", "bb", "aa", "bb"], "X1,X2,X3"),
                              ("v5_char", words, "X1,X2,X3"),
                              ("v5_cell", words, "g1,g2,\u00fc3"),
                              ("v73_h5py", numbers, "X1,X2,X3"),
                              ("v73_sparse", numbers, "X1,X2,X3"),
                              ("v73_matio_sparse", numbers, "X1,X2,X3"),
                              ("v73_cell", words, "X1,X2,X3"),
                              ("plain_hdf5", numbers, "X1,X2,X3")):
            run = tamis("convert", SAMPLES / f"{name}.mat", "-", "--to", "csv", "--quiet")
            if "built without" in run.stderr:
                continue
            self.assertEqual(run.stderr, "", name)
            expected = [head + ",y"] + [a + b for a, b in zip(rows, y)]
            self.assertEqual(run.stdout.splitlines(), expected, name)

    def test_damaged_samples(self):
        """A file that ends early, or has other bytes, is refused; nothing else is printed."""
        for name in ("v4_sparse", "v4_text", "v5_cell", "v73_sparse", "v73_cell"):
            good = (SAMPLES / f"{name}.mat").read_bytes()
            for k in range(5):
                size = len(good) * k // 5
                run = tamis("info", self.write("cut.mat", good[:size]))
                self.assertIn(run.returncode, (0, 1, 2), (name, size))
                self.assertEqual(len(run.stderr.splitlines()), run.returncode != 0, run.stderr)
                changed = bytearray(good)
                changed[size] ^= 0xff
                run = tamis("info", self.write("changed.mat", bytes(changed)))
                self.assertIn(run.returncode, (0, 1, 2), (name, size))
                self.assertLessEqual(len(run.stderr.splitlines()), 2, run.stderr)

    def test_texts_that_do_not_fit(self):
        path = SAMPLES / "v5_cell.mat"
        self.fails(1, "info", path, "--y", "names", says="variable names is 1 x 3; expected a resp")
        self.fails(1, "info", path, "--x", "y", says="no numeric matrix is called y")

    def test_choices(self):
        other = full("genes", (3, 1), [7, 8, 9])
        path = self.write("a.mat", mat(X, Y, other))
        self.assertIn("\n1,4,7\n", self.csv(path, "--y", "genes"))
        self.assertIn("\n4,1\n", self.csv(path, "--label", "1"))
        self.fails(1, "info", path, "--x", "Z", says=("no numeric matrix is called Z", "X (3 x 2)"))
        self.fails(1, "info", path, "--x", "y", says="variable y is 1 x 3; expected a response")
        two = self.write("b.mat", mat(full("P", (3, 2), range(6)), full("Q", (3, 2), range(6))))
        self.fails(1, "info", two,
                   says="it is not clear which variable is the matrix; name one with x")
        self.fails(1, "info", self.write("c.mat", mat(X)), says="a matrix without a response")
        self.fails(2, "info", self.write("d.svm", "1 1:2\n-1 1:3\n"), "--x", "X",
                   says="x is for MATLAB files")

    def test_damage(self):
        good = mat(X, Y)
        for size in range(0, len(good), 7):
            run = tamis("info", self.write("a.mat", good[:size]))
            self.assertEqual(run.returncode, 1, (size, run.stderr))
        self.fails(1, "info", self.write("b.mat", mat(full("X", (3, 1), [1, float("nan"), 2]), Y)),
                   says="1 value is missing, the first in row 2 of feature 1; choose missing")
        self.fails(1, "info", self.write("c.mat", mat(sparse("X", (3, 1), [9], [0, 1], [1]), Y)),
                   says="variable X")
        with open(self.write("d.mat", good), "rb") as file:
            self.assertEqual(tamis("info", "-", text=file.read()).returncode, 2)

    def test_lengths_that_lie_are_refused(self):
        good = mat(X, Y)
        at = good.index(b"\x01\0\0\0\x01\0\0\0X")  # the name's tag: its type, its length
        long = bytearray(good)
        long[at + 4:at + 8] = struct.pack("<I", 2191130640)
        for text in (b"MATLAB 5.0", b"MATLAB 9  "):
            self.fails(1, "info", self.write("l.mat", text + bytes(long[10:])), says="truncated")
            self.good("info", self.write("g.mat", text + good[10:]), "--quiet")
        wide = mat(full("X", (30000, 20000), [1, 2, 3, 4, 5, 6.5]), Y)
        for content in (wide, mat(packed(wide[128:]))):
            self.fails(1, "info", self.write("w.mat", content), says="cannot be in a file of")
        self.fails(1, "info", self.write("c.mat", good), "--max-bytes", "40", says="max_bytes")

    def test_more_cells_than_bytes_are_refused(self):
        """matio would make them all: gigabytes, from a file of some hundred bytes."""
        fields = element(INT32, struct.pack("<i", 8)) + element(INT8, b"a".ljust(8, b"\0"))
        inner = variable("", 1, (1, 1 << 29))
        for many in (variable("y", 1, (1, 956301316)), variable("y", 2, (1 << 15, 1 << 15), fields),
                     variable("y", 1, (-1 << 31, 1 << 30)), variable("y", 1, (1, 1), inner)):
            self.fails(1, "info", self.write("m.mat", mat(X, many)), says="truncated")
        # Without flags, the number of dimensions is read from among the dimensions.
        flags = element(UINT32, struct.pack("<II", 6, 0))
        lost = variable("y", 6, (2, 1)).replace(flags, element(UINT32, b"") + b"\5\0\0\0" +
                                                struct.pack("<I", 3741319160))
        self.fails(1, "info", self.write("n.mat", mat(X, lost)), says="truncated")
        empty = variable("e", 1, (0, 3))
        self.good("info", self.write("e.mat", mat(X, Y, empty)), "--quiet")


if __name__ == "__main__":
    unittest.main()
