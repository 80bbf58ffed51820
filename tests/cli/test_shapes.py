#!/usr/bin/python3
"""What scripts/bench makes and runs for its parts ctr, threads and bigrams, in small: one-hot rows
are what they claim to be, the answers on them have the same bits on any number of threads, and the
words and pairs of words of texts are those of a plain computation."""
import collections
import hashlib
import io
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import types
import unittest
from unittest import mock

from tamis_cli import BIN, Case

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


# Name, source package, section, description; "gone" is unknown to apt.
PACKAGES = [("aa", "aa", "libs", "Small library\n of small words.\n"),
            ("bb", "src-b", "games", "A game of words\n .\n with a library++ (beta-2)\n"),
            ("bb-dev", "src-b", "libdevel", "Small library of games\n"),
            ("cc", "src-c", "utils", "Words, words; words of 3.14\n"),
            ("dd", "src-d", "utils", "Tool without them\n"),
            ("ee", "src-e", "libs", "Shared library of words\n"),
            ("gone", "gone", None, "Left out\n")]


def words_and_pairs(text):
    words = re.findall(r"[a-z0-9][a-z0-9.+\-]*[a-z0-9+]|[a-z]", text.lower())
    return collections.Counter(words + [" ".join(pair) for pair in zip(words, words[1:])])


@unittest.skipUnless(os.path.exists("/usr/lib/apt/apt-helper"), "no apt")
@unittest.skipIf(subprocess.run(["/usr/bin/python3", "-c", "import scipy.sparse"], check=False,
                                stderr=subprocess.DEVNULL).returncode != 0, "no SciPy")
class Bigrams(Case):
    def made(self):
        """What the maker writes of PACKAGES, with an apt-cache of the test's own."""
        self.write("Translation-en", "".join(
            f"Package: {name}\nDescription-md5: 0\nDescription-en: {text}\n"
            for name, _, _, text in reversed(PACKAGES)))
        known = "".join(
            f"Package: {name}\nDescription: no\n such word\nSection: {section}\n"
            + ("" if source == name else f"Source: {source} (1.0)\n") + "\n"
            for name, source, section, _ in PACKAGES if section)
        command = pathlib.Path(self.write("bin-apt-cache", f"#!/bin/sh\ncat <<'E'\n{known}E\n"))
        (self.folder / "bin").mkdir()
        command.chmod(0o755)
        command.rename(self.folder / "bin/apt-cache")
        subprocess.run(["/usr/bin/python3", str(ROOT / "tests/bench/make_bigrams.py"),
                        str(self.folder), str(self.folder / "Translation-en")], check=True,
                       env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})

    def test_values_are_those_of_a_plain_computation(self):
        self.made()
        kept = [(section, words_and_pairs(text)) for _, source, section, text in PACKAGES
                if section and int(hashlib.md5(source.encode()).hexdigest(), 16) % 4]
        self.assertTrue(2 < len(kept) < len(PACKAGES) - 1, "the names should select some")
        columns = sorted({name for _, row in kept for name in row})
        expected = []
        for _, row in kept:
            values = {name: (1 + math.log(count))
                      * math.log(len(kept) / sum(name in other for _, other in kept))
                      for name, count in row.items()}
            norm = math.sqrt(sum(value * value for value in values.values()))
            expected.append([values.get(name, 0) / norm for name in columns])
        out = self.good("eval", f"local d = tm.load('{self.folder}/y.npz') print(d.n, d.p) "
                        "for j = 1, d.p do print(table.unpack(d:column(j))) end "
                        "print(table.unpack(d.y))").splitlines()
        self.assertEqual(out[0].split(), [str(len(kept)), str(len(columns))])
        for j, line in enumerate(out[1:-1]):
            for i, word in enumerate(line.split()):
                self.assertAlmostEqual(float(word), expected[i][j], 12, columns[j])
        self.assertEqual([float(word) for word in out[-1].split()],
                         [1 if section in ("libs", "libdevel") else -1 for section, _ in kept])

    def test_the_part_runs_in_small_and_is_skipped_without_descriptions(self):
        with mock.patch.object(sys, "path", [str(ROOT / "tests/bench"), *sys.path]):
            import bench_shapes_bigrams

        def lines(*command):
            out = subprocess.run([str(word) for word in command], cwd=ROOT, check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
            return [line.split() for line in out.splitlines()]

        bench = types.SimpleNamespace(TAMIS=BIN, lines=lines, works=lambda *_: False,
                                      table=lambda head, rows: rows)
        section = bench_shapes_bigrams.bigrams(bench, 1, True)
        methods = [row[0] for row in section if isinstance(row, list) and row[3] == "auto"]
        self.assertEqual(methods, ["lasso", "l1logistic"], section)
        with mock.patch.dict(os.environ, TAMIS_DESCRIPTIONS=str(self.folder / "none")), \
                mock.patch("sys.stderr", io.StringIO()) as said:
            self.assertEqual(bench_shapes_bigrams.bigrams(bench, 1, False), [])
        self.assertIn("bigrams skipped", said.getvalue())


if __name__ == "__main__":
    unittest.main()
