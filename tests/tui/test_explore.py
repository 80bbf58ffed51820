#!/usr/bin/python3
"""The explore view."""
import re
import time
import unittest

from workbench import DATA, TAMIS, Workbench, wait_for


class Explore(Workbench):
    def test_opens_on_a_data_set_and_solves(self):
        self.start_solved()
        text = self.t.text()
        for part in ("golub", "38x3051", "dense", "duality gap", "active set",
                     "rejection by lambda",
                     "test accuracy", "parameters", "answer", "gap ", "?:help", "tm>"):
            self.assertIn(part, text)
        self.assertRegex(text, r"lambda_ratio +‹ 0\.1 ›")
        self.assertRegex(text, r"X\d+ +[+-]0\.\d+")
        self.quit()

    def test_the_built_in_example(self):
        self.start("")
        self.t.see(r"100x2000")
        self.quit()

    def test_a_changed_parameter_solves_again(self):
        self.start_solved()
        before = int(self.t.see(r"(\d+) features").group(1))
        done = int(self.t.see(r"running (\d+) done").group(1))
        for _ in range(6):
            self.t.keys("Left")
        self.t.see(r"lambda_ratio +‹ ?0\.025 ?›")
        self.t.see(r"0 running \d+ done")
        after = wait_for("another answer",
                         lambda: (int(self.t.see(r"(\d+) features").group(1)) != before) and
                         int(self.t.see(r"(\d+) features").group(1)))
        self.assertGreater(after, before)  # a smaller lambda lets more features in, on these data
        self.assertGreater(int(self.t.see(r"running (\d+) done").group(1)), done)
        self.t.keys("+", "-", "+")
        self.t.see(r"‹ ?0\.032 ?›")
        self.quit()

    def test_wrong_commands_say_so_where_they_are_typed(self):
        self.start_solved()
        self.t.keys(":opne x", "Enter")
        self.t.see(r"did you mean ':open'")
        self.t.keys(":open no-such-file.svm", "Enter")
        self.t.see(r"no-such-file\.svm: cannot be opened")
        self.t.see(r"lambda_ratio")  # the data explored before are still there
        self.quit()

    def test_words_that_begin_lua_lines_reach_the_prompt(self):
        self.start_solved()
        before = self.t.see(r"lambda_ratio +‹? ?([0-9.]+)").group(1)
        self.t.keys("help()", "Enter")
        self.t.see(r"Everything is in the table tm")
        self.t.keys("Escape", "Escape", "1")
        self.assertEqual(self.t.see(r"lambda_ratio +‹? ?([0-9.]+)").group(1), before)
        self.quit()

    def test_the_answer_stays_while_the_next_is_worked_on(self):
        self.start_solved()
        self.t.command("d = tm.synth('saif', {n=300, p=30000, k=60, seed=1})")
        self.t.see(r"explores it")
        self.t.keys("Escape", "Escape", "o")
        self.t.see(r"300x30000.* (gap \d|solving)")
        # Many changes at once: only the last one is worked on, and it is reached.
        for _ in range(8):
            self.t.run("send-keys", "-t", "t", "Left", "Left", "Right", "Left")
            # Of the header, on a busy machine, the counts of runs take all the room.
            self.assertRegex(self.t.text(), r"300x30000.* (gap \d|solving|[1-9] running)")
        self.t.see(r"lambda_ratio +‹ ?0\.0025 ?›")
        self.t.see(r"converged|max_iter")
        self.t.keys("C-c")
        self.t.see(r"0 running")
        self.quit()

    def test_the_value_can_be_typed(self):
        self.start_solved()
        self.t.answer("Enter", r"^lambda_ratio = 0\.1", "0.9")
        self.t.see(r"‹ 0\.9 ›")
        self.t.see(r"[1-4] features")
        self.t.keys("Enter")
        self.t.keys("C-u")
        self.t.command("-1")
        self.t.see(r"lambda_ratio.*-1")  # the message says what is wrong
        self.t.see(r"‹ 0\.9 ›")
        self.t.keys("Delete")
        self.t.see(r"‹ 0\.1 ›")
        self.quit()

    def test_giving_up_an_edit_changes_nothing(self):
        self.start_solved()
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = ")
        self.t.type("777")
        self.t.keys("Escape")
        self.t.see(r"^tm>")
        self.assertRegex(self.t.text(), r"‹ 0\.1 ›")
        self.quit()

    def choose(self, name):
        """Moves down the form until the parameter is chosen."""
        for _ in range(30):
            if re.search(name + r" +‹", self.t.text()):
                return
            self.t.keys("j")
            time.sleep(0.1)
        self.fail("no row " + name)

    def test_choices_and_switches(self):
        self.start_solved()
        self.t.keys("G")  # the last row
        self.t.keys("g")
        self.t.see(r"method +‹ lasso ›")
        self.choose("standardize")
        self.t.see(r"standardize +‹ false ›")
        self.t.keys("Right")
        self.t.see(r"standardize +‹ true ›")
        self.t.keys("g")
        self.choose("screen")
        first = self.t.see(r"screen +‹ (\w+) ›").group(1)
        seen = [first]
        while True:  # right goes around all choices
            self.t.keys("Right")
            other = r"screen +‹ (?!%s )(\w+) ›" % seen[-1]
            now = self.t.see(other).group(1)
            if now == first:
                break
            self.assertNotIn(now, seen)
            seen.append(now)
        self.assertLessEqual({"none", "gap", "saif"}, set(seen))
        self.quit()

    def test_zoom_and_time_axis(self):
        self.start_solved()
        titles = ("duality gap", "active set", "1 - rejection by lambda", "test accuracy")
        for shown in titles:
            self.t.keys("z")
            self.t.see(r"┌ " + shown)
            for other in titles:
                if other != shown:
                    self.t.see_gone(r"┌ " + other)
        self.t.keys("z")
        for title in titles:
            self.t.see(r"┌ " + title)
        self.t.keys("x")
        self.t.keys("x")
        self.quit()

    def test_runs_of_a_script_are_laid_over(self):
        script = self.t.file(
            "compare.lua", 'local d = tm.load("%s")\nfor _, s in ipairs{"none", "gap"} do\n'
            'tm.lasso(d, {lambda_ratio=0.1, screen=s, name="run-" .. s}):wait()\nend\n'
            'print("script " .. "over")\n' % DATA)
        self.start_solved()
        self.t.type(":run " + script)
        self.t.keys("Enter")
        # In small plots a legend gives way to the lines; one plot alone has room for it.
        self.t.keys("Escape")
        self.t.keys("Escape")
        self.t.keys("z")
        self.t.see(r"run-none")
        self.t.see(r"run-gap")
        self.t.keys("Escape")
        self.t.keys("6")
        self.t.see(r"script over")
        self.t.keys("2")
        self.t.see(r"run-gap +done +1/1")
        self.quit()

    def test_opening_another_file(self):
        other = self.t.file("small.csv", "a,b,c,y\n" + "".join(
            "%d,%d,%d,%d\n" % (i, i * i % 7, i % 3, i % 2) for i in range(20)))
        self.start_solved()
        self.t.type(":open " + other)
        self.t.keys("Enter")
        self.t.see(r"small.*20x3")
        self.t.type(":open /nowhere/at/all.csv")
        self.t.keys("Enter")
        self.t.keys("Escape")
        self.t.keys("6")
        self.t.see(r"/nowhere/at/all\.csv")
        self.quit()

    def test_a_missing_file_is_told(self):
        self.t.command(TAMIS + " /nowhere/data.svm; echo status $?")
        self.t.see(r"^tamis: .*/nowhere/data\.svm")
        self.t.see(r"^status 1")

    def test_a_malformed_file_is_told_with_its_place(self):
        path = self.t.file("bad.svm", "+1 1:0.5 2:1\n-1 2:1 1:3\n")
        self.start(path)
        self.t.see(r"bad\.svm: line 2, column 8")
        self.t.see(r":open FILE")
        self.quit()


