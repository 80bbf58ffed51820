#!/usr/bin/python3
"""What a sweep keeps of its cells besides scores, and training sets that are drawn or given."""
import contextlib
import sqlite3
import unittest

from tamis_cli import Case, tamis

# Two classes or numbers, each configuration refitted on each fold by a run of its own.
REFIT = """
local d = tm.synth('saif', {n=40, p=30, seed=1})
local ratios = {0.5, 0.2}
local s = tm.sweep{data=d, method='lasso', grid={lambda_ratio=ratios}, folds=4, repeats=2,
                   tol=1e-10, keep={'predictions', 'support', 'model'}}:wait()
print(s.status, s.resumed)
for c, ratio in ipairs(ratios) do
  local values, supports, models = s:predictions(c), s:supports(c), s:models(c)
  assert(#values == 8 and #supports == 8 and #models == 8)
  for k, kept in ipairs(values) do
    local split = s.splits[kept.split]
    assert(kept.rep == split.rep and kept.outer == split.outer and kept.inner == 0)
    local train, test = d:select{rows=split.train}, d:select{rows=split.test}
    local m = tm.lasso(train, {lambda_ratio=ratio, tol=1e-10}):wait().model
    local z, again = m:predict(test), models[k].model:predict(test)
    assert(#z == #kept.values and table.concat(kept.rows, ' ') == table.concat(split.test, ' '))
    for i = 1, #z do
      assert(math.abs(z[i] - kept.values[i]) < 1e-6 and again[i] == kept.values[i])
    end
    assert(table.concat(m.support, ' ') == table.concat(supports[k].support, ' '))
  end
end
local total = 0
for _, kept in ipairs(s:predictions()) do total = total + #kept.rows end
print(total, #s:supports())
"""

SAMPLES = """
local d = tm.synth('saif', {n=50, p=20, seed=2})
local function sweep(folds, seed)
  return tm.sweep{data=d, method='lasso', lambda_ratio=0.3, folds=folds, seed=seed,
                  keep='support'}:wait()
end
local function show(s)
  for _, split in ipairs(s.splits) do
    print(table.concat(split.train, ' ') .. '|' .. table.concat(split.test, ' '))
  end
end
"""


