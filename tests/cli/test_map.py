#!/usr/bin/python3
"""tm.map: a Lua function for each item of a list, on workers, recorded."""
import re
import signal
import sqlite3
import unittest

from tamis_cli import TIMEOUT, Case, start, tamis

# Values of every kind are captured, and every source of chance is asked.
STUDY = """
local d = tm.synth('saif', {n=40, p=30, seed=1})
local scale, root, text = {one=1, two={2.5, 3}}, math.sqrt, string
local function factorial(n) return n < 2 and 1 or n * factorial(n - 1) end
local results, failed, recorded = tm.map({1, 2, 3, 4, 5, 6, 7, 8}, function(x, place)
    local train = d:split{test=0.5}
    local r = tm.lasso(train, {lambda_ratio=1 / (1 + x)}):wait()
    _G.seen = (_G.seen or 0) + 1 -- no task sees another one's
    return {x * scale.two[1], root(x), factorial(x), r.nnz, r.primal, math.random(1 << 40),
            text.rep('a', x), place, seen, n=d.n}
end)
for i, row in ipairs(results) do print(table.concat(row, ' '), row.n) end
print(next(failed), recorded)
"""


class Map(Case):
    def test_the_same_for_any_number_of_workers(self):
        pages = {self.good("eval", STUDY, "--jobs", jobs) for jobs in (1, 2, 5)}
        self.assertEqual(len(pages), 1)
        rows = [line.split() for line in pages.pop().splitlines()]
        self.assertEqual([row[2] for row in rows[:8]],
                         ["1", "2", "6", "24", "120", "720", "5040", "40320"])
        self.assertEqual([row[0] for row in rows[:3]], ["2.5", "5.0", "7.5"])
        self.assertEqual({(row[8], row[9]) for row in rows[:8]}, {("1", "40")})
        self.assertEqual([row[7] for row in rows[:8]], [str(i) for i in range(1, 9)])
        self.assertEqual(len({row[5] for row in rows[:8]}), 8)  # a seed a task
        self.assertNotEqual(self.good("eval", STUDY, "--seed", 2).split()[5], rows[0][5])

    def test_recorded_results_are_found_again(self):
        store = self.folder / "runs.db"
        first = self.good("eval", STUDY, "--store", store)
        again = self.good("eval", STUDY, "--store", store)
        self.assertEqual(first.splitlines()[:8], again.splitlines()[:8])
        self.assertEqual([page.split()[-1] for page in (first, again)], ["0", "8"])
        for change, reused in ((("x * scale", "x + scale"), "0"), (("n=40", "n=41"), "0"),
                               (("7, 8}", "7, 9, 10}"), "7"), (("-- no task", "-- none"), "8")):
            changed = STUDY.replace(*change)
            self.assertNotEqual(changed, STUDY)
            self.assertEqual(self.good("eval", changed, "--store", store).split()[-1], reused)
        fresh = STUDY.replace("n=d.n}\nend)", "n=d.n}\nend, {fresh=true})")
        self.assertEqual(self.good("eval", fresh, "--store", store).split()[-1], "0")

    def test_shards_are_merged_into_one_store(self):
        stores = [self.folder / f"{i}.db" for i in (1, 2)]
        study = ("local r, failed, n = tm.map({1, 2, 3, 4, 5}, function(x) return x * x end) "
                 "print(next(failed), n)")
        for i, store in enumerate(stores):
            tamis("run", self.write("map.lua", study), "--store", store,
                  "--shard", f"{i + 1}/2")
        self.good("runs", "merge", stores[1], "--store", stores[0])
        self.assertEqual(self.good("eval", study, "--store", stores[0]), "nil\t5\n")

    def test_an_error_is_one_tasks_own(self):
        run = tamis("eval", "local r, failed = tm.map({1, 2, 3}, function(x) "
                    "if x == 2 then error('no two') end return -x end) "
                    "print(r[1], r[2], r[3], failed[1], failed[2])")
        self.assertEqual(run.returncode, 0)
        self.assertEqual(run.stdout, "-1\tnil\t-3\tnil\teval:1: no two\n")
        self.assertEqual(run.stderr, "tamis eval: tm.map: 1 of 3 tasks failed, the first one: "
                         "eval:1: no two\n")
        self.fails(1, "eval", "tm.map({1, 2}, function() error('never') end)",
                   says=("all 2 tasks failed", "eval:1: never"))
        self.fails(1, "eval", "tm.map({1}, function() os.exit(3) end)", says="os.exit(3)")

    def test_what_cannot_be_passed_is_refused(self):
        for chunk, word in (("tm.map({1}, function() return print end)", "a function"),
                            ("tm.map({io.stdout}, function() end)", "an object"),
                            ("local t = {} t.t = t tm.map({t}, function() end)", "within itself"),
                            ("tm.map({1}, print)", "written in Lua"),
                            ("tm.map(1, print)", "expected a list"),
                            ("tm.map({1}, function() end, {job=2})", "jobs"),
                            ("tm.map({1}, function() return tm.synth('saif', {n=5, p=2}) end)",
                             "a data set")):
            self.fails(1, "eval", chunk, says=word)

    def test_progress_may_end_it(self):
        out = self.good("eval", "local r = tm.map({1, 2, 3, 4}, function(x) return x end, {jobs=1, "
                        "progress=function(done, count) io.write(done, '/', count, ' ') "
                        "return done < 2 end}) print(r[1], r[2], r[3])")
        self.assertEqual(out, "1/4 2/4 1\t2\tnil\n")

    def test_parts_are_joined_in_a_store(self):
        store = self.folder / "runs.db"
        script = self.write("study.lua", "local r, f = tm.map({1, 2, 3, 4}, function(x) return x "
                            "end) for i = 1, 4 do print(r[i], f[i]) end")
        part = tamis("run", script, "--shard", "1/2", "--store", store)
        self.assertEqual(len(re.findall("another part", part.stdout)), 2)
        self.assertEqual(tamis("run", script, "--shard", "2/2", "--store", store).stdout,
                         "1\tnil\n2\tnil\n3\tnil\n4\tnil\n")

    def test_interrupted_and_resumed(self):
        store = self.folder / "runs.db"
        chunk = ("local r, f, recorded = tm.map({0, 0, 0, 1}, function(x) "
                 "if x == %d then print('started') while true do end end return x end, {jobs=1}) "
                 "print(recorded)")
        process = start("eval", chunk % 1, "--store", store)
        self.assertEqual(process.stdout.readline(), b"started\n")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err), (143, b"tamis eval: interrupted\n"))
        self.assertEqual(self.values(store), 3)

    def test_sweeps_of_tasks_are_reused_without_a_line_for_each(self):
        chunk = ("local d = tm.synth('fgm', {n=30, p=20, k=5}) "
                 "local r = tm.map({1, 2, 3}, function(x) local s = tm.sweep{data=d, "
                 "method='ridge', grid={C={x, x + 10, %s}}, folds=2, name='s' .. x, "
                 "warm=false}:wait() return {s.reused, s.extends} end) "
                 "for _, one in ipairs(r) do print(one[1], one[2]) end")
        store = self.folder / "runs.db"
        self.good("eval", chunk % 100, "--store", store)
        run = tamis("eval", chunk % 200, "--store", store)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        rows = [line.split("\t") for line in run.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], ["4"] * 3)
        for row in rows:
            self.assertIn("4 of 6 runs are there, 2 to do (C: 200 is new)", row[1])

    def values(self, store):
        with sqlite3.connect(store) as db:
            return db.execute("SELECT count(*) FROM recorded_values").fetchone()[0]

    def test_a_damaged_value_is_said(self):
        store = self.folder / "runs.db"
        chunk = "print(tm.map({7}, function(x) return {x} end)[1][1])"
        self.assertEqual(self.good("eval", chunk, "--store", store), "7\n")
        for value in (b"", b"t", b"L\x01\x00", b"t\xff\xff\xff\xff\xff\xff\xff\xff", b"S\x09"):
            with sqlite3.connect(store) as db:
                db.execute("UPDATE recorded_values SET value = ?", (value,))
            self.fails(1, "eval", chunk, "--store", store, says="damaged")


if __name__ == "__main__":
    unittest.main()
