#!/usr/bin/python3
"""The race view: every strategy of the form's method on its problem, and the winner."""
import json
import re
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench


class Race(Workbench):
    def fit(self, strategy, *words):
        """What the command line says of the same problem."""
        text = subprocess.run([TAMIS, "fit", DATA, "--holdout", "0.3", "--screen", strategy,
                               "--json", *words], check=True, capture_output=True, text=True,
                              errors="replace", timeout=60, env=self.t.variables).stdout
        return json.loads(text)

    def table(self):
        """(strategy, columns) of the rows shown that met the tolerance, in order."""
        return [(name, int(columns)) for name, columns in
                re.findall(r"^│(\w+) +(\d+) +[\d.]+ +\S+ +met ", self.t.settled(), re.M)]

    def test_the_order_is_that_of_the_command_lines_columns(self):
        self.start_solved()
        self.t.keys("9")
        self.t.see(r"(\w+) wins with (\d+) column products")
        rows = self.table()
        self.assertGreaterEqual(len(rows), 6)
        self.assertEqual([columns for _, columns in rows], sorted(columns for _, columns in rows))
        winner = self.t.see(r"(\w+) wins with (\d+) column products, ([\d.]+) times fewer "
                            r"than (\w+)")
        self.assertEqual((winner[1], int(winner[2])), rows[0])
        self.assertEqual(winner[4], rows[1][0])
        times = float(winner[3])
        self.assertAlmostEqual(times, rows[1][1] / rows[0][1], delta=0.006 * times)
        for name, columns in rows[:4]:
            found = self.fit(name, "--method", "lasso", "--lambda-ratio", "0.1")
            self.assertEqual(found["columns"], columns, name)
        self.t.see(r"┌ %s ─" % rows[0][0])  # its own plot
        self.t.see("columns│$")
        self.t.keys("x")
        self.t.see_gone("─ columns│")
        self.t.keys("G")
        self.t.see(r"┌ homotopy ─|┌ none ─")
        # No plot is empty, not even that of a strategy that only ends with a gap.
        names = re.findall(r"┌ [a-z_]+ ─", self.t.settled())
        self.assertEqual(len(re.findall(r"│ +└[─┬]", self.t.text())), len(names))
        self.quit()

    def test_another_problem_is_raced_again(self):
        self.start_solved()
        self.t.keys("9")
        self.t.see("wins with")
        before = self.table()
        self.t.type(":")
        self.t.command("set lambda_ratio 0.3")
        self.t.keys("Escape", "Escape")
        self.t.see("the form has changed")
        self.t.keys("0")
        self.t.see_gone("the form has changed")
        self.t.see("wins with")
        self.assertNotEqual(self.table(), before)
        self.t.keys("c")
        self.t.see("the race is over")
        self.quit()

    def test_a_method_without_strategies(self):
        self.start()
        self.t.type(":")
        self.t.command("set method ridge")
        self.t.keys("Escape", "Escape", "9")
        self.t.see("no strategies to race")
        self.t.keys("0", "x", "c", "j", "Enter")
        self.t.see("has no strategies to race")
        self.quit()


class WideRace(Race):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
