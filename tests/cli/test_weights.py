#!/usr/bin/python3
"""Sample weights, offsets, factors, limits and paths that end early, on the command line and in
Lua."""
import json
import os
import pathlib
import random
import tempfile
import unittest

from tamis_cli import GOLUB, Case, tamis

ROWS = """y,a,b,c,w,o
1,0.5,2,1,1,0
2,1.5,1,0,2,0.1
3,2.5,0.3,1,1,0.2
4,3.5,-2,0,3,0
2.2,1.1,0.4,3,1,-0.1
5,4,1.2,2,0,0
"""


class Weights(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = self.file("rows.csv", ROWS)

    def file(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def fit(self, *words, data=None):
        run = tamis("fit", data or self.data, "--json", "--method", "lasso", "--label", "y", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_a_column_is_a_file_is_repeated_rows(self):
        column = self.fit("--weights", "w", "--lambda", "0.4", "--factors", "o=inf")
        repeated = ["y,a,b,c,o"]
        for line in ROWS.splitlines()[1:]:
            y, a, b, c, w, o = line.split(",")
            repeated += [",".join((y, a, b, c, o))] * int(w)
        again = self.fit("--lambda", "0.4", "--factors", "o=inf",
                         data=self.file("repeated.csv", "\n".join(repeated)))
        self.assertEqual(column["data"]["p"], 4)
        self.assertAlmostEqual(column["primal"], again["primal"], places=12)
        weights = self.file("w.txt", "\n".join(l.split(",")[4] for l in ROWS.splitlines()[1:]))
        by_file = self.fit("--weights", weights, "--lambda", "0.4", "--factors", "o=inf,w=inf")
        self.assertAlmostEqual(column["primal"], by_file["primal"], places=12)
        self.assertEqual(dict(column["coef"]).keys(), dict(by_file["coef"]).keys())

    def test_wrong_files_of_weights(self):
        data = self.file("four.svm", "1 1:1\n-1 1:2\n1 1:3\n-1 1:5\n")
        for text, says in (("1\n2\n", "weights: 2 numbers for the 4 rows"),
                           ("a\na\na\na\n", "weights are words"),
                           ("a\nb\na\nb\n", "weights are words"),
                           ("1\n1\n1\nb\n", "line 4, column 1: expected one finite number as the "
                                            "weights of a row")):
            with self.subTest(text):
                self.fails(1, "fit", data, "--method", "lasso", "--weights",
                           self.file("w.txt", text), says=says)

    def test_offsets_are_in_predictions(self):
        got = self.fit("--weights", "w", "--offset", "o", "--lambda", "0")
        self.assertLess(abs(got["gap"]), 1e-12)
        self.assertNotIn("o", dict(got["coef"]))
        self.assertLess(got["score"]["train"]["mse"], 1)

    def test_factors_and_limits(self):
        got = self.fit("--lambda", "0.5", "--factors", "w=inf,a=0", "--upper", "a=0.3",
                       "--positive",
                       "true")
        coef = dict(got["coef"])
        self.assertEqual(coef["a"], 0.3)
        self.assertNotIn("w", coef)
        self.assertTrue(all(value > 0 for value in coef.values()))
        self.assertEqual(got["params"]["factors"], {"w": "inf", "a": 0})
        factors = self.file("factors.txt", "w inf\na 0\n")
        self.assertEqual(self.fit("--lambda", "0.5", "--factors", factors, "--upper", "a=0.3",
                                  "--positive", "true")["coef"], got["coef"])

    def test_paths_that_end_early_say_so(self):
        run = tamis("fit", GOLUB, "--method", "l1logistic", "--lambdas", "40", "--max-features",
                    "5",
                    "--json")
        got = json.loads(run.stdout)
        self.assertIn("max_features 5", got["early"])
        self.assertIn("max_features 5", run.stderr)
        self.assertLess(len(got["path"]), 40)
        self.assertGreaterEqual(got["path"][-1]["nnz"], 5)

    def test_bad_input(self):
        bad = self.file("bad.txt", "1\n-1\n1\n1\n1\n1\n")
        short = self.file("short.txt", "1\n1\n")
        for words, says in (
                (("--weights", "nobody"), "no column of that name, and no such file"),
                (("--weights", bad), "the weight of row 2 is -1"),
                (("--weights", short), "short.txt"),
                (("--factors", "1,2"), "parameter 'factors' has 2 values"),
                (("--factors", "aa=1"), "did you mean 'a'?"),
                (("--lower", "1"), "at most 0")):
            with self.subTest(words=words):
                run = tamis("fit", self.data, "--label", "y", "--method", "lasso", *words)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(says, run.stderr)
        run = tamis("fit", GOLUB, "--method", "fgm", "--weights",
                    self.file("many.txt", "2\n" * 38))
        self.assertEqual(run.returncode, 2)
        self.assertIn("fgm does not use sample weights", run.stderr)

    def test_files_are_for_the_training_rows(self):
        rows = ROWS.splitlines()[1:]
        weights = self.file("w.txt", "\n".join(line.split(",")[4] for line in rows))
        offset = self.file("o.txt", "\n".join(line.split(",")[5] for line in rows))
        run = tamis("fit", self.data, "--label", "y", "--method", "lasso", "--test", self.data,
                    "--weights", weights)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("is scored with every row counting once", run.stderr)
        run = tamis("fit", self.data, "--label", "y", "--method", "lasso", "--test", self.data,
                    "--offset", offset)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("the test needs offsets too", run.stderr)

    def test_a_model_needs_the_offsets_that_it_was_fitted_with(self):
        model, out = (pathlib.Path(self.folder.name) / name for name in ("m.json", "z.csv"))
        fit = ("fit", self.data, "--label", "y", "--method", "lasso", "--lambda", "1")
        plain = self.good(*fit, "--offset", "o", "--model", model, "--json")
        self.assertTrue(json.loads(model.read_text())["offset"])
        bare = self.file("bare.csv", "\n".join(",".join(line.split(",")[:5])
                                                for line in ROWS.splitlines()) + "\n")
        run = tamis("predict", model, bare, "--label", "y")
        self.assertEqual(run.returncode, 1)
        self.assertIn("the model was fitted with offsets, and these data have none", run.stderr)
        # The mean squared error of what is predicted is the fit's own.
        self.good("predict", model, self.data, "--label", "y", "--offset", "o", "--out", out,
                  "--quiet")
        self.assertEqual(self.good("predict", model, self.data, "--quiet"), out.read_text())
        z = [float(line) for line in out.read_text().split()[1:]]
        y = [float(line.split(",")[ROWS.splitlines()[0].split(",").index("y")])
             for line in ROWS.splitlines()[1:]]
        mse = sum((a - b) ** 2 for a, b in zip(y, z)) / len(y)
        self.assertAlmostEqual(mse, json.loads(plain)["score"]["train"]["mse"], places=12)
        script = f"""
            local d = tm.load("{self.data}", {{label="y", offset="o"}})
            local z = tm.model("{model}"):predict(d)
            for _, v in ipairs(z) do print(string.format("%.17g", v)) end
            print(pcall(function() return tm.model("{model}"):predict(tm.load("{self.data}", {{label="y"}})) end))
        """
        lines = self.good("eval", script).split("\n")
        self.assertEqual([float(v) for v in lines[:len(z)]], z)
        self.assertIn("fitted with offsets", lines[len(z)])
        rows = [line.split(",") for line in ROWS.splitlines()]
        zero = self.file("zero.csv", "\n".join(",".join(r[:5] + ["0" if i else "o"])
                                               for i, r in enumerate(rows)))
        self.good("predict", model, zero, "--label", "y", "--offset", "o", "--quiet", "--out", out)
        self.good(*fit, "--model", model)
        self.assertNotIn("offset", json.loads(model.read_text()))

    def test_free_features_beside_their_copies(self):
        """Exact steps crawl along the kinks of the squared hinge here; all strategies must
        arrive."""
        for seed in (333, 341, 343, 354, 366):
            r, rows = random.Random(seed), []
            for _ in range(40):
                x = [r.gauss(0, 1) for _ in range(15)]
                label = 1 if sum(x[:5]) + r.gauss(0, 1) > 0 else -1
                rows.append(f"{label} " +
                            " ".join(f"{j + 1}:{v:.17g}" for j, v in enumerate(x + x)))
            factors = ",".join(r.choice(["0", "1", "1", "1", "0.5", "3"]) for _ in range(30))
            data, found = self.file("copies.svm", "\n".join(rows) + "\n"), []
            for screen in ("auto", "gap"):
                run = tamis("fit", data, "--method", "l1svm", "--factors", factors, "--tol", "1e-6",
                            "--lambda-ratio", "0.01", "--screen", screen, "--json")
                found.append(json.loads(run.stdout))
                self.assertEqual(found[-1]["status"], "converged", (seed, screen))
            self.assertLess(abs(found[0]["primal"] - found[1]["primal"]), 1e-4)

    def test_constant_response(self):
        """Nothing to explain: the intercept is the constant to the bit, whatever terms there
        are."""
        data = self.file("constant.csv", "a,b,y\n1,2,3.7\n2,1,3.7\n3,7,3.7\n")
        for words in (["--alpha", "0.5"], ["--positive", "true"], ["--weights", "b"]):
            with self.subTest(words=words):
                got = self.fit(*words, data=data)
                self.assertEqual((got["status"], got["primal"]), ("converged", 0))

    def test_lua(self):
        run = tamis("eval", """
            local d = tm.dataset{x={{1,2},{2,1},{3,5},{4,1}}, y={1,2,3,5}, weights={1,2,1,1}}
            assert(d.weights[2] == 2 and d.offset == nil)
            local a = tm.lasso(d, {lambda=0.3, factors={X1=0}}):wait()
            local b = tm.lasso(d:weigh{weights={1,1,1,1}}, {lambda=0.3, factors={0,1},
                               weights={1,2,1,1}}):wait()
            assert(a.primal == b.primal and a.params.factors.X1 == 0, a.primal)
            local c = tm.lasso(d, {lambda=0.3, lower=0, upper={0.25, math.huge}}):wait()
            assert(c.model.coef[1] == 0.25, c.model.coef[1])
            print(pcall(tm.lasso, d, {weights={1,2}}))
        """)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("'weights' has 2 values, the data have 4 rows", run.stdout)


if __name__ == "__main__":
    unittest.main()
