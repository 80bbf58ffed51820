#!/usr/bin/python3
"""The .tam column store from the shell: converting, solving in place, damage."""
import json
import os
import unittest

from tamis_cli import GOLUB, Case


class Store(Case):
    def info(self, path):
        return json.loads(self.good("info", path, "--json"))

    def convert(self, *options):
        out = self.folder / "golub.tam"
        self.good("convert", GOLUB, out, "--quiet", *options)
        return out

    def test_what_is_solved_in_place_is_what_was_converted(self):
        out = self.convert()
        mapped, plain = self.info(out), self.info(GOLUB)
        self.assertTrue(mapped["mapped"])
        self.assertFalse(plain["mapped"])
        self.assertEqual(mapped["sha256"], plain["sha256"])
        ours, theirs = (self.fit(path, "--lambda-ratio", "0.1") for path in (out, GOLUB))
        self.assertEqual(ours["coef"], theirs["coef"])
        self.assertEqual(ours["primal"], theirs["primal"])
        small = self.fit(out, "--lambda-ratio", "0.1", "--resident", "100000")
        self.assertEqual(small["coef"], theirs["coef"])

    def test_single_precision_is_certified(self):
        out = self.convert("--storage", "float")
        self.assertEqual(self.info(out)["kind"], "dense float")
        ours, theirs = (self.fit(path, "--lambda-ratio", "0.1") for path in (out, GOLUB))
        self.assertEqual(ours["status"], "converged")
        self.assertAlmostEqual(ours["primal"], theirs["primal"], delta=1e-5 * theirs["primal"])
        read = self.fit(GOLUB, "--lambda-ratio", "0.1", "--storage", "float")
        self.assertEqual(read["coef"], ours["coef"])

    def test_damage_is_refused(self):
        out = self.convert()
        content = bytearray(out.read_bytes())
        content[100000] ^= 8
        out.write_bytes(content)
        self.fails(1, "info", out, says=("damaged", "does not match"))
        os.truncate(out, 5000)
        self.fails(1, "info", out, says="it has 5000 bytes, its header says")

    def test_there_is_nothing_to_choose(self):
        out = self.convert()
        self.fails(2, "info", out, "--label", "3", says="label is for other formats")
        self.fails(2, "info", out, "--storage", "float", says="storage is for other formats")
        self.fails(2, "convert", GOLUB, "-", "--to", "tam", says="a .tam needs a file")
        self.fails(2, "convert", GOLUB, self.folder / "x.tam.gz", says="cannot be compressed")


if __name__ == "__main__":
    unittest.main()
