#!/usr/bin/python3
"""Every key of every view, crashes that must leave the terminal as it was, large numbers of points, and how
quick exploring is."""
import os
import re
import signal
import time
import unittest

from workbench import ROOT, SLOW, Workbench


class Keys(Workbench):
    size = (100, 30)

    def test_every_key_of_every_view(self):
        """Keys from the program's own table; the program answers after each view's."""
        with open(os.path.join(ROOT, "src/tui/keys.c"), encoding="utf-8") as f:
            table = f.read()
        names = {"TK_UP": "Up", "TK_DOWN": "Down", "TK_LEFT": "Left", "TK_RIGHT": "Right",
                 "TK_HOME": "Home", "TK_END": "End", "TK_PAGE_UP": "PPage", "TK_PAGE_DOWN": "NPage",
                 "TK_SHIFT_LEFT": "S-Left", "TK_SHIFT_RIGHT": "S-Right", "TK_TAB": "Tab",
                 "TK_BACKTAB": "BTab", "TK_BACKSPACE": "BSpace", "TK_DELETE": "Delete",
                 "TK_INSERT": "Insert", "TK_F1": "F1", "TK_ESC": "Escape"}
        keys = set()
        for row in re.findall(r"\{([^{}]+)\},\s*REQ_", table):
            for key in row.split(","):
                key = key.strip()
                if key in names:
                    keys.add(names[key])
                elif re.fullmatch(r"'.'", key):
                    keys.add("Space" if key == "' '" else key[1])
                elif re.fullmatch(r"CTRL\('.'\)", key):
                    keys.add("C-" + key[6].lower())
        # What would end the program, stop it, ask a question or go elsewhere is pressed on its own.
        apart = {"q", "C-d", "C-z", "e", "Enter", "/", ">", ":", "C-r", "C-p", "Insert", "?", "F1",
                 "Tab", "BTab", "Escape", "Delete", "C-c", "C-l", "|", "C-w"} | set("1234567")
        general = {">", ":", "C-r", "C-p", "Insert", "?", "F1", "Tab", "BTab", "|", "C-w", "C-l"}
        self.assertGreater(len(keys), 45)
        self.start_solved()
        for view in "1234567":
            self.t.keys(view)
            self.t.keys(*sorted(keys - apart))
            single = apart - {"q", "C-d", "C-z", "Escape"} - set("1234567")
            for key in sorted(keys & (single - (general if view > "1" else set()))):
                self.t.keys(view, key, "Escape", *(["Escape"] if key in general else []))
            self.t.keys("c", *sorted(keys - apart), "Escape", "Escape")
            self.t.keys(view)
            self.t.see(r"%s:\w+" % view)
        self.t.keys("1")
        self.t.see("parameters")
        self.quit()


class Crash(Workbench):
    def test_an_abort_gives_the_terminal_back(self):
        self.t.command("stty -a > ~/before; clear")
        self.start_solved()
        self.t.type(">d = tm.synth('saif', {n=300, p=20000, k=100, seed=1}); "
                    "r = tm.lasso(d, {lambda_ratio=1e-4, tol=1e-15, screen='none'})")
        self.t.keys("Enter")
        self.t.see(r"[12] running")  # inside a solver
        raw = os.path.join(self.t.home, "raw")
        self.t.run("pipe-pane", "-t", "t", "cat > " + raw)
        os.kill(self.t.process(), signal.SIGABRT)
        self.t.see(r"ready\$ *$")
        with open(raw, "rb") as f:
            self.assertIn(b"\x1b[?1002l", f.read())  # the mouse is off
        self.t.command("stty -a > ~/after; cmp ~/before ~/after && echo same-as-before")
        self.t.see(r"^same-as-before")


class Large(Workbench):
    def test_a_series_of_ten_million_points(self):
        """As a run of that many trace points would be: a trace keeps thousands of them, a plot takes all."""
        self.start_solved()
        self.t.type(">n = 1e7; x, y = {}, {}; for i = 1, n do x[i] = i; y[i] = 1 / i end; "
                    "tm.plot{series={{name='gaps', x=x, y=y}}, ylog=true, title='ten million'}:show()")
        self.t.keys("Enter")
        self.t.see(r"ten million", limit=60)
        self.t.keys("Escape", "Escape", "7", "c", "+", "+", "0", "Escape")
        self.t.see(r"plot 1 of 1", limit=60)
        self.t.keys("1")
        self.t.see("parameters")
        self.quit()


class Quick(Workbench):
    def test_holding_an_arrow_key_queues_nothing(self):
        self.start_solved()
        for _ in range(4):
            self.t.keys(*(["Left"] * 15 + ["Right"] * 15))
        self.t.keys("Left")
        self.t.see(r"lambda_ratio +‹ ?0\.08 ?›")
        # Whatever was asked for on the way, the newest is what is there in a moment.
        began = time.monotonic()
        self.t.see(r"lambda +2\.685")
        self.t.see(r"0 running")
        self.assertLess(time.monotonic() - began, 2.0 * SLOW)
        runs = int(self.t.see(r"running (\d+) done").group(1))
        self.assertLess(runs, 140)
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
