#!/usr/bin/python3
"""Odd graphs and data for genlasso: the right answer, or one error that says what is wrong."""
import json
import os
import pathlib
import random
import tempfile
import unittest

from tamis_cli import Case, tamis

MTX = "%%MatrixMarket matrix coordinate real "


class OddGraphs(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.draw = random.Random(11)
        cls.data = cls.table("data.csv", 20, 6, cls.draw.gauss)

    @classmethod
    def table(cls, name, n, p, response):
        rows = ["y," + ",".join(f"f{j + 1}" for j in range(p))]
        for _ in range(n):
            rows.append(f"{response(0, 1)}," + ",".join(f"{cls.draw.gauss(0, 1):.4f}"
                                                        for _ in range(p)))
        return cls.write(name, "\n".join(rows) + "\n")

    @classmethod
    def write(cls, name, text):
        path = cls.path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def fit(self, data, *words):
        run = tamis("fit", data, "--method", "genlasso", "--json", *words)
        self.assertEqual(run.returncode, 0, f"{words}: {run.stderr}")
        return json.loads(run.stdout)

    def fails(self, data, words, status, message):
        run = tamis("fit", data, "--method", "genlasso", *words)
        self.assertEqual(run.returncode, status, f"{words}: {run.stdout}{run.stderr}")
        self.assertIn(message, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_weights_that_are_no_weights(self):
        for weight in ("-1", "0", "nan", "-nan", "inf", "1e400", "abc", "1e-400"):
            graph = self.write("w.edges", f"f1 f2\nf2 f3 {weight}\n")
            self.fails(self.data, ["--graph", graph], 1,
                       f"w.edges: line 2, column 7: expected a weight above 0, found '{weight}'")
        graph = self.write("tiny.edges", "f1 f2\nf2 f3 1e-320\n")
        self.fails(self.data, ["--graph", graph], 1, "lambda_max is not a finite number")
        tree = self.write("w.tree", "0\n1 -1\n2\n3\n4\n5\n")
        self.fails(self.data, ["--graph", "parents:" + tree], 1, "line 2, column 3: expected a we")
        for entry, message in (("3 2 -1", "w.mtx: entry (3, 2) is -1; expected a weight above 0"),
                               ("3 2 nan", "line 4, column 5: expected a finite number")):
            matrix = self.write("w.mtx", f"{MTX}symmetric\n6 6 2\n2 1 1\n{entry}\n")
            self.fails(self.data, ["--graph", matrix], 1, message)

    def test_edges_to_features_that_are_missing(self):
        for edge, message in (("f2 f9", "no feature is called 'f9'; did you mean"),
                              ("2 7", "features are numbered from 1 to 6"),
                              ("0 2", "features are numbered from 1 to 6"),
                              ("-1 2", "no feature is called '-1'")):
            graph = self.write("m.edges", "f1 f2\n" + edge + "\n")
            self.fails(self.data, ["--graph", graph], 1, "m.edges: line 2, column")
            self.fails(self.data, ["--graph", graph], 1, message)

    def test_weights_that_add_up_to_infinity(self):
        edges = self.write("sum.edges", "f1 f2 1e308\nf3 f2\nf2 f1 1e308\n")
        for graph in edges, "[2 1 1e308; f1 f2 1e308]":
            self.fails(self.data, ["--graph", graph], 1,
                       "the edges between features 1 and 2 add up to infinity")

    def test_words_that_name_neither_a_graph_nor_a_file(self):
        for word in "Chain", "grid", "nofile.edges":
            self.fails(self.data, ["--graph", word], 1,
                       f"parameter 'graph' is '{word}', and there is no such file; expected chain")
        for word in "parents:", "rows:":
            self.fails(self.data, ["--graph", word], 2, f"'graph' is '{word}' without a file")
            self.fails(self.data, ["--graph", word + "none"], 1, "none: cannot be opened")
        run = tamis("fit", self.data, "--method", "grouplasso", "--groups", "Even")
        self.assertEqual(run.returncode, 1)
        self.assertIn("'groups' is 'Even', and there is no such file; expected a size", run.stderr)

    def test_sizes_that_do_not_fit(self):
        for graph, message in (("grid:100000x100000", "10000000000 places; the data have 6"),
                               ("grid:65536x65536x65536", "281474976710656 places; the data"),
                               ("grid:99999999999999999999x1", "expected sizes like"),
                               ("grid:-2x3", "expected sizes like"),
                               ("grid:1x1x2x3", "expected sizes like"), ("", "is empty")):
            self.fails(self.data, ["--graph", graph], 2, message)
        for head, size in (("symmetric", "5 5"), ("general", "5 6")):
            matrix = self.write("s.mtx", f"{MTX}{head}\n{size} 1\n2 1 1\n")
            self.fails(self.data, ["--graph", matrix], 1, "s.mtx: is " + size.replace(" ", " x "))
        self.fails(self.data, ["--graph", "rows:" + matrix.replace("s.mtx", "none")], 1, "none")

    def test_matrices_that_are_too_large(self):
        """Without l1_ratio the null space of D, with it the band of its rows is the limit."""
        p = 3500
        data = self.write("many.svm", "".join(f"{j % 7} {j + 1}:1\n" for j in range(p)))
        rows = "".join(f"{t} {t} 1\n{t} {t + 1} -2\n{t} {t + 2} 1\n" for t in range(1, p - 1))
        near = self.write("near.mtx", f"{MTX}general\n{p - 2} {p} {3 * (p - 2)}\n{rows}")
        self.fails(data, ["--graph", "rows:" + near], 2,
                   "take l1_ratio above 0, or trend:K for differences along a line")
        got = self.fit(data, "--graph", "rows:" + near, "--l1_ratio", "1", "--lambda", "1")
        self.assertEqual(got["status"], "converged")
        p = 20000
        data = self.write("many.svm", "".join(f"{j % 7} {j + 1}:1\n" for j in range(p)))
        rows = "".join(f"{t} {j} {1 + t % 3}\n" for t in range(1, p)
                       for j in sorted({t, self.draw.randint(1, p), self.draw.randint(1, p)}))
        far = self.write("far.mtx", f"{MTX}general\n{p} {p} {rows.count(chr(10))}\n{rows}")
        self.fails(data, ["--graph", "rows:" + far, "--l1_ratio", "1"], 2, "places apart in the")

    def test_without_terms_nothing_is_penalised(self):
        """lambda_max is 0, and a path is the fit without a penalty."""
        names = {"loops": "1 1\n2 2\n", "empty": "", "comment": "# nothing\n"}
        graphs = [self.write(name + ".edges", text) for name, text in names.items()]
        graphs.append(self.write("empty.mtx", MTX + "symmetric\n6 6 0\n"))
        graphs.append("rows:" + self.write("zero.mtx", MTX + "general\n1 6 0\n"))
        least = tamis("fit", self.data, "--method", "lasso", "--lambda", "1e-9", "--tol", "1e-12",
                      "--json")
        least = json.loads(least.stdout)["primal"]
        for graph in [*graphs, "[]"]:
            for words in ((), ("--lambdas", "4"), ("--lambda", "0.5")):
                got = self.fit(self.data, "--graph", graph, *words)
                self.assertEqual(got["status"], "converged")
                self.assertEqual(got["lambda_max"], 0)
                self.assertAlmostEqual(got["primal"], least, places=6)
                self.assertLessEqual(abs(got["gap"]), 1e-9)
        lasso = json.loads(tamis("fit", self.data, "--method", "lasso", "--lambda", "1", "--tol",
                                 "1e-10", "--json").stdout)
        got = self.fit(self.data, "--graph", "[]", "--l1_ratio", "1", "--lambda", "1", "--tol",
                       "1e-10")
        self.assertAlmostEqual(got["primal"], lasso["primal"], places=7)

    def test_one_feature(self):
        one = self.table("one.csv", 10, 1, self.draw.gauss)
        for graph in ("chain", "grid:1x1x1", "trend:2", "[1 1 3]", "[]"):
            got = self.fit(one, "--graph", graph, "--screen", "bounds")
            self.assertEqual((got["status"], got["lambda_max"]), ("converged", 0))
            self.assertGreater(self.fit(one, "--graph", graph, "--l1_ratio", "1")["lambda_max"], 0)
        self.assertEqual(self.fit(one, "--graph", "chain", "--screen", "saif")["lambda_max"], 0)

    def test_more_components_than_rows(self):
        few = self.table("few.csv", 4, 6, self.draw.gauss)
        for words in ((), ("--intercept", "false"), ("--lambda", "0.1"), ("--lambdas", "5")):
            got = self.fit(few, "--graph", "[1 2]", *words)
            self.assertEqual(got["status"], "converged")
            self.assertLess(got["primal"], 1e-20)
        got = self.fit(few, "--graph", "[1 2]", "--l1_ratio", "0.5", "--lambda-ratio", "0.2")
        self.assertGreater(got["primal"], 0.01)

    def test_classes_that_can_be_separated(self):
        data = self.write("sep.csv", "y,a,b\n1,1,2\n1,2,1\n-1,-1,-2\n-1,-2,-1\n")
        words = ["--graph", "[1 2]", "--loss", "logistic"]
        self.fails(data, words, 1, "separate the classes, so there is no optimum; give features a "
                   "penalty of their own with l1_ratio above 0")
        got = self.fit(data, *words, "--l1_ratio", "0.1")
        self.assertEqual(got["status"], "converged")
        hinge = self.fit(data, "--graph", "[1 2]", "--loss", "squared_hinge")
        self.assertEqual(hinge["primal"], 0)

    def test_responses_without_variance(self):
        for name, rows in (("constant", "1,1,2\n1,2,1\n1,-1,-2\n"), ("zero", "1,0,0\n2,0,0\n")):
            got = self.fit(self.write(name + ".csv", "y,a,b\n" + rows), "--graph", "chain")
            self.assertEqual((got["status"], got["lambda_max"]), ("converged", 0))
            for _, weight in got["coef"]:
                self.assertLess(abs(weight), 1e-12)

    def test_several_classes_one_against_the_rest(self):
        letters = iter("abc" * 10)
        data = self.table("three.csv", 30, 6, lambda *_: next(letters))
        words = ("--graph", "grid:2x3", "--loss", "logistic", "--lambda-ratio", "0.3")
        self.fails(data, words, 1, "one-vs-rest")
        got = self.fit(data, *words, "--one-vs-rest")
        self.assertEqual([c["class"] for c in got["classes"]], ["a", "b", "c"])
        for c in got["classes"]:
            self.assertEqual(c["status"], "converged")
            single = self.fit(data, *words, "--class", c["class"])
            for name in "lambda_max", "lambda", "primal", "levels", "intercept", "coef":
                self.assertEqual(single[name], c[name], name)
        page = tamis("fit", data, "--method", "genlasso", *words, "--one-vs-rest").stdout
        table = [line.split() for line in page.splitlines()]
        heads = next(line for line in table if line[:1] == ["class"])
        for c in got["classes"]:
            row = next(line for line in table if line[:1] == [c["class"]])
            self.assertEqual(int(row[heads.index("levels")]), c["levels"])
        # Each row belongs to the class whose coefficients give the greatest score.
        lines = pathlib.Path(data).read_text(encoding="utf-8").splitlines()[1:]
        found = 0
        for line in lines:
            fields = line.split(",")
            scores = [c["intercept"] + sum(w * float(fields[int(name[1:])])
                                           for name, w in c["coef"]) for c in got["classes"]]
            found += fields[0] == "abc"[scores.index(max(scores))]
        self.assertAlmostEqual(got["accuracy"], found / len(lines))

    def test_lua_paths_folds_and_the_graph_of_gfl(self):
        run = tamis("eval", '''
            local d = tm.synth("gfl", {n=40, p=30, seed=1})
            local s = tm.sweep{data=d, method="genlasso", folds=3, metric="mse", name="g",
                               params={graph="data"}, grid={l1_ratio={0, 0.5}, lambda_ratio={0.3}}}
            s:wait()
            print("best", s:best())
            local cold = tm.path(d, "genlasso", {graph="data", lambdas=5, warm=false}):wait()
            local warm = tm.path(d, "genlasso", {graph="data", lambdas=5}):wait()
            for k = 1, 5 do
                local gap = math.max(cold.table[k].gap, warm.table[k].gap)
                assert(math.abs(cold.table[k].primal - warm.table[k].primal) <= gap + 1e-9)
            end
            print(tm.genlasso(d, {graph="data"}):wait().status)
            print(pcall(tm.genlasso, d, {graph={{1, 99}}}))
        ''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("best\tl1_ratio=", run.stdout)
        self.assertIn("converged", run.stdout)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
