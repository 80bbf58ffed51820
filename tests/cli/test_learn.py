#!/usr/bin/python3
"""tamis learn without a terminal: what the lessons claim is what they print."""
import re
import unittest

from tamis_cli import ROOT, Case

LESSONS = ["first", "gap", "screening", "path", "features", "measures"]


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
        self.assertEqual(re.findall(r"^  \d  (\w+)", out, re.M), LESSONS)
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
        self.assertEqual(timeless(self.good("learn", 4)), timeless(self.lesson("path")))

    def test_lessons_fit_a_terminal(self):
        """What is read and the Lua that is shown, not the tables of all there is."""
        for path in (ROOT / "examples/lessons").glob("*.lua"):
            shown = ["    " + line for line in path.read_text().splitlines()
                     if not line.startswith("--")]
            out = self.lesson(path.stem)
            for line in shown:
                self.assertLessEqual(len(line), 84, path.stem)
                self.assertIn(line.rstrip(), out)

    def test_every_lesson_is_a_script_too(self):
        for name in LESSONS:
            self.good("run", ROOT / f"examples/lessons/{name}.lua")

    def test_gap(self):
        """The lasso on three rows, by hand: w = (5/4, 0), P = D = 15/16."""
        out = self.lesson("gap")
        found = re.findall(r"^w = \( *(\S+), +(\S+)\)   P = (\S+)   D = (\S+)   gap (\S+)$", out,
                           re.M)
        self.assertEqual(len(found), 5)
        for words in found:
            w1, w2, primal, dual, gap = map(float, words)
            r = (2 - w1, -w2, 1 - w1 - w2)
            self.assertAlmostEqual(primal, sum(v * v for v in r) / 2 + (abs(w1) + abs(w2)) / 2,
                                   delta=1e-4)
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
        self.assertRegex(out, r"(?m)^strong +converged ")
        self.assertRegex(out, r"(?m)^strong_once +max_iter .* worst gap 0\.")

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
        self.assertRegex(scores["errors"], r"accuracy 0\.927   f1 0\.000")
        self.assertGreater(float(re.search(r"f1 (\S+)", scores["f1"]).group(1)), 0.5)
        chosen = {int(row["feature"]) for row in self.rows(out, "feature", "name", "weight")}
        self.assertLessEqual(chosen, set(range(1, 14)))

    def test_wrong_words(self):
        self.fails(2, "learn", "gp", says="did you mean 'gap'?")
        self.fails(2, "learn", "7", says="'tamis learn' lists them")
        self.fails(2, "learn", "0", says="no lesson '0'")
        self.fails(2, "learn", "gap", "path", says="one lesson at a time")
        self.assertIn("learn [LESSON", self.good("learn", "--help"))
        self.assertIn("learn [LESSON", self.good("--help"))


if __name__ == "__main__":
    unittest.main()
