#!/usr/bin/python3
"""One moment for all views: the plots, the answer, the path and the steps of the screen view."""
import re
import unittest

from workbench import Workbench


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
        worked_on = re.search(r"(\d+) in .*screened", screen)[1]
        self.assertRegex(screen, r"x=\S+ +● (?:auto )?%s\b" % worked_on)
        features = re.search(r"path: (\d+) features", screen)[1]
        self.assertRegex(screen, r"x=%s " % features)
        self.t.keys("3")
        self.t.see(r" of 40 +lambda|lambda")
        self.t.keys("4")
        step = self.t.see(r"┌ step (\d+) of (\d+)")
        last = int(step[2]) - 1
        self.assertEqual(int(step[1]), int(0.8 * last + 0.5) + 1)
        self.t.keys(*[","] * 45)
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


class WideTime(Time):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
