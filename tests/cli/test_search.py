#!/usr/bin/python3
"""tm.search: halving by its schedule, TPE on a score that is known, both resumed after a kill."""
import contextlib
import json
import os
import signal
import subprocess
import unittest

from sweep_cases import Sweeps
from tamis_cli import BIN, Case, default_signals, environment, tamis


def data(p):
    return 'local d = tm.synth("saif", {n=60, p=%d, seed=3}) ' % p


# Every row with all its digits, and the rounds with their work.
SHOW = """
for _, r in ipairs(r) do
  print(string.format("%d %d %.17g %.17g %.17g %.17g", r.config, r.round, r.lambda_ratio,
                      r.tol or 0, r.mse, r.nnz))
end
for _, r in ipairs(r.rounds) do print(r.round, r.configs, r.columns, r.updates) end
print(r.best.config, r.total_columns, r.total_updates)
"""
HALVING = """
local r = tm.search{data=d, method="lasso", random={n=18, lambda_ratio={min=0.01, max=1, log=true}},
                    halving={tol={0.1, 0.01, 1e-8}}, folds=4, metric="mse", warm=false, seed=5,
                    screen=SCREEN}
""" + SHOW
TPE = """
local r = tm.search{data=d, method="lasso", random={n=24, lambda_ratio={min=0.01, max=1, log=true}},
                    tpe={starts=8, batch=4}, tol=1e-8, folds=4, metric="mse", warm=false, seed=5,
                    screen=SCREEN}
""" + SHOW


