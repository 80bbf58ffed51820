#!/usr/bin/python3
"""Scores, multivariate measures, several classes and bags on the command line and in Lua."""
import json
import unittest

from tamis_cli import GOLUB, Case, tamis


class Scores(Case):
    def test_confusion_agrees_with_the_scores(self):
        run = tamis("fit", GOLUB, "--method", "l1svm", "--lambda-ratio", "0.8", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        score = json.loads(run.stdout)["score"]["train"]
        table = score["confusion"]
        rows = sum(table.values())
        self.assertEqual(rows, 38)
        self.assertEqual(table["tp"] + table["fn"], 11)
        self.assertAlmostEqual(score["accuracy"], (table["tp"] + table["tn"]) / rows)
        self.assertAlmostEqual(score["recall"], table["tp"] / 11)
        for name in ("fbeta@2", "ap", "prbep", "prec@10", "rec@2p", "logloss", "auc"):
            self.assertIn(name, score)

    def test_scores_by_name_in_lua(self):
        run = tamis("eval", f'''
            local d = tm.load("{GOLUB}")
            local m = tm.l1svm(d, {{lambda_ratio=0.8}}):wait().model
            local t = m:confusion(d)
            assert(t.tp + t.fn == 11 and t.fp + t.tn == 27)
            assert(m:score(d, "rec@11") == m:score(d, "prbep") and m:score(d, "prec@1p") == m:score(d, "prbep"))
            print(pcall(m.score, m, d, "prec@many"))''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("metric 'prec@many': expected a whole number of rows", run.stdout)


class Measures(Case):
    def fit(self, *words):
        run = tamis("fit", GOLUB, "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_hamming_is_what_liblinear_solves(self):
        # tests/bench/peer_hinge.py examples/data/golub.svm.xz C
        for c, objective in ((0.2, 0.005552631858625483), (0.00002, 0.0006178570459682477)):
            result = self.fit("--method", "svmperf", "--measure", "hamming", "--C", str(c * 38 / 2),
                              "--tol", "1e-9")
            self.assertEqual(result["status"], "converged")
            self.assertAlmostEqual(result["upper"] if "upper" in result else result["primal"], objective,
                                   delta=2e-7 * objective + 2e-9 * result["C"])

    def test_path_of_c(self):
        result = self.fit("--method", "svmperf", "--measure", "f1", "--C", "0.01,1,100", "--tol", "1e-7")
        self.assertEqual([point["C"] for point in result["path"]], [0.01, 1, 100])
        values = [point["primal"] for point in result["path"]]
        self.assertEqual(values, sorted(values))

    def test_a_measure_that_is_none(self):
        run = tamis("fit", GOLUB, "--method", "svmperf", "--measure", "f7")
        self.assertEqual(run.returncode, 2)
        self.assertIn("measure 'f7': expected hamming, f1, prec@K", run.stderr)

    def test_numbers_have_no_measure(self):
        run = tamis("fit", "-", "--method", "svmperf", text="1 1:1\n2 1:2\n3 1:1\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn("need two classes", run.stderr)


if __name__ == "__main__":
    unittest.main()
