#!/usr/bin/python3
"""Looking into plots: cursor, zoom, pan, the mouse, saving; and plots of unusual values."""
import os
import re
import unittest

from workbench import DATA, Workbench


class Plots(Workbench):
    def test_the_cursor_is_one_for_plots_that_share_an_axis(self):
        self.start_solved()
        self.t.keys("c", "Right", "Right")
        self.t.see(r"x=\S+")
        gap, active = re.findall(r"│x=(\S+) ", self.t.settled())
        self.assertEqual(gap, active)
        self.t.keys("n", "n", "Left")  # rejection: along the path
        self.t.see(r"│x=0\.\d+ (?s:.*)│x=\d+ ")
        ratio, features = re.findall(r"│x=(\S+) ", self.t.settled())[2:]
        ratio, features = float(ratio), int(features)
        self.t.keys("3")  # the path view is at the same place
        at = self.t.see(r"lambda \S+ \((0\.\d+) max\) +nnz (\d+)")
        self.assertAlmostEqual(float(at.group(1)), ratio, delta=0.01)
        self.assertEqual(int(at.group(2)), features)
        self.t.keys("Left", "1")
        self.t.see_gone(r"│x=%s " % re.escape(str(ratio)))
        self.t.see(r"│x=0\.\d+ (?s:.*)│x=\d+ ")
        self.t.keys("+")
        self.t.see(r"by lambda(, |…)")  # zoomed
        self.t.keys("Escape")
        # the keys are the form's, the line stays
        self.assertRegex(self.t.settled(), r"│x=0\.\d+ (?s:.*)│x=\d+ ")
        self.t.keys("Escape")
        self.t.see_gone(r"│x=\S+ .*│|by lambda, ")
        self.t.keys("?")
        self.t.see("Keys of the explore view")
        self.quit()

    def test_zoom_pan_and_back(self):
        self.start_solved()
        before = self.t.see(r"┌ active set[^$]*").group(0)
        self.t.keys("c", "n")
        self.t.keys("+")
        self.t.see("┌ active set, zoomed")
        self.t.see("┌ duality gap, zoomed")  # the same seconds
        one = self.t.text()
        for key in ("]", "[", "k", "j", "-"):
            self.t.keys(key)
        self.assertIn("zoomed", self.t.text())
        self.t.keys("0")
        self.t.see_gone("┌ active set, zoomed")
        self.t.keys("N", "0")
        self.t.see_gone("zoomed")
        self.assertNotEqual(one, before)
        self.t.keys("y")  # the gap on a linear axis
        self.t.see_gone(r"1e-8┤")
        self.t.keys("y")
        self.t.see(r"1e-8┤")
        self.t.keys("x", "x", "z")
        self.t.see_gone("┌ active set")
        self.t.keys("n")
        self.t.see("┌ active set")
        self.t.keys("z", "c")
        self.t.see("┌ duality gap")
        self.quit()

    def test_drag_and_wheel(self):
        self.start_solved()

        def mouse(button, column, row, final="M"):
            self.t.type("\x1b[<%d;%d;%d%s" % (button, column, row, final))
        mouse(0, 10, 5)
        mouse(32, 15, 7)
        mouse(32, 22, 8)
        self.t.see("╋.*╋")
        mouse(0, 22, 8, "m")
        self.t.see("┌ duality gap, zoomed")
        self.t.see_gone("╋")
        self.t.keys("0")
        self.t.see_gone("zoomed")
        mouse(64, 12, 6)
        self.t.see("┌ duality gap, zoomed")
        for _ in range(3):
            mouse(65, 12, 6)
        self.t.keys("0", "Escape")
        self.t.see_gone("zoomed")
        # The wheel beside plots chooses a row.
        rows = self.t.lines()
        row = next(i for i, line in enumerate(rows) if "intercept" in line)
        mouse(0, rows[row].index("intercept") + 1, row + 1)
        self.t.see(r"intercept +‹ true ›")
        mouse(65, rows[row].index("intercept") + 1, row + 1)
        self.t.see_gone(r"intercept +‹ true ›")
        self.quit()

    def test_a_plot_is_saved_and_nothing_is_replaced_unasked(self):
        self.start_solved()
        path = os.path.join(self.t.home, "gap.csv")

        def save(name):
            self.t.answer("e", "save the plot as: ", name)
        self.t.keys("c")
        save(path)
        self.t.see("saved as")
        with open(path) as f:
            self.assertGreater(len(f.read().splitlines()), 3)
        with open(path, "w") as f:
            f.write("precious")
        save(path)
        self.t.see(r"replace it\? \(y/n\)")
        self.t.keys("n")
        self.t.see("nothing was changed")
        with open(path) as f:
            self.assertEqual(f.read(), "precious")
        save(path)
        self.t.see(r"replace it\? \(y/n\)")
        self.t.keys("y")
        self.t.see("saved as")
        with open(path) as f:
            self.assertNotEqual(f.read(), "precious")
        for ending, begin in ((".svg", b"<"), (".png", b"\x89PNG"), (".pdf", b"%PDF"),
                              (".txt", b"")):
            name = os.path.join(self.t.home, "plot" + ending)
            save(name)
            self.t.see(r"saved as \S*plot\%s" % ending)
            with open(name, "rb") as f:
                content = f.read()
            self.assertTrue(content.startswith(begin) and len(content) > 100)
            if ending == ".svg":  # title, axes, and the names of the series
                for text in (b"duality gap of lasso on golub", b">s<", b">duality gap<", b">auto<"):
                    self.assertIn(text, content)
        save(os.path.join(self.t.home, "plot.bmp"))
        self.t.see("bmp")
        save(os.path.join(self.t.home, "nowhere", "plot.svg"))
        self.t.see("nowhere/plot.svg")
        self.quit()

    def show(self, chunk):
        self.t.type(">")
        self.t.command(chunk)
        self.t.see(r"plot \d+ of \d+")
        self.t.keys("Escape", "Escape")

    def test_unusual_values_on_a_log_axis(self):
        self.start_solved()
        self.show('tm.plot{series={{name="gaps", x={1,2,3,4,5}, y={1, 0, -1, 0/0, 1e-300}}}, '
                  'ylog=true, title="odd"}:show()')
        self.t.see("odd")
        self.t.see(r"1e-300|≤")  # the floor is labelled
        for key in ("c", "Right", "+", "+", "0", "y", "x", "y", "x", "Escape"):
            self.t.keys(key)
        self.t.see(r"plot 1 of 1")
        self.quit()

    def test_one_point_none_and_all_equal(self):
        self.start_solved()
        self.show('tm.plot{series={{name="one", x={1}, y={2}}}, title="one point"}:show()')
        self.t.see("one point")
        self.show('tm.plot{series={{name="none", x={}, y={}}}, title="no point"}:show()')
        self.t.see("no data yet")
        self.t.keys("c", "+", "-", "Left", "0", "Escape")
        self.show('tm.plot{series={{name="same", x={1,1,1}, y={3,3,3}}}, title="all equal"}:show()')
        self.t.see("all equal")
        self.t.keys("c", "+", "+", "-", "Left", "0", "Escape")
        self.t.see(r"plot 3 of 3")
        self.t.keys("Delete")
        self.t.see(r"drop this plot\?")
        self.t.keys("y")
        self.t.see(r"plot 2 of 2")
        self.quit()


class WidePlots(Plots):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
