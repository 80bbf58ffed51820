#!/usr/bin/python3
"""What a study needs beside the runs: own splits, statistics, tables as files, the best on all
rows."""
import csv
import json
import unittest

from sweep_cases import Sweeps
from tamis_cli import GOLUB, Case, tamis

DATA = 'local d = tm.synth("saif", {n=30, p=40, seed=3}) '
SWEEP = DATA + ('local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.1, 0.02}}, '
                'folds=3, tol=1e-9, name="s"}:wait() ')


class Splits(Case):
    def test_splits_given_back_are_the_same_sweep(self):
        """The dealt folds as lists of rows, as sweep.splits, and as numbers: the same scores."""
        out = self.good("eval", SWEEP + """
            local sets, number = {}, {}
            for k, split in ipairs(s.splits) do
              assert(#split.train + #split.test == 30 and split.outer == k and split.inner == 0)
              sets[k] = split.test
              for _, row in ipairs(split.test) do number[row] = k end
            end
            for _, folds in ipairs{sets, s.splits, number} do
              local t = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.1, 0.02}},
                                 folds=folds, tol=1e-9}:wait()
              for c = 1, 3 do
                for k, score in ipairs(s:scores(c)) do assert(t:scores(c)[k] == score) end
              end
            end
            print("same")""")
        self.assertEqual(out, "same\n")

    def test_overlapping_sets_are_what_select_gives(self):
        out = self.good("eval", DATA + """
            local sets = {{1, 2, 3, 4, 5}, {4, 5, 6}, {30}}
            local s = tm.sweep{data=d, method="lasso", lambda_ratio=0.1, folds=sets, metric="mse",
                               nested=2, tol=1e-9}:wait()
            for k, set in ipairs(sets) do
              local held, train, test = {}, {}, {}
              for _, row in ipairs(set) do held[row] = true end
              for row = 1, 30 do table.insert(held[row] and test or train, row) end
              for _, split in ipairs(s.splits) do
                if split.outer == k then
                  local both = #split.train + #split.test
                  assert(both == (split.inner == 0 and 30 or #train))
                  for _, row in ipairs(split.inner > 0 and split.test or {}) do
                    assert(not held[row])
                  end
                end
              end
              for _, cell in ipairs(s.cells) do
                if cell.outer == k and cell.inner == 0 then
                  local rows = d:select{rows=train}
                  local m = tm.lasso(rows, {lambda_ratio=0.1, tol=1e-9}):wait().model
                  assert(cell.mse == m:score(d:select{rows=test}, "mse"))
                end
              end
            end
            print(#s.cells)""")
        self.assertEqual(out, "9\n")

    def test_wrong_splits(self):
        for folds, says in (("{{1, 31}}", "expected a row, 1 to 30"), ("{}", "'folds' is empty"),
                            ("{{}}", "fold 1 has no rows"), ("{1, 2}", "2 numbers, the data 30"),
                            ("{{1}, 2}", "folds[2] is"), ("{{1}}, repeats=2", "repeats is for")):
            with self.subTest(folds=folds):
                run = tamis("eval", DATA + 'tm.sweep{data=d, method="lasso", folds=' + folds + "}")
                self.assertEqual(run.returncode, 1)
                self.assertIn(says, run.stderr)


