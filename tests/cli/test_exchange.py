"""Files that a machine of the other byte order has written (tests/data/s390x.tar.xz) read here."""
import json
import pathlib
import sys
import tarfile
import tempfile
import unittest

import exchange
from tamis_cli import BIN, ROOT, Case

WRITTEN = ROOT / "tests/data/s390x.tar.xz"


class Exchange(Case):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="tamis-exchange-")
        cls.addClassCleanup(place.cleanup)
        cls.theirs, cls.ours = (pathlib.Path(place.name) / name for name in ("theirs", "ours"))
        with tarfile.open(WRITTEN) as archive:
            archive.extractall(cls.theirs)
        exchange.write(cls.ours, [BIN])

    def test_this_machine_has_the_other_byte_order(self):
        word = (self.theirs / "dense.tam").read_bytes()[12:16]
        self.assertEqual(int.from_bytes(word, "big"), 0x01020304)
        self.assertEqual(sys.byteorder == "little",
                         (self.ours / "dense.tam").read_bytes()[12:16] == word[::-1])

    def test_the_same_is_read(self):
        here = exchange.read(self.ours, [BIN])
        theirs = exchange.read(self.theirs, [BIN])
        there = json.loads((self.theirs / "read.json").read_text())
        self.assertEqual(exchange.differences(theirs, there), [])
        for name in exchange.DATA:
            self.assertEqual(theirs[name], there[name])
        # What this machine writes of the same data; a store has the time of its run.
        self.assertEqual(exchange.differences(theirs, here), ["s.db"])
        self.assertEqual(theirs["s.db"], there["s.db"])
        self.assertEqual(theirs["s.db"]["note"], "grüße")
        self.assertEqual(theirs["s.db"]["data"], here["s.db"]["data"])

    def test_damage_is_told(self):
        whole = (self.theirs / "sparse.tam").read_bytes()
        for at in (40, 200, 4096 + 9, 3 * 4096, len(whole) - 4096 + 3):
            damaged = bytearray(whole)
            damaged[at] ^= 4
            path = self.write(f"damaged{at}.tam", bytes(damaged))
            with self.subTest(at=at):
                self.fails(1, "info", path, says=("damaged",))
        short = self.write("short.tam", whole[:-4096])
        self.fails(1, "info", short, says=("damaged",))


if __name__ == "__main__":
    unittest.main()
