#!/usr/bin/python3
"""Groups of features, de-biasing and the baselines on the command line and in Lua."""
import json
import os
import pathlib
import tempfile
import unittest

from tamis_cli import GOLUB, Case, tamis


class Groups(Case):
    def fit(self, *words):
        run = tamis("fit", GOLUB, "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_a_file_and_a_parameter_mean_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pathways.groups"
            path.write_text("# two\n1-20 weight=2\n21, 22, 23 name=b\n30-60\n")
            by_file = self.fit("--method", "grouplasso", "--loss", "logistic", "--groups",
                               str(path))
        text = self.fit("--method", "grouplasso", "--loss", "logistic", "--groups",
                        "[1-20 weight=2; 21-23; 30-60]")
        self.assertEqual(by_file["coef"], text["coef"])
        self.assertEqual(by_file["status"], "converged")
        self.assertGreater(by_file["nnz"], 0)
        self.assertEqual(text["params"]["groups"], "[1-20 weight=2; 21-23; 30-60]")

    def test_whole_groups_are_chosen(self):
        got = self.fit("--method", "grouplasso", "--loss", "squared_hinge", "--groups", "10",
                       "--lambda-ratio", "0.3")
        features = {int(str(name).lstrip("X")) for name, _ in got["coef"]}
        blocks = {(feature - 1) // 10 for feature in features}
        last = got["data"]["p"]
        for block in blocks:
            self.assertLessEqual({j for j in range(10 * block + 1, 10 * block + 11) if j <= last},
                                 features)
        self.assertGreater(len(blocks), 1)
        self.assertLess(got["gap"], 1e-4)

    def test_mistakes_are_placed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.groups"
            path.write_text("1-20\n3 weight=no\n")
            run = tamis("fit", GOLUB, "--method", "grouplasso", "--groups", str(path))
        self.assertEqual(run.returncode, 1)
        self.assertIn("bad.groups: line 2, column 3: expected a weight above 0", run.stderr)
        run = tamis("fit", GOLUB, "--method", "grouplasso", "--groups", "[1 2; 2 3]", "--overlap",
                    "nested")
        self.assertEqual(run.returncode, 2)
        self.assertIn("not a tree", run.stderr)

    def test_ufomkl(self):
        """Whole groups, by the weights they are given; what it cannot use is told."""
        got = self.fit("--method", "ufomkl", "--groups", "10", "--lambda-ratio", "0.3",
                       "--alpha", "0.9", "--max-iter", "300")
        features = {int(str(name).lstrip("X")) for name, _ in got["coef"]}
        blocks = {(feature - 1) // 10 for feature in features}
        self.assertEqual(len(features), sum(min(10, 3051 - 10 * block) for block in blocks))
        self.assertGreater(len(blocks), 0)
        self.assertLess(got["gap"], 0.05 * 38)
        self.assertEqual(got["intercept"], 0)
        words = ("--method", "ufomkl", "--lambda", "20", "--max-iter", "100", "--tol", "1e-6")
        light = self.fit(*words, "--groups", "[1-20; 829]")
        heavy = self.fit(*words, "--groups", "[1-20; 829 weight=9]")
        self.assertIn("829", {str(name).lstrip("X") for name, _ in light["coef"]})
        self.assertNotIn("829", {str(name).lstrip("X") for name, _ in heavy["coef"]})
        for more, word in ((("--groups", "[1 2; 2 3]"), "overlap"), (("--alpha", "1"), "0.999"),
                           (("--q", "1.5"), "at least 2"), (("--loss", "squared"), "hinge")):
            run = tamis("fit", GOLUB, "--method", "ufomkl", *more)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(word, run.stderr)
        path = self.fit("--method", "ufomkl", "--lambdas", "4", "--max-iter", "20")["path"]
        self.assertEqual(path[0]["nnz"], 0)
        self.assertGreater(path[-1]["nnz"], 0)

    def test_lua_takes_tables(self):
        run = tamis("eval", f'''
            local d = tm.load("{GOLUB}")
            local r = tm.grouplasso(d, {{loss="logistic", groups={{
                {{1, 2, 3, 7, name="low"}}, {{4, 5, parent="top", weight=2}}, {{name="top"}}}}}}):wait()
            print(r.params.groups)
            print(pcall(tm.grouplasso, d, {{groups={{{{1, true}}}}}}))
            print(pcall(tm.grouplasso, d, {{groups={{{{1, wieght=2}}}}}}))
            print(pcall(tm.grouplasso, d, {{groups={{1, 2}}}}))''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('[ 1-3 7 name="low"; 4-5 weight=2 parent="top"; name="top"]', run.stdout)
        self.assertIn("true or false at place 2", run.stdout)
        self.assertIn("'wieght'", run.stdout)
        self.assertIn("group 1 is a number", run.stdout)


class Debias(Case):
    def test_a_path_is_debiased_point_by_point(self):
        run = tamis("fit", GOLUB, "--method", "l1logistic", "--lambdas", "4", "--debias", "2",
                    "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        got = json.loads(run.stdout)
        self.assertEqual(len(got["path"]), 4)
        for point in got["path"]:
            self.assertEqual(point["debias"]["C"], 2)
            self.assertLess(abs(point["debias"]["gap"]), 1e-3)
        self.assertNotIn("debias", json.loads(
            tamis("fit", GOLUB, "--method", "l1logistic", "--json").stdout))

    def test_models_debias_in_lua(self):
        run = tamis("eval", f'''
            local d = tm.load("{GOLUB}")
            local m = tm.l1svm(d, {{lambda_ratio=0.4}}):wait().model
            local big, certificate = m:debias{{data=d, C=5, loss="squared_hinge"}}
            assert(#big.support == #m.support and certificate.gap <= 1e-5)
            assert(math.abs(big.coef[m.support[1]]) > math.abs(m.coef[m.support[1]]))
            print(pcall(m.debias, m, {{data=d, C=0}}))
            print(pcall(m.debias, m))''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("expected a number above 0", run.stdout)
        self.assertIn("expected {data=..., C=...}", run.stdout)

    def test_features_of_a_map_are_retrained(self):
        """The objective by the model's own predictions and weights is the certificate's."""
        out = self.good("eval", """
            local d = tm.synth("corral", {n=40, p=6, seed=2})
            local m = tm.fgm(d, {source="poly2", B=3, C=1}):wait().model
            for _, loss in ipairs{"squared_hinge", "logistic"} do
                local big, c = m:debias{data=d, C=0.5, loss=loss, tol=1e-8}
                local z, y, losses, norm = big:predict(d), d.y, 0, 0
                for i = 1, d.n do
                    local margin = y[i] * z[i]
                    losses = losses + (loss == "logistic" and math.log(1 + math.exp(-margin))
                                       or math.max(1 - margin, 0)^2 / 2)
                end
                for _, j in ipairs(big.support) do norm = norm + big.coef[j]^2 end
                print(#big.support == #m.support, c.gap >= 0 and c.gap < 1e-6,
                      math.abs(norm / 2 + 0.5 * losses - c.primal) < 1e-9 * c.primal)
            end
            local svm = tm.svm(d, {kernel="rbf"}):wait().model
            local chosen = tm.hsiclasso(d, {lambda_ratio=0.3}):wait().model
            for _, wrong in ipairs{{m, {data=tm.synth("corral", {n=9, p=7}), C=1}},
                                   {svm, {data=d, C=1}}, {chosen, {data=d, C=1}},
                                   {m, {data=d, C=1, tol=0}}} do
                print(select(2, pcall(wrong[1].debias, wrong[1], wrong[2])))
            end""")
        lines = out.splitlines()
        self.assertEqual(lines[:2], ["true\ttrue\ttrue"] * 2)
        for line, says in zip(lines[2:], ("the data have 7 features, the model 6",
                                          "support vectors has no weights", "use refit",
                                          "'tol' is 0"), strict=True):
            self.assertIn(says, line)


class Baselines(Case):
    def test_features_are_those_asked_for(self):
        for method in ("rfe", "gomp"):
            run = tamis("fit", GOLUB, "--method", method, "--features", "20,10,5", "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            got = json.loads(run.stdout)
            self.assertEqual([point["nnz"] for point in got["path"]], [20, 10, 5])
            self.assertEqual(got["status"], "converged")

    def test_all_features(self):
        for method in ("logistic", "svm_l2"):
            run = tamis("fit", GOLUB, "--method", method, "--C", "0.1", "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            got = json.loads(run.stdout)
            self.assertEqual(got["status"], "converged")
            self.assertNotIn("lambda", got)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
