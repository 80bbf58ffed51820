#!/usr/bin/python3
"""Sweeps and columns over several processes: shards that are merged, ranks of mpirun, job
arrays."""
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import unittest

from sweep_cases import Sweeps
from tamis_cli import BIN, TIMEOUT, Case, default_signals, environment, rounds

MPIRUN = shutil.which("mpirun")
# What mpirun needs on a machine with few cores, run by root, with a rank that may die.
MPI = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "--enable-recovery", "-n", "3"]


class Elsewhere(Sweeps):
    def test_shards_are_merged(self):
        script = self.script(configs=6, folds=5)
        whole = self.good("run", script)
        parts = [self.folder / f"part{i}.db" for i in (1, 2, 3)]
        for i, part in enumerate(parts, 1):
            out = self.good("run", "--shard", f"{i}/3", "--store", part, script)
            self.assertEqual(out.count("\n"), 10)
        said = self.good("runs", "merge", *parts, "--store", self.store)
        self.assertIn("10 tasks added", said)
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(30)

    def test_wrong_shards(self):
        script = self.script()
        for shard in ("0/3", "4/3", "x", "1", "1/x", "/"):
            self.fails(2, "run", "--shard", shard, "--store", self.store, script, says="I/N")
        self.fails(2, "run", "--shard", "1/3", script, says="--store")

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_three_ranks(self):
        script = self.script(p=2 * rounds(200), tol=1e-10, screen="none")
        whole = self.good("run", script)
        run = subprocess.run([*MPI, BIN, "run", "--store", self.store, script], capture_output=True,
                             text=True, timeout=TIMEOUT, env=environment())
        self.assertEqual((run.returncode, run.stdout), (0, whole), run.stderr)
        self.once_each(200)
        self.assertGreater(self.sql("SELECT count(DISTINCT pid) FROM tasks")[0][0], 1)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_a_rank_that_is_killed_loses_its_task_alone(self):
        script = self.script(p=2 * rounds(200), tol=1e-10, screen="none")
        whole = self.good("run", script)
        process = subprocess.Popen([*MPI, BIN, "run", "--store", self.store, script],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment(), preexec_fn=default_signals)
        self.wait_until(lambda: self.finished() > 0, process)
        victim = self.rank(process.pid, 1)  # it may have started after the others
        self.wait_until(lambda: self.tasks_of(victim) > 0, process)
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (0, whole), err)
        self.once_each(200)
        self.assertGreater(self.tasks_of(victim), 0)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_the_first_rank_that_is_killed_is_told_by_another(self):
        script = self.script(p=2 * rounds(200), tol=1e-10, screen="none")
        process = subprocess.Popen([*MPI, BIN, "run", "--store", self.store, script],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**environment(), "TMPDIR": str(self.folder)},
                                   preexec_fn=default_signals)
        self.wait_until(lambda: self.finished() > 0, process)
        victim = self.rank(process.pid, 0)
        self.wait_until(lambda: self.tasks_of(victim) > 0, process)
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(err.count("the first rank has died"), 1, err)
        self.assertEqual(out, "")
        self.once_each(200)
        self.assertEqual(list(self.folder.glob("tamis-first-rank*")), [])
        self.assertEqual(self.good("run", "--store", self.store, script), self.good("run", script))

    def tasks_of(self, pid):
        return self.sql(f"SELECT count(*) FROM tasks WHERE status = 'done' AND pid = {pid}")[0][0]

    def rank(self, mpirun, number):
        """The process of that rank below this mpirun."""
        wanted = f"OMPI_COMM_WORLD_RANK={number}".encode()
        for entry in os.listdir("/proc"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{int(entry)}/stat") as stat:
                    parent = int(stat.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{entry}/environ", "rb") as variables:
                    if parent == mpirun and wanted in variables.read().split(b"\0"):
                        return int(entry)
        self.fail("the rank was not found")

    def test_ranks_of_several_hosts_are_warned(self):
        script = self.script(configs=2, folds=2)
        env = {**environment(), "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2",
               "OMPI_COMM_WORLD_LOCAL_SIZE": "1"}
        run = subprocess.run([BIN, "run", "--store", self.store, script], capture_output=True,
                             text=True,
                             timeout=TIMEOUT, env=env)
        self.assertEqual((run.returncode, run.stdout.count("\n")), (0, 4), run.stderr)
        self.assertIn("locks work between hosts", run.stderr)

    def test_the_slurm_example_as_it_is(self):
        """A job array of Slurm without Slurm: bash with the variables it sets, element by element,
        the elements at the same time; each has a process and a store of its own."""
        root = pathlib.Path(__file__).resolve().parents[2]
        script = root / "examples" / "sweeps" / "cv.lua"
        whole = self.good("run", script)
        elements = []
        for i in (1, 2, 3):
            env = {**environment(), "TAMIS": str(BIN), "SCRIPT": str(script),
                   "SLURM_ARRAY_TASK_ID": str(i),
                   "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_CPUS_PER_TASK": "1"}
            elements.append(subprocess.Popen(["bash", root / "examples" / "sweeps" / "cv.sbatch"],
                                             cwd=self.folder, env=env, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, text=True))
        for element in elements:
            out, err = element.communicate(timeout=TIMEOUT)
            self.assertEqual((element.returncode, err), (0, ""))
            self.assertIn("a part of the sweep", out)
        parts = [self.folder / f"part-{i}.db" for i in (1, 2, 3)]
        self.good("runs", "merge", *parts, "--store", self.store)
        merged = self.good("run", "--store", self.store, script)

        def table(text):  # without the times
            rows = [line.split() for line in text.splitlines()[1:]]
            times = rows[0].index("seconds")
            return [row[:times] + row[times + 1:] for row in rows]
        self.assertEqual(table(merged), table(whole))
        self.assertGreater(len(table(whole)), 10)
        self.once_each(24)
        # Without Slurm the parts run one after the other.
        here = self.folder / "one"
        here.mkdir()
        env = {**environment(), "TAMIS": str(BIN), "SCRIPT": str(script), "PARTS": "2"}
        run = subprocess.run(["bash", root / "examples" / "sweeps" / "cv.sbatch"], cwd=here,
                             env=env,
                             capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(sorted(p.name for p in here.glob("*.db")), ["part-1.db", "part-2.db"])


class Sharded(Case):
    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_columns_over_three_ranks(self):
        help_page = self.good("fit", "--help")
        self.assertIn("--shard-columns", help_page)
        data = self.folder / "d.tam"
        dice = random.Random(2)
        rows = [[dice.gauss(0, 1) for _ in range(400)] for _ in range(50)]
        text = "".join(",".join(f"{v:.6f}" for v in [r[0] - 2 * r[7] + r[99], *r]) + "\n"
                       for r in rows)
        source = self.write("d.csv", text)
        self.good("convert", source, data, "--label", 1)
        for path in (source, data):
            options = [str(path), "--lambda-ratio", "0.1", "--tol", "1e-12", "--method", "lasso",
                       "--json"]
            if path == source:
                options += ["--label", "1"]
            one = json.loads(self.good("fit", *options))
            run = subprocess.run([*MPI, BIN, "fit", *options, "--shard-columns", "--model",
                                  str(self.folder / "m.json")], capture_output=True, text=True,
                                 timeout=TIMEOUT, env=environment())
            if "built without MPI" in run.stderr:
                self.skipTest("tamis was built without MPI (package libopenmpi-dev)")
            self.assertEqual(run.returncode, 0, run.stderr)
            three = json.loads(run.stdout)
            self.assertEqual(run.stderr.count("of columns, and has"), 3)
            self.assertLessEqual(abs(three["primal"] - one["primal"]), 1e-10 * one["primal"])
            self.assertLessEqual(abs(three["gap"] - one["gap"]), 1e-10 * one["primal"])
            self.assertEqual([j for j, _ in three["coef"]], [j for j, _ in one["coef"]])
            self.assertEqual(three["data"], one["data"])
            self.assertTrue((self.folder / "m.json").exists())

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_fgm_over_three_ranks(self):
        """The worst-case analysis over columns that each rank keeps a third of."""
        data = self.folder / "d.tam"
        self.good("eval", f'tm.synth("fgm", {{n=120, p=900, seed=4}}):save("{data}")')
        options = ["fit", str(data), "--method", "fgm", "--B", "5", "--C", "1", "--tol", "1e-7",
                   "--json"]
        one = json.loads(self.good(*options))
        run = subprocess.run([*MPI, BIN, *options, "--shard-columns"], capture_output=True,
                             text=True,
                             timeout=TIMEOUT, env=environment())
        if "built without MPI" in run.stderr:
            self.skipTest("tamis was built without MPI (package libopenmpi-dev)")
        self.assertEqual(run.returncode, 0, run.stderr)
        three = json.loads(run.stdout)
        kept = re.findall(r"keeps ([0-9.]+) kB of ([0-9.]+) kB of columns", run.stderr)
        self.assertEqual(len(kept), 3, run.stderr)
        for part, whole in kept:
            self.assertAlmostEqual(float(part), float(whole) / 3, delta=1)
        for key in ("primal", "gap", "upper", "lower"):
            self.assertLessEqual(abs(three[key] - one[key]), 1e-10 * one["primal"], key)
        self.assertEqual([j for j, _ in three["coef"]], [j for j, _ in one["coef"]])

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_what_a_rank_receives(self):
        """One number of eight bytes for each product of another's column, and sparse columns as
        their entries."""
        dice = random.Random(3)
        lines = []
        for _ in range(80):
            chosen = [*sorted(dice.sample(range(1, 400), 11)), 400]
            y = sum(1 for j in chosen if j < 90) + dice.gauss(0, 0.3)
            lines.append(f"{y:.6f} " + " ".join(f"{j}:{dice.gauss(0, 1):.6f}" for j in chosen))
        data = self.write("d.svm", "\n".join(lines) + "\n")
        options = ["fit", data, "--method", "grouplasso", "--groups", "4", "--tol", "1e-12",
                   "--json"]
        one = json.loads(self.good(*options))
        for ranks in (2, 4):
            run = subprocess.run([*MPI[:-1], str(ranks), BIN, *map(str, options),
                                  "--shard-columns"],
                                 capture_output=True, text=True, timeout=TIMEOUT,
                                 env=environment())
            if "built without MPI" in run.stderr:
                self.skipTest("tamis was built without MPI (package libopenmpi-dev)")
            self.assertEqual(run.returncode, 0, run.stderr)
            several = json.loads(run.stdout)
            for key in ("primal", "gap"):
                self.assertLessEqual(abs(several[key] - one[key]), 1e-12 * one["primal"], key)
            told = re.findall(r"products, ([0-9.]+) times 8 bytes .* in ([0-9.]+) passes, and "
                              r"([0-9.]+) kB in ([0-9]+) columns", run.stderr)
            self.assertEqual(len(told), ranks, run.stderr)
            for times, passes, size, columns in told:
                self.assertAlmostEqual(float(times), 1, delta=0.05)
                self.assertGreater(float(passes), 1)
                # 12 bytes an entry, 960 entries in all, which are padded to 8 bytes a column
                self.assertLess(float(size) * 1000, 12 * 960 + 4 * 400 + 10)
                self.assertLessEqual(int(columns), 400)

    def ranks(self, count, *args):
        """A fit on so many ranks; standard output and error."""
        run = subprocess.run([*MPI[:-1], str(count), BIN, "fit", *map(str, args)],
                             capture_output=True, text=True, timeout=TIMEOUT, env=environment())
        if "built without MPI" in run.stderr:
            self.skipTest("tamis was built without MPI (package libopenmpi-dev)")
        return run

    def tall(self):
        """Rows whose columns have means of several deviations."""
        dice = random.Random(7)
        rows = []
        for _ in range(700):
            shared = dice.gauss(0, 1)
            x = [5 * j + shared + (1 + j) * dice.gauss(0, 1) for j in range(8)]
            rows.append(",".join(f"{v:.6f}" for v in (2 * x[0] - x[3] + dice.gauss(10, 1), *x)))
        names = "outcome," + ",".join(f"f{j}" for j in range(8))
        return self.write("tall.csv", names + "\n" + "\n".join(rows) + "\n")

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_rows_over_ranks(self):
        """A rank reads its rows alone, from a file of its own or from that of all; the answer is
        that of one process to 1e-12."""
        source = self.tall()
        self.good("convert", source, self.folder / "all.tam")
        self.good("convert", source, self.folder / "part.tam", "--shards", 4, "--shard-by", "rows")
        size = (self.folder / "all.tam").stat().st_size
        for number in range(1, 5):
            self.assertLess((self.folder / f"part.{number}of4.tam").stat().st_size, size)
        for options in (("--method", "lasso", "--lambdas", 5),
                        ("--method", "lasso", "--standardize", "true", "--alpha", 0.7),
                        ("--method", "lasso", "--intercept", "false"),
                        ("--method", "grouplasso", "--groups", 2),
                        ("--method", "ridge", "--C", "0.01"),
                        ("--method", "genlasso")):
            options = [*options, "--tol", "1e-13", "--json"]
            one = json.loads(self.good("fit", self.folder / "all.tam", *options))
            for ranks, name in ((4, "part.tam"), (2, "all.tam")):
                run = self.ranks(ranks, self.folder / name, *options, "--shard-rows")
                self.assertEqual(run.returncode, 0, run.stderr)
                several = json.loads(run.stdout)
                self.assertEqual(several["data"], one["data"])
                told = re.findall(r"rank \d keeps .* and sent 440 bytes", run.stderr)
                self.assertEqual(len(told), ranks, run.stderr)
                for key in ("primal", "lambda", "lambda_max"):
                    if one.get(key) is None:
                        continue
                    self.assertLessEqual(abs(several[key] - one[key]), 1e-12 * one[key], key)
                self.assertLessEqual(several["gap"], 1e-12 * several["primal"])
                for (a, v), (b, w) in zip(several["coef"], one["coef"], strict=True):
                    self.assertEqual(a, b)
                    self.assertAlmostEqual(v, w, delta=1e-11)
                scores = several["score"]["train"]
                self.assertEqual(set(scores), {"mse", "r2"})
                for key, value in scores.items():
                    self.assertAlmostEqual(value, one["score"]["train"][key], delta=1e-11)

    def two_classes(self):
        """Rows in the order of their classes, so that most ranks have one class alone."""
        dice = random.Random(8)
        rows = []
        for i in range(600):
            sign = 1 if i >= 350 else -1
            shared = dice.gauss(0, 1)
            x = [10 * j + shared + dice.gauss(0, 1) + (0.5 * sign if j < 2 else 0)
                 for j in range(6)]
            rows.append(",".join(["spam" if sign > 0 else "ham", str(dice.choice((0, 1, 3))),
                                  *(f"{v:.6f}" for v in x)]))
        names = "kind,w," + ",".join(f"f{j}" for j in range(6))
        return self.write("kinds.csv", names + "\n" + "\n".join(rows) + "\n")

    def compare_rows(self, one, run):
        self.assertEqual(run.returncode, 0, run.stderr)
        several = json.loads(run.stdout)
        self.assertEqual(several["data"], one["data"])
        self.assertEqual(several["status"], "converged")
        for key in ("primal", "lambda", "lambda_max"):
            self.assertLessEqual(abs(several[key] - one[key]), 1e-12 * one[key], key)
        for mine, theirs in zip(several.get("path", []), one.get("path", []), strict=True):
            self.assertLessEqual(abs(mine["primal"] - theirs["primal"]), 1e-12 * theirs["primal"])
        for (a, v), (b, w) in zip(several["coef"], one["coef"], strict=True):
            self.assertEqual(a, b)
            self.assertAlmostEqual(v, w, delta=1e-6)
        for part, scores in one["score"].items():
            self.assertEqual(set(several["score"][part]), set(scores))
            self.assertEqual(several["score"][part]["confusion"], scores["confusion"])
            for key in ("auc", "accuracy", "logloss"):
                self.assertAlmostEqual(several["score"][part][key], scores[key], delta=1e-6)
        told = re.search(r"received (.*) for (\d+) sums, (\S+) times the least", run.stderr)
        self.assertGreater(int(told[2]), 6, run.stderr)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_classes_of_rows_over_ranks(self):
        """Losses that are not quadratic: the ranks share sums over their rows."""
        source = self.two_classes()
        told = ("--label", "kind", "--weights", "w")
        self.good("convert", source, self.folder / "all.tam", *told)
        self.good("convert", source, self.folder / "part.tam", *told, "--shards", 4, "--shard-by",
                  "rows")
        for options in (("--method", "l1logistic", "--lambdas", 6),
                        ("--method", "l1svm", "--standardize", "true", "--lambda-ratio", 0.05),
                        ("--method", "l1logistic", "--intercept", "false", "--factors",
                         "1,2,1,1,0.5,inf")):
            options = [*options, "--tol", "1e-12", "--json"]
            one = json.loads(self.good("fit", self.folder / "all.tam", *options))
            for ranks, name in ((4, "part.tam"), (3, "all.tam")):
                self.compare_rows(one, self.ranks(ranks, self.folder / name, *options,
                                                  "--shard-rows"))

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_terms_of_the_penalty_over_ranks(self):
        """Elastic nets, limits, features without penalty, and lambda 0, where all are."""
        source = self.two_classes()
        for options in (("--method", "l1logistic", "--alpha", 0.4, "--lambdas", 4),
                        ("--method", "l1svm", "--positive", "true", "--lambda-ratio", 0.05),
                        ("--method", "l1logistic", "--factors", "0,1,0,2,1,inf", "--upper", 0.3,
                         "--standardize", "true", "--lambdas", 3),
                        ("--method", "l1svm", "--factors", "0,1,1,1,1,0", "--lambda-ratio", 0.1),
                        ("--method", "l1logistic", "--lambda", 0)):
            options = [source, *options, "--label", "kind", "--weights", "w", "--tol", "1e-12",
                       "--json"]
            one = json.loads(self.good("fit", *options))
            for ranks in (2, 3):
                self.compare_rows(one, self.ranks(ranks, *options, "--shard-rows"))

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_sparse_rows_over_ranks(self):
        dice = random.Random(9)
        lines = []
        for _ in range(900):
            row = {j: dice.gauss(0, 1) for j in sorted(dice.sample(range(1, 21), 5))}
            kind = sum(row.get(j, 0) for j in (1, 2, 9)) + dice.gauss(0, 1) > 0.3
            lines.append(f"{1 if kind else -1} " + " ".join(f"{j}:{v:.5f}"
                                                            for j, v in row.items()))
        source = self.write("sparse.svm", "\n".join(lines) + "\n")
        self.good("convert", source, self.folder / "part.tam", "--shards", 3, "--shard-by", "rows")
        for options in (("--method", "l1logistic", "--lambdas", 10),
                        ("--method", "l1svm", "--lambda-ratio", 0.05, "--standardize", "true"),
                        ("--method", "l1logistic", "--alpha", 0.5, "--upper", 0.4, "--factors",
                         ",".join(["0"] + 19 * ["1"]), "--lambda-ratio", 0.05)):
            options = [*options, "--tol", "1e-12", "--json"]
            one = json.loads(self.good("fit", source, *options))
            for ranks, path in ((2, source), (3, self.folder / "part.tam")):
                self.compare_rows(one, self.ranks(ranks, path, *options, "--shard-rows"))

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_rows_over_ranks_with_test_rows(self):
        source = self.two_classes()
        numbers = self.tall()
        options = ["--method", "l1logistic", "--lambda-ratio", 0.1, "--tol", "1e-12", "--json",
                   "--label", "kind"]
        for more in (("--test", source), ("--holdout", 0.25)):
            one = json.loads(self.good("fit", source, *options, *more))
            self.assertIn("test", one["score"])
            self.compare_rows(one, self.ranks(2, source, *options, *more, "--shard-rows"))
        options = ["--method", "lasso", "--lambda-ratio", 0.1, "--tol", "1e-13", "--json"]
        for more in (("--test", numbers), ("--holdout", 0.25)):
            one = json.loads(self.good("fit", numbers, *options, *more))
            run = self.ranks(2, numbers, *options, *more, "--shard-rows")
            several = json.loads(run.stdout)
            for key, value in several["score"]["test"].items():
                self.assertAlmostEqual(value, one["score"]["test"][key], delta=1e-10)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_time_that_is_up_for_all_ranks(self):
        """All ranks stop at one step, by the clock of the first one; what they have reached is
        certified: the optimum that one process finds is within its gap."""
        data = self.folder / "d.tam"
        # 4001 rows: no two of the ranks have the same number of all three
        self.good("eval", f'tm.synth("fgm", {{n=4001, p=60, k=20, seed=4}}):save("{data}")')
        options = [data, "--method", "l1logistic", "--lambda-ratio", "0.01", "--tol", "1e-12",
                   "--json"]
        one = json.loads(self.good("fit", *options))
        self.assertEqual(one["status"], "converged")
        for ranks, what in ((2, "rows"), (3, "rows"), (2, "columns"), (3, "columns")):
            for seconds, stops in ((1e-6, True), (0.02, None), (1000, False)):
                run = self.ranks(ranks, *options, f"--shard-{what}", "--max-seconds", seconds)
                self.assertEqual(run.returncode, 0, run.stderr)
                several = json.loads(run.stdout)
                stopped = several["status"] != "converged"
                if stops is not None:
                    self.assertEqual(stopped, stops)
                if stopped:
                    self.assertEqual(several["stopped_by"], "max_seconds")
                self.assertEqual(run.stderr.count("stopped by max_seconds"), stopped, run.stderr)
                rounding = 1e-11 * one["primal"]
                self.assertLessEqual(several["dual"], one["primal"] + rounding)
                self.assertGreaterEqual(several["primal"], one["dual"] - rounding)
                self.assertAlmostEqual(several["gap"], several["primal"] - several["dual"],
                                       delta=rounding)
                if not stopped:
                    self.assertLessEqual(abs(several["primal"] - one["primal"]),
                                         1e-12 * one["primal"])
        # Each lambda of a path has its own time.
        path = ["--lambdas", 3, "--lambda-min-ratio", 0.1, "--max-seconds", 1e-6]
        for what in ("rows", "columns"):
            run = self.ranks(2, *options[:3], *options[5:], *path, f"--shard-{what}")
            self.assertEqual(run.returncode, 0, run.stderr)
            points = json.loads(run.stdout)["path"]
            self.assertEqual((points[0]["status"], points[2]["status"]), ("converged", "max_iter"))

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_all_bytes_are_counted(self):
        """Sums of single numbers too, of which each rank receives those of all others."""
        source = self.two_classes()
        options = [source, "--method", "l1logistic", "--lambda-ratio", 0.1, "--label", "kind",
                   "--json", "--shard-rows"]
        size = {"bytes": 1, "kB": 1e3, "MB": 1e6}
        rest = {}
        for ranks in (2, 3):
            run = self.ranks(ranks, *options)
            self.assertEqual(run.returncode, 0, run.stderr)
            sums = int(re.search(r"for (\d+) sums", run.stderr)[1])
            told = re.findall(r"memory, and received ([0-9.]+) (\w+) in all", run.stderr)
            self.assertEqual(len(told), ranks, run.stderr)
            received = {float(number) * size[unit] for number, unit in told}
            for whole in received:
                # what 8 bytes a sum leave: single sums, as of losses and for the intercept, and
                # what ranks agree on
                rest[ranks] = whole - 8 * sums * (ranks - 1)
                self.assertGreater(rest[ranks], 8 * 50 * (ranks - 1))
        self.assertGreater(rest[3], 1.2 * rest[2])
        self.assertLess(rest[3], 2.5 * rest[2])

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_what_rows_over_ranks_are_not_for(self):
        source = self.two_classes()
        self.good("convert", source, self.folder / "part.tam", "--label", "kind", "--shards", 2,
                  "--shard-by", "rows")
        wide = self.write("w.svm", "".join(f"{1 if i % 2 else -1} {i + 1}:1 1000000:{i % 5}\n"
                                           for i in range(40)))
        logistic = ["--method", "l1logistic", "--shard-rows"]
        for path, options, says in (
                (source, ("--screen", "gap"), "this screen: use auto"),
                (source, ("--solver", "cgd"), "solver cgd"),
                (source, ("--threads", 2), "start more processes"),
                (source, ("--method", "grouplasso", "--loss", "logistic"), "squared loss of"),
                (source, ("--method", "lasso", "--test", source), "no classes"),
                (self.folder / "part.tam", ("--holdout", 0.5), "needs all rows in one file"),
                (wide, (), "more memory than there is")):
            label = ("--label", "kind") if path == source else ()
            run = self.ranks(2, path, *logistic, *options, *label)
            self.assertIn(says, run.stderr)
            self.assertEqual(run.stdout, "")

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_columns_in_files_of_their_own(self):
        source = self.tall()
        self.good("convert", source, self.folder / "all.tam")
        self.good("convert", source, self.folder / "part.tam", "--shards", 3)
        options = ["--method", "lasso", "--tol", "1e-13", "--json"]
        one = json.loads(self.good("fit", self.folder / "all.tam", *options))
        run = self.ranks(3, self.folder / "part.tam", *options, "--shard-columns")
        self.assertEqual(run.returncode, 0, run.stderr)
        three = json.loads(run.stdout)
        self.assertEqual(three["data"], one["data"])
        self.assertLessEqual(abs(three["primal"] - one["primal"]), 1e-12 * one["primal"])
        self.assertEqual([name for name, _ in three["coef"]], [name for name, _ in one["coef"]])
        for wrong, says in ((["--shard-rows"], "some of the columns"),
                            (["--method", "svm", "--shard-rows"], "squared loss of lasso, ")):
            run = self.ranks(3, self.folder / "part.tam", *options, *wrong)
            self.assertEqual(run.stdout, "")
            self.assertIn(says, run.stderr)
        (self.folder / "part.3of3.tam").unlink()
        run = self.ranks(3, self.folder / "part.tam", *options, "--shard-columns")
        self.assertEqual(run.stdout, "")
        self.assertIn("cannot be opened", run.stderr)
        # Files of different data are not taken for parts of one.
        other = self.write("other.csv", "y,a,b,c\n" + "1,2,3,4\n5,6,7,9\n" * 350)
        self.good("convert", other, self.folder / "part.tam", "--shards", 3)
        self.good("convert", source, self.folder / "mixed.tam", "--shards", 3)
        (self.folder / "part.2of3.tam").replace(self.folder / "mixed.2of3.tam")
        run = self.ranks(3, self.folder / "mixed.tam", *options, "--shard-columns")
        self.assertEqual(run.stdout, "")
        self.assertIn("3 parts of one data set", run.stderr)

    @unittest.skipIf(MPIRUN is None, "mpirun is not installed (package openmpi-bin)")
    def test_rows_of_different_data(self):
        for name, shift in (("one", 1), ("two", 2)):
            source = self.write(f"{name}.csv", "y,a,b\n" + "".join(
                f"{i % 5},{i},{(i * i + shift) % 7}\n" for i in range(40)))
            self.good("convert", source, self.folder / f"{name}.tam", "--shards", 2,
                      "--shard-by", "rows")
        (self.folder / "two.2of2.tam").replace(self.folder / "one.2of2.tam")
        run = self.ranks(2, self.folder / "one.tam", "--method", "lasso", "--shard-rows")
        self.assertEqual(run.stdout, "")
        self.assertIn("rows of different data sets", run.stderr)

    def test_wrong_parts(self):
        source = self.write("d.csv", "y,a\n1,2\n2,3\n0,1\n")
        for options, says in ((["--shards", 0], "a number of files"),
                              (["--shards", "x"], "a number of files"),
                              (["--shards", 2], "2 of 2"), (["--shard-by", "rows"], "--shards"),
                              (["--shards", 2, "--shard-by", "tows"], "columns or rows"),
                              (["--shards", 9, "--shard-by", "rows"], "3 rows")):
            self.fails(2, "convert", source, self.folder / "d.tam", *options,
                       says="1 columns" if says == "2 of 2" else says)
        self.fails(2, "convert", source, self.folder / "d.csv2.csv", "--shards", 1, says=".tam")

    def test_one_process_is_told(self):
        data = self.write("d.csv", "1,2,3\n2,3,5\n0,1,1\n")
        self.fails(2, "fit", data, "--label", 1, "--method", "lasso", "--shard-columns",
                   says="mpirun -n N")


if __name__ == "__main__":
    unittest.main()
