#!/usr/bin/python3
"""Drives the real workbench in tmux and looks at what is on the screen.

TAMIS_BIN names the program. Each test has a tmux server of its own on a private socket, and kills
that server only. Waiting means polling for what must appear, up to a limit.
"""
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TAMIS = os.path.abspath(os.environ.get("TAMIS_BIN", os.path.join(ROOT, "build/src/cli/tamis")))
DATA = os.path.join(ROOT, "examples/data/golub.svm.xz")
PATIENCE = 20.0
SLOW = float(os.environ.get("TAMIS_TEST_SLOWNESS", "1"))  # sanitizer builds set more


def wait_for(what, condition, limit=PATIENCE):
    """Polls until condition() is true; returns its value."""
    end = time.monotonic() + limit * SLOW
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.03)


class Terminal:
    """A tmux server with one window that runs a shell."""

    def __init__(self, columns=80, rows=24, environment=None):
        self.home = tempfile.mkdtemp(prefix="tamis-tui-")
        self.socket = os.path.join(self.home, "tmux")
        kept = ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
        variables = {k: v for k, v in os.environ.items() if k in kept}
        variables.update(HOME=self.home, XDG_STATE_HOME=os.path.join(self.home, "state"),
                         LC_ALL="C.UTF-8", SHELL="/bin/bash", PS1="ready$ ",
                         HISTFILE="", TERM="xterm-256color")
        self.settings = os.path.join(self.home, "tmux.conf")
        with open(self.settings, "w") as f:
            f.write('set -g default-terminal "tmux-256color"\nset -g status off\n'
                    "set -s escape-time 0\n")
        overrides = environment or {}
        words = ["env", "-u", "NO_COLOR"] + ["%s=%s" % item for item in overrides.items()]
        words += ["bash", "--norc", "--noprofile", "-i"]
        self.variables = variables
        self.run("new-session", "-d", "-x", str(columns), "-y", str(rows), "-s", "t", *words)
        wait_for("the shell", lambda: "ready$" in self.text())

    def run(self, *words):
        result = subprocess.run(["tmux", "-u", "-S", self.socket, "-f", self.settings, *words],
                                env=self.variables, capture_output=True, text=True, timeout=20)
        if result.returncode != 0:
            raise AssertionError("tmux %s: %s" % (words[0], result.stderr))
        return result.stdout

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.variables,
                       capture_output=True, timeout=20)
        shutil.rmtree(self.home, ignore_errors=True)

    def text(self, colours=False):
        return self.run("capture-pane", "-p", "-t", "t", *(["-e"] if colours else []))

    def lines(self):
        return self.text().split("\n")

    def keys(self, *names):
        """Presses keys. Esc is left alone for a moment: with the next key it would be Alt."""
        for name in names:
            self.run("send-keys", "-t", "t", "--", name)
            if name == "Escape":
                time.sleep(0.15 * SLOW)

    def type(self, text):
        self.run("send-keys", "-t", "t", "-l", "--", text)

    def command(self, text):
        self.type(text)
        self.keys("Enter")

    def resize(self, columns, rows):
        self.run("resize-window", "-t", "t", "-x", str(columns), "-y", str(rows))

    def see(self, pattern, limit=PATIENCE):
        """Waits until the screen matches; returns the match."""
        last = [""]

        def found():
            last[0] = self.text()
            return re.search(pattern, last[0], re.M)
        try:
            return wait_for(pattern, found, limit)
        except AssertionError:
            raise AssertionError("%r never appeared on:\n%s" % (pattern, last[0])) from None

    def see_gone(self, pattern):
        try:
            wait_for("the end", lambda: not re.search(pattern, self.text(), re.M))
        except AssertionError:
            raise AssertionError("%r stayed on:\n%s" % (pattern, self.text())) from None

    def process(self):
        """The process id of the program below the shell."""
        shell = self.run("display-message", "-p", "-t", "t", "#{pane_pid}").strip()

        def child():
            with open("/proc/%s/task/%s/children" % (shell, shell)) as f:
                ids = f.read().split()
            for number in ids:
                with open("/proc/%s/comm" % number) as f:
                    if f.read().strip() == os.path.basename(TAMIS)[:15]:
                        return int(number)
            return None
        return wait_for("the program", child)