class Kept(Case):
    def test_predictions_supports_and_models_are_those_of_a_run_on_the_fold(self):
        self.assertEqual(self.good("eval", REFIT).splitlines(), ["done\t0", "80\t8"])

    def test_a_store_gives_them_again_and_damaged_ones_are_made_again(self):
        store = self.folder / "kept.db"
        script = self.write("kept.lua", REFIT)
        self.good("run", script, "--store", store)
        self.assertEqual(self.good("run", script, "--store", store).splitlines()[0], "done\t16")
        with contextlib.closing(sqlite3.connect(store)) as db:
            kept = db.execute("SELECT kept FROM sweep_kept WHERE config = 0 AND split = 3")
            bytes_ = bytearray(kept.fetchone()[0])
            bytes_[50] ^= 1
            db.execute("UPDATE sweep_kept SET kept = ? WHERE config = 0 AND split = 3", (bytes_,))
            db.execute("DELETE FROM sweep_kept WHERE config = 1 AND split = 5")
            db.commit()
        # Both tasks, chains of two runs, are done again.
        run = tamis("run", script, "--store", store)
        self.assertEqual((run.returncode, run.stdout.splitlines()[0]), (0, "done\t12"))
        self.assertIn("4 recorded runs are damaged", run.stderr)
        self.assertEqual(self.good("run", script, "--store", store).splitlines()[0], "done\t16")

    def test_runs_of_other_sweeps_are_taken_over_with_their_models(self):
        """What is kept is made from the recorded model: the same bits as from the solve."""
        store = self.folder / "extended.db"
        start = ("local d = tm.synth('saif', {n=40, p=30, seed=1}) "
                 "local function sweep(ratios, keep, name) "
                 "return tm.sweep{data=d, method='lasso', grid={lambda_ratio=ratios}, folds=4, "
                 "tol=1e-10, keep=keep, warm=false, name=name}:wait() end "
                 "local all = {'predictions', 'support', 'model'} ")
        show = ("for c = 1, 3 do for k, p in ipairs(s:predictions(c)) do "
                "print(s:models(c)[k].model.nnz, table.concat(s:supports(c)[k].support, ' ')) "
                "for _, z in ipairs(p.values) do print(string.format('%.17g', z)) end end end")
        self.good("eval", start + "sweep({0.5, 0.2}, nil, 'plain')", "--store", store)
        run = tamis("eval", start + "local s = sweep({0.5, 0.2, 0.1}, all, 'kept') "
                    "assert(s.reused == 8 and s.failed == 0) " + show, "--store", store)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("8 of 12 runs are there", run.stderr)
        self.assertEqual(run.stdout, self.good("eval", start +
                                               "local s = sweep({0.5, 0.2, 0.1}, all) " + show))
        # And the other way round, as a part of it is enough.
        again = tamis("eval", start + "local s = sweep({0.1, 0.2}, 'support', 'few') "
                      "assert(s.reused == 8 and #s:supports(1) == 4)", "--store", store)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_functions_are_not_taken_over_and_it_is_said(self):
        store = self.folder / "functions.db"
        start = ("tm.sweep{data=tm.synth('saif', {n=20, p=9, seed=1}), method='lasso', folds=2, "
                 "name='own', grid={lambda_ratio={%s}}, "
                 "metric={err=function(z, y) return math.abs(z[1] - y[1]) end}}:wait()")
        self.good("eval", start % "0.5", "--store", store)
        run = tamis("eval", start % "0.5, 0.2", "--store", store)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("sweep 'own' takes no run from sweep s1 of the same name: it has functions",
                      run.stderr)
        self.good("eval", start % "0.5, 0.2", "--store", store)

    def test_shards_are_merged_with_what_they_kept(self):
        script = self.write("kept.lua", REFIT.split("for c, ratio")[0])
        stores = [self.folder / f"{i}.db" for i in (1, 2)]
        for i, store in enumerate(stores):
            self.good("run", script, "--store", store, "--shard", f"{i + 1}/2")
        self.good("runs", "merge", stores[1], "--store", stores[0])
        whole = self.write("whole.lua", REFIT)
        self.assertEqual(self.good("run", whole, "--store", stores[0]).splitlines(),
                         ["done\t16", "80\t8"])

    def test_what_is_not_kept_is_asked_for_by_name(self):
        start = ("local s = tm.sweep{data=tm.synth('saif', {n=20, p=9, seed=1}), method='lasso', "
                 "folds=2, lambda_ratio=0.3%s}:wait() ")
        self.fails(1, "eval", start % "" + "s:supports()", says=['keep={"support"}'])
        self.fails(1, "eval", start % ", keep={'support', 'path'}", says=["'path'", '"model"'])
        self.fails(1, "eval", start % ", keep='model'" + "s:models(2)", says=["1 to 1"])
        # As a number it is how many features a filter keeps.
        page = self.good("eval", start % ", filter='variance', keep=4" +
                         "print(s.failed, s.table[1].nnz <= 4)")
        self.assertEqual(page, "0\ttrue\n")


