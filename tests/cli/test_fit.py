#!/usr/bin/python3
"""tamis fit: its answers against an own computation, its files, its JSON."""
import csv
import json
import lzma
import math
import random
import re
import unittest

from tamis_cli import (GOLUB, ROOT, SHARED, Case, Certificate, environment, random_svm, read_svm,
                       svm_text, tamis)

SCREENS = ("none", "gap", "saif")
KEYS = {"method": str, "status": str, "data": dict, "params": dict, "lambda": float,
        "lambda_max": float, "primal": float, "dual": float, "gap": float, "nnz": int,
        "intercept": float, "seconds": float, "columns": int, "updates": int, "passes": float,
        "epochs": int, "screened": int, "rejection": float, "power": float, "coef": list,
        "score": dict}


class Golub(Case):
    """The issue's command on the data that ships with the project."""

    path = GOLUB

    @classmethod
    def setUpClass(cls):
        if not cls.path.exists():
            raise unittest.SkipTest(f"no {cls.path}")
        cls.columns, cls.y = read_svm(cls.path)
        cls.results = {}
        for screen in SCREENS:
            run = tamis("fit", cls.path, "--method", "lasso", "--lambda-ratio", "0.05", "--screen",
                        screen, "--tol", "1e-8", "--json")
            assert run.returncode == 0, run.stderr
            cls.results[screen] = json.loads(run.stdout)

    def test_numbers_have_no_digits_too_many(self):
        """JSON and predictions: the shortest text that reads back as the same double."""
        model = self.folder / "short.json"
        run = tamis("fit", self.path, "--method", "lasso", "--lambdas", "5", "--json", "--model",
                    model)
        out = tamis("predict", model, self.path, "--as", "score").stdout
        numbers = re.findall(r"(?<![\w.\"])-?\d+\.\d+(?:e[+-]?\d+)?", run.stdout + out)
        self.assertGreater(len(numbers), 100)
        self.assertIn('"lambda_ratio": 0.1,', run.stdout)
        for number in numbers:
            digits = [text.split("e")[0].replace(".", "").strip("-0")
                      for text in (number, repr(float(number)))]
            self.assertLessEqual(len(digits[0]), len(digits[1]), number)

    def test_certificate_agrees_with_own_computation(self):
        for screen, result in self.results.items():
            with self.subTest(screen=screen):
                own = Certificate(self.columns, self.y, result["lambda"], result["coef"],
                                  result["intercept"])
                self.assertAlmostEqual(result["lambda_max"], own.lambda_max,
                                       delta=1e-9 * own.lambda_max)
                self.assertAlmostEqual(result["lambda"], 0.05 * own.lambda_max,
                                       delta=1e-9 * own.lambda_max)
                self.assertAlmostEqual(result["primal"], own.primal, delta=1e-11 * own.null)
                self.assertAlmostEqual(result["dual"], own.dual, delta=1e-11 * own.null)
                self.assertAlmostEqual(result["gap"], own.gap, delta=1e-11 * own.null)
                self.assertLessEqual(own.gap, 1e-8 * own.null)
                self.assertEqual(result["status"], "converged")

    def test_strategies_agree(self):
        supports = [[feature for feature, _ in self.results[screen]["coef"]] for screen in SCREENS]
        self.assertGreater(len(supports[0]), 5)
        self.assertEqual(supports[0], supports[1])
        self.assertEqual(supports[0], supports[2])

    def test_saif_costs_less_than_half(self):
        self.assertLess(self.results["saif"]["columns"], self.results["none"]["columns"] / 2)
        self.assertLess(self.results["saif"]["updates"], self.results["none"]["updates"] / 2)

    def test_no_feature_violates_the_optimality_conditions(self):
        """|x_j'r| <= lambda for every feature, with equality and the right sign on the support."""
        result = self.results["saif"]
        residual = [y - result["intercept"] for y in self.y]
        weights = dict(result["coef"])
        for feature, weight in weights.items():
            for i, value in self.columns[feature].items():
                residual[i] -= weight * value
        slack = 1e-3 * result["lambda"]
        for feature, column in self.columns.items():
            product = math.fsum(value * residual[i] for i, value in column.items())
            self.assertLessEqual(abs(product), result["lambda"] + slack)
            if feature in weights:
                self.assertAlmostEqual(product, math.copysign(result["lambda"], weights[feature]),
                                       delta=slack)

    def test_keys_and_types(self):
        for result in self.results.values():
            self.assertEqual(set(result), set(KEYS))
            for key, kind in KEYS.items():
                self.assertIs(type(result[key]), kind, key)
            self.assertEqual(set(result["data"]), {"n", "p", "nnz", "sha256"})
            self.assertEqual(result["data"]["n"], len(self.y))
            self.assertEqual(result["data"]["p"], max(self.columns))
            self.assertRegex(result["data"]["sha256"], "^[0-9a-f]{64}$")
            self.assertEqual(result["nnz"], len(result["coef"]))
            self.assertEqual(set(result["score"]), {"train"})
            self.assertEqual(result["passes"], result["columns"] / result["data"]["p"])
            self.assertEqual(result["rejection"], result["screened"] / result["data"]["p"])

    def test_scores(self):
        result = self.results["saif"]
        values = [result["intercept"]] * len(self.y)
        for feature, weight in result["coef"]:
            for i, value in self.columns[feature].items():
                values[i] += weight * value
        right = sum((value > 0) == (y > 0) for value, y in zip(values, self.y))
        self.assertEqual(result["score"]["train"]["accuracy"], right / len(self.y))


