#!/usr/bin/python3
"""Predictions as scores, classes and probabilities; the numbers are scikit-learn's, 1.2.1."""
import csv
import io
import json
import math
import unittest

from tamis_cli import Case

X = [round(math.sin(3 * i) * 2 + 0.1 * i, 3) for i in range(1, 31)]
Y = [1 if math.sin(3 * i) * 2 + 1.5 * math.cos(7 * i) > 0.2 else -1 for i in range(1, 31)]
# CalibratedClassifierCV's sigmoid, _SigmoidCalibration().fit(X, Y), at AT. A linear model of one
# feature ranks rows as the feature does, and a sigmoid of a x + b is one of x.
AT = [-2, -1, 0, 1, 2, 5]
SIGMOID = [0.013611, 0.038369, 0.103436, 0.250145, 0.490984, 0.958879]
# LogisticRegression(C=1, tol=1e-12).fit([[x, cos(7 i)]], Y).predict_proba of the first rows.
LOGISTIC = [0.23093136, 0.05032381, 0.13797136, 0.00895858, 0.20085237, 0.01321202]


class Probability(Case):
    def table(self, name, rows):
        return self.write(name, "".join(",".join(str(v) for v in row) + "\n" for row in rows))

    def setUp(self):
        super().setUp()
        self.train = self.table("train.csv", [("x", "class")] + [
            (x, "yes" if y > 0 else "no") for x, y in zip(X, Y)])
        self.at = self.table("at.csv", [("x",)] + [(x,) for x in AT])
        self.model = self.folder / "m.json"

    def predict(self, data, *options):
        return list(csv.reader(io.StringIO(self.good("predict", self.model, data, "--quiet",
                                                     *options))))

    def fit(self, method, *options):
        self.good("fit", self.train, "--method", method, "--label", "class", "--model",
                  self.model, "--quiet", "--tol", "1e-12", *options)

    def test_calibrated_scores_are_scikit_learns_sigmoid(self):
        for method in ("l1svm --lambda-ratio 0.1", "lasso --lambda-ratio 0.5", "svm"):
            self.fit(*method.split())
            rows = self.predict(self.at, "--unlabelled", "--as", "probability",
                                "--calibrate", self.train)
            self.assertEqual(rows[0], ["no", "yes"])
            for row, p in zip(rows[1:], SIGMOID):
                self.assertAlmostEqual(float(row[1]), p, delta=2e-5)
                self.assertAlmostEqual(float(row[0]) + float(row[1]), 1)

    def test_the_sigmoid_is_where_the_likelihood_is_greatest(self):
        """The gradient of Platt's likelihood, in the scores of the model."""
        self.fit("l1svm", "--lambda-ratio", "0.1")
        z = [float(row[0]) for row in self.predict(self.train, "--as", "score")[1:]]
        p = [float(row[1]) for row in self.predict(self.train, "--as", "probability",
                                                   "--calibrate", self.train)[1:]]
        positive = sum(y > 0 for y in Y)
        high, low = (positive + 1) / (positive + 2), 1 / (len(Y) - positive + 2)
        rest = [q - (high if y > 0 else low) for q, y in zip(p, Y)]
        self.assertAlmostEqual(sum(rest), 0, delta=1e-8)
        self.assertAlmostEqual(sum(r * v for r, v in zip(rest, z)), 0, delta=1e-8)

    def test_probabilities_of_the_logistic_loss_are_scikit_learns(self):
        self.train = self.table("two.csv", [("x", "c", "class")] + [
            (x, round(math.cos(7 * i), 3), "yes" if y > 0 else "no")
            for i, (x, y) in enumerate(zip(X, Y), 1)])
        self.fit("logistic", "--C", "1")
        rows = self.predict(self.train, "--as", "probability")
        for row, p in zip(rows[1:], LOGISTIC):
            self.assertAlmostEqual(float(row[1]), p, delta=1e-6)
        scores = self.predict(self.train, "--as", "score")
        self.assertEqual(scores[0], ["value"])
        for row, score in zip(rows[1:], scores[1:]):
            self.assertAlmostEqual(float(row[1]), 1 / (1 + math.exp(-float(score[0]))))
        classes = self.predict(self.train, "--as", "class")
        both = self.predict(self.train)
        self.assertEqual(both[0], ["label", "value"])
        self.assertEqual([c + s for c, s in zip(classes, scores)], both)
        self.assertEqual([c[0] for c in classes[1:]],
                         ["yes" if float(row[1]) > 0.5 else "no" for row in rows[1:]])
        lua = self.good("eval", f"""
            local m = tm.model('{self.model}')
            local d = tm.load('{self.train}', {{label='class'}})
            local p, c = m:predict(d, {{as='probability'}}), m:predict(d, {{as='class'}})
            for i = 1, d.n do print(string.format('%.17g %s', p[i], c[i])) end""")
        self.assertEqual(lua, "".join(f"{float(r[1]):.17g} {c[0]}\n"
                                      for r, c in zip(rows[1:], classes[1:])))

    def test_what_has_no_probabilities_is_refused_by_name(self):
        for method, loss in (("l1svm", "squared_hinge"), ("lasso", "squared")):
            self.fit(method, "--lambda-ratio", "0.1")
            self.fails(2, "predict", self.model, self.train, "--as", "probability",
                       says=[method, loss, "calibrate"])
        for options, says in ((["--as", "odds"], "'odds'"),
                              (["--as", "class", "--calibrate", self.train], "--as probability")):
            self.fails(2, "predict", self.model, self.train, *options, says=says)
        one = self.table("one.csv", [("x", "class")] + [(x, "no") for x in range(3)])
        self.fails(1, "predict", self.model, self.train, "--as", "probability", "--calibrate", one)
        numbers = self.table("numbers.csv", [("x", "y")] + [(x, x * x) for x in X])
        self.good("fit", numbers, "--method", "lasso", "--lambda-ratio", "0.5", "--label", "y",
                  "--model", self.model, "--quiet")
        for what in ("class", "probability"):
            self.fails(2, "predict", self.model, numbers, "--as", what, says="is a number")
        self.assertEqual(self.predict(numbers, "--as", "score"), self.predict(numbers))

    def test_models_tell_their_loss_and_files_without_it_are_refused(self):
        self.fit("l1logistic", "--lambda-ratio", "0.1")
        text = self.model.read_text()
        content = json.loads(text)
        self.assertEqual(content.pop("loss"), "logistic")
        rows = self.predict(self.train, "--as", "score")
        self.model.write_text(json.dumps(content))
        self.assertEqual(self.predict(self.train, "--as", "score"), rows)
        self.fails(2, "predict", self.model, self.train, "--as", "probability", says="calibrate")

    def test_one_against_the_rest_is_normalised(self):
        self.good("eval", """
            local x, y = {}, {}
            for i = 1, 60 do
              x[i] = {math.sin(i) + i % 3, math.cos(2 * i) - i % 3}
              y[i] = ({'a', 'b', 'c'})[i % 3 + 1]
            end
            local path = 'PATH'
            local file = io.open(path, 'w')
            file:write('u,v,class\\n')
            for i = 1, 60 do file:write(x[i][1], ',', x[i][2], ',', y[i], '\\n') end
            file:close()
            local d = tm.load(path, {label='class'})
            local o = tm.ovr(d, 'l1logistic', {lambda_ratio=0.1}):wait()
            local p, z = o:predict(d, {as='probability'}), o:predict(d, {as='score'})
            local c, right = o:predict(d), 0
            for i = 1, 60 do
              local sum, best = 0, nil
              for k, s in pairs(z[i]) do
                sum = sum + 1 / (1 + math.exp(-s))
                if not best or s > z[i][best] then best = k end
              end
              for k, s in pairs(z[i]) do
                assert(math.abs(p[i][k] - 1 / (1 + math.exp(-s)) / sum) < 1e-12)
              end
              assert(best == c[i])
              right = right + (c[i] == y[i] and 1 or 0)
            end
            assert(math.abs(right / 60 - o:scores('train').accuracy) < 1e-12)
            local svm = tm.ovr(d, 'l1svm', {lambda_ratio=0.1}):wait()
            assert(not pcall(svm.predict, svm, d, {as='probability'}))
            local q = svm:predict(d, {as='probability', calibrate=d})
            for i = 1, 60 do assert(math.abs(q[i].a + q[i].b + q[i].c - 1) < 1e-12) end
            """.replace("PATH", str(self.folder / "three.csv")))


if __name__ == "__main__":
    unittest.main()
