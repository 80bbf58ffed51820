#!/usr/bin/python3
"""tamis learn on a terminal: every lesson from start to end, with right and wrong answers."""
import functools
import os
import re
import signal
import subprocess
import unittest

from workbench import ROOT, TAMIS, Terminal

FORMAT = os.path.join(ROOT, "tests/lessons/format.lua")
SIZES = ((80, 24), (160, 50))


def names():
    listed = subprocess.run([TAMIS, "learn", "--print"], capture_output=True, text=True, check=True)
    return re.findall(r"^ +\d+  (\w+)", listed.stdout, re.M)


@functools.cache
def answers(lesson):
    """For each step what --check says of its question: "ok", "number: 4", "choice 2: ..."."""
    said = subprocess.run([TAMIS, "learn", "--check", lesson], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    return re.findall(r"^.*, step \d+ \(line \d+\): (.*)$", said.stdout, re.M)


class Lesson(unittest.TestCase):
    def terminal(self, size=(80, 24)):
        t = Terminal(*size)
        self.addCleanup(t.close)
        return t

    def wrong(self, t, kind, right):
        if kind == "number":
            t.keys("Enter")
            t.see("^your answer:")
            t.command("-12345")
        else:
            if kind == "choice" and right == "1":
                t.keys("Down")
            elif kind == "mark":
                t.keys("Space" if right != "1" else "Up")
            elif right != "1":
                t.keys("Up")
            t.keys("Enter")
        t.see("No[.,]")

    def right(self, t, kind, right, wrong_mark):
        if kind == "number":
            t.type(right)  # with nothing before it: digits answer, they show no views
            t.see("^your answer: " + re.escape(right))
            t.keys("Enter")
        elif kind == "choice":
            t.keys(right, "Enter")
        else:
            t.keys(*["Space"] * wrong_mark)
            marked = {int(n) for n in right.split(",")}
            for n in range(1, max(marked) + 1):
                t.keys(*(["Space"] if n in marked else []), "Down")
            t.keys("Enter")
        t.see("Right:")

    def walk(self, lesson, size):
        t = self.terminal(size)
        t.command(f"{TAMIS} learn {lesson}")
        steps = answers(lesson)
        for number, said in enumerate(steps, 1):
            t.see(rf"┌ step {number} of {len(steps)}: ")
            question = re.match(r"(number|choice|mark) ?([\d,]*): (.*)", said)
            if question:
                kind, place, value = question.groups()
                self.wrong(t, kind, place)
                self.right(t, kind, place or value, int(kind == "mark" and place != "1"))
            self.assertNotRegex(t.text(), r"attempt to|stack traceback|there is no")
            if number < len(steps):
                t.keys("Right")
        t.keys("Right")
        t.see("┌ the lessons")
        t.see_gone(r"^ tamis .*  script")  # which may still show the last truth
        t.keys("q")
        t.see(r"ready\$ *$")


class Runner(Lesson):
    def test_the_format(self):
        for size in SIZES:
            with self.subTest(size):
                self.walk(FORMAT, size)

    def test_back_and_forth_trying_and_showing_again(self):
        t = self.terminal()
        t.command(f"{TAMIS} learn {FORMAT}")
        t.see("┌ step 1 of 3: gap")
        t.keys("C-w", "G")  # the view beside the text has the keys
        t.see("┌ step 3 of 3: the certificate")
        t.type(">print(data.n * 7)")  # the lesson's own data
        t.keys("Enter")
        t.see("^350|│350")
        t.keys("Escape", "Escape", "C-w", "v")
        t.see("┌ step 1 of 3: gap")
        t.keys("Right", "x")
        t.see("The answer: 4. 4 of 200")
        t.see("┌ step [0-9]+ of [0-9]+: .*saif|saif: bounds")  # the truth is shown
        t.keys("Left")
        t.see("step 1 of 5")
        t.keys("Right")
        t.see("The answer: 4")  # going back forgets nothing

    def test_long_text_scrolls(self):
        t = self.terminal((80, 10))
        t.command(f"{TAMIS} learn {FORMAT}")
        t.see("more")
        t.keys("NPage")
        t.see("printed 50")
        t.keys("PPage")
        t.see("Text with a value")
        t.keys("Space", "Space")  # reads on: pages, then the next step
        t.see("step 2 of 5")
        t.keys("Space")
        t.see("step 3 of 5")

    def test_long_lines_are_wrapped_not_cut(self):
        t = self.terminal()
        code = "  long = " + " + ".join(str(n) for n in range(100, 130)) + " -- the end"
        t.command(f"{TAMIS} learn " + t.file(
            "long.lua", f"-- Long\n--\n--   {' '.join('formula%d' % n for n in range(20))}\n--\n"
            f"-- Text.\ndo\n{code}\nend\n"))
        for word in ("formula0 ", "formula19", "100 \\+", "129", "the end"):
            t.see(word)
        at = {word: re.search(r"^│( *).*" + word, t.text(), re.M)[1] for word in ("100", "129")}
        self.assertEqual(len(at["129"]), len(at["100"]) + 4)

    def test_digits_show_views_where_nothing_is_asked(self):
        t = self.terminal()
        t.command(f"{TAMIS} learn {FORMAT}")
        t.see("┌ step 1 of 3: gap")
        t.keys("2")
        t.see("┌ runs")

    def test_progress_is_remembered(self):
        t = self.terminal()
        t.command(f"{TAMIS} learn gap")
        t.see("step 1 of")
        t.keys("Right")
        t.see("step 2 of")
        t.keys("q")
        t.see(r"ready\$ *$")
        t.command(f"{TAMIS} learn")
        t.see(r"2/\d+ +2  The duality gap")
        t.keys("Down", "Enter")
        t.see("step 2 of")

    def test_a_lesson_that_fails_says_where(self):
        t = self.terminal()
        bad = t.file("bad.lua", "-- Bad\n--\n-- {nothing} is here.\n---\nx = 1\n\n-- Next.\n"
                     "error('broken')\n\n-- The end.\n")
        t.command(f"{TAMIS} learn {bad}")
        t.see(r"line 1: '\{nothing\}' in the text is nil")
        t.keys("Right")
        t.see(r"bad.lua:8: broken")
        t.keys("Right")
        t.see("The end")

    def test_a_lesson_cannot_have_the_workbench_write_or_end(self):
        t = self.terminal()
        bad = t.file("bad.lua", "-- Bad\n--\n-- One.\n---\nrefused = 0\n"
                     "for _, name in ipairs{'save', 'delete', 'script', 'suspend', 'quit'} do\n"
                     "  for _, call in ipairs{tm.ui.request, function(n) "
                     "tm.ui.bind('all', 'x', n) end} do\n"
                     "    local ok, why = pcall(call, name)\n"
                     "    if not ok and why:find('not available in the sandbox') then\n"
                     "      refused = refused + 1\n    end\n  end\nend\n"
                     "tm.ui.command('mine', 'a command', function() os.execute('true') end)\n"
                     "\n-- {refused} refused.\n")
        t.command(f"{TAMIS} learn {bad}")
        t.see("One")
        t.keys("Right")
        t.see("10 refused")
        t.type(":mine")
        t.keys("Enter")
        t.see("not available in the sandbox")
        t.keys("q")

    def test_the_workbench_has_them_too(self):
        t = self.terminal()
        t.command(TAMIS)
        t.see(r"new here\? \* has lessons")
        t.see("converged")
        t.keys("C-p")
        t.type("lesson")
        t.see("lessons: text beside a view")
        t.keys("Enter")
        t.see("┌ the lessons")
        t.keys("Enter")
        t.see("┌ step 1 of")


class Printed(unittest.TestCase):
    def setUp(self):
        self.t = Terminal()
        self.addCleanup(self.t.close)
        self.t.command(f"{TAMIS} learn --print {FORMAT}; echo ended $?")
        self.t.see(r"^Enter, or Lua>")

    def test_enter_goes_on_and_lua_is_tried(self):
        self.t.see(r"^printed")
        self.t.command("print(hidden, data.n)")  # the lesson's own variables
        self.t.see(r"^200\s+50$")
        self.t.keys("Enter")
        self.t.see(r"^The answer: 4")
        self.t.command("for i = 1, 2 do")  # a chunk of two lines, in which Enter does not go on
        self.t.see(r"^\.\.>")
        self.t.command("print('turn', i) end")
        self.t.see(r"^turn\s+2")
        self.t.command("error('tried and failed')")
        self.t.see("tried and failed")
        self.t.type("not sent")
        self.t.keys("C-c")
        self.t.see(r"\^C")
        self.t.keys("Enter")
        self.t.see(r"^A choice")
        self.t.command("q")
        self.t.see(r"^ended 0")

    def test_left_by_the_end_of_input_and_by_a_signal(self):
        self.t.keys("C-d")
        self.t.see(r"^ended 0")
        self.t.keys("C-l")
        self.t.command(f"{TAMIS} learn 1 --print; echo ended $?")
        self.t.see(r"^Enter, or Lua>")
        os.kill(self.t.process(), signal.SIGTERM)
        self.t.see(r"^ended 143")


def add_lessons():
    """One test for each lesson and size."""
    for name in names():
        for size in SIZES:
            def test(self, name=name, size=size):
                self.walk(name, size)
            setattr(Lessons, f"test_{name}_at_{size[0]}x{size[1]}", test)


class Lessons(Lesson):
    pass


add_lessons()

if __name__ == "__main__":
    unittest.main()
