#!/usr/bin/python3
"""The form as a script and as a command line, and a session as a script: running them gives what is
on the screen."""
import json
import os
import re
import subprocess
import unittest

from workbench import DATA, TAMIS, Workbench


class Record(Workbench):
    def tamis(self, *words):
        return subprocess.run([TAMIS, *words], check=True, capture_output=True, text=True,
                              timeout=60, env=self.t.variables).stdout

    def shown(self):
        """Features, the score on the rows held out, and the first two names with their weights."""
        answer = self.t.see(r"(\d+) features? +test ([\d.]+)")
        weights = re.findall(r"(X\d+) +([+-][\d.e-]+) ", self.t.settled())
        return int(answer[1]), float(answer[2]), weights[:2]

    def set(self, *lines):
        for line in lines:
            self.t.type(":")
            self.t.command("set " + line)
            self.t.keys("Escape", "Escape")
        self.t.see("0 running")
        self.t.settled()

    def page(self):
        self.t.keys("y")
        self.t.see(r"tamis fit ")
        lines = [line.strip("│ ") for line in self.t.settled().split("\n")[1:-3]]
        text = " ".join(line for line in lines if line and not line.startswith("┌"))
        self.t.keys("Escape")
        return text

    def test_the_lua_and_the_command_line_give_the_same_answer(self):
        self.start_solved()
        for lines in ([], ["lambda_ratio 0.05", "screen saif"],
                      ["method l1logistic", "lambda_ratio 0.2", "tol 1e-9"]):
            self.set(*lines)
            self.t.keys("0")  # from zero, as a script does
            self.t.see("0 running")
            nnz, score, weights = self.shown()
            text = self.page()
            lua = self.t.file("form.lua", re.search(r"local d = .*?(?=tamis fit)", text)[0] +
                              "\nprint('nnz', r.nnz, 'score', r.model:score(test))"
                              + "\nfor _, f in ipairs(r.model:top(2)) do print(f) end")
            out = self.tamis("run", lua)
            self.assertEqual(int(re.search(r"nnz\t(\d+)", out)[1]), nnz)
            self.assertAlmostEqual(float(re.search(r"score\t([\d.]+)", out)[1]), score, delta=6e-4)
            words = re.search(r"tamis (fit .*? --seed \d+)", text)[1].split()
            found = json.loads(self.tamis(*words, "--json"))
            self.assertEqual(found["nnz"], nnz)
            self.assertAlmostEqual(found["score"]["test"]["accuracy"], score, delta=6e-4)
            coef = dict(map(tuple, found["coef"]))
            for name, weight in weights:
                own = coef.get(name, coef.get(int(name[1:])))
                self.assertAlmostEqual(own, float(weight), delta=0.006 * abs(own))
        self.quit()

    def test_a_session_is_replayed(self):
        self.start_solved()
        self.set("method l1logistic", "lambda_ratio 0.05", "screen gap")
        self.t.type(">")
        self.t.command('mine = 6 * 7; print("kept " .. mine)')
        self.t.see("kept 42")
        self.t.keys("Escape", "Escape", "3")
        path = os.path.join(self.t.home, "session.lua")
        self.t.type(":")
        self.t.command("session " + path)
        self.t.see(r"session\.lua")
        self.quit()
        with open(path, encoding="utf-8") as f:
            text = f.read()
        words = re.search(r"--script (.*)", text)[1]
        self.assertIn(DATA, words)
        self.start("--script " + words)
        self.t.see("order of entry")
        self.t.keys("1")
        self.t.see(r"method +‹? *l1logistic")
        self.t.see(r"lambda_ratio +‹? *0\.05")
        self.t.see("● gap")  # the strategy names the run
        self.t.keys("6")
        self.t.see("kept 42")
        self.quit()

    def test_a_session_brings_its_pins(self):
        self.start_solved()
        self.t.keys("P")
        self.set("screen saif", "lambda_ratio 0.2")
        self.t.keys("P")
        self.set("method l1logistic", "screen gap")
        self.t.type(">")
        self.t.command('tm.ui.set("lambda_ratio")')
        self.t.keys("Escape", "Escape")
        self.t.see("▲ A auto")
        self.t.see("■ B saif")
        path = os.path.join(self.t.home, "pins.lua")
        self.t.type(":")
        self.t.command("session " + path)
        self.t.see(r"pins\.lua")
        self.quit()
        with open(path, encoding="utf-8") as f:
            words = re.search(r"--script (.*)", f.read())[1]
        self.start("--script " + words)
        self.t.see("▲ A auto")
        self.t.see("■ B saif")
        self.t.see("0 running")
        self.t.see(r"method +‹? *l1logistic")
        self.t.see(r"lambda_ratio +‹? *0\.1 ")  # given to B, not to the form
        self.t.see("against B saif")
        self.quit()

    def test_a_session_waits_for_its_data(self):
        pipe = os.path.join(self.t.home, "pipe.svm")
        script = os.path.join(self.t.home, "s.lua")
        os.mkfifo(pipe)
        with open(script, "w", encoding="utf-8") as f:
            f.write('tm.ui.set("lambda_ratio", "0.2")\ntm.ui.run:wait()\ntm.ui.request("pin")\n')
        self.start(f"--script {script} {pipe}")
        self.t.see("loading pipe")
        with open(pipe, "w", encoding="utf-8") as f:
            f.writelines(f"{1 if i % 3 else -1} 1:{i % 7} 2:{i * i % 11} 3:{i % 5 - 2}\n"
                         for i in range(60))
        self.t.see(r"lambda_ratio +‹? *0\.2")
        self.t.see("▲ A auto")
        self.quit()

    def test_the_terminals_clipboard_gets_the_lua(self):
        self.t.run("set-option", "-s", "set-clipboard", "on")
        self.start_solved()
        self.t.keys("y")
        self.t.see("clipboard")
        self.t.see(r"┌ script: q closes")
        copied = self.t.run("show-buffer")
        self.assertIn('tm.load("%s"' % DATA, copied)
        self.assertIn(":wait()", copied)
        self.quit()


class WideRecord(Record):
    size = (160, 50)


if __name__ == "__main__":
    unittest.main(verbosity=1)