class Leukemia(Golub):
    path = SHARED / "leukemia.svm.xz"


class Small(Case):
    def setUp(self):
        super().setUp()
        self.text, self.y, self.rows = random_svm(seed=7)
        self.path = self.write("small.svm", self.text)
        self.columns, _ = read_svm(self.path)

    def check(self, result, tol):
        own = Certificate(self.columns, self.y, result["lambda"], result["coef"],
                          result["intercept"])
        self.assertAlmostEqual(result["primal"], own.primal, delta=1e-9 * own.null)
        self.assertLessEqual(own.gap, tol * own.null + 1e-13 * own.null)
        return own

    def test_path(self):
        result = self.fit(self.path, "--lambdas", 7, "--lambda-min-ratio", 0.01, "--tol", "1e-9")
        path = result["path"]
        self.assertEqual(set(result), set(KEYS) | {"path"})
        self.assertEqual(len(path), 7)
        for before, after in zip(path, path[1:]):
            self.assertAlmostEqual(after["lambda"] / before["lambda"], 0.01 ** (1 / 6), places=9)
        self.assertAlmostEqual(path[0]["lambda"], result["lambda_max"], places=9)
        self.assertEqual(path[0]["nnz"], 0)
        for key in ("lambda", "primal", "dual", "gap", "nnz", "screened", "intercept"):
            self.assertEqual(path[-1][key], result[key], key)
        for key in ("columns", "updates"):
            self.assertEqual(sum(point[key] for point in path), result[key], key)
        for point in path:
            self.assertEqual(point["status"], "converged")
            self.assertAlmostEqual(point["gap"], point["primal"] - point["dual"], places=9)
            self.assertIn("r2", point["score"]["train"])
        self.check(result, 1e-9)

    def test_the_answer_is_printed_before_files_that_can_fail(self):
        rows = "y,a,b\n" + "".join(f"{i},{i * i % 5},{i % 3}\n" for i in range(9))
        run = tamis("fit", self.write("rows.csv", rows), "--method", "lasso", "--lambda", "0.1",
                    "--model", self.folder / "m.json", "--trace", "/dev/full")
        self.assertEqual(run.returncode, 1)
        self.assertIn("features", run.stdout)
        self.assertIn("/dev/full", run.stderr)
        # what can be written is, whatever else failed
        self.assertTrue((self.folder / "m.json").exists())
        other = self.folder / "other.json"
        with open("/dev/full", "wb") as full:
            run = tamis("fit", self.folder / "rows.csv", "--method", "lasso", "--lambda", "0.1",
                        "--model", other, stdout=full)
        self.assertEqual(run.returncode, 1)
        self.assertIn("standard output failed: No space left", run.stderr)
        self.assertTrue(other.exists())
        self.fails(1, "fit", self.folder / "rows.csv", "--method", "lasso", "--lambda", "0.1",
                   "--model", self.folder, says="Is a directory")

    def test_given_lambdas_keep_their_order(self):
        model = self.folder / "last.json"
        for screen in ("auto", "none", "saif", "gap"):
            result = self.fit(self.path, "--lambda", "0.5,4,2", "--screen", screen, "--model",
                              model,
                              "--tol", "1e-10")
            self.assertEqual([point["lambda"] for point in result["path"]], [0.5, 4, 2])
            self.assertEqual(result["params"]["lambda"], [0.5, 4, 2])
            self.assertEqual(json.loads(model.read_text())["lambda"], 2)
            falling = self.fit(self.path, "--lambda", "4,2,0.5", "--screen", screen,
                               "--tol", "1e-10")["path"]
            for point, at in zip(result["path"], (2, 0, 1)):
                self.assertAlmostEqual(point["primal"], falling[at]["primal"], places=7)

    def test_every_list_of_every_method_keeps_its_order(self):
        """Points in the order given, the page's answer and the model those of the last."""
        rng = random.Random(3)
        rows = [[round(rng.gauss(0, 1), 3) for _ in range(6)] for _ in range(30)]
        y = [1 if r[0] - r[1] + 0.3 * rng.gauss(0, 1) > 0 else -1 for r in rows]
        data = self.write("two.csv", "".join(
            ",".join(map(str, r + [v])) + "\n" for r, v in zip(rows, y)))
        lists = {"lambda": [0.5, 3, 0.25, 2], "C": [1, 0.1, 4, 0.5], "B": [3, 1, 5, 2],
                 "features": [3, 1, 5, 2]}
        scaled = {"hsiclasso", "kernelfs", "ufomkl"}  # whose lambda_max is near 1
        model, tried = self.folder / "last.json", set()
        for method in json.loads(self.good("methods", "--json"))["methods"]:
            id, names = method["id"], [p["name"] for p in method["params"]]
            for name in (p["name"] for p in method["params"] if "list of" in p["type"]):
                values = [v / 10 for v in lists[name]] if id in scaled else lists[name]
                more = {"B": ["--B", "2"], "features": ["--features", "3"]}
                fixed = [w for k in ("B", "features") for w in more[k]
                         if k in names and k != name and (k == "B" or id in ("rfe", "gomp"))]
                run = tamis("fit", data, "--method", id, "--json", "--model", model, *fixed,
                            f"--{name}", ",".join(map(str, values)))
                self.assertEqual(run.returncode, 0, run.stderr)
                found, kept = json.loads(run.stdout), json.loads(model.read_text())
                key = "nnz" if name == "features" else name
                self.assertEqual([p[key] for p in found["path"]], values, (id, name))
                self.assertEqual(found[key], values[-1], (id, name))
                self.assertEqual(found["primal"], found["path"][-1]["primal"], (id, name))
                self.assertEqual([pair[1] for pair in kept["coef"]],
                                 [weight for _, weight in found["coef"]], (id, name))
                if name == "lambda":
                    self.assertEqual(kept["lambda"], values[-1])
                tried.add(name)
        self.assertEqual(tried, set(lists))

    def test_each_point_of_a_path_equals_its_own_fit(self):
        path = self.fit(self.path, "--lambda", "8,4,2", "--tol", "1e-10")["path"]
        for point in path:
            alone = self.fit(self.path, "--lambda", point["lambda"], "--tol", "1e-10")
            self.assertNotIn("path", alone)
            self.assertAlmostEqual(alone["primal"], point["primal"], places=7)
            self.assertEqual(alone["nnz"], point["nnz"])

    def test_spellings_of_options_are_one(self):
        spellings = (["--lambda-min-ratio", "0.5", "--lambdas", "2"],
                     ["--lambda_min_ratio=0.5", "--lambdas=2"])
        results = [self.fit(self.path, *words) for words in spellings]
        self.assertEqual(results[0]["primal"], results[1]["primal"])
        self.assertEqual(results[0]["params"]["lambda_min_ratio"], 0.5)

    def test_above_lambda_max_nothing_is_chosen(self):
        result = self.fit(self.path, "--lambda", "1e9")
        mean = math.fsum(self.y) / len(self.y)
        self.assertEqual((result["nnz"], result["coef"]), (0, []))
        self.assertAlmostEqual(result["intercept"], mean, places=12)
        self.assertAlmostEqual(result["primal"], math.fsum((y - mean) ** 2 for y in self.y) / 2,
                               places=9)
        self.assertEqual(result["status"], "converged")

    def test_intercept_false(self):
        result = self.fit(self.path, "--intercept", "false", "--lambda-ratio", "0.1")
        self.assertEqual(result["intercept"], 0)
        self.assertIs(result["params"]["intercept"], False)

    def test_columns_of_very_different_scales_are_told_of(self):
        """A master's gradient steps crawl on them: the remark names the way out, and it is one."""
        data = ROOT / "examples/data/breast_cancer.csv"
        words = ("fit", data, "--method", "fgm", "--max-iter", "20000")
        self.assertRegex(tamis(*words).stderr, "factor of 2.2e.05.*--standardize true")
        run = tamis(*words, "--standardize", "true")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("converged", run.stdout)
        for more in (("--T", "1"), ("--source", "hik", "--max-iter", "50")):
            self.assertNotIn("standardize", tamis(*words, *more).stderr, more)

    def test_max_iter_is_told_with_its_gap(self):
        run = tamis("fit", self.path, "--method", "lasso", "--lambda-ratio", "0.001", "--tol",
                    "1e-13", "--max-iter", 1, "--screen", "none", "--json")
        result = json.loads(run.stdout)
        self.assertEqual((run.returncode, result["status"]), (0, "max_iter"))
        self.assertIn("max_iter", run.stderr)
        self.assertGreater(self.check(result, math.inf).gap, 1e-13)

    def test_the_warning_is_there_exactly_when_a_gap_is_not_met(self):
        """Of one fit and of any point of a path, whatever the method."""
        told = set()
        for words in (("lasso", "--screen", "auto"), ("lasso", "--screen", "none"),
                      ("lasso", "--screen", "saif"), ("grouplasso", "--solver", "bcd")):
            for steps in (0, 1, 3, 100000):
                for more in (("--lambda-ratio", "0.05"), ("--lambdas", 5)):
                    run = tamis("fit", self.path, "--method", *words, "--max-iter", steps, *more,
                                "--json")
                    self.assertEqual(run.returncode, 0, run.stderr)
                    result = json.loads(run.stdout)
                    points = result.get("path", [result])
                    met = all(point["gap"] <= 1e-6 * points[0]["primal"] for point in points) \
                        if len(points) > 1 else result["status"] == "converged"
                    self.assertEqual("the gap was reached" in run.stderr, not met, run.stderr)
                    self.assertEqual(result["status"] == "converged", met)
                    told.add(met)
        self.assertEqual(told, {True, False})

    def test_no_penalty_on_groups_is_refused_in_words(self):
        for loss in ("squared", "logistic", "squared_hinge"):
            run = tamis("fit", self.path, "--method", "grouplasso", "--loss", loss, "--lambda", 0)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("lambda", run.stderr)

    def test_strategies_that_are_not_defined_are_refused(self):
        for screen, method, part in (("edpp", "l1logistic", "squared loss only"),
                                     ("dpp", "l1svm", "squared loss only")):
            run = tamis("fit", GOLUB, "--method", method, "--screen", screen)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(part, run.stderr)
        run = tamis("fit", self.path, "--method", "lasso", "--screen", "vi", "--alpha", "0.5")
        self.assertEqual(run.returncode, 2)
        self.assertIn("alpha below 1", run.stderr)
        run = tamis("fit", self.path, "--method", "lasso", "--config", "scr", "--warm", "true")
        self.assertEqual(run.returncode, 2)
        self.assertIn("config sets warm", run.stderr)

    def test_configurations_are_their_parameters(self):
        for config, options in (("org", ("--screen", "none", "--warm", "false")),
                                ("warm_shr", ("--screen", "none", "--shrink", "true")),
                                ("warm_scr", ("--screen", "vi"))):
            path = ("--lambdas", 5, "--lambda-min-ratio", "0.1")
            named = self.fit(self.path, "--config", config, *path)
            spelt = self.fit(self.path, *options, *path)
            for key in ("primal", "columns", "updates", "epochs"):
                self.assertEqual(named[key], spelt[key])

    def test_an_unsafe_strategy_says_what_it_may_have_missed(self):
        """Columns of very different scales: a path on which the strong rule fails, found by
        search."""
        rng = random.Random(9)
        scales = [10 ** rng.uniform(-3, 3) for _ in range(60)]
        rows = [[scale * rng.gauss(0, 1) for scale in scales] for _ in range(16)]
        y = [sum(row[:3]) + rng.gauss(0, 1) for row in rows]
        path = self.write("unsafe.svm", "".join(
            f"{b!r} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(row, 1)) + "\n" for b,
            row in zip(y, rows)))
        options = ("--lambdas", 12, "--lambda-min-ratio", "0.04", "--tol", "1e-8", "--json")
        run = tamis("fit", path, "--method", "lasso", "--screen", "strong_once", *options)
        result = json.loads(run.stdout)
        self.assertEqual((run.returncode, result["status"]), (0, "max_iter"))
        self.assertIn("not safe", run.stderr)
        null = result["path"][0]["primal"]
        self.assertGreater(max(point["gap"] for point in result["path"]), 1e-3 * null)
        run = tamis("fit", path, "--method", "lasso", "--screen", "strong", *options)
        self.assertEqual(json.loads(run.stdout)["status"], "converged")

    def test_standard_input(self):
        named = self.fit(self.path)
        for text in (self.text, lzma.compress(self.text.encode())):
            piped = self.fit("-", text=text)
            for key in ("primal", "coef", "data"):
                self.assertEqual(piped[key], named[key])

    def test_duplicate_columns(self):
        """An exact copy of a column changes neither the optimum nor the fit."""
        doubled = self.write("doubled.svm", svm_text(self.y, [row + [row[0]] for row in self.rows]))
        for screen in SCREENS:
            options = ("--screen", screen, "--lambda-ratio", "0.1", "--tol", "1e-9")
            one, two = self.fit(self.path, *options), self.fit(doubled, *options)
            self.assertEqual(two["status"], "converged")
            self.assertAlmostEqual(one["primal"], two["primal"], places=6)
            weight = math.fsum(w for feature, w in two["coef"] if feature in (1, 13))
            self.assertAlmostEqual(weight, dict(one["coef"])[1], places=3)

    def test_constant_columns_are_never_chosen(self):
        """An intercept makes a constant column worthless, however large it is."""
        with_constant = self.write("constant.svm",
                                   svm_text(self.y, [row + [1e6] for row in self.rows]))
        for screen in SCREENS:
            options = ("--screen", screen, "--lambda-ratio", "0.01", "--tol", "1e-9")
            one, two = self.fit(self.path, *options), self.fit(with_constant, *options)
            self.assertNotIn(13, [feature for feature, _ in two["coef"]])
            self.assertAlmostEqual(one["primal"], two["primal"], places=6)
            self.assertAlmostEqual(one["lambda_max"], two["lambda_max"], places=9)

    def test_one_row(self):
        """The intercept fits one row alone; without it the answer is known in closed form."""
        path = self.write("one.svm", "3 1:2 2:1\n")
        result = self.fit(path, "--lambda", 0.5)
        self.assertEqual((result["nnz"], result["intercept"], result["primal"]), (0, 3, 0))
        result = self.fit(path, "--lambda", 0.5, "--intercept", "false", "--tol", "1e-12")
        self.assertEqual([feature for feature, _ in result["coef"]], [1])
        self.assertAlmostEqual(result["coef"][0][1], (3 * 2 - 0.5) / 4, places=6)

    def test_one_class_has_nothing_to_explain(self):
        path = self.write("same.svm", "1 1:2 2:1\n1 1:5\n1 2:7\n")
        for words in ((), ("--lambda", 0.5)):
            result = self.fit(path, *words)
            self.assertEqual((result["nnz"], result["intercept"], result["primal"]), (0, 1, 0))
            self.assertEqual(result["lambda_max"], 0)

    def test_numbers_round_trip(self):
        text = self.good("fit", self.path, "--method", "lasso", "--json")
        result = json.loads(text)
        again = json.loads(json.dumps(result))
        self.assertEqual(result, again)
        self.assertRegex(text, r'"primal": \d+\.\d{10,}')
        self.assertTrue(text.endswith("}\n"))
        self.assertEqual(text.count("\n"), 1)


