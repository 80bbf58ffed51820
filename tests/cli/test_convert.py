#!/usr/bin/python3
"""`tamis convert`: the same data in every format, and nothing left behind by what fails."""
import gzip
import json
import resource
import signal
import struct
import subprocess
import time
import unittest
import zipfile

from tamis_cli import BIN, GOLUB, ROOT, TIMEOUT, Case, default_signals, environment, start, tamis

CANCER = ROOT / "examples/data/breast_cancer.csv"
NAMES = ("o.svm", "o.csv", "o.tsv", "o.mtx", "o.npy", "o.npz", "o.svm.gz", "o.csv.bz2", "o.tsv.xz",
         "o.svm.zst", "o.csv.lz4", "o.mtx.gz", "o.npy.xz")


def npy_values(content):
    """(the header's text, the doubles) of a version 1.0 array."""
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    end = 10 + struct.unpack("<H", content[8:10])[0]
    assert end % 64 == 0
    count = (len(content) - end) // 8
    return content[10:end].decode(), struct.unpack(f"<{count}d", content[end:])


def array(descr, shape, content, fortran=False):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


def npy(values, kind="d", shape=None):
    """A little-endian array of these values, row after row."""
    descr = {"d": "<f8", "f": "<f4", "i": "<i4", "q": "<i8"}[kind]
    return array(descr, shape or (len(values),), struct.pack(f"<{len(values)}{kind}", *values))


def word(text):
    return array(f"|S{len(text)}", (), text.encode())


