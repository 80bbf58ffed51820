#!/usr/bin/python3
"""Esc and Ctrl-C at the prompt, in running Lua, while a file is read, in explore: nothing half done
stays, and the prompt answers again."""
import os
import time
import unittest

from workbench import Workbench

STUCK = "string.find(string.rep('a', 400), '.-.-.-.-.-.-.-.-.-.-b')"


class Interrupts(Workbench):
    arguments = ""

    def silent(self):
        pipe = os.path.join(self.t.home, "silent")
        os.mkfifo(pipe)
        return pipe

    def answers(self, number):
        self.t.command("print('alive ' .. %d)" % number)
        self.t.see(r"^alive %d" % number)

    def explores(self):
        """The form of the data that were there before turns, and is solved."""
        self.t.keys("Escape", "Escape", "1")
        before = self.t.see(r"lambda_ratio +‹? ?([0-9.]+)").group(1)
        self.t.keys("Left")
        self.t.see(r"lambda_ratio +‹? ?(?!%s )[0-9.]+ " % before.replace(".", r"\."))
        self.t.see(r"converged")

    def test_reading_a_file(self):
        self.start()
        self.t.see(r"^.*converged")
        pipe = self.silent()
        self.t.command(":open " + pipe)
        self.t.see(r"loading .*silent")
        self.answers(1)  # while it is being read
        self.t.keys("Escape", "Escape", "C-c")
        self.t.see(r"stopped")
        self.t.see_gone(r"loading")
        self.t.see(r"100x2000")
        self.answers(2)
        self.explores()
        self.t.command("d = tm.load('%s')" % pipe)
        self.t.see(r"script")
        self.t.keys("C-c")
        self.t.see(r"stopped|interrupted")
        self.t.command("print('d is ' .. type(d))")
        self.t.see(r"^d is nil")
        self.t.see(r"100x2000")
        self.explores()
        self.quit()

    def test_one_call_after_another(self):
        """Each thread that is left behind is replaced, also one that a callback has stopped."""
        self.start()
        self.t.see(r"^.*converged")
        self.t.command("y = 5 " + STUCK)
        time.sleep(0.5)
        self.t.keys("C-c")
        self.t.see(r"scratch")
        self.answers(1)
        self.t.command("tm.on('done', function() print('now') %s end)" % STUCK)
        self.explores()
        self.t.command("r = tm.lasso(tm.synth('saif', {n=20, p=30}), {lambda_ratio=0.3})")
        self.t.see(r"^now")
        time.sleep(0.5)
        self.t.keys("C-c")
        self.t.command("print('y is ' .. type(y))")  # waits, and runs in the next state
        self.t.see_gone(r"script +gap")
        self.t.keys("Escape", "Escape", "6")
        self.t.see(r"^y is nil")
        self.answers(2)
        self.explores()
        self.quit()

    def test_an_unfinished_chunk(self):
        self.start()
        self.t.see(r"^.*converged")
        self.t.command("for i = 1, 3 do")
        self.t.see(r"^tm> for i = 1, 3 do")
        self.t.keys("C-c")
        self.t.see(r"^tm> *$")
        self.answers(1)  # the chunk's first line is gone
        self.explores()
        self.quit()

    def test_a_script_beside_a_solve(self):
        """Ctrl-C stops both; what explore shows is an answer or says cancelled."""
        self.start()
        self.t.see(r"^.*converged")
        self.t.command("d = tm.synth('saif', {n=400, p=60000, seed=1})")
        self.t.see(r"explores it")
        self.t.command(":set screen none")
        self.t.command(":set tol 1e-14")
        self.t.keys("Escape", "Escape", "1", "o")
        self.t.see(r"400x60000.*(solving|gap) ")
        self.t.command("while true do end")
        self.t.see(r"script")
        self.t.keys("C-c")
        self.t.see(r"stopped|interrupted")
        self.answers(1)
        self.t.keys("Escape", "Escape", "1", "C-c")
        self.t.see(r"0 running")
        self.t.see(r"│(cancelled|converged|max_iter)")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