class Best(Case):
    def test_refit(self):
        out = self.good("eval", SWEEP + """
            local r = s:refit()
            local m = tm.lasso(d, {lambda_ratio=s:best().lambda_ratio, tol=1e-9}):wait()
            print(r.status, r.primal == m.primal, r.model.nnz == m.nnz)
            local p = tm.sweep{data={a=d, b=d}, method={"lasso", "ridge"}, folds=3,
                               params={tol=1e-7}}:wait()
            print(p:refit().status)
            local path = tm.sweep{data=d, method="lasso", lambdas=10, folds=3, tol=1e-9}:wait()
            local best = path:best()
            local again = tm.lasso(d, {lambda_ratio=best.lambda_ratio}):wait()
            print(math.abs(path:refit().lambda / again.lambda - 1) < 1e-12,
                  best.params.step, best.params.lambdas)""")
        self.assertEqual(out, "converged\ttrue\ttrue\nconverged\ntrue\tnil\tnil\n")

    def test_refit_prepares_all_rows_as_the_splits_were(self):
        """Against the steps by hand; the model knows what a filter and a scale have done."""
        out = self.good("eval", """
            local d, new, more = tm.synth("fgm", {n=80, p=60, k=5, seed=1}),
                tm.synth("fgm", {n=30, p=60, k=5, seed=2}),
                tm.synth("fgm", {n=10, p=60, k=5, seed=3})
            local function same(a, b)
              for i = 1, #b do if a[i] ~= b[i] then return false end end
              return #a == #b
            end
            local s = tm.sweep{data=d, method="l1svm", extra={m=more}, folds=3, tol=1e-8, rows=0.5,
                grid={lambda_ratio={0.1, 0.05}, filter={"t"}, keep={20}, scale={"standard"},
                      append={"m"}}}:wait()
            local r, none = s:refit()
            local whole = d:append(more)
            local chosen = whole:filter{by="t", keep=20}
            local by_hand = tm.l1svm(chosen:scale{how="standard"},
                                     {lambda_ratio=s:best().lambda_ratio, tol=1e-8}):wait()
            local held = new:filter{by="t", keep=20, like=whole}:scale{how="standard", like=chosen}
            print(none, r.primal == by_hand.primal,
                  same(r.model:predict(new), by_hand.model:predict(held)))
            local fixed = tm.sweep{data=d, method="l1svm", grid={lambda_ratio={0.2}}, filter="auc",
                                   params={keep=10}, scale="norm", folds=3}:wait():refit()
            by_hand = tm.l1svm(d:filter{by="auc", keep=10}:scale{how="norm"},
                               {lambda_ratio=0.2}):wait()
            print(fixed.primal == by_hand.primal, fixed.model.nnz == by_hand.model.nnz)
            local centred = function(train)  -- learns from the rows that it is given
                local mean, column = 0, train:column(2)
                for i = 1, #column do mean = mean + column[i] / #column end
                return function(x)
                    local one, two, rows = x:column(1), x:column(2), {}
                    for i = 1, #one do rows[i] = {two[i] - mean, one[i]} end
                    return tm.dataset{x=rows, y=x.y}
                end
            end
            local f = tm.sweep{data=d, method="ridge", grid={C={1, 10}, prepare={"c"}}, folds=3,
                               prepare={c=centred}}:wait()
            local m, prepare = f:refit()
            by_hand = tm.ridge(centred(d)(d), f:best().params):wait().model
            local z = by_hand:predict(centred(d)(new))
            print(m.model.nnz, same(m.model:predict(prepare(new)), z))
            local ok, why = pcall(prepare, 3)
            print(ok, why:match("expected a data set"))""")
        self.assertEqual(out, "nil\ttrue\ttrue\ntrue\ttrue\n2\ttrue\n"
                              "false\texpected a data set\n")

    def test_what_was_given_may_change_afterwards(self):
        out = self.good("eval", DATA + """
            local given = {data=d, method="lasso", grid={lambda_ratio={0.1}}, folds=3,
                           params={tol=1e-9}}
            local s = tm.sweep(given):wait()
            given.method, given.alpha, given.params.tol = "ridge", 0.5, 1
            local r = s:refit()
            print(r.method, r.params.alpha, r.params.tol, s:best().params.tol)""")
        self.assertEqual(out, "lasso\t1.0\t1e-09\t1e-09\n")

    def test_params_are_the_methods(self):
        """Whatever the axes, `tm[method](data, best.params)` is a run with what was fixed, too."""
        out = self.good("eval", """
            local d = tm.synth("fgm", {n=40, p=30, k=5, seed=1})
            local more = tm.synth("fgm", {n=10, p=30, k=5, seed=2})
            local data = {raw=d, other=d:scale{how="norm"}}
            local s = tm.sweep{data=data, method={"l1svm", "svm_l2"},
                grid={l1svm={lambda_ratio={0.5, 0.2}, alpha={0.7}}, svm_l2={C={1}}, rows={0.5, 1},
                      filter={"none", "t"}, keep={10}, scale={"none", "norm"},
                      append={"none", "m"}},
                extra={m=more}, tol=1e-5, params={max_iter=900}, folds=3, stratify=false}:wait()
            for config, row in ipairs(s.table) do assert(row.unconverged == 0) end
            local best = s:best()
            local r = tm[best.method](d, best.params):wait()
            assert(r.params.tol == 1e-5 and r.params.max_iter == 900 and best.filter and best.data)
            local fixed = tm.sweep{data=d, method="fgm", C=7, grid={B={2, 4}}, folds=3}:wait()
            local p = fixed:best().params
            assert(p.C == 7 and p.B == fixed:best().B and next(p, next(p, next(p))) == nil)
            local path = tm.sweep{data=d, method="l1svm", lambdas=6, lambda_min_ratio=0.1, folds=3}
            p = path:wait():best().params
            assert(p.lambda_ratio and next(p, next(p)) == nil)
            local draws = {n=6, lambda_ratio={min=0.01, max=1, log=true}, filter={"none", "t"}}
            local r = tm.search{data=d, method="l1svm", folds=3, halving={tol={0.1, 0.001}},
                                alpha=0.7, random=draws}
            p = r.best.params
            assert(p.alpha == 0.7 and p.tol == 0.001 and not p.filter)
            print(tm.l1svm(d, p):wait().status)""")
        self.assertEqual(out, "converged\n")

    def test_classes(self):
        out = self.good("eval", f"""
            local d = tm.load("{GOLUB}")
            local m = tm.l1svm(d, {{lambda_ratio=0.1}}):wait().model
            local z, class, right = m:predict(d), m:predict(d, {{as="class"}}), 0
            for i = 1, #z do
              assert(class[i] == (z[i] > 0 and "1" or "-1"), class[i])
            end
            print(#class, pcall(m.predict, m, d, {{as="probabilty"}}))""")
        self.assertTrue(out.startswith("38\tfalse"), out)


