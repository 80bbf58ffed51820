#!/usr/bin/python3
"""Runs that are pinned in the explore view: they stay, and what differs is told."""
import json
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench


def features_at(variables, ratio):
    """The features of the answer there, as the command line has them."""
    text = subprocess.run([TAMIS, "fit", DATA, "--holdout", "0.3", "--method", "lasso",
                           "--lambda-ratio", ratio, "--json"], check=True, capture_output=True,
                          text=True, timeout=60, env=variables).stdout
    return {row[0] if isinstance(row, list) else row["feature"]
            for row in json.loads(text)["coef"]}


class Pins(Workbench):
    def set_ratio(self, value):
        self.t.type(":")
        self.t.command(f"set lambda_ratio {value}")
        self.t.keys("Escape", "Escape")

    def check_differences(self):
        self.t.keys("P")
        self.t.see("pinned as A auto")
        self.t.see(r"[^d\w] A auto")  # at once, in a plot's legend
        self.set_ratio("0.3")
        self.t.see("against A auto")
        self.t.see("lambda_ratio 0.1 ?-> ?0.3")
        self.t.see(r"against A auto +[\d.]+x")
        before, now = (features_at(self.t.variables, ratio) for ratio in ("0.1", "0.3"))
        self.t.see(f"-{len(before - now)} out: ")
        if now - before:
            self.t.see(rf"\+{len(now - before)} in: ")
        self.t.see("A auto")  # in the plots' legends
        self.t.keys("P")
        self.t.see("pinned as B auto")
        self.t.see("against A auto")
        self.set_ratio("0.1")
        self.t.see("against B auto")
        self.t.keys("U")
        self.t.see("B auto is off again")
        self.t.keys("U")
        self.t.see("A auto is off again")
        self.t.see_gone("against")
        self.t.keys("U")
        self.t.see("nothing is pinned")

    def test_what_differs_is_told(self):
        self.start_solved()
        self.check_differences()
        self.quit()

    def test_pinned_again_is_off(self):
        self.start_solved()
        self.t.keys("P")
        self.t.see("pinned as A auto")
        self.t.keys("P")
        self.t.see("the pin is off again")
        self.t.see_gone("pinned as")
        self.quit()


class PinnedPath(Workbench):
    size = (160, 50)

    def test_a_pin_of_the_forms_path_has_its_line(self):
        self.start_solved()
        self.t.keys("P")
        self.t.see("pinned as A auto")
        self.t.keys("Right")  # once: after it the answer is the form's own, and has its path
        self.t.see("against A auto")
        rejection = self.t.see(r"(?s)┌ 1 - rejection.*").group(0)
        self.assertRegex(rejection, "[●▲■◆○△] A auto")  # the line
        self.assertRegex(rejection, "[●▲■◆○△] A +│")  # its answer
        self.assertNotIn("form", rejection)
        self.t.keys("P")
        self.t.see("[●▲■◆○△] A B auto")
        self.quit()


class WidePins(Pins):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main()
