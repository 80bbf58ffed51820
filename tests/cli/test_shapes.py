#!/usr/bin/python3
"""What scripts/bench makes and runs for its parts ctr and threads, in small: one-hot rows are what
they claim to be, and the answers on them have the same bits on any number of threads."""
import pathlib
import random
import subprocess
import unittest

from tamis_cli import Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS, BLOCKS, COLUMNS = 60000, 20, 700  # above the size from which threads share a pass


class Shapes(Case):
    def one_hot(self):
        draw = random.Random(1)
        lines = []
        for _ in range(ROWS):
            places = [k * COLUMNS + int(COLUMNS * draw.random() ** 4) for k in range(BLOCKS)]
            score = sum(1 for place in places if place % 7 == 0) + draw.gauss(0, 1)
            lines.append(("1 " if score > 4 else "-1 ")
                         + " ".join(f"{place + 1}:1" for place in places))
        return self.write("rows.svm", "\n".join(lines) + "\n")

    def test_answers_have_the_same_bits(self):
        rows = self.one_hot()
        out = self.good("run", "--jobs", "1", str(ROOT / "tests/bench/shapes.lua"), rows, "-",
                        "l1logistic", "4", "0.2", "1e-6", "1", "2", "5", cwd=ROOT)
        runs = [line.split() for line in out.splitlines() if not line.startswith("lambda")]
        self.assertEqual([run[0] for run in runs], ["1", "2", "5"])
        # Chosen features, passes, gap, status and the weights' bits.
        answers = {tuple(run[k] for k in (1, 4, 5, 6, 7)) for run in runs}
        self.assertEqual(len(answers), 1, out)
        self.assertEqual(runs[0][6], "converged")
        self.assertGreater(int(runs[0][1]), 0)

    def test_generated_rows_are_one_hot(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import scipy.sparse"], check=False,
                          stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no SciPy")
        subprocess.run(["/usr/bin/python3", str(ROOT / "tests/bench/make_onehot.py"),
                        str(self.folder), "300", "200", "8"], check=True)
        out = self.good("eval", f"local d = tm.load('{self.folder}/y.npz') "
                        "local sums, odd = {}, 0 "
                        "for j = 1, d.p do for i, v in ipairs(d:column(j)) do "
                        "sums[i] = (sums[i] or 0) + v "
                        "odd = odd + ((v == 0 or v == 1) and 0 or 1) end end "
                        "table.sort(sums) print(d.n, d.p, sums[1], sums[#sums], odd)")
        self.assertEqual([float(word) for word in out.split()], [300, 200, 8, 8, 0])


if __name__ == "__main__":
    unittest.main()
