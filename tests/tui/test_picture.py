#!/usr/bin/python3
"""The path view's picture: the weights of one lambda as levels, groups, a grid, slices."""
import os
import re
import struct
import unittest

from workbench import Workbench, wait_for

# Features 3 and 4 of a chain, a block of a 4 x 5 grid, a block of a 3 x 3 x 4 grid.
SCRIPT = """
local shape = arg[1]
local inside = {
  chain = function(j) return j == 3 or j == 4 end,
  ["grid:4x5"] = function(j) return j == 7 or j == 8 or j == 12 or j == 13 end,
  ["grid:3x3x4"] = function(j) return j == 18 or j == 19 end,
}
local p = ({chain = 12, ["grid:4x5"] = 20, ["grid:3x3x4"] = 36})[shape] or 12
local rng, x, y = 7, {}, {}
for i = 1, 60 do
  x[i], y[i] = {}, 0
  for j = 1, p do
    rng = rng * 48271 % 2147483647
    x[i][j] = rng / 1073741823.5 - 1
    y[i] = y[i] + ((inside[shape] or inside.chain)(j) and 2 * x[i][j] or 0)
  end
end
data = tm.dataset{x=x, y=y}
if shape == "groups" then
  r = tm.path(data, "grouplasso", {groups="[1 2; 3 4 name=pair; 5-12]", lambdas=4,
                                   lambda_min_ratio=0.1}):wait()
else
  r = tm.path(data, "genlasso", {graph=shape, l1_ratio=0.2, lambdas=4,
                                 lambda_min_ratio=0.1}):wait()
end
print("made")
"""


