#!/usr/bin/python3
"""Fits that end before their time: a process that is killed, a signal, memory that runs out in one
of several processes; and paths that go on from the store."""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from tamis_cli import BIN, SANITIZED, TIMEOUT, Case, default_signals, environment, start

MPIRUN = shutil.which("mpirun")
# As in test_ranks.py; two processes, of which one may die.
MPI = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "--enable-recovery", "-n", "2"]
SHIM = pathlib.Path(BIN).parent.parent.parent / "tests/faults/faults.so"


class Processes(Case):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "runs.db"

    def slow(self, rows):
        """A path that lasts, of which every point takes some passes."""
        data = self.folder / f"d{rows}.tam"
        self.good("eval", f'tm.synth("fgm", {{n={rows}, p=3000, seed=4}}):save("{data}")')
        return ["fit", data, "--method", "l1logistic", "--lambdas", "40", "--tol", "1e-8",
                "--screen", "none", "--json"]

    def points(self):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(
                sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as store:
            return store.execute("SELECT count(*) FROM points").fetchone()[0]
        return 0

    def processes(self, process):
        """The ranks below mpirun, in their order; or the one process."""
        if process.args[0] != MPIRUN:
            return [process.pid]
        return [pid for pid in (self.rank(process.pid, number) for number in range(2)) if pid]

    def to_all(self, pids, number):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def begun(self, begin):
        """The command, and the process of a path of which some points are recorded and half are
        not; its ranks, which are stopped where they are. One with more rows where a machine has
        done too much in the second until it records something."""
        for rows in (300, 1200, 4800):
            command = self.slow(rows)
            process = begin(*command, "--store", self.store)
            end = time.monotonic() + TIMEOUT
            while self.points() == 0 and process.poll() is None:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)
            pids = self.processes(process)
            self.to_all(pids, signal.SIGSTOP)
            if process.poll() is None and 0 < self.points() <= 20:
                return command, process, pids
            self.to_all(pids, signal.SIGCONT)
            self.end(process)
            self.store.unlink()
        return self.fail("the paths have ended before they could be stopped")

    def send(self, number, pid, pids):
        """Sends a signal to one of the stopped ranks, and lets all go on."""
        os.kill(pid, number)
        self.to_all(pids, signal.SIGCONT)

    def shared(self, *args):
        return self.mpi(*args, "--shard-columns")

    def mpi(self, *args):
        return subprocess.Popen([*MPI, BIN, *map(str, args)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=environment(),
                                preexec_fn=default_signals)

    def rank(self, mpirun, number):
        """The process of that rank below this mpirun, or None."""
        wanted = f"OMPI_COMM_WORLD_RANK={number}".encode()
        for entry in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                stat = pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
                variables = pathlib.Path(f"/proc/{entry}/environ").read_bytes().split(b"\0")
                if int(stat[1]) == mpirun and wanted in variables:
                    return int(entry)
        return None

    def end(self, process):
        out, err = process.communicate(timeout=TIMEOUT)
        if "built without MPI" in err:
            self.skipTest("tamis was built without MPI (package libopenmpi-dev)")
        return out, err

    def same_path(self, one, other):
        """Both are within their certificates of the optimum, point by point."""
        self.assertEqual(one["data"], other["data"])
        self.assertEqual(len(one["path"]), len(other["path"]))
        for a, b in zip(one["path"], other["path"]):
            self.assertEqual((a["lambda"], a["status"]), (b["lambda"], "converged"))
            self.assertLessEqual(abs(a["primal"] - b["primal"]),
                                 max(a["gap"], b["gap"]) + 1e-12 * a["primal"])
        self.assertEqual([name for name, _ in one["coef"]], [name for name, _ in other["coef"]])

    def goes_on(self, command, many):
        """The same command goes on with what is recorded, in the same record."""
        known = self.points()
        self.assertTrue(0 < known < 40, known)
        whole = json.loads(self.good(*command))
        again = [*command, "--store", self.store, "--resume"]
        if many:
            out, err = self.end(self.mpi(*again, "--shard-columns"))
            self.assertTrue(out, err)
        else:
            out = self.good(*again)
        rest = json.loads(out)
        self.same_path(whole, rest)
        self.assertEqual([run["status"] for run in self.runs()], ["converged"])
        self.assertEqual(self.points(), 40)
        if known > 1:  # points that were there have not been solved again
            with contextlib.closing(sqlite3.connect(self.store)) as store:
                seconds = [row[0] for row in store.execute("SELECT seconds FROM points ORDER BY k")]
            self.assertEqual([p["seconds"] for p in rest["path"]][:known - 1], seconds[:known - 1])

    def runs(self):
        return json.loads(self.good("runs", "list", "--json", "--store", self.store))["runs"]


@unittest.skipIf(SANITIZED, "paths that last, in several processes, take minutes with sanitizers")
class Stopped(Processes):
    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_a_killed_rank_ends_the_run_and_the_path_goes_on(self):
        command, process, ranks = self.begun(self.shared)
        self.send(signal.SIGKILL, ranks[1], ranks)
        out, err = self.end(process)
        self.assertEqual(out, "")
        told = [line for line in err.splitlines() if line.startswith("tamis fit:")]
        self.assertEqual(len(told), 1, err)
        self.assertRegex(told[0], r"process 2 of 2 was lost.* \d+ of 40 points .*'--resume'")
        self.goes_on(command, True)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_the_first_rank_is_killed(self):
        _, process, ranks = self.begun(self.shared)
        self.send(signal.SIGKILL, ranks[0], ranks)
        out, err = self.end(process)
        told = [line for line in err.splitlines() if line.startswith("tamis fit:")]
        self.assertEqual(out, "")
        self.assertEqual(told, ["tamis fit: process 1 of 2 was lost, and the run ends"])

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_a_signal_to_one_rank_ends_both_with_what_was_reached(self):
        for victim in (0, 1):
            command, process, ranks = self.begun(self.shared)
            self.send(signal.SIGINT, ranks[victim], ranks)
            out, err = self.end(process)
            reached = json.loads(out)
            self.assertEqual(reached["status"], "cancelled")
            self.assertTrue(0 < len(reached["path"]) < 40)
            self.assertEqual(err.count("interrupted; the result is what was reached"), 1, err)
            if victim == 0:
                self.store.unlink()
        self.goes_on(command, True)

    def test_a_path_of_one_process_goes_on(self):
        command, process, _ = self.begun(lambda *args: start(*args, text=True))
        process.kill()
        process.communicate()
        self.goes_on(command, False)
        # There is nothing to go on with any more; and another path is another run.
        self.good(*["3" if word == "40" else word for word in command], "--store", self.store,
                  "--resume")
        self.assertEqual(len(self.runs()), 2)

    def test_what_cannot_go_on(self):
        data = self.write("d.csv", "1,2,3\n2,3,5\n0,1,1\n")
        fit = ["fit", data, "--label", 1, "--method", "lasso", "--resume"]
        self.fails(2, *fit, says="add '--store FILE'")
        self.fails(2, *fit, "--store", self.store, "--debias", "1", says="--debias")
        self.fails(2, *fit, "--store", self.store, "--one-vs-rest", says="--one-vs-rest")


@unittest.skipIf(SANITIZED, "paths that last, in several processes, take minutes with sanitizers")
class Joined(Processes):
    def parts(self):
        """Data in two files, with names of any length."""
        dice = random.Random(5)
        names = [f"f{j}" + "x" * (700 * (j % 3)) for j in range(40)]
        rows = []
        for _ in range(30):
            x = [dice.gauss(0, 1) if dice.random() < 0.4 else 0 for _ in names]
            rows.append(",".join(f"{v:.5f}" for v in (x[1] - x[2] + dice.gauss(0, 0.1), *x)))
        source = self.write("d.csv", "\n".join((",".join(["y", *names]), *rows)) + "\n")
        self.good("convert", source, self.folder / "part.tam", "--shards", 2)
        return ["fit", self.folder / "part.tam", "--method", "lasso", "--tol", "1e-12", "--json"]

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_long_names_are_whole(self):
        command = self.parts()
        one = json.loads(self.good("fit", self.folder / "d.csv", *command[2:]))
        out, err = self.end(self.mpi(*command, "--shard-columns"))
        self.assertTrue(out, err)
        self.assertEqual([name for name, _ in json.loads(out)["coef"]],
                         [name for name, _ in one["coef"]])
        self.assertGreater(max(len(name) for name, _ in one["coef"]), 512)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    @unittest.skipIf(SANITIZED or os.environ.get("TAMIS_BUILD") == "coverage",
                     "the shim takes the calls that they count on")
    def test_a_rank_without_memory_does_not_leave_the_other_waiting(self):
        command = self.parts()
        places = self.folder / "places"
        script = self.folder / "one.sh"
        # The second rank alone has the shim.
        script.write_text('#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 1 ] && '
                          f'export LD_PRELOAD={SHIM}\nexec {BIN} "$@"\n')
        script.chmod(0o755)

        def run(**variables):
            # Who has no memory before MPI has begun is missed by mpirun alone.
            launcher = [word for word in MPI if word != "--enable-recovery"]
            process = subprocess.run([*launcher, script, *map(str, command), "--shard-columns"],
                                     capture_output=True, text=True, timeout=TIMEOUT,
                                     env=environment(**variables))
            return process.stdout, process.stderr
        good, err = run(TAMIS_FAULT_LIST=str(places))
        self.assertTrue(good, err)
        memory = [line.split()[1] for line in places.read_text().splitlines()
                  if line.startswith("memory")]
        chance = random.Random(int(os.environ.get("TAMIS_TEST_ROUND", "0")))
        for place in chance.sample(memory, 3):
            out, err = run(TAMIS_FAULT_AT=f"memory:{place}")
            with self.subTest(place=place):
                if out:  # something does without
                    self.assertEqual(json.loads(out)["coef"], json.loads(good)["coef"])
                else:
                    self.assertNotEqual(err, "")
                    self.assertLessEqual(err.count("tamis fit:"), 2, err)


if __name__ == "__main__":
    unittest.main()
