"""Commands whose allocations, reads, writes, threads and SQLite calls fail, one at a time.

A few places of some commands, others in every round of scripts/soak answers; `scripts/soak faults`
tries all places of all commands.
"""
import os
import random
import tempfile
import unittest

import faults

COMMANDS = 8
PLACES = 3
PRINTING = 6


@unittest.skipIf("san" in os.environ.get("TAMIS_BUILD", ""),
                 "a sanitizer takes the same calls, and wants to be loaded first")
@unittest.skipIf(os.environ.get("TAMIS_BUILD") == "coverage",
                 "the counts are written at the end, by calls that fail, too")
class Sampled(unittest.TestCase):
    def test_a_call_that_fails_ends_in_a_message_and_leaves_files_whole(self):
        self.assertTrue(faults.SHIM.exists(), "build tests/faults/faults.so")
        chance = random.Random(int(os.environ.get("TAMIS_TEST_ROUND", "0")))
        with tempfile.TemporaryDirectory(prefix="tamis-faults-") as folder:
            commands = faults.Commands(folder)
            for command in chance.sample(list(faults.COMMANDS), COMMANDS):
                every = list(faults.every_fault(command, commands.places(command)))
                self.assertGreater(len(every), PLACES, command)
                some = chance.sample(every, PLACES)
                for fault, wrong, _ in faults.try_all(some, commands):
                    with self.subTest(fault=str(fault)):
                        self.assertIsNone(wrong)

    def test_a_page_without_memory_is_whole_or_told(self):
        """The last places of a command that allocate are those of what it prints."""
        with tempfile.TemporaryDirectory(prefix="tamis-faults-") as folder:
            commands = faults.Commands(folder)
            for command in ("fit_ridge", "info_csv", "info_model", "runs_show", "runs_show_sweep",
                            "methods", "learn"):
                last = {"memory": commands.places(command)["memory"][-PRINTING:]}
                every = list(faults.every_fault(command, dict.fromkeys(faults.KINDS, ()) | last))
                for fault, wrong, _ in faults.try_all(every, commands):
                    with self.subTest(fault=str(fault)):
                        self.assertIsNone(wrong)

    def test_what_a_process_that_reads_cannot_do_is_told(self):
        """libhdf5 answers in a process of its own, whose calls fail, too."""
        with tempfile.TemporaryDirectory(prefix="tamis-faults-") as folder:
            commands = faults.Commands(folder)
            memory = {"memory": commands.places("info_anndata")["memory"]}
            every = list(faults.every_fault(
                "info_anndata", dict.fromkeys(faults.KINDS, ()) | memory, on=False))
            for fault, wrong, _ in faults.try_all(every, commands):
                with self.subTest(fault=str(fault)):
                    self.assertIsNone(wrong)

    def test_the_shim_fails_the_call_that_it_is_told_to(self):
        with tempfile.TemporaryDirectory(prefix="tamis-faults-") as folder:
            commands = faults.Commands(folder)
            for at, says in (("read:#1+", "cannot"), ("memory:#20+", "memory"),
                             ("store:#1", "store"), ("write:#3+", "No space")):
                place = commands.fresh("fit_store")
                status, _, err = faults.run("fit_store", place, TAMIS_FAULT_AT=at,
                                            TAMIS_FAULT_NOTE=str(place / "note"))
                with self.subTest(at=at):
                    self.assertEqual(status, 1)
                    self.assertIn(says, err)
                    self.assertTrue((place / "note").read_text().startswith(at.split(":")[0]))


if __name__ == "__main__":
    unittest.main()
