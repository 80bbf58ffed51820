#!/usr/bin/python3
"""Lua functions in sweeps: metrics, and what prepares the rows of each split."""
import unittest

from tamis_cli import Case, tamis

START = """
local d = tm.synth('fgm', {n=60, p=20, k=5, seed=1})
local function cost(z, y)
  local sum = 0
  for i = 1, #z do sum = sum + (y[i] * z[i] > 0 and 0 or (y[i] > 0 and 3 or 1)) end
  return sum / #z
end
local function share(z, y)
  local right = 0
  for i = 1, #z do if (z[i] > 0) == (y[i] > 0) then right = right + 1 end end
  return right / #z
end
-- Only the columns whose means on the training rows are above a limit.
local limit = 0
local function above(train)
  local keep = {}
  for j = 1, train.p do
    local sum = 0
    for _, v in ipairs(train:column(j)) do sum = sum + v end
    if sum > limit then keep[#keep + 1] = j end
  end
  return function(rows) return rows:select{columns=keep} end
end
local function sweep(more)
  local all = {data=d, method='l1logistic', grid={lambda_ratio={0.5, 0.2, 0.05}}, folds=3}
  for k, v in pairs(more) do all[k] = v end
  return tm.sweep(all):wait()
end
"""


class Functions(Case):
    def test_a_metric_written_in_lua_is_the_one_of_the_table(self):
        page = self.good("eval", START + """
            local s = sweep{metric={'accuracy', 'auc', share=share, cost={cost, greater=false}}}
            assert(s.failed == 0 and s.status == 'done')
            for _, c in ipairs(s.cells) do assert(math.abs(c.share - c.accuracy) < 1e-15) end
            for _, r in ipairs(s.table) do assert(r.share == r.accuracy and r.share_se) end
            assert(s:best('share').config == s:best('accuracy').config)
            local least, config = math.huge, nil
            for _, r in ipairs(s.table) do
              if r.cost < least then least, config = r.cost, r.config end
            end
            assert(s:best('cost').cost == least)
            s:curve('nnz', 'cost'):save(PATH)
            print(#s:scores(1, 'cost'))
            local alone = sweep{metric=cost}
            print(alone.table[1].metric == s.table[1].cost)""".replace(
                "PATH", f"'{self.folder / 'curve.svg'}'"))
        self.assertEqual(page.split(), ["3", "true"])
        pages = {self.good("eval", START + "for _, c in ipairs(sweep{metric={cost=cost}}.cells) do "
                           "print(c.cost) end", "--jobs", jobs) for jobs in (1, 4)}
        self.assertEqual(len(pages), 1)

    def test_rows_are_prepared_by_what_the_training_rows_say(self):
        self.good("eval", START + """
            local s = sweep{prepare=above, keep='predictions', tol=1e-10}
            assert(s.failed == 0)
            for config = 1, 3 do
              for _, kept in ipairs(s:predictions(config)) do
                local split = s.splits[kept.split]
                local train, test = d:select{rows=split.train}, d:select{rows=split.test}
                local f = above(train)
                local m = tm.l1logistic(f(train), {tol=1e-10,
                                        lambda_ratio=({0.5, 0.2, 0.05})[config]})
                local z = m:wait().model:predict(f(test))
                for i = 1, #z do assert(math.abs(z[i] - kept.values[i]) < 1e-3) end
              end
            end""")

    def test_several_ways_to_prepare_are_an_axis(self):
        page = self.good("eval", START + """
            local function same() return function(rows) return rows end end
            local s = sweep{prepare={above=above, same=same}, grid={lambda_ratio={0.2},
                            prepare={'none', 'same', 'above'}}}
            for _, r in ipairs(s.table) do print(r.prepare, r.accuracy, r.nnz) end
            print(#sweep{prepare={above=above, same=same}}.table)
            local r, prepare = s:refit()
            print(r.model.nnz, s:best().prepare ~= 'none', prepare ~= nil)""").splitlines()
        rows = [line.split() for line in page[:3]]
        self.assertEqual([row[0] for row in rows], ["none", "same", "above"])
        self.assertEqual(rows[0][1:], rows[1][1:])
        self.assertNotEqual(rows[0][1:], rows[2][1:])
        self.assertEqual(page[3], "6")
        best, prepared = page[4].split()[1:]
        self.assertEqual(best, prepared)

    def test_nested_folds_choose_by_a_function(self):
        self.good("eval", START + """
            local s = sweep{metric={cost={cost, greater=false}, share=share}, nested=2,
                            prepare=above}
            assert(s.failed == 0)
            local nested = s:nested()
            for _, fold in ipairs(nested.folds) do
              local least = math.huge
              local sums = {0, 0, 0}
              for _, c in ipairs(s.cells) do
                if c.outer == fold.outer and c.inner > 0 then
                  sums[c.config] = sums[c.config] + c.cost
                end
              end
              for c = 1, 3 do least = math.min(least, sums[c]) end
              assert(sums[fold.config] == least)
            end""")

    def test_an_error_is_the_cells_own(self):
        page = self.good("eval", START + """
            local s = sweep{folds=6, metric={bad=function(z, y) if y[2] < 0 then error('no!') end
                                                     return 1 end, share=share}}
            print(s.failed > 0 and s.failed < 18, s.status)
            for _, c in ipairs(s.cells) do
              if c.error then print(c.error, c.share ~= nil) break end
            end
            local t = sweep{prepare=function(train)
              if train.n > 40 then error('many') end
              return function(rows) return rows end
            end, folds={{train={1, 2, 3, 4, 5, 6, 7, 8, 9}, test={10, 11, 12}},
                        {13, 14, 15}}}
            for _, c in ipairs(t.cells) do print(c.outer, c.status, c.error) end""").splitlines()
        self.assertEqual(page[0], "true\tdone")
        self.assertIn("no!", page[1])
        cells = [line.split("\t") for line in page[2:]]
        self.assertEqual([c[0] for c in cells if c[1] == "failed"], ["2", "2", "2"])
        self.assertTrue(all("many" in c[2] for c in cells if c[1] == "failed"))

    def test_a_store_knows_functions_by_what_they_do(self):
        store = self.folder / "runs.db"
        study = START + """local s = sweep{metric={cost=cost, share=share}, prepare=above}
            print(s.resumed) for _, r in ipairs(s.table) do print(r.cost, r.share, r.nnz) end"""

        def resumed(text):
            return self.good("eval", text, "--store", store).split("\n", 1)

        first = resumed(study)
        self.assertEqual(first[0], "0")
        self.assertEqual(resumed(study), ["9", first[1]])
        self.assertEqual(resumed(study.replace("-- Only", "-- None but")), ["9", first[1]])
        self.assertEqual(resumed(study.replace("3 or 1", "4 or 1"))[0], "0")
        self.assertEqual(resumed(study.replace("limit = 0", "limit = 1"))[0], "0")
        self.assertEqual(resumed(study), ["9", first[1]])
        out = self.folder / "report.html"
        self.good("report", "s1", "--store", store, "-o", out)
        self.assertIn("cost", out.read_text())

    def test_functions_that_do_not_end_are_stopped(self):
        run = tamis("eval", START + """
            local s = tm.sweep{data=d, method='l1logistic', lambda_ratio=0.3, folds=3,
                               metric={long=function() while true do end end}}
            s:wait(0.05)
            s:cancel()
            s:wait()
            print(s.status, s.done)""")
        self.assertEqual((run.returncode, run.stdout), (0, "cancelled\t0\n"))

    def test_wrong_functions_are_named(self):
        for rest, says in (("metric={function() end}", "name it"),
                           ("metric={auc=function() end}", "'auc' of a metric is taken"),
                           ("metric={nnz=function() end}", "'nnz' of a metric is taken"),
                           ("metric={m={function() end, less=true}}", "'less'"),
                           ("metric={m=math.abs}", "one of C"),
                           ("metric={m=3}", "expected a function"),
                           ("prepare=3", "'prepare' is a number"),
                           ("prepare={}", "empty"),
                           ("prepare={a=function() end}, grid={prepare={'b'}}", "no function 'b'"),
                           ("prepare={a=function() end}, grid={prepare={'none'}}", "'a'"),
                           ("metric={m=function() return io.stdout end}", "all of its")):
            run = tamis("eval", "tm.sweep{data=tm.synth('fgm', {n=30, p=9, k=3, seed=1}), "
                        f"method='l1logistic', lambda_ratio=0.5, folds=2, {rest}}}:wait()")
            self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1), run.stderr)
            self.assertIn(says.replace('"a"', "'a'"), run.stderr.replace('"a"', "'a'"))
        for body, says in (("return 3", "expected a function of a data set"),
                           ("return function() return 3 end", "expected a data set"),
                           ("return function(rows) return rows:select{rows={1, 2}} end",
                            "changes the number")):
            run = tamis("eval", "tm.sweep{data=tm.synth('fgm', {n=30, p=9, k=3, seed=1}), "
                        "method='l1logistic', lambda_ratio=0.5, folds=2, "
                        f"prepare=function(train) {body} end}}:wait()")
            self.assertIn(says, run.stderr)


if __name__ == "__main__":
    unittest.main()
