#!/usr/bin/python3
"""Crashes that must leave the terminal as it was, large numbers of points, and how quick
exploring is."""
import os
import re
import signal
import time
import unittest

from workbench import LEUKEMIA, SLOW, Workbench, alive, wait_for


class InsideASolver(Workbench):
    """A solver that goes on for long is at work when the signal comes."""

    def begin(self):
        self.t.command("stty -a > ~/before; clear")
        self.start_solved()
        self.t.type(">d = tm.synth('saif', {n=300, p=20000, k=100, seed=1}); "
                    "r = tm.lasso(d, {lambda_ratio=1e-4, tol=1e-15, screen='none'})")
        self.t.keys("Enter")
        self.t.see(r"[12] running")

    def check(self, number):
        self.begin()
        raw = os.path.join(self.t.home, "raw")
        self.t.run("pipe-pane", "-t", "t", "cat > " + raw)
        os.kill(self.t.process(), number)
        self.t.see(r"ready\$ *$")
        with open(raw, "rb") as f:
            self.assertIn(b"\x1b[?1002l", f.read())  # the mouse is off
        self.t.command("stty -a > ~/after; cmp ~/before ~/after && echo same-as-before")
        self.t.see(r"^same-as-before")

    def test_an_abort_gives_the_terminal_back(self):
        self.check(signal.SIGABRT)

    def test_sigterm_gives_the_terminal_back(self):
        self.check(signal.SIGTERM)

    def test_sighup_gives_the_terminal_back(self):
        self.check(signal.SIGHUP)

    def test_a_second_signal_ends_what_does_not_end(self):
        self.start_solved()
        self.t.type(">io.popen('exec sleep 600'):read()")  # a script that cannot be interrupted
        self.t.keys("Enter")
        self.t.see("script")
        process = self.t.process()
        os.kill(process, signal.SIGTERM)
        self.t.see_gone("1:explore")  # the terminal is given back at once
        self.assertTrue(alive(process))
        os.kill(process, signal.SIGTERM)
        wait_for("the end", lambda: not alive(process))  # far below the 600 s
        self.t.command("clear; echo status $?")
        self.t.see(r"ready\$ *$")


class Large(Workbench):
    def test_a_series_of_ten_million_points(self):
        """As a run of that many trace points would be: a trace keeps thousands of them, a plot
        takes all."""
        self.start_solved()
        self.t.type(">n = 1e7; x, y = {}, {}; for i = 1, n do x[i] = i; y[i] = 1 / i end; "
                    "tm.plot{series={{name='gaps', x=x, y=y}}, ylog=true, title='ten "
                    "million'}:show()")
        self.t.keys("Enter")
        self.t.see(r"ten million", limit=60)
        self.t.keys("Escape", "Escape", "7", "c", "+", "+", "0", "Escape")
        self.t.see(r"plot 1 of 1", limit=60)
        self.t.keys("1")
        self.t.see("parameters")
        self.quit()


class Quick(Workbench):
    def arguments_of(self):
        return LEUKEMIA if os.path.exists(LEUKEMIA) else self.arguments

    def test_holding_an_arrow_key_queues_no_stale_work(self):
        """The newest request alone is worked on: fewer solves than keys, and none waits for
        another."""
        self.start(self.arguments_of())
        self.t.see(r"0 running [2-9]\d* done")
        before = int(self.t.see(r"running (\d+) done").group(1))
        pressed, most = 0, 0
        for _ in range(6):
            # faster than frames
            self.t.run("send-keys", "-t", "t", *(["Left"] * 18 + ["Right"] * 18))
            pressed += 36
            waiting = [int(n) for n in re.findall(r"done (\d+) waiting", self.t.text())]
            most = max([most, *waiting])
        self.t.keys("Left")
        self.t.see(r"lambda_ratio +‹ ?0\.08 ?›")
        began = time.monotonic()
        self.t.see(r"0 running \d+ done  gap")
        self.assertLess(time.monotonic() - began, 5.0 * SLOW)  # a queue of 217 solves would show
        # At most a solve and its path wait, for workers that are busy with what they replace.
        self.assertLessEqual(most, 2)
        # Started = finished, and few: a solve and a path for each frame that saw a key, not for
        # each key.
        finished = int(self.t.see(r"0 running (\d+) done").group(1)) - before
        self.assertGreater(finished, 1)
        self.assertLess(finished, pressed / 2)
        self.quit()

    def test_an_answer_is_that_of_the_newest_value(self):
        self.start_solved()
        for _ in range(4):
            self.t.keys(*(["Left"] * 15 + ["Right"] * 15))
        self.t.keys("Left")
        self.t.see(r"lambda_ratio +‹ ?0\.08 ?›")
        self.t.see(r"lambda +2\.685")
        self.t.see(r"0 running")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
