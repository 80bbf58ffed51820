#!/usr/bin/python3
"""The path view."""
import csv
import os
import re
import unittest

from workbench import Workbench, wait_for


class Path(Workbench):
    def rows(self):
        """The list's rows: (mark, name, where it entered, weight at the cursor)."""
        found = re.findall(r"││([ *])[^│]{2}(\S.*?) +([\d.e-]+) +([-+\d.e]+)│$", self.t.text(),
                           re.M)
        return [(mark, name, float(entered), float(weight)) for mark, name, entered,
                weight in found]

    def open(self):
        self.start_solved()
        self.t.keys("3")
        self.t.see(r"40 of 40 lambdas, done")

    def test_the_order_of_entry(self):
        self.open()
        entered = [row[2] for row in self.rows()]
        self.assertGreater(len(entered), 10)
        self.assertEqual(entered, sorted(entered, reverse=True))
        total = int(self.t.see(r"order of entry: (\d+)").group(1))
        self.assertGreater(total, len(entered))
        self.t.keys("G")
        wait_for("the last rows", lambda: self.rows()[-1][2] < entered[-1])
        self.t.keys("g")
        wait_for("the first rows", lambda: [row[2] for row in self.rows()] == entered)
        self.quit()

    def test_the_cursor_walks_along_lambda(self):
        self.open()
        ratio = r"lambda \S+ \((\S+) max\)  nnz (\d+)"
        self.t.see(r"\(0\.01 max\)")
        few = int(self.t.see(ratio).group(2))
        for keys, most in ((["Right"], 0.012), (["L"], 0.05), (["S-Right"] * 4, 1.0)):
            before = float(self.t.see(ratio).group(1))
            self.t.keys(*keys)
            now = wait_for("a greater lambda",
                           lambda: float(self.t.see(ratio).group(1)) > before and
                           float(self.t.see(ratio).group(1)))
            self.assertLessEqual(now, most)
        self.t.see(r"\(1 max\)  nnz 0")  # at lambda_max every weight is zero
        self.assertEqual({row[3] for row in self.rows()}, {0.0})
        self.t.keys("H", "H", "H", "h")
        self.t.see(r"test accuracy \S+ +train \S+|gap \S+")
        self.t.keys("S-Left")
        self.t.see(r"\(0\.01 max\)  nnz %d" % few)
        self.assertNotEqual(self.rows()[2][3], 0.0)
        self.quit()

    def test_the_weights_are_those_of_a_solve_at_that_lambda(self):
        self.open()
        _, name, _, weight = self.rows()[2]
        self.t.keys("1")
        self.t.see(r"lambda_ratio +‹ ?0\.1 ?›")
        self.t.answer("Enter", r"^lambda_ratio = ", "0.01")
        self.t.see(r"lambda_ratio +‹ ?0\.01 ?›")
        shown = wait_for("the answer",
                         lambda: (lambda m: m and abs(float(m.group(1)) - weight) < 0.005
                         and m)(re.search(re.escape(name[:5]) + r".* ([+-]\d\S+)",
                                                self.t.text())))
        self.assertIsNotNone(shown)
        self.quit()

    def test_one_feature_alone(self):
        self.open()
        self.t.keys("Down", "Down", "Down")
        names = [re.escape(row[1]) for row in self.rows()]
        self.t.see(r"%s: entered at" % names[3])  # the foot tells the chosen one
        self.t.keys("Enter")
        self.t.see("┌ %s.*alone" % names[3])
        self.t.keys("k")
        self.t.see_gone("┌ %s.*alone" % names[3])
        self.t.see("┌ %s.*alone" % names[2])
        self.t.keys("Escape")
        self.t.see("40 of 40 lambdas")
        self.quit()

    def test_marked_features_are_exported(self):
        out = os.path.join(self.t.home, "chosen.csv")
        self.open()
        self.t.keys("Space", "Space")
        self.t.see(r"2 marked")
        wanted = self.rows()[:2]
        self.assertEqual([row[0] for row in self.rows()[:3]], ["*", "*", " "])
        self.t.answer("e", r"^save the marked features as: features\.csv", out)
        self.t.see(r"saved as")
        with open(out) as f:
            lines = list(csv.reader(f))
        self.assertEqual(lines[0],
                         ["feature", "column", "entered_lambda", "entered_ratio", "lambda",
                                    "weight"])
        self.assertEqual(len(lines), 3)
        for line, (_, name, entered, weight) in zip(lines[1:], wanted):
            self.assertTrue(line[0].startswith(name), line)
            self.assertLess(abs(float(line[3]) - entered), 0.001)
            self.assertLess(abs(float(line[5]) - weight), 0.001)
        # Without marks it is what has a weight at the cursor.
        self.t.keys("BSpace")
        self.t.see_gone(r"marked")
        count = int(self.t.see(r"nnz (\d+)").group(1))
        self.t.answer("e", r"^save the features as: ", out)
        self.t.see(r"replace it")
        self.t.keys("y")
        self.t.see(r"saved as")
        with open(out) as f:
            self.assertEqual(len(list(csv.reader(f))), count + 1)
        self.t.answer("e", r"^save the features as: ", "/nowhere/at/all.csv")
        self.t.see(r"/nowhere/at/all\.csv")
        self.quit()

    def test_a_path_that_still_runs_and_the_runs_views_choice(self):
        script = self.t.file("long.lua", "d = tm.synth('saif', {n=200, p=30000, k=100, seed=1})\n"
                             "p = tm.path(d, 'lasso', {lambdas=500, lambda_min_ratio=1e-4, "
                             "tol=1e-13, "
                             "screen='none', name='slowly'})\n")
        self.start_solved()
        self.t.type(":run " + script)
        self.t.keys("Enter", "Escape", "Escape", "2")
        self.t.see(r"slowly +running")
        self.t.keys("Enter")  # a single solve is no path: its steps are shown
        self.t.see(r"step 1 of")
        self.t.keys("2", "j", "j", "Enter")
        first = int(self.t.see(r"slowly: (\d+) of 500 lambdas, running").group(1))
        wait_for("more points", lambda: int(self.t.see(r"slowly: (\d+) of 500").group(1)) > first)
        self.t.keys("Right", "Right", "Down", "Space")
        self.t.keys("o")  # around to the form's own
        self.t.see(r"40 of 40 lambdas, done")
        self.t.keys("o")
        self.t.see(r"slowly: \d+ of 500 lambdas")
        self.t.keys("C-c")
        self.t.see(r"slowly: \d+ of 500 lambdas, cancelled")
        self.quit()


