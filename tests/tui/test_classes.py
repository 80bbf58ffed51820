#!/usr/bin/python3
"""Responses of several classes: announced in every view, one against the rest, or all of them."""
import json
import random
import re
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench


def rows(names, count=90, features=12):
    """Features of which number k is greater in class k."""
    at = random.Random(5)
    for i in range(count):
        k = i % len(names)
        x = [at.gauss(0, 1) + (3 if j == k else 0) for j in range(features)]
        yield names[k], x


class Classes(Workbench):
    def start(self, arguments=None):
        self.t.command("%s %s" % (TAMIS, arguments))  # the announcement may cover the tabs
        self.t.see("converged")

    def data(self, names, ending=".svm"):
        if ending == ".svm":
            text = "".join("%s %s\n" % (name, " ".join("%d:%.4f" % (j + 1, v)
                                                      for j, v in enumerate(x)))
                           for name, x in rows(names))
        else:
            text = "kind," + ",".join("f%d" % j for j in range(1, 13)) + "\n"
            text += "".join("%s,%s\n" % (name, ",".join("%.4f" % v for v in x))
                            for name, x in rows(names))
        return self.t.file("several" + ending, text)

    def test_numbers_are_announced_and_one_is_chosen(self):
        self.start(self.data("1234"))
        self.t.see("the response looks like 4 classes and is taken as a number")
        self.t.see("converged")
        for view in "23456789":
            self.t.keys(view)
            self.t.see("several +4 classes\\?")
        self.t.keys("1", "g", "j")
        self.t.see(r"class +‹ - ›")
        self.t.keys("Right")
        self.t.see(r"class +‹ 1 ›")
        self.t.see("class 1 of 4")
        self.t.keys("Left", "Left")
        self.t.see(r"class +‹ 4 ›")
        self.t.keys("Enter")
        self.t.see("^class = 4$")
        self.t.command("3")
        self.t.see(r"class +‹ 3 ›")
        self.t.keys("Enter")
        self.t.command("9")
        self.t.see("no row has the class '9'; the classes are 1, 2, 3, 4")
        self.t.see(r"class +‹ 3 ›")
        self.t.see("converged")
        self.t.keys("BSpace")
        self.t.see("4 classes\\?")
        self.quit()

    def test_the_chosen_row_stays_when_the_row_of_the_class_comes(self):
        self.start(DATA)
        self.t.see(r"lambda_ratio +‹")
        self.t.type(":")
        self.t.command("open " + self.data("123"))
        self.t.keys("Escape")
        self.t.see(r"class +-")
        self.t.see(r"lambda_ratio +‹")
        self.quit()

    def test_texts_are_never_numbers(self):
        self.start("--label kind " + self.data(["bird", "cat", "dog"], ".csv"))
        self.t.see("class bird of 3")
        self.t.see("converged")
        self.t.type(":")
        self.t.command("set class -")
        self.t.keys("Escape")
        self.t.see("the classes are texts")
        self.t.type(":")
        self.t.command("set class dog")
        self.t.keys("Escape")
        self.t.see("class dog of 3")
        self.quit()

    def test_the_same_answer_as_on_the_command_line(self):
        path = self.data("123")
        self.start("--class 2 " + path)
        self.t.see("class 2 of 3")
        found = int(self.t.see(r"│(\d+) features? +test").group(1))
        self.t.keys("y")
        self.t.see(r"--class 2")
        self.t.see(r"one_vs_rest\(\"2\"\)")
        self.t.keys("Escape")
        answer = json.loads(subprocess.run(
            [TAMIS, "fit", path, "--method", "lasso", "--class", "2", "--lambda-ratio", "0.1",
             "--holdout", "0.3", "--json"], check=True, capture_output=True, text=True, timeout=60,
            env=self.t.variables).stdout)
        self.assertEqual(found, answer["nnz"])
        self.quit()

    def test_open_takes_options(self):
        path = self.data("123")
        self.start(DATA)
        self.t.type(":")
        self.t.command(f"open {path} --class 3")
        self.t.keys("Escape")
        self.t.see("class 3 of 3")
        self.t.type(":")
        self.t.command(f"open {path} --class 7")
        self.t.see("no row has the class '7'")
        self.t.type(":")
        self.t.command(f"open {path} --clas 7")
        self.t.see("clas")
        self.t.type(":")
        self.t.command(f"open {path} --class")
        self.t.see("--class needs a value")
        self.quit()

    def test_all_classes(self):
        self.start(self.data("1234"))
        self.t.see("4 classes\\?")
        self.t.type(":")
        self.t.command("set method l1logistic")
        self.t.see("method +l1logistic")
        self.t.type(":")
        self.t.command("set class all")
        self.t.keys("Escape", "Escape", "6")
        self.t.see("micro average +[\\d.]+")
        self.assertEqual(len(re.findall(r"^[1-4] +\d+ +[\d.]+ +[\d.]+", self.t.text(),
                                        re.M)), 4)
        self.t.keys("2")
        self.t.see(r"4 +done")
        self.quit()

    def test_scripts_see_what_is_explored(self):
        self.start(DATA)
        self.t.command('>d = tm.synth("saif", {n=50, p=70, seed=3}); tm.ui.open(d)')
        self.t.see("saif +50x70")
        self.t.command("tm.ui.data.n, tm.ui.data.p, tm.ui.run:wait().status")
        self.t.see("50\\s+70\\s+converged")
        self.t.command("tm.ui.data.sha256 == d.sha256, tm.ui.nothing")
        self.t.see("true\\s+nil")
        # What the script opens is not offered as well, not even when it is opened later.
        self.t.command('d = tm.synth("saif", {n=50, p=90, seed=3})')
        self.t.see("50x90: o in the explore view explores it")
        self.t.command("tm.ui.open(d)")
        self.t.see("saif +50x90")
        self.t.see_gone("explores it")
        self.quit()

    def test_without_a_workbench(self):
        found = subprocess.run([TAMIS, "eval", "tm.ui.data"], capture_output=True, text=True,
                               timeout=60, env=self.t.variables, check=False)
        self.assertEqual(found.returncode, 1)
        self.assertIn("there is no workbench here", found.stderr)


class WideClasses(Classes):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main()
