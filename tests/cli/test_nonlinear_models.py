#!/usr/bin/python3
"""Models that are not linear: support vectors, sums of kernels, products, selections with and
without a predictor: saved, loaded, predicted with in another process, shown, exported or refused,
and damaged in every place."""
import copy
import json
import math
import os
import random
import re
import tempfile
import unittest

from tamis_cli import Case, tamis

ROWS, COLUMNS = 60, 6
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")

KINDS = {  # the words of the fit, and what is shown of the model
    "svm": ("--method svm --kernel rbf --intercept free", "support vectors, kernel rbf"),
    "poly": ("--method svm --kernel poly --intercept regularised", "support vectors, kernel poly"),
    "selected": ("--method hsiclasso --lambda-ratio 0.3", "predicts, by \\d+ support vectors"),
    "linear": ("--method hsiclasso --lambda-ratio 0.3 --refit l1svm", "l1svm on them predicts"),
    "sums": ("--method kernelfs --graph chain --lambda-ratio 0.5", "map +gaussian_sums, of"),
    "hik": ("--method fgm --source hik --B 2", "map +hik, of"),
    "poly2": ("--method fgm --source poly2 --B 3", "of 28 features made of columns"),
}


class Nonlinear(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.damaged = []
        draw = random.Random(4)
        self.rows = [[draw.uniform(-2, 2) for _ in range(COLUMNS)] for _ in range(ROWS)]
        self.y = [1 if row[2] ** 2 + row[4] ** 2 > 2.6 else -1 for row in self.rows]
        self.data = self.path("d.csv")
        with open(self.data, "w", encoding="ascii") as f:
            f.write("a,b,c,d,e,f,y\n")
            for row, y in zip(self.rows, self.y):
                f.write(",".join(map(repr, row)) + (",yes\n" if y > 0 else ",no\n"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def fit(self, kind, ending="json"):
        out = self.path(f"{kind}.{ending}")
        self.good("fit", self.data, *KINDS[kind][0].split(), "--model", out, "--quiet")
        return out

    def scores(self, model):
        out = self.good("predict", model, self.data, "--as", "score", "--quiet")
        return [float(line.split(",")[-1]) for line in out.split()[1:]]

    def load(self, kind):
        with open(self.fit(kind), encoding="utf-8") as f:
            return json.load(f)

    def test_each_class_against_the_rest(self):
        classes = self.path("classes.csv")
        with open(classes, "w", encoding="ascii") as f:
            f.write("a,b,c,d,e,f,y\n")
            for row in self.rows:
                above = sum(x > 0 for x in row)
                f.write(",".join(map(repr, row)) + ",%s\n" % "uvw"[(above > 2) + (above > 3)])
        words = "--method svm --kernel rbf --intercept free --tol 1e-8".split()
        found = json.loads(self.good("fit", classes, *words, "--one-vs-rest", "--json"))
        self.assertEqual(len(found["classes"]), 3)
        for one in found["classes"]:
            model = self.path(one["class"] + ".json")
            single = json.loads(self.good("fit", classes, *words, "--class", one["class"],
                                          "--json", "--model", model))
            self.assertEqual(one["primal"], single["primal"])
            self.assertEqual(one["gap"], single["gap"])
            info = json.loads(self.good("info", model, "--json"))
            self.assertEqual(one["support_vectors"], info["support_vectors"])
            self.assertGreater(one["support_vectors"], 0)
        page = self.good("fit", classes, *words, "--one-vs-rest")
        self.assertRegex(page, r"class +rows +vectors ")
        for one in found["classes"]:
            self.assertRegex(page, r"(?m)^%s +\d+ +%d " % (one["class"], one["support_vectors"]))

    def test_a_model_of_vectors_is_shown_by_its_vectors(self):
        """It has no weights of features: none are counted."""
        words = "--method svm --kernel rbf --C".split()
        page = self.good("fit", self.data, *words, "0.1,2", "--quiet")
        self.assertNotRegex(page, r"(?m)^ +features ")
        count = re.search(r"model +(\d+) support vectors", page)[1]
        self.assertRegex(page, r"(?m)^ +C vectors +primal")
        self.assertRegex(page, r"(?m)^ +2 +%s " % count)
        self.assertRegex(self.good("fit", self.data, "--method", "svm", "--C", "0.1,2"),
                         r"(?s)features +6 of 6\n.* C +nnz +primal")
        shown = self.good("eval", f"""
print(tm.svm(tm.load("{self.data}"), {{kernel = "rbf", C = 2}}):wait())""")
        self.assertIn(f", {count} vectors, ", shown)

    def test_another_process_predicts_the_same(self):
        """A model as it was fitted, as it was loaded, and as that one was saved again."""
        for kind, (words, shown) in KINDS.items():
            model = self.fit(kind)
            again = self.path("again.json")
            out = self.good("eval", f"""
m = tm.model("{model}"); m:save("{again}")
for _, z in ipairs(m:predict(tm.load("{self.data}"))) do print(string.format("%.17g", z)) end""")
            self.assertEqual([float(z) for z in out.split()], self.scores(model), kind)
            with open(model, "rb") as f, open(again, "rb") as g:
                self.assertEqual(f.read(), g.read(), kind)
            page = self.good("info", model)
            self.assertRegex(page, shown)
            self.assertNotIn(" 0 of 6 columns have a weight", page)
            described = json.loads(self.good("info", model, "--json"))
            self.assertEqual("kernel" in described, kind in ("svm", "poly", "selected"))
            self.assertEqual("map" in described, kind in ("sums", "hik", "poly2"))
            self.assertEqual("predictor" in described, kind in ("selected", "linear"))

    def test_files_that_were_saved_once(self):
        """Committed files of version 1, which programs of then wrote, and of version 2; and these
        as version 1 wrote them, without what a model carries of its data: those load with a
        remark. Selections came after version 1."""
        for kind in ("svm_1", "svm_rbf_1", "svm_rbf", "kernelfs", "hsiclasso"):
            with open(os.path.join(MODELS, kind + ".json"), encoding="utf-8") as f:
                model = json.load(f)
            written = model["version"]
            self.assertEqual(written, 1 if kind.endswith("_1") else 2)
            with open(os.path.join(MODELS, kind + ".csv"), encoding="utf-8") as f:
                then = [float(line.split(",")[1]) for line in f.read().split()[1:]]
            # A selection's predictor has scales of its columns, which version 1 did not know.
            for version in (2, 1) if written == 2 and "selection" not in model else (written,):
                if version < written:
                    model["version"] = 1
                    for part in ("reading", "columns"):
                        model.pop(part, None)
                path = self.path("saved.json")
                with open(path, "w", encoding="utf-8") as f:
                    json.dump(model, f)
                run = tamis("predict", path, os.path.join(MODELS, "train.svm"), "--as", "score")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual("earlier tamis" in run.stderr, version == 1, run.stderr)
                now = [float(line) for line in run.stdout.split()[1:]]
                self.assertEqual(len(now), len(then))
                for a, b in zip(now, then):
                    self.assertAlmostEqual(a, b, delta=1e-10 * max(1, abs(b)))

    def test_support_vectors_by_their_definition(self):
        model = self.load("svm")
        gamma, vectors = model["support"]["gamma"], model["support"]["vectors"]
        for row, z in zip(self.rows, self.scores(self.path("svm.json"))):
            own = model["intercept"]
            for a, entries in vectors:
                x = [0] * COLUMNS
                for column, value in entries:
                    x[column - 1] = value
                own += a * math.exp(-gamma * sum((u - v) ** 2 for u, v in zip(row, x)))
            self.assertAlmostEqual(own, z, delta=1e-9)

    def test_kernel_sums_by_their_definition(self):
        model = self.load("sums")
        weights = {j: w for j, w, *_ in model["coef"]}
        for row, z in zip(self.rows, self.scores(self.path("sums.json"))):
            own = model["intercept"]
            for column, rate, values in model["map"]["columns"]:
                own += weights.get(column, 0) * sum(
                    c * math.exp(-(rate * (row[column - 1] - v)) ** 2)
                    for c, v in zip(model["map"]["coef"], values))
            self.assertAlmostEqual(own, z, delta=1e-9 * max(1, abs(z)))

    def test_any_method_predicts_from_a_selection(self):
        """Every method as `refit`: saved, loaded, and its predictions those of the method fitted
        to the chosen columns, each divided by its deviation."""
        out = self.good("eval", f"""
d = tm.load("{self.data}")
for _, m in ipairs(tm.methods()) do
    r = tm.hsiclasso(d, {{lambda_ratio = 0.3, refit = m.id}}):wait()
    r.model:save("{self.path('refit.json')}")
    a, b = r.model:predict(d), tm.model("{self.path('refit.json')}"):predict(d)
    own = tm[m.id](d:select{{columns = r.model.support}}:scale(), {{}}):wait()
    scaled = own.model:predict(d:select{{columns = r.model.support}}:scale())
    far, apart, size = 0, 0, 0
    for i = 1, d.n do
        far = math.max(far, math.abs(a[i] - b[i]))
        apart = math.max(apart, math.abs(a[i] - scaled[i]))
        size = math.max(size, math.abs(a[i]))
    end
    print(m.id, far, apart / size)
end""")
        rows = [line.split("\t") for line in out.strip().split("\n")]
        self.assertGreater(len(rows), 15)
        for method, far, apart in rows:
            self.assertEqual(float(far), 0, method)
            if method in ("svm", "ridge", "logistic", "svm_l2", "l1svm"):
                self.assertLess(float(apart), 1e-2, (method, apart))

    def saved(self, out, *words):
        """What a fit says that is to save its model there; "" when it has done so."""
        run = tamis("fit", self.data, *words, "--model", out, "--quiet")
        self.assertEqual(run.returncode == 0, run.stderr == "")
        return run.stderr

    def test_formats_that_cannot_hold_a_model_are_refused(self):
        """A file that would predict something else is not written."""
        for kind, (words, _) in KINDS.items():
            for ending in ("libsvm", "liblinear"):
                out = self.path(f"{kind}.{ending}")
                held = ending == "libsvm" and kind in ("svm", "poly")
                said = self.saved(out, *words.split())
                self.assertEqual(said == "", held, said)
                self.assertEqual(os.path.exists(out), held, out)
                if not held:
                    self.assertRegex(said, r"cannot hold|give the file the ending \.libsvm")
        selected, out = KINDS["selected"][0].split(), self.path("s.liblinear")
        self.assertIn("cannot hold a selection of features with", self.saved(out, *selected))
        self.assertIn("which does not predict", self.saved(out, *selected, "--refit", "none"))
        for made, says in (("d:scale()", "scaled columns"),
                           ("d:select{columns={1, 3, 5}}", "columns that were chosen from others")):
            run = tamis("eval", f"""
d = tm.load("{self.data}")
tm.svm({made}, {{}}):wait().model:save("{self.path('x.liblinear')}")""")
            self.assertEqual(run.returncode, 1)
            self.assertIn("the format cannot hold a model of " + says, run.stderr)

    def test_libsvm_reads_what_is_exported(self):
        """The decision by the file's own numbers is the model's."""
        with open(self.fit("poly", "libsvm"), encoding="ascii") as f:
            head, vectors = f.read().split("\nSV\n")
        head = dict(line.split(" ", 1) for line in head.split("\n"))
        own = self.scores(self.fit("poly"))
        for row, z in zip(self.rows, own):
            sum_of = -float(head["rho"])
            for line in vectors.split("\n")[:-1]:
                a, *entries = line.split()
                dot = sum(row[int(j) - 1] * float(v) for j, v in (e.split(":") for e in entries))
                sum_of += float(a) * (float(head["gamma"]) * dot + float(head["coef0"])) ** int(
                    head["degree"])
            self.assertAlmostEqual(sum_of, z, delta=1e-8)

    def damage(self, what):
        """Writes a damaged model, for refused()."""
        name = f"damaged{len(self.damaged)}.json"
        self.damaged.append(name)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(what if isinstance(what, str) else json.dumps(what))

    def refused(self):
        """The messages on all of them, by one process: each is one line with the file's name."""
        with open(self.path("load.lua"), "w", encoding="utf-8") as f:
            for name in self.damaged:
                f.write(f'print(pcall(tm.model, "{self.path(name)}"))\n')
        lines = self.good("run", self.path("load.lua")).strip().split("\n")
        self.assertEqual(len(lines), len(self.damaged))
        for name, line in zip(self.damaged, lines):
            with self.subTest(name=name, line=line):
                self.assertTrue(line.startswith("false\t"))
                self.assertIn(name, line)
        return lines

    def test_damaged_models_have_one_message(self):
        """What is gone, or of another kind, in each part that such models have."""
        places = {
            "svm": [("support", "kernel"), ("support", "gamma"), ("support", "vectors"),
                    ("support", "vectors", 0, 0), ("support", "vectors", 0, 1, 0, 0)],
            "sums": [("map", "kind"), ("map", "coef"), ("map", "columns"),
                     ("map", "columns", 0, 1), ("map", "columns", 0, 2)],
            "hik": [("map", "ranges"), ("map", "kind")],
            "selected": [("selection", "predictor", "support"),
                         ("selection", "predictor", "features")],
        }
        for kind, all_of in places.items():
            model = self.load(kind)
            for place in all_of:
                for value in (None, "x", -3, {}, "remove"):
                    damaged = copy.deepcopy(model)
                    part = damaged
                    for key in place[:-1]:
                        part = part[key]
                    if value == "remove" and place[-1] == "support":
                        continue  # without support vectors it is another model
                    if value == "remove":
                        del part[place[-1]]
                    else:
                        part[place[-1]] = value
                    if value == "remove" and len(place) > 3:
                        continue  # so is one with other vectors
                    if value == -3 and place == ("support", "vectors", 0, 0):
                        continue
                    self.damage(damaged)
            text = json.dumps(model)
            for share in (0.1, 0.5, 0.9):
                self.damage(text[:int(len(text) * share)])
        self.refused()

    def test_values_that_a_weight_needs(self):
        """Without the training values of a chosen column its feature was zero."""
        model = self.load("sums")
        del model["map"]["columns"][0]
        self.damage(model)
        model = self.load("hik")
        model["map"]["ranges"] = []
        self.damage(model)
        model = self.load("svm")
        model["support"]["vectors"][0][1][0].append(3)
        self.damage(model)
        lines = self.refused()
        self.assertIn("'ranges' or 'columns' of 'map' lacks", lines[0])
        self.assertIn("'ranges' or 'columns' of 'map' lacks", lines[1])
        self.assertIn("needs 'vectors'", lines[2])


if __name__ == "__main__":
    unittest.main()
