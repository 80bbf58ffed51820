#!/usr/bin/python3
"""Small inputs that this program has answered wrongly once, with their right values: from descent
over single coordinates here, or from what the input says."""

import csv
import json
import math
import pathlib
import signal
import time
import unittest

from tamis_cli import TIMEOUT, Case, start, tamis

CASES = pathlib.Path(__file__).resolve().parent.parent / "data/cases"


def table(name, encoding="utf-8"):
    with open(CASES / name, encoding=encoding, newline="") as file:
        head, *rows = csv.reader(file)
    return head, [[float(cell) for cell in row] for row in rows]


def centred(values):
    mean = math.fsum(values) / len(values)
    values = [v - mean for v in values]
    left = math.fsum(values) / len(values)  # of the mean's rounding
    return [v - left for v in values]


def lasso(columns, y, lam, rounds=20000):
    """min 1/2 |y - Xw - b|^2 + lam |w|_1: the least objective, and w."""
    columns, rest = [centred(c) for c in columns], centred(y)
    squares = [math.fsum(v * v for v in c) for c in columns]
    w = [0.0] * len(columns)
    for _ in range(rounds):
        change = 0
        for j, (column, square) in enumerate(zip(columns, squares)):
            if square <= 1e-20:
                continue
            product = math.fsum(a * b for a, b in zip(column, rest)) + square * w[j]
            new = math.copysign(max(abs(product) - lam, 0), product) / square
            if new != w[j]:
                rest = [r - (new - w[j]) * v for r, v in zip(rest, column)]
                change = max(change, abs(new - w[j]) * math.sqrt(square))
                w[j] = new
        if change < 1e-13:
            break
    return math.fsum(r * r for r in rest) / 2 + lam * math.fsum(map(abs, w)), w


def lambda_max(columns, y):
    y = centred(y)
    return max(abs(math.fsum(a * b for a, b in zip(centred(c), y))) for c in columns)


