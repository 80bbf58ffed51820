#!/usr/bin/python3
"""tamis learn on a terminal: step by step, with room to try things."""
import os
import signal
import unittest

from workbench import TAMIS, Terminal


class Learn(unittest.TestCase):
    def setUp(self):
        self.t = Terminal()
        self.addCleanup(self.t.close)
        self.t.command(f"{TAMIS} learn gap; echo ended $?")
        self.t.see(r"^Enter, or Lua>")

    def test_enter_goes_on_and_lua_is_tried(self):
        self.t.see(r"^Three rows, two features")
        self.t.command("print(#y, data.n)")  # the lesson's own variables
        self.t.see(r"^3\s+3$")
        self.t.keys("Enter")
        self.t.see(r"^The lasso without intercept minimises")
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
        self.t.see(r"^Its dual maximises")
        self.t.command("q")
        self.t.see(r"^ended 0")

    def test_to_the_end(self):
        for _ in range(12):
            if "That was lesson" in self.t.settled():
                break
            self.t.keys("Enter")
        self.t.see(r"^That was lesson 2 of 6. The next one: tamis learn screening")
        self.t.see(r"^ended 0")

    def test_left_by_the_end_of_input_and_by_a_signal(self):
        self.t.keys("C-d")
        self.t.see(r"^ended 0")
        self.t.keys("C-l")
        self.t.command(f"{TAMIS} learn 1; echo ended $?")
        self.t.see(r"^Enter, or Lua>")
        os.kill(self.t.process(), signal.SIGTERM)
        self.t.see(r"^ended 143")


if __name__ == "__main__":
    unittest.main()
