"""What the tests of sweeps in a run store share."""
import contextlib
import sqlite3
import time

from tamis_cli import TIMEOUT, Case

# Cells that are tasks of their own, and printed with all their digits. They are fast; under "none"
# they take milliseconds, for tests that meddle with the work before it ends.
SCRIPT = """
local d = tm.synth("saif", {n=60, p=%(p)d, seed=3})
local seeds = {}
for i = 1, %(configs)d do seeds[i] = 0.02 * i end
local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio=seeds}, folds=%(folds)d, tol=%(tol)s,
                   warm=%(warm)s, screen="%(screen)s", metric={"r2", "mse"}, name="test"}:wait()
assert(s.status == "done" and s.failed == 0, s.status)
for _, c in ipairs(s.cells) do
  print(string.format("%%d %%d %%.17g %%.17g %%.17g %%d %%.17g", c.config, c.outer, c.r2, c.mse, c.lambda,
                      c.nnz, c.gap))
end
"""


class Sweeps(Case):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "sweeps.db"

    def script(self, p=60, configs=20, folds=10, tol=1e-6, warm="false",
               screen="auto", keep=False):
        """keep: the script prints what a sweep found, however it ended."""
        text = SCRIPT % {"p": p, "configs": configs, "folds": folds, "tol": tol, "warm": warm,
                         "screen": screen}
        if keep:
            text = text.replace('assert(s.status == "done"', "assert(true")
        return self.write("keep.lua" if keep else "sweep.lua", text)

    def sql(self, statement):
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            return db.execute(statement).fetchall()

    def once_each(self, tasks):
        """Every task was done, once, and the file is whole."""
        self.assertEqual(self.sql("SELECT count(*), sum(finished), max(finished) FROM tasks"
                                  " WHERE status = 'done'"), [(tasks, tasks, 1)])
        self.assertEqual(self.sql("SELECT count(*) FROM tasks"), [(tasks,)])
        self.assertEqual(self.sql("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.sql("PRAGMA foreign_key_check"), [])

    def finished(self):
        with contextlib.suppress(sqlite3.Error):
            return self.sql("SELECT count(*) FROM tasks WHERE status = 'done'")[0][0]
        return 0

    def wait_until(self, reached, process):
        """(To stop the process while this test looks would be surer, but SQLite lets a reader wait
        ten seconds for a writer that was stopped at the wrong moment.)"""
        until = time.monotonic() + TIMEOUT
        while not reached() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.001)
