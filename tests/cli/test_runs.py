#!/usr/bin/python3
"""tamis runs and --store: what is recorded is found again, whatever happens on the way."""
import contextlib
import csv
import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import time
import unittest

from tamis_cli import (BIN, GOLUB, TIMEOUT, Case, default_signals, environment, random_svm,
                       start, tamis)

NOBODY = 65534


class Store(Case):
    def setUp(self):
        super().setUp()
        text, _, _ = random_svm(seed=11)
        self.data = self.write("small.svm", text)
        self.store = self.folder / "runs.db"

    def record(self, *args, **options):
        return self.good("fit", self.data, "--method", "lasso", "--store", self.store, *args,
                         **options)

    def runs(self, *args):
        return json.loads(self.good("runs", *args, "--store", self.store, "--json"))

    def sql(self, statement):
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            rows = db.execute(statement).fetchall()
            db.commit()
            return rows

    def intact(self):
        self.assertEqual(self.sql("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.sql("PRAGMA foreign_key_check"), [])

    def without_terms(self):
        """As before traces had numbers of terms."""
        for column in ("rejected", "aggregated"):
            self.sql(f"ALTER TABLE traces DROP COLUMN {column}")

    def as_nobody(self, *args):
        def drop():
            default_signals()
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        root = os.geteuid() == 0
        run = subprocess.run([BIN, *map(str, args)], env=environment(), capture_output=True,
                             preexec_fn=drop if root else default_signals, check=False, text=True)
        self.assertNotIn("Sanitizer", run.stderr)
        return run

    def needs_nobody(self):
        if os.environ.get("TAMIS_BUILD") == "coverage":
            self.skipTest("another user cannot write the counts")
        self.folder.chmod(0o755)
        with contextlib.suppress(PermissionError):
            if self.as_nobody("--version").returncode == 0:
                return
        self.skipTest("the program cannot be run by a user without privileges")


class Recording(Store):
    def test_a_fit_is_found_again(self):
        fit = json.loads(self.record("--lambdas", 6, "--json", "--test", self.data))
        listed = self.runs()
        self.assertEqual(listed["store"], str(self.store))
        (run,) = listed["runs"]
        shown = self.runs("show", run["id"])
        for key in ("method", "status", "params", "lambda", "lambda_max", "primal", "dual", "gap",
                    "nnz"):
            self.assertEqual(shown[key], fit[key], key)
            self.assertEqual(run[key], fit[key], key)
        self.assertEqual(shown["data"], {"name": "small", "n": fit["data"]["n"],
                                         "p": fit["data"]["p"], "sha256": fit["data"]["sha256"]})
        self.assertEqual(shown["test"]["sha256"], fit["data"]["sha256"])
        self.assertEqual(run["points"], 6)
        self.assertEqual(len(shown["points"]), 6)
        for point, expected in zip(shown["points"], fit["path"]):
            for key in ("lambda", "status", "primal", "dual", "gap", "nnz", "intercept", "seconds",
                        "columns", "updates", "screened"):
                self.assertEqual(point[key], expected[key], key)
            self.assertEqual(point["test_score"], expected["score"]["test"]["r2"])
            self.assertEqual(point["train_score"], expected["score"]["train"]["r2"])
        self.assertRegex(run["begun"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.intact()

    def test_methods_without_lambda(self):
        methods = ["fgm", "mslr", "svmperf", "fsmulti", "ridge", "rfe", "gomp"]
        for method in methods:
            run = tamis("fit", GOLUB, "--method", method, "--store", self.store, "--json")
            self.assertEqual((run.returncode, "not recorded" in run.stderr), (0, False), run.stderr)
        listed = self.runs()["runs"]
        self.assertEqual([run["method"] for run in listed], methods)
        for run in listed:
            self.assertNotEqual(run["status"], "interrupted")
            [point] = self.runs("show", run["id"])["points"]
            self.assertNotIn("lambda", point)
            self.assertEqual(point["gap"], run["gap"])
        self.intact()

    def test_points_along_B_and_C_are_told_apart(self):
        self.good("fit", GOLUB, "--method", "fgm", "--B", "2,5", "--C", "1,10", "--store",
                  self.store, "--quiet")
        wanted = [(2, 1), (2, 10), (5, 1), (5, 10)]
        points = self.runs("show", 1)["points"]
        self.assertEqual(sorted((point["B"], point["C"]) for point in points), wanted)
        rows = list(csv.DictReader(self.good("runs", "export", 1, "--store",
                                             self.store).splitlines()))
        self.assertEqual(sorted((float(row["B"]), float(row["C"])) for row in rows), wanted)
        self.assertEqual([row["lambda"] for row in rows], [""] * 4)
        page = self.good("runs", "show", 1, "--store", self.store)
        self.assertRegex(page, r"(?m)^point +B +C +status +nnz")
        self.record("--lambda", "0.5,0.25")
        self.assertNotIn("B", self.runs("show", 2)["points"][0])
        self.assertRegex(self.good("runs", "show", 2, "--store", self.store),
                         r"(?m)^point +lambda +status")
        self.intact()

    def test_an_older_store_is_brought_up_to_date(self):
        self.record("--lambda", "0.5,0.25")
        before = self.runs("show", 1)["points"]
        for table in ("traces", "marks", "answers"):
            self.sql(f"DROP TABLE {table}")
        for column in "BC":
            self.sql(f"ALTER TABLE points DROP COLUMN {column}")
        self.sql("ALTER TABLE results DROP COLUMN checksum")
        for column in ("tags", "note"):
            self.sql(f"ALTER TABLE runs DROP COLUMN {column}")
            self.sql(f"ALTER TABLE sweeps DROP COLUMN {column}")
        self.sql("PRAGMA user_version = 2")  # its points need not have been bound to a lambda
        self.good("fit", GOLUB, "--method", "ridge", "--store", self.store)
        self.assertEqual(self.runs("show", 1)["points"], before)
        self.assertEqual(self.sql("PRAGMA user_version"), [(10,)])
        self.intact()

    def test_recording_changes_no_answer(self):
        def answer(*options):
            result = self.fit(self.data, "--lambdas", 5, *options)
            for part in [result, *result["path"]]:
                part.pop("seconds")
            return result
        self.assertEqual(answer(), answer("--store", self.store))

    def test_nothing_is_recorded_unless_asked(self):
        home = self.folder / "state"
        self.good("fit", self.data, "--method", "lasso", env=environment(XDG_STATE_HOME=str(home)))
        self.assertFalse(home.exists())
        self.good("fit", self.data, "--method", "lasso", "--store", "default",
                  env=environment(XDG_STATE_HOME=str(home)))
        self.assertEqual((home / "tamis").stat().st_mode & 0o777, 0o700)
        table = self.good("runs", env=environment(XDG_STATE_HOME=str(home)))
        self.assertEqual(len(table.splitlines()), 2)

    def test_table(self):
        self.record("--lambda-ratio", 0.3)
        self.record("--lambda-ratio", 0.1, "--tol", "1e-14", "--max-iter", 1, "--screen", "none",
                    "--quiet")
        lines = self.good("runs", "--store", self.store).splitlines()
        self.assertEqual(lines[0].split(), ["id", "when", "name", "method", "data", "status",
                                            "tags", "lambda", "gap", "nnz", "seconds"])
        self.assertIn("lasso auto 0.3", lines[1])
        self.assertIn("converged", lines[1])
        self.assertIn("max_iter", lines[2])
        status = lines[0].index("status")
        self.assertEqual([line[status:].split()[0] for line in lines],
                         ["status", "converged", "max_iter"])
        self.assertEqual(len({len(line) for line in lines}), 1)  # the last column is flush right
        for options, names in (([], 2), (["--status", "max_iter"], 1), (["--method", "l1svm"], 0),
                               (["--older-than", 1], 0), (["--older-than", 0], 2)):
            self.assertEqual(len(self.runs(*options)["runs"]), names, options)

    def test_show_and_export(self):
        self.record("--lambda", "0.5,0.25", "--model", self.folder / "m.json")
        page = self.good("runs", "show", 1, "--store", self.store)
        self.assertRegex(page, r"(?m)^  lambda +0\.5,0\.25$")
        self.assertRegex(page, r"(?m)^  intercept +true$")
        self.assertRegex(page, r"(?m)^ +2 +0\.25 +converged ")
        rows = list(csv.DictReader(io.StringIO(self.good("runs", "export", 1, "--store",
                                                         self.store))))
        points = self.runs("show", 1)["points"]
        self.assertEqual([float(row["lambda"]) for row in rows], [0.5, 0.25])
        for row, point in zip(rows, points):
            for key in ("primal", "dual", "gap", "intercept", "train_score"):
                self.assertEqual(float(row[key]), point[key], key)
            self.assertEqual(row["test_score"], "")
            self.assertEqual(int(row["columns"]), point["columns"])
        self.good("runs", "export", 1, "--model", self.folder / "again.json", "--store", self.store)
        self.assertEqual((self.folder / "again.json").read_text(),
                         (self.folder / "m.json").read_text())

    def test_scripts(self):
        script = self.write("s.lua", """
            local d = tm.load(arg[1])
            for i = 1, 20 do tm.lasso(d, {lambda_ratio=i/40, name="r" .. i}):wait() end
            tm.path(d, "lasso", {lambdas=2000, name="left"})  -- left running
        """)
        run = tamis("run", "--store", self.store, script, self.data)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"^tamis run: .* without waiting for 1 run; waiting now .*\n$")
        runs = self.runs()["runs"]
        self.assertEqual([run["name"] for run in runs], [f"r{i}" for i in range(1, 21)] + ["left"])
        self.assertEqual([run["status"] for run in runs], ["converged"] * 21)
        for i, run in enumerate(runs[:20], 1):
            self.assertAlmostEqual(run["lambda"], i / 40 * run["lambda_max"],
                                   delta=1e-12 * run["lambda_max"])
        self.good("repl", "--store", self.store,
                  text=f'tm.lasso(tm.load("{self.data}"), {{name="typed"}}):wait()\n')
        self.good("eval", "--store", self.store, f'tm.lasso(tm.load("{self.data}")):wait().nnz')
        self.assertEqual([run["name"] for run in self.runs()["runs"][21:]],
                         ["typed", "lasso auto 0.1"])
        self.intact()

    def test_one_against_the_rest_is_under_method_and_class(self):
        data = self.write("three.csv", "a,b,y\n" + "".join(
            f"{i % 7},{i * i % 5},{'uvw'[i % 3]}\n" for i in range(18)))
        self.good("fit", data, "--method", "l1logistic", "--lambda", "0.1", "--one-vs-rest",
                  "--store", self.store)
        script = self.write("ovr.lua", """
            local o = tm.ovr(tm.load(arg[1]), "l1logistic", {lambda=0.1}):wait()""")
        self.good("run", script, data, "--store", self.store)
        runs = self.runs("list")["runs"]
        self.assertEqual([run["method"] for run in runs], ["l1logistic"] * 6)
        self.assertEqual([run["name"] for run in runs],
                         [f"l1logistic {label}" for label in "uvw"] * 2)
        self.assertEqual([run["primal"] for run in runs[:3]], [run["primal"] for run in runs[3:]])
        shown = tamis("--dump-view", "runs", "--size", "100x24", "--script", script, data,
                      data)
        self.assertRegex(shown.stdout, r"runs: 5\b")  # with the two of the explore view
        for label in "uvw":
            self.assertIn(f"l1logistic {label}", shown.stdout)

    def test_failed_runs_say_why(self):
        script = f"""r = tm.lasso(tm.load("{self.data}"), {{lambda_ratio=0.1, name="a\\27[31mb"}})
                     r:wait()"""
        self.good("eval", "--store", self.store, script)
        self.assertNotIn("\33", self.good("runs", "--store", self.store, "--color", "never"))
        self.assertNotIn("\33", self.good("runs", "show", 1, "--store", self.store, "--color",
                                          "never"))
        self.assertEqual(self.runs()["runs"][0]["name"], "a\33[31mb")


class Ends(Store):
    """Processes that are killed, signalled, or several."""

    def start_long(self):
        """A fit that goes on until it is stopped, recorded in the store."""
        process = start("fit", GOLUB, "--method", "lasso", "--screen", "none", "--tol", "1e-14",
                        "--lambdas", 20000, "--lambda-min-ratio", "1e-5", "--store", self.store)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, statement):
        for _ in range(6000):
            with contextlib.suppress(sqlite3.OperationalError):
                rows = self.sql(statement) if self.store.exists() else []
                if rows:
                    return rows
            time.sleep(0.01)
        self.fail(f"never: {statement}")
        return None

    def start_waiting(self):
        """A script that records one run with points and one that is not begun, and then waits."""
        script = f"""d = tm.load("{self.data}")
            tm.path(d, "lasso", {{lambdas=4, name="done"}}):wait()
            a = tm.path(d, "lasso", {{lambdas=100000, name="long"}}); a:pause()
            while true do end"""
        process = start("eval", "--jobs", 1, "--store", self.store, script)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.wait_for("SELECT 1 FROM runs WHERE name = 'long'")
        self.wait_for("SELECT 1 FROM runs WHERE name = 'done' AND status = 'converged'")
        return process

    def test_killed_runs_are_interrupted(self):
        process = self.start_waiting()
        statuses = [run["status"] for run in self.runs()["runs"]]
        self.assertEqual(statuses, ["converged", "running"])
        process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, its number still taken
        self.assertEqual([run["status"] for run in self.runs()["runs"]],
                         ["converged", "interrupted"])
        process.communicate()
        self.assertEqual([run["status"] for run in self.runs()["runs"]],
                         ["converged", "interrupted"])
        self.assertEqual(len(self.runs("show", 1)["points"]), 4)
        self.intact()
        self.record("--lambda-ratio", 0.5)  # the store goes on
        self.good("runs", "prune", "--status", "interrupted", "--yes", "--store", self.store)
        self.assertEqual([run["id"] for run in self.runs()["runs"]], [1, 3])

    def test_a_killed_fit_keeps_its_points(self):
        process = self.start_long()
        self.wait_for("SELECT 1 FROM points LIMIT 1")
        process.kill()
        process.communicate()
        (run,) = self.runs()["runs"]
        self.assertEqual(run["status"], "interrupted")
        points = self.runs("show", 1)["points"]
        self.assertEqual(run["points"], len(points))
        self.assertEqual(run["lambda"], points[-1]["lambda"])
        self.intact()

    def test_interrupted_fit_is_cancelled(self):
        process = self.start_long()
        self.wait_for("SELECT 1 FROM runs")
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertEqual([run["status"] for run in self.runs()["runs"]], ["cancelled"])

    def test_writers_at_once(self):
        script = f"""d = tm.load("{self.data}")
            for i = 1, 40 do tm.path(d, "lasso", {{lambdas=3, name=arg[1]}}):wait() end"""
        path = self.write("s.lua", script)
        processes = [start("run", "--store", self.store, path, name) for name in "abc"]
        for process in processes:
            out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual((process.returncode, out, err), (0, b"", b""))
        self.assertEqual(self.sql("SELECT name, status, count(*) FROM runs GROUP BY 1, 2"),
                         [(name, "converged", 40) for name in "abc"])
        self.assertEqual(self.sql("SELECT count(*) FROM points"), [(360,)])
        self.intact()


class Trouble(Store):
    """A store that fails stops no run, and is told in one line."""

    def fit_goes_on(self, says, store=None, **options):
        run = tamis("fit", self.data, "--method", "lasso", "--json", "--store",
                    self.store if store is None else store, **options)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn("not recorded", run.stderr)
        self.assertIn(says, run.stderr)
        self.assertEqual(json.loads(run.stdout)["status"], "converged")

    def test_files_that_are_no_store(self):
        for content, says in ((b"x" * 5000, "not a run store"),
                              (b"SQLite format 3\0" + b"\xff" * 5000, "not a run store")):
            self.store.write_bytes(content)
            self.fit_goes_on(says)
            self.assertEqual(self.store.read_bytes(), content)
            self.fails(1, "runs", "--store", self.store, says=says)
        self.fit_goes_on("not a file", store=self.folder)
        self.fit_goes_on("No such file", store=self.folder / "no" / "runs.db")
        self.fit_goes_on("empty", store="")

    def test_a_damaged_store(self):
        for _ in range(3):
            self.record("--lambdas", 20)
        with open(self.store, "r+b") as file:
            file.seek(4096)
            file.write(os.urandom(self.store.stat().st_size - 4096))
        self.fit_goes_on("damaged")
        self.fails(1, "runs", "list", "--store", self.store, says="damaged")
        self.fails(1, "runs", "prune", "--older-than", 0, "--yes", "--store", self.store,
                   says="damaged")

    def test_a_disk_that_is_full(self):
        """A limit on the size of files stands for it: the store can grow no more."""
        self.record("--lambdas", 40)

        def small_files():
            default_signals()
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        script = f"""d = tm.load("{self.data}")
            for i = 1, 5 do print(tm.path(d, "lasso", {{lambdas=30}}):wait().status) end"""
        process = subprocess.run([BIN, "eval", "--store", str(self.store), script],
                                 env=environment(), preexec_fn=small_files, capture_output=True,
                                 check=False)
        self.assertEqual(process.stdout.decode().split(), ["converged"] * 5)
        self.assertEqual(process.returncode, 1)
        self.assertNotIn(b"Sanitizer", process.stderr)
        self.assertLessEqual(process.stderr.count(b"\n"), 2, process.stderr)
        self.assertIn(b"not recorded", process.stderr)
        self.intact()
        self.assertEqual(len(self.runs("show", 1)["points"]), 40)

    def test_a_protected_store_of_an_older_version_is_read(self):
        self.needs_nobody()
        self.record("--lambda", "0.5,0.25")
        before = self.runs("show", 1)["points"]
        for column in "BC":
            self.sql(f"ALTER TABLE points DROP COLUMN {column}")
        self.without_terms()
        self.sql("PRAGMA user_version = 5")
        self.sql("PRAGMA journal_mode = DELETE")
        self.folder.chmod(0o755)
        self.store.chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        run = self.as_nobody("runs", "show", 1, "--json", "--store", self.store)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(json.loads(run.stdout)["points"], before)

    def test_write_protected(self):
        self.needs_nobody()
        self.record("--lambdas", 3)
        self.data.chmod(0o644)
        self.store.chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        before = self.store.read_bytes()
        for store in (self.store, self.folder / "new.db"):
            run = self.as_nobody("fit", self.data, "--method", "lasso", "--json", "--store", store)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1), run.stderr)
            self.assertIn("not recorded", run.stderr)
            self.assertEqual(json.loads(run.stdout)["status"], "converged")
        listed = self.as_nobody("runs", "--json", "--store", self.store)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        self.assertEqual([run["points"] for run in json.loads(listed.stdout)["runs"]], [3])
        pruned = self.as_nobody("runs", "prune", "--older-than", 0, "--yes", "--store", self.store)
        self.assertEqual(pruned.returncode, 1)
        self.assertIn("write-protected", pruned.stderr)
        self.assertEqual(self.store.read_bytes(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["runs.db", "small.svm"])


class Usage(Store):
    def test_wrong_usage(self):
        self.record("--lambda-ratio", 0.5)
        for words, says in ((["lst"], "did you mean 'list'"),
                            (["everything"], "list, sweeps, show"),
                            (["show"], "by its number"), (["show", "x"], "'x' is no run"),
                            (["show", "0"], "'0' is no run"), (["show", "7"], "no run 7"),
                            (["show", "1", "2"], "'2' too"), (["list", "1"], "'1' too"),
                            (["export", "7"], "no run 7"), (["merge"], "name the stores"),
                            (["show", "s7"], "no sweep 7"), (["compare", "1"], "two runs"),
                            (["show", "1", "--yes"], "--yes"), (["prune"], "which runs"),
                            (["prune", "--status", "done"], "'done'"),
                            (["prune", "--older-than", "soon"], "number of days"),
                            (["--older-than", "-1"], "number of days"),
                            (["--model", "x"], "--model")):
            with self.subTest(words=words):
                self.fails(2, "runs", *words, "--store", self.store, says=says)
        self.fails(1, "runs", "--store", self.folder / "no.db", says=["no.db", "no such run store"])

    def test_prune_asks_first(self):
        for _ in range(3):
            self.record("--lambda-ratio", 0.5)
        self.sql("UPDATE runs SET begun = begun - 10 * 86400 WHERE id = 2")
        dry = self.good("runs", "prune", "--older-than", 5, "--store", self.store)
        self.assertTrue(dry.startswith("1 run would be deleted"), dry)
        self.assertEqual(len(self.runs()["runs"]), 3)
        self.assertEqual(self.good("runs", "prune", "--older-than", 5, "--yes", "--store",
                                   self.store), "1 run deleted\n")
        self.assertEqual([run["id"] for run in self.runs()["runs"]], [1, 3])
        self.assertEqual(self.sql("SELECT DISTINCT run FROM points ORDER BY 1"), [(1,), (3,)])


class Compare(Store):
    """Runs side by side: what was asked where it differs, and what came of it."""

    def setUp(self):
        super().setUp()
        self.record("--lambda-ratio", 0.5)
        self.record("--lambda-ratio", 0.25, "--tol", 1e-8, "--seed", 3)
        self.record("--lambdas", 3)

    def test_parameters_that_differ_and_all_results(self):
        compared = self.runs("compare", "1", "2")
        self.assertEqual(compared["differ"], ["lambda_ratio", "tol"])
        for at, run in enumerate(compared["runs"]):
            shown = self.runs("show", str(at + 1))
            for key in ("name", "method", "status", "params", "lambda", "primal", "gap", "nnz"):
                self.assertEqual(run[key], shown[key], key)

    def test_the_page_has_a_column_a_run_and_a_dash_for_what_is_not_there(self):
        page = self.good("runs", "compare", "1", "3", "2", "--store", self.store)
        rows = {line.split()[0]: line.split()[1:] for line in page.splitlines()}
        self.assertEqual(rows["run"], ["1", "3", "2"])
        self.assertEqual(rows["lambda_ratio"], ["0.5", "0.1", "0.25"])
        self.assertEqual(rows["lambdas"], ["-", "3", "-"])
        self.assertEqual(rows["tol"], ["1e-06", "1e-06", "1e-08"])
        self.assertEqual(rows["test_score"], ["-", "-", "-"])
        self.assertEqual(len(rows["primal"]), 3)
        self.assertNotIn("max_iter", rows)

    def test_a_run_that_is_not_there(self):
        self.fails(2, "runs", "compare", "1", "9", "--store", self.store, says="no run 9")


class Labels(Store):
    def ids(self, *args):
        return [run["id"] for run in self.runs("list", *args)["runs"]]

    def test_tags_and_notes_of_runs(self):
        self.record("--tags", "paper,fig3", "--note", "before the outlier went")
        self.record("--tags", "paper2")
        self.record()
        self.assertEqual(self.ids("--tag", "paper"), [1])
        self.assertEqual(self.ids("--note", "outlier"), [1])
        self.good("runs", "tag", 3, "paper", "new", "paper", "--store", self.store)
        self.good("runs", "untag", 1, "fig3", "--store", self.store)
        self.good("runs", "note", 2, "twice", "--store", self.store)
        self.good("runs", "note", 1, "--store", self.store)
        runs = self.runs("list")["runs"]
        self.assertEqual([run["tags"] for run in runs], [["paper"], ["paper2"], ["paper", "new"]])
        self.assertEqual([run.get("note") for run in runs], [None, "twice", None])
        self.assertIn("paper new", self.good("runs", "--store", self.store))
        page = self.good("runs", "show", 2, "--store", self.store)
        self.assertRegex(page, r"tags +paper2\n +note +twice\n")
        self.good("runs", "prune", "--tag", "new", "--yes", "--store", self.store)
        self.assertEqual(self.ids(), [1, 2])

    def test_in_scripts_and_merged(self):
        script = self.write("s.lua", """
            local d = tm.synth("lasso", {n=30, p=20, k=3})
            local r = tm.lasso(d, {lambda_ratio=0.5, tags="one", note="n1"}):wait()
            r:annotate{tags={"one", "two"}}
            assert(#r.tags == 2 and r.tags[2] == "two" and r.note == "n1")
            local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.2}}, folds=2,
                               name="s", tags=arg[1]}:wait()
            if arg[1] then s:annotate{note="kept"} end
            assert(s.tags[1] == "a<b" and s.note == "kept" and not s:best().params.tags)
            """.replace('"lasso", {n=30, p=20, k=3}', '"fgm", {n=30, p=20, k=5}')
                            .replace("tm.lasso", "tm.l1svm").replace('"lasso"', '"l1svm"'))
        self.good("run", "--store", self.store, script, "a<b")
        self.good("run", "--store", self.store, script)      # the sweep goes on and has them
        other = self.folder / "other.db"
        self.good("runs", "merge", self.store, "--store", other)
        for store in (self.store, other):
            self.store = store
            runs, sweeps = self.runs("list")["runs"], self.runs("sweeps")["sweeps"]
            self.assertEqual([(run["tags"], run["note"]) for run in runs],
                             2 * [(["one", "two"], "n1")])
            self.assertEqual([(one["tags"], one["note"]) for one in sweeps], [(["a<b"], "kept")])
        self.assertEqual(self.runs("sweeps", "--tag", "b")["sweeps"], [])
        self.assertIn("a&lt;b", self.good("report", "s1", "--store", self.store))
        self.good("runs", "untag", "s1", "a<b", "--store", self.store)
        self.assertEqual(self.runs("sweeps")["sweeps"][0]["tags"], [])

    def test_wrong_ones_are_named(self):
        self.record()
        for words, says in ((("tag", 1, "a b"), "'a b' is no tag"), (("tag", 1), "and then tags"),
                            (("untag", 1, "x"), "none of its tags"),
                            (("note", 9, "x"), "there is no run 9"),
                            (("tag", "s9", "x"), "there is no sweep s9")):
            with self.subTest(words=words):
                run = tamis("runs", *words, "--store", self.store)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(says, run.stderr)
        run = tamis("fit", self.data, "--method", "lasso", "--tags", "a")
        self.assertIn("add '--store FILE'", run.stderr)
        for wrong, says in (("tags={1}", "tags[1] is"), ("note=3", "'note' is"),
                            ("tags='a,b'", "is no tag")):
            run = tamis("eval", f'tm.lasso(tm.synth("fgm", {{n=9, p=9, k=5}}), {{{wrong}}})')
            self.assertIn(says, run.stderr)

    def test_an_older_store(self):
        self.record("--tags", "a")
        for table in ("runs", "sweeps"):
            self.sql(f"ALTER TABLE {table} DROP COLUMN tags")
            self.sql(f"ALTER TABLE {table} DROP COLUMN note")
        self.without_terms()
        self.sql("PRAGMA user_version = 8")
        self.assertEqual(self.runs("list")["runs"][0]["tags"], [])

    def test_a_protected_store_without_tags(self):
        """One of an older version, which cannot be brought up to date: it is read, and a sweep that
        cannot be recorded in it has its results all the same."""
        self.needs_nobody()
        self.record("--tags", "a")
        script = self.write("s.lua", """
            local d = tm.synth("fgm", {n=30, p=20, k=5})
            local s = tm.sweep{data=d, method="l1svm", grid={lambda_ratio={0.5, 0.2}}, folds=2,
                               tags="b", name="s"}:wait()
            print(s.status, s.done, #s.tags)""")
        self.good("run", "--store", self.store, script)
        for table in ("runs", "sweeps"):
            self.sql(f"ALTER TABLE {table} DROP COLUMN tags")
            self.sql(f"ALTER TABLE {table} DROP COLUMN note")
        self.without_terms()
        self.sql("PRAGMA user_version = 8")
        self.sql("PRAGMA journal_mode = DELETE")
        script.chmod(0o644)
        self.store.chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        before = self.store.read_bytes()
        for words, key in (("list", "runs"), ("sweeps", "sweeps")):
            listed = self.as_nobody("runs", words, "--json", "--store", self.store)
            self.assertEqual((listed.returncode, listed.stderr), (0, ""))
            self.assertEqual([one["tags"] for one in json.loads(listed.stdout)[key]], [[]])
            tagged = self.as_nobody("runs", words, "--tag", "b", "--json", "--store", self.store)
            self.assertEqual(json.loads(tagged.stdout)[key], [])
        for words in (("show", 1), ("show", "s1"), ("export", "s1")):
            shown = self.as_nobody("runs", *words, "--store", self.store)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for words in (("tag", 1, "x"), ("note", "s1", "x"), ("prune", "--all", "--yes")):
            run = self.as_nobody("runs", *words, "--store", self.store)
            if words[0] != "prune":
                self.assertEqual(run.stderr, f"tamis runs: {self.store}: the run store cannot be "
                                             "written: it, or its directory, is write-protected\n")
            self.assertNotEqual(run.returncode, 0)
        run = self.as_nobody("run", "--store", self.store, script)
        self.assertEqual((run.returncode, run.stdout), (1, "done\t4\t1\n"))
        self.assertEqual(run.stderr.count("not recorded"), 1)
        self.assertEqual(self.store.read_bytes(), before)

    def test_searches_stabilities_and_curves(self):
        self.assertEqual(self.good("eval", "--store", self.store, """
            local d = tm.synth("fgm", {n=40, p=20, k=5, seed=1})
            local r = tm.search{data=d, method="l1svm", folds=2, halving={tol={0.1, 0.001}},
                                random={n=4, lambda_ratio={min=0.1, max=1, log=true}},
                                tags={"x", "y"}, note="why"}
            for _, s in ipairs(r.sweeps) do print(s.tags[2], s.note) end
            local t = tm.stability{data=d, method="l1svm", lambda_ratio=0.3, subsamples=3,
                                   tags="stab"}
            print(t.sweep.tags[1], t.sweep.note)
            local c = tm.curve{methods={"l1svm", "rfe"}, data=d, folds=2, features={3}, note="c",
                               rows=0.5, prepare=function() return function(x) return x end end}
            for _, s in ipairs(c.sweeps) do print(#s.tags, s.note, s.failed) end"""),
                         "y\twhy\n" * 2 + "stab\tnil\n" + "0\tc\t0\n" * 2)
        sweeps = self.runs("sweeps")["sweeps"]
        self.assertEqual([one["tags"] for one in sweeps],
                         2 * [["x", "y"]] + [["stab"]] + 2 * [[]])
        self.assertEqual(len(self.runs("sweeps", "--note", "c")["sweeps"]), 2)
        for call in ("search{method='l1svm', halving={tol={1, 0.1}}, random={n=4}",
                     "curve{methods={'l1svm'}, features={3}", "stability{method='l1svm'"):
            run = tamis("eval", f"tm.{call}, data=tm.synth('fgm', {{n=9, p=9, k=5}}), tags='a,b'}}")
            self.assertIn("is no tag", run.stderr)
            self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
