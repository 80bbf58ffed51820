#!/usr/bin/python3
"""`tamis convert`: the same data in every format, and nothing left behind by what fails."""
import gzip
import json
import signal
import struct
import time
import unittest

from tamis_cli import GOLUB, ROOT, Case, start, tamis

CANCER = ROOT / "examples/data/breast_cancer.csv"
ONE_FILE = ("o.svm", "o.csv", "o.tsv", "o.svm.gz", "o.csv.bz2", "o.tsv.xz", "o.svm.zst",
            "o.csv.lz4")


def npy_values(content):
    """(the header's text, the doubles) of a version 1.0 array."""
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    end = 10 + struct.unpack("<H", content[8:10])[0]
    assert end % 64 == 0
    count = (len(content) - end) // 8
    return content[10:end].decode(), struct.unpack(f"<{count}d", content[end:])


class Convert(Case):
    def info(self, path, *args):
        return json.loads(self.good("info", path, "--json", *args))

    def convert(self, source, name):
        out = self.folder / name
        run = tamis("convert", source, out)
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        return out

    def test_every_format_keeps_the_data(self):
        for source in (GOLUB, CANCER):
            digest = self.info(source)["sha256"]
            for name in ONE_FILE:
                with self.subTest(source=source.name, name=name):
                    self.assertEqual(self.info(self.convert(source, name))["sha256"], digest)

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

    def test_an_interrupted_conversion_leaves_nothing(self):
        wide = self.write("wide.svm", "".join(f"{i} {i + 1}:1\n" for i in range(3000)))
        process = start("convert", wide, self.folder / "o.csv.xz")
        while not any(p.suffix == ".tmp" for p in self.folder.iterdir()):
            if process.poll() is not None:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (0, 130))
        self.assertEqual([p.name for p in self.folder.iterdir() if p.suffix == ".tmp"], [])
        self.assertEqual((self.folder / "o.csv.xz").exists(), process.returncode == 0)


if __name__ == "__main__":
    unittest.main()
