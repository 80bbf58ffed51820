#!/usr/bin/python3
"""tm.explain and tm.steps: what they say of features agrees with the answer."""
import math
import re
import unittest

from tamis_cli import Case

LUA = """
d = tm.synth("saif", {n = 40, p = 60, k = 5, seed = 2})
r = tm.lasso(d, {lambda_ratio = 0.3, screen = "%s", tol = 1e-9, intercept = false}):wait()
for j = 1, d.p do print(j, r.model:weight(j), tm.explain(r, j)) end
"""


class Explain(Case):
    def test_every_feature_is_explained(self):
        for rule in ("gap", "saif", "safe", "auto", "none"):
            out = self.good("eval", LUA % rule)
            rows = re.findall(r"^(\d+)\t(\S+)\t(.*)$", out, re.M)
            self.assertEqual(len(rows), 60)
            for _, weight, said in rows:
                if float(weight) != 0:
                    self.assertRegex(said, r"has the weight -?[\d.]+")
                    least = re.search(r"least bound .* was ([\d.]+)", said)
                    self.assertGreater(float(least[1]), 0.999)
                elif "was excluded for good" in said:
                    bound = float(re.search(r"is at most ([\d.]+)", said)[1])
                    self.assertLess(bound, 1)
                else:
                    self.assertIn("is not excluded, but zero", said)
                self.assertLessEqual(len(re.findall(r"\. (?=[A-Z])", said)) + 1, 2, said)

    def test_not_excluded_but_zero(self):
        """A run that is cut short has a ball that proves little."""
        out = self.good("eval", """
d = tm.synth("saif", {n = 40, p = 60, k = 5, seed = 2})
r = tm.lasso(d, {lambda_ratio = 0.01, screen = "gap", max_iter = 1}):wait()
for j = 1, d.p do if r.model:weight(j) == 0 then print(tm.explain(r, j)) end end""")
        self.assertIn("is not excluded, but zero", out)

    def test_steps(self):
        """A ball's radius and bounds from their formulas, by the data alone."""
        out = self.good("eval", """
X, y = {{1, 0.8, -0.6, 0.5}, {0.2, 0.7, 0.7, -0.3}}, {1, 0.6}
r = tm.lasso(tm.dataset{x = X, y = y}, {lambda = 0.6, intercept = false, screen = "gap"}):wait()
for _, s in ipairs(tm.steps(r)) do
    if s.radius then print(s.gap, s.radius, s.bounds[1], s.bounds[2]) end
end""")
        for line in out.splitlines():
            gap, radius, first, second = map(float, line.split())
            if gap > 1e-6:
                self.assertAlmostEqual(radius, math.sqrt(2 * gap) / 0.6, delta=1e-9)
            self.assertGreaterEqual(min(first, second), 1)

    def test_every_sample_is_explained(self):
        """What is said of samples agrees with their margins at the optimum, for every strategy
        and kernel; the certificate, as the last step, places nearly all of them."""
        out = self.good("eval", """
local s, x, y = 7, {}, {}
local function draw() s = s * 16807 % 2147483647; return s / 2147483647 - 0.5 end
for i = 1, 60 do
    x[i] = {draw(), draw(), draw()}
    y[i] = x[i][1] + x[i][2] + 0.4 * draw() > 0 and 1 or -1
end
d = tm.dataset{x = x, y = y}
for _, kernel in ipairs{"linear", "rbf"} do
for _, intercept in ipairs{"none", "free", "regularised"} do
for _, screen in ipairs{"none", "shrink", "gap", "saiv", "auto"} do
    r = tm.svm(d, {C = 0.5, tol = 1e-9, kernel = kernel, intercept = intercept,
                   screen = screen}):wait()
    z = r.model:predict(d)
    steps = tm.steps(r)
    last = steps[#steps]
    for i = 1, d.n, 7 do
        print(steps[1].item, last.actions[i], y[i] * z[i], tm.explain(r, i))
    end
end end end""")
        rows = re.findall(r"^(\S+)\t(\S+)\t(\S+)\t(.*)$", out, re.M)
        self.assertEqual(len(rows), 30 * 9)
        placed = {"certified": 0, "at_limit": 0, "kept": 0}
        for item, action, margin, said in rows:
            self.assertEqual(item, "sample")
            placed[action] += 1
            if action == "certified":
                self.assertGreater(float(margin), 1)
                self.assertIn("its dual variable is 0 in every answer at C 0.5", said)
            elif action == "at_limit":
                self.assertLess(float(margin), 1)
                self.assertIn("its dual variable is C times its weight", said)
            else:
                self.assertAlmostEqual(float(margin), 1, delta=1e-3)
                self.assertIn("is not excluded.", said)
        self.assertGreater(min(placed["certified"], placed["at_limit"]), 10)

    def test_what_cannot_be_explained(self):
        data = 'd = tm.synth("fgm", {n = 30, p = 5, k = 2, seed = 1}) '
        for code, said in (('tm.explain(tm.lasso(d, {}), 6)', "no feature 6"),
                           ('tm.explain(tm.lasso(d, {}), 0)', "counted from 1"),
                           ('tm.explain(tm.svm(d, {}), 31)', "no sample 31: the data have 30"),
                           ('tm.explain(tm.ridge(d, {}), 1)', "no screen log"),
                           ('tm.explain(1, 1)', "run")):
            self.fails(1, "eval", data + code, says=said)


if __name__ == "__main__":
    unittest.main()
