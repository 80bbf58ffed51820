#!/usr/bin/python3
"""Matrices D whose rows are not edges: trends from a file, weights that are exactly 0, and lambda
far above lambda_max."""
import json
import math
import pathlib
import random
import tempfile
import unittest

from tamis_cli import Case, tamis


class Rows(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.draw = random.Random(23)

    def write(self, name, text):
        path = self.path / name
        path.write_text(text)
        return str(path)

    def identity(self, y):
        return self.write("identity.svm", "".join(f"{value!r} {j + 1}:1\n"
                                                  for j, value in enumerate(y)))

    def matrix(self, p, rows):
        """D with the given rows, each a table of columns from 0 and values."""
        text = "".join(f"{t + 1} {j + 1} {value!r}\n" for t, row in enumerate(rows)
                       for j, value in row.items())
        return "rows:" + self.write(
            "d.mtx", f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {p} "
            f"{text.count(chr(10))}\n{text}")

    def fit(self, data, graph, *words):
        run = tamis("fit", data, "--method", "genlasso", "--json", "--graph", graph, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def weights(self, fit, p):
        w = [0.0] * p
        for name, value in fit["coef"]:
            w[int(str(name).lstrip("X")) - 1] = value
        return w

    def test_differences_from_a_file_are_a_trend(self):
        """The condition of high differences grows with a power of their number."""
        for p in 50, 300:
            y = [math.sin(j / 30) + self.draw.gauss(0, 0.3) for j in range(p)]
            data = self.identity(y)
            for order in 1, 2:
                values = [(-1) ** i * math.comb(order + 1, i) for i in range(order + 2)]
                graph = self.matrix(p, [{t + i: v for i, v in enumerate(values)}
                                        for t in range(p - order - 1)])
                for words in ("--lambda", "5"), ("--lambda-ratio", "0.1"):
                    got = self.fit(data, graph, *words)
                    trend = self.fit(data, f"trend:{order}", *words)
                    self.assertEqual(got["status"], "converged", (p, order))
                    for name in "lambda_max", "primal":
                        self.assertLess(abs(got[name] / trend[name] - 1), 1e-5, (p, order, name))

    def test_weights_are_exactly_zero(self):
        """With a term for each feature, y is moved to 0 by each feature's own penalty."""
        p, lam, ratio = 40, 0.6, 0.5
        y = [self.draw.gauss(0, 2) for _ in range(p)]
        sizes = [self.draw.choice((0.5, 1.0, 2.0)) for _ in range(p)]
        graph = self.matrix(p, [{j: size} for j, size in enumerate(sizes)])
        data = self.identity(y)
        for own in 0, ratio:
            got = self.fit(data, graph, "--l1_ratio", str(own), "--intercept", "false", "--lambda",
                           str(lam), "--tol", "1e-9")
            limits = [lam * (size + own) for size in sizes]
            want = [math.copysign(max(abs(v) - limit, 0), v) for v, limit in zip(y, limits)]
            self.assertEqual(got["status"], "converged")
            for have, value in zip(self.weights(got, p), want):
                self.assertAlmostEqual(have, value, places=4)
            if own:
                self.assertEqual(got["nnz"], sum(value != 0 for value in want))

    def test_at_lambda_max_and_far_above(self):
        p = 30
        data = self.identity([self.draw.gauss(1, 2) for _ in range(p)])
        random_rows = self.matrix(p, [{j: self.draw.gauss(0, 1) for j in self.draw.sample(
            range(p), 4)} for _ in range(p - 6)])
        for graph in "trend:1", "trend:2", random_rows:
            for own in "0", "0.5":
                words = ("--l1_ratio", own, "--lambda-ratio")
                fits = [self.fit(data, graph, *words, ratio)
                        for ratio in ("1", "1.5", "1000", "1e6")]
                for got in fits:
                    self.assertEqual(got["status"], "converged", (graph, own))
                    self.assertLess(abs(got["primal"] / fits[1]["primal"] - 1), 1e-5)
                    if own != "0":
                        self.assertEqual(got["nnz"], 0, (graph, got["lambda"]))


if __name__ == "__main__":
    unittest.main()
