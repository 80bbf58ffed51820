#!/usr/bin/python3
"""What users make their own: two views, the palette, init.lua (keys, commands, colours),
tm.screen."""
import os
import unittest

from workbench import DATA, ROOT, TAMIS, Workbench


class TwoViews(Workbench):
    size = (120, 30)

    def test_side_by_side_and_below(self):
        self.start_solved()
        self.t.keys("|", "2")
        self.t.see(r"┌ duality gap.*┌ runs|┌ runs.*┌ order|┌ runs.*┌")
        self.t.keys("C-w")
        self.t.keys("3")
        self.t.see(r"┌ order of entry")
        self.t.see(r"┌ runs: 2")
        self.t.keys("|")  # one below the other
        lines = self.t.lines()
        self.t.see(r"┌ runs: 2")
        self.t.keys("1")
        self.t.see("parameters")
        self.t.see(r"┌ runs: 2")
        self.assertEqual(len(lines[0]) <= 120, True)
        self.t.keys("|")  # one alone
        self.t.see_gone(r"┌ runs: 2")
        self.t.see("parameters")
        self.quit()

    def test_a_click_moves_the_keys(self):
        self.start_solved()
        self.t.keys("|", "2", "C-w", "3")
        self.t.see(r"┌ order of entry")
        column = self.t.lines()[1].index("runs: 2")
        self.t.type("\x1b[<0;%d;5M\x1b[<0;%d;5m" % (column + 3, column + 3))
        self.t.keys("?")
        self.t.see("Keys of the runs view")
        self.t.keys("Escape")
        self.t.resize(70, 20)  # no room for two
        self.t.see(r"2:runs")
        self.t.resize(120, 30)
        self.t.see(r"┌ order of entry")
        self.t.see(r"┌ runs: 2")
        self.quit()


class Palette(Workbench):
    def test_it_finds_and_does(self):
        self.start_solved()
        self.t.keys("C-p")
        self.t.see("what to do")
        self.t.type("correlations")
        self.t.see("5 ?│")
        self.t.keys("Enter")
        self.t.see("┌ data: golub")
        self.t.keys("C-p")
        self.t.type("nothing of the kind")
        self.t.see("> nothing of the kind")
        self.t.keys("Enter")  # nothing happens
        self.t.see_gone("what to do")
        self.t.keys("C-p")
        self.t.type("open load")
        self.t.see(":open +load a data file")
        self.t.keys("Enter")
        self.t.see(r"^tm> :open")  # the rest is typed
        self.t.keys("C-c", "Escape", "C-p", "Down", "Down", "Up", "NPage", "PPage", "BSpace",
                    "Escape")
        self.t.see_gone("what to do")
        self.quit()


class WidePalette(Palette):
    size = (160, 50)


