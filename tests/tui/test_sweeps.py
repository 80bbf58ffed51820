#!/usr/bin/python3
"""The sweeps view: the grid as it fills, the best cell, a cell's runs, curves; of scripts and of
the store."""
import json
import os
import re
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench

SWEEP = ('tm.sweep{data=tm.load("%s"), method="l1logistic", folds=4, name="net", '
         'grid={lambda_ratio={0.5, 0.2, 0.1}, alpha={1, 0.5, 0.2}}, metric={"accuracy", "auc"}}'
         % DATA)


class Sweeps(Workbench):
    def tamis(self, *words):
        return subprocess.run([TAMIS, *words], check=True, capture_output=True, text=True,
                              timeout=60, env=self.t.variables).stdout

    def means(self):
        """(alpha, lambda_ratio): the mean of the accuracy, computed without the workbench."""
        text = self.tamis("eval", 's = %s:wait(); for _, r in ipairs(s.table) do print(r.alpha, '
                          'r.lambda_ratio, r.accuracy) end' % SWEEP)
        sums = {}
        for alpha, ratio, value in (line.split() for line in text.splitlines()):
            sums.setdefault((float(alpha), float(ratio)), []).append(float(value))
        return {key: sum(values) / len(values) for key, values in sums.items()}

    def start_sweep(self, text):
        self.start()
        self.t.keys(">")
        self.t.command(text)
        self.t.keys("Escape", "Escape", "8")

    def cells(self):
        """(alpha, lambda_ratio): the number in the grid; and where the star is."""
        found, best, ratios = {}, None, None
        for line in self.t.settled().split("\n"):
            head = re.match(r"│lambda_ratio:(( +[\d.]+)+) *>?│", line)
            ratios = [float(word) for word in head[1].split()] if head else ratios
            row = re.match(r"│alpha=([\d.]+) +(.*?)│", line)
            cells = re.findall(r"([\d.]+)(\*?)", row[2]) if row else []
            for ratio, cell in zip(ratios or [], cells):
                found[float(row[1]), ratio] = float(cell[0])
                best = (float(row[1]), ratio) if cell[1] else best
        return found, best

    def test_the_grid_has_the_means_and_the_best(self):
        wanted = self.means()
        self.start_sweep("s = %s" % SWEEP)
        self.t.see(r"┌ net: accuracy, mean over folds")
        self.t.see(r"36 of 36 runs")
        self.t.see(r"┌ done ")
        found, best = self.cells()
        self.assertEqual(len(found), 9)
        for key, value in found.items():
            self.assertAlmostEqual(value, wanted[key], delta=0.0005001)
        self.assertAlmostEqual(wanted[best], max(wanted.values()), places=12)
        self.t.see(r"best: alpha=%g," % best[0])
        self.t.see(r"accuracy %.4g ±" % wanted[best])
        self.t.see(r"accuracy by features, with standard errors")
        self.t.keys("G", "End", "l")
        self.t.see(r"alpha=0\.2, lambda_ratio=0\.2")
        self.t.keys("Enter")
        self.t.see(r"┌ runs of alpha=0\.2, lambda_ratio=0\.2")
        self.assertEqual(len(re.findall(r"^│[1-4] +converged +[\d.]+ ", self.t.text(), re.M)), 4)
        self.t.keys("Escape")
        self.t.see_gone("runs of")
        self.t.keys("x")  # a list, in the sweep's order
        self.t.see(r"^│alpha=1, lambda_ratio=0\.5 +0\.")
        self.t.keys("x")
        self.t.see("accuracy, the best first")
        self.t.see(r"^│%s +%.3f" % ("alpha=%g, lambda_ratio=%g" % best, wanted[best]))
        self.t.keys("x")  # the other axis across
        self.t.see(r"^│alpha: +1 +0\.5 +0\.2")
        self.t.keys("x", "v")
        self.t.see("┌ net: auc")
        self.t.keys("v")
        self.t.see("┌ net: nnz")
        self.t.keys("v", "v", "v", "v")
        self.t.see("┌ net: accuracy")
        self.t.keys("z")
        self.t.see_gone("by features")
        self.t.keys("z")
        self.t.see_gone("mean over folds")
        self.t.see("by features")
        self.t.keys("z")
        self.quit()

    def test_curves_are_saved_with_their_errors(self):
        self.start_sweep("s = %s" % SWEEP)
        self.t.see(r"36 of 36 runs")
        path = os.path.join(self.t.home, "curves.csv")
        self.t.keys("c")
        self.t.answer("e", "save the curves as:", path)
        self.t.see(r"curves\.csv")
        self.t.keys("Escape")
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        self.assertEqual(lines[0], "series,x,y,spread")
        self.assertEqual(len(lines), 1 + 9)
        self.assertEqual({line.split(",")[0] for line in lines[1:]},
                         {"alpha=1", "alpha=0.5", "alpha=0.2"})
        self.assertTrue(all(float(line.split(",")[3]) >= 0 for line in lines[1:]))
        self.quit()

    def test_a_running_sweep_fills_and_pauses(self):
        self.start_sweep('s = tm.sweep{data=tm.synth("saif", {n=200, p=20000, seed=1}), '
                         'method="lasso", grid={lambda_ratio={0.5, 0.3, 0.2, 0.1, 0.05, 0.01}, '
                         'alpha={1, 0.9, 0.5, 0.3, 0.1}}, folds=10, name="long"}')
        self.t.see(r"┌ long: ")
        self.t.see(r"┌ running ")
        self.t.see(r"[1-9]\d* of 300 runs")
        self.t.keys("Space")
        self.t.see(r"┌ paused ")
        before = int(self.t.see(r"(\d+) of 300 runs")[1])
        self.t.keys("Space")
        self.t.see(r"┌ running ")
        self.t.see(r"left")
        self.assertGreaterEqual(int(self.t.see(r"(\d+) of 300 runs")[1]), before)
        self.t.keys("C-c")
        self.t.see(r"┌ cancelled ")
        self.quit()

    def test_what_came_while_another_view_was_shown(self):
        self.start_sweep('s = tm.sweep{data=tm.synth("saif", {n=60, p=2000, seed=1}), '
                         'method="lasso", grid={lambda_ratio={0.5, 0.3, 0.2, 0.1, 0.05}, '
                         'alpha={1, 0.7, 0.4}}, folds=8, metric="r2", name="away"} '
                         'repeat until s.done > 3 s:pause()')
        self.t.see(r"┌ paused ")
        self.t.see(r"[1-9]\d* of 120 runs")
        self.t.keys("1", ">")
        self.t.command("s:resume():wait(); print('all of', s.done)")
        self.t.see("all of 120")
        self.t.command("for _, r in ipairs(s.table) do print(('mean %g %g %.3f'):format("
                       "r.alpha, r.lambda_ratio, r.r2)) end")
        self.t.see("mean 0.4 0.05 ")
        self.t.keys("Escape", "Escape", "6")
        lines = re.findall(r"^ *mean ([\d.]+) ([\d.]+) (-?[\d.]+)", self.t.settled(), re.M)
        self.assertGreaterEqual(len(lines), 10)
        self.t.keys("8")
        self.t.see(r"120 of 120 runs")
        found = self.cells()[0]
        for alpha, ratio, mean in lines:
            if (float(alpha), float(ratio)) in found:
                self.assertAlmostEqual(found[float(alpha), float(ratio)],
                                       abs(float(mean)), delta=0.00151)
        self.assertGreaterEqual(len(found), 9)
        self.quit()

    def test_names_give_way_to_values(self):
        self.start_sweep("s = %s" % SWEEP.replace("alpha={1, 0.5, 0.2}", "max_iter={100, 20000}"))
        self.t.see(r"24 of 24 runs")
        self.t.keys("x")
        if self.size[0] == 80:
            self.t.see(r"│lambd\S*…=0\.5 ")
        for value in ("0.5", "0.2", "0.1"):
            self.t.see(r"^│lambda?\S*=%s +.*\d" % re.escape(value))
        self.quit()

    def test_sweeps_of_the_store(self):
        store = os.path.join(self.t.home, "runs.db")
        self.tamis("run", "--store", store, self.t.file(
            "sweep.lua", '%s:wait()\ntm.sweep{data=tm.load("%s"), method={"lasso", "l1svm"}, '
            'grid={lambda_ratio={0.5, 0.2}}, folds=2, name="mixed"}:wait()' % (SWEEP, DATA)))
        sweeps = json.loads(self.tamis("runs", "sweeps", "--store", store, "--json"))["sweeps"]
        self.arguments = "--store %s %s" % (store, DATA)
        self.start()
        self.t.keys("8")
        self.t.see(r"┌ mixed: ")
        self.t.see(r"┌ s%d, done, 2 of 2" % sweeps[-1]["id"])
        self.t.keys("o")
        self.t.see(r"┌ net: accuracy, mean over folds")
        self.t.see(r"┌ s%d, done, 1 of 2" % sweeps[0]["id"])
        self.assertEqual(len(self.cells()[0]), 9)
        self.t.keys("Space")
        self.t.see("does not run in this workbench")
        self.quit()

    def test_without_a_sweep(self):
        self.start()
        self.t.keys("8")
        self.t.see("no sweep yet")
        self.t.keys("Enter", "x", "v", "z", "c", "j", "l", "o", "Space")
        self.t.see("no sweep yet")
        self.quit()


class WideSweeps(Sweeps):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
