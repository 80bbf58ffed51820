#!/usr/bin/python3
"""`svm` on real data: the objectives of LIBLINEAR and LIBSVM, and what those programs read."""
import json
import shutil
import subprocess
import unittest

from svm_data import PROBLEMS, has_source, lines_of, text_of
from tamis_cli import ROOT, Case, tamis

PEERS = json.loads((ROOT / "tests/cli/svm_peers.json").read_text(encoding="ascii"))


def words_of(kernel, C, gamma):
    words = ["--method", "svm", "--C", repr(C), "--kernel", "rbf" if gamma else "linear",
             "--intercept", "none" if kernel == "linear" else "free"]
    return words + (["--gamma", repr(gamma)] if gamma else [])


class Peers(Case):
    """Their objectives are committed (tests/peers/svm_peers.py made them)."""

    def check(self, name):
        """No worse than the peer to 1e-6; and the bound is not above the peer's objective."""
        source, positive, *kernel = PROBLEMS[name]
        path = self.write("data.svm", text_of(source, positive))
        fit = json.loads(self.good("fit", path, *words_of(*kernel), "--tol", "1e-9", "--json"))
        peer = PEERS[name]
        self.assertEqual(fit["status"], "converged", name)
        self.assertLessEqual(fit["primal"], peer * (1 + 1e-6), name)
        self.assertLessEqual(fit["dual"], peer * (1 + 1e-12), name)
        return (peer - fit["dual"]) / peer

    def test_digits(self):
        far = [self.check(name) for name, of in PROBLEMS.items() if of[0] == "digits"]
        # The other program reaches it as well, unless our bound proves that it did not.
        self.assertGreaterEqual(sum(distance < 1e-5 for distance in far), 5, far)

    @unittest.skipUnless(has_source("text 0"), "the package descriptions are not at hand")
    def test_package_descriptions(self):
        far = [self.check(name) for name, of in PROBLEMS.items() if of[0] != "digits"]
        self.assertGreaterEqual(sum(distance < 1e-5 for distance in far), 3, far)


class Exports(Case):
    def setUp(self):
        super().setUp()
        rows = [(label, words) for label, words in lines_of("digits") if label in (3, 8)]
        self.y = [1 if label == 8 else -1 for label, _ in rows]
        lines = [f"{y:+d} {words}\n" for y, (_, words) in zip(self.y, rows)]
        self.data = self.write("data.svm", "".join(lines[:150]))
        self.test = self.write("test.svm", "".join(lines[150:]))

    def model(self, name, *words):
        path = self.folder / name
        run = tamis("fit", self.data, "--method", "svm", *words, "--model", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        return path

    def decisions(self, program, model):
        out = self.folder / "decisions"
        subprocess.run([program, self.test, model, out], check=True, stdout=subprocess.DEVNULL)
        return out.read_text().split()

    def check(self, program, ending, *words):
        """The other program decides on new rows as ours does."""
        model, json_model = self.model("m" + ending, *words), self.model("m.json", *words)
        out = tamis("predict", json_model, self.test, "--as", "class").stdout
        mine = [line.split(",")[-1] for line in out.split() if line.split(",")[-1] in ("1", "-1")]
        self.assertEqual(self.decisions(program, model), mine, words)
        self.assertEqual(set(mine), {"1", "-1"})

    @unittest.skipUnless(shutil.which("svm-predict"), "libsvm-tools is not installed")
    def test_libsvm(self):
        for words in (["--kernel", "rbf", "--gamma", "0.1"],
                      ["--kernel", "poly", "--gamma", "0.1", "--degree", "2"], []):
            for intercept in ("none", "regularised", "free"):
                self.check("svm-predict", ".libsvm", *words, "--intercept", intercept)

    @unittest.skipUnless(shutil.which("liblinear-predict"), "liblinear-tools is not installed")
    def test_liblinear(self):
        for intercept in ("none", "regularised", "free"):
            self.check("liblinear-predict", ".liblinear", "--intercept", intercept)

    def from_zero(self):
        """The files with features counted from 0, and one column more that decides much."""
        for name, y in ("data", self.y[:150]), ("test", self.y[150:]):
            lines = (self.folder / f"{name}.svm").read_text(encoding="ascii").splitlines()
            rows = [line.split(maxsplit=1) for line in lines]
            text = "".join(f"{label} 0:{0.3 * y[k] * (k % 5 != 0):.1f} {words}\n"
                           for k, (label, words) in enumerate(rows))
            path = self.write(f"{name}0.svm", text)
            setattr(self, name, path)

    def test_features_from_zero(self):
        """A model of a file that counts from 0 has its numbers, for the same programs and files;
        LIBLINEAR reads no feature 0, and the file as it is converted counts from 1."""
        self.from_zero()
        for words in ([], ["--kernel", "rbf", "--gamma", "0.1"]):
            vectors = self.model("z.libsvm", *words).read_text().partition("SV\n")[2]
            self.assertRegex(vectors, r"(?m)^\S+ 0:")
            if shutil.which("svm-predict"):
                self.check("svm-predict", ".libsvm", *words)
        tamis("convert", self.test, self.folder / "one.svm")
        mine = tamis("predict", self.model("m.json"), self.test, "--as", "class").stdout.split()
        self.test = self.folder / "one.svm"
        if shutil.which("liblinear-predict"):
            theirs = self.decisions("liblinear-predict", self.model("m.liblinear"))
            self.assertEqual(theirs, [line.split(",")[-1] for line in mine][-len(theirs):])

    def test_what_no_format_holds_is_refused(self):
        draws = [(k % 7, k % 5 + 1, k * 7 % 11) for k in range(40)]
        classes = self.write("c.csv", "y,a,b,o\n" + "".join(
            f"{'in' if a > b else 'out'},{a},{b},{o}\n" for a, b, o in draws))
        numbers = self.write("n.csv", "y,a,b\n" + "".join(f"{a + b},{a},{o}\n"
                                                          for a, b, o in draws))
        kernel = ["--kernel", "rbf"]
        for data, ending, words, says in (
                (classes, "liblinear", ["--method", "svm", *kernel], "ending .libsvm"),
                (classes, "liblinear", ["--method", "svm", "--offset", "o"], "offsets"),
                (classes, "libsvm", ["--method", "hsiclasso"], "selection of features"),
                (numbers, "libsvm", ["--method", "lasso"], "predicts a number")):
            target = self.folder / f"refused.{ending}"
            run = tamis("fit", data, "--label", "y", *words, "--model", target)
            self.assertNotEqual(run.returncode, 0, words)
            self.assertIn(says, run.stderr)
            self.assertIn(str(target), run.stderr)
            self.assertFalse(target.exists())


if __name__ == "__main__":
    unittest.main()
