#!/usr/bin/python3
"""What a sweep must not keep silent: scores of training rows, runs that did not converge or all
failed, damaged records, a store that goes away, and what no script waits for."""
import contextlib
import json
import signal
import sqlite3
import subprocess
import unittest

from sweep_cases import Sweeps
from tamis_cli import ROOT, TIMEOUT, start, tamis

DATA = 'local d = tm.synth("saif", {n=60, p=80, seed=3}) '
LOOSE = ('local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.01}}, max_iter=1, '
         'screen="none", tol=1e-12, folds=3, name="loose"}:wait() ')
AUC = 'tm.sweep{data=d, method="lasso", folds=3, metric="auc", name="none"}'


class Scores(Sweeps):
    def test_scores_of_training_rows_are_called_so(self):
        out = self.good("eval", "--store", self.store, DATA + """
            local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.1}},
                               metric={"r2", "mse"}}:wait()
            print(s.table[2].train_r2 == s:best("r2").train_r2, s.table[2].r2,
                  s:best("mse").train_mse < 1e9)
            print(s:best().train_r2 == tm.lasso(d, {lambda_ratio=0.1}):wait().model:score(d, "r2"))
            s:curve("nnz", "r2"):save("%s")
            print((tostring(s.table):match("[^\\n]*")))""" % (self.folder / "c.csv"))
        self.assertEqual(out.splitlines()[:2], ["true\tnil\ttrue", "true"])
        self.assertIn("train_r2", out.splitlines()[2])
        head = self.good("runs", "export", "s1", "--store", self.store).splitlines()[0]
        self.assertIn(",train_r2,train_mse,", head)
        out = self.good("eval", DATA + """
            local train, test = d:split{test=0.5, seed=1}
            print(tm.sweep{data=train, test=test, method="lasso"}:wait():best().r2 ~= nil)""")
        self.assertEqual(out, "true\n")

    def test_runs_that_did_not_converge_are_counted(self):
        run = tamis("eval", "--store", self.store, DATA + LOOSE + """
            print(s) print(s.unconverged, s.table[1].unconverged, s.table[2].unconverged)
            print(s.table) print(s:best()) s:best{rule="1se"}""")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        self.assertIn("6 not converged", lines[0])
        self.assertEqual(lines[1], "6\t3\t3")
        self.assertTrue(lines[2].endswith("unconverged"))
        self.assertTrue(lines[-1].endswith("3 of 3 runs not converged"))
        # Once, not at each look.
        self.assertRegex(run.stderr, r"\A[^\n]*'loose': its best configuration [^\n]*did not "
                                     r"converge in 3 runs[^\n]*\n\Z")
        listed = self.good("runs", "sweeps", "--json", "--store", self.store)
        (sweep,) = json.loads(listed)["sweeps"]
        self.assertEqual(sweep["unconverged"], 6)
        page = self.good("runs", "show", "s1", "--store", self.store)
        self.assertRegex(page, r"unconverged +6 cells")
        self.assertIn("(3 of 3 runs did not converge)", page)

    def test_a_metric_without_a_value_is_named(self):
        out = self.good("eval", """
            local d = tm.load("examples/data/breast_cancer.csv")
            d = d:select{rows={1, 2, 3, 4, 20, 21, 22, 23}}
            local s = tm.sweep{data=d, method="l1logistic", grid={lambda_ratio={0.5, 0.2}},
                               folds=8, metric={"auc", "accuracy"}, stratify=false}:wait()
            print(select(2, pcall(s.best, s)))
            print(s:best("accuracy").accuracy ~= nil)""", cwd=ROOT)
        self.assertIn("no run of the sweep 'sweep' has a value of auc, as where all rows that are "
                      "scored have one class (leave-one-out)", out)
        self.assertTrue(out.endswith("true\n"), out)

    def test_files_of_graphs_and_groups_that_have_changed(self):
        """The same words mean another sweep: what the store has of the file before is not its
        result, and is found again with that file."""
        files = [("genlasso", "graph", "1 2\n2 3\n", "1 4 5\n"),
                 ("grouplasso", "groups", "1 2\n3 4 5\n", "1 3\n2 4\n")]
        for method, name, before, after in files:
            path = self.folder / (name + ".txt")
            script = f"""
                local d = tm.synth("saif", {{n=40, p=8, seed=3}})
                local grid = {{{name}={{"{path}"}}, lambda_ratio={{0.1, 0.05}}}}
                local s = tm.sweep{{data=d, method="{method}", grid=grid, folds=3,
                                    metric="mse"}}:wait()
                print(s.resumed + s.reused, s.table[1].mse, s.table[2].mse)"""
            found = []
            for text, stored in ((before, True), (before, True), (after, True), (after, False),
                                 (before, True)):
                path.write_text(text, encoding="ascii")
                run = tamis("eval", *(["--store", self.store] if stored else []), script)
                self.assertEqual(run.returncode, 0, run.stderr)
                found.append(run.stdout.split())
            self.assertEqual([int(one[0]) for one in found], [0, 6, 0, 0, 6])
            self.assertEqual(found[2][1:], found[3][1:])
            self.assertNotEqual(found[0][1:], found[2][1:])
            self.assertEqual(found[0][1:], found[4][1:])

    def test_a_sweep_without_a_result_is_a_failure(self):
        run = tamis("eval", DATA + f'local s = {AUC}:wait() '
                    'print("on", s.failed, s.cells[1].error)')
        self.assertEqual((run.returncode, run.stdout.split("\t")[:2]), (1, ["on", "3"]), run)
        self.assertRegex(run.stderr, r"\A[^\n]*'none': all of its 3 runs failed: auc [^\n]*\n\Z")
        # Also without a wait for it.
        run = tamis("eval", DATA + AUC)
        self.assertEqual(run.returncode, 1)
        self.assertIn("all of its 3 runs failed", run.stderr)

    def test_what_was_left_running_is_waited_for(self):
        run = tamis("run", "--store", self.store, self.write("f.lua", DATA + """
            tm.sweep{data=d, method="lasso", grid={tol={1e-10, 1e-11}}, folds=20, warm=false,
                     lambdas=500, screen="none"} -- too long to end before the script does
            local p = tm.sweep{data=d, method="lasso", folds=2, name="paused"}
            p:pause()
            tm.lasso(d, {lambdas=3000, screen="none", tol=1e-10})"""))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"without waiting for 1 sweep and 1 run; waiting now")
        done = "SELECT count(*) FROM tasks WHERE sweep = 1 AND status = 'done'"
        self.assertEqual(self.sql(done), [(40,)])

    def test_an_interrupted_sweep_without_a_store_is_printed(self):
        script = self.write("i.lua", DATA + """
            local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.1}}, folds=50,
                               repeats=100, warm=false, screen="none", tol=1e-12, name="test"}
            while s.done < 2 do s:wait(0.001) end
            s:pause()
            print("go")
            s:wait()""")
        process = start("run", "--jobs", 1, script, stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"go\n")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertRegex(out.decode(),
                         r"\Asweep test: \d+ of 10000 runs\nconfig +lambda_ratio +r2 +se")
        self.assertIn("'--store FILE'", err.decode())