class Statistics(Case):
    def test_corrected_and_holm_and_ranks(self):
        """Against the formulas: t' = t / sqrt(1 + n ratio); Holm's table by hand; ranks by hand."""
        out = self.good("eval", """
            local a, b = {0.9, 0.8, 0.95, 0.85, 0.9}, {0.8, 0.82, 0.85, 0.8, 0.7}
            local c = tm.compare(a, b, {folds=5})
            assert(math.abs(c.corrected_t - c.t / math.sqrt(1 + 5 / 4)) < 1e-14)
            assert(c.corrected_p > c.t_p and c.corrected_p < 1)
            assert(tm.compare(a, b, {ratio=0}).corrected_p == c.t_p)
            assert(tm.compare(a, b).corrected_p == nil)
            local h = tm.holm{0.01, 0.04, 0.03, 0.005}
            print(string.format("%.3f %.3f %.3f %.3f", h[1], h[2], h[3], h[4]))
            local r = tm.rank{x={3, 1, 2}, y={3, 2, 1}, z={1, 0, 0}}
            for _, row in ipairs(r) do
              print(row.name, string.format("%.4f", row.rank), row.wins)
            end
            print(tm.rank({x={3, 1}, y={2, 2}, z={9, 9}}, {greater=false})[3].name)""")
        self.assertEqual(out, "0.030 0.060 0.060 0.020\n"
                              "x\t1.5000\t1\ny\t1.5000\t1\nz\t3.0000\t0\nz\n")
        for call, says in (("tm.compare({1, 2}, {1, 3}, {folds=1})", "2 or more"),
                           ("tm.holm{0.5, 2}", "p value 2 is 2"),
                           ("tm.rank{a={1, 2}, b={1}}", "each split needs all"),
                           ("tm.rank{a={1, 2}, b={1, 0 / 0}}", "score 2 of 'b' is not finite"),
                           ("tm.compare({1, 2}, {1, 0 / 0})", "leave such pairs out")):
            self.assertIn(says, tamis("eval", call).stderr)

    def test_scores_are_pairs_and_those_of_the_mean(self):
        """A run without a score keeps its place; of nested folds the inner ones are averaged."""
        out = self.good("eval", """
            local d = tm.synth("fgm", {n=60, p=30, k=5, seed=1})
            local s = tm.sweep{data=d, method="l1svm", grid={lambda_ratio={0.5, 0.1}}, folds=3,
                               nested=2}:wait()
            for config, row in ipairs(s.table) do
              local sum, all = 0, s:scores(config)
              for _, score in ipairs(all) do sum = sum + score end
              print(#all == row.splits, math.abs(sum / #all - row.accuracy) < 1e-12)
            end
            local calls = {some=function(z, y) -- fails where one class alone is predicted
              local sum = 0
              for i = 1, #z do sum = sum + (z[i] > 0 and 1 or 0) end
              if sum < #z / 2 then error("few") end
              return sum
            end}
            local p = tm.sweep{data=d, method="l1svm", grid={lambda_ratio={0.5, 0.1}}, folds=6,
                               metric=calls}:wait()
            assert(p.failed > 0 and p.failed < 12)
            for config = 1, 2 do
              local all = p:scores(config)
              for k, cell in ipairs(p.cells) do
                if cell.config == config then
                  local score = all[cell.outer]
                  assert(cell.error and score ~= score or score == cell.some)
                end
              end
              print(#all)
            end
            print(pcall(tm.compare, p:scores(1), p:scores(2)))""")
        self.assertTrue(out.startswith("true\ttrue\n" * 2 + "6\n" * 2 + "false\tpair"), out)


