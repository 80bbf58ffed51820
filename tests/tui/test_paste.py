#!/usr/bin/python3
"""Pasted text is text: it goes to the prompt, whole, and none of it is a key."""
import unittest

from workbench import Workbench


class Paste(Workbench):
    def paste(self, text):
        self.t.run("set-buffer", "-b", "clip", text)
        self.t.run("paste-buffer", "-p", "-b", "clip", "-t", "t")

    def test_a_script_pasted_into_a_view(self):
        self.start_solved()
        # "q" would quit, "2" show the runs, a line's end run half of the chunk.
        self.paste("q = 0\nfor i = 1, 3 do\n    q = q + 2\nend\nprint('sum', q)\n")
        self.t.see(r"^tm> q = 0$")
        self.t.see(r"print\('sum', q\)")
        self.t.see(r"1:explore")
        self.t.keys("Enter")
        self.t.see(r"^ *.?sum\s+6")
        self.t.keys("Up")  # the whole chunk is one entry of the history
        self.t.see(r"for i = 1, 3 do")
        self.t.keys("C-c")
        self.quit()

    def test_into_the_palette(self):
        self.start_solved()
        self.t.keys("Escape", "C-p")
        self.t.see("what to do")
        self.paste("runs view\nq\n")
        self.t.see(r"> runs view")
        self.t.keys("Enter")
        self.t.see(r"runs: \d")
        self.quit()


class WidePaste(Paste):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main()