class Halving(Case):
    def test_the_schedule_and_the_choice(self):
        """By sweeps of our own: who is among the best third goes on, and is scored at the next
        level."""
        self.good("eval", data(60) + """
            local levels, n = {0.3, 0.6, 1}, 20
            local drawn = {n=n, lambda_ratio={min=0.01, max=1, log=true}}
            local r = tm.search{data=d, method="lasso", random=drawn, halving={rows=levels}, eta=3,
                                folds=4, metric="mse", warm=false, seed=7, tol=1e-8}
            local list, numbers, work = nil, {}, 0
            for i = 1, n do numbers[i] = i end
            for round, level in ipairs(levels) do
              local s = tm.sweep{data=d, method="lasso", random=not list and drawn or nil,
                                 list=list, folds=4, metric="mse", warm=false, seed=7, tol=1e-8,
                                 rows=level}:wait()
              local rows = {}
              for c, row in ipairs(s.table) do
                rows[c] = {number=numbers[c], mse=row.mse, lambda_ratio=row.lambda_ratio}
              end
              for _, cell in ipairs(s.cells) do work = work + cell.columns end
              table.sort(rows, function(a, b)
                return a.mse < b.mse or a.mse == b.mse and a.number < b.number
              end)
              assert(r.rounds[round].configs == #rows and #rows == ({20, 6, 2})[round])
              assert(r.rounds[round].rows == level)
              local left = round < 3 and ({6, 2})[round] or 0
              list, numbers = {}, {}
              for k, row in ipairs(rows) do
                if k <= left then
                  list[k] = {lambda_ratio=row.lambda_ratio}
                  numbers[k] = row.number
                else
                  local found
                  for _, got in ipairs(r) do
                    if got.config == row.number then found = got end
                  end
                  assert(found.round == round and found.mse == row.mse)
                  assert(found.lambda_ratio == row.lambda_ratio)
                end
              end
              if round == 3 then
                assert(r.best.config == rows[1].number and r.best.mse == rows[1].mse)
                assert(r[1].config == rows[1].number and r[2].config == rows[2].number)
              end
            end
            assert(#r == n and r.total_columns == work)
            local m = tm.lasso(d, r.best.params):wait()   -- all rows; rows= is the sweep's
            assert(m.status == "converged" and not r.best.params.rows)""")

    def test_any_number_of_workers(self):
        script = self.write("s.lua", data(60) + HALVING.replace("SCREEN", '"auto"'))
        self.assertEqual(self.good("run", "--jobs", 1, script),
                         self.good("run", "--jobs", 3, script))

    def test_grids_lists_and_functions(self):
        self.good("eval", data(30) + """
            local function halved(more)
              more.data, more.folds, more.tol = more.data or d, 3, 1e-6
              more.metric = more.metric or "mse"
              more.halving, more.eta = {rows={0.5, 1}}, 2
              return tm.search(more)
            end
            local grid = halved{method="lasso", grid={lambda_ratio={0.5, 0.2, 0.1, 0.05}}}
            assert(#grid == 4 and grid.rounds[2].configs == 2)
            local list = halved{method="lasso", list={{lambda_ratio=0.5}, {lambda_ratio=0.2},
                                                      {lambda_ratio=0.1}, {lambda_ratio=0.05}}}
            for i = 1, 4 do assert(grid[i].mse == list[i].mse) end
            local both = halved{method={"lasso", "ridge"}, data={a=d, b=d:scale{how="norm"}}}
            assert(#both == 4 and both.best.method and both.best.data)
            local own = halved{method="lasso", grid={lambda_ratio={0.5, 0.2, 0.1, 0.05}},
                               metric={err={function(z, y)
                                 local s = 0
                                 for i = 1, #z do s = s + (z[i] - y[i]) ^ 2 end
                                 return s / #z
                               end, greater=false}}}
            assert(own.best.config == grid.best.config and
                   math.abs(own.best.err - grid.best.mse) < 1e-9)""")

    def test_what_is_refused(self):
        for given, says in (
                ("", "give halving={parameter={levels}} or tpe=true"),
                ("halving={tol={1}}", "halving has 1 level"),
                ("halving={tol={1, 0.1}, rows={1, 1}}", "several parameters"),
                ("halving={tol={1, 0.1}}, tol=1", "'tol' is given"),
                ("halving={tol={1, 0.1}}, nested=2", "nested folds would be seen"),
                ("halving={tol={1, 0.1}}, lambdas=5", "a path's steps"),
                ("halving={tol={1, 0.1}}, eta=1", "eta is 1"),
                ("halving={rows={0.5, 2}}", "above 0 and at most 1"),
                ("halving={tol={1, 0.1}}, tpe=true", "give halving"),
                ("tpe=true", "tpe needs random="),
                ("tpe=true, random={n=9, alpha={min=0.1, max=1}}, eta=2", "eta is halving's"),
                ("tpe={batch=0}, random={n=9, alpha={min=0.1, max=1}}", "batch is 0"),
                ("tpe=true, random={n=9, alfa={min=0.1, max=1}}", "alfa"),
                ("halvin={tol={1, 0.1}}", "halving")):
            self.fails(1, "eval", data(20) +
                       'tm.search{data=d, method="lasso", folds=3, %s}' % given, says=says)

    def test_failed_configurations_do_not_go_on(self):
        out = self.good("eval", data(20) + """
            local r = tm.search{data=d, method="lasso", folds=3, eta=2, metric="mse", tol=1e-6,
                                grid={filter={"none", "auc"}, lambda_ratio={0.5, 0.1}},
                                halving={rows={0.5, 1}}}
            for _, row in ipairs(r) do print(row.filter, row.round, row.mse) end""")
        rows = [line.split("\t") for line in out.splitlines()]
        self.assertEqual([row[:2] for row in rows],
                         [["none", "2"], ["none", "2"], ["auc", "1"], ["auc", "1"]])
        run = tamis("eval", data(20) + """
            tm.search{data=d, method="lasso", folds=3, grid={lambda_ratio={0.5, 0.1}}, filter="auc",
                      halving={rows={0.5, 1}}}""")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no configuration of round 1 has a score: the filter 'auc'", run.stderr)