class Rounds(Workbench):
    size = (110, 30)

    def choose_fgm(self):
        self.start_solved()
        self.t.type('>tm.ui.set("method", "fgm")')
        self.t.keys("Enter")
        self.t.see(r"method +fgm")
        self.t.keys("Escape", "Escape")

    def test_a_path_over_B(self):
        self.choose_fgm()
        self.t.see(r"1 - rejection by B")
        self.t.keys("3")
        self.t.see(r"fgm: 10 of 10 points, done")
        first = self.t.see(r"^│x=(\d+) .*").group(1)
        self.t.keys("Left")
        self.t.see(r"^│x=(?!%s )\d+ " % first)
        self.t.see(r"B \d+ +nnz \d+")
        self.quit()

    def test_a_path_of_support_vectors(self):
        """Its models have no weights of features, and are counted by their vectors."""
        self.start_solved()
        self.t.command(":set method svm")
        self.t.see(r"method +svm")
        self.t.command(":set kernel rbf")
        self.t.see(r"││\d+ vectors")
        self.t.keys("Escape", "3")
        self.t.see("has no weights")
        self.t.see(r"C \S+ +vectors \d+")
        self.t.keys("1")
        self.quit()

    def test_rounds_of_one_solve(self):
        self.choose_fgm()
        self.t.keys("3")
        self.t.see(r"fgm: 10 of 10 points, done")
        self.t.keys("o")  # the rounds of the form's solve
        rounds = int(self.t.see(r"fgm: (\d+) rounds, done").group(1))
        self.assertGreater(rounds, 2)
        came = int(self.t.see(r"came in: (\d+)").group(1))
        self.assertGreaterEqual(came, 10, self.t.text())  # B = 10 features in the first
        listed = re.findall(r"^.*││ *(\d+) (X\d+) +([\d.]+)", self.t.text(), re.M)
        self.assertEqual([row[0] for row in listed[:10]], ["1"] * 10)
        scores = [float(row[2]) for row in listed[:10]]
        self.assertEqual(scores, sorted(scores, reverse=True))  # the most violated first
        self.t.keys("G", "g", "j", "k", "NPage", "PPage", "c", "+", "0", "Escape")
        self.t.see("upper")
        self.t.see("lower")
        self.t.keys("2", "g", "Enter")  # a run of rounds leads here
        self.t.see(r"fgm: \d+ rounds")
        self.quit()

    def test_arrow_keys_on_B_and_C(self):
        self.choose_fgm()
        self.t.see("0 running")
        row = next(i for i, line in enumerate(self.t.lines()) if re.search(r"││B +", line))
        self.t.type("\x1b[<0;90;%dM\x1b[<0;90;%dm" % (row + 1, row + 1))
        self.t.see(r"B +‹ 10 ›")
        self.t.keys("Right")
        self.t.see(r"B +‹ 13 ›")  # a whole number of features
        self.t.keys("Right")
        self.t.see(r"B +‹ 16 ›")
        self.t.keys("Down", "Right")
        self.t.see(r"C +‹ 12\.5 ›")
        self.t.see(r"0 running")
        self.t.see(r"converged")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
