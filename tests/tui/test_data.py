#!/usr/bin/python3
"""The data view."""
import os
import re
import unicodedata
import unittest

from workbench import Workbench


class Data(Workbench):
    def open(self, arguments=None):
        self.start(arguments)
        self.t.see(r"0 running [2-9]\d* done")
        self.t.keys("5")
        self.t.see(r"duplicate +\d+ column")

    def listed(self):
        return re.findall(r"││(\S.*?) +([+-]\d\.\d{3}|constant)", self.t.text())

    def small(self):
        """A file with a constant and a repeated column, and known correlations."""
        return self.t.file("known.csv", "up,down,flat,noise,again,y\n" + "".join(
            "%d,%d,7,%d,%d,%d\n" % (i, -i, i * 5 % 3, i, 2 * i + 1) for i in range(24)))

    def test_what_a_classified_data_set_is_like(self):
        self.open()
        for part in ("38 rows x 3051 features", "27 train, 11 test", "two classes", "0 columns"):
            self.t.see(part)
        self.t.see(r"-1 +27 ")
        self.t.see(r"│1 +11 ")
        strengths = [abs(float(r)) for _, r in self.listed()]
        self.assertGreater(len(strengths), 15)
        self.assertEqual(strengths, sorted(strengths, reverse=True))
        # The histogram counts every row of each class once.
        rows = re.findall(r"^│ +-?[\d.]+ +(\d+) [█▏▎▍▌▋▊▉]* +(\d+) ", self.t.text(), re.M)
        self.assertEqual([sum(int(r[k]) for r in rows) for k in (0, 1)], [27, 11])
        self.quit()

    def test_constants_repeats_and_correlations(self):
        self.open(self.small())
        self.t.see(r"constant +1 column ")
        self.t.see(r"duplicate +1 column ")
        self.t.see(r"y, a number")
        self.t.see(r"values +from -23 to 23")
        self.t.see(r"missing +none")
        self.t.see(r"again +\+1\.000.*= up")
        self.assertEqual(self.listed(), [("up", "+1.000"), ("down", "-1.000"), ("again", "+1.000"),
                                         ("noise", self.listed()[3][1]), ("flat", "constant")])
        self.t.keys("o")
        self.t.see("as in the data")
        self.assertEqual([name for name, _ in self.listed()],
                         ["up", "down", "flat", "noise", "again"])
        self.quit()

    def test_warnings_are_said(self):
        path = self.t.file("odd.csv", "tiny,big,y\n" + "".join(
            "%s,%d,%d\n" % ("%g" % (1e-8 * (i % 5)), 7 * i % 11, i > 0) for i in range(40)))
        self.open(path)
        self.t.see(r"labels 0 and 1 are read")
        self.t.see(r"class 0 has only 1 of 40 rows")
        self.t.see(r"differ in scale")
        self.quit()

    def test_wide_and_combining_names_keep_the_columns(self):
        path = os.path.join(self.t.home, "wide.csv")
        names = ["漢字の名前がとても長い列です", "e\u0301te\u0301 des e\u0301le\u0300ves", "короткое", "x"]
        with open(path, "w", encoding="utf-8") as f:
            f.write(",".join(names) + ",y\n")
            for i in range(30):
                f.write("%d,%d,%d,%d,%d\n" % (i, i * 7 % 30, i * 11 % 30, i * i % 13,
                                              3 * i + i * 7 % 30 - 2 * (i * 11 % 30)))
        self.open(path)

        def width(line):
            return sum(0 if unicodedata.combining(c) else
                       2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
        for key, seen in (("5", "漢字の名前"), ("3", "漢字の名前"), ("Enter", "alone")):
            self.t.keys(key)
            self.t.see(seen)
            for line in self.t.lines()[1:22]:
                self.assertEqual(width(line), 80, self.t.text())
        self.quit()

    def test_choosing_a_feature(self):
        self.open(self.small())
        self.t.see("┌ up ")
        self.t.keys("j")
        self.t.see("┌ down ")
        self.t.keys("G")
        self.t.see("┌ flat ")
        self.t.see(r"mean 7  sd 0")
        self.t.keys("k", "PPage")
        self.t.see("┌ up ")
        self.t.keys("NPage", "g")
        self.t.keys("/")
        self.t.see(r"^feature:")
        self.t.command("OIS")
        self.t.see("┌ noise ")
        self.t.see(r"feature 4 of 5")
        self.t.keys("o")  # the same feature stays chosen
        self.t.see(r"feature 4 of 5")
        self.t.keys("/", "C-u")
        self.t.command("n")
        self.t.see("┌ again ")
        self.t.keys("n")
        self.t.see("┌ down ")  # around
        self.t.keys("/", "C-u")
        self.t.command("nowhere")
        self.t.see(r'no feature.*"nowhere"')
        self.quit()

    def test_views_by_their_names(self):
        self.open()
        for name, seen in (("path", "order of entry"), ("data", "duplicate"), ("runs", "seconds")):
            self.t.type(":" + name)
            self.t.keys("Enter")
            self.t.see(seen)
            self.t.keys("Escape")
        self.quit()

    def test_tabs_where_there_is_little_room(self):
        self.open()
        self.t.resize(44, 16)
        self.t.see(r"^ 1 2 3 4 5:data 6 7")
        self.t.type("\x1b[<0;6;15M\x1b[<0;6;15m")  # the 3
        self.t.see(r"^ 1 2 3:path 4 5 6 7")
        self.quit()

    def test_it_follows_the_data(self):
        self.open()
        self.t.type(":open " + self.small())
        self.t.keys("Enter")
        self.t.see(r"known +24x5")
        self.t.keys("Escape", "Escape", "5")
        self.t.see("┌ data: known")
        self.t.see(r"24 rows x 5 features")
        self.t.see("┌ up ")
        self.quit()

    def test_closing_while_it_is_worked_out(self):
        self.start("")
        self.t.command(">d = tm.synth('saif', {n=400, p=60000, k=10, seed=1})")
        self.t.see(r"explores it")
        self.t.keys("Escape", "Escape", "o", "5")
        self.t.see("400 rows x 60000")
        self.quit()


if __name__ == "__main__":
    unittest.main(verbosity=1)