class Learning(Case):
    def test_shares_of_the_rows(self):
        """rows= as an axis is a learning curve: each share is a part of the greater ones, of each
        class its share."""
        out = self.good("eval", """
            local x, y = {}, {}
            for i = 1, 42 do x[i], y[i] = {i, (i * 7) % 11}, i <= 11 and "a" or "b" end
            local d = tm.dataset{x=x, y=y}
            local s = tm.sweep{data=d, method="ridge", C=1, folds={{1, 42}}, tol=1e-10,
                               grid={rows={0.1, 0.25, 0.5, 1}}, keep="predictions",
                               metric={"accuracy", n=function(z, y) return #z end}}:wait()
            for c = 1, 4 do print(s.table[c].rows, s.table[c].n) end
            -- by hand: of 10 and 30 rows the same shares, each within the next
            local train = d:select{rows=s.splits[1].train}
            local before = {}
            for _, share in ipairs{0.1, 0.25, 0.5, 1} do
              local part = train:thin(share)
              local a, seen = 0, {}
              for i = 1, part.n do
                a = a + (part.y[i] < 0 and 1 or 0)
                seen[part:column(1)[i]] = true
              end
              for value in pairs(before) do assert(seen[value]) end
              before = seen
              print(part.n, a)
            end
            local m = tm.ridge(train:thin(0.25), {C=1, tol=1e-10}):wait().model
            local z = m:predict(d:select{rows={1, 42}})
            local got = s:predictions(2)[1].values
            for i = 1, 2 do assert(z[i] == got[i]) end""")
        self.assertEqual(out.split(), "0.1 2.0 0.25 2.0 0.5 2.0 1 2.0 4 1 11 3 20 5 40 10".split())


class Resumed(Sweeps):
    def killed(self, script, tasks):
        """Killed again and again, the search ends as the one that was left alone."""
        whole = self.good("run", script)
        for kills in range(2):
            process = subprocess.Popen([BIN, "run", "--store", self.store, script],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       env=environment(), preexec_fn=default_signals)
            self.wait_until(lambda n=kills: self.finished() > (n + 1) * tasks // 3, process)
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(tasks)
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(tasks)
        names = [row[0] for row in self.sql("SELECT name FROM sweeps ORDER BY id")]
        return names

    def test_halving_is_resumed(self):
        script = self.write("s.lua", data(200) + HALVING.replace("SCREEN", '"none"'))
        names = self.killed(script, (18 + 6 + 2) * 4)
        self.assertEqual(names, ["search 1/3", "search 2/3", "search 3/3"])

    def test_tpe_is_resumed(self):
        script = self.write("s.lua", data(200) + TPE.replace("SCREEN", '"none"'))
        names = self.killed(script, 24 * 4)
        self.assertEqual(names, [f"search {i}" for i in range(1, 6)])

    def test_shards_are_refused(self):
        script = self.write("s.lua", data(30) + HALVING.replace("SCREEN", '"auto"'))
        self.fails(1, "run", "--shard", "1/2", "--store", self.store, script,
                   says="a search has no shards")


class Estimator(Case):
    def test_beside_random_draws(self):
        """Both begin with the same draws; after 40 the error of TPE is mostly the smaller one."""
        self.good("eval", """
            local d = tm.synth("saif", {n=20, p=30, seed=1})
            local less, greater = 0, 0
            for seed = 1, 9 do
              local common = {data=d, method="lasso", metric="mse", seed=seed, folds=3, tol=1e-6,
                              random={n=40, alpha={min=0.05, max=1},
                                      lambda_ratio={min=1e-4, max=1, log=true}}}
              local s = tm.sweep(common):wait()
              common.tpe = true
              local r = tm.search(common)
              assert(#r == 40 and #r.rounds == 7)
              less = less + (r.best.mse < s:best().mse and 1 or 0)
              greater = greater + (r.best.mse > s:best().mse and 1 or 0)
              for _, row in ipairs(r) do
                local same = s.table[row.config]
                local equal = same.alpha == row.alpha and same.lambda_ratio == row.lambda_ratio
                assert(equal == (row.config <= 10))
              end
            end
            assert(less >= 6 and greater <= 2, less .. " " .. greater)""")

    def test_any_number_of_workers(self):
        script = self.write("s.lua", data(60) + TPE.replace("SCREEN", '"auto"'))
        self.assertEqual(self.good("run", "--jobs", 1, script),
                         self.good("run", "--jobs", 3, script))

    def test_rows_are_saved(self):
        self.good("eval", data(20) + """
            local r = tm.search{data=d, method="lasso", folds=3, tpe=true, metric="mse",
                                random={n=12, lambda_ratio={min=0.01, max=1, log=true}}}
            r:save("%s/rows.json")""" % self.folder)
        rows = json.loads((self.folder / "rows.json").read_text())
        self.assertEqual(len(rows), 12)
        self.assertEqual([r["mse"] for r in rows], sorted(r["mse"] for r in rows))


if __name__ == "__main__":
    unittest.main()
