#!/usr/bin/python3
"""The certificates of 1,000 random graphs, recomputed from what is printed of their dual points."""
import math
import pathlib
import subprocess
import unittest

from tamis_cli import BIN, TIMEOUT, Case

PROGRAM = pathlib.Path(BIN).resolve().parents[2] / "tests/bench/graph_certificates"


class Problem:
    def __init__(self, line):
        numbers = iter(float(word) for word in line.split())

        def take(count):
            return [next(numbers) for _ in range(count)]

        self.seed, self.binary, n, p, edges, terms = (int(v) for v in take(6))
        self.lam, self.ratio, self.primal, self.dual, self.b = take(5)
        self.n, self.p = n, p
        self.y = take(n)
        self.x = [take(n) for _ in range(p)]
        self.edges = [self.edge(take(3)) for _ in range(edges)]
        self.terms = [self.edge(take(3)) for _ in range(terms)]
        self.w, self.a, self.v = take(p), take(n), take(terms)

    @staticmethod
    def edge(values):
        return int(values[0]), int(values[1]), values[2]

    def loss(self):
        z = [self.b + sum(self.w[j] * self.x[j][i] for j in range(self.p)) for i in range(self.n)]
        if self.binary:
            return sum(math.log1p(math.exp(-y * t)) for y, t in zip(self.y, z))
        return sum((y - t) ** 2 / 2 for y, t in zip(self.y, z))

    def penalty(self, edges):
        return self.lam * (sum(k * abs(self.w[a] - self.w[b]) for a, b, k in edges)
                           + self.ratio * sum(map(abs, self.w)))

    def dual_value(self):
        if not self.binary:
            return sum(y * a - a * a / 2 for y, a in zip(self.y, self.a))
        total = 0
        for y, a in zip(self.y, self.a):
            share = min(max(y * a, 0), 1)
            assert abs(share - y * a) < 1e-12
            total -= sum(s * math.log(s) for s in (share, 1 - share) if s > 0)
        return total

    def left(self):
        """X'a - D'v at each feature: what penalties of features' own may take."""
        out = [sum(v * a for v, a in zip(column, self.a)) for column in self.x]
        for (first, second, weight), value in zip(self.terms, self.v):
            out[first] -= weight * value
            out[second] += weight * value
        return out


class GraphCertificates(Case):
    @unittest.skipUnless(PROGRAM.exists(), "the program that prints dual points is not built")
    def test_thousand_random_graphs(self):
        run = subprocess.run([PROGRAM, "1000"], check=True, text=True, timeout=TIMEOUT,
                             stdout=subprocess.PIPE)
        problems = [Problem(line) for line in run.stdout.splitlines()]
        self.assertEqual(len(problems), 1000)
        loops = parallel = circles = 0
        for q in problems:
            with self.subTest(seed=q.seed):
                size = 1 + max(map(abs, q.a), default=0) * max(abs(v) for c in q.x for v in c)
                for value in q.v:
                    self.assertLessEqual(abs(value), q.lam * (1 + 1e-12))
                for value in q.left():
                    self.assertLessEqual(abs(value), q.lam * q.ratio + 1e-10 * q.n * size)
                self.assertLessEqual(abs(sum(q.a)), 1e-10 * q.n * size)
                self.assertAlmostEqual(q.penalty(q.edges), q.penalty(q.terms), places=9)
                self.assertAlmostEqual(q.primal, q.loss() + q.penalty(q.edges), delta=1e-9 * size)
                self.assertAlmostEqual(q.dual, q.dual_value(), delta=1e-9 * size)
                self.assertLessEqual(q.primal - q.dual, 1e-7 * size * q.n)
            pairs = {tuple(sorted(edge[:2])) for edge in q.edges if edge[0] != edge[1]}
            loops += any(edge[0] == edge[1] for edge in q.edges)
            parallel += len(pairs) < sum(edge[0] != edge[1] for edge in q.edges)
            circles += len(pairs) >= q.p
        self.assertGreater(min(loops, parallel, circles), 100)


if __name__ == "__main__":
    unittest.main()
