#!/usr/bin/python3
"""The runs view: order, filter, marks, deleting and undoing, many runs."""
import json
import os
import re
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench


class Runs(Workbench):
    size = (120, 30)

    def open_with_runs(self, chunk):
        self.start_solved()
        self.t.type(">")
        self.t.type('d = tm.load("%s"); %s' % (DATA, chunk))
        self.t.keys("Enter")

    def three(self):
        self.open_with_runs('for _, k in ipairs{"saif", "gap", "none"} do '
                            'tm.lasso(d, {screen=k, lambda_ratio=0.05, name="by " .. k}):wait() '
                            'end '
                            'print("all " .. "three")')
        self.t.see("^all three")
        self.t.keys("Escape", "Escape", "2")
        self.t.see("┌ runs: 5")

    def names(self):
        """Names from the script, from the top."""
        return re.findall(r"^│[ *] (by \w+)", self.t.text(), re.M)

    def test_order(self):
        self.three()
        self.assertEqual(self.names(), ["by none", "by gap", "by saif"])
        self.t.keys("o")
        self.t.see("by name")
        self.t.see("name▲")
        self.assertEqual(self.names(), ["by gap", "by none", "by saif"])
        self.t.keys("O")
        self.t.see("name▼")
        self.assertEqual(self.names(), ["by saif", "by none", "by gap"])
        for shown in ("state", "lambda", "gap", "nnz", "seconds", "data"):
            self.t.keys("o")
            self.t.see("runs: 5, by %s" % shown)
        self.t.see("golub train +explore")  # the column tells the data
        self.t.keys("o", "O")
        self.t.see_gone(", by ")
        column = self.t.lines()[2].index("gap")
        self.t.type("\x1b[<0;%d;3M\x1b[<0;%d;3m" % (column + 1, column + 1))  # a title
        self.t.see("by gap")
        self.quit()

    def test_filter(self):
        self.three()
        self.t.keys("/")
        self.t.see("show runs that match:")
        self.t.command("SAIF|none$")
        self.t.see("2 match")
        self.assertEqual(self.names(), ["by none", "by saif"])
        self.t.keys("/", "C-u")
        self.t.command("(")
        self.t.see(r"no regular expression")
        self.assertEqual(self.names(), ["by none", "by saif"])  # the old one stays
        self.t.keys("/", "C-u")
        self.t.command("nothing at all")
        self.t.see("0 match")
        self.t.keys("j", "Enter", "x", "Delete", "c")  # nothing to act on
        self.t.keys("/", "C-u", "Enter")
        self.t.see_gone("match")
        self.assertEqual(len(self.names()), 3)
        self.quit()

    def test_marked_runs_are_drawn(self):
        self.three()
        self.t.keys("j", "j", "x")  # by none
        self.t.see(r"^│\* by none")
        self.t.see("1 marked")
        self.t.keys("1")
        self.t.see("by none")
        self.t.see_gone("by saif")
        self.t.keys("2", "j", "x")  # by saif, past by gap
        self.t.see("2 marked")
        self.t.keys("1")
        self.t.see("by saif")
        self.t.see("by none")
        self.t.see_gone("by gap")
        self.t.keys("2", "BSpace")
        self.t.see_gone("marked")
        self.t.keys("1")
        self.t.see("by gap")
        self.quit()

    def test_deleting_can_be_undone(self):
        self.three()
        self.t.keys("u")
        self.t.see("nothing was deleted")
        self.t.keys("j", "j", "Delete")
        self.t.see("┌ runs: 4")
        self.assertEqual(self.names(), ["by gap", "by saif"])
        self.t.keys("u")
        self.t.see("by none is back")
        self.assertEqual(self.names(), ["by none", "by gap", "by saif"])
        self.t.keys("g", "Delete")
        self.t.see("go by themselves")  # the form's own
        self.t.keys("j", "j", "x", "x", "Delete")
        self.t.see(r"delete all marked runs\?")
        self.t.keys("n")
        self.t.see("nothing was changed")
        self.t.keys("Delete")
        self.t.see(r"delete all marked runs\?")
        self.t.keys("y")
        self.t.see("2 deleted")
        self.assertEqual(self.names(), ["by saif"])
        self.t.keys("u", "u")
        self.t.see("┌ runs: 5")
        self.assertEqual(self.names(), ["by none", "by gap", "by saif"])
        self.quit()

    def test_details_and_where_enter_leads(self):
        self.three()
        self.t.keys("j", "j", "j")
        self.t.see("┌ by gap ")
        self.t.see(r"lasso on golub, 38x3051")
        self.t.see(r"screen=gap")
        self.t.see(r"converged +primal")
        self.t.keys("v")
        self.t.see(r"gap: bounds of")
        self.t.keys("2", "g", "j", "Enter")
        self.t.see(r"order of entry")
        self.quit()

    def test_runs_of_the_store(self):
        store = os.path.join(self.t.home, "runs.db")
        for words in (["--lambda-ratio", "0.5", "--screen", "gap"], ["--lambdas", "4"]):
            subprocess.run([TAMIS, "fit", DATA, "--method", "lasso", "--store", store, *words],
                           check=True, capture_output=True, timeout=60, env=self.t.variables)
        self.arguments = "--store %s %s" % (store, DATA)
        self.start_solved()
        self.t.keys("2")
        self.t.see("┌ runs: 4")  # the form's own two, and those of the store
        self.assertEqual(len(re.findall(r"^│ .*converged .* store ", self.t.text(), re.M)), 2)
        self.t.keys("G")
        self.t.see(r"lasso on golub, 38x3051: run 1 of the store, 20")
        self.t.see(r"│lambda_ratio=0\.5  .* tol=1e-06 ")
        self.t.see(r" screen=gap ")
        self.t.see(r"converged  primal [\d.]+  dual [\d.]+")
        self.t.keys("c")
        self.t.see("not this workbench's")
        self.t.keys("Delete")
        self.t.see(r"delete this run from the store, for good\?")
        self.t.keys("n")
        self.t.see("nothing was changed")
        self.t.keys("Delete")
        self.t.see(r"for good\?")
        self.t.keys("y")
        self.t.see("run 1 is deleted")
        self.t.see("┌ runs: 3")
        self.quit()
        left = subprocess.run([TAMIS, "runs", "--store", store, "--json"], check=True, timeout=60,
                              capture_output=True, text=True, env=self.t.variables).stdout
        self.assertEqual([run["id"] for run in json.loads(left)["runs"]], [2])

    def test_plots_of_a_stored_run_are_opened_again(self):
        store = os.path.join(self.t.home, "runs.db")
        for words in (["--lambda-ratio", "0.05", "--screen", "gap"], ["--lambdas", "6"]):
            subprocess.run([TAMIS, "fit", DATA, "--method", "lasso", "--store", store, *words],
                           check=True, capture_output=True, timeout=60, env=self.t.variables)
        subprocess.run([TAMIS, "eval", 'tm.lasso(tm.synth("saif", {n=20, p=30, k=3, seed=1}), '
                        '{lambda_ratio=0.5, name="elsewhere"}):wait()', "--store", store],
                       check=True,
                       capture_output=True, timeout=60, env=self.t.variables)
        self.arguments = "--store %s %s" % (store, DATA)
        self.start_solved()
        self.t.keys("2")
        self.t.see("┌ runs: 5")
        self.t.keys("G", "Enter")  # one solve: the gap first, then the active set
        self.t.see("plot 2 of 2")
        self.t.see(r"duality gap: lasso gap 0.05 on golub, run 1 of the store")
        self.t.keys("Left")
        self.t.see(r"active set: lasso gap 0.05 on golub, run 1 of the store")
        self.t.keys("2", "G", "k", "Enter")  # a path
        self.t.see("plot 4 of 4")
        self.t.see(r"1 - rejection: .* on golub, run 2 of the store")
        self.t.see(r"lambda/max")
        self.t.keys("2", "G", "x")
        self.t.see("1 marked")
        self.t.keys("1")
        self.t.see(r"lasso gap 0.05")  # drawn over the form's own
        self.t.see(r"form: auto")
        self.t.keys("2", "g", "j", "j", "x")
        self.t.see("a run on other data")
        self.t.keys("Enter")
        self.t.see(r"duality gap: elsewhere on saif 20x30, run 3 of the store")
        self.t.keys("2", "Delete")
        self.t.see(r"delete all marked runs, 1 of the store for good\?")
        self.t.keys("n")
        self.t.see("nothing was changed")
        self.t.keys("BSpace")
        self.t.see_gone("marked")
        self.t.keys("1")
        self.t.see_gone(r"form: auto")
        self.quit()

    def test_the_default_store_is_shown_without_being_asked_for(self):
        subprocess.run([TAMIS, "fit", DATA, "--method", "lasso", "--lambda-ratio", "0.5", "--store",
                        "default"], check=True, capture_output=True, timeout=60,
                       env=self.t.variables)
        self.start_solved()
        self.t.keys("2")
        self.t.see("┌ runs: 3")
        self.t.keys("G")
        self.t.see("run 1 of the store")
        self.t.keys("Delete")
        self.t.see(r"for good\?")
        self.t.keys("y")
        self.t.see("run 1 is deleted")
        self.t.see("┌ runs: 2")
        self.quit()
        left = subprocess.run([TAMIS, "runs", "--json"], check=True, timeout=60, text=True,
                              capture_output=True, env=self.t.variables).stdout
        self.assertEqual(json.loads(left)["runs"], [])  # and the session's own were not added

    def test_a_thousand_runs(self):
        self.open_with_runs('s = tm.synth("saif", {n=20, p=30, k=3, seed=1}); '
                            'for i = 1, 1000 do tm.lasso(s, {lambda_ratio=0.5 + i/2001, '
                            'name="run " .. i}) end print("started " .. "all")')
        self.t.see("^started all")
        self.t.keys("Escape", "Escape", "2")
        self.t.see("┌ runs: 1002")
        self.t.keys("G")
        self.t.see(r"run 1 +done")
        self.t.keys("g")
        self.t.see(r"run 1000 +done")
        self.t.keys("o", "o", "o")
        self.t.see("by lambda")
        self.t.keys("G")
        self.t.see(r"run 1000 +done")  # the greatest lambda
        self.t.keys("/")
        self.t.command("run 77.$")
        self.t.see("10 match")
        self.t.keys("1")
        self.t.see("parameters")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