def ticks(path):
    """CPU time (user and system) of a process or thread, in clock ticks."""
    with open(path) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def alive(process):
    """Whether the process exists and is not only waiting for its parent to notice its end."""
    try:
        with open("/proc/%d/stat" % process) as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class Workbench(unittest.TestCase):
    size = (80, 24)
    environment = {}
    arguments = DATA

    def setUp(self):
        self.assertIsNotNone(shutil.which("tmux"), "tmux is needed for these tests")
        self.assertTrue(os.access(TAMIS, os.X_OK), TAMIS + " is not there; set TAMIS_BIN")
        self.t = Terminal(*self.size, environment=self.environment)
        self.addCleanup(self.t.close)

    def start(self, arguments=None):
        self.t.command("%s %s" % (TAMIS, self.arguments if arguments is None else arguments))
        self.t.see(r"1:explore")

    def start_solved(self):
        """Waits until the answer and the path are there."""
        self.start()
        self.t.see(r"converged")
        self.t.see(r"0 running")
        # The path has drawn its points.
        self.t.see(r"0 running [2-9]\d* done")

    def quit(self):
        self.t.keys("Escape", "Escape", "q")
        self.t.see_gone(r"1:explore")
        self.t.see(r"ready\$ *$")


class Explore(Workbench):
    def test_opens_on_a_data_set_and_solves(self):
        self.start_solved()
        text = self.t.text()
        for part in ("golub", "38x3051", "dense", "duality gap", "active set", "rejection by lambda",
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
        self.t.see(r"one quantity of a trace")
        self.t.keys("Escape", "Escape", "1")
        self.assertEqual(self.t.see(r"lambda_ratio +‹? ?([0-9.]+)").group(1), before)
        self.quit()

    def test_the_answer_stays_while_the_next_is_worked_on(self):
        self.start_solved()
        self.t.command("d = tm.synth('saif', {n=300, p=30000, k=60, seed=1})")
        self.t.see(r"explores it")
        self.t.keys("Escape", "Escape", "o")
        self.t.see(r"300x30000.* gap \d")
        # Many changes at once: only the last one is worked on, and it is reached.
        for _ in range(8):
            self.t.run("send-keys", "-t", "t", "Left", "Left", "Right", "Left")
            self.assertRegex(self.t.text(), r"300x30000.* gap \d")
        self.t.see(r"lambda_ratio +‹ ?0\.0025 ?›")
        self.t.see(r"converged|max_iter")
        self.t.keys("C-c")
        self.t.see(r"0 running")
        self.quit()

    def test_the_value_can_be_typed(self):
        self.start_solved()
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = 0\.1")
        self.t.keys("C-u")
        self.t.command("0.9")
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
        titles = ("duality gap", "active set", "rejection by lambda", "test accuracy")
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
        script = os.path.join(self.t.home, "compare.lua")
        with open(script, "w") as f:
            f.write('local d = tm.load("%s")\nfor _, s in ipairs{"none", "gap"} do\n'
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
        self.t.keys("4")
        self.t.see(r"script over")
        self.t.keys("2")
        self.t.see(r"run-gap +done +1/1")
        self.quit()

    def test_opening_another_file(self):
        other = os.path.join(self.t.home, "small.csv")
        with open(other, "w") as f:
            f.write("a,b,c,y\n")
            for i in range(20):
                f.write("%d,%d,%d,%d\n" % (i, i * i % 7, i % 3, i % 2))
        self.start_solved()
        self.t.type(":open " + other)
        self.t.keys("Enter")
        self.t.see(r"small.*20x3")
        self.t.type(":open /nowhere/at/all.csv")
        self.t.keys("Enter")
        self.t.keys("Escape")
        self.t.keys("4")
        self.t.see(r"/nowhere/at/all\.csv")
        self.quit()

    def test_a_missing_file_is_told(self):
        self.t.command(TAMIS + " /nowhere/data.svm; echo status $?")
        self.t.see(r"^tamis: .*/nowhere/data\.svm")
        self.t.see(r"^status 1")

    def test_a_malformed_file_is_told_with_its_place(self):
        path = os.path.join(self.t.home, "bad.svm")
        with open(path, "w") as f:
            f.write("+1 1:0.5 2:1\n-1 2:1 1:3\n")
        self.start(path)
        self.t.see(r"bad\.svm: line 2, column 8")
        self.t.see(r":open FILE")
        self.quit()


class Path(Workbench):
    def rows(self):
        """The list's rows: (mark, name, where it entered, weight at the cursor)."""
        found = re.findall(r"││([ *])[^│]{2}(\S.*?) +([\d.e-]+) +([-+\d.e]+)│$", self.t.text(), re.M)
        return [(mark, name, float(entered), float(weight)) for mark, name, entered, weight in found]

    def open(self):
        self.start_solved()
        self.t.keys("5")
        self.t.see(r"40 of 40 lambdas, done")

    def test_the_order_of_entry(self):
        self.open()
        entered = [row[2] for row in self.rows()]
        self.assertGreater(len(entered), 10)
        self.assertEqual(entered, sorted(entered, reverse=True))
        total = int(self.t.see(r"order of entry: (\d+)").group(1))
        self.assertGreater(total, len(entered))
        self.t.keys("G")
        wait_for("the last rows", lambda: self.rows()[-1][2] < entered[-1])
        self.t.keys("g")
        wait_for("the first rows", lambda: [row[2] for row in self.rows()] == entered)
        self.quit()

    def test_the_cursor_walks_along_lambda(self):
        self.open()
        ratio = r"lambda \S+ \((\S+) max\)  nnz (\d+)"
        self.t.see(r"\(0\.01 max\)")
        few = int(self.t.see(ratio).group(2))
        for keys, most in ((["Right"], 0.012), (["L"], 0.05), (["S-Right"] * 4, 1.0)):
            before = float(self.t.see(ratio).group(1))
            self.t.keys(*keys)
            now = wait_for("a greater lambda", lambda: float(self.t.see(ratio).group(1)) > before and
                           float(self.t.see(ratio).group(1)))
            self.assertLessEqual(now, most)
        self.t.see(r"\(1 max\)  nnz 0")  # at lambda_max every weight is zero
        self.assertEqual({row[3] for row in self.rows()}, {0.0})
        self.t.keys("H", "H", "H", "h")
        self.t.see(r"test accuracy \S+ +train \S+|gap \S+")
        self.t.keys("S-Left")
        self.t.see(r"\(0\.01 max\)  nnz %d" % few)
        self.assertNotEqual(self.rows()[2][3], 0.0)
        self.quit()

    def test_the_weights_are_those_of_a_solve_at_that_lambda(self):
        self.open()
        _, name, _, weight = self.rows()[2]
        self.t.keys("1")
        self.t.see(r"lambda_ratio +‹ ?0\.1 ?›")
        self.t.keys("Enter")
        self.t.see(r"^lambda_ratio = ")
        self.t.keys("C-u")
        self.t.command("0.01")
        self.t.see(r"lambda_ratio +‹ ?0\.01 ?›")
        shown = wait_for("the answer", lambda: (lambda m: m and abs(float(m.group(1)) - weight) < 0.005
                         and m)(re.search(re.escape(name[:5]) + r".* ([+-]\d\S+)",
                                                self.t.text())))
        self.assertIsNotNone(shown)
        self.quit()

    def test_one_feature_alone(self):
        self.open()
        self.t.keys("Down", "Down", "Down")
        names = [re.escape(row[1]) for row in self.rows()]
        self.t.see(r"6:data +" + names[3])  # the foot tells the chosen one
        self.t.keys("Enter")
        self.t.see("┌ %s.*alone" % names[3])
        self.t.keys("k")
        self.t.see_gone("┌ %s.*alone" % names[3])
        self.t.see("┌ %s.*alone" % names[2])
        self.t.keys("Escape")
        self.t.see("40 of 40 lambdas")
        self.quit()

    def test_marked_features_are_exported(self):
        out = os.path.join(self.t.home, "chosen.csv")
        self.open()
        self.t.keys("Space", "Space")
        self.t.see(r"2 marked")
        wanted = self.rows()[:2]
        self.assertEqual([row[0] for row in self.rows()[:3]], ["*", "*", " "])
        self.t.keys("e")
        self.t.see(r"^save the marked features as: features\.csv")
        self.t.keys("C-u")
        self.t.command(out)
        self.t.see(r"2 features saved")
        with open(out) as f:
            lines = list(csv.reader(f))
        self.assertEqual(lines[0], ["feature", "column", "entered_lambda", "entered_ratio", "lambda",
                                    "weight"])
        self.assertEqual(len(lines), 3)
        for line, (_, name, entered, weight) in zip(lines[1:], wanted):
            self.assertTrue(line[0].startswith(name), line)
            self.assertLess(abs(float(line[3]) - entered), 0.001)
            self.assertLess(abs(float(line[5]) - weight), 0.001)
        # Without marks it is what has a weight at the cursor.
        self.t.keys("BSpace")
        self.t.see_gone(r"marked")
        count = int(self.t.see(r"nnz (\d+)").group(1))
        self.t.keys("e")
        self.t.see(r"^save the features as: ")
        self.t.keys("C-u")
        self.t.command(out)
        self.t.see(r"%d features saved" % count)
        with open(out) as f:
            self.assertEqual(len(list(csv.reader(f))), count + 1)
        self.t.keys("e")
        self.t.see(r"^save the features as: ")
        self.t.keys("C-u")
        self.t.command("/nowhere/at/all.csv")
        self.t.see(r"/nowhere/at/all\.csv")
        self.quit()

    def test_a_path_that_still_runs_and_the_runs_views_choice(self):
        script = os.path.join(self.t.home, "long.lua")
        with open(script, "w") as f:
            f.write("d = tm.synth('saif', {n=200, p=30000, k=100, seed=1})\n"
                    "p = tm.path(d, 'lasso', {lambdas=500, lambda_min_ratio=1e-4, tol=1e-13, "
                    "screen='none', name='slowly'})\n")
        self.start_solved()
        self.t.type(":run " + script)
        self.t.keys("Enter", "Escape", "Escape", "2")
        self.t.see(r"slowly +running")
        self.t.keys("Enter")  # a single solve is no path
        self.t.see(r"a run at one lambda")
        self.t.keys("j", "j", "Enter")
        first = int(self.t.see(r"slowly: (\d+) of 500 lambdas, running").group(1))
        wait_for("more points", lambda: int(self.t.see(r"slowly: (\d+) of 500").group(1)) > first)
        self.t.keys("Right", "Right", "Down", "Space")
        self.t.keys("o")  # around to the form's own
        self.t.see(r"40 of 40 lambdas, done")
        self.t.keys("o")
        self.t.see(r"slowly: \d+ of 500 lambdas")
        self.t.keys("C-c")
        self.t.see(r"slowly: \d+ of 500 lambdas, cancelled")
        self.quit()


class Data(Workbench):
    def open(self, arguments=None):
        self.start(arguments)
        self.t.see(r"0 running [2-9]\d* done")
        self.t.keys("6")
        self.t.see(r"duplicate +\d+ column")

    def listed(self):
        return re.findall(r"││(\S.*?) +([+-]\d\.\d{3}|constant)", self.t.text())

    def small(self):
        """A file with a constant and a repeated column, and known correlations."""
        path = os.path.join(self.t.home, "known.csv")
        with open(path, "w") as f:
            f.write("up,down,flat,noise,again,y\n")
            for i in range(24):
                f.write("%d,%d,7,%d,%d,%d\n" % (i, -i, i * 5 % 3, i, 2 * i + 1))
        return path

    def test_what_a_classified_data_set_is_like(self):
        self.open()
        for part in ("38 rows x 3051 features", "27 train, 11 test", "two classes", "0 columns"):
            self.t.see(part)
        self.t.see(r"-1 +27 ")
        self.t.see(r"│1 +11 ")
        strengths = [abs(float(r)) for _, r in self.listed()]
        self.assertGreater(len(strengths), 15)
        self.assertEqual(strengths, sorted(strengths, reverse=True))
        # The histogram counts every row of each class once.
        rows = re.findall(r"^│ +-?[\d.]+ +(\d+) [█▏▎▍▌▋▊▉]* +(\d+) ", self.t.text(), re.M)
        self.assertEqual([sum(int(r[k]) for r in rows) for k in (0, 1)], [27, 11])
        self.quit()

    def test_constants_repeats_and_correlations(self):
        self.open(self.small())
        self.t.see(r"constant +1 column ")
        self.t.see(r"duplicate +1 column ")
        self.t.see(r"y, a number")
        self.t.see(r"again +\+1\.000.*= up")
        self.assertEqual(self.listed(), [("up", "+1.000"), ("down", "-1.000"), ("again", "+1.000"),
                                         ("noise", self.listed()[3][1]), ("flat", "constant")])
        self.t.keys("o")
        self.t.see("as in the data")
        self.assertEqual([name for name, _ in self.listed()],
                         ["up", "down", "flat", "noise", "again"])
        self.quit()

    def test_wide_and_combining_names_keep_the_columns(self):
        path = os.path.join(self.t.home, "wide.csv")
        names = ["漢字の名前がとても長い列です", "e\u0301te\u0301 des e\u0301le\u0300ves", "короткое", "x"]
        with open(path, "w", encoding="utf-8") as f:
            f.write(",".join(names) + ",y\n")
            for i in range(30):
                f.write("%d,%d,%d,%d,%d\n" % (i, i * 7 % 30, i * 11 % 30, i * i % 13,
                                              3 * i + i * 7 % 30 - 2 * (i * 11 % 30)))
        self.open(path)

        def width(line):
            return sum(0 if unicodedata.combining(c) else
                       2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        for key, seen in (("6", "漢字の名前"), ("5", "漢字の名前"), ("Enter", "alone")):
            self.t.keys(key)
            self.t.see(seen)
            for line in self.t.lines()[1:22]:
                self.assertEqual(width(line), 80, self.t.text())
        self.quit()

    def test_choosing_a_feature(self):
        self.open(self.small())
        self.t.see("┌ up ")
        self.t.keys("j")
        self.t.see("┌ down ")
        self.t.keys("G")
        self.t.see("┌ flat ")
        self.t.see(r"mean 7  deviation 0")
        self.t.keys("k", "PPage")
        self.t.see("┌ up ")
        self.t.keys("NPage", "g")
        self.t.keys("/")
        self.t.see(r"^feature:")
        self.t.command("OIS")
        self.t.see("┌ noise ")
        self.t.see(r"feature 4 of 5")
        self.t.keys("o")  # the same feature stays chosen
        self.t.see(r"feature 4 of 5")
        self.t.keys("/", "C-u")
        self.t.command("n")
        self.t.see("┌ again ")
        self.t.keys("n")
        self.t.see("┌ down ")  # around
        self.t.keys("/", "C-u")
        self.t.command("nowhere")
        self.t.see(r'no feature.*"nowhere"')
        self.quit()

    def test_views_by_their_names(self):
        self.open()
        for name, seen in (("path", "order of entry"), ("data", "duplicate"), ("runs", "seconds")):
            self.t.type(":" + name)
            self.t.keys("Enter")
            self.t.see(seen)
            self.t.keys("Escape")
        self.quit()

    def test_tabs_where_there_is_little_room(self):
        self.open()
        self.t.resize(44, 16)
        self.t.see(r"^ 1 2 3 4 5 6:data")
        self.t.type("\x1b[<0;10;15M\x1b[<0;10;15m")  # the 5
        self.t.see(r"^ 1 2 3 4 5:path 6")
        self.quit()

    def test_it_follows_the_data(self):
        self.open()
        self.t.type(":open " + self.small())
        self.t.keys("Enter")
        self.t.see(r"known +24x5")
        self.t.keys("Escape", "Escape", "6")
        self.t.see("┌ data: known")
        self.t.see(r"24 rows x 5 features")
        self.t.see("┌ up ")
        self.quit()

    def test_closing_while_it_is_worked_out(self):
        self.start("")
        self.t.command(">d = tm.synth('saif', {n=400, p=60000, k=10, seed=1})")
        self.t.see(r"explores it")
        self.t.keys("Escape", "Escape", "o", "6")
        self.t.see("400 rows x 60000")
        self.quit()


class OtherViews(Workbench):
    def test_views_and_help(self):
        self.start_solved()
        titles = {"2": "┌ runs", "3": "┌ plots", "4": r"Tamis \d", "5": "┌ order of entry",
                  "6": "┌ data: golub", "1": "parameters"}
        for key, title in titles.items():
            self.t.keys(key)
            self.t.see(title)
        self.t.keys("Tab")
        self.t.see("┌ runs")
        self.t.keys("BTab")
        self.t.see("parameters")
        for key, name in (("1", "explore"), ("2", "runs"), ("3", "plots"), ("4", "lua"),
                          ("5", "path"), ("6", "data")):
            self.t.keys(key)
            self.t.keys("?")
            self.t.see("Keys of the %s view" % name)
            self.t.keys("Down")
            self.t.see_gone("Keys of the %s view" % name) if name == "explore" else None
            self.t.keys("Escape")
            self.t.see_gone("help: any key")
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
        click(5, 5)  # a plot
        self.t.see_gone(r"┌ active set")
        click(5, 5)
        self.t.see(r"┌ active set")
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
                    'tm.plot{runs={r}, x="time", y="gap", ylog=true, title="second one"}:show()' % DATA)
        self.t.keys("Enter")
        self.t.see(r"plot 2 of 2")
        self.t.see(r"second one")
        self.t.keys("Escape")
        self.t.keys("Escape")
        self.t.keys("Left")
        self.t.see(r"plot 1 of 2")
        self.t.see(r"first one")
        saved = os.path.join(self.t.home, "figure.svg")
        self.t.keys("e")
        self.t.see(r"save as: ")
        self.t.keys("C-u")
        self.t.command(saved)
        self.t.see(r"saved as")
        with open(saved) as f:
            self.assertIn("<svg", f.read())
        self.t.keys("Delete")
        self.t.see(r"plot 1 of 1")
        self.quit()

    def test_scrollback(self):
        self.start_solved()
        self.t.keys("4")
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


class Prompt(Workbench):
    def test_values_errors_and_output_over_a_view(self):
        self.start_solved()
        self.t.command("print(6 * 7)")  # typing starts the prompt
        self.t.see(r"^42")
        self.t.keys("Escape")
        self.t.see_gone(r"^42")
        self.t.type(">")
        self.t.command("error('broken on purpose')")
        self.t.see(r"broken on purpose")
        self.t.command("1 +* 2")
        self.t.see(r"unexpected symbol|near")
        self.quit()

    def test_history_outlives_the_program(self):
        self.start_solved()
        self.t.command("print('first ' .. 1)")
        self.t.see(r"^first 1")
        self.t.command("print('other ' .. 2)")
        self.t.see(r"^other 2")
        self.quit()
        self.t.run("clear-history", "-t", "t")
        self.t.command("clear")
        self.start_solved()
        self.t.keys(">")
        self.t.keys("Up")
        self.t.see(r"^tm> print\('other ' \.\. 2\)")
        self.t.keys("Up")
        self.t.see(r"^tm> print\('first ' \.\. 1\)")
        self.t.keys("C-c", "Escape")
        self.t.keys("C-r")
        self.t.type("fir")
        self.t.see(r"reverse-i-search.*print\('first")
        self.t.keys("Enter")
        self.t.see(r"^first 1")
        self.quit()

    def test_completion(self):
        self.start_solved()
        self.t.type("tm.las")
        self.t.keys("Tab")
        self.t.see(r"^tm> tm\.lasso")
        self.t.keys("C-u")
        self.t.type("tm.")
        self.t.keys("Tab")
        self.t.see(r"lasso +load")
        self.t.see(r"^tm> tm\.")
        self.t.keys("Escape")  # closes the list, then the prompt
        self.t.see_gone(r"lasso +load")
        self.t.keys("C-u")
        self.t.type(":exp")
        self.t.keys("Tab")
        self.t.see(r"^tm> :explore")
        self.t.keys("C-u")
        self.quit()

    def test_chunks_of_several_lines(self):
        self.start_solved()
        self.t.type("for i = 1, 3 do")
        self.t.keys("Enter")
        self.t.type("print('turn', i)")
        self.t.keys("Enter")
        self.t.see(r"^tm> for i = 1, 3 do\n    print")
        self.t.type("end")
        self.t.keys("Enter")
        self.t.see(r"^turn\s+3")
        self.t.keys("Up")
        self.t.see(r"^tm> for i = 1, 3 do\n    print\('turn', i\)\n    end")
        self.quit()

    def test_wide_characters_keep_the_cursor_right(self):
        self.start_solved()
        self.t.type("print('漢字é')")
        self.t.see(r"漢字é")
        where = self.t.run("display-message", "-p", "-t", "t", "#{cursor_x}").strip()
        self.assertEqual(int(where), len("tm> print('") + 2 + 2 + 1 + len("')"))
        self.t.keys("Left", "Left", "BSpace")
        self.t.see(r"print\('漢字'\)")
        self.t.keys("Enter")
        self.t.see(r"^漢字$")
        self.quit()

    def test_nothing_else_writes_on_the_screen(self):
        self.start_solved()
        self.t.command("io.stderr:write('stray words\\n') io.stdout:write('more of them\\n') io.stdout:flush()")
        self.t.see(r"^stray words")
        self.t.see(r"^more of them")
        self.t.see(r"^tm>")
        self.quit()


class Interrupting(Workbench):
    def test_an_endless_script(self):
        self.start_solved()
        self.t.command("while true do end")
        self.t.see(r"script")
        self.t.command("print('after' .. 'wards')")
        self.t.keys("C-c")
        self.t.see(r"interrupted|stopped")
        self.t.command("print('alive ' .. 3)")
        self.t.see(r"^alive 3")
        self.quit()

    def test_an_endless_print(self):
        self.start_solved()
        self.t.command("while true do print('again and again') end")
        self.t.see(r"again and again")
        self.t.keys("C-c")
        self.t.see(r"stopped|interrupted")
        self.t.command("print('alive ' .. 4)")
        self.t.see(r"^alive 4")
        self.quit()

    def test_a_long_solve(self):
        self.start_solved()
        self.t.command("r = tm.lasso(tm.synth('saif', {n=300, p=20000, k=100}), "
                       "{lambda_ratio=1e-4, tol=1e-15, screen='none'}):wait()")
        self.t.see(r"1 running.*script")
        self.t.keys("C-c")
        self.t.see(r"0 running")
        self.t.command("print('alive ' .. 5)")
        self.t.see(r"^alive 5")
        self.quit()

    def test_an_idle_prompt_is_cleared(self):
        self.start_solved()
        self.t.type("print(not finished")
        self.t.see(r"^tm> print\(not")
        self.t.keys("C-c")
        self.t.see(r"^tm> *$")
        self.t.keys("C-c")
        self.t.see(r"nothing is running")
        self.t.keys("C-d")
        self.t.see(r"ready\$ *$")

    def test_loading_from_a_pipe_that_says_nothing(self):
        pipe = os.path.join(self.t.home, "silent")
        os.mkfifo(pipe)
        self.start(pipe)
        self.t.see(r"loading .*silent")
        self.t.keys("C-c")
        self.t.see(r"was cancelled")
        self.t.keys("q")
        self.t.see(r"ready\$ *$")


class Ending(Workbench):
    def modes(self):
        self.t.command("clear")
        self.t.command("stty -a; echo end''ed")
        self.t.see(r"^ended")
        return re.search(r"speed(?s:.*?)(?=ended)", self.t.text()).group(0)

    def test_quitting_leaves_the_terminal_as_it_was(self):
        before = self.modes()
        self.t.command("clear")
        self.t.command("echo words before")
        self.t.see(r"^words before")
        screen = self.t.text()
        self.start_solved()
        self.t.keys("q")
        self.t.see(r"^words before")
        after = self.t.text()
        self.assertTrue(after.startswith(screen.rstrip("\n")), after)
        self.t.command("echo status $?")
        self.t.see(r"^status 0")
        self.assertEqual(self.modes(), before)
        flags = self.t.run("display-message", "-p", "-t", "t",
                           "#{alternate_on} #{mouse_any_flag} #{keypad_flag} #{cursor_flag}")
        self.assertEqual(flags.split(), ["0", "0", "0", "1"])

    def test_every_way_to_quit(self):
        for keys in (["q"], ["C-d"], [">", "C-d"], [":", "q", "Enter"]):
            self.start()
            self.t.keys(*keys)
            self.t.see_gone(r"1:explore")
            self.t.see(r"ready\$ *$")

    def test_quitting_a_working_script_takes_two_keys(self):
        self.start_solved()
        self.t.type("while true do end")
        self.t.keys("Enter", "Escape", "Escape")
        self.t.see(r"running.*script")
        self.t.keys("q")
        self.t.see(r"once more quits")
        self.t.keys("j", "q")  # another key in between: asked again
        self.t.see(r"once more quits")
        self.t.keys("q")
        self.t.see(r"ready\$ *$")

    def test_stopping_and_going_on(self):
        before = self.modes()
        for typing in (False, True):
            self.start_solved()
            if typing:
                self.t.type("print(")
                self.t.see(r"^tm> print\(")
            self.t.keys("C-z")
            self.t.see(r"Stopped")
            self.assertEqual(self.modes(), before)
            self.t.command("fg")
            self.t.see(r"1:explore")
            self.t.see(r"parameters")
            if typing:
                self.t.see(r"^tm> print\(")
                self.t.type("7)")
                self.t.keys("Enter")
                self.t.see(r"^7$")
            else:
                self.t.keys("Left")
                self.t.see(r"‹ 0\.08 ›")
            self.quit()
        self.assertEqual(self.modes(), before)

    def test_signals_that_end_it(self):
        before = self.modes()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT):
            self.start()
            os.kill(self.t.process(), number)
            self.t.see_gone(r"1:explore")
            self.t.see(r"ready\$ *$")
            self.t.command("echo status $?")
            self.t.see(r"^status %d" % (128 + number))
            self.assertEqual(self.modes(), before, number)

    def test_a_lost_terminal(self):
        self.start_solved()
        self.t.type("while true do end")
        self.t.keys("Enter")
        self.t.see(r"script")
        process = self.t.process()
        self.t.run("kill-server")
        time.sleep(1.0 * SLOW)
        self.assertFalse(alive(process), "still there a second later")


class Sizes(Workbench):
    def test_from_one_cell_to_a_wall(self):
        self.start_solved()
        original = self.t.text()
        sizes = [(1, 1), (2, 1), (1, 5), (3, 3), (10, 2), (20, 5), (29, 8), (30, 7), (30, 8), (35, 9),
                 (40, 10), (48, 12), (60, 15), (80, 10), (30, 40), (79, 23), (100, 30), (120, 36),
                 (200, 60), (200, 8), (32, 60)]
        for columns, rows in sizes:
            self.t.resize(columns, rows)
            if columns >= 30 and rows >= 8:
                # The prompt is the last line whatever the size.
                wait_for("the prompt at %dx%d" % (columns, rows),
                         lambda: re.match(r"tm>", self.t.lines()[rows - 1]))
                self.t.see(r"1:explore")
            elif columns >= 9:
                self.t.see(r"too small")
            else:
                self.t.see(r"small|!")
            for view in "234561":
                self.t.keys(view)
            self.t.keys("?", "Escape")
        self.t.resize(*self.size)
        wait_for("the same screen again", lambda: self.t.text() == original)
        self.quit()

    def test_starting_small(self):
        for columns, rows in ((1, 1), (12, 3), (40, 10)):
            self.t.resize(columns, rows)
            self.t.command(TAMIS)
            self.t.see(r"small|!|1:explore")
            self.t.resize(80, 24)
            self.t.see(r"1:explore")
            self.quit()


class Terminals(Workbench):
    def check(self, environment, options=""):
        t = Terminal(80, 24, environment)
        self.addCleanup(t.close)
        raw = os.path.join(t.home, "raw")
        t.run("pipe-pane", "-t", "t", "cat > " + raw)
        t.command("clear")
        t.command("%s %s %s" % (TAMIS, options, DATA))
        t.see(r"1:explore")
        t.see(r"converged")
        t.see(r"0 running [2-9]\d* done")
        shots = []
        for key, shown in (("2", "name"), ("3", "no plot"), ("4", "Tamis"), ("5", "entered"),
                           ("6", "deviation"), ("1", "parameters")):
            t.keys(key)
            t.see(shown)
            shots.append(t.text())
        t.keys("Left")
        t.see(r"[‹<] ?0\.08 ?[›>]")
        screen = "".join(shots) + t.text()
        t.keys("q")
        t.see_gone(r"1:explore")
        with open(raw, "rb") as f:
            return screen, f.read()

    @staticmethod
    def colours(raw):
        """Colour parameters of every SGR sequence."""
        found = []
        for sequence in re.findall(rb"\x1b\[([0-9;]*)m", raw):
            for number in sequence.split(b";"):
                if number and (30 <= int(number) <= 49 or 90 <= int(number) <= 107):
                    found.append(int(number))
        return found

    def test_colours_where_there_are_any(self):
        _, raw = self.check({})
        self.assertIn(38, self.colours(raw))
        # Backgrounds stay the terminal's own.
        self.assertNotIn(48, self.colours(raw))
        self.assertFalse([c for c in self.colours(raw) if 40 <= c <= 47])

    def test_sixteen_colours(self):
        _, raw = self.check({}, "--color 16")
        self.assertTrue([c for c in self.colours(raw) if 30 <= c <= 37])
        self.assertNotIn(38, self.colours(raw))

    def test_no_color(self):
        _, raw = self.check({"NO_COLOR": "1"})
        self.assertEqual(self.colours(raw), [])

    def test_color_never(self):
        _, raw = self.check({}, "--color never")
        self.assertEqual(self.colours(raw), [])

    def test_plain_locale_is_plain_ascii(self):
        screen, raw = self.check({"LC_ALL": "C"})
        self.assertTrue(screen.isascii(), screen)
        self.assertRegex(screen, r"lambda_ratio +< 0\.08 >")
        self.assertRegex(screen, r"\+ duality gap -")

    def test_charset_ascii(self):
        screen, _ = self.check({}, "--charset ascii")
        self.assertTrue(screen.isascii(), screen)

    def test_charset_utf8_in_a_plain_locale(self):
        screen, _ = self.check({"LC_ALL": "C"}, "--charset utf8")
        self.assertIn("┌", screen)

    def test_vt100(self):
        screen, raw = self.check({"TERM": "vt100"})
        self.assertEqual(self.colours(raw), [])
        self.assertIn("duality gap", screen)

    def test_terminals_that_cannot(self):
        for setting in ("TERM=dumb", "TERM=no-such-terminal", "TERM=", "-u TERM"):
            self.t.command("clear")
            self.t.command("env %s %s; echo status $?" % (setting, TAMIS))
            self.t.see(r"^tamis: .*TERM")
            self.t.see(r"^status 1")

    def test_no_terminal_at_all(self):
        result = subprocess.run(["setsid", TAMIS, DATA], stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, timeout=60, env=dict(self.t.variables, TERM="xterm"))
        self.assertNotIn("\x1b", result.stdout)
        self.assertEqual(result.returncode, 1)
        self.assertIn("terminal", result.stderr)


class Cost(Workbench):
    def test_idle_costs_nothing(self):
        self.start_solved()
        process = self.t.process()
        for view, seen in (("1", "answer"), ("5", "entered"), ("6", "deviation")):
            self.t.keys(view)
            self.t.see(seen)
            time.sleep(0.5)
            before = ticks("/proc/%d/stat" % process)
            time.sleep(1.5)
            self.assertEqual(ticks("/proc/%d/stat" % process) - before, 0, view)
        self.quit()

    def test_the_screen_takes_little_from_a_running_solver(self):
        self.start_solved()
        self.t.command("r = tm.lasso(tm.synth('saif', {n=60, p=2000, k=30, seed=2}), "
                       "{lambda_ratio=1e-3, tol=1e-15, screen='none', check_every=1, max_iter=1e9})")
        self.t.see(r"1 running")
        self.t.keys("Escape")
        self.t.keys("Escape")
        process = self.t.process()
        time.sleep(1.0)
        before = ticks("/proc/%d/task/%d/stat" % (process, process))
        whole = ticks("/proc/%d/stat" % process)
        time.sleep(5.0)
        own = ticks("/proc/%d/task/%d/stat" % (process, process)) - before
        whole = ticks("/proc/%d/stat" % process) - whole
        share = own / (5.0 * os.sysconf("SC_CLK_TCK"))
        print("\nUI thread: %.1f %% of a core beside a solver (all threads %.0f %%)" %
              (100 * share, 100 * whole / (5.0 * os.sysconf("SC_CLK_TCK"))), file=sys.stderr)
        self.t.see(r"1 running")  # the solver did run all the time
        self.assertLess(share, 0.05)
        self.t.keys("C-c")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
