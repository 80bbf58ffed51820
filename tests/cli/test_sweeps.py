#!/usr/bin/python3
"""Sweeps in the run store: killed and resumed, in trouble with the disk, listed and reported."""
import contextlib
import csv
import html
import html.parser
import io
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from sweep_cases import Sweeps
from tamis_cli import BIN, GOLUB, TIMEOUT, Case, environment, rounds, start, tamis


class Killed(Sweeps):
    def test_a_thousand_tasks_killed_ten_times(self):
        script = self.script(p=400, configs=50, folds=20, tol=1e-8, screen="none")
        whole = self.good("run", "--jobs", 2, script)
        self.assertEqual(whole.count("\n"), 1000)
        dice = random.Random(5)
        seen = 0
        for _ in range(rounds(10)):
            process = start("run", "--jobs", 2, "--store", self.store, script,
                            stdout=subprocess.DEVNULL)
            goal = seen + dice.randint(1, 40)
            self.wait_until(lambda: self.finished() >= goal, process)
            process.kill()
            process.communicate()
            self.assertGreaterEqual(self.finished(), seen)
            seen = self.finished()
        self.assertLess(seen, 1000)  # every one of them was killed at work
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(1000)
        # A finished sweep is read back, and nothing is done again.
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(1000)

    def recorded(self):
        """What is recorded, with the time that each run took."""
        with contextlib.suppress(sqlite3.Error):
            return set(self.sql("SELECT config, split, seconds, updates, gap, scores FROM results"))
        return set()

    def test_chains_killed_ten_times(self):
        """Chains of 50 warm starts, killed within: what is recorded is not solved again, and what
        comes after it is the same to the last digit."""
        script = self.script(p=400, configs=50, folds=20, tol=1e-8, warm="true", screen="none")
        whole = self.good("run", "--jobs", 2, script)
        self.assertEqual(whole.count("\n"), 1000)
        dice = random.Random(6)
        seen, within = set(), 0
        for _ in range(rounds(10)):
            process = start("run", "--jobs", 2, "--store", self.store, script,
                            stdout=subprocess.DEVNULL)
            goal = len(seen) + dice.randint(1, 40)
            self.wait_until(lambda: len(self.recorded()) >= goal, process)
            process.kill()
            process.communicate()
            now = self.recorded()
            self.assertEqual(seen - now, set())
            seen = now
            within += self.sql("SELECT count(*) FROM marks")[0][0]
        self.assertLess(len(seen), 1000)  # every one of them was killed at work
        self.assertGreater(within, 0)
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        # The times would be others if it had been done again.
        self.assertEqual(seen - self.recorded(), set())
        self.assertEqual(self.sql("SELECT count(*) FROM results"), [(1000,)])
        self.assertEqual(self.sql("SELECT count(*) FROM marks"), [(0,)])
        self.once_each(20)

    def test_two_processes_share_one_sweep(self):
        script = self.script(p=400, tol=1e-10, screen="none")
        whole = self.good("run", script)
        processes = [start("run", "--jobs", 1, "--store", self.store, script) for _ in range(2)]
        for process in processes:
            out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual((process.returncode, err, out.decode()), (0, b"", whole))
        self.once_each(200)
        self.assertEqual(self.sql("SELECT count(DISTINCT pid) FROM tasks"), [(2,)])

    def test_interrupted_and_shown(self):
        script = self.script(p=400, tol=1e-10, screen="none")
        process = start("run", "--jobs", 1, "--store", self.store, script)
        self.wait_until(lambda: self.finished() >= 5, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        (sweep,) = json.loads(self.good("runs", "sweeps", "--json", "--store",
                                        self.store))["sweeps"]
        self.assertEqual((sweep["name"], sweep["status"], sweep["tasks"]),
                         ("test", "interrupted", 200))
        self.assertEqual(self.sql("SELECT count(*) FROM tasks WHERE status = 'running'"), [(0,)])
        rows = list(csv.DictReader(io.StringIO(self.good("runs", "export", "s1", "--store",
                                                         self.store))))
        self.assertEqual(len(rows), sweep["done"])
        self.assertGreaterEqual(len(rows), 5)


# At a loose tolerance an iterate that was cut off often has a small enough gap, and other features
# than the one that the same solve ends with.
CANCELLED = """
local d = tm.synth("saif", {n=60, p=2000, seed=3})
local ratios = {}
for i = 1, 40 do ratios[i] = 0.01 * i end
local function sweep()
  return tm.sweep{data=d, method="lasso", grid={lambda_ratio=ratios}, folds=20, tol=1e-2, warm=false,
                  screen="none", metric={"r2", "mse"}, name="cut off"}
end
local cancels, mean = tonumber(arg[1]), tonumber(arg[2])
math.randomseed(11)
for i = 1, cancels do
  local s = sweep():wait(2 * mean * math.random()):cancel():wait()
  if s.status == "done" then os.exit(3) end
end
local s = sweep():wait()
if s.status ~= "done" then os.exit(4) end
for _, c in ipairs(s.cells) do
  print(string.format("%d %d %.17g %.17g %d %.17g", c.config, c.outer, c.r2, c.mse, c.nnz, c.gap))
end
"""


class Extended(Sweeps):
    SCRIPT = """
    local d = tm.synth("xor", {n=60, p=20, seed=3})
    local s = tm.sweep{data=d, method=%s, grid={C={%s}}, folds=4, repeats=%d, metric={%s}, B=3,
                       name="%s"}:wait()
    print(s.reused, s.resumed, s.done)
    for _, c in ipairs(s.cells) do
      print(string.format("%%d %%d %%d %%s %%.4f", c.config, c.rep, c.outer, c.method, c.accuracy))
    end"""

    def sweep(self, values, method='"fgm"', repeats=1, metric='"accuracy"', name="x"):
        """What the store's sweep prints first, and says; the rest is as without a store."""
        script = self.write("x.lua", self.SCRIPT % (method, values, repeats, metric, name))
        stored = tamis("run", "--store", self.store, script)
        self.assertEqual(stored.returncode, 0, stored.stderr)
        plain = self.good("run", script)
        self.assertEqual(stored.stdout.split("\n")[1:], plain.split("\n")[1:])
        return stored.stdout.split("\n")[0].split(), stored.stderr

    def test_what_is_the_same_is_taken_over_and_what_is_new_is_named(self):
        counts, said = self.sweep("1, 10")
        self.assertEqual((counts, said), (["0", "0", "8"], ""))
        counts, said = self.sweep("1, 10, 100")
        self.assertEqual(counts, ["8", "0", "12"])
        self.assertIn("sweep 'x' extends sweep s1: 8 of 12 runs are there, 4 to do (C: 100 is new)",
                      said)
        counts, said = self.sweep("1, 10, 100", metric='"accuracy", "auc"')
        self.assertEqual(counts, ["12", "0", "12"])
        self.assertIn("12 of 12 runs are there, 0 to do (metric: auc is new)", said)
        counts, said = self.sweep("1, 10, 100", repeats=2, name="y")
        self.assertEqual(counts, ["12", "0", "24"])
        self.assertIn("12 to do (repeats: 2 (was 1); name: y (was x))", said)
        counts, said = self.sweep("1, 10, 100", method='{"fgm", "mslr"}', name="z")
        self.assertEqual(counts, ["12", "0", "24"])
        self.assertIn("method: mslr is new", said)


class CutOff(Sweeps):
    """What saw a cancellation is never a result: a hundred of each kind leave the table as it
    is."""

    def setUp(self):
        super().setUp()
        self.path = self.write("cancelled.lua", CANCELLED)
        began = time.monotonic()
        self.whole = self.good("run", "--jobs", 2, self.path, 0, 0)
        self.assertEqual(self.whole.count("\n"), 800)
        # A hundred cancellations shall not see the end of it.
        self.mean = (time.monotonic() - began) / 250

    def resumed(self):
        return self.good("run", "--jobs", 2, "--store", self.store, self.path, 0, 0)

    def signalled(self, number):
        dice, sent = random.Random(int(number)), 0
        while sent < rounds(100):
            process = start("run", "--jobs", 2, "--store", self.store, self.path, 0, 0,
                            stdout=subprocess.DEVNULL)
            seen = self.finished()
            self.wait_until(lambda: self.finished() > seen, process)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2 * self.mean * dice.random())
            process.send_signal(number)
            process.communicate(timeout=TIMEOUT)
            if process.returncode != 0:
                sent += 1
            elif self.finished() == 800:
                self.assertEqual(self.resumed(), self.whole)
                self.store.unlink()
        self.assertEqual(self.resumed(), self.whole)
        self.once_each(800)

    def test_sigint(self):
        self.signalled(signal.SIGINT)

    def test_sigterm(self):
        self.signalled(signal.SIGTERM)

    def test_cancelled_by_the_script(self):
        found = tamis("run", "--jobs", 2, "--store", self.store, self.path, rounds(100),
                      f"{self.mean:.6f}")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(found.stdout, self.whole)
        self.once_each(800)