class Files(Sweeps):
    def test_tables_as_files(self):
        names = [self.folder / "t.csv", self.folder / "t.json"]
        out = self.good("eval", SWEEP + f"""
            s.table:save("{names[0]}") s.cells:save("{names[1]}")
            tm.table{{{{a='x,"y"', b=true}}, {{a=0.1, c=3}}}}:save("{self.folder}/u.csv")
            for _, row in ipairs(s.table) do print(string.format("%.17g", row.r2)) end""")
        rows = list(csv.DictReader(names[0].open()))
        self.assertEqual([float(row["r2"]) for row in rows], [float(x) for x in out.split()])
        self.assertEqual([float(row["lambda_ratio"]) for row in rows], [0.5, 0.1, 0.02])
        cells = json.loads(names[1].read_text())
        self.assertEqual((len(cells), cells[0]["status"]), (9, "converged"))
        text = (self.folder / "u.csv").read_text()
        self.assertEqual(text, 'a,b,c\n"x,""y""",true,\n0.1,,3\n')
        for path, says in (("x.txt", "saved as .csv or .json"), ("no/such.csv", "no/such.csv: ")):
            run = tamis("eval", DATA + f'tm.table{{{{a=1}}}}:save("{self.folder}/{path}")')
            self.assertEqual(run.returncode, 1)
            self.assertIn(says, run.stderr)

    def test_small_things(self):
        self.good("eval", "--store", self.store, SWEEP)
        self.fails(2, "runs", "merge", self.store, "--store", self.store, says="into itself")
        run = tamis("eval", DATA + 'tm.sweep{data=d, method="fgm", random={n=2, B={min=1, max=9}}}')
        self.assertIn("integer=true", run.stderr)
        out = self.good("eval", DATA + """
            local a = tm.curve{methods={"lasso"}, data=d, folds=3, features={3}}
            local b = tm.curve{methods={"lasso"}, train=d, folds=3, features={3}}
            print(a[1].r2 == b[1].r2)""")
        self.assertEqual(out, "true\n")


class MethodGrids(Case):
    def test_each_method_has_its_own_grid_and_choice(self):
        """The joint sweep's cells, nested scores and choices are those of a sweep a method."""
        self.good("eval", """
            local d = tm.load("%s"):filter{by="variance", keep=200}
            local grids = {l1svm={lambda_ratio={0.3, 0.1}}, fgm={B={2, 5}, C={1, 10}}}
            local function sweep(method, grid)
              grid.scale = {"none", "standard"}
              return tm.sweep{data=d, method=method, grid=grid, folds=4, nested=3, metric="logloss",
                              tol=1e-3, seed=2, warm=false}:wait()
            end
            local s = sweep({"l1svm", "fgm"}, {l1svm=grids.l1svm, fgm=grids.fgm})
            assert(#s.table == 4 + 8 and s.failed == 0)
            local within = s:nested{within="method"}
            assert(#within == 2)
            local config = 0
            for i, method in ipairs{"l1svm", "fgm"} do
              local own = {}
              for k, v in pairs(grids[method]) do own[k] = v end
              local alone = sweep(method, own)
              local n = alone:nested()
              assert(within[i].method == method and #within[i].folds == 4)
              assert(within[i].mean == n.mean and within[i].sd == n.sd)
              for k, fold in ipairs(n.folds) do
                assert(within[i].folds[k].score == fold.score)
              end
              local seen = {}
              for _, row in ipairs(alone.table) do seen[row.logloss .. " " .. row.nnz] = true end
              for _, row in ipairs(s.table) do
                if row.method == method then
                  assert(seen[row.logloss .. " " .. row.nnz])
                  assert((row.B == nil) == (method == "l1svm"))
                  config = config + 1
                end
              end
            end
            assert(config == #s.table)
            local implied = tm.sweep{data=d, grid=grids, folds=2, metric="auc", tol=1e-2}:wait()
            assert(#implied.table == 6 and implied:best().method)""" % GOLUB)

    def test_what_is_wrong_is_named(self):
        start = 'tm.sweep{data=tm.synth("fgm", {n=30, p=20, k=5}), folds=2, '
        for rest, says in (
                ('method={"l1svm"}, grid={fgm={B={2}}}}', "'fgm' is no method of the sweep"),
                ('grid={fgm={BB={2}}}}', "fgm has no parameter 'BB'"),
                ('grid={l1svm={lambda_ratio={}}}}', "has no values"),
                ('grid={l1svn={lambda_ratio={1}}}}', "'l1svn'")):
            self.fails(1, "eval", start + rest, says=says)
        self.fails(1, "eval", start + 'method="fgm", grid={B={2, 3}}, nested=2}:wait()'
                   ':nested{within="C"}', says="expected an axis of the sweep")


if __name__ == "__main__":
    unittest.main()
