#!/usr/bin/python3
"""Kernels on the command line and in Lua: what `hsiclasso` chooses and predicts, and models of
support vectors that meet other columns."""
import csv
import io
import itertools
import json
import math
import pathlib
import random
import tempfile
import unittest

from tamis_cli import Case, tamis

ROWS, COLUMNS = 90, 12


def circle(seed):
    """Rows, and whether features 3 and 7 lie outside a circle; the columns differ in scale."""
    draw = random.Random(seed)
    rows, y = [], []
    for _ in range(ROWS):
        row = [draw.gauss(0, 1) for _ in range(COLUMNS)]
        y.append("out" if row[2] ** 2 + row[6] ** 2 > 1.4 else "in")
        rows.append([round(v * 10 ** (j % 3), 6) for j, v in enumerate(row)])
    return rows, y


def table(rows, y, order=None):
    order = order or range(len(rows[0]))
    lines = [",".join(["y"] + [f"f{j + 1}" for j in order])]
    lines += [",".join([str(v)] + [str(r[j]) for j in order]) for r, v in zip(rows, y)]
    return "\n".join(lines) + "\n"


class Kernels(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.rows, self.y = circle(1)
        self.data = self.write("circle.csv", table(self.rows, self.y))

    def write(self, name, text):
        path = self.path / name
        path.write_text(text)
        return str(path)

    def run_good(self, *words):
        run = tamis(*words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def fit(self, *words, data=None):
        return json.loads(self.run_good("fit", data or self.data, "--json", *words))

    def scores(self, model, data):
        lines = self.run_good("predict", model, data, "--as", "score").split()[-ROWS:]
        return [float(line.split(",")[-1]) for line in lines]

    def test_chooses_and_predicts(self):
        model = str(self.path / "m.json")
        got = self.fit("--method", "hsiclasso", "--lambda-ratio", "0.5", "--label", "y",
                       "--model", model)
        self.assertEqual(got["status"], "converged")
        self.assertEqual({name for name, _ in got["coef"]}, {"f3", "f7"})
        self.assertGreater(got["score"]["train"]["accuracy"], 0.9)
        fresh, labels = circle(2)
        turned = self.write("new.csv", table(fresh, labels, list(range(COLUMNS))[::-1]))
        out = self.run_good("predict", model, turned, "--as", "class").split()
        right = sum(line.split(",")[0] == label for line, label in zip(out[-ROWS:], labels))
        self.assertGreater(right, 0.85 * ROWS)
        straight = self.run_good("predict", model, self.write("s.csv", table(fresh, labels)))
        self.assertEqual(straight, self.run_good("predict", model, turned))
        self.assertIn("predicts", self.run_good("info", model))

    def test_selection_only(self):
        model = str(self.path / "m.json")
        words = ["--method", "hsiclasso", "--lambda-ratio", "0.5", "--label", "y", "--refit",
                 "none", "--model", model]
        self.assertNotIn("score", self.fit(*words))
        run = tamis("predict", model, self.data)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("selection of features without predictions", run.stderr)

    def test_structured_selection(self):
        """`kernelfs` with a graph of edges: what it chooses, its file, and what it is not for."""
        model = str(self.path / "k.json")
        words = ["--method", "kernelfs", "--label", "y", "--lambda-ratio", "0.3",
                 "--lambda2-ratio", "0.01", "--graph", "[3 7]"]
        got = self.fit(*words, "--model", model)
        self.assertEqual(got["status"], "converged")
        self.assertEqual({"f3", "f7"}, {name for name, _ in
                                        sorted(got["coef"], key=lambda c: -c[1])[:2]})
        far = self.fit(*words[:-4], "--lambda2-ratio", "100", "--graph", "[3 7]")
        weights = dict(far["coef"])
        self.assertAlmostEqual(weights["f3"], weights["f7"], delta=0.05 * weights["f3"])
        scores = self.scores(model, self.data)
        right = sum((s > 0) == (y == "out") for s, y in zip(scores, self.y))
        self.assertEqual(right / ROWS, got["score"]["train"]["accuracy"])
        other = self.write("moved.csv", table(self.rows, self.y, order=[11, 6, 2, *range(11)][:3] +
                                              [j for j in range(11) if j not in (2, 6)]))
        self.assertEqual(scores, self.scores(model, other))
        self.assertIn("gaussian_sums", self.run_good("info", model))
        numbers = self.write("numbers.csv", table(self.rows, range(ROWS)))
        run = tamis("fit", numbers, "--method", "kernelfs", "--label", "y")
        self.assertEqual(run.returncode, 1)
        self.assertIn("two classes", run.stderr)

    def test_structured_selection_in_a_file(self):
        """A table above its memory is in a temporary file, which must have a place."""
        words = ["--method", "kernelfs", "--label", "y", "--lambda-ratio", "0.3"]
        here, there = self.fit(*words), self.fit(*words, "--memory", "0")
        self.assertEqual(here["primal"], there["primal"])
        run = tamis("fit", self.data, *words, "--memory", "0", env={"TMPDIR": "/nowhere"})
        self.assertEqual(run.returncode, 1)
        self.assertIn("set TMPDIR", run.stderr)

    def test_structured_selection_in_lua(self):
        script = self.write("k.lua", f"""
            local d = tm.load("{self.data}", {{label="y"}})
            local p = tm.path(d, "kernelfs", {{lambdas=5, lambda_min_ratio=0.3,
                                               graph={{{{3, 7}}}}}}):wait()
            print(#p.models, p.models[5].nnz >= 2)
            print(tm.kernelfs(d, {{solver="dual_averaging", max_iter=3}}):wait().status)
        """)
        self.assertEqual(self.run_good("run", script).split(), ["5", "true", "max_iter"])

    def test_more_classes_choose_only(self):
        draw = random.Random(4)
        rows = [[draw.gauss(0, 1) for _ in range(6)] for _ in range(60)]
        y = ["abc"[(r[1] > -0.4) + (r[1] > 0.5)] for r in rows]
        path = self.write("three.csv", table(rows, y))
        got = self.fit("--method", "hsiclasso", "--lambda-ratio", "0.5", "--label", "y", data=path)
        self.assertEqual([name for name, _ in got["coef"]], ["f2"])

    def test_block_is_another_problem(self):
        sizes = [self.fit("--method", "hsiclasso", "--lambda-ratio", "0.5", "--label", "y",
                          "--block", str(b))["lambda_max"] for b in (0, ROWS, 30, 30)]
        self.assertEqual(sizes[0], sizes[1])
        self.assertEqual(sizes[2], sizes[3])
        self.assertNotEqual(sizes[0], sizes[2])
        run = tamis("fit", self.data, "--method", "hsiclasso", "--label", "y", "--block", "1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("block is 1, and a sample alone is compared with none", run.stderr)

    def test_refit_says_what_is_wrong(self):
        for words, said in {"svn": "refit: no method 'svn'; did you mean 'svm'",
                            "svm kernel": "NAME=VALUE", "svm kernal=rbf": "kernel",
                            "lasso lambdas=5": "5 models"}.items():
            run = tamis("fit", self.data, "--label", "y", "--method", "hsiclasso", "--refit",
                        words)
            self.assertEqual(run.returncode, 2, words)
            self.assertIn(said, run.stderr)

    def test_sweeps_split_samples(self):
        script = self.write("sweep.lua", f"""
            local d = tm.load("{self.data}", {{label="y"}})
            local s = tm.sweep{{data=d, method="hsiclasso", grid={{lambda_ratio={{0.9, 0.5}}}},
                                folds=3, metric="accuracy"}}
            s:wait()
            print(s:best().accuracy)
            local r = tm.hsiclasso(d, {{lambda_ratio=0.5}}):wait()
            print(r.model, r.model.selection, r.model.predictor.method, r.model.kernel)
            local c = tm.curve{{methods={{"hsiclasso", "l1svm"}}, train=d, test=d, features={{2}}}}
            print(c[1].nnz, c[1].accuracy)
        """)
        out = self.run_good("--store", str(self.path / "runs.db"), "run", script).split("\n")
        self.assertGreater(float(out[0]), 0.85)
        nnz, accuracy = out[2].split()
        self.assertEqual(float(nnz), 2)
        self.assertGreater(float(accuracy), 0.85)
        self.assertIn("a selection, predicts by svm\ttrue\tsvm\trbf", out[1])

    def test_steps_of_samples(self):
        """--steps of a path of C: played back, the sizes are those told, and each point ends with
        the certificate's places of all samples, between which the support vectors lie."""
        for screen in ("none", "shrink", "gap", "sequential", "saiv", "auto"):
            out = self.path / "steps.csv"
            fit = self.fit("--label", "y", "--method", "svm", "--C", "0.0001,0.001", "--screen",
                           screen, "--tol", "1e-9", "--steps", str(out))
            rows = list(csv.DictReader(io.StringIO(out.read_text())))
            self.assertEqual({row["C"] for row in rows}, {"0.0001", "0.001"})
            inside, last = set(), {}
            for number, step in itertools.groupby(rows, lambda row: int(row["step"])):
                step = list(step)
                point, final = step[0]["point"], step[0]["what"].startswith("the certificate")
                if point not in last:
                    inside, last[point] = set(), {}
                for row in step:
                    if row["sample"] == "" or row["action"] == "kept":
                        continue
                    self.assertEqual(row["name"], "row " + row["sample"])
                    if row["action"] in ("started", "added"):
                        inside.add(row["sample"])
                    elif not final:
                        inside.discard(row["sample"])
                    last[point][row["sample"]] = row["action"]
                self.assertEqual(int(step[0]["active"]), len(inside), (screen, number))
                self.assertLessEqual(len(step), ROWS)
                if final:
                    self.assertEqual(len(step), ROWS)
            self.assertEqual(set(last), {"1", "2"})
            places = list(last["2"].values())
            self.assertLessEqual(places.count("at_limit"), fit["support"])
            self.assertLessEqual(fit["support"], ROWS - places.count("certified"))
            self.assertGreater(places.count("certified") + places.count("at_limit"), ROWS // 2)

    def test_steps_of_structured_selection(self):
        """Of kernelfs the steps say which features joined the set, and end with all products
        relative to lambda: 1 for those with a weight, with no graph to pull at them."""
        for solver in ("exact", "dual_averaging"):
            out = self.path / "steps.csv"
            fit = self.fit("--label", "y", "--method", "kernelfs", "--graph", "chain",
                           "--lambda2", "0", "--lambdas", "3", "--solver", solver,
                           *(("--tol", "1e-8") if solver == "exact" else ("--max_iter", "5")),
                           "--steps", str(out))
            rows = list(csv.DictReader(io.StringIO(out.read_text())))
            inside, point = set(), None
            for row in rows:
                if row["point"] != point:
                    inside, point = set(), row["point"]
                if row["action"] in ("started", "added"):
                    inside.add(row["feature"])
                elif row["what"].startswith("the certificate"):
                    self.assertEqual(int(row["active"]), len(inside), (solver, row))
            last = {row["name"]: float(row["bound"]) for row in rows
                    if row["point"] == "3" and row["what"].startswith("the certificate")}
            self.assertEqual(len(last), COLUMNS)
            for feature, *_ in fit["coef"] if solver == "exact" else ():
                self.assertAlmostEqual(last[feature], 1, delta=1e-4)
                self.assertIn(feature, last)

    def test_usual_gamma(self):
        """1 / the sum of the columns' variances, whatever the number of rows."""
        variance = 0
        for column in zip(*self.rows):
            mean = sum(column) / ROWS
            variance += sum((v - mean) ** 2 for v in column) / ROWS
        words = ["--method", "svm", "--label", "y", "--kernel", "rbf", "--tol", "1e-9"]
        usual = self.fit(*words)["primal"]
        given = self.fit(*words, "--gamma", repr(1 / variance))["primal"]
        self.assertTrue(math.isclose(usual, given, rel_tol=1e-7))

    def test_columns_of_a_kernel_are_found_by_name(self):
        model = str(self.path / "m.json")
        self.fit("--method", "svm", "--kernel", "rbf", "--label", "y", "--model", model)
        order = list(range(COLUMNS))[::-1]
        turned = self.write("turned.csv", table(self.rows, self.y, order))
        for have, want in zip(self.scores(model, turned), self.scores(model, self.data)):
            self.assertAlmostEqual(have, want, places=9)
        short = self.write("short.csv", table(self.rows, self.y, order[1:]))
        run = tamis("predict", model, short)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("f12", run.stderr)


if __name__ == "__main__":
    unittest.main()