class DataCase(Case):
    def info(self, path, *args):
        return json.loads(self.good("info", path, "--json", *args))

    def columns(self, path, *args):
        """The data as CSV text without its header."""
        return self.good("convert", path, "-", "--to", "csv", *args).split("\n", 1)[1]

    def zip(self, name, members, method=zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(self.folder / name, "w", method) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        return self.folder / name


class Archives(DataCase):
    TABLE = "1,0,2.5\n0,-3,3.5\n0,4,4.5\n"

    def test_x_and_y_by_every_name(self):
        x, y = npy([1, 0, 0, -3, 0, 4], "i", (3, 2)), npy([2.5, 3.5, 4.5])
        names = [(a, b) for a in ("X", "x", "data", "features") for b in ("y", "target", "labels")]
        for x_name, y_name in names + [("arr_0", "arr_1")]:
            for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                with self.subTest(x=x_name, y=y_name, method=method):
                    path = self.zip("a.npz", {"other.npy": b"no array", x_name + ".npy": x,
                                              y_name + ".npy": y, "readme.txt": "hello"}, method)
                    self.assertEqual(self.columns(path), self.TABLE)

    def test_texts_are_classes_and_names(self):
        def texts(words, order="<"):
            longest = max(map(len, words))
            coding = "utf-32-le" if order == "<" else "utf-32-be"
            content = "".join(word.ljust(longest, "\0") for word in words).encode(coding)
            return array(f"{order}U{longest}", (len(words),), content)

        x, words = npy([1, 0, 0, -3, 0, 4], "i", (3, 2)), ["sain", "malade", "sain"]
        plain = b"".join(word.encode().ljust(6, b"\0") for word in words)
        names = texts(["gène", "b"])
        for y in (texts(words), texts(words, ">"), array("|S6", (3,), plain)):
            path = self.zip("a.npz", {"X.npy": x, "y.npy": y, "feature_names.npy": names})
            facts = self.good("info", path)
            self.assertRegex(facts, r"malade \(-1\) in 1 row.*, sain \(\+1\) in 2 rows")
            self.assertIn("gène", facts)
        path = self.zip("a.npz", {"X.npy": x, "y.npy": texts(["a", "a", "a"])})
        self.fails(1, "info", path, says=("a.npz", 'the response is "a" in every row'))
        path = self.zip("a.npz", {"X.npy": x, "y.npy": texts(["a", "b"])})
        self.fails(1, "info", path, says="not one number or text for each of the 3 rows")
        path = self.zip("a.npz", {"X.npy": texts(["1", "2"])})
        self.fails(1, "info", path, says=('array "X": it holds texts', "real numbers"))
        path = self.zip("a.npz", {"X.npy": x, "y.npy": array("|O", (3,), b"pickled")})
        self.fails(1, "info", path, says=('array "y": it holds objects of Python',))

    def test_scipy_matrices(self):
        y = npy([2.5, 3.5, 4.5], shape=(3, 1))
        layouts = {
            "csr": {"indptr": npy([0, 1, 2, 3], "i"), "indices": npy([0, 1, 1], "i"),
                    "data": npy([1, -3, 4])},
            "csc": {"indptr": npy([0, 1, 3], "q"), "indices": npy([0, 2, 1], "q"),
                    "data": npy([1, 4, -3], "f")},
            "coo": {"row": npy([2, 0, 1], "i"), "col": npy([1, 0, 1], "i"),
                    "data": npy([4, 1, -3], "q")},
        }
        for layout, arrays in layouts.items():
            with self.subTest(layout=layout):
                arrays |= {"format": word(layout), "shape": npy([3, 2], "q"), "y": y}
                path = self.zip("s.npz", {name + ".npy": a for name, a in arrays.items()})
                self.assertEqual(self.columns(path), self.TABLE)
                for bad in ("shape", "data", "format"):
                    rest = {name + ".npy": a for name, a in arrays.items() if name != bad}
                    self.fails(1, "info", self.zip("bad.npz", rest), says="bad.npz")

    def test_sparse_arrays_that_contradict_each_other(self):
        good = {"indptr": npy([0, 1, 2, 3], "i"), "indices": npy([0, 1, 1], "i"),
                "data": npy([1, -3, 4]), "shape": npy([3, 2], "q"), "format": word("csr"),
                "y": npy([2.5, 3.5, 4.5])}
        bad = [("indptr", npy([0, 1, 2], "i")), ("indptr", npy([0, 2, 1, 3], "i")),
               ("indptr", npy([1, 1, 2, 3], "i")), ("indptr", npy([0, 1, 9, 3], "i")),
               ("indptr", npy([0, float("nan"), 2, 3])), ("indices", npy([0, 1, 2], "i")),
               ("indices", npy([0, -1, 1], "i")), ("indices", npy([0, 1], "i")),
               ("indices", npy([0.5, 1, 1])), ("shape", npy([3], "q")), ("shape", npy([0, 2], "q")),
               ("shape", npy([3, 10**12], "q")), ("format", word("bsr")),
               ("y", npy([1, 2])), ("y", npy([1, 2, 3, 4, 5, 6], shape=(3, 2))),
               ("data", npy([1, float("inf"), 4]))]
        self.columns(self.zip("good.npz", {name + ".npy": a for name, a in good.items()}))
        for name, array in bad:
            with self.subTest(name=name, array=array[-24:]):
                arrays = {n + ".npy": a for n, a in (good | {name: array}).items()}
                self.fails(1, "info", self.zip("bad.npz", arrays), says="bad")
        # The same place twice.
        twice = good | {"indptr": npy([0, 2, 2, 3], "i"), "indices": npy([1, 1, 1], "i")}
        self.fails(1, "info", self.zip("bad.npz", {n + ".npy": a for n, a in twice.items()}),
                   says=("bad.npz", "row 1, column 2"))

    def test_archives_without_data(self):
        x = npy([1, 0, 0, -3, 0, 4], "i", (3, 2))
        self.fails(1, "info", self.zip("a.npz", {"foo.npy": x, "bar.npy": x}),
                   says=("foo, bar", "X"))
        self.fails(1, "info", self.zip("a.npz", {"X.npy": x, "data.npy": x}), says=("X", "data"))
        self.fails(1, "info", self.zip("a.npz", {"X.npy": x, "y.npy": x[:-8]}), says="y")
        self.fails(1, "info", self.zip("a.npz", {"X.npy": x}), says=("response", "label"))
        y = self.write("y.txt", "2.5\n3.5\n4.5\n")
        self.assertEqual(self.columns(self.folder / "a.npz", "--response", y), self.TABLE)
        self.assertEqual(self.columns(self.folder / "a.npz", "--label", 2), "1,0\n0,-3\n0,4\n")

    def test_text_in_a_zip(self):
        text = "2.5 1:1 2:0\n3.5 2:-3\n4.5 2:4\n"
        path = self.zip("t.zip", {"folder/": "", "folder/a.svm": text, "__MACOSX/._a.svm": "x"})
        self.assertEqual(self.columns(path), self.TABLE)
        self.fails(1, "info", self.zip("t.zip", {"a.svm": text, "b.svm": text}),
                   says=("t.zip", "a.svm", "b.svm"))
        self.fails(1, "info", self.zip("t.zip", {"folder/": ""}), says="t.zip")
        whole = self.zip("t.zip", {"a.svm": text * 1000}).read_bytes()
        for end in (3, 20, 60, len(whole) // 2):
            self.fails(1, "info", self.write("cut.zip", whole[:end]), says="cut.zip")

    def test_cap_on_expansion(self):
        path = self.zip("big.npz", {"X.npy": npy([0] * 40000, "d", (20000, 2))})
        self.fails(1, "info", path, "--label", 1, "--max-bytes", 100000, says="max_bytes")

    def test_damaged_archives(self):
        arrays = {"X.npy": npy(range(200), "d", (100, 2)), "y.npy": npy(range(100))}
        whole = self.zip("a.npz", arrays, zipfile.ZIP_STORED).read_bytes()
        for at in (1000, 1400):
            damaged = bytearray(whole)
            damaged[at] ^= 0x10
            self.fails(1, "info", self.write("bad.npz", bytes(damaged)), says="bad.npz")


class Convert(DataCase):
    def convert(self, source, name):
        out = self.folder / name
        run = tamis("convert", source, out)
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        return out

    def test_every_format_keeps_the_data(self):
        for source in (GOLUB, CANCER):
            digest = self.info(source)["sha256"]
            for name in NAMES:
                with self.subTest(source=source.name, name=name):
                    self.assertEqual(self.info(self.convert(source, name))["sha256"], digest)

    def test_a_file_can_go_through_all_formats(self):
        digest, path = self.info(GOLUB)["sha256"], GOLUB
        for i, name in enumerate(NAMES):
            path = self.convert(path, f"{i}{name}")
        self.assertEqual(self.info(path)["sha256"], digest)

    def test_names_and_labels_stay_in_csv(self):
        before, after = self.info(CANCER), self.info(self.convert(CANCER, "c.csv"))
        self.assertEqual(after["response"], before["response"])
        self.assertEqual((self.folder / "c.csv").read_text().splitlines()[0],
                         CANCER.read_text().splitlines()[0])

    def test_losses_are_said(self):
        run = tamis("convert", CANCER, self.folder / "c.svm")
        self.assertEqual(run.returncode, 0)
        self.assertIn("names of the columns", run.stderr)
        self.assertIn("benign is written as -1, malignant as 1", run.stderr)
        self.assertEqual(self.good("convert", CANCER, self.folder / "c.svm", "--quiet"), "")

    def test_a_feature_called_like_a_response_is_said(self):
        source = self.write("in.csv", "label,a,size\n1,2,3.5\n4,5,6.5\n7,8,9\n")
        run = tamis("convert", source, self.folder / "o.csv", "--label", "size")
        self.assertIn("--label 3", run.stderr)
        self.assertEqual(self.info(self.folder / "o.csv", "--label", "3")["sha256"],
                         self.info(source, "--label", "size")["sha256"])

    def test_standard_streams(self):
        out = self.good("convert", "-", "-", "--to", "libsvm", "--quiet",
                        text="a,b,y\n1,0,5\n0,2,6\n0,0,7\n")
        self.assertEqual(out, "5 1:1 2:0\n6 2:2\n7\n")

    def test_numpy_arrays_hold_the_columns(self):
        source = self.write("in.svm", "2 1:1 2:3\n1 1:2 2:4.5\n")
        out = self.convert(source, "o.npy")
        header, values = npy_values(out.read_bytes())
        self.assertIn("'fortran_order': True, 'shape': (2, 2)", header)
        self.assertEqual(values, (1, 2, 3, 4.5))
        header, values = npy_values((self.folder / "o_response.npy").read_bytes())
        self.assertIn("'shape': (2,)", header)
        self.assertEqual(values, (2, 1))
        packed = self.convert(source, "o.npy.gz")
        self.assertEqual(gzip.decompress(packed.read_bytes()), out.read_bytes())
        self.assertTrue((self.folder / "o_response.npy.gz").exists())

    def test_converting_a_file_onto_itself(self):
        path = self.write("same.svm", "1 1:2\n2 2:1\n3 1:5\n")
        self.good("convert", path, path)
        self.assertEqual(path.read_text(), "1 1:2 2:0\n2 2:1\n3 1:5\n")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["same.svm"])

    def test_wrong_usage(self):
        source = self.write("in.svm", "1 1:2\n2 1:3\n3 1:5\n")
        self.fails(2, "convert", source, says="IN OUT")
        self.fails(2, "convert", source, self.folder / "o.xlsx", says=("o.xlsx", ".csv"))
        self.fails(2, "convert", source, self.folder / "o.csv", "--to", "cvs", says="csv")
        self.fails(2, "convert", source, "-", says="standard output")
        self.fails(2, "convert", source, "-", "--to", "npy", says="second file")

    def test_failures_leave_the_old_file_alone(self):
        bad = self.write("bad.svm", "1 1:2\n2 x\n")
        old = self.write("old.svm", "7 1:1\n")
        self.fails(1, "convert", bad, old, says=("bad.svm", "line 2"))
        self.assertEqual(old.read_text(), "7 1:1\n")
        self.fails(1, "convert", GOLUB, "/dev/full", "--to", "csv", says="No space")
        self.fails(1, "convert", GOLUB, self.folder / "no/such.csv", says="No such file")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["bad.svm", "old.svm"])

    def test_a_file_that_grows_too_large_leaves_nothing(self):
        """As on a disk that is full, whatever writes: the reason is said, what was there stays."""
        model = self.folder / "m.json"
        self.good("fit", GOLUB, "--method", "lasso", "--model", model)
        rows = self.write("rows.svm", "".join(f"{i % 2} {i + 1}:1\n" for i in range(3000)))

        def small_files():
            default_signals()
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        for name in ("o.csv", "o.npz", "o.npy", "o.tam", "o.svm.xz", "o.mtx.gz"):
            old = self.write(name, "old\n")
            self.limited(small_files, "convert", GOLUB, old)
            self.assertEqual(old.read_text(), "old\n")
            old.unlink()
        old = self.write("p.csv", "old\n")
        self.limited(small_files, "predict", model, rows, "-o", old)
        self.assertEqual(old.read_text(), "old\n")
        old = self.write("t.csv", "old\n")
        self.limited(small_files, "fit", GOLUB, "--method", "lasso", "--screen", "none",
                     "--lambdas", 50, "--trace", old)
        self.assertEqual(old.read_text(), "old\n")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["m.json", "p.csv", "rows.svm", "t.csv"])

    def limited(self, limit, *args):
        run = subprocess.run([BIN, *map(str, args), "--quiet"], env=environment(), preexec_fn=limit,
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1, (args, run.stderr))
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn("File too large", run.stderr)

    def test_an_interrupted_conversion_leaves_nothing(self):
        wide = self.write("wide.svm", "".join(f"{i} {i + 1}:1\n" for i in range(3000)))
        process = start("convert", wide, self.folder / "o.csv.xz")
        while not any(p.suffix == ".tmp" for p in self.folder.iterdir()):
            if process.poll() is not None:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT)
        self.assertIn(process.returncode, (0, 130))
        self.assertEqual([p.name for p in self.folder.iterdir() if p.suffix == ".tmp"], [])
        self.assertEqual((self.folder / "o.csv.xz").exists(), process.returncode == 0)


if __name__ == "__main__":
    unittest.main()
