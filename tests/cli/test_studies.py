#!/usr/bin/python3
"""examples/studies beside scikit-learn's answers, which tests/peers/studies_sklearn.py wrote."""
import json
import unittest

from tamis_cli import GOLUB, ROOT, Case

PEER = json.loads((ROOT / "tests/cli/studies.json").read_text())


class Studies(Case):
    def study(self, name, *args):
        page = self.good("run", ROOT / "examples/studies" / name, *args, cwd=ROOT)
        return [line.split() for line in page.splitlines()]

    def near(self, ours, theirs, tol):
        self.assertLessEqual(abs(float(ours) - theirs), tol * max(abs(theirs), 1e-300))

    def test_nested_cross_validation_and_a_paired_test(self):
        peer = PEER["nested"]
        *methods, test = self.study("nested.lua")
        self.assertEqual(len(methods), 4)
        for words in methods:
            name = " ".join(words[:words.index("mean")])
            self.near(words[words.index("accuracy") + 1], peer["means"][name], 1e-5)
            self.assertEqual([int(word) for word in words[words.index("penalties") + 1:]],
                             peer["chosen"][name])
        line = " ".join(test)
        self.assertTrue(line.startswith(f"{peer['best']} against {peer['worst']}:"), line)
        self.near(test[-3].rstrip(","), peer["t"], 1e-4)
        self.near(test[-1], peer["p"], 1e-4)

    def test_random_search(self):
        peer = PEER["random_search"]
        *draws, best = self.study("random_search.lua")
        self.assertEqual(len(draws), len(peer["draws"]))
        for words, (lam, alpha, error) in zip(draws, peer["draws"]):
            self.near(words[3], lam, 1e-12)  # the seed's draws
            self.near(words[5], alpha, 1e-12)
            self.near(words[7], error, 1e-7)
        self.assertEqual(int(best[1]), peer["best"])

    def test_rejection_by_lambda(self):
        path = PEER["rejection"]["path"]
        head, *rows = self.study("rejection.lua")
        self.assertGreaterEqual(len(head), 10)  # every strategy that is safe
        self.assertEqual(len(rows), len(path))
        for words, (ratio, count, objective) in zip(rows, path):
            self.near(words[0], ratio, 1e-4)
            self.assertEqual(int(words[1]), count)
            self.near(words[2], objective, 1e-7)
            for share in words[3:]:  # what is left out is not chosen
                self.assertLessEqual(float(share), 1 - count / 3051 + 1e-4)

    def test_stability_selection(self):
        peer = PEER["stability"]
        (_, lam), *features = self.study("stability.lua")
        self.near(lam, peer["lambda"], 1e-9)
        self.assertEqual([[int(words[1]), int(words[3])] for words in features], peer["counts"])
        self.assertEqual(int(features[0][5]), peer["halves"])

    def test_bisection_and_prediction_in_another_process(self):
        peer = PEER["bisection"]
        model = self.folder / "model.json"
        found, support = self.study("bisection.lua", GOLUB, model)
        self.assertEqual(int(found[3]), 25)
        self.near(found[1], peer["lambda"], 1e-9)
        self.assertEqual([int(word) for word in support[1:]], peer["support"])
        page = self.good("predict", model, GOLUB, "--quiet")
        values = [float(line.split(",")[-1]) for line in page.splitlines()[1:]]
        self.assertEqual(len(values), len(peer["predictions"]))
        for ours, theirs in zip(values, peer["predictions"]):
            self.assertLessEqual(abs(ours - theirs), 1e-4)


if __name__ == "__main__":
    unittest.main()
