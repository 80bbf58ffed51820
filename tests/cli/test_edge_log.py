#!/usr/bin/python3
"""The screen log of structured runs: which edge was ruled out, came in or left, and its bound, in
Lua and as CSV; the bounds recomputed from data and answer."""
import csv
import json
import math
import pathlib
import random
import tempfile
import textwrap
import unittest

from tamis_cli import Case, tamis

# A tree: parent of each feature but the first, from 0.
PARENTS = [None, 0, 0, 1, 1, 2, 5, 5]
EDGES = [(PARENTS[j], j) for j in range(1, len(PARENTS))]


def inner(a, b):
    return sum(x * y for x, y in zip(a, b))


class EdgeLog(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        draw = random.Random(3)
        self.x = [[draw.gauss(0, 1) for _ in PARENTS] for _ in range(20)]
        true = [1, 1, -1, 1, 1, -1, -1, 2]
        self.y = [inner(row, true) + 0.3 * draw.gauss(0, 1) for row in self.x]
        names = [chr(ord("a") + j) for j in range(len(PARENTS))] + ["y"]
        lines = [",".join(names)]
        lines += [",".join(map(str, row + [y])) for row, y in zip(self.x, self.y)]
        self.data = self.path / "d.csv"
        self.data.write_text("\n".join(lines) + "\n")
        self.graph = "[" + "; ".join(f"{a + 1} {b + 1}" for a, b in EDGES) + "]"

    def fit(self, *words, ratio=0.2):
        """The answer, and the rows of its log."""
        out = self.path / "steps.csv"
        run = tamis("fit", self.data, "--label", "y", "--method", "genlasso", "--json",
                    "--steps", out, "--lambda-ratio", str(ratio), *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(out, newline="", encoding="utf-8") as file:
            return json.loads(run.stdout), list(csv.DictReader(file))

    def below(self, edge):
        """The features on the far side of an edge of the tree."""
        found = [EDGES[edge][1]]
        for j, parent in enumerate(PARENTS):
            if parent in found:
                found.append(j)
        return found

    def test_bounds_of_a_tree_are_those_of_its_subtrees(self):
        """On a tree the only v is the sum of products below each edge; without an intercept the
        greatest one over the ball has the length of the summed column."""
        for screen in ("none", "bounds", "transform", "saif"):
            answer, rows = self.fit("--graph", self.graph, "--intercept", "false", "--tol", "1e-9",
                                    "--screen", screen)
            weights = [dict(answer["coef"]).get(chr(ord("a") + j), 0) for j in range(len(PARENTS))]
            left = [y - inner(row, weights) for row, y in zip(self.x, self.y)]
            last = [row for row in rows if row["step"] == rows[-1]["step"]]
            self.assertEqual(last[0]["what"],
                             "the certificate: every term against its gap's ball")
            self.assertEqual([row["edge"] for row in last], [str(k + 1) for k in range(7)])
            for edge, row in enumerate(last):
                a, b = EDGES[edge]
                self.assertEqual(row["name"], f"{chr(ord('a') + a)} - {chr(ord('a') + b)}")
                column = [sum(r[j] for j in self.below(edge)) for r in self.x]
                want = abs(inner(column, left)) / answer["lambda"]
                want += float(row["radius"]) * math.sqrt(inner(column, column))
                self.assertAlmostEqual(float(row["bound"]), want, delta=1e-3)
                differs = weights[a] != weights[b]
                self.assertEqual(row["action"], "kept" if want >= 1 else "certified")
                self.assertFalse(differs and row["action"] == "certified", row)

    def test_what_a_step_does_fits_its_box(self):
        """The screen view has two rows of 34 columns for it at 80 x 24."""
        for words in (("--screen", "none"), ("--screen", "saif"), ("--graph", "trend:1"),
                      ("--screen", "transform", "--always", "true"), ("--l1_ratio", "0.5")):
            for row in self.fit("--graph", self.graph, *words)[1]:
                self.assertLessEqual(len(textwrap.wrap(row["what"], 34)), 2, row["what"])

    def test_edges_come_in_and_leave(self):
        """Those that came in and did not leave are the edges between different weights."""
        for graph in (self.graph, self.graph[:-1] + "; 4 8; 3 7 0.5]"):
            answer, rows = self.fit("--graph", graph, "--screen", "none", ratio=0.1)
            weights = [dict(answer["coef"]).get(chr(ord("a") + j), 0) for j in range(len(PARENTS))]
            inside = set()
            for row in rows:
                if row["action"] in ("started", "added"):
                    inside.add(row["name"])
                elif row["action"] == "deleted":
                    inside.remove(row["name"])
            edges = EDGES + ([(3, 7), (2, 6)] if graph != self.graph else [])
            differ = {f"{chr(ord('a') + a)} - {chr(ord('a') + b)}" for a, b in edges
                      if weights[a] != weights[b]}
            self.assertEqual(inside, differ)
            self.assertEqual(int(rows[-1]["active"]), len(differ))

    def test_features_beside_edges(self):
        answer, rows = self.fit("--graph", self.graph, "--l1-ratio", "1", ratio=0.3)
        last = [row for row in rows if row["step"] == rows[-1]["step"]]
        self.assertEqual([row["name"] for row in last][6:9], ["f - h", "a", "b"])
        zero = {row["name"] for row in last if row["action"] == "certified"}
        self.assertFalse(zero & {name for name, value in answer["coef"] if value != 0})
        active = {name for name, value in answer["coef"] if value != 0}
        self.assertTrue(active <= {row["name"] for row in last if float(row["bound"]) >= 1 - 1e-6})

    def test_terms_that_are_no_edges(self):
        answer, rows = self.fit("--graph", "trend:1")
        self.assertEqual(rows[-1]["name"], "f to h")
        self.assertEqual(len(rows), 6)
        self.assertEqual(rows[0]["active"], "6")
        weights = [dict(answer["coef"]).get(chr(ord("a") + j), 0) for j in range(len(PARENTS))]
        for j, row in enumerate(rows):
            self.assertLessEqual(float(row["bound"]), 1 + 1e-6)
            if abs(weights[j] - 2 * weights[j + 1] + weights[j + 2]) > 1e-6:
                self.assertGreater(float(row["bound"]), 1 - 1e-4)

    def test_in_lua(self):
        out = self.good("eval", f"""
d = tm.load("{self.data}", {{label = "y"}})
r = tm.genlasso(d, {{graph = "{self.graph}", screen = "saif", lambda_ratio = 0.2}}):wait()
s = tm.steps(r)
print(s[1].item, #s.items, s.items[1].kind, s.items[1].name, s.items[8].name)
print(s.items[3].features[1], s.items[3].features[2])
for k = 1, 7 do print(tm.explain(r, k)) end
print(tm.explain(r, {{8, 6}}) == tm.explain(r, 7), tm.explain(r, 8))
print(tm.steps(tm.lasso(d, {{}}):wait()).items)""")
        lines = out.splitlines()
        self.assertEqual(lines[0], "edge\t8\tedge\ta - b\ttree of a")
        self.assertEqual(lines[1], "2\t4")
        for line in lines[2:9]:
            self.assertRegex(line, "has the difference -?[0-9.]+|its ends have the same weight|"
                                   "is not excluded, but zero")
        self.assertRegex(lines[9], "^true\ttree of a is not excluded")
        self.assertEqual(lines[10], "nil")
        for code, said in (("tm.explain(r, 9)", "no edge 9: the data have 8"),
                           ("tm.explain(r, {1, 8})", "no edge between features 1 and 8"),
                           ("tm.explain(r, {1})", "an edge is {a, b}")):
            self.fails(1, "eval", f"""
d = tm.load("{self.data}", {{label = "y"}})
r = tm.genlasso(d, {{graph = "{self.graph}", screen = "saif"}}):wait() """ + code, says=said)

    def test_the_file_of_other_methods(self):
        run = tamis("fit", self.data, "--label", "y", "--method", "lasso", "--steps",
                    self.path / "s.csv")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = list(csv.DictReader((self.path / "s.csv").read_text().splitlines()))
        self.assertEqual(rows[-1]["feature"], "8")
        self.assertEqual(rows[-1]["name"], "h")
        run = tamis("fit", self.data, "--label", "y", "--method", "ridge", "--steps",
                    self.path / "s.csv")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.path / "s.csv").read_text(),
                         "step,point,what,lambda,gap,radius,active,feature,name,action,bound\n")
        self.fails(1, "fit", self.data, "--label", "y", "--method", "lasso", "--steps",
                   self.path, says="'--steps': cannot write")


if __name__ == "__main__":
    unittest.main()