class Damaged(Sweeps):
    def setUp(self):
        super().setUp()
        self.path = self.script(configs=4, folds=3)
        self.whole = self.good("run", self.path)

    def change(self, statement):
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            db.execute(statement)
            db.commit()

    def resumed(self):
        run = tamis("run", "--store", self.store, self.path)
        self.assertEqual((run.returncode, run.stdout), (0, self.whole), run.stderr)
        return run.stderr

    def test_a_changed_record_is_noticed_and_computed_again(self):
        self.assertEqual(self.good("run", "--store", self.store, self.path), self.whole)
        for column, value in (("scores", "'0.5 0.5'"), ("scores", "replace(scores, '1', '3')"),
                              ("gap", "gap * 2 + 1e-300"), ("nnz", "nnz + 1"),
                              ("status", "'max_iter'"), ("lambda", "-lambda"), ("scores", "''"),
                              ("config", "100 + config"), ("error", "'x'")):
            with self.subTest(column=column, value=value):
                self.change(f"UPDATE results SET {column} = {value} WHERE config = 2 AND split = 1")
                if column != "config":
                    shown = self.good("runs", "show", "s1", "--json", "--store", self.store)
                    (bad,) = [c for c in json.loads(shown)["cells"] if c["status"] == "failed"]
                    self.assertEqual((bad["config"], bad["split"]), (3, 2))
                    self.assertIn("damaged", bad["error"])
                self.assertIn("1 recorded runs are damaged", self.resumed())
                self.assertEqual(self.resumed(), "")
        self.assertEqual(self.sql("SELECT count(*) FROM tasks WHERE status = 'done'"), [(12,)])

    def test_a_changed_mark_is_noticed(self):
        self.path = self.script(configs=40, folds=2, warm="true", p=400, screen="none", tol=1e-8)
        self.whole = self.good("run", self.path)
        for change in ("model = replace(model, '1', '2')", "lambda_max = lambda_max * 2",
                       "cells = cells - 1"):
            process = start("run", "--jobs", 1, "--store", self.store, self.path,
                            stdout=subprocess.DEVNULL)

            def within():
                with contextlib.suppress(sqlite3.Error):
                    return self.sql("SELECT count(*) FROM marks")[0][0] > 0
                return False
            self.wait_until(within, process)
            process.kill()
            process.communicate()
            self.change(f"UPDATE marks SET {change}")
            self.resumed()
            self.store.unlink()

    def test_a_damaged_file_stops_nothing(self):
        self.assertEqual(self.good("run", "--store", self.store, self.path), self.whole)
        self.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        ((page, size),) = self.sql("SELECT rootpage, (SELECT page_size FROM pragma_page_size)"
                                   " FROM sqlite_master WHERE name = 'sweeps'")
        content = bytearray(self.store.read_bytes())
        content[(page - 1) * size:page * size] = b"\xa5" * size
        self.store.write_bytes(content)
        run = tamis("run", "--store", self.store, self.script(configs=4, folds=3, keep=True))
        self.assertEqual((run.returncode, run.stdout), (1, self.whole), run.stderr)
        self.assertRegex(run.stderr, "not recorded.*damaged")