class Picture(Workbench):
    def open(self, shape):
        script = self.t.file("make.lua", SCRIPT.replace("arg[1]", '"%s"' % shape))
        self.start("--script %s" % script)
        self.t.see(r"0 running [1-9]\d* done")
        self.t.keys("6")
        self.t.see(r"made")
        self.t.keys("3")
        self.t.see(r"of \d+ lambdas, done")
        self.t.keys("o")
        self.t.see(r"(gen|group)lasso")

    def levels(self):
        """(name, size, value) of the list."""
        found = re.findall(r"││ (\S.*?) +(\d+) +([-+\d.e]+) ?[█▉▊▋▌▍▎▏▒ ]*│$",
                           self.t.text(), re.M)
        return [(name, int(size), float(value)) for name, size, value in found]

    def save(self, name, question="save the picture as"):
        out = os.path.join(self.t.home, name)
        self.t.keys("c")
        self.t.answer("e", question, out)
        self.t.see(r"saved as")
        self.t.keys("Escape")
        return out

    def test_a_chain_has_levels(self):
        self.open("chain")
        self.t.see(r"chain of 12, \d+ levels?: genlasso")
        name, size, value = self.levels()[0]
        self.assertEqual((name, size), ("X3 to X4", 2))
        self.assertGreater(value, 1)
        read = self.t.see(r"X3: ([\d.]+), one of 2")
        self.assertAlmostEqual(float(read[1]), value, delta=0.01)
        # The plot's keys walk along the features.
        self.t.keys("c", "Right")
        self.t.see(r"X4: ")
        self.t.keys("Right")
        self.t.see(r"X5: 0\b")
        self.assertNotIn("one of 1 ", self.t.text())
        self.t.keys("Escape", "L")  # to lambda_max: nothing is left
        self.t.see(r"chain of 12, 0 levels")
        self.t.keys("x")
        self.t.see(r"of \d+ lambdas, done")
        self.t.keys("x")
        self.t.see(r"chain of 12")
        self.quit()

    def cells(self):
        """Shades behind the cells of the picture's box, from the escapes of the terminal."""
        rows = self.t.settled_colours().split("\n")
        return [re.findall(r"48;5;(\d+)", row) for row in rows]

    def test_a_grid_is_a_picture(self):
        self.open("grid:4x5")
        self.t.see(r"4 x 5, \d+ levels?")
        name, size, value = self.levels()[0]
        self.assertEqual((name, size), ("X7 ...", 4))
        read = self.t.see(r"X7 \(row 2, column 2\): ([\d.]+)")
        self.assertAlmostEqual(float(read[1]), value, delta=0.01)
        self.assertTrue(any(self.cells()), "no shades")
        self.t.keys("c", "Down", "Right")
        self.t.see(r"X13 \(row 3, column 3\): ")
        self.t.keys("Down", "Down", "Down")  # the lower edge
        self.t.see(r"X18 \(row 4, column 3\): 0\b")
        self.t.keys("Escape")
        with open(self.save("p.csv"), encoding="utf-8") as f:
            lines = f.read().split()
        self.assertEqual(lines[0], "row,column,value")
        values = {tuple(map(int, line.split(",")[:2])): float(line.split(",")[2])
                  for line in lines[1:]}
        self.assertEqual(len(values), 20)
        self.assertEqual({at for at, v in values.items() if v > 1},
                         {(2, 2), (2, 3), (3, 2), (3, 3)})
        with open(self.save("p.png"), "rb") as f:
            head = f.read(24)
        self.assertEqual(struct.unpack(">II", head[16:24]), (1440, 900))
        with open(self.save("p.svg"), encoding="utf-8") as f:
            self.assertIn("4 x 5", f.read())
        with open(self.save("p.txt"), encoding="utf-8") as f:
            self.assertIn("█", f.read())
        self.quit()

    def test_slices(self):
        self.open("grid:3x3x4")
        self.t.see(r"3 x 3 x 4, slice 2, ")
        self.t.see(r"X18 \(slice 2, row 2, column 2\): ")
        self.t.keys("n")
        self.t.see(r"slice 3, \d+ level")
        self.t.see(r"X30 \(slice 3, row 2, column 2\): 0\b")
        self.t.keys("N", "N")
        self.t.see(r"slice 1, \d+ level")
        self.t.keys("z")
        self.t.see(r"3 x 3 x 4, \d+ level")
        self.t.keys("z", "g")
        self.t.see(r"slice 2, ")
        self.quit()

    def test_groups_are_bars(self):
        self.open("groups")
        self.t.keys("x")
        self.t.see(r"\d groups?: grouplasso")
        self.assertEqual(self.levels()[0][:2], ("pair", 2))
        self.t.see(r"X3 \(group pair\): ")
        self.t.see(r"features, group by group")
        self.quit()

    def test_a_shape_for_any_method(self):
        self.start_solved()
        self.t.keys(":")
        self.t.command("shape grid:4x6")
        self.t.see(r"grid:4x6 has 24 places; the data have 3051 features")
        self.t.keys(":")
        self.t.command("shape grid:27x113")
        self.t.see(r"27 x 113, \d+ levels: ")
        self.t.see(r"\(row \d+, column \d+\): ")
        self.t.keys(":")
        self.t.command("shape")
        self.t.see(r"of 40 lambdas")
        self.quit()

    def test_no_graph_is_bars(self):
        self.start_solved()
        self.t.keys("3")
        self.t.see(r"of 40 lambdas")
        self.t.keys("x")
        count = int(self.t.see(r"(\d+) features: ").group(1))
        self.assertGreater(count, 3)
        names = [row[0] for row in self.levels()]
        self.t.keys("Down")
        wait_for("the second feature", lambda: self.t.see(re.escape(names[1][:8]) + r".*: [-\d]"))
        self.quit()


class Wide(Picture):
    size = (160, 50)


class Ascii(Picture):
    environment = {"NO_COLOR": "1", "LC_ALL": "C"}

    def test_a_grid_is_a_picture(self):
        self.open("grid:4x5")
        self.t.see(r"4 x 5, \d+ levels?")
        self.t.see(r"Oo=- 0 \.:\*#")
        block = [line for line in self.t.settled().split("\n") if "########" in line]
        self.assertGreater(len(block), 1)
        self.quit()

    def levels(self):
        found = re.findall(r"\|\| (\S.*?) +(\d+) +([-+\d.e]+) *\|$", self.t.text(), re.M)
        return [(name, int(size), float(value)) for name, size, value in found]


if __name__ == "__main__":
    unittest.main()
