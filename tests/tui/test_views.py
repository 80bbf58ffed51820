#!/usr/bin/python3
"""The views and what they have in common: keys, the mouse, runs, plots, what was printed."""
import os
import unittest

from workbench import DATA, Workbench


class OtherViews(Workbench):
    def test_views_and_help(self):
        self.start_solved()
        titles = {"2": "┌ runs", "3": "┌ order of entry", "4": "┌ step 1", "5": "┌ data: golub",
                  "6": r"Tamis \d", "7": "┌ plots", "1": "parameters"}
        for key, title in titles.items():
            self.t.keys(key)
            self.t.see(title)
        self.t.keys("Tab")
        self.t.see("┌ runs")
        self.t.keys("BTab")
        self.t.see("parameters")
        for key, name in (("1", "explore"), ("2", "runs"), ("3", "path"), ("4", "screen"),
                          ("5", "data"), ("6", "lua"), ("7", "plots")):
            self.t.keys(key)
            self.t.keys("F1" if name == "screen" else "?")  # there ? explains a feature
            self.t.see("Keys of the %s view" % name)
            self.t.keys("Down")
            self.t.see_gone("Keys of the %s view" % name)
            self.t.keys("/")
            self.t.command("the palette|find actions")
            self.t.see("no line has")
            self.t.keys("/", "C-u")
            self.t.command("find actions by")
            self.t.see("Ctrl-P +the palette: find actions")
            self.t.keys("Escape")
            self.t.see_gone("help: q closes")
        self.quit()

    def test_the_mouse(self):
        self.start_solved()
        tabs = self.t.lines()[22]

        def click(column, row):
            self.t.type("\x1b[<0;%d;%dM\x1b[<0;%d;%dm" % (column, row, column, row))
        click(tabs.index("2:runs") + 2, 23)
        self.t.see("┌ runs")
        click(tabs.index("1:explore") + 2, 23)
        self.t.see("parameters")
        rows = self.t.lines()
        row = next(i for i, line in enumerate(rows) if "intercept" in line)
        click(rows[row].index("intercept") + 1, row + 1)
        self.t.see(r"intercept +‹ true ›")
        click(12, 5)  # a plot: the cursor goes there, in all plots against time
        self.t.see(r"│x=\S+ (?s:.*)│x=\S+ ")
        self.t.keys("?")
        self.t.see("Keys of a plot")
        self.t.keys("Escape", "Escape", "?")
        self.t.see("Keys of the explore view")
        self.t.keys("Escape")
        self.quit()

    def test_runs_can_be_chosen_and_stopped(self):
        self.start_solved()
        self.t.command(">")  # the prompt; an empty line does nothing
        self.t.type("d = tm.synth('saif', {n=300, p=20000, k=100, seed=1}); "
                    "r = tm.lasso(d, {lambda_ratio=1e-4, tol=1e-15, screen='none', name='long'})")
        self.t.keys("Enter")
        self.t.see(r"[12] running")
        self.t.keys("Escape")
        self.t.keys("Escape")
        self.t.keys("2")
        self.t.see(r"long +running")
        self.t.keys("j", "j", "k", "G", " ")
        self.t.see(r"long +paused")
        self.t.keys("Space")
        self.t.see(r"long +running")
        self.t.keys("c")
        self.t.see(r"long +cancelled")
        self.quit()

    def test_figures_of_a_script(self):
        self.start_solved()
        self.t.type(">")
        self.t.type('d = tm.load("%s"); r = tm.lasso(d, {lambda_ratio=0.2}):wait(); '
                    'tm.plot{runs={r}, x="time", y="gap", ylog=true, title="first one"}:show() '
                    'tm.plot{runs={r}, x="time", y="gap", ylog=true, title="second '
                    'one"}:show()' % DATA)
        self.t.keys("Enter")
        self.t.see(r"plot 2 of 2")
        self.t.see(r"second one")
        self.t.keys("Escape")
        self.t.keys("Escape")
        self.t.keys("Left")
        self.t.see(r"plot 1 of 2")
        self.t.see(r"first one")
        saved = os.path.join(self.t.home, "figure.svg")
        self.t.answer("e", r"save as: ", saved)
        self.t.see(r"saved as")
        with open(saved) as f:
            self.assertIn("<svg", f.read())
        self.t.keys("Delete")
        self.t.see(r"drop this plot\?")
        self.t.keys("y")
        self.t.see(r"plot 1 of 1")
        self.quit()

    def test_scrollback(self):
        self.start_solved()
        self.t.keys("6")
        self.t.type("for i = 1, 500 do print('line', i) end")
        self.t.keys("Enter")
        self.t.see(r"^line\s+500")
        self.t.keys("PPage")  # from the prompt as well
        self.t.see(r"more below")
        self.t.keys("Escape")
        self.t.keys("g")
        self.t.see(r"^Tamis \d")
        self.t.keys("G")
        self.t.see(r"^line\s+500")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
