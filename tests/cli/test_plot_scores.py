#!/usr/bin/python3
"""Figures of scores in Lua: by which metric, and the constant prediction beside them. What is drawn
is computed again here, from the models' predictions on the test rows."""
import csv
import os
import tempfile
import unittest

from tamis_cli import GOLUB, Case, tamis

SCRIPT = """
local data = tm.load("%s")
local train, test = data:split{test=0.4, seed=2, stratify=true}
local r = tm.lasso(train, {lambdas=6, lambda_min_ratio=0.05, test=test}):wait()
local y = test.y
for i, m in ipairs(r.models) do
    local p = m:predict(test)
    for k = 1, #p do print("row", i, m.nnz, y[k], p[k]) end
end
for k = 1, #train.y do print("train", train.y[k]) end
for _, metric in ipairs{"accuracy", "balanced_accuracy", "f1", "precision", "recall"} do
    tm.plot{runs={r}, x="nnz", y="test_score", metric=metric}:save("%s/" .. metric .. ".csv")
end
tm.plot{runs={r}, x="nnz", y="test_score", metric="f1", baseline=false}:save("%s/without.csv")
tm.plot{runs={r}, x="nnz", y="test_score"}:save("%s/usual.csv")
"""


def scores(truth, said):
    """Accuracy, balanced accuracy, F1, precision and recall from their definitions."""
    pairs = list(zip(truth, said))
    tp, fp = pairs.count((1, 1)), pairs.count((-1, 1))
    fn, tn = pairs.count((1, -1)), pairs.count((-1, -1))
    share = lambda part, whole: part / whole if whole else 0.0  # noqa: E731
    return {"accuracy": (tp + tn) / len(pairs),
            "balanced_accuracy": (share(tp, tp + fn) + share(tn, tn + fp)) / 2,
            "f1": share(2 * tp, 2 * tp + fp + fn),
            "precision": share(tp, tp + fp), "recall": share(tp, tp + fn)}


class PlotScores(Case):
    def series(self, path):
        """{name: [(x, y)]} of a figure's CSV."""
        with open(path, newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        out = {}
        for row in rows:
            x = float(row["x"]) if row["x"] else None  # a level has none
            out.setdefault(row["series"], []).append((x, float(row["y"])))
        return out

    def test_metric_and_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            shown = tamis("eval", SCRIPT % (GOLUB, folder, folder, folder)).stdout
            rows = [line.split() for line in shown.splitlines()]
            models = {}
            for row in (r for r in rows if r[0] == "row"):
                models.setdefault(row[1], [int(row[2]), [], []])
                models[row[1]][1].append(1 if float(row[3]) > 0 else -1)
                models[row[1]][2].append(1 if float(row[4]) > 0 else -1)
            train = [float(r[1]) for r in rows if r[0] == "train"]
            most = 1 if sum(train) > 0 else -1
            truth = next(iter(models.values()))[1]
            for metric in ("accuracy", "balanced_accuracy", "f1", "precision", "recall"):
                drawn = self.series(os.path.join(folder, metric + ".csv"))
                constant = scores(truth, [most] * len(truth))[metric]
                self.assertEqual({round(y, 9) for _, y in drawn["majority"]}, {round(constant, 9)})
                (name,) = set(drawn) - {"majority"}
                wanted = sorted((nnz, scores(y, p)[metric]) for nnz, y, p in models.values())
                self.assertEqual(len(drawn[name]), len(wanted))
                for got, want in zip(sorted(drawn[name]), wanted):
                    self.assertAlmostEqual(got[0], want[0])
                    self.assertAlmostEqual(got[1], want[1], places=9)
            self.assertNotIn("majority", self.series(os.path.join(folder, "without.csv")))
            self.assertEqual(self.series(os.path.join(folder, "usual.csv")),
                             self.series(os.path.join(folder, "accuracy.csv")))

    def test_numbers_have_their_mean(self):
        with tempfile.TemporaryDirectory() as folder:
            tamis("eval", 'local d = tm.synth("saif", {n=40, p=20, k=3, seed=1}) '
                  'local a, b = d:split{test=0.5, seed=1} '
                  'local r = tm.lasso(a, {lambdas=4, test=b}):wait() '
                  'tm.plot{runs={r}, x="nnz", y="test_score", metric="mse"}:save("%s/mse.csv") '
                  'local mean, sum = 0, 0 for i = 1, #a.y do mean = mean + a.y[i] / #a.y end '
                  'for i = 1, #b.y do sum = sum + (b.y[i] - mean)^2 / #b.y end '
                  'local h = io.open("%s/mean", "w") h:write(sum) h:close()' % (folder, folder))
            with open(os.path.join(folder, "mean"), encoding="utf-8") as f:
                wanted = float(f.read())
            drawn = self.series(os.path.join(folder, "mse.csv"))["mean"]
            self.assertAlmostEqual(drawn[0][1] / wanted, 1, places=9)

    def test_what_is_refused(self):
        start = 'local r = tm.lasso(tm.load("%s"), {lambda_ratio=0.5}):wait() ' % GOLUB
        for arguments, message in (
                ('y="gap", metric="f1"', "'metric' is of y=\"test_score\" or \"score\""),
                ('y="score", metric="f7"', "f7"),
                ('y="score", metric="r2"', "metric 'r2' does not fit the response"),
                ('y="test_score", metric="f1"', "has no test data"),
                ('y="score", baseline=3', "baseline")):
            self.fails(1, "eval", start + "tm.plot{runs={r}, %s}" % arguments, says=(message,))


class Pictures(Case):
    def test_numbers_are_saved_in_their_places(self):
        self.good("eval", """
            local f = tm.plot{picture={1, 2, 3, 4, 5, 6}, shape={2, 3}}
            f:save("a.csv")
            tm.plot{picture={1, 2, 3, 4}, shape={2, 1, 2}, slice=2}:save("b.csv")""",
                  cwd=self.folder)
        self.assertEqual((self.folder / "a.csv").read_text().split(),
                         ["row,column,value"] + [f"{r},{c},{3 * r + c - 3}" for r in (1, 2)
                                                 for c in (1, 2, 3)])
        self.assertEqual((self.folder / "b.csv").read_text().split(),
                         ["row,column,value", "1,1,3", "1,2,4"])

    def test_signs_are_told_apart_in_text(self):
        out = self.good("eval", "print(tm.plot{picture={-1, 1, 1, -1}, shape={2, 2}})",
                        "--charset", "utf8", "--color", "never")
        rows = [line for line in out.splitlines() if set(line) & set("●█") and " " not in line]
        half = len(rows) // 2
        self.assertGreater(half, 0)
        self.assertEqual([row[::-1] for row in rows[:half]], rows[half:2 * half])
        self.assertNotEqual(rows[0], rows[half])

    def test_shapes_that_do_not_fit(self):
        for words, says in (("picture={1, 2}", "needs its shape"),
                            ("picture={1, 2}, shape={2, 2}", "has 4 places, the picture 2"),
                            ("picture={1, 2}, shape={2}", "'shape' is {rows, columns}"),
                            ("picture={1, 2}, shape={1.5, 2}", "'shape' is {rows, columns}"),
                            ("picture={1, 2}, shape={2, 1, 1}, slice=3", "from 1 to 2"),
                            ("picture={1, 2}, shape={2, 1, 1}, slice=1.5", "from 1 to 2")):
            self.fails(1, "eval", f"tm.plot{{{words}}}", says=says)


if __name__ == "__main__":
    unittest.main(verbosity=1)
