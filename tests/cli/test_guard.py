#!/usr/bin/python3
"""The counted work of fixed problems does not grow unseen (scripts/bench guard)."""
import pathlib
import sys
import unittest

from tamis_cli import Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))
import bench_guard  # noqa: E402  (found by the path above)


class Guard(Case):
    def test_work_is_what_was_committed(self):
        text = self.good("run", "--jobs", "1", str(ROOT / "tests/bench/guard.lua"), cwd=ROOT)
        found = bench_guard.findings(bench_guard.read_present(text.splitlines()),
                                     bench_guard.read_committed())
        self.assertEqual(found, [], "a change that costs more is named in its commit, and "
                         "scripts/bench --write guard commits the new numbers")

    def test_more_work_is_found(self):
        committed = {"a": (100, 10, 0.05), "b": (50, 0, 0.05), "c": (10, 1, 0.25)}
        same = {"a": (100, 10, "converged"), "b": (50, 0, "converged"), "c": (10, 1, "converged")}
        self.assertEqual(bench_guard.findings(same, committed), [])
        for change, word in (({"a": (106, 10, "converged")}, "a: 1.060"),
                             ({"c": (12, 1, "converged")}, "the mean of all is 1.063"),
                             ({"b": (50, 0, "max_iter")}, "b: ends max_iter"),
                             ({"d": (1, 1, "converged")}, "d: not in both")):
            found = bench_guard.findings({**same, **change}, committed)
            self.assertTrue(any(word in line for line in found), found)


if __name__ == "__main__":
    unittest.main()