class Scripts(Case):
    def test_sweeps_are_waited_for_and_told_of_like_runs(self):
        out = self.good("eval", """
            local d = tm.synth("saif", {n=60, p=200, seed=3})
            local grid, ended, progress = {lambda_ratio={0.5, 0.2, 0.1, 0.05}}, {}, 0
            tm.on("progress", function(s) progress = progress + 1 end)
            tm.on("done", function(s) ended[#ended + 1] = s.name end)
            tm.sweep{data=d, method="lasso", grid=grid, folds=10, warm=false, name="c's", tol=1e-10}
            local b = tm.sweep{data=d, method="lasso", grid=grid, folds=3, name="b"}
            local r = tm.lasso(d, {lambda_ratio=0.1, name="a run"})
            tm.wait()
            table.sort(ended)
            print(table.concat(ended, ","), progress >= 3, b.status, b.done, b.progress, b.left)
            local c = tm.sweep{data=d, method="lasso", grid=grid, folds=3, name="c"}
            tm.wait{c, r}
            print(c.status, #ended, pcall(tm.wait, 3))""")
        self.assertEqual(out, "a run,b,c's\ttrue\tdone\t12\t1.0\t0.0\n"
                              "done\t4\tfalse\ttm.wait: expected a run, not a number\n")

    def test_partial_results_at_any_time(self):
        out = self.good("eval", """
            local d = tm.synth("saif", {n=100, p=2000, seed=3})
            local s = tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.01}}, folds=50,
                warm=false,
                               screen="none", tol=1e-10}
            while s.done < 10 do s:wait(0.001) end
            local n, running = #s.cells, s.status
            assert(s.left > 0 and s.progress > 0 and s.progress < 1 and s:best().r2)
            s:cancel(); tm.wait(s)
            print(running, s.status, n >= 10 and n < 100, #s.cells >= n and #s.cells < 100)""")
        self.assertEqual(out, "running\tcancelled\ttrue\ttrue\n")


