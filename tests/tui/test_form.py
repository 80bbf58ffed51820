#!/usr/bin/python3
"""Typing values and answering questions: what is offered gives way, one key answers, u undoes."""
import os
import unittest

from workbench import DATA, ROOT, TAMIS, Workbench


class Form(Workbench):
    def test_typing_replaces_what_is_offered(self):
        self.start_solved()
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = 0\.1$")
        self.t.see("Enter takes it")  # what keys do in this mode
        self.t.command("0.25")
        self.t.see(r"lambda_ratio +‹ ?0\.25 ?›")
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = 0\.25$")
        self.t.keys("BSpace")  # a key that deletes or moves keeps it
        self.t.command("7")
        self.t.see(r"lambda_ratio +‹ ?0\.27 ?›")
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = 0\.27$")
        self.t.keys("Home", "Delete")
        self.t.command("0")
        self.t.see(r"lambda_ratio +‹ ?0\.27 ?›")
        self.quit()

    def test_the_words_of_a_graph_are_completed(self):
        """In the question of the form and after :set, beside files."""
        self.start_solved()
        self.t.keys(*["Up"] * 12, "Enter")
        self.t.see("^method = ")
        self.t.type("genl")
        self.t.keys("Tab")
        self.t.see("^method = genlasso$")
        self.t.keys("Enter")
        self.t.see(r"method +‹? ?genlasso")
        self.t.type(":set graph gr")
        self.t.keys("Tab")
        self.t.see(r":set graph grid:$")
        self.t.keys("C-u")
        self.t.type(":set graph ")
        self.t.keys("Tab")
        # The files' names decide how wide a column is.
        for word in "chain", "grid:", "trend:", "data", "parents:", "rows:":
            self.t.see(rf"^(.* )?{word}( |$)")
        self.t.keys("C-u", "C-u")
        self.t.command(":set graph chain")
        self.quit()

    def test_pasted_text_replaces_it_too(self):
        self.start_solved()
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = 0\.1$")
        self.t.run("set-buffer", "0.5")
        self.t.run("paste-buffer", "-p", "-t", "t")
        self.t.keys("Enter")
        self.t.see(r"lambda_ratio +‹ ?0\.5 ?›")
        self.quit()

    def test_a_filter_is_replaced(self):
        self.start_solved()
        self.t.keys("2", "/")
        self.t.command("auto")
        self.t.see("2 of 2|runs: 2|auto")
        self.t.keys("/")
        self.t.see("^show runs that match: auto$")
        self.t.command("nothing")
        self.t.see_gone(r"^│. auto")
        self.quit()

    def test_one_key_answers(self):
        name = self.t.file("there.txt", "old\n")
        self.start_solved()
        for key, text in (("n", "old\n"), ("Enter", "old\n"), ("Escape", "old\n")):
            self.t.type(":")
            self.t.command("snapshot " + name)
            self.t.see(r"replace it\? \(y/n\)")
            self.t.see("y: yes +n: no")
            self.t.keys("5")  # means nothing here
            self.t.keys(key)
            self.t.see("nothing was changed")
            with open(name, encoding="utf-8") as f:
                self.assertEqual(f.read(), text)
            self.t.keys("x", "x")  # the view has the keys again
        self.t.type(":")
        self.t.command("snapshot " + name)
        self.t.see(r"replace it\? \(y/n\)")
        self.t.keys("y")
        self.t.see("saved as")
        with open(name, encoding="utf-8") as f:
            self.assertIn("lambda_ratio", f.read())
        self.quit()

    def test_changes_are_taken_back(self):
        self.start_solved()
        self.t.keys("u")
        self.t.see("the form has no change to take back")
        self.t.keys("Right", "Right")
        self.t.see(r"lambda_ratio +‹ ?0\.16 ?›")
        self.t.type(":")
        self.t.command("set method l1svm")
        self.t.keys("Escape")
        self.t.see(r"method +l1svm")
        self.t.keys("u")
        self.t.see("method is lasso again")
        self.t.see(r"method +lasso")
        self.t.keys("u")
        self.t.see("lambda_ratio is 0.125 again")
        self.t.keys("u")
        self.t.see("lambda_ratio is 0.1 again")
        self.t.see(r"lambda_ratio +‹ ?0\.1 ?›")
        self.t.see("converged")
        self.t.keys("u")
        self.t.see("the form has no change to take back")
        self.quit()

    def test_the_form_drives_a_selection(self):
        self.start_solved()
        self.t.command(":set method hsiclasso")
        self.t.see(r"method +hsiclasso")
        self.t.see("converged")
        self.t.command(":set refit none")
        self.t.see("converged")
        self.t.keys("Escape", "Right")
        self.t.see(r"lambda_ratio +‹ ?0\.125 ?›")
        self.t.see("converged")
        self.quit()

    def test_the_palette_says_when_nothing_fits(self):
        self.start_solved()
        self.t.keys("C-p")
        self.t.type("qqq")
        self.t.see("nothing fits")
        self.t.keys("C-u")
        self.t.see_gone("nothing fits")
        self.t.keys("Escape")
        self.quit()

    def test_the_palette_has_methods_and_parameters(self):
        self.start_solved()
        self.t.keys("C-p")
        self.t.type("method l1svm")
        self.t.see("method l1svm")
        self.t.keys("Enter")
        self.t.see(r"method +l1svm")
        self.t.keys("C-p")
        self.t.type("parameter tol")
        self.t.see("parameter tol ")
        self.t.keys("Enter")
        self.t.see("^tm> :set tol")
        self.t.keys("C-u", "Escape")
        self.quit()

    def test_the_palette_has_lessons_and_exports(self):
        self.start_solved()
        self.t.keys("C-p")
        self.t.type("export score")
        self.t.see("export score ")
        self.t.keys("Enter")
        self.t.see("save the plot of the test score by features as:")
        self.t.keys("C-u")
        self.t.type("~/score.csv")
        self.t.keys("Enter")
        self.t.see("score.csv")
        with open(os.path.join(self.t.home, "score.csv"), encoding="utf8") as f:
            self.assertIn("majority,", f.read())
        self.t.keys("C-p")
        self.t.type("lesson screening")
        self.t.keys("Enter")
        self.t.see("step 1 of")
        self.quit()

    def test_the_metric_of_the_scores(self):
        self.start_solved()
        self.t.see("test accuracy")
        self.t.see("majority")
        self.t.type("v")
        self.t.see("test error")
        self.t.command(":set metric auc")
        self.t.see("test auc")
        self.t.command(":set metric r2")
        self.t.see("metric 'r2' needs numbers")
        self.t.command(":set metric")
        self.t.see("test accuracy")
        self.quit()

    def test_rare_classes_are_not_judged_by_accuracy(self):
        path = os.path.join(self.t.home, "rare.csv")
        with open(path, "w", encoding="ascii") as f:
            f.write("a,b,y\n")
            for i in range(400):
                f.write("%d,%d,%d\n" % (i * 7 % 31, i * i % 17, i % 50 == 0))
        self.start(path)
        self.t.see("test auc")
        self.t.see("majority")
        self.quit()

    def test_data_from_a_pipe(self):
        self.t.command(f"xz -dc {DATA} | {TAMIS} -")
        self.t.see("converged")
        self.t.see("standard input|38x3051")
        self.t.keys("Right")  # keys come from the terminal
        self.t.see(r"lambda_ratio +‹ ?0\.125 ?›")
        self.quit()
        dump = f"{TAMIS} --dump-view data --size 80x24 - | grep shape"
        self.t.command(f"clear; xz -dc {DATA} | {dump}")
        self.t.see("38 rows x 3051 features")
        self.t.command(f"clear; {TAMIS} -")
        self.t.see("standard input is the terminal")

    def test_modes_and_first_keys_are_visible(self):
        self.start_solved()
        self.t.see("- (\\+ )?solve")
        self.t.keys("c")
        self.t.see("plot: arrows")
        self.t.see_gone("- \\+ solve|or - \\+")
        self.t.keys("Escape", ">")
        self.t.see("Enter runs it")
        self.t.keys("Escape")
        self.t.see_gone("Enter runs it")
        self.quit()

    def test_a_pause_is_visible(self):
        self.t.command(TAMIS + " --jobs 2")
        self.t.see("converged")
        self.t.type('>r = tm.lasso(tm.synth("saif", {n=300, p=20000, k=100, seed=1}), '
                    '{lambda_ratio=1e-4, tol=1e-15, screen="none"}); r:pause()')
        self.t.keys("Enter", "Escape", "Escape")
        self.t.see("0 running 1 PAUSED")
        self.t.type(">r:cancel()")
        self.t.keys("Enter", "Escape", "Escape")
        self.t.see_gone("PAUSED")
        self.quit()

    def test_names_end_in_an_ellipsis(self):
        names = os.path.join(ROOT, "examples/data/golub.genes.xz")
        self.start(f"--names {names} {self.arguments}")
        self.t.see(r"converged")
        self.t.see(r"CST3[^│]*… +\+0\.263")
        self.quit()


class WideForm(Form):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main()
