#!/usr/bin/python3
"""Terminals: sizes, kinds, signals, what is left behind, and what it costs."""
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from workbench import DATA, SLOW, TAMIS, Terminal, Workbench, alive, ticks, wait_for


class Ending(Workbench):
    asked = 0

    def modes(self):
        self.asked += 1  # what an earlier call has printed may still be there
        self.t.command("clear")
        self.t.command("stty -a; echo end''ed %d" % self.asked)
        return self.t.see(r"speed((?s:(?!speed).)*)^ended %d$" % self.asked).group(1)

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

    def test_stopping_resizing_and_going_on(self):
        self.start_solved()
        self.t.keys("C-z")
        self.t.see(r"Stopped")
        self.t.resize(100, 30)
        self.t.command("fg")
        self.t.see(r"1:explore")
        wait_for("the prompt in the last of the new rows",
                 lambda: re.match(r"tm>", self.t.lines()[29]))
        self.assertEqual(len(self.t.lines()[1]), 100)  # boxes are as wide as the screen is now
        self.t.keys("Left")
        self.t.see(r"‹ 0\.08 ›")
        self.quit()

    def test_signals_that_end_it(self):
        before = self.modes()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV,
                       signal.SIGABRT):
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
        original = self.t.settled()
        sizes = [(1, 1), (2, 1), (1, 5), (3, 3), (10, 2), (20, 5), (29, 8), (30, 7), (30, 8),
                 (35, 9),
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

    def test_what_is_left_on_a_narrow_screen(self):
        self.start_solved()
        self.t.resize(40, 12)
        self.t.see(r"┌ \d+ features, test \S+ ─")  # the answer goes above the form
        self.t.see(r"^tm>   lambda_ratio: ")  # the hint below the tabs
        header = self.t.lines()[0]
        self.assertRegex(header, r"^ tamis .* running .*\?:help|^ tamis .* running  gap \S+ ")
        self.t.keys("2")
        self.t.see(r"name +state +nnz")
        self.quit()

    def test_starting_small(self):
        for columns, rows in ((1, 1), (12, 3), (40, 10)):
            self.t.resize(columns, rows)
            self.t.command(TAMIS)
            self.t.see(r"small|!|1:explore|new here")
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
        for key, shown in (("2", "name"), ("3", "entered"), ("4", "step 1 of"), ("5", "strongest"),
                           ("6", "Tamis"), ("7", "no plot"), ("1", "parameters")):
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

    def test_posix_locale_is_plain_ascii(self):
        screen, _ = self.check({"LC_ALL": "POSIX"})
        self.assertTrue(screen.isascii(), screen)

    def test_xterm_256color(self):
        screen, raw = self.check({"TERM": "xterm-256color"})
        self.assertIn(38, self.colours(raw))
        self.assertIn("┌ duality gap", screen)

    def test_light_backgrounds_stay_readable(self):
        """No white or black is forced on text that stands on the terminal's own background."""
        for options in ("", "--color 16"):
            _, raw = self.check({}, options)
            ground, ink = None, None
            for sequence in re.findall(rb"\x1b\[([0-9;]*)m", raw):
                numbers = [int(n or 0) for n in sequence.split(b";")]
                while numbers:
                    code = numbers.pop(0)
                    if code in (38, 48) and numbers:
                        wide = 4 if numbers[0] == 2 else 2
                        value, numbers = tuple(numbers[:wide]), numbers[wide:]
                        ground, ink = (value, ink) if code == 48 else (ground, value)
                    elif code == 0:
                        ground, ink = None, None
                    elif 40 <= code <= 47 or 100 <= code <= 107:
                        ground = code
                    elif code == 49:
                        ground = None
                    elif 30 <= code <= 37 or 90 <= code <= 97:
                        ink = code
                    elif code == 39:
                        ink = None
                if ground is None:
                    self.assertNotIn(ink,
                                     (37, 97, 30, (5, 15), (5, 231), (5, 255), (5, 0), (5, 16)))

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
        result = subprocess.run(["setsid", TAMIS, DATA], stdin=subprocess.DEVNULL,
                                capture_output=True,
                                text=True, timeout=60, env=dict(self.t.variables, TERM="xterm"))
        self.assertNotIn("\x1b", result.stdout)
        self.assertEqual(result.returncode, 1)
        self.assertIn("terminal", result.stderr)


class Cost(Workbench):
    def test_idle_costs_nothing(self):
        self.start_solved()
        process = self.t.process()
        for view, seen in (("1", "answer"), ("3", "entered"), ("4", "step"), ("5", "strongest")):
            self.t.keys(view)
            self.t.see(seen)
            time.sleep(0.5)
            before = ticks("/proc/%d/stat" % process)
            time.sleep(1.5)
            self.assertEqual(ticks("/proc/%d/stat" % process) - before, 0, view)
        self.quit()

    def test_the_screen_takes_little_from_a_running_solver(self):
        self.start_solved()
        self.t.command("r = tm.lasso(tm.synth('saif', {n=300, p=20000, k=50, seed=2}), "
                       "{lambda_ratio=1e-4, tol=1e-15, screen='none', check_every=1, "
                       "max_iter=1e9})")
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
        self.assertLess(share, 0.02)
        self.t.keys("C-c")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