class Trouble(Sweeps):
    def test_a_full_disk_loses_nothing(self):
        """A limit on the size of files stands for it: the store can grow no more."""
        script = self.script(configs=50, folds=20)
        whole = self.good("run", script)
        limited = 'ulimit -f 120; trap "" XFSZ; exec "$0" run --store "$1" "$2"'
        run = subprocess.run(["bash", "-c", limited, BIN, str(self.store), str(script)],
                             capture_output=True, text=True, timeout=TIMEOUT, env=environment())
        # The script asserts that all is well: it says what is wrong, and so does the program.
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertRegex(run.stderr, "not recorded.*(full|cannot be used|too large)")
        self.assertEqual(self.sql("PRAGMA integrity_check"), [("ok",)])
        kept = self.finished()
        self.assertGreater(kept, 0)
        self.assertLess(kept, 1000)
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(1000)

    def test_what_was_found_survives_a_full_disk(self):
        script = self.script(configs=50, folds=20, keep=True)
        whole = self.good("run", script)
        limited = 'ulimit -f 120; trap "" XFSZ; exec "$0" run --store "$1" "$2"'
        run = subprocess.run(["bash", "-c", limited, BIN, str(self.store), str(script)],
                             capture_output=True, text=True, timeout=TIMEOUT, env=environment())
        self.assertEqual((run.returncode, run.stdout), (1, whole), run.stderr)

    def test_a_read_only_store(self):
        """Half of a sweep, then its store is protected: the sweep ends whole, says so, and what was
        there is there."""
        if os.geteuid() == 0 and shutil.which("setpriv") is None:
            self.skipTest("root writes to protected files, and there is no setpriv")
        script = self.script(configs=6, folds=5)
        keeps = self.script(configs=6, folds=5, keep=True)
        whole = self.good("run", script)
        self.good("run", "--shard", "1/2", "--store", self.store, script)
        before = self.store.read_bytes()
        self.folder.chmod(0o755)
        for path in (script, keeps):
            path.chmod(0o644)
        self.store.chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        command = [str(BIN), "run", "--store", str(self.store), str(keeps)]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
                       *command]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                                 env=environment())
        except PermissionError:
            self.skipTest("the program cannot be run by a user without privileges")
        if "execute" in run.stderr or "setpriv" in run.stderr:
            self.skipTest("the program cannot be run by a user without privileges")
        self.assertEqual((run.returncode, run.stdout), (1, whole), run.stderr)
        self.assertRegex(run.stderr, "not recorded.*write-protected")
        self.assertEqual(self.store.read_bytes(), before)
        self.folder.chmod(0o755)
        self.store.chmod(0o644)
        self.assertEqual(self.good("run", "--store", self.store, script), whole)
        self.once_each(30)

    def test_a_store_that_cannot_be_written(self):
        script = self.script(configs=3, folds=2)
        run = tamis("run", "--store", self.folder / "no" / "such.db", script)
        self.assertEqual((run.returncode, run.stdout.count("\n")), (1, 6))
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertIn("not recorded", run.stderr)

    def test_wrong_descriptions(self):
        head = 'local d = tm.synth("saif", {n=30, p=10}) '
        for text, says in (
                ('tm.sweep{data=d, method="lasso", fold=3}', "did you mean 'folds'"),
                ('tm.sweep{data=d, method="laso"}', "did you mean 'lasso'"),
                ('tm.sweep{method="lasso"}', "'data' is nil"),
                ('tm.sweep{data=d}', "names no method"),
                ('tm.sweep{data=d, method="lasso", grid={lamda_ratio={1}}}', "lambda_ratio"),
                ('tm.sweep{data=d, method="lasso", grid={lambda_ratio={}}}', "has no values"),
                ('tm.sweep{data=d, method="lasso", random={lambda_ratio={min=1}}}', "n="),
                ('tm.sweep{data=d, method="lasso", random={n=2, lambda_ratio={min=1}}}', "'max'"),
                ('tm.sweep{data=d, method="lasso", grid={}, list={{}}}', "one of grid"),
                ('tm.sweep{data=d, method="lasso", metric="r3", folds=3}', "r3"),
                ('tm.sweep{data=d, method="lasso", groups={1}, folds=3}', "groups"),
                ('tm.sweep{data=d, method="lasso"}:wait():best("auc")', "auc"),
                ('tm.sweep{data=d, method="lasso"}:wait():nested()', "nested=K"),
                ('tm.sweep{data=d, method="lasso"}:wait():curve("nnz", "r")', "no column 'r'"),
                ('tm.compare({1, 2}, {1})', "pairs")):
            with self.subTest(text=text):
                run = tamis("eval", head + text)
                self.assertEqual((run.returncode, run.stdout), (1, ""), run)
                self.assertIn(says, run.stderr)


