#!/usr/bin/python3
"""Every key of every view, from the program's own tables: what it does is seen each time.

EFFECTS says, for every request of every context of the tables in src/tui/views and src/tui/shell/keys.c, how to see
that a key did it. A key in a table that is not here makes the test of its view fail.
"""
import os
import re
import subprocess
import unittest

from workbench import DATA, ROOT, SLOW, TAMIS, Workbench, wait_for

NAMES = {"TK_UP": "Up", "TK_DOWN": "Down", "TK_LEFT": "Left", "TK_RIGHT": "Right",
         "TK_HOME": "Home",
         "TK_END": "End", "TK_PAGE_UP": "PPage", "TK_PAGE_DOWN": "NPage", "TK_SHIFT_LEFT": "S-Left",
         "TK_SHIFT_RIGHT": "S-Right", "TK_TAB": "Tab", "TK_BACKTAB": "BTab",
         "TK_BACKSPACE": "BSpace",
         "TK_DELETE": "Delete", "TK_INSERT": "Insert", "TK_F1": "F1", "TK_ESC": "Escape",
         "TK_ENTER": "Enter", "TK_CLICK": "\x1b[<0;5;5M\x1b[<0;5;5m", "TK_DRAG": "\x1b[<32;9;6M",
         "TK_RELEASE": "\x1b[<0;9;6m", "TK_WHEEL_UP": "\x1b[<64;5;5M",
         "TK_WHEEL_DOWN": "\x1b[<65;5;5M"}
with open(os.path.join(ROOT, "src/tui/shell/view_rows.h"), encoding="utf-8") as table_of_views:
    VIEW_KEYS = dict(re.findall(r"^    X\((\w+), \w+, '(.)',", table_of_views.read(), re.M))
VIEWS = list(VIEW_KEYS)
CONTEXTS = [*VIEWS, "PLOT", "PAGER"]
READY = {"RACE": "wins with", "SWEEPS": r"8 of 8 runs",
         "SCREEN": r"┌ step \d+ of", "PATH": "order of entry",
         "DATA": "┌ data: "}  # their contents are worked out first


def key_name(text):
    if text in NAMES:
        return NAMES[text]
    control = re.fullmatch(r"\(\('(.)'\)-64\)", text)
    if control:
        return "C-" + control.group(1).lower()
    letter = re.fullmatch(r"'(.)'", text).group(1)
    return "Space" if letter == " " else letter


