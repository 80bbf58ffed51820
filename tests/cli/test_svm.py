#!/usr/bin/python3
"""`svm` on real data: the objectives of LIBLINEAR and LIBSVM, and what those programs read."""
import json
import pathlib
import unittest

from svm_data import PROBLEMS, has_source, text_of
from tamis_cli import ROOT, Case

PEERS = json.loads((ROOT / "tests/cli/svm_peers.json").read_text(encoding="ascii"))


def words_of(kernel, C, gamma):
    words = ["--method", "svm", "--C", repr(C), "--kernel", "rbf" if gamma else "linear",
             "--intercept", "none" if kernel == "linear" else "free"]
    return words + (["--gamma", repr(gamma)] if gamma else [])


class Peers(Case):
    """Their objectives are committed (tests/peers/svm_peers.py made them)."""

    def check(self, name):
        """No worse than the peer to 1e-6; and the bound is not above the peer's objective."""
        source, positive, *kernel = PROBLEMS[name]
        path = self.write("data.svm", text_of(source, positive))
        fit = json.loads(self.good("fit", path, *words_of(*kernel), "--tol", "1e-9", "--json"))
        peer = PEERS[name]
        self.assertEqual(fit["status"], "converged", name)
        self.assertLessEqual(fit["primal"], peer * (1 + 1e-6), name)
        self.assertLessEqual(fit["dual"], peer * (1 + 1e-12), name)
        return (peer - fit["dual"]) / peer

    def test_digits(self):
        far = [self.check(name) for name, of in PROBLEMS.items() if of[0] == "digits"]
        # The other program reaches it as well, unless our bound proves that it did not.
        self.assertGreaterEqual(sum(distance < 1e-5 for distance in far), 5, far)

    @unittest.skipUnless(has_source("text 0"), "the package descriptions are not at hand")
    def test_package_descriptions(self):
        far = [self.check(name) for name, of in PROBLEMS.items() if of[0] != "digits"]
        self.assertGreaterEqual(sum(distance < 1e-5 for distance in far), 3, far)


if __name__ == "__main__":
    unittest.main()