class Lists(Sweeps):
    def test_a_store_without_runs_says_what_it_has(self):
        self.good("eval", "--store", self.store,
                  'tm.sweep{data=tm.synth("saif", {n=30, p=10}), method="lasso", folds=3, '
                  'name="a"}:wait()')
        self.assertEqual(self.good("runs", "--store", self.store),
                         "no runs; 1 sweep: tamis runs sweeps\n")
        self.assertEqual(self.good("runs", "--status", "failed", "--store", self.store),
                         "no run is like that; 1 sweep: tamis runs sweeps\n")
        self.assertEqual(json.loads(self.good("runs", "--store", self.store, "--json"))["runs"], [])


class Workbench(Sweeps):
    def test_what_scripts_run_is_recorded(self):
        script = self.write("w.lua", 'local d = tm.synth("saif", {n=50, p=60}) tm.lasso(d, '
                                     '{name="one"}):wait() '
                            'tm.sweep{data=d, method="lasso", folds=3, name="many"}:wait()')
        self.good("--store", self.store, "--dump-view", "lua", "--script", script)
        (run,) = json.loads(self.good("runs", "--store", self.store, "--json"))["runs"]
        self.assertEqual((run["name"], run["status"]), ("one", "converged"))
        (sweep,) = json.loads(self.good("runs", "sweeps", "--json", "--store",
                                        self.store))["sweeps"]
        self.assertEqual((sweep["name"], sweep["status"], sweep["done"]), ("many", "done", 3))
        run = tamis("--store", self.folder / "no" / "w.db", "--dump-view", "lua", "--script",
                    script)
        self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1), run.stderr)
        self.assertIn("not recorded", run.stderr)


