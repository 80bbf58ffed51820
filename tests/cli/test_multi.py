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


if __name__ == "__main__":
    unittest.main()
