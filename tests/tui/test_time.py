#!/usr/bin/python3
"""One moment for all views: the plots, the answer, the path and the steps of the screen view; of
the form's run, of a script's, and of those of the store."""
import os
import re
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench


class Time(Workbench):
    def moment(self):
        """The seconds of the line, and those of the whole run."""
        match = self.t.see(r"^ [‖▶] +([\d.e-]+) of ([\d.e-]+) s, x([\d.]+) ")
        return float(match[1]), float(match[2])

    def line(self):
        rows = self.t.lines()
        row = next(i for i, text in enumerate(rows) if re.match(r" [‖▶] +[\d.e-]+ of", text))
        first = re.search("[━─●]", rows[row]).start()
        return row, first, len(rows[row]) - first

    def mouse(self, kind, row, col):
        self.t.type("\x1b[<%s;%d;%d%s" % (kind, col + 1, row + 1, "m" if kind == "end" else "M"))

    def test_all_views_show_the_same_moment(self):
        self.start_solved()
        self.t.keys(*[","] * 10)
        self.t.settled()
        now, whole = self.moment()
        self.assertAlmostEqual(now, 0.8 * whole, delta=0.01 * whole)
        self.t.see(r"at %.3g s" % now)
        screen = self.t.settled()
        # What the panel says is what the cursors of the plots read.
        worked_on = re.search(r"│(\d+) in\b", screen)[1]
        self.assertRegex(screen, r"x=\S+ +● (?:auto )?%s\b" % worked_on)
        features = re.search(r"path: (\d+) features", screen)[1]
        self.assertRegex(screen, r"x=%s " % features)
        self.t.keys("3")
        self.t.see(r" of 40 +lambda|lambda")
        self.t.keys("4")
        step = self.t.see(r"┌ step (\d+) of (\d+)")
        # How much of the work is done by then is a matter of the clock; at the end it is all.
        self.t.keys(*["."] * 12)
        last = self.t.see(r"┌ step (?!1 )(\d+) of (\d+)")
        self.assertLessEqual(int(step[1]), int(last[1]))
        self.t.keys(*[","] * 60)
        self.t.see("┌ step 1 of")
        self.t.see(r"‖ +0 of")
        self.t.keys("1")
        self.t.see("at 0 s")
        self.t.keys("Escape")
        self.t.see("converged")
        self.t.see_gone(r"^ [‖▶] ")
        self.quit()

    def test_playing_and_speed(self):
        self.start_solved()
        self.t.type("((")
        self.t.see(r"x0\.25 ")
        self.t.type(";")
        self.t.see(r"▶ .* x0\.25")
        first, whole = self.moment()
        self.t.see_gone(r"▶ +%s of" % re.escape("%.3g" % first))
        self.t.type(";")
        self.t.see(r"‖ ")
        self.assertLess(self.moment()[0], whole)
        self.t.type(";))))))")
        self.t.see(r"x16 ")
        self.t.see(r"‖ +(\S+) of \1 s")  # at the end it stops
        self.quit()

    def test_rejected_terms_of_a_chain(self):
        """Each term that is proven zero merges two features; other methods have no such line."""
        self.start_solved()
        self.t.keys(",")
        self.moment()
        self.assertNotIn("rejected", self.t.settled())
        self.t.keys("Escape")
        for words in ("method genlasso", "screen transform", "always true"):
            self.t.command(":set " + words)
        self.t.see(r"always +‹? ?true|converged")
        self.t.keys("Escape", "Escape")
        self.t.see(r"0 running")
        self.t.keys(",", ",")
        self.moment()
        found = self.t.see(r"(\d+) rejected\s*(?:│\n.*│)?\s*(\d+) merged")
        self.assertEqual(found[1], found[2])
        self.quit()

    def test_the_mouse_drags_it(self):
        self.start_solved()
        self.t.keys(",")
        self.moment()
        row, first, width = self.line()
        self.mouse("0", row, first)
        self.t.see(r"‖ +0 of")
        self.mouse("32", row, first + width // 2)
        self.t.see(r"‖ +(?!0 of)[\d.e-]+ of")
        now, whole = self.moment()
        self.assertAlmostEqual(now, whole / 2, delta=0.05 * whole)
        self.quit()

    def store(self):
        """A store with a solve by gap on the data, a path on them, and a run on other data."""
        path = os.path.join(self.t.home, "runs.db")
        fit = ["fit", DATA, "--method", "lasso"]
        other = ('tm.lasso(tm.synth("saif", {n=20, p=30, k=3, seed=1}), '
                 '{lambda_ratio=0.5, name="elsewhere"}):wait()')
        for words in ([*fit, "--lambda-ratio", "0.05", "--screen", "gap"],
                      [*fit, "--lambdas", "12"], ["eval", other]):
            subprocess.run([TAMIS, *words, "--store", path], check=True, capture_output=True,
                           timeout=60, env=self.t.variables)
        self.arguments = "--store %s %s" % (path, DATA)

    def test_a_stored_run_is_looked_at_through_its_time(self):
        self.store()
        self.start_solved()
        self.t.keys("2", "G")
        self.t.see("run 1 of the store")
        self.t.see("through its time")
        self.t.keys(*[","] * 6)
        self.t.settled()
        now, whole = self.moment()
        self.assertAlmostEqual(now, 0.88 * whole, delta=0.01 * whole)
        self.t.see("run 1: lasso gap 0.05 +━")
        self.t.keys("1")
        self.t.see(r"│\d+ in\b")
        screen = self.t.settled()
        self.assertIn("at %.3g s" % now, screen)
        # How long the last computed gap comes before the end is a matter of the clock.
        for _ in range(43):
            if "in the end: 17 feat" in screen:
                break
            self.t.keys(",")
            screen = self.t.settled()
        worked_on = re.search(r"│(\d+) in\b", screen)[1]
        gap = float(re.search(r"gap (\d\.\de[-+]\d+) *│", screen)[1])
        self.assertIn("in the end: 17 feat", screen)
        self.assertRegex(screen, r"x=\S+ .*▲ (?:lasso gap 0.05 )?%s\b" % worked_on)
        self.t.keys("4")  # solved again with a log: the step of that moment, to the number
        self.t.see(r"┌ step \d+ of \d+: gap")
        steps = self.t.settled()
        exact = float(re.search(r"gap (\d\.\d+e[-+]\d+)  radius", steps)[1])
        self.assertLessEqual(gap, 1.05 * exact)  # the next gap may have been computed already
        # As may the next step's features be out: those of a step before are never fewer.
        self.assertGreaterEqual(int(re.search(r"█ (\d+) in", steps)[1]), int(worked_on))
        self.t.keys(*["."] * 8)
        self.t.see(r"‖ +(\S+) of \1 s")
        self.t.see(r"┌ step (\d+) of \1:")
        self.t.keys("1")
        self.t.see(r"17 features")
        self.t.type("(;")
        self.t.see(r"▶ .* x0\.5")
        self.t.type(";")
        self.t.see(r"‖ ")
        self.t.keys("Escape")
        self.t.see_gone("run 1: lasso")
        self.t.see("converged")
        self.quit()

    def test_a_stored_path_moves_the_path_view(self):
        self.store()
        self.start_solved()
        self.t.keys("2", "G", "k", *[","] * 20, "3")
        self.t.see(r"┌ lasso auto path: 12 of 12 lambdas, done")
        share = self.t.see(r"lambda \S+ \((\S+) max\) +nnz (\d+)")
        self.t.keys("1")
        self.t.see_number(r"x=(0\.\d+|1) +●", float(share[1]), 1e-3)  # of 1 - rejection
        self.t.see(r"path: %s feature" % share[2])
        self.t.keys(*[","] * 40)
        self.t.see(r"path: 0 features")
        self.quit()

    def test_a_stored_run_on_other_data(self):
        self.store()
        self.start_solved()
        self.t.keys("2", "G", "k", "k", ",", "1")
        self.t.see("run 3: elsewhere")
        self.t.see(r"┌ answer(?s:.*)│\d+ in\b")
        screen = self.t.settled()
        self.assertNotIn("form: auto", screen)  # nothing else belongs on its axes
        self.assertRegex(screen, "[■▲] elsewhere")
        for view in "34":
            self.t.keys(view)
            self.t.see(r"run 3 of the store is on other data. Open them \(saif 20x30")
        self.t.keys("Escape")
        self.t.see_gone("other data")
        self.t.see("bounds of")
        self.t.keys("2", "G", ",")
        self.t.see("run 1: ")
        self.t.keys("Delete")
        self.t.see(r"for good\?")
        self.t.keys("y")
        self.t.see("run 1 is deleted")
        self.t.keys("1")
        self.t.see(r"x=\S+ ")
        self.t.see_gone("run 1: ")
        self.quit()

    def test_a_run_of_a_script_is_looked_at_through_its_time(self):
        self.start_solved()
        self.t.command('tm.lasso(tm.load("%s"), {lambda_ratio=0.05, screen="gap", '
                       'name="mine"}):wait() print("solved " .. 1)' % DATA)
        self.t.see("^solved 1")
        self.t.keys("Escape", "Escape", "2", "g", "j", "j")
        self.t.see("┌ mine")
        self.t.keys(*[","] * 6)
        self.t.see("s, x1 +mine +━")
        self.t.keys("1")
        self.t.see(r"│\d+ in\b")
        worked_on = re.search(r"│(\d+) in\b", self.t.settled())[1]
        self.t.keys("4")
        self.t.see(r"┌ step \d+ of \d+: gap")
        self.assertGreaterEqual(int(re.search(r"█ (\d+) in", self.t.settled())[1]),
                                int(worked_on))
        self.t.keys("2", "g", ",")  # the form's own again
        self.t.see_gone("mine +━")
        self.t.see(r"^ ‖ ")
        self.quit()


class WideTime(Time):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