class InitFile(Workbench):
    size = (200, 30)

    def configure(self, text):
        folder = os.path.join(self.t.home, ".config", "tamis")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "init.lua"), "w", encoding="utf-8") as f:
            f.write(text)

    def test_the_example(self):
        with open(os.path.join(ROOT, "examples/init/init.lua"), encoding="utf-8") as f:
            self.configure(f.read())
        self.t.command('cd "$HOME"; clear')  # its notes go where it was started
        self.start_solved()
        self.t.keys("F2")
        self.t.see("┌ runs: 2")
        self.t.keys("1", "F6")
        self.t.see(r"lambda_ratio +‹ ?0\.05 ?›")
        self.t.type(":ratio 0.2")
        self.t.keys("Enter")
        self.t.see(r"lambda_ratio +‹ ?0\.2 ?›")
        self.t.keys("Escape", "Escape", "C-p")
        self.t.type("share of lambda")
        self.t.see(":ratio")
        self.t.keys("Escape")
        self.t.type(":keep a note")
        self.t.keys("Enter")
        self.t.see("kept in notes.txt")
        self.quit()

    def test_keys(self):
        self.configure('tm.ui.bind("explore", "w", "view-data")\n'
                       'tm.ui.bind("all", "Ctrl-T", "view-path")\n'
                       'tm.ui.bind("in-plot", "i", "zoom-in")\n'
                       'tm.ui.bind("explore", "z", "none")\n'
                       'tm.ui.bind("data", "w", function() print("from " .. "data") end)\n')
        self.start_solved()
        self.t.keys("?")
        self.t.see("w +view-data")
        self.t.see("z +none")  # every line has been read
        self.t.keys("Escape", "z")
        self.t.see("┌ active set")  # z has no meaning any more
        self.t.keys("w")
        self.t.see("┌ data: golub")
        self.t.keys("w")
        self.t.see("^from data")
        self.t.keys("C-t")
        self.t.see("┌ order of entry")
        self.t.keys("1", "c", "i")
        self.t.see("zoomed")
        self.quit()

    def test_keys_wait_for_a_slow_init_file(self):
        self.configure('local t = os.clock() + 0.15; while os.clock() < t do end\n'
                       'tm.ui.bind("explore", "w", "view-data")\n')
        self.t.command("%s %s" % (TAMIS, DATA))
        self.t.see("1:explore")
        self.t.keys("w", "j")  # before the binding is there; j is the data view's then
        self.t.see("┌ data: golub")
        self.t.see_gone(r"^tm> w")
        self.quit()
        self.configure('while true do end\n')  # one that never ends is not waited for
        self.t.command("clear; %s %s" % (TAMIS, DATA))
        self.t.see("1:explore")
        self.t.keys("5")
        self.t.see("┌ data: golub", limit=5)
        self.t.keys("C-c")
        self.t.see("stopped|interrupted")
        self.quit()
        self.t.command("clear; %s %s" % (TAMIS, DATA))
        self.t.see("1:explore")
        self.t.keys("C-c", "2")  # nor does Ctrl-C wait
        self.t.see("┌ runs: ", limit=5)
        self.quit()

    def test_mistakes_are_told_and_harmless(self):
        self.configure('tm.ui.bind("explore", "w", "view-dato")\n')
        self.t.command("clear; %s %s" % (TAMIS, DATA))  # a long message hides the tabs
        self.t.see(r"init\.lua:1: .*view-dato.*did you mean 'view-data'")
        self.t.keys("6")
        self.t.see(r"init\.lua:1:")
        self.quit()
        for wrong, told in (('tm.ui.bind("explore", "Ctrl-Elephant", "quit")',
                             "no key 'Ctrl-Elephant'"),
                            ('tm.ui.bind("explorer", "x", "quit")', "'explorer' is no view"),
                            ('tm.ui.theme("beige")', "no theme 'beige'"),
                            ('tm.ui.theme{base="dark", error="redish"}', "a colour is"),
                            ('tm.ui.theme{base="dark", errors="#ff0000"}', "no role 'errors'"),
                            ('tm.ui.command("Bad Name", "x", print)', "small letters"),
                            ('tm.ui.set("lambda_rato", 1)', "did you mean"),
                            ('x = (', "init.lua")):
            self.configure(wrong + "\n")
            self.t.command("clear; %s %s" % (TAMIS, DATA))
            self.t.see(told)
            self.quit()

    def test_themes(self):
        def colours():
            return self.t.text(colours=True)
        self.configure('tm.ui.theme{base="dark", bar="#5f005f"}\n')
        self.start_solved()
        dark = colours()
        self.assertRegex(dark, r"\x1b\[[\d;]*48;5;53|\x1b\[[\d;]*48;2;95;0;95")
        seen = {dark}
        for name in ("light", "contrast", "auto", "mono"):
            self.t.type(":theme " + name)
            self.t.keys("Enter", "Escape", "Escape")
            self.t.see(r"tm> *$")
            before = set(seen)
            seen.add(colours())
            self.assertGreater(len(seen), len(before), name)
        self.assertNotRegex(colours(), r"\x1b\[[\d;]*[34]8;[25];")
        self.t.type(":theme beige")
        self.t.keys("Enter")
        self.t.see("no theme 'beige'")
        self.quit()


class Text(Workbench):
    def test_the_screen_as_text(self):
        self.start_solved()
        self.t.type('>s = tm.screen(); print(#s > 500 and s:match("test accuracy"))')
        self.t.keys("Enter")
        self.t.see("^test accuracy")
        self.t.type('print((tm.screen("data"):match("duplicate +%d+ columns")))')
        self.t.keys("Enter")
        self.t.see(r"^duplicate +0 columns")
        self.t.type('tm.screen("nowhere")')
        self.t.keys("Enter")
        self.t.see("there is no view 'nowhere'")
        self.t.type('tm.ui.view("runs") tm.ui.request("last") tm.ui.request("fly")')
        self.t.keys("Enter")
        self.t.see("there is no request 'fly'")
        self.t.see("┌ runs: 2")
        path = os.path.join(self.t.home, "picture.txt")
        self.t.type(":snapshot " + path)
        self.t.keys("Enter")
        self.t.see("saved as")
        with open(path, encoding="utf-8") as f:
            picture = f.read()
        self.assertIn("┌ runs: 2", picture)
        self.assertEqual(picture.count("\n"), 24)
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