class Cases(Case):
    def answer(self, *words):
        run = tamis("fit", *words, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(run.stdout)
        self.assertEqual(found["status"], "converged")
        return found

    def test_columns_of_time_stamps(self):
        for name in ("near.csv", "time.csv"):
            _, rows = table(name)
            *columns, y = zip(*rows)
            best, _ = lasso(columns, y, 50)
            for screen in ("none", "gap", "saif", "ws", "hessian", "auto"):
                found = self.answer(CASES / name, "--method", "lasso", "--lambda", "50", "--screen",
                                    screen)
                self.assertAlmostEqual(found["primal"], best, delta=1e-6 * best, msg=screen)
        self.assertIn("lies far from zero (t:", tamis("info", CASES / "time.csv").stdout)

    def test_offsets_are_not_forgotten(self):
        head, rows = table("offset_train.csv")
        model = self.folder / "m.json"
        off = head.index("off")
        y = [row[-1] - row[off] for row in rows]
        columns = [[row[j] for row in rows] for j in range(off)]
        best, w = lasso(columns, y, 1)
        found = self.answer(CASES / "offset_train.csv", "--method", "lasso", "--lambda", "1",
                            "--offset", "off", "--model", model)
        self.assertAlmostEqual(found["primal"], best, delta=1e-5 * best)
        run = tamis("predict", model, CASES / "offset_new.csv")
        self.assertEqual(run.returncode, 1)
        self.assertIn("fitted with offsets, and these data have none", run.stderr)
        n = len(rows)
        means = [math.fsum(column) / n for column in columns]
        intercept = math.fsum(y) / n - math.fsum(a * b for a, b in zip(w, means))
        first = rows[0][off] + intercept + math.fsum(a * b for a, b in zip(w, rows[0]))
        run = tamis("predict", model, CASES / "offset_train.csv")
        self.assertAlmostEqual(float(run.stdout.splitlines()[1].split(",")[-1]), first, delta=5e-3)
        self.assertAlmostEqual(first, -5.753, delta=5e-4)

    def test_row_numbers_are_no_feature(self):
        found = self.answer(CASES / "index.csv", "--method", "l1logistic", "--lambda-ratio", "0.1")
        self.assertEqual(found["data"]["p"], 2)
        self.assertIn("left out: column 1", tamis("info", CASES / "index.csv").stdout)

    def test_a_tiny_response_is_refused_by_name(self):
        self.fails(1, "fit", CASES / "tiny_y.csv", "--method", "lasso", "--lambda-ratio", ".1",
                   says=("the response has no value above", "scale it up"))
        found = self.answer(self.write("scaled.csv", "a,y\n1,1\n2,3\n3,2\n4,5\n"), "--method",
                            "lasso", "--lambda-ratio", ".1")
        self.assertAlmostEqual(found["coef"][0][1], 0.99, delta=1e-9)

    def test_latin_1(self):
        model = self.folder / "m.json"
        _, rows = table("latin1.csv", "latin-1")
        *columns, y = zip(*rows)
        found = self.answer(CASES / "latin1.csv", "--method", "lasso", "--lambda", ".1", "--model",
                            model)
        best, w = lasso(columns, y, .1)
        self.assertAlmostEqual(found["primal"], best, delta=1e-6 * best)
        self.assertEqual(dict(found["coef"]).keys(), {"gr\u00f6\u00dfe", "b"})
        self.assertAlmostEqual(dict(found["coef"])["gr\u00f6\u00dfe"], w[0], delta=1e-3)
        self.assertEqual(tamis("predict", model, CASES / "latin1.csv").returncode, 0)

    def test_combining_characters_keep_the_border(self):
        run = tamis("--charset", "utf8", "--dump-view", "data", "--size", "90x16",
                    CASES / "combining.csv")
        row = next(line for line in run.stdout.splitlines()
                   if "e\u0301x" in line or "\u00e9x" in line)
        self.assertTrue(row.rstrip().endswith("\u2502"), row)

    def test_minus_zero_is_zero(self):
        found = self.answer(CASES / "negzero_train.csv", "--method", "l1logistic", "--test",
                            CASES / "negzero_test.csv", "--lambda-ratio", "0.1")
        self.assertEqual(found["score"]["train"], found["score"]["test"])
        self.assertEqual(found["score"]["test"]["accuracy"], 1)

    def test_columns_of_all_scales(self):
        _, rows = table("scales.csv")
        *columns, y = zip(*rows)
        best, _ = lasso(columns, y, 0.3 * lambda_max(columns, y))
        for screen in ("auto", "ws", "none", "gap"):
            found = self.answer(CASES / "scales.csv", "--method", "lasso", "--lambda-ratio", ".3",
                                "--screen", screen)
            self.assertAlmostEqual(found["primal"], best, delta=2e-6 * best, msg=screen)
        self.assertAlmostEqual(best, 45.434434, delta=1e-5)

    def test_an_elastic_net_without_its_l1_part_is_ridge(self):
        """w = X'y / (X'X + lambda) of one centred column."""
        path = self.write("one.csv", "a,y\n1,1\n2,3\n3,2\n4,5\n")
        run = tamis("fit", path, "--method", "lasso", "--alpha", "0", "--lambda", "2,0.5", "--json",
                    "--tol", "1e-12")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("method ridge with C = 1 / lambda", run.stderr)
        found = json.loads(run.stdout)
        self.assertEqual(found["method"], "ridge")
        self.assertAlmostEqual(found["coef"][0][1], 5.5 / (5 + 0.5), delta=1e-6)
        for method, other in (("l1logistic", "logistic"), ("l1svm", "svm_l2")):
            run = tamis("fit", CASES / "negzero_train.csv", "--method", method, "--alpha", "0",
                        "--lambda", "0.5", "--json", "--standardize", "true")
            same = tamis("fit", CASES / "negzero_train.csv", "--method", other, "--C", "2",
                         "--json",
                         "--standardize", "true")
            self.assertEqual(json.loads(run.stdout)["coef"], json.loads(same.stdout)["coef"])
        run = tamis("fit", path, "--method", "lasso", "--alpha", "0", "--lambda-ratio", "0.1")
        self.assertIn("lambda_max", run.stderr)
        self.assertNotEqual(run.returncode, 0)
        run = tamis("fit", path, "--method", "lasso", "--alpha", "0", "--lambda", "1", "--positive",
                    "true")
        self.assertIn("that has no positive", run.stderr)

    def test_ridge_in_place_of_an_elastic_net_everywhere(self):
        path = self.write("one.csv", "a,y\n1,1\n2,3\n3,2\n4,5\n")
        script = self.write("alpha.lua", '''
            local d = tm.load(arg[1])
            local r = tm.lasso(d, {alpha=0, lambda=0.5, tol=1e-12}):wait()
            print(r.method, r.lambda, r.C, string.format("%.6f", r.model.coef[1]))
            local p = tm.path(d, "lasso", {alpha=0, lambda={3, 49, 2}}):wait().table
            print(p[1].lambda, p[2].lambda, p[3].lambda)
            local s = tm.sweep{data=d, method="lasso", grid={alpha={0, 1}, lambda={0.5, 2}},
                               folds=2, metric="mse", name="s"}:wait()
            for _, row in ipairs(s.table) do print(row.alpha, row.lambda, row.nnz) end
            local three = tm.dataset{x={{1}, {2}, {3}, {1}, {2}, {4}},
                                     y={"a", "b", "c", "a", "b", "c"}}
            print(tm.ovr(three, "l1logistic", {alpha=0, lambda=1}):wait():scores("train")
                  .classes[1].model.method)
            for _, more in ipairs{{}, {lambda_ratio=0.1}, {lambdas=5}} do
                more.alpha = 0
                print(pcall(tm.lasso, d, more))
            end
            print(pcall(tm.sweep, {data=d, method="lasso", folds=2, name="t",
                                   grid={alpha={0, 1}, lambda_ratio={0.1}}}))
        ''')
        run = tamis("run", script, path)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["ridge", "0.5", "2.0", "1.000000"])  # 5.5 / (5 + 0.5)
        self.assertEqual(lines[1].split(), ["3.0", "49.0", "2.0"])
        table = [tuple(map(float, line.split())) for line in lines[2:6]]
        self.assertEqual(sorted(row[:2] for row in table), [(0, 0.5), (0, 2), (1, 0.5), (1, 2)])
        self.assertEqual(lines[6], "logistic")
        for line in lines[7:]:
            self.assertIn("alpha 0 has no lambda_max", line)
        self.assertEqual(len(lines), 11)
        said = "alpha 0 leaves only the l2 penalty: method %s with C = 1 / lambda"
        self.assertEqual([line.partition(": ")[2] for line in run.stderr.splitlines()],
                         [said % "ridge"] * 2 + ["sweep 's': " + said % "ridge",
                                                 said % "logistic"])

    def test_the_workbench_without_an_l1_part(self):
        """A refused change leaves the form and its path as they were."""
        script = self.write("form.lua", '''
            tm.ui.set("method", "lasso")
            print(pcall(tm.ui.set, "alpha", "0"))
            tm.ui.set("lambda", "0.5")
            tm.ui.set("alpha", "0")
        ''')
        path = self.write("one.csv", "a,y\n" + "".join(f"{i},{i % 5}\n" for i in range(12)))
        views = {"explore": "method ridge", "path": "9 of 9 points, done",
                 "lua": "alpha 0 has no lambda_max"}
        for view, says in views.items():
            run = tamis("--dump-view", view, "--size", "120x40", "--script", script, path)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(says, run.stdout)

    def test_a_search_that_never_ends(self):
        process = start("run", CASES / "find.lua")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"interrupted", err)

    def test_the_exit_status_of_a_script(self):
        self.assertEqual(tamis("run", CASES / "exit7.lua").returncode, 7)


if __name__ == "__main__":
    unittest.main()