class Files(Case):
    def setUp(self):
        super().setUp()
        self.text, self.y, self.rows = random_svm(seed=11, classes=True)
        self.path = self.write("train.svm", self.text)
        self.test = self.write("test.svm", random_svm(seed=12, classes=True)[0])

    def test_scores_on_test_data(self):
        result = self.fit(self.path, "--test", self.test, "--lambda-ratio", 0.1)
        columns, y = read_svm(self.test)
        values = [result["intercept"]] * len(y)
        for feature, weight in result["coef"]:
            for i, value in columns[feature].items():
                values[i] += weight * value
        table = [(value > 0, label > 0) for value, label in zip(values, y)]
        true, chosen = table.count((True, True)), sum(a for a, _ in table)
        score = result["score"]["test"]
        self.assertEqual(score["accuracy"], sum(a == b for a, b in table) / len(y))
        self.assertAlmostEqual(score["f1"], 2 * true / (chosen + sum(b for _, b in table)))
        pairs = [(a > b) + 0.5 * (a == b) for a, la in zip(values, y) for b, lb in zip(values, y)
                 if la > lb]
        self.assertAlmostEqual(score["auc"], sum(pairs) / len(pairs))

    def test_test_data_with_fewer_columns_are_padded(self):
        narrow = self.write("narrow.svm", "1 1:1 2:1\n-1 1:-1\n")
        self.assertIn("accuracy", self.fit(self.path, "--test", narrow)["score"]["test"])

    def test_test_data_with_more_columns_are_refused(self):
        wide = self.write("wide.svm", "1 1:1 40:1\n-1 1:-1\n")
        self.fails(1, "fit", self.path, "--method", "lasso", "--test", wide, says=("40", "12"))

    def test_test_data_with_other_labels_are_refused(self):
        other = self.write("other.svm", "5 1:1 2:1\n7 1:-1\n")
        self.fails(1, "fit", self.path, "--method", "lasso", "--test", other,
                   says=("classes 5 and 7", "-1 and 1"))

    def table(self, name, columns, rows, header=True):
        lines = [",".join(columns)] if header else []
        return self.write(name, "\n".join(lines + [",".join(map(str, row)) for row in rows]) + "\n")

    def test_features_are_found_by_their_names(self):
        """Of tables in another order, with more columns, and without a response; a table that
        lacks one is refused."""
        dice = random.Random(3)
        names = ["age", "mass", "ph", "noise"]
        rows = [[round(dice.gauss(0, 1), 3) for _ in names] for _ in range(30)]
        y = [round(2 * r[0] - r[1] + 0.5 * r[2], 3) for r in rows]
        whole = self.table("whole.csv", [*names, "y"], [[*r, v] for r, v in zip(rows, y)])
        model = self.folder / "named.json"
        self.fit(whole, "--lambda", 0.1, "--model", model)
        right = self.good("predict", model, whole, "--quiet")
        order = [2, 3, 0, 1]
        turned = self.table("turned.csv", ["more", *(names[k] for k in order), "y"],
                            [[7, *(r[k] for k in order), v] for r, v in zip(rows, y)])
        self.assertEqual(self.good("predict", model, turned, "--quiet"), right)
        test = self.table("test.csv", [*(names[k] for k in order), "y"],
                          [[*(r[k] for k in order), v] for r, v in zip(rows, y)])
        self.assertAlmostEqual(self.fit(whole, "--lambda", 0.1, "--test",
                                        test)["score"]["test"]["r2"],
                               self.fit(whole, "--lambda", 0.1, "--test",
                                        whole)["score"]["test"]["r2"])
        script = "m, d = tm.model(arg[1]), tm.load(arg[2])\nfor _, z in ipairs(m:predict(d)) do print(z) end"
        printed = self.good("run", self.write("p.lua", script), model, turned).split()
        for z, line in zip(map(float, printed), right.split()[1:], strict=True):
            self.assertAlmostEqual(z, float(line), places=9)
        bare = self.table("bare.csv", names[:3], [r[:3] for r in rows])
        run = tamis("predict", model, bare)
        self.assertEqual((run.returncode, run.stdout), (0, right))
        self.assertIn("found by name", run.stderr)
        self.assertEqual(self.good("predict", model, bare, "--unlabelled"), right)
        self.assertEqual(self.good("predict", model, "-", "--quiet", text=bare.read_text()),
                         right)
        self.assertEqual(self.good("predict", model, "-", "--unlabelled", text=bare.read_text()),
                         right)
        lacking = self.table("lacking.csv", ["age", "ph", "y"],
                             [[r[0], r[2], v] for r, v in zip(rows, y)])
        self.fails(1, "predict", model, lacking, says='no feature "mass"')
        twice = self.table("twice.csv", ["ph", "age", "age", "mass", "y"],
                           [[r[2], r[0], r[0], r[1], v] for r, v in zip(rows, y)])
        self.fails(1, "predict", model, twice, says='several features are called "age"')
        unnamed = self.table("unnamed.csv", [], rows, header=False)
        self.assertEqual(self.good("predict", model, unnamed, "--quiet"), right)
        self.assertEqual(self.good("predict", model, unnamed, "--unlabelled"), right)
        self.fails(2, "predict", model, whole, "--unlabelled", "--label", "y",
                   says="neither a label")

    def test_a_value_that_does_not_occur_is_zero(self):
        train = self.table("colours.csv", ["colour", "y"],
                           [["red", 3], ["green", 1], ["blue", 2]] * 5)
        model = self.folder / "colours.json"
        self.fit(train, "--text", "onehot", "--lambda", 0.01, "--model", model)
        new = self.table("new.csv", ["colour", "y"], [["red", 3], ["green", 1], ["red", 3]])
        values = [float(v) for v in self.good("predict", model, new, "--text", "onehot",
                                              "--quiet").split()[1:]]
        every = [float(v) for v in self.good("predict", model, train, "--text", "onehot",
                                             "--quiet").split()[1:]]
        self.assertEqual(values, [every[0], every[1], every[0]])

    def test_model_predicts_what_fit_scored(self):
        model, out = self.folder / "m.json", self.folder / "out.csv"
        result = self.fit(self.path, "--test", self.test, "--model", model)
        self.good("predict", model, self.test, "--out", out, "--quiet")
        self.assertEqual(self.good("predict", model, self.test, "-o", self.folder / "o.csv",
                                   "--quiet"), "")
        self.assertEqual((self.folder / "o.csv").read_text(), out.read_text())
        with open(out, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        columns, y = read_svm(self.test)
        right = sum((float(row["label"]) > 0) == (label > 0) for row, label in zip(rows, y))
        self.assertEqual(len(rows), len(y))
        self.assertEqual(right / len(y), result["score"]["test"]["accuracy"])
        value = result["intercept"] + math.fsum(weight * columns[feature].get(0, 0.0)
                                                for feature, weight in result["coef"])
        self.assertAlmostEqual(float(rows[0]["value"]), value, places=10)

    def test_damaged_model_is_refused(self):
        model = self.folder / "m.json"
        self.fit(self.path, "--model", model)
        self.write("m.json", model.read_bytes()[:60])
        self.fails(1, "predict", model, self.test, says="m.json")

    def test_trace(self):
        out = self.folder / "trace.csv"
        result = self.fit(self.path, "--lambda-ratio", 0.05, "--trace", out)
        with open(out, encoding="utf-8") as file:
            events = list(csv.DictReader(file))
        self.assertEqual(events[-1]["event"], "point")
        for key in ("lambda", "primal", "dual", "gap"):
            self.assertEqual(float(events[-1][key]), result[key])
        self.assertEqual(int(events[-1]["columns"]), result["columns"])
        self.assertEqual(int(events[-1]["updates"]), result["updates"])
        for before, after in zip(events, events[1:]):
            for key in ("seconds", "columns", "updates"):
                self.assertLessEqual(float(before[key]), float(after[key]))
        for event in events:
            self.assertEqual(int(event["active"]) + int(event["screened"]), 12)

    def test_outputs_that_cannot_be_written_are_told_first(self):
        for option in ("--model", "--trace"):
            self.fails(1, "fit", self.path, "--method", "lasso", option, "/no-such-folder/x",
                       says=(option, "/no-such-folder/x"))

    def test_what_cannot_be_looked_at_is_not_replaced(self):
        """As a device in a folder that fails would be: the new file must not take its place."""
        loop = self.folder / "loop.csv"
        loop.symlink_to("loop.csv")
        for command in (("fit", self.path, "--method", "lasso", "--model", loop),
                        ("convert", self.path, loop)):
            done = tamis(*command)
            self.assertEqual(done.returncode, 1)
            self.assertIn("loop.csv: cannot be written", done.stderr)
            self.assertTrue(loop.is_symlink())

    def test_csv_with_names(self):
        rows = "".join(f"{row[0]},{row[3]},{'yes' if y > 0 else 'no'}\n"
                       for row, y in zip(self.rows, self.y))
        path = self.write("named.csv", 'alpha,"be,ta",answer\n' + rows)
        result = self.fit(path, "--label", "answer")
        self.assertEqual({feature for feature, _ in result["coef"]}, {"alpha", "be,ta"})
        page = self.good("fit", path, "--method", "lasso", "--label", "3")
        self.assertIn("no (-1), yes (+1)", page)
        self.assertIn("alpha", page)

    def test_long_names_keep_both_ends_and_the_columns(self):
        names = self.write("names", "gene " + "a" * 60 + " [M1_at]\nb\n")
        path = self.write("two.svm", "1 1:1 2:2\n2 1:2 2:1\n4 1:4 2:4\n6 1:5 2:6\n")
        text = self.good("fit", path, "--names", names, "--method", "lasso", "--lambda-ratio",
                         "0.01")
        lines = [line for line in text.splitlines() if line.startswith(("  gene", "  b "))]
        self.assertEqual(len(lines), 2)
        long = next(line for line in lines if "gene" in line)
        self.assertRegex(long, r"gene a+\.\.\.a+ \[M1_at\] ")
        self.assertEqual(len({re.search(r"[+-]\d\S* ", line).end() for line in lines}), 1)

    def test_names_that_are_no_utf8(self):
        path = self.write("latin.csv", "caf\u00e9,b,y\n1,2,3\n2,1,5\n3,7,6\n".encode("latin-1"))
        result = self.fit(path, "--lambda", "0.1")
        self.assertIn("caf\u00e9", [feature for feature, _ in result["coef"]])

    def test_names_in_a_locale_without_utf8(self):
        path = self.write("names.csv", "gr\u00f6\u00dfe,\u91cd\u91cf,y\n1,2,3\n2,1,5\n3,7,6\n")
        words = ("fit", path, "--method", "lasso", "--lambda-ratio", "0.01")
        piped = self.good(*words, env=environment(LC_ALL="C"))
        self.assertIn("gr\u00f6\u00dfe", piped)  # a file has the name as it is
        self.assertTrue(piped.replace("gr\u00f6\u00dfe", "").replace("\u91cd\u91cf", "").isascii())
        self.assertEqual(self.good(*words, "--charset", "utf8", env=environment(LC_ALL="C")).
                         split("train")[1], self.good(*words).split("train")[1])

    def test_a_misspelt_method_option_is_told(self):
        for words in (("--metod", "lasso"), ("--mehtod=lasso",), ("--lambda", "1", "--methd", "a")):
            self.fails(2, "fit", self.path, *words, says="did you mean '--method'?")
        self.fails(2, "fit", self.path, "--lambda", "1", says="name a method")

    def test_one_is_singular(self):
        path = self.write("one.csv", "a,b,y\n1,u,3\n")
        self.assertRegex(self.good("info", path, "--text", "onehot"),
                         r"1 row x 2 features(?s:.*) 1 column became 1 ")
        self.assertRegex(self.good("info", self.write("few.csv", "a,y\n1,u\n2,v\n1,u\n")),
                         r"u \(-1\) in 2 rows, v \(\+1\) in 1 row\n")
        self.assertRegex(self.good("info", self.write("two.csv", "a,y\n1,3\n2,3\n1,9\n")),
                         "3 rows x 1 feature\n")

    def test_page(self):
        page = self.good("fit", self.path, "--method", "lasso", "--lambdas", 5, "--test", self.test)
        for word in ("converged", "lambda_max", "gap", "features", "screened", "train", "test",
                     "weight"):
            self.assertIn(word, page)
        self.assertNotIn("\033", page)
        self.assertNotIn("nan", page)
        table = page[page.index("      lambda "):].splitlines()
        self.assertEqual(len([line for line in table[1:6] if line.split()]), 5)
        ascii_page = self.good("fit", self.path, "--method", "lasso", "--charset", "ascii")
        self.assertTrue(ascii_page.isascii())
        self.assertIn("\033[", self.good("fit", self.path, "--method", "lasso", "--color", "256"))

    def test_products_that_overflow_are_refused(self):
        rows = [f"{a}e100,{b}e100,{a + b}e100" for a, b in ((1, 2), (-3, 1), (2, -5), (4, 4))]
        path = self.write("e.csv", "a,b,y\n" + "\n".join(rows) + "\n")
        run = tamis("fit", path, "--label", "y", "--method", "ridge", "--json")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("feature a", run.stderr)
        self.assertIn("overflow", run.stderr)



if __name__ == "__main__":
    unittest.main()
