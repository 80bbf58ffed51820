#!/usr/bin/python3
"""tamis learn without a terminal: what the lessons claim is what they print."""
import math
import re
import unittest

from tamis_cli import ROOT, Case, environment, tamis

LESSONS = ["path", "gap", "dual", "screening", "unsafe", "vi", "saif", "features", "planes",
           "measures", "structure", "kernels", "samples"]


class Lessons(Case):
    told = {}  # by lesson: what it prints

    def lesson(self, name):
        if name not in self.told:
            self.told[name] = self.good("learn", name)
        return self.told[name]

    def rows(self, text, *columns):
        """The rows of the table with these columns, as dictionaries of text."""
        lines = text.splitlines()
        at = next(i for i, line in enumerate(lines) if line.split() == list(columns))
        rows = []
        for line in lines[at + 1:]:
            if len(line.split()) != len(columns):
                break
            rows.append(dict(zip(columns, line.split())))
        return rows

    def test_the_list_has_every_file_with_its_title(self):
        out = self.good("learn")
        self.assertEqual(re.findall(r"^ +\d+  (\w+)", out, re.M), LESSONS)
        files = sorted((ROOT / "examples/lessons").glob("*.lua"))
        self.assertEqual(sorted(path.stem for path in files), sorted(LESSONS))
        for path in files:
            title = path.read_text().splitlines()[0].removeprefix("-- ")
            self.assertRegex(out, rf"\b{path.stem} +{re.escape(title)}\n")

    def test_lessons_end_and_name_the_next(self):
        for number, name in enumerate(LESSONS, 1):
            with self.subTest(name):
                out = self.lesson(name)
                self.assertIn(f"That was lesson {number} of {len(LESSONS)}.", out)
                following = LESSONS[number:number + 1]
                self.assertEqual(re.findall(r"tamis learn (\w+)$", out, re.M), following)

    def test_by_number(self):
        def timeless(text):  # without times and the plots over them
            return re.findall(r"(?m)^    \S.*", text)
        self.assertEqual(timeless(self.good("learn", 1)), timeless(self.lesson("path")))

    def test_lessons_fit_a_terminal(self):
        """What is read and the Lua that is shown, not the tables of all there is."""
        for path in (ROOT / "examples/lessons").glob("*.lua"):
            shown, hidden = [], False
            for line in path.read_text().splitlines():
                hidden = line == "---" or hidden and not line.startswith("-- ")
                shown += ["    " + line] if not hidden and not line.startswith("--") else []
            out = self.lesson(path.stem)
            for line in shown:
                self.assertLessEqual(len(line), 84, path.stem)
                self.assertIn(line.rstrip(), out)

    def test_a_lesson_is_a_script_too(self):
        for name in ("dual", "path", "samples"):
            self.good("run", ROOT / f"examples/lessons/{name}.lua")

    def test_gap(self):
        """The lasso on three rows, by hand: w = (5/4, 0), P = D = 15/16."""
        out = self.lesson("gap")
        row = r"^w = \( *(\S+), +(\S+)\)   P = (\S+)   D = (\S+)   gap (\S+)$"
        found = re.findall(row, out, re.M)
        self.assertEqual(len(found), 5)
        for words in found:
            w1, w2, primal, dual, gap = map(float, words)
            r = (2 - w1, -w2, 1 - w1 - w2)
            expected = sum(v * v for v in r) / 2 + (abs(w1) + abs(w2)) / 2
            self.assertAlmostEqual(primal, expected, delta=1e-4)
            self.assertLessEqual(dual, 0.9375 + 1e-4)
            self.assertAlmostEqual(gap, primal - dual, delta=2e-4)
        self.assertIn("primal 0.9375   dual 0.9375", out)
        off = re.findall(r"^tol \S+ +gap (\S+), really off by (\S+)$", out, re.M)
        self.assertEqual(len(off), 4)
        for gap, really in off:
            self.assertLessEqual(float(really), float(gap) + 1e-9)

    def test_screening(self):
        out = self.lesson("screening")
        rows = self.rows(out, "name", "nnz", "columns", "updates", "seconds")
        self.assertEqual([row["name"] for row in rows], ["none", "gap", "saif", "auto"])
        self.assertEqual(len({row["nnz"] for row in rows}), 1)
        columns = [int(row["columns"]) for row in rows]
        self.assertEqual(columns, sorted(columns, reverse=True))
        unsafe = self.lesson("unsafe")
        self.assertRegex(unsafe, r"(?m)^strong +converged ")
        self.assertRegex(unsafe, r"(?m)^strong_once +max_iter .* worst gap 0\.")

    def test_path(self):
        out = self.lesson("path")
        path, alone = map(int, re.search(r"path (\d+), its last lambda alone (\d+)", out).groups())
        self.assertLess(path, 2 * alone)
        (few, small), (many, best) = [(int(a), float(b)) for a, b in
                                      re.findall(r": +(\d+) features, 15 true, test r2 (\S+)", out)]
        self.assertLess(few, many)
        self.assertGreater(best, small)
        retrained = float(re.search(r"test r2 retrained\s+(\S+)", out).group(1))
        self.assertGreater(retrained, best)

    def test_features(self):
        rows = self.rows(self.lesson("features"), "place", "feature", "score", "true_one")
        self.assertEqual(len(rows), 15)
        self.assertGreaterEqual([row["true_one"] for row in rows[:7]].count("yes"), 6)

    def test_measures(self):
        out = self.lesson("measures")
        scores = dict(re.findall(r"^(errors|f1) +\d+ features   (.*)$", out, re.M))
        self.assertRegex(scores["errors"], r"accuracy 0\.98\d   f1 0\.000")
        self.assertGreater(float(re.search(r"f1 (\S+)", scores["f1"]).group(1)), 0.4)
        chosen = {int(row["feature"]) for row in self.rows(out, "feature", "name", "weight")}
        self.assertLessEqual(chosen, set(range(1, 14)))

    def test_numbers_in_texts_are_computed(self):
        """What stands in a text as a number and not in braces is a formula's or a citation's."""
        allowed = re.compile(r"1/2|\(1 \+ epsilon\)|1 /|l1\b|l2\b|F1\b|X[12]\b|w_?\d|theta_\d|"
                             r"lambda_\d|table 2\.1|figure 1\b|rec@2p|\|\^2|sqrt\(2 gap\)|>= 0|<= 1|"
                             r"< 1|distance 1 /|models\[\d+\]|lambda_ratio = [\d.]+|B = \d+|"
                             r"C_per_row = [\d.]+|"
                             r"\"poly2\"|\br2\b|f1\b|l1svm")
        for name in LESSONS:
            for line in (ROOT / f"examples/lessons/{name}.lua").read_text().splitlines():
                if line.startswith("-- ") and not line.startswith("--   "):  # those are formulas
                    text = allowed.sub("", re.sub(r"\{[^{}]*(\{[^{}]*\}[^{}]*)*\}", "", line))
                    self.assertNotRegex(text, r"\d", f"{name}: {line}")

    def test_dual(self):
        """The lesson's numbers by an own computation: ball, bound, optimum of two samples."""
        x = [(1.0, 0.2), (0.8, 0.7), (-0.6, 0.7), (0.5, -0.3)]
        out = self.lesson("dual")
        for (a, b), found in zip(x, re.findall(r"length (\d\S+)   line at (\S+)", out)):
            self.assertAlmostEqual(float(found[0]), math.hypot(a, b), delta=6e-4)
            self.assertAlmostEqual(float(found[1]), 1 / math.hypot(a, b), delta=6e-4)
        top = max(abs(a * 1.0 + b * 0.6) for a, b in x)  # all weights zero: theta is y / lambda_max
        scale = 0.6 / top
        gap = (1 + 0.36) / 2 * (1 - scale) ** 2
        radius = float(re.search(r"^radius\s+(\S+)$", out, re.M).group(1))
        self.assertLess(radius, math.sqrt(2 * gap) / 0.6 + 1e-9)  # after an epoch, no larger
        products = re.findall(r"\|x'theta\| = (\d\S+)   weight +(\S+)", out)
        for product, weight in products:
            self.assertEqual(float(weight) != 0, abs(float(product) - 1) < 1e-4)

    def test_a_check_is_no_progress(self):
        """How far someone has come is not what a check has run."""
        state = self.folder / "state"
        done = tamis("learn", "--check", ROOT / "examples/lessons/gap.lua",
                     env=environment(XDG_STATE_HOME=str(state)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([path.name for path in state.rglob("progress")], [])

    def test_check(self):
        """Every step of every lesson runs in the workbench, every question's answer is right."""
        out = self.good("learn", "--check")
        ends = re.findall(r"^(\w+): \d+ steps, \d+ questions, (.*)$", out, re.M)
        self.assertEqual(ends, [(name, "all well") for name in LESSONS])

    def test_check_says_what_is_wrong(self):
        for code, said in (("x = y.z", "attempt to index"), ("tm.show{view='nowhere'}", "no view"),
                           ("tm.show{vie='screen'}", "there is no 'vie'"),
                           ("tm.ask{question='a'}", "one of number, choices and mark"),
                           ("tm.ask{question='{q}', number=1}", "in the text is nil"),
                           ("tm.ask{question='a', number=1, wrong='{q}'}", "in the text is nil"),
                           ("tm.ask{question='a', choices={'b'}, answer=1}", "two or more"),
                           ("tm.ask{question='a', mark={'b'}, answer={'c'}}", "none of what"),
                           ("tm.ask{question='a', number=1, within=9}", None),
                           ("tm.show{rule='sief'}", "no rule"), ("tm.show{view='data', step=1}",
                                                                  "the data view has no"),
                           ("tm.show{view='screen', step=99}", "step is|has no run|no screen log"),
                           ("for", "near")):
            path = self.write("wrong.lua", f"-- Title\n--\n-- Text.\n---\n{code}\n")
            run = tamis("learn", "--check", path)
            self.assertEqual(run.returncode, 1 if said else 0, code + run.stdout)
            self.assertRegex(run.stdout, said or "all well", code)
        untitled = self.write("w.lua", "x = 1\n")
        self.assertRegex(tamis("learn", "--check", untitled).stdout, "no title")

    def test_check_names_the_line(self):
        """Of lessons that are broken in ten ways: where, what, and nothing of the runner itself."""
        solve = "d = tm.synth('saif', {n=20, p=10, k=2})\n" \
            "r = tm.lasso(d, {lambda_ratio=0.3, screen='gap'}):wait()\n"
        for text, said in (
                ("-- Text {nothing}.\n", r"line 1: '\{nothing\}' in the text is nil"),
                ("-- Text {1 +}.\n", r"line 1: '\{1 \+\}' in the text is no Lua"),
                ("-- Unclosed {x and on.\n", r"line 1: '\{x and on\.' .* a brace without the other"),
                ("-- Text {x:%d}.\n---\nx = 'word'\n", r"line 1: .*number expected, got string"),
                ("-- Text.\nfor i = 1, 2 do\n print(i)\n", r"broken\.lua:6: 'end' expected"),
                ("-- Text.\nx = 1\ny = x.z.w\n", r"broken\.lua:5: attempt to index"),
                ("-- Text.\n---\ntm.ask{question='q', choices={'a', 'b'}, answer=3}\n",
                 r"broken\.lua:5: tm\.ask: answer is"),
                ("-- Text.\n---\n" + solve + "tm.show{view='screen', run=r, step=99}\n",
                 r"broken\.lua:7: tm\.show: step is 1 to \d+"),
                ("-- Text.\n---\n" + solve +
                 "tm.ask{question='q', number=1, truth={view='screen', run=r, feature=11}}\n",
                 r"broken\.lua:7: tm\.show: this step did not look at feature 11"),
                ("-- Text.\n---\n\ntm.show{view='nowhere'}\n", r"broken\.lua:6: there is no view")):
            path = self.write("broken.lua", "-- Title\n--\n" + text)
            run = tamis("learn", "--check", path)
            self.assertEqual(run.returncode, 1, text + run.stdout)
            self.assertRegex(run.stdout, said)
            self.assertNotRegex(run.stdout, r"lessons:\d+")
            self.assertRegex(run.stdout, r"1 steps, \d questions, 1 failed")

    def test_plane_and_lambda_are_shown(self):
        solve = "d = tm.synth('saif', {n=20, p=10, k=2})\n" \
            "r = tm.lasso(d, {lambda_ratio=0.3, screen='gap'}):wait()\n"
        for show, said in (("step=2, feature=3, plane=true", None),
                           ("lambda=r.lambda / 2, step='last'", None),
                           ("lambda=0", "lambda is a number above 0"),
                           ("lambda='x'", "lambda is a number above 0")):
            path = self.write("shown.lua", "-- Title\n--\n-- Text.\n---\n" + solve +
                              "tm.show{view='screen', run=r, %s}\n" % show)
            run = tamis("learn", "--check", path)
            self.assertEqual(run.returncode, 1 if said else 0, show + run.stdout)
            self.assertRegex(run.stdout, said or "all well", show)

    def test_the_format(self):
        out = self.good("learn", ROOT / "tests/lessons/format.lua")
        for words in ("Text with a value: 2, 3.142, {braces}.", "\n    a line as it is\n",
                      "\nprinted\t50\n", "not shown: 200.", "The answer: 4. 4 of 200.",
                      "The answer: 3. 3 is.", "The answer: 2, 4. Both of them."):
            self.assertIn(words, out)
        self.assertNotIn("hidden", out)

    def test_wrong_words(self):
        self.fails(2, "learn", "gp", says="did you mean 'gap'?")
        self.fails(2, "learn", "14", says="'tamis learn --print' lists them")
        self.fails(2, "learn", "0", says="no lesson '0'")
        self.fails(2, "learn", "gap", "path", says="one lesson at a time")
        self.assertIn("learn [LESSON", self.good("learn", "--help"))
        self.assertIn("learn [LESSON", self.good("--help"))


if __name__ == "__main__":
    unittest.main()
