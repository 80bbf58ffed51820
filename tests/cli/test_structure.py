#!/usr/bin/python3
"""Graphs of features on the command line and in Lua, and answers recomputed in Python."""
import contextlib
import csv
import json
import os
import pathlib
import random
import sqlite3
import tempfile
import unittest

from tamis_cli import Case, tamis


def total_variation(y, lam):
    """min 1/2 |y - w|^2 + lam sum |w_j - w_(j+1)| by projected gradient steps on its dual."""
    u = [0.0] * (len(y) - 1)
    for _ in range(20000):
        w = fitted(y, u)
        u = [max(-lam, min(lam, v + 0.25 * (w[j] - w[j + 1]))) for j, v in enumerate(u)]
    return fitted(y, u)


def fitted(y, u):
    w = list(y)
    for j, v in enumerate(u):
        w[j] -= v
        w[j + 1] += v
    return w


class Structure(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, name, text):
        path = self.path / name
        path.write_text(text)
        return str(path)

    def fit(self, data, *words):
        run = tamis("fit", data, "--method", "genlasso", "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def identity(self, y):
        rows = [f"{value} {j + 1}:1" for j, value in enumerate(y)]
        return self.write("identity.svm", "\n".join(rows) + "\n")

    def test_paths_with_and_without_screening(self):
        """Every kind of bounds, with cycles and without, both losses, with penalties of single
        features and an intercept; trends, which have no edges, are solved as they are."""
        script = """
            local function path(data, options, screen, always)
              options.screen, options.always = screen, always
              return tm.path(data, "genlasso", options):wait()
            end
            local function compare(id, edges, options)
              local data = tm.synth(id, {n = 30, p = 90, edges = edges, seed = 3})
              options.lambdas, options.lambda_min_ratio, options.tol = 10, 0.1, 1e-9
              local plain = path(data, options, "none")
              for _, screen in ipairs{"bounds", "transform", "paths"} do
                for _, always in ipairs{false, true} do
                  local run, proven, apart = path(data, options, screen, always), 0, 0
                  for k, row in ipairs(run.table) do
                    proven = proven + (row.screened or 0)
                    apart = math.max(apart, math.abs(row.primal / plain.table[k].primal - 1))
                    for j = 1, data.p do
                      local a, b = run.models[k]:weight(j), plain.models[k]:weight(j)
                      apart = math.max(apart, 1e-3 * math.abs(a - b) / (1 + math.abs(b)))
                    end
                  end
                  print(screen, always, proven, apart)
                end
              end
            end
            for _, edges in ipairs{89, 108} do
              for _, ratio in ipairs{0, 4} do
                for _, intercept in ipairs{true, false} do
                  compare("gfl", edges, {graph = "data", l1_ratio = ratio, intercept = intercept})
                  compare("gfl_logistic", edges, {graph = "data", loss = "logistic",
                    l1_ratio = ratio, intercept = intercept})
                end
              end
            end
            compare("gfl", 89, {graph = "trend:1"})
        """
        run = tamis("eval", script)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [line.split("\t") for line in run.stdout.splitlines()]
        self.assertEqual(len(lines), 17 * 6)
        for line in lines:
            self.assertLess(float(line[3]), 1e-6, line)
        for screen in "bounds", "transform", "paths":
            proven = sum(float(line[2]) for line in lines if line[0] == screen)
            self.assertGreater(proven, 90 * 10)

    def test_total_variation_of_a_chain(self):
        draw = random.Random(5)
        y = [round((3 if j < 8 else -1) + draw.gauss(0, 0.5), 3) for j in range(20)]
        got = self.fit(self.identity(y), "--intercept", "false", "--lambda", "0.6",
                       "--tol", "1e-10")
        self.assertEqual(got["status"], "converged")
        weights = [0.0] * len(y)
        for name, value in got["coef"]:
            weights[int(str(name).lstrip("X")) - 1] = value
        for have, want in zip(weights, total_variation(y, 0.6)):
            self.assertAlmostEqual(have, want, places=5)

    def test_one_graph_in_many_words(self):
        data = self.identity([3, 1, 2, 5, 4, 6])
        edges = self.write("g.edges", "# a ring with a tail\n1 2\n2 3\n3 4 0.5\n4,1\n4 5\n5 6\n")
        matrix = self.write("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n6 6 6\n"
                            "2 1 1\n3 2 1\n4 3 0.5\n4 1 1\n5 4 1\n6 5 1\n")
        inline = "[1 2; 2 3; 3 4 0.25; 4 3 0.25; 4 1; 4 5; 5 6; 2 2]"
        words = ("--intercept", "false", "--lambda", "0.4", "--tol", "1e-9")
        values = [self.fit(data, "--graph", graph, *words)["primal"]
                  for graph in (edges, matrix, inline)]
        values += [self.fit(data, "--graph", edges, *words, "--screen", screen)["primal"]
                   for screen in ("bounds", "transform")]
        for value in values[1:]:
            self.assertAlmostEqual(value, values[0], places=7)
        tree = self.write("g.tree", "0\n1\n2\n3\n4\n5\n")
        self.assertAlmostEqual(self.fit(data, "--graph", "parents:" + tree, *words)["primal"],
                               self.fit(data, "--graph", "chain", *words)["primal"], places=7)

    def test_what_is_screened_is_counted(self):
        data = self.identity([3, 1, 2, 5, 4, 6, 5.5, 1.5])
        fits = {screen: self.fit(data, "--intercept", "false", "--lambda-ratio", "0.9",
                                 "--graph", "[1 2; 2 3; 3 4; 4 5; 5 6; 6 7; 7 8; 1 1]", "--screen",
                                 screen) for screen in ("none", "bounds", "transform", "saif")}
        self.assertEqual(fits["none"]["screened"], 0)
        self.assertGreater(fits["saif"]["screened"], 0)
        self.assertLessEqual(fits["bounds"]["screened"], fits["transform"]["screened"])
        for fit in fits.values():
            self.assertAlmostEqual(fit["rejection"], fit["screened"] / 8)
            self.assertLessEqual(fit.get("power", 0), 1)
        run = tamis("fit", data, "--method", "genlasso", "--screen", "saif", "--graph",
                    "[1 2; 2 3; 3 1]")
        self.assertEqual(run.returncode, 2)
        self.assertIn("screen saif is for graphs without cycles", run.stderr)

    def blocks(self):
        """Two blocks of weights along a chain of 24, with noise: 12 rows."""
        draw = random.Random(8)
        rows = []
        for _ in range(12):
            x = [round(draw.gauss(0, 1), 3) for _ in range(24)]
            y = 2 * sum(x[:12]) - sum(x[12:]) + draw.gauss(0, 0.3)
            rows.append(f"{y:.4f} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x)))
        return self.write("blocks.svm", "\n".join(rows) + "\n")

    def test_the_trace_counts_rejected_terms_and_aggregated_features(self):
        """Proven terms and merged features are counted at each step; what is proven zero is zero in
        the answer: at most terms less differences. On a chain each rejected term merges two."""
        data, trace = self.blocks(), str(self.path / "t.csv")
        words = ("--lambda-ratio", "0.5", "--tol", "1e-10", "--trace", trace)
        fit = self.fit(data, "--screen", "transform", "--always", "true", *words)
        weights = [0.0] * 24
        for name, value in fit["coef"]:
            weights[int(str(name).lstrip("X")) - 1] = value
        equal = sum(a == b for a, b in zip(weights, weights[1:]))
        with open(trace, newline="", encoding="utf-8") as file:
            steps = list(csv.DictReader(file))
        counts = [int(step["rejected"]) for step in steps]
        self.assertEqual([int(step["aggregated"]) for step in steps], counts)
        self.assertEqual(counts, sorted(counts))
        self.assertTrue(0 < counts[-1] <= equal, (counts, equal))
        self.assertEqual(fit["screened"], counts[-1])
        least = -1e-12 * fit["primal"]  # a gap of 0 as it is rounded
        self.assertTrue(all(float(step["gap"]) >= least for step in steps))
        self.fit(data, *words)  # without screening there is nothing to count
        with open(trace, newline="", encoding="utf-8") as file:
            steps = list(csv.DictReader(file))
        self.assertEqual({step["rejected"] + step["aggregated"] for step in steps}, {""})

    def test_lua_and_the_store_have_them(self):
        data, store = self.blocks(), str(self.path / "runs.db")
        run = tamis("eval", f"""
            local r = tm.genlasso(tm.load("{data}"), {{lambda_ratio=0.5, screen="transform",
                always=true, tol=1e-10}}):wait()
            local t = r.trace
            assert(#t.rejected == #t and t.rejected[#t] > 0)
            assert(t.aggregated[#t] == r.screened and t[#t].rejected == t.rejected[#t])
            local none = tm.lasso(tm.load("{data}"), {{lambda_ratio=0.5}}):wait().trace
            assert(none.rejected[1] == nil)
            print(t.rejected[#t], t.aggregated[#t])""", "--store", store)
        self.assertEqual(run.returncode, 0, run.stderr)
        with contextlib.closing(sqlite3.connect(store)) as db:
            kept = db.execute("SELECT rejected, aggregated FROM traces WHERE run = 1"
                              " ORDER BY k DESC LIMIT 1").fetchone()
            other = db.execute("SELECT count(rejected) FROM traces WHERE run = 2").fetchone()
        self.assertEqual("\t".join(map(str, kept)), run.stdout.strip())
        self.assertEqual(other, (0,))

    def test_the_graph_of_the_data_is_the_default(self):
        """Data without one are a chain; a kept file has it as well."""
        kept = str(self.path / "gfl.tam")
        run = tamis("eval", f"""
            local d = tm.synth("gfl", {{n = 30, p = 20, edges = 24, seed = 2}})
            d:save("{self.path}/plain.svm")
            local plain = tm.load("{self.path}/plain.svm")
            for _, data in ipairs{{d, plain}} do
              for _, graph in ipairs{{"auto", "chain"}} do
                print(tm.genlasso(data, {{graph = graph, tol = 1e-10}}):wait().primal)
              end
              print(tm.genlasso(data, {{tol = 1e-10}}):wait().primal)
            end
            print(tm.genlasso(d, {{graph = "data", tol = 1e-10}}):wait().primal)
            d:save("{kept}")""")
        self.assertEqual(run.returncode, 0, run.stderr)
        own, chain, default, alone, line, unset, data = map(float, run.stdout.split())
        self.assertGreater(abs(own - chain), 1e-3)
        for value, want in ((default, own), (data, own), (alone, line), (unset, line),
                            (line, chain), (self.fit(kept, "--tol", "1e-10")["primal"], own)):
            self.assertAlmostEqual(value, want, places=7)

    @staticmethod
    def count_levels(weights, edges):
        """Connected sets of features of one weight that is not 0, by filling them one by one."""
        left, count = {j for j, w in enumerate(weights) if w != 0}, 0
        while left:
            count += 1
            fill = [left.pop()]
            while fill:
                at = fill.pop()
                for a, b in edges:
                    for here, there in ((a, b), (b, a)):
                        if here == at and there in left and weights[there] == weights[at]:
                            left.remove(there)
                            fill.append(there)
        return count

    def test_levels_are_counted(self):
        data = self.blocks()
        ring = [(j, (j + 1) % 24) for j in range(24)] + [(0, 12), (3, 20)]
        inline = "[" + "; ".join(f"{a + 1} {b + 1}" for a, b in ring) + "]"
        chain = [(j, j + 1) for j in range(23)]
        for graph, edges, words in (("chain", chain, ()), (inline, ring, ()),
                                    ("chain", chain, ("--screen", "saif")),
                                    (inline, ring, ("--l1_ratio", "0.4"))):
            for ratio in ("1", "0.6", "0.2", "0.02"):
                fit = self.fit(data, "--graph", graph, "--lambda-ratio", ratio, "--tol", "1e-9",
                               *words)
                weights = [0.0] * 24
                for name, value in fit["coef"]:
                    weights[int(str(name).lstrip("X")) - 1] = value
                self.assertEqual(fit["levels"], self.count_levels(weights, edges), (graph, ratio))
        self.assertNotIn("levels", self.fit(data, "--graph", "trend:1"))
        page = tamis("fit", data, "--method", "genlasso", "--lambdas", "4").stdout
        row = next(line.split() for line in page.splitlines() if "lambda" in line and "nnz" in line)
        self.assertEqual(row[:3], ["lambda", "nnz", "levels"])
        path = json.loads(tamis("fit", data, "--method", "genlasso", "--lambdas", "4",
                                "--json").stdout)
        last = path["path"][-1]["levels"]
        self.assertRegex(page, rf"levels +{last} \(")
        run = tamis("eval", f"""
            local d = tm.load("{data}")
            local p = tm.path(d, "genlasso", {{lambdas = 4}}):wait()
            assert(p.models[4].levels == p.levels)
            print(p.levels, p.table[4].levels, tm.lasso(d):wait().levels)
            assert(not tostring(tm.path(d, "lasso", {{lambdas = 2}}):wait().table):find("levels"))
            assert(tostring(p.table):find("levels"))
            local r = tm.genlasso(d, {{screen = "transform", always = true}}):wait()
            for _, y in ipairs{{"rejected", "aggregated"}} do
              local out = os.tmpname() .. ".csv"
              tm.plot{{runs = {{r}}, x = "step", y = y}}:save(out)
              local text = io.open(out):read("a")
              os.remove(out)
              assert(text:find(tostring(r.trace[y][#r.trace])), text)
            end
            tm.plot{{runs = {{p}}, x = "levels", y = "score"}}:save("{self.path}/levels.svg")""")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.split(), [str(last), str(last), "nil"])

    def test_a_lambda_far_below_lambda_max(self):
        """From the null model straight to a hundredth costs well below a path that leads there."""
        script = """
            for seed = 1, 3 do
              local d = tm.synth("gfl", {n = 60, p = 600, density = 1.2, seed = seed})
              local straight = tm.genlasso(d, {lambda_ratio = 0.01, tol = 1e-8}):wait()
              local path = tm.path(d, "genlasso", {lambdas = 20, tol = 1e-8}):wait()
              print(straight.primal, straight.updates, path.primal, path.updates)
            end"""
        run = tamis("eval", script)
        self.assertEqual(run.returncode, 0, run.stderr)
        for line in run.stdout.splitlines():
            straight, work, path, most = map(float, line.split())
            self.assertAlmostEqual(straight / path, 1, places=6)
            self.assertLess(work, 0.7 * most)

    def test_a_path_does_not_go_on_with_another_graph(self):
        """Of the file that was read there is no copy: once it is written again the path begins
        again, and until then it goes on."""
        data = self.identity([3, 1, 2, 5, 4, 6, 9, 7])
        graph, store = self.write("g.edges", "1 2\n2 3\n3 4\n"), str(self.path / "runs.db")
        words = ("--graph", graph, "--lambda", "2,1,0.5", "--intercept", "false")
        first = self.fit(data, *words, "--store", store)
        for text in None, "1 5\n2 6\n3 7\n":
            with contextlib.closing(sqlite3.connect(store)) as db, db:
                db.execute("UPDATE runs SET status = 'interrupted'")
            if text:
                self.write("g.edges", text)
            again = self.fit(data, *words, "--store", store, "--resume")
            fresh = self.fit(data, *words)
            with contextlib.closing(sqlite3.connect(store)) as db:
                runs = db.execute("SELECT count(*) FROM runs").fetchone()[0]
            self.assertEqual(runs, 2 if text else 1)
            for have, want in zip(again["path"], fresh["path"]):
                self.assertAlmostEqual(have["primal"], want["primal"], places=6)
        self.assertNotAlmostEqual(first["path"][0]["primal"], again["path"][0]["primal"], places=3)

    def test_mistakes_are_placed(self):
        data = self.identity([3, 1, 2, 5, 4, 6])
        bad = self.write("bad.edges", "1 2\n3 9\n")
        for graph, status, message in (
                (bad, 1, "bad.edges: line 2, column 3: features are numbered from 1 to 6"),
                ("grid:2x2", 2, "grid:2x2 has 4 places; the data have 6 features"),
                ("[1 2; 3]", 2, "an edge has two features"),
                ("trend:99", 2, "expected an order from 0 to 10"),
                ("data", 2, "came without a graph"),
                (str(self.path / "none"), 1, "none")):
            run = tamis("fit", data, "--method", "genlasso", "--graph", graph)
            self.assertEqual(run.returncode, status, run.stderr)
            self.assertIn(message, run.stderr)

    def test_lua_takes_edges(self):
        data = self.identity([3, 1, 2, 5, 4, 6])
        run = tamis("eval", f'''
            local d = tm.load("{data}")
            local edges = {{{{1, 2}}, {{2, 3, 0.5}}, {{"X4", 5, weight=2}}}}
            local r = tm.genlasso(d, {{graph=edges}}):wait()
            print(r.params.graph, r.status)
            print(pcall(tm.genlasso, d, {{graph={{{{1, true}}}}}}))
        ''')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('[ 1 2; 2 3 0.5; "X4" 5 weight=2]\tconverged', run.stdout)
        self.assertIn("an edge has", run.stdout)

    def test_sweeps_take_edges_and_groups(self):
        """The same tables as of one run, as a value of all configurations and as an axis."""
        data = self.identity([3, 1, 2, 5, 4, 6])
        run = tamis("eval", f'''
            local d = tm.load("{data}")
            local function rows(options, name)
              options.data, options.folds, options.metric = d, 2, "mse"
              options.lambda_ratio = 0.5
              local s = tm.sweep(options):wait()
              for _, row in ipairs(s.table) do print(s.failed, row[name], row.mse) end
            end
            local edges = {{{{1, 2}}, {{"X2", "X3", 0.5}}}}
            local graphs = {{edges, "[1 2; X2 X3 0.5]", "chain"}}
            local groups = {{{{{{1, 2, 3}}, {{4, 5, 6}}}}, 3}}
            rows({{method="genlasso", grid={{graph=graphs}}}}, "graph")
            rows({{method="genlasso", graph=edges, grid={{l1_ratio={{0, 1}}}}}}, "l1_ratio")
            rows({{method="grouplasso", grid={{groups=groups}}}}, "groups")
            print(pcall(tm.sweep, {{data=d, method="genlasso", graph={{{{1, true}}}}}}))
        ''')
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [line.split("\t") for line in run.stdout.splitlines()]
        self.assertEqual([line[0] for line in lines], ["0"] * 7 + ["false"])
        self.assertEqual(lines[0][2], lines[1][2])
        self.assertNotEqual(lines[0][2], lines[2][2])
        self.assertEqual(lines[3][2], lines[0][2])
        self.assertEqual(lines[5][2], lines[6][2])
        self.assertIn("an edge has", lines[7][1])


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
