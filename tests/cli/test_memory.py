#!/usr/bin/python3
"""What data and a solver take of memory beside the matrix: counted bytes where they are the
solver's, resident ones where pages are given back while a file is read."""
import os
import pathlib
import random
import re
import unittest

import tamis_cli
from tamis_cli import BIN, ROOT, Case, environment

COUNTER = pathlib.Path(BIN).parent.parent.parent / "tests/faults/allocated.so"
PATH = """
local r = tm.path(tm.load(arg[1]), arg[2], {lambdas = 12, lambda_min_ratio = 0.8, tol = 1e-6,
                                            threads = 1}):wait()
assert(r.status == "converged", r.status)
"""
LOAD = """
local peak = dofile(arg[1])
local before = peak()
local d = tm.load(arg[2], {label = "y", missing = "drop"})
print(d.n, d.p, d.sha256, (peak() - before) * 1024)
"""


@unittest.skipIf(tamis_cli.SANITIZED or os.environ.get("TAMIS_BUILD") == "coverage",
                 "a sanitizer has an allocator of its own, which takes more")
class Memory(Case):
    def sparse(self, p, rows=500, entries=10):
        """A .tam of p columns with ten entries each and two classes of rows."""
        rng = random.Random(1)
        lines = [[] for _ in range(rows)]
        for j in range(1, p + 1):
            for i in rng.sample(range(rows), entries):
                lines[i].append(f"{j}:{rng.uniform(1, 2):.2f}")
        text = "".join(f"{(-1) ** i} {' '.join(line)}\n" for i, line in enumerate(lines))
        name = self.folder / f"{p}.tam"
        self.good("convert", self.write("x.svm", text), name)
        return name

    def allocated(self, script, *args):
        note = self.folder / "note"
        self.good("run", "--jobs", "1", script, *args,
                  env=environment(LD_PRELOAD=str(COUNTER), TAMIS_ALLOCATED_NOTE=str(note)))
        return int(note.read_text())

    @unittest.skipUnless(COUNTER.exists(), "nothing is preloaded on this machine")
    def test_a_path_takes_a_few_values_a_column(self):
        script = self.write("path.lua", PATH)
        few, many = 20000, 60000
        files = [self.sparse(few), self.sparse(many)]
        # Means, deviations, weights, products, the active set and its index; products with the
        # response and places in the Gram cache, or the model's means, squares and old weights and
        # places in its Hessian.
        for method, most in (("lasso", 62), ("l1logistic", 77), ("l1svm", 77)):
            small, large = (self.allocated(script, name, method) for name in files)
            each = (large - small) / (many - few)
            self.assertLess(each, most, f"{method}: {each:.1f} bytes a column")

    def rows(self, count, p, share):
        rng = random.Random(count)
        return [[rng.randrange(1, 1000) if rng.random() < share else 0 for _ in range(p)]
                for _ in range(count)]

    def load(self, name):
        script = self.write("load.lua", LOAD)
        words = self.good("run", script, ROOT / "tests/bench/peak.lua", name).split()
        return words[:3], int(float(words[3]))

    def table(self, rows, gaps=()):
        head = ",".join(["y"] + [f"x{j}" for j in range(len(rows[0]))])
        lines = [",".join([str(i), *map(str, row)]) for i, row in enumerate(rows)]
        for i in gaps:
            lines[i] = re.sub(",[0-9]+$", ",", lines[i])
        return self.write("x.csv", "\n".join([head, *lines]) + "\n")

    def test_a_dense_table_is_in_memory_once(self):
        n, p = 300, 10000
        found, bytes_more = self.load(self.table(self.rows(n, p, 0.9)))
        self.assertEqual(found[:2], [str(n), str(p)])
        self.assertLess(bytes_more, 1.9 * 8 * n * p)

    def test_rows_in_bands_are_the_same_data(self):
        """Of many dense rows, some left out, and then of as many empty ones that the matrix becomes
        sparse; the other file has its entries one by one."""
        for empty in (0, 1500):
            rows = self.rows(800, 1500, 0.8) + self.rows(empty, 1500, 0.01)
            gaps = (0, 350, 351, 701, 799)
            found = self.load(self.table(rows, gaps))[0]
            kept = [(i, row) for i, row in enumerate(rows) if i not in gaps]
            text = "".join(f"{i} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v) +
                           "\n" for i, row in kept)
            other = self.good("eval", f'print(tm.load("{self.write("x.svm", text)}").sha256)')
            self.assertEqual(found, [str(len(kept)), "1500", other.strip()])


if __name__ == "__main__":
    unittest.main()