class Shown(Workbench):
    def test_what_is_shown_belongs_to_the_form(self):
        """A solve under way says so, and so do one that was ended and one that cannot be."""
        self.start("")
        self.t.see(r"^.*converged")
        self.t.command("d = tm.synth('saif', {n=400, p=60000, seed=1})")
        self.t.see(r"explores it")
        for line in (":set screen none", ":set tol 1e-14", ":set lambda_ratio=0.001"):
            self.t.command(line)
        self.t.see(r"lambda_ratio +‹? ?0\.001")
        self.t.keys("Escape", "Escape", "1", "o")
        self.t.see(r"400x60000.*solving, gap \d")
        self.t.see(r"│solving +gap ")
        self.assertNotIn("converged", self.t.text())
        self.t.keys("C-c")
        self.t.see(r"│cancelled")
        self.quit()

    def test_a_failure_stands_where_the_answer_would(self):
        self.start("")
        self.t.see(r"^.*converged")
        self.t.command(":set method l1logistic")
        self.t.see(r"no answer")
        self.t.see(r"│failed ")
        self.t.see(r"needs a response with .*│")
        self.t.see(r"\d failed")
        self.t.command(":set method lasso")
        self.t.see(r"│converged")
        self.t.see(r"  gap \d")
        self.quit()


class WideShown(Shown):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
