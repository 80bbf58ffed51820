#!/usr/bin/python3
"""The prompt, and stopping what it started."""
import os
import re
import time
import unittest

from workbench import Workbench, alive


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

    def test_a_sweep_in_the_background_is_seen_and_stopped(self):
        self.start_solved()
        self.t.command("s = tm.sweep{data=tm.synth('saif', {n=100, p=2000}), method='lasso', "
                       "folds=100,"
                       " repeats=100, grid={lambda_ratio={0.5, 0.01}}, screen='none', tol=1e-12, "
                       "name='night'}")
        self.t.see(r"sweep night [1-9]\d*/20000, \d+ (s|min) left")  # while the script is idle
        self.t.keys("Escape", "q")
        self.t.see("once more quits")
        self.t.keys("C-c")
        self.t.see(r"stopped")
        self.t.see_gone(r"sweep night")
        self.t.type(">")
        self.t.command("s.status")
        self.t.see(r"cancelled")
        self.quit()

    def test_long_output_says_where_the_rest_is(self):
        self.start_solved()
        self.t.command("print('a ' .. 'few')")
        self.t.see(r"output: Esc closes it, 6 shows all")
        self.t.keys("Escape")
        self.t.see_gone(r"output: ")
        self.t.type(">")
        self.t.command("for i = 1, 100 do print('line ' .. i) end")
        self.t.see(r"output, the end of 101 lines: PgUp reads the rest")  # with what was typed
        self.t.see(r"^line 100")
        self.t.keys("Escape", "6")
        self.t.see(r"lines 85-105 of 105")
        self.t.keys("PPage")
        self.t.see(r"^line 70")
        self.quit()

    def test_output_is_wrapped_at_words(self):
        self.start_solved()
        words = ["w%s%d" % ("o" * (i % 9), i) for i in range(60)]
        self.t.type(">print(table.concat({%s}, ' '))" % ",".join("'%s'" % w for w in words))
        self.t.keys("Enter", "Escape", "6")
        self.t.see(r"%s$" % words[-1])
        shown = self.t.text().split(words[0] + " ")[-1].split()
        self.assertEqual(shown[:len(words) - 1], words[1:])  # none is cut in two
        self.quit()

    def test_long_output_is_paged(self):
        self.start_solved()
        self.t.command("for i = 1, 100 do print('line ' .. i * i) end")
        self.t.see(r"the end of 101 lines: PgUp reads the rest")
        self.t.keys("PPage")
        self.t.see(r"output: q closes, / searches; lines 65-83 of 101")
        self.t.keys("g")
        self.t.see(r"lines 1-19 of 101")
        self.t.see(r"│for i = 1, 100")
        self.t.keys("Space", "j", "j", "k")
        self.t.see(r"lines 20-38 of 101")
        self.t.keys("/")
        self.t.see(r"^search:")
        self.t.command("LINE 25")
        self.t.see(r"│line 2500")  # 50 squared, the first at or below the top
        self.t.see(r"^tm>")
        self.t.keys("n")
        self.t.see(r"│line 25 ")  # around the end
        self.t.keys("N")
        self.t.see(r"│line 2500")
        self.t.keys("/", "C-u")
        self.t.command("nowhere")
        self.t.see(r'no line has "nowhere"')
        self.t.keys("G")
        self.t.see(r"lines 83-101 of 101")
        self.t.keys("q")
        self.t.see_gone("output:")
        self.t.see("┌ duality gap")
        self.t.type("print('typing ' .. 'goes on')")  # the keys are the prompt's again
        self.t.keys("Enter")
        self.t.see("^typing goes on")
        self.quit()

    def test_pages_of_help_begin_at_their_beginning(self):
        self.start_solved()
        self.t.command('help("lasso")')
        self.t.see(r"output: q closes, / searches; lines 1-19 of \d+")
        self.t.see(r"tm\.lasso\(data")
        self.t.command("/screen ")
        self.t.see(r"│  screen  +choice")
        self.t.keys("G")
        self.t.see(r"a model, or a run, to start from")
        # nothing is broken but at words, below what it belongs to
        for line in self.t.lines()[2:20]:
            self.assertRegex(line, r"^│(  \S| {19,}|$)")
        self.t.keys("Escape")
        self.t.see_gone("output:")
        self.t.keys("Escape", "6", "/")
        self.t.see(r"^search:")
        self.t.command("shrink")
        self.t.see(r'"shrink"')
        self.t.keys("n", "N")
        self.t.resize(60, 24)
        self.t.type('>help("lasso")')
        self.t.keys("Enter", "Escape", "Escape", "G")
        self.t.see(r"^  from +a model, or a run, to start from *$")
        for line in self.t.lines()[2:21]:  # as wide as the screen is now
            self.assertRegex(line, r"^(  \S| {19,}|$)")
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
        self.t.see(r"lasso +lesson")
        self.t.see(r"^tm> tm\.")
        self.t.keys("Escape")  # closes the list, then the prompt
        self.t.see_gone(r"lasso +lesson")
        self.t.keys("C-u")
        self.t.type(":expl")
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
        self.t.command("io.stderr:write('stray words\\n') io.stdout:write('more of them\\n') "
                       "io.stdout:flush()")
        self.t.see(r"^stray words")
        self.t.see(r"^more of them")
        self.t.see(r"^tm>")
        self.quit()