class Samples(Case):
    def splits(self, page):
        for line in page.splitlines():
            train, test = line.split("|")
            yield [int(i) for i in train.split()], [int(i) for i in test.split()]

    def test_bootstrap_draws_with_replacement_and_scores_on_the_rows_left_out(self):
        page = self.good("eval", SAMPLES + "show(sweep({bootstrap=40}, 7))")
        splits = list(self.splits(page))
        self.assertEqual(len(splits), 40)
        for train, test in splits:
            self.assertEqual(len(train), 50)
            self.assertEqual(set(train) | set(test), set(range(1, 51)))
            self.assertFalse(set(train) & set(test))
        # 2000 draws, of each row 40 expected: six deviations.
        for row in range(1, 51):
            drawn = sum(train.count(row) for train, _ in splits)
            self.assertLess(abs(drawn - 40), 6 * 40 ** 0.5)
        left = sum(len(test) for _, test in splits) / 2000  # (1 - 1/50)^50
        self.assertAlmostEqual(left, 0.98 ** 50, delta=0.03)
        self.assertEqual(page, self.good("eval", SAMPLES + "show(sweep({bootstrap=40}, 7))"))
        self.assertNotEqual(page, self.good("eval", SAMPLES + "show(sweep({bootstrap=40}, 8))"))

    def test_a_row_that_is_drawn_twice_weighs_twice(self):
        self.good("eval", SAMPLES + """
            local s = sweep({bootstrap=5}, 1)
            for k, split in ipairs(s.splits) do
              local m = tm.lasso(d:select{rows=split.train}, {lambda_ratio=0.3}):wait().model
              assert(table.concat(m.support, ' ') == table.concat(s:supports(1)[k].support, ' '))
              local r2 = m:score(d:select{rows=split.test}, 'r2')
              assert(math.abs(r2 - s.cells[k].r2) < 1e-6)
            end""")

    def test_subsamples_have_their_share_and_pairs_no_row_in_common(self):
        for train, test in self.splits(self.good(
                "eval", SAMPLES + "show(sweep({subsamples=6, share=0.3}, 1))")):
            self.assertEqual((len(set(train)), len(test)), (15, 35))
        pairs = list(self.splits(self.good(
            "eval", SAMPLES + "show(sweep({subsamples=6, pairs=true}, 1))")))
        self.assertEqual(len(pairs), 12)
        for (one, _), (other, _) in zip(pairs[::2], pairs[1::2]):
            self.assertEqual(sorted(one + other), list(range(1, 51)))

    def test_classes_keep_their_shares(self):
        page = self.good("eval", """
            local x, y = {}, {}
            for i = 1, 40 do x[i] = {i % 7, i % 5}; y[i] = i <= 10 and 'a' or 'b' end
            local d = tm.dataset{x=x, y=y}
            for _, folds in ipairs{{bootstrap=5}, {subsamples=5, pairs=true}} do
              for _, split in ipairs(tm.sweep{data=d, method='l1logistic', lambda_ratio=0.5,
                                              folds=folds}:wait().splits) do
                print(table.concat(split.train, ' ') .. '|')
              end
            end""")
        counts = [(len(train), sum(i <= 10 for i in train)) for train, _ in self.splits(page)]
        self.assertEqual(counts, [(40, 10)] * 5 + [(20, 5)] * 10)

    def test_splits_and_folds_of_the_data_are_given_to_a_sweep_as_they_are(self):
        page = self.good("eval", SAMPLES + """
            local function line(s) return table.concat(s:scores(1), ' ') end
            for _, folds in ipairs{5, {bootstrap=4}, {subsamples=3, pairs=true}} do
              local s = sweep(folds, 3)
              print(line(s) == line(sweep(s.splits, 4)))
            end
            local folds = d:folds{k=4, seed=2}
            local s = sweep(folds, 1)
            for k, fold in ipairs(folds) do
              local m = tm.lasso(fold.train, {lambda_ratio=0.3}):wait().model
              print(math.abs(m:score(fold.test) - s.cells[k].r2) < 1e-6)
            end
            -- Rows that are neither trained nor scored on.
            local few = sweep({{train={1, 2, 3, 3, 4, 5, 6, 7, 8}, test={9, 10, 11, 12}}}, 1)
            print(#few.splits[1].train, #few.splits[1].test)
            print(few:refit().model.p)""")
        self.assertEqual(page.split(), ["true"] * 7 + ["9", "4", "20"])

    def test_nested_folds_stay_within_the_rows_that_are_trained_on(self):
        page = self.good("eval", SAMPLES + """
            local s = tm.sweep{data=d, method='lasso', grid={lambda_ratio={0.5, 0.1}},
                               folds={bootstrap=3}, nested=2}:wait()
            print(s.failed, #s:nested().folds)
            for _, split in ipairs(s.splits) do
              print(split.outer .. ' ' .. split.inner .. '|' .. table.concat(split.train, ' ') ..
                    '|' .. table.concat(split.test, ' '))
            end""").splitlines()
        self.assertEqual(page[0], "0\t3")
        outer = {}
        for line in page[1:]:
            name, train, test = line.split("|")
            fold, inner = name.split()
            train, test = train.split(), test.split()
            if inner == "0":
                outer[fold] = train
            else:
                self.assertFalse(set(train) & set(test))
                self.assertEqual(set(train) | set(test), set(outer[fold]))
                self.assertEqual(sorted(train),
                                 sorted(row for row in outer[fold] if row in set(train)))

    def test_what_cannot_be_drawn_is_named(self):
        for folds, says in (("{bootstrap=0}", "bootstrap is 0"),
                            ("{subsamples=2, share=1.5}", "share is 1.5"),
                            ("{subsamples=2, shares=0.5}", "did you mean 'share'"),
                            ("{subsamples=2, pairs=true, share=0.5}", "pairs are halves"),
                            ("{{train={1, 2}, test={2, 3}}}", "trains and scores on row 2"),
                            ("{{train={51}, test={2}}}", "folds[1].train[1] is 51"),
                            ("{{train={}, test={2}}}", "trains on no row")):
            self.fails(1, "eval", "tm.sweep{data=tm.synth('saif', {n=50, p=9, seed=1}), "
                       f"method='lasso', lambda_ratio=0.5, folds={folds}}}", says=[says])


if __name__ == "__main__":
    unittest.main()
