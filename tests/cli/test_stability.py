#!/usr/bin/python3
"""tm.stability: frequencies against loops written in Lua, bounds against their formulas."""
import math
import unittest

from tamis_cli import Case

START = """
local d = tm.synth('saif', {n=60, p=40, seed=1})
local function line(s)
  print(string.format('%.17g %.17g %s %d %s', s.q, s.bound, s.bound_unimodal or 'nil', s.samples,
                      table.concat(s.stable, ',')))
  for _, row in ipairs(s) do
    print(row.feature, row.name, row.count, row.frequency, row.stable)
  end
end
"""


def worst_case(q, p, tau):
    return q * q / ((2 * tau - 1) * p)


def unimodal(q, p, tau, pairs):
    """Theorem 2 of Shah and Samworth (2013), tau a multiple of 1 / (2 pairs)."""
    theta = q / p
    assert theta <= 1 / math.sqrt(3) and tau > 0.5 + theta ** 2
    if tau <= 0.75:
        return q * q / p / (2 * (2 * tau - 1 - 1 / (2 * pairs)))
    return q * q / p * 4 * (1 - tau + 1 / (2 * pairs)) / (1 + 1 / pairs)


class Stability(Case):
    def test_frequencies_are_those_of_a_loop(self):
        page = self.good("eval", START + """
            local s = tm.stability{data=d, method='lasso', lambda_ratio=0.3, subsamples=15, seed=4}
            line(s)
            print('loop')
            local counts, total = {}, 0
            for _, split in ipairs(s.sweep.splits) do
              assert(#split.train == 30)
              local half = d:select{rows=split.train}
              for _, j in ipairs(tm.lasso(half, {lambda_ratio=0.3}):wait().model.support) do
                counts[j] = (counts[j] or 0) + 1
                total = total + 1
              end
            end
            for j = 1, d.p do if counts[j] then print(j, counts[j]) end end
            print(total / 30)""")
        found, loop = page.split("loop\n")
        head, *rows = [line.split() for line in found.splitlines()]
        *counts, total = [line.split() for line in loop.splitlines()]
        self.assertEqual({row[0]: row[2] for row in rows}, dict(counts))
        self.assertEqual(float(head[0]), float(total[0]))
        self.assertEqual([row[0] for row in rows if int(row[2]) >= 18], head[4].split(","))
        self.assertEqual([row[4] for row in rows],
                         ["true" if int(row[2]) >= 18 else "false" for row in rows])
        q = float(head[0])
        self.assertAlmostEqual(float(head[1]), worst_case(q, 40, 0.6))
        self.assertAlmostEqual(float(head[2]), unimodal(q, 40, 0.6, 15))
        order = [(-int(row[2]), int(row[0])) for row in rows]
        self.assertEqual(order, sorted(order))

    def test_of_several_lambdas_the_greatest_frequency_counts(self):
        self.good("eval", START + """
            local s = tm.stability{data=d, method='lasso', grid={lambda_ratio={0.6, 0.3, 0.1}},
                                   subsamples=12, share=0.4, threshold=0.8}
            local most, chosen = {}, 0
            for c = 1, 3 do
              local counts = {}
              for _, split in ipairs(s.sweep:supports(c)) do
                for _, j in ipairs(split.support) do counts[j] = (counts[j] or 0) + 1 end
              end
              for j, n in pairs(counts) do most[j] = math.max(most[j] or 0, n) end
            end
            for k = 1, 12 do
              local any = {}
              for c = 1, 3 do
                for _, j in ipairs(s.sweep:supports(c)[k].support) do any[j] = true end
              end
              for _ in pairs(any) do chosen = chosen + 1 end
            end
            local rows = 0
            for j in pairs(most) do rows = rows + 1 end
            assert(#s == rows and s.samples == 12 and s.bound_unimodal == nil)
            for _, row in ipairs(s) do assert(row.count == most[row.feature]) end
            assert(math.abs(s.q - chosen / 12) < 1e-12)
            assert(math.abs(s.bound - s.q ^ 2 / (0.6 * 40)) < 1e-12)""")

    def test_the_bound_for_high_thresholds(self):
        head = self.good("eval", START + """
            line(tm.stability{data=d, method='lasso', lambda_ratio=0.5, subsamples=10,
                              threshold=0.88})""").split()
        # Frequencies are multiples of 1/20: at least 0.88 is at least 0.9.
        self.assertAlmostEqual(float(head[2]), unimodal(float(head[0]), 40, 0.9, 10))

    def test_chosen_columns_are_numbered_as_in_the_data(self):
        self.good("eval", START + """
            local whole = d:select{columns={40, 3, 22, 7, 1, 4, 30, 23, 12, 9}}
            local s = tm.stability{data=whole, method='lasso', lambda_ratio=0.2, subsamples=5,
                                   filter='correlation', params={keep=4}}
            local counts = {}
            for _, split in ipairs(s.sweep.splits) do
              local half = whole:select{rows=split.train}
              local few = half:filter{by='correlation', keep=4}
              for _, top in ipairs(tm.lasso(few, {lambda_ratio=0.2}):wait().model:top(9)) do
                counts[top.name] = (counts[top.name] or 0) + 1
              end
            end
            for _, row in ipairs(s) do
              assert(counts[row.name] == row.count, row.name)
              counts[row.name] = nil
            end
            assert(next(counts) == nil)""")

    def test_the_same_for_any_workers_and_found_again_in_a_store(self):
        study = START + """
            local s = tm.stability{data=d, method='l1svm', lambda_ratio=0.3, subsamples=10}
            print(s.sweep.resumed)
            line(s)"""
        study = study.replace("d = tm.synth('saif', {n=60, p=40, seed=1})",
                              "d = tm.synth('fgm', {n=60, p=40, k=5, seed=1})")
        store = self.folder / "runs.db"
        first = self.good("eval", study, "--jobs", 1, "--store", store)
        again = self.good("eval", study, "--jobs", 3, "--store", store)
        self.assertEqual(first.split()[0], "0")
        self.assertEqual(again.split()[0], "20")
        self.assertEqual(first.split("\n", 1)[1], again.split("\n", 1)[1])
        other = self.good("eval", study, "--jobs", 3, "--seed", 9)
        self.assertNotEqual(first, other)
        self.assertEqual(other, self.good("eval", study, "--jobs", 1, "--seed", 9))

    def test_wrong_use_is_named(self):
        start = "tm.stability{data=tm.synth('saif', {n=9, p=4, seed=1}), method='lasso', "
        for rest, says in (("threshold=0.5}", "threshold is 0.5"), ("pair=true}", "'pairs'"),
                           ("folds=3}", "no parameter 'folds'"),
                           ("subsamples=0}", "subsamples is")):
            self.fails(1, "eval", start + rest, says=[says])
        self.fails(1, "eval", "tm.stability{method='lasso'}", says=["data set"])
        self.fails(1, "eval", "tm.stability{data=tm.synth('saif', {n=9, p=4, seed=1})}",
                   says=["'method'"])


if __name__ == "__main__":
    unittest.main()
