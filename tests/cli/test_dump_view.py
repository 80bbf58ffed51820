#!/usr/bin/python3
"""--dump-view: what the workbench's views show, without a terminal."""
import os
import subprocess
import tempfile
import unittest

from tamis_cli import BIN, ROOT, TIMEOUT

DATA = str(ROOT / "examples/data/golub.svm.xz")


class DumpView(unittest.TestCase):
    def dump(self, *words, environment=None):
        with tempfile.TemporaryDirectory() as home:
            variables = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8"}
            variables.update({k: v for k, v in os.environ.items() if "SAN_OPTIONS" in k})
            variables.update(environment or {})
            return subprocess.run([BIN, *words], env=variables, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT)

    def test_every_view(self):
        seen = {"explore": "converged", "runs": "runs: 2", "path": "40 of 40 lambdas, done",
                "screen": "step 1 of", "data": "duplicate", "lua": "Tamis ", "plots": "no plot yet"}
        for view, words in seen.items():
            result = self.dump("--dump-view", view, "--size", "100x30", DATA)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(words, result.stdout)
            lines = result.stdout.split("\n")
            self.assertEqual(len(lines), 31)
            self.assertTrue(all(len(line) <= 100 for line in lines), result.stdout)
            self.assertNotIn("\x1b", result.stdout)

    def test_the_file_is_read_as_told(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
            f.write("a,b,y\n1,2,3\n4,NA,6\n7,8,1\n2,2,2\n3,5,1\n")
            f.flush()
            refused = self.dump(f.name, "--dump-view", "data")
            self.assertIn("choose missing = mean or drop", refused.stderr + refused.stdout)
            for words in (["--missing", "drop", f.name], [f.name, "--missing=drop"]):
                result = self.dump(*words, "--dump-view", "data")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertRegex(result.stdout, r"4 rows x 2 features")
            for words, says in ((["--missing", "mean", "fit", f.name], "write it after 'fit'"),
                                (["--missing", "mean", "--dump-view", "data"], "no FILE"),
                                (["--missing", "maybe", f.name], "mean")):
                result = self.dump(*words)
                self.assertEqual(result.returncode, 2)
                self.assertIn(says, result.stderr)

    def test_it_waits_for_the_script(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as f:
            f.write('r = tm.lasso(tm.load("%s"), {screen="none", name="from a script"}):wait()\n'
                    'print("nnz " .. r.nnz)\n' % DATA)
            f.flush()
            result = self.dump("--dump-view", "runs", "--script", f.name, DATA)
            self.assertRegex(result.stdout, r"from a script +done")
            result = self.dump("--dump-view", "lua", "--script", f.name, DATA)
            self.assertRegex(result.stdout, r"(?m)^nnz \d+")

    def test_other_sizes_and_charsets(self):
        small = self.dump("--dump-view", "explore", "--size", "9x2", DATA)
        self.assertIn("too small", small.stdout)
        plain = self.dump("--dump-view", "explore", DATA, environment={"LC_ALL": "C"})
        self.assertTrue(plain.stdout.isascii())
        self.assertIn("converged", plain.stdout)

    def test_mistakes(self):
        for words, status, told in ((("--dump-view", "nowhere", DATA), 2, "there are explore"),
                                    (("--dump-view", "runs", "--size", "big", DATA), 2,
                                     "COLSxROWS"),
                                    (("--dump-view", "runs", "/nowhere.svm"), 1, "/nowhere.svm")):
            result = self.dump(*words)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(told, result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