class Helping(Workbench):
    def test_the_completion_list_can_be_walked(self):
        self.start_solved()
        self.t.type(">tm.l")
        self.t.keys("Tab")
        self.t.see(r"l1logistic +l1svm +lasso")
        self.t.keys("Tab")
        self.t.see(r"^tm> tm\.l1logistic *$")
        self.t.keys("Tab", "Tab")
        self.t.see(r"^tm> tm\.lasso *$")
        self.t.keys("Left")
        self.t.see(r"^tm> tm\.l1svm *$")
        self.t.keys("BTab")
        self.t.see(r"^tm> tm\.l1logistic *$")
        self.t.keys("Up", "Down")
        self.t.keys("Enter")  # takes it; the line goes on
        self.t.see_gone(r"l1logistic +l1svm +lasso")
        self.t.see(r"^tm> tm\.l\w+ *$")
        self.t.keys("C-c", "Escape")
        self.quit()

    def test_errors_show_the_offending_line(self):
        path = self.t.file("wrong.lua", "local x = 1\nfor i = 1, 3 do\n  x = x + nothing\nend\n")
        self.start_solved()
        self.t.keys("6")
        self.t.type(":run " + path)
        self.t.keys("Enter")
        self.t.see(r"^ +3 \|   x = x \+ nothing")
        coloured = self.t.text(colours=True)
        before = coloured[:coloured.index("x = x + nothing")]
        last = re.findall(r"\x1b\[([\d;]*)m", before)[-1]
        self.assertRegex(last, r"3[18]")  # in the colour of errors
        self.t.type("f = function()")
        self.t.keys("Enter")
        self.t.type("  error('in the second line')")
        self.t.keys("Enter")
        self.t.type("end f()")
        self.t.keys("Enter")
        self.t.see(r"^ +2 \|   error\('in the second line'\)")
        self.quit()

    def test_pasted_code_of_several_lines(self):
        self.start_solved()
        path = self.t.file("paste.lua", "function double(x)\n  return 2 * x\nend\n"
                           "for i = 20, 21 do\n  print('double', double(i))\nend\n")
        self.t.keys(">")
        self.t.run("load-buffer", path)
        self.t.run("paste-buffer", "-t", "t")
        self.t.see(r"^double\s+40")
        self.t.see(r"^double\s+42")
        self.t.keys("Up")  # the chunk comes back as one
        self.t.see(r"^tm> for i = 20, 21 do")
        self.t.keys("C-c", "Escape")
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

    def test_a_call_that_cannot_be_stopped(self):
        self.start_solved()
        self.t.command("string.find(string.rep('a', 400), '.-.-.-.-.-.-.-.-.-.-b')")
        self.t.see(r"script")
        time.sleep(0.5)
        self.t.keys("C-c")
        self.t.see(r"scratch")
        self.t.command("print('alive ' .. 5)")
        self.t.see(r"^alive 5")
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


if __name__ == "__main__":
    unittest.main(verbosity=1)