GOES = """
local path, how = arg[1], arg[2]
local ratios, s, seed = {}, nil, 2
for i = 1, 10 do ratios[i] = 0.05 * i end
repeat -- a sweep that has got too far while this thread had no processor is followed by another
  seed = seed + 1
  s = tm.sweep{data=tm.synth("saif", {n=60, p=60, seed=seed}), method="lasso",
               grid={lambda_ratio=ratios}, folds=20, warm=false, screen="none", tol=1e-9}
  while s.done < 5 do s:wait(0.001) end
  s:pause()
until s.done < 150 or seed == 50
if how == "deleted" then os.remove(path) end
if how == "moved" then os.rename(path, path .. ".away") end
if how == "replaced" then
  io.open(path .. ".new", "w"):write("mine"):close()
  os.rename(path .. ".new", path)  -- at no moment is there no file
end
if how == "protected" then os.execute("chmod 444 '" .. path .. "'") end
s:resume():wait()
print(s.done, #s.cells, s.failed, s.status)
"""


class Gone(Sweeps):
    def test_a_store_that_goes_away_is_noticed(self):
        path = self.write("goes.lua", GOES)
        for how, says in (("deleted", "deleted or moved"), ("moved", "deleted or moved"),
                          ("replaced", "another file"), ("protected", "write-protected")):
            with self.subTest(how=how):
                store = self.folder / f"{how}.db"
                run = tamis("run", "--jobs", 1, "--store", store, path, store, how)
                self.assertEqual((run.returncode, run.stdout), (1, "200\t200\t0\tfailed\n"),
                                 run.stderr)
                self.assertRegex(run.stderr, rf"\A[^\n]*not recorded[^\n]*{says}[^\n]*\n\Z")
        self.assertEqual((self.folder / "replaced.db").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