def rows(path, name):
    """(request, key) of the rows of a table of keys, as the preprocessor has them."""
    source = subprocess.run([os.environ.get("CC", "cc"), "-E", "-P", "-Iinclude", "-Isrc", path],
                            cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout
    body = re.search(r"const key_row %s\[\] = \{(.*?)\n?\};" % name, source, re.S).group(1)
    body, end = body[:body.rindex("{{0}")], body[body.rindex("{{0}"):]
    assert re.sub(r"\s", "", end).startswith("{{0},REQ_NONE,"), "%s of %s has no end" % (name, path)
    lines = re.findall(r"\{\s*\{([^{}]+)\},\s*(REQ_\w+(?: \+ \w+)?),", body)
    assert len(lines) == body.count("REQ_") - body.count("REQ_VIEW + VIEW_") + \
        len(re.findall(r"REQ_VIEW \+ VIEW_", body)), "a line of %s was not understood" % path
    return [(request.removeprefix("REQ_"), key_name(key))
            for keys, request in lines
            for key in re.findall(r"\(\('.'\)-64\)|'.'|[A-Z_0-9]+", keys)]


def own_file(view):
    """The file of a view: in the room of the views, or in a room of its own."""
    path = "src/tui/views/%s.c" % view
    if os.path.exists(os.path.join(ROOT, path)):
        return path
    return "src/tui/views/%s/%s.c" % (view, view)


def table():
    """(context, request, key) of every line; context "ALL" for those of everywhere."""
    parts = [(view, own_file(view.lower()), "keys") for view in VIEWS]
    parts += [(where, "src/tui/shell/keys.c", name)
              for where, name in (("PLOT", "keys_plot"), ("PAGER", "keys_pager"),
                                  ("ALL", "keys_general"))]
    return [(where, *row) for where, path, name in parts for row in rows(path, name)]


CHANGES = object()  # something on the screen is another one afterwards, colours included
ANSWERS = object()  # nothing is to be seen; the program goes on


class Effect:
    """Keys that come before and after the key; what is seen then ("!": what is gone); keys that
    undo it."""

    def __init__(self, see, before=(), then=(), undo=()):
        self.see, self.before, self.then, self.undo = see, before, then, undo


ratio = ("g", "j", "j", "Delete")  # the row lambda_ratio, at its default
SLICES = (":", "shape grid:3x9x113", "Enter", "g")  # the first level is in the first slice
LINES = (":", "shape", "Enter")
SEARCH = ("/", "C-u", "l", "i", "n", "e", "Space", "1", "Enter")
PLOT_KEY = Effect("zoomed", then=["+"], undo=["0", "Escape"])
EFFECTS = {
    "EXPLORE": {
        "UP": Effect(r"lambda +‹", ratio), "DOWN": Effect(r"screen +‹", ratio),
        "PAGE_UP": Effect(r"method +‹", ratio), "PAGE_DOWN": Effect(r"intercept +‹", ratio),
        "LEFT": Effect(r"lambda_ratio +‹ ?0\.08 ?›", ratio),
        "RIGHT": Effect(r"lambda_ratio +‹ ?0\.125 ?›", ratio),
        "LESS": Effect(r"lambda_ratio +‹ ?0\.01 ?›", ratio),
        "MORE": Effect(r"lambda_ratio +‹ ?1 ?›", ratio),
        "EDIT": Effect(r"^lambda_ratio =", ratio, undo=["Escape"]),
        "UNSET": Effect(r"lambda_ratio +‹ ?0\.1 ?›", [*ratio, "Left", "Left"]),
        "UNDO": Effect("lambda_ratio is 0.1 again", [*ratio, "Left"]),
        "ZOOM": Effect("!┌ active set", undo=["Escape"]),
        "LOG_TIME": Effect(CHANGES, undo=["x"]),
        "COLD": Effect(CHANGES), "USE": Effect(CHANGES), "PAUSE": Effect(ANSWERS),
        "PIN": Effect("pinned as", undo=["U"]), "UNPIN": Effect("is off again", ["P"]),
        "PLOT": PLOT_KEY,
        "QUANTITY": Effect("┌ test (?!accuracy)[a-z]"),
    },
    "RUNS": {
        "UP": Effect("┌ by none ", ["G", "k"]), "DOWN": Effect("┌ by saif ", ["G", "k"]),
        "PAGE_UP": Effect("┌ auto ", ["G"]), "PAGE_DOWN": Effect("┌ by saif ", ["g"]),
        "PAUSE": Effect(r"long +paused", ["g", "j", "j"], undo=["Space"]),
        "CANCEL": Effect(r"long +cancelled", ["g", "j", "j"]),
        "DELETE": Effect("u brings it back", ["G"], undo=["u"]),
        "UNDO": Effect("by saif is back", ["G", "Delete"]),
        "MARK": Effect("1 marked", ["G"], undo=["BSpace"]),
        "UNSET": Effect("!marked", ["G", "x"]),
        "ORDER": Effect("by name", undo=["o"] * 7), 
        "REVERSE": Effect(r"by saif[^\n]*\n[^\n]*by gap", undo=["O"]),
        "FIND": Effect("show runs that match:", undo=["Escape"]),
        "SHOW_PATH": Effect("step 1 of", ["G"], undo=["2"]),
        "SHOW_SCREEN": Effect("step 1 of", ["G"], undo=["2"]),
    },
    "PATH": {
        "UP": Effect(CHANGES, ["g", "j"]), "DOWN": Effect(CHANGES, ["g"]),
        "PAGE_UP": Effect(CHANGES, ["G"]), "PAGE_DOWN": Effect(CHANGES, ["g"]),
        "LEFT": Effect(CHANGES, ["L"]), "RIGHT": Effect(CHANGES, ["H", "H", "H", "H"]),
        "LESS": Effect(CHANGES, ["L", "L"]), "MORE": Effect(CHANGES, ["H", "H", "H", "H"]),
        "ALONE": Effect("alone", ["g"], undo=["Escape"]),
        "MARK": Effect("1 marked", ["g"], undo=["BSpace"]),
        "UNSET": Effect("!marked", ["g", "Space"]),
        "SAVE": Effect("^save the features as:", undo=["Escape"]),
        "USE": Effect(r"┌ walk: \d+ of 5", undo=["o"]),
        "ARRANGE": Effect(r"┌ \d+ features: ", undo=["x"]),
        "NEXT": Effect(CHANGES, SLICES, undo=LINES),
        "PREVIOUS": Effect(CHANGES, SLICES + ("n", "n"), undo=LINES),
        "PLOT": Effect(CHANGES, then=["+"], undo=["0", "Escape"]),
    },
    "SCREEN": {
        "UP": Effect(CHANGES, ["Down"]), "DOWN": Effect(CHANGES, ["Up", "Up"]),
        "PAGE_UP": Effect(CHANGES, ["NPage"]), "PAGE_DOWN": Effect(CHANGES, ["PPage", "PPage"]),
        "LEFT": Effect("┌ step 1 of", ["g", "l"]), "RIGHT": Effect("┌ step 2 of", ["g"]),
        "LESS": Effect(CHANGES, ["G"]), "MORE": Effect(CHANGES, ["g"]),
        "FIRST": Effect("┌ step 1 of", ["G"]), "LAST": Effect(CHANGES, ["g"]),
        "PAUSE": Effect("playing|┌ step [2-9]", ["g"], undo=["g"]),
        "FASTER": Effect("steps? a second"), "SLOWER": Effect("steps? a second"),
        "STRATEGY": Effect(r"┌ (?!auto)\w+: bounds of"),
        "USE": Effect(CHANGES), "PLOT": Effect(CHANGES, then=["+"], undo=["0", "Escape"]),
        "ZOOM": Effect("!bounds of", undo=["z"]),
        "EXPLAIN": Effect("has the weight|excluded", ["G"]),
        "FIND": Effect("^feature:", undo=["Escape"]),
        "NEXT": Effect(CHANGES, ["G", "/", "C-u", "X", "1", "Enter"]),
        "PLANE": Effect(r"┌ \S+ in step", undo=["Enter"]),
        "LAMBDA_LESS": Effect(CHANGES, undo=["0"]),
        "LAMBDA_MORE": Effect(CHANGES, undo=["0"]),
        "RESET": Effect(CHANGES, ["["]),
    },
    "DATA": {
        "UP": Effect(CHANGES, ["g", "j"]), "DOWN": Effect(CHANGES, ["g"]),
        "PAGE_UP": Effect(CHANGES, ["G"]), "PAGE_DOWN": Effect(CHANGES, ["g"]),
        "ORDER": Effect("as in the data", undo=["o"]),
        "FIND": Effect("^feature:", undo=["Escape"]),
        "NEXT": Effect(CHANGES, ["/", "C-u", "X", "1", "Enter"]),
    },
    "LUA": {
        "UP": Effect(CHANGES, ["G"]), "DOWN": Effect(CHANGES, ["g"]),
        "PAGE_UP": Effect(CHANGES, ["G"]), "PAGE_DOWN": Effect(CHANGES, ["g"]),
        "FIND": Effect("^search:", undo=["Escape"]),
        "NEXT": Effect(CHANGES, ["g", *SEARCH]), "PREVIOUS": Effect(CHANGES, ["g", *SEARCH]),
    },
    "PLOTS": {
        "LEFT": Effect("plot 1 of 2", ["G"]), "RIGHT": Effect("plot 2 of 2", ["g"]),
        "SAVE": Effect("^save as:", undo=["Escape"]),
        "DELETE": Effect(r"drop this plot\?", undo=["Escape"]), "PLOT": PLOT_KEY,
    },
    "SWEEPS": {
        "UP": Effect(r"alpha=1, lambda_ratio=0\.5", ["g", "j"]),
        "DOWN": Effect(r"alpha=0\.5, lambda_ratio=0\.5", ["g"]),
        "PAGE_UP": Effect(r"alpha=1, lambda_ratio=0\.5", ["G"]),
        "PAGE_DOWN": Effect(r"alpha=0\.5, lambda_ratio=0\.5", ["g"]),
        "LEFT": Effect(r"alpha=1, lambda_ratio=0\.5", ["g", "Right"]),
        "RIGHT": Effect(r"alpha=1, lambda_ratio=0\.1", ["g", "h"], undo=["Left"]),
        "SHOW_PATH": Effect(r"┌ runs of alpha=1, lambda_ratio=0\.5", ["g"], undo=["Escape"]),
        "ARRANGE": Effect("accuracy ─", undo=["x"] * 3),
        "QUANTITY": Effect("net: nnz", undo=["v"] * 4),
        "ZOOM": Effect("!by features", undo=["z", "z"]), "USE": Effect("there is one sweep alone"),
        "PAUSE": Effect(ANSWERS), "PLOT": Effect(CHANGES, then=["+"], undo=["0", "Escape"]),
    },
    "RACE": {
        "UP": Effect(CHANGES, ["g", "j"]), "DOWN": Effect(CHANGES, ["g"]),
        "PAGE_UP": Effect(CHANGES, ["G"]), "PAGE_DOWN": Effect(CHANGES, ["g"]),
        "COLD": Effect("wins with"), "ARRANGE": Effect(CHANGES, undo=["x"]),
        "CANCEL": Effect("the race is over"),
    },
    "LESSONS": {
        "UP": Effect(CHANGES, ["g", "Right", "Right", "Down"]),
        "DOWN": Effect(CHANGES, ["g", "Right", "Right"]),
        "ANSWER": Effect("^your answer:", ["g", "Right"], undo=["Escape"]),
        "MARK": Effect(r"\[x\] 1", ["g", "Right", "Right", "Right"]),
        "RIGHT": Effect("┌ step 2 of 5", ["g"]), "LEFT": Effect("┌ step 1 of 5", ["g", "Right"]),
        "AGAIN": Effect(r"┌ step 1 of 3: gap",
                        ["G", "see step 5 of 5", "gone step 1 of 3", "g", "see step 1 of 3: gap",
                         "C-w", "G", "see step 3 of 3", "C-w"]),  # a late page takes the focus
        "TELL": Effect("The answer: 4", ["g", "Right"]),
        "LESSONS": Effect("┌ the lessons", undo=["o"]),
        "PAGE_UP": Effect(ANSWERS), "PAGE_DOWN": Effect(ANSWERS),  # in test_learn
    },
    "PLOT": {
        "LEFT": Effect(r"│x=\S+"), "RIGHT": Effect(r"│x=\S+"), "LESS": Effect(r"│x=\S+"),
        "MORE": Effect(r"│x=\S+"), "ZOOM_IN": Effect("duality gap, zoomed"),
        "ZOOM_OUT": Effect(CHANGES, ["+", "+"]), "PAN_LEFT": Effect(CHANGES, ["+", "+"]),
        "PAN_RIGHT": Effect(CHANGES, ["+", "+"]), "PAN_UP": Effect(CHANGES, ["+", "+"]),
        "PAN_DOWN": Effect(CHANGES, ["+", "+"]), "RESET": Effect("!zoomed", ["+"]),
        "LOG_X": Effect(CHANGES, undo=["x"]), "LOG_Y": Effect(CHANGES, undo=["y"]),
        "NEXT": Effect("active set, zoomed", then=["+"]),
        "PREVIOUS": Effect("test accuracy, zoomed", then=["+"]),
        "ZOOM": Effect("!┌ active set", undo=["z"]),
        "SAVE": Effect("^save the plot as:", undo=["Escape"]),
        "BACK": Effect("Keys of the explore view", then=["?"], undo=["Escape"]),
    },
    "PAGER": {
        "UP": Effect("lines 1-", ["j"]), "DOWN": Effect("lines 2-"),
        "PAGE_UP": Effect("lines 1-", ["NPage"]), "PAGE_DOWN": Effect("!lines 1-"),
        "FIND": Effect("^search:", undo=["Escape"]),
        "NEXT": Effect(CHANGES, ["/", "C-u", "p", "l", "o", "t", "Enter"]),
        "PREVIOUS": Effect(CHANGES, ["/", "C-u", "p", "l", "o", "t", "Enter"]),
        "BACK": Effect("!help: q closes"),
    },
    "ALL": {
        "WHEEL_UP": Effect(ANSWERS), "WHEEL_DOWN": Effect(ANSWERS), "DRAG": Effect(ANSWERS),
        "RELEASE": Effect(ANSWERS), "CLICK": Effect(r"│x=\S+", undo=["Escape", "0"]),
        "FIRST": Effect(r"method +‹", ratio), "LAST": Effect(CHANGES, ratio),
        "VIEW + VIEW_EXPLORE": Effect("parameters", ["2"]), "VIEW + VIEW_RUNS": Effect("┌ runs: "),
        "VIEW + VIEW_PATH": Effect("order of entry"), "VIEW + VIEW_SCREEN": Effect("┌ step 1 of"),
        "VIEW + VIEW_DATA": Effect("duplicate"), "VIEW + VIEW_LUA": Effect("line 200"),
        "VIEW + VIEW_PLOTS": Effect("plot 2 of 2"), "VIEW + VIEW_SWEEPS": Effect("no sweep yet"),
        "VIEW + VIEW_RACE": Effect("┌ race: "), "VIEW + VIEW_LESSONS": Effect("┌ the lessons"),
        "SPLIT": Effect(CHANGES, undo=["|", "|"]),
        "OTHER": Effect("Keys of the (?!explore)", ["|"], then=["?"],
                        undo=["Escape", "C-w", "|", "|"]),
        "PALETTE": Effect("what to do", undo=["Escape"]),
        "VIEW_NEXT": Effect("┌ runs: "), "VIEW_PREVIOUS": Effect("┌ the lessons"),
        "PROMPT": Effect("^tm> x", then=["x"], undo=["C-u", "Escape"]),
        "SEARCH": Effect("reverse-i-search", undo=["C-c", "Escape", "Escape"]),
        "COMMAND": Effect("^tm> :", undo=["C-u", "Escape"]),
        "BACK": Effect(r"lambda_ratio +‹ ?0\.08 ?›", [*ratio, ">"], then=["Left"]),
        "INTERRUPT": Effect("nothing is running"), "REPAINT": Effect(ANSWERS),
        "SUSPEND": Effect("Stopped", undo=["f", "g", "Enter"]),
        "HELP": Effect("help: q closes", undo=["Escape"]),
        "TIME_BACK": Effect(r"^ ‖ .* of .* s, x1", undo=["Escape"]),
        "TIME_ON": Effect(r"^ ‖ .* of .* s, x1", undo=["Escape"]),
        "TIME_PLAY": Effect(r"^ ▶ .* of .* s, x1", undo=["Escape"]),
        "TIME_SLOWER": Effect("x0.5", undo=["Escape"]),
        "TIME_FASTER": Effect("x2", undo=["Escape"]),
        "SCRIPT": Effect("tamis fit .*--holdout", undo=["Escape"]),
        "QUIT": Effect(r"ready\$ *$"),
    },
}


class Keys(Workbench):
    size = (120, 30)

    def prepare(self, context):
        """Runs, a path, data to explore, figures and output; the newest run goes on for a while."""
        self.start_solved()
        long_run = ('tm.lasso(tm.synth("saif", {n=300, p=20000, k=100, seed=1}), '
                    '{lambda_ratio=1e-4, '
                    'tol=1e-15, screen="none", name="long"})') if context == "RUNS" else ""
        self.t.type('>d = tm.load("%s"); for _, k in ipairs{"saif", "gap", "none"} do '
                    'r = tm.lasso(d, {screen=k, lambda_ratio=0.05, name="by " .. k}):wait() end '
                    'tm.path(d, "lasso", {lambdas=5, name="walk"}):wait() %s '
                    'for i = 1, 2 do tm.plot{runs={r}, y="gap"}:show() end '
                    'for i = 1, 200 do print("line " .. i) end' % (DATA, long_run))
        self.t.keys("Enter")
        self.t.see("^line 200")
        self.t.see("plot 2 of 2")
        self.t.keys("Escape", "Escape")
        if context == "LESSONS":
            self.start_lesson()
        if context == "SWEEPS":
            self.t.type('>s = tm.sweep{data=d, method="l1logistic", folds=2, name="net", '
                        'grid={lambda_ratio={0.5, 0.1}, alpha={1, 0.5}}}')
            self.t.keys("Enter", "Escape", "Escape")

    def start_lesson(self):
        """In the place of the other workbench, whose key * shows the list of lessons."""
        self.quit()
        self.t.command("%s learn %s" % (TAMIS, os.path.join(ROOT, "tests/lessons/format.lua")))
        self.t.see("┌ step 1 of 5")

    def press(self, *keys):
        for key in keys:
            if key.startswith("see "):
                self.t.see(key[4:])
            elif key.startswith("gone "):
                self.t.see_gone(key[5:])
            elif key.startswith("\x1b"):
                self.t.type(key)
            else:
                self.t.keys(key)

    def enter(self, context):
        self.press("Escape")
        if context in VIEWS:
            self.press(VIEW_KEYS[context])
            if context in READY:
                self.t.see(READY[context])
        else:
            self.press("1")
        if context == "PLOT":
            self.press("c", "0")
        elif context == "PAGER":
            self.press("?")

    def see(self, effect, before, key):
        if effect.see is ANSWERS:
            self.t.see(r"^tm> *$|^tm>   ")
        elif effect.see is CHANGES:
            wait_for("a change after %s on\n%s" % (key, self.t.text()),
                     lambda: self.t.text(colours=True) != before)
        elif effect.see.startswith("!"):
            self.t.see_gone(effect.see[1:])
        else:
            self.t.see(effect.see)

    def check(self, context):
        pressed = 0
        wanted = [(request, key) for where, request, key in table() if where == context]
        self.assertTrue(wanted)
        for request, _ in wanted:
            self.assertIn(request, EFFECTS[context],
                          "no test of %s in %s: say in EFFECTS what is to be seen" % (request,
                                                                                      context))
        wanted.sort(key=lambda item: item[0] in ("CANCEL", "QUIT"))  # nothing goes on after these
        self.prepare(context)
        for request, key in wanted:
            effect = EFFECTS[context][request]
            if request == "QUIT" and pressed and not re.search("1:explore", self.t.text()):
                self.start_solved()
            self.enter(context)
            self.press(*effect.before)
            before = self.t.settled_colours() if effect.see is CHANGES else ""
            try:
                self.press(key, *effect.then)
                self.see(effect, before, key)
            except AssertionError as error:
                raise AssertionError("%s (%s) in %s: %s" % (key, request, context, error)) from None
            self.press(*effect.undo)
            pressed += 1
        self.assertEqual(pressed, len(wanted))
        if context != "ALL":
            self.quit()

    def test_every_key_of_the_explore_view(self):
        self.check("EXPLORE")

    def test_every_key_of_the_runs_view(self):
        self.check("RUNS")

    def test_every_key_of_the_path_view(self):
        self.check("PATH")

    def test_every_key_of_the_screen_view(self):
        self.check("SCREEN")

    def test_every_key_of_the_data_view(self):
        self.check("DATA")

    def test_every_key_of_the_lua_view(self):
        self.check("LUA")

    def test_every_key_of_the_plots_view(self):
        self.check("PLOTS")

    def test_every_key_of_the_sweeps_view(self):
        self.check("SWEEPS")

    def test_every_key_of_the_race_view(self):
        self.check("RACE")

    def test_every_key_of_the_lessons_view(self):
        self.check("LESSONS")

    def test_every_key_in_a_plot(self):
        self.check("PLOT")

    def test_every_key_of_the_pager(self):
        self.check("PAGER")

    def test_every_key_of_everywhere(self):
        self.check("ALL")

    def test_no_context_is_left_out(self):
        self.assertEqual({where for where, _, _ in table()}, {*CONTEXTS, "ALL"})


if __name__ == "__main__":
    unittest.main(verbosity=1)