class Curves(Case):
    def test_a_curve_is_what_the_methods_give(self):
        """Along a path the most features that are allowed; elsewhere the number itself."""
        script = f'''
        local d = tm.load("{GOLUB}")
        local train, test = d:split{{test=0.4, seed=3, stratify=true}}
        local c = tm.curve{{methods={{"l1svm", "fgm", "rfe"}}, train=train, test=test, features={{3, 8}},
                           params={{fgm={{B=2, C=5}}}}}}
        local p = tm.path(train, "l1svm", {{lambdas=100, lambda_min_ratio=1e-3}}):wait()
        for row, most in ipairs{{3, 8}} do
          local best
          for i, m in ipairs(p.models) do
            if m.nnz <= most and (not best or m.nnz >= best.nnz) then best = m end
          end
          assert(c[row].nnz == best.nnz and c[row].accuracy == best:score(test, "accuracy"))
          local f = tm.fgm(train, {{B=2, C=5, features=most}}):wait().model
          assert(c[2 + row].nnz == f.nnz and c[2 + row].accuracy == f:score(test, "accuracy"))
          local r = tm.rfe(train, {{features=most}}):wait().model
          assert(c[4 + row].nnz == most and c[4 + row].accuracy == r:score(test, "accuracy"))
        end
        c:save("{self.folder}/c.svg")'''
        self.good("eval", script)
        self.assertIn("<svg", (self.folder / "c.svg").read_text())
        run = tamis("eval", 'tm.curve{methods={"ridge"}, train=tm.synth("saif", {n=20, p=9}), '
                            'features={2}}')
        self.assertIn("chooses no features", run.stderr)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("href", "src")]

    def handle_data(self, data):
        self.text.append(data)


class Reports(Sweeps):
    def test_a_page_that_needs_nothing_else(self):
        self.good("eval", "--store", self.store,
                  'tm.sweep{data=tm.synth("saif", {n=40, p=30}), method="lasso", folds=4, '
                  'nested=2, '
                  'grid={lambda_ratio={0.5, 0.1, 0.02}, screen={"saif", "gap"}}, '
                  'metric={"r2", "mse"}, name="a <b> & c"}:wait()')
        out = self.folder / "page.html"
        self.assertEqual(self.good("report", "s1", "-o", out, "--store", self.store), "")
        page = Page()
        page.feed(out.read_text())
        self.assertEqual(page.links, [])
        self.assertEqual(page.tags.count("svg"), 4)  # two metrics by features and by lambda_ratio
        self.assertIn("a <b> & c", page.text)
        self.assertIn("0.02", page.text)
        self.assertIn("Outer folds", page.text)
        self.assertEqual(self.good("report", "1", "--store", self.store), out.read_text())
        self.fails(2, "report", "s2", "--store", self.store, says="no sweep 2")
        self.fails(2, "report", "--store", self.store, says="name one sweep")

    def page(self, number):
        """A report's rows of texts, its paragraphs, and its figures."""
        text = self.good("report", number, "--store", self.store)
        rows = [[html.unescape(cell) for cell in re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row)]
                for row in re.findall("<tr[^>]*>(.*?)</tr>", text)]
        return rows, re.findall("<p>([^<]*)</p>", text), re.findall("<svg.*?</svg>", text, re.S)

    def test_numbers_nested_folds_reasons_and_bars(self):
        mean, sd, *errors = map(float, self.good("eval", "--store", self.store, """
            local d = tm.synth("fgm", {n=80, p=30, k=5, seed=1})
            local fails = function(z, y) return #z < 26.5 and error("<few> rows") or 1 end
            local s = tm.sweep{data=d, method="l1svm", folds=4, nested=3, name="nested",
                               grid={lambda_ratio={0.5, 0.1, 1/30}}}:wait()
            print(s:nested().mean, s:nested().sd)
            for _, row in ipairs(s.table) do print(row.accuracy_se) end
            tm.sweep{data=d, method="l1svm", folds=3, repeats=2, grid={lambda_ratio={1/3}},
                     metric={"accuracy", fails=fails}, name="fails"}:wait()
            tm.sweep{data=d, method="l1svm", folds={{1, 2, 3, 4}, {5, 6, 7}}, lambda_ratio=0.1,
                     metric={fails=fails}, nested=2, name="own"}:wait()""").split())
        rows, words, figures = self.page("s1")
        last = rows[-3:]
        self.assertEqual([row[:2] for row in last], [["1", "0.5"], ["2", "0.1"],
                                                     ["3", "0.0333333"]])
        self.assertIn(f"mean {mean:.5g}, standard deviation {sd:.3g} over 4 outer folds", words)
        chosen = [row[2] for row in rows if len(row) == 4 and row[0] == "1"]
        self.assertEqual(len(chosen), 4)
        self.assertLessEqual(set(chosen), {"1", "2", "3"})
        # By lambda_ratio: strokes of one colour, as long as the errors, from left to right.
        line, bars = re.findall(r'stroke="(#\w+)" stroke-width="[^"]*" d="([^"]*)"/>',
                                figures[1])[-2:]
        self.assertEqual(line[0], bars[0])
        heights = [float(low) - float(high) for low, high in
                   re.findall(r"M[\d.]+ ([\d.]+)L[\d.]+ ([\d.]+)", bars[1])]
        self.assertEqual(len(heights), 3)
        for height, error in zip(heights, reversed(errors)):
            self.assertLess(abs(height / heights[0] - error / errors[-1]), 0.01)
        rows, words, _ = self.page("s2")
        self.assertIn(["repeats", "2"], rows)
        fails = [row for row in rows if row[-1].endswith(": <few> rows")]
        self.assertIn(f"{len([row for row in fails if len(row) == 5])} in all", words)
        self.assertEqual({row[0] for row in fails}, {"1"})
        rows, words, _ = self.page("s3")
        self.assertIn(["folds", "2, given by their rows"], rows)
        self.assertIn("no outer fold has a score", words)


if __name__ == "__main__":
    unittest.main()
