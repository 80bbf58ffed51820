#!/usr/bin/python3
"""run, eval and repl: scripts without a screen, and the plain prompt."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
import unittest

from tamis_cli import BIN, GOLUB, ROOT, TIMEOUT, Case, default_signals, environment, start, tamis


# Columns that are smooth and nearly alike, as of spectra: a set is solved through thousands of
# dependent ones.
SPECTRA = """
math.randomseed(5)
X, y = {}, {}
for i = 1, 60 do
    local c = {}
    for b = 1, 8 do c[b] = math.random() end
    X[i] = {}
    for j = 1, 400 do
        local sum = 0
        for b = 1, 8 do sum = sum + c[b] * math.exp(-((j / 400 - b / 9) / 0.12) ^ 2) end
        X[i][j] = sum + 1e-3 * (math.random() - 0.5)
    end
    y[i] = c[2] - c[5] + 0.02 * (math.random() - 0.5)
end
d = tm.dataset{x = X, y = y, name = "spectra"}
r = tm.lasso(d, {lambda_ratio = 1e-4, standardize = true}):wait()
print(r.status, r.epochs)
"""

# Few rows of large values: what steps in the space of the rows are made of loses its digits.
LARGE = """
math.randomseed(2)
local function normal() return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random()) end
X, y = {}, {}
for i = 1, 30 do
    X[i], y[i] = {}, i % 2 == 0 and 1 or -1
    for j = 1, 600 do X[i][j] = 1e4 * math.exp(normal()) end
end
d = tm.dataset{x = X, y = y, name = "large"}
for _, m in ipairs{"svm_l2", "logistic"} do
    for _, C in ipairs{0.01, 1, 100} do print(tm[m](d, {C = C}):wait().status) end
end
"""


class Hard(Case):
    def test_os_exit_is_the_exit_status(self):
        script = self.write("exit.lua", "os.exit(tonumber(arg[1]))")
        for code, status in ((0, 0), (7, 7), (255, 255), (256, 1), (263, 7)):
            found = tamis("run", script, code)
            self.assertEqual((found.returncode, found.stderr), (status, ""))
        self.assertEqual(tamis("eval", "os.exit(true)").returncode, 0)
        self.assertEqual(tamis("eval", "os.exit(false)").returncode, 1)

    def test_nearly_dependent_columns(self):
        status, epochs = self.good("eval", SPECTRA).split()
        self.assertEqual(status, "converged")
        self.assertLess(int(epochs), 2000)

    def test_few_rows_of_large_values(self):
        self.assertEqual(self.good("eval", LARGE).split(), ["converged"] * 6)


class Eval(Case):
    def test_values_are_printed(self):
        self.assertEqual(self.good("eval", "40 + 2").split(), ["42"])
        self.assertEqual(self.good("eval", "-1 + 3").split(), ["2"])
        self.assertIn("hello", self.good("eval", "'hel' .. 'lo'"))
        self.assertEqual(self.good("eval", "local x = 3").strip(), "")
        self.assertEqual(self.good("eval", "print('a', 1)").split(), ["a", "1"])

    def test_a_record_is_printed_whole_and_a_list_short(self):
        record = self.good("eval", "print(tm.compare({1, 2, 3, 5}, {1, 3, 9, 2}, {folds=4}))")
        for field in ("mean_difference", "t_p", "wilcoxon_p", "corrected_p"):
            self.assertRegex(record, rf"\b{field}=")
        self.assertNotIn("in all", record)
        self.assertRegex(self.good("eval", "print(tm.dataset{x={{1}}, y={1}}.y)"), "1")
        many = "local r = {} for i = 1, 30 do r[i] = i end "
        self.assertRegex(self.good("eval", many + "return r"), r"8, \.\.\. 30 in all")

    def test_a_long_number_in_the_name_of_a_run_is_short(self):
        self.assertIn("lasso auto 0.333333:", self.good(
            "eval", "print(tm.lasso(tm.synth('saif', {n=20, p=5}), {lambda_ratio=1/3}):wait())"))

    def test_errors(self):
        self.assertIn("boom", self.fails(1, "eval", "error('boom', 0)"))
        self.fails(1, "eval", "x ==")
        self.fails(1, "eval", "for i = 1, 3 do", says="eval")
        self.fails(1, "eval", "tm.load('no-such-file.svm')", says="no-such-file.svm")
        self.assertIn("lasso", tamis("eval", "tm.laso()").stderr)
        for zero in ("0/0", "-(0/0)"):
            self.fails(1, "eval", f"tm.lasso(tm.synth('xor'), {{lambda={zero}}})", says="is nan;")

    def test_the_same_numbers_as_fit(self):
        result = self.fit(GOLUB, "--lambda-ratio", "0.1", "--tol", "1e-8")
        text = self.good("eval", f"local r = tm.lasso(tm.load('{GOLUB}'), "
                                 "{lambda_ratio=0.1, tol=1e-8}); r:wait(); "
                                 "print(string.format('%.17g %d', r.primal, r.nnz))")
        primal, nnz = text.split()
        self.assertEqual((float(primal), int(nnz)), (result["primal"], result["nnz"]))

    def test_the_collector_knows_what_runs_hold(self):
        """Few bytes of Lua's: by those alone all of these would be alive at the end."""
        alive = """
            {stop}
            local d, runs = tm.load("{golub}"), setmetatable({{}}, {{__mode = "k"}})
            for i = 1, 40 do runs[tm.path(d, "lasso", {{lambda_min_ratio = 0.05}}):wait()] = true end
            local count = 0
            for _ in pairs(runs) do count = count + 1 end
            print(count)"""
        counts = [int(self.good("eval", alive.format(stop=stop, golub=GOLUB)))
                  for stop in ("", 'collectgarbage("stop")')]
        self.assertLess(counts[0], 30)
        self.assertEqual(counts[1], 40)

    def test_data_sets_can_be_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("d.svm", "d.csv.gz", "d.npz"):
                text = self.good("eval", f"local d = tm.load('{GOLUB}'); "
                                         f"print(d:save('{folder}/{name}') == d, "
                                         f"tm.load('{folder}/{name}').sha256 == d.sha256)")
                self.assertEqual(text.split(), ["true", "true"], name)
            self.fails(1, "eval", f"tm.load('{GOLUB}'):save('{folder}/d.xyz')", says="format")
            self.fails(1, "eval", f"tm.load('{GOLUB}'):save('{folder}/none/d.svm')",
                       says="none/d.svm")

    def test_seed_option_is_the_default_seed(self):
        chunk = "local d = tm.synth('saif', {n=20, p=5}); print(tm.lasso(d):wait().primal)"
        one, same, other = (self.good("eval", "--seed", seed, chunk) for seed in (4, 4, 5))
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)

    def test_charset_of_plots(self):
        chunk = "tm.plot{runs={tm.lasso(tm.synth('saif', {n=20, p=50})):wait()}, " \
                "x='time', y='gap'}:show()"
        self.assertTrue(self.good("eval", "--charset", "ascii", chunk).isascii())
        self.assertFalse(self.good("eval", "--charset", "utf8", chunk).isascii())
        self.assertIn("\033[", self.good("eval", "--color", "256", chunk))
        self.assertTrue(self.good("eval", chunk, env=environment(LC_ALL="C")).isascii())


class Run(Case):
    def test_arguments(self):
        script = self.write("a.lua", "print(arg[0], #arg, arg[1], arg[2])\n")
        self.assertEqual(self.good("run", script, "--json", "two words").rstrip("\n").split("\t"),
                         [str(script), "2", "--json", "two words"])

    def test_options_after_the_script(self):
        script = self.write("a.lua", "print(#arg, table.concat(arg, ' '))\n"
                            "tm.lasso(tm.synth('saif', {n=20, p=50})):wait()\n")
        store = os.path.join(self.folder, "runs.db")
        self.assertEqual(self.good("run", script, "a", "--out", "x", "--store", store, "b",
                                   "--help", "--jobs=1"),
                         "5\ta --out x b --help\n")
        self.assertIn("lasso", self.good("runs", "--store", store))
        self.assertEqual(self.good("run", script, "a", "--seed", "7", "--", "--seed", "8", "--",
                                   "--quiet"),
                         "5\ta --seed 8 -- --quiet\n")
        self.assertEqual(self.good("run", "--", script, "--seed", "8"), "2\t--seed 8\n")
        self.fails(2, "run", script, "--store", says="'--store' needs a value")
        self.fails(2, "run", script, "--shard", "3/2", says="--shard 3/2")
        self.fails(2, "run", script, "--shard", "1/2", says="needs a store")

    def test_standard_input(self):
        self.assertEqual(self.good("run", "-", text="print(6 * 7)\n"), "42\n")

    def test_missing_script(self):
        self.fails(1, "run", "no-such.lua", says="no-such.lua")
        self.fails(1, "run", self.folder)

    def test_error_names_file_and_line(self):
        script = self.write("bad.lua", "local x = 1\nprint('before')\nerror('boom')\n")
        run = tamis("run", script)
        self.assertEqual((run.returncode, run.stdout), (1, "before\n"))
        self.assertRegex(run.stderr, r"bad\.lua:3: boom")
        script = self.write("syntax.lua", "local x =\n= 1\n")
        self.assertRegex(tamis("run", script).stderr, r"syntax\.lua:2:")

    def test_example(self):
        script = ROOT / "examples/compare.lua"
        if not script.exists():
            self.skipTest("no examples/compare.lua")
        page = self.good("run", script, cwd=ROOT)
        for screen in ("none", "gap", "saif"):
            self.assertIn(screen, page)


class Callbacks(Case):
    def test_runs_and_sweeps_are_told_apart(self):
        out = self.good("eval", """
            local seen = {}
            tm.on('done', function(x, kind) seen[kind] = (seen[kind] or 0) + 1 end)
            local d = tm.synth('saif', {n=20, p=5, seed=1})
            local r = tm.lasso(d, {lambda_ratio=0.5})
            local s = tm.sweep{data=d, method='lasso', grid={lambda_ratio={0.5}}, folds=2}
            tm.wait()
            print(seen.run, seen.sweep)""")
        self.assertEqual(out, "1\t1\n")

    def test_an_error_of_a_callback_and_a_warning_are_on_standard_error(self):
        run = tamis("eval", "tm.on('done', function() error('oh') end) warn('care', 'ful') "
                    "tm.lasso(tm.synth('saif', {n=20, p=5}), {lambda_ratio=0.5}):wait() "
                    "print('on')")
        self.assertEqual((run.returncode, run.stdout), (0, "on\n"))
        self.assertRegex(run.stderr, r"^tamis eval: careful\ntamis eval: tm.on\(\"done\"\): the callback failed .*oh\n")


class Modules(Case):
    def test_require_finds_what_lies_beside_the_script(self):
        (self.folder / "a/own").mkdir(parents=True)
        self.write("a/helper.lua", "return {word='beside'}")
        self.write("a/own/init.lua", "return {word='below'}")
        script = self.write("a/main.lua", "print(require('helper').word, require('own').word)")
        for where in (self.folder, self.folder / "a"):
            self.assertEqual(self.good("run", os.path.relpath(script, where), cwd=where),
                             "beside\tbelow\n")


class Repeatable(Case):
    LOOP = ("local t, s = {}, 0 for i = 1, 50 do t['key' .. i] = i end "
            "for k, v in pairs(t) do s = s + v * math.random() end print(s, math.random(1 << 40))")

    def test_the_seed_decides_every_number(self):
        first = [self.good("eval", self.LOOP, "--seed", seed) for seed in (1, 2, 3)]
        again = [self.good("eval", self.LOOP, "--seed", seed) for seed in (1, 2, 3)]
        self.assertEqual(first, again)
        self.assertEqual(len(set(first)), 3)
        self.assertEqual(self.good("eval", self.LOOP), self.good("eval", self.LOOP, "--seed", 1))

    def test_pairs_goes_by_the_keys(self):
        self.assertEqual(self.good("eval", "local s = '' for k in pairs{b=1, a=1, [2.5]=1, [-1]=1, "
                                   "7, 8, aa=1} do s = s .. k .. ' ' end print(s)"),
                         "-1 1 2 2.5 a aa b \n")

    def test_pairs_as_lua_defines_it(self):
        self.assertEqual(self.good("eval", """
            local t = {a=1, b=2, c=3, d=4}
            for k in pairs(t) do t[k] = nil t.d = nil end -- taking keys out is allowed
            print(next(t))
            local seen = 0
            for k, v in pairs({x=false}) do seen = seen + 1 assert(v == false) end
            for k in pairs{} do seen = seen + 1 end
            local own = setmetatable({}, {__pairs=function(t) return function(_, k)
                if not k then return 1, 'own' end end, t, nil end})
            for k, v in pairs(own) do seen = seen + 1 assert(v == 'own') end
            print(seen, pcall(pairs))"""),
            "nil\n2\tfalse\tbad argument #1 to 'pairs' (value expected)\n")


class Interrupt(Case):
    def interrupted(self, process, number=signal.SIGINT):
        """Sends the signal once the script has printed a line; returns what came after."""
        first = process.stdout.readline()
        self.assertEqual(first, b"started\n")
        process.send_signal(number)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 128 + number)
        self.assertIn(b"interrupted", err)
        return out

    def test_endless_loop(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.interrupted(start("eval", "print('started') while true do end"), number)

    def test_script_file(self):
        script = self.write("loop.lua",
                            "print('started')\nlocal n = 0\nwhile true do n = n + 1 end\n")
        self.interrupted(start("run", script))

    def test_wait_for_a_solver(self):
        chunk = f"local d = tm.load('{GOLUB}') local r = tm.path(d, 'lasso', {{lambdas=50000, " \
                "screen='none', tol=1e-14, lambda_min_ratio=1e-5}) print('started') r:wait()"
        self.interrupted(start("eval", chunk))

    def test_loops_of_long_calls(self):
        """Each call is far shorter than the loop, which would end within a thousand steps."""
        data = "local d = tm.synth('fgm', {n=400, p=4000, k=20, seed=1}) "
        for loop in (data + "print('started') for i = 1, 900 do d:filter{by='auc'} end",
                     data + "print('started') for i = 1, 900 do pcall(d.filter, d, {by='t'}) end",
                     "local t = {} for i = 1, 3e5 do t[i] = i end print('started') "
                     "for i = 1, 900 do table.sort(t) end",
                     "local t = {} for i = 1, 3e5 do t[i] = 'abc' end print('started') "
                     "for i = 1, 900 do table.concat(t) end",
                     "local x = {} for i = 1, 1e5 do x[i] = i end "
                     "local p = tm.plot{series={{x=x, y=x}}} print('started') "
                     "for i = 1, 900 do tostring(p) end"):
            with self.subTest(loop):
                self.interrupted(start("eval", loop), signal.SIGTERM)

    def test_what_cannot_be_saved_is_printed(self):
        """An answer that no variable holds is not lost with the file."""
        run = tamis("eval", """
            local d = tm.synth("saif", {n=40, p=10})
            local bad = "/no/such/folder/x"
            local p = tm.path(d, "lasso", {lambda={50, 20}}):wait()
            print(pcall(p.table.save, p.table, bad .. ".csv"))
            print(pcall(p.table.save, p.table, bad .. ".foo"))
            local s = tm.sweep{data=d, method="lasso", grid={lambda={44}}, folds=2, name="s"}:wait()
            print(pcall(s.table.save, s.table, bad .. ".json"))
            local m = p.models[2]
            print(pcall(m.save, m, bad .. ".json"))
            local c = tm.curve{methods={"lasso"}, data=d, folds=2, features={2, 3}}
            print(pcall(c.save, c, bad .. ".svg"))
            tm.plot{series={{x={1, 2}, y={3, 4}, name="nameless"}}}:save(bad .. ".png")""")
        self.assertEqual(run.returncode, 1)
        self.assertIn("x.png: cannot be written", run.stderr)
        parts = re.split(r"^false\t.*$", run.stdout, flags=re.M)
        for part, says in zip(parts, ("50 ", "50 ", "44 ", "lambda 20", "lasso          2",
                                      "nameless")):
            self.assertIn(says, part)
        self.assertEqual(run.stdout.count("cannot be written"), 4)

    def test_infinite_numbers_in_saved_tables(self):
        self.good("eval", f"""
            local t = tm.table{{{{x=1/0, y=1}}, {{x=-1/0, y=0/0}}}}
            t:save({str(self.folder / "t.csv")!r}) t:save({str(self.folder / "t.json")!r})""")
        self.assertEqual((self.folder / "t.csv").read_text().splitlines(),
                         ["x,y", "inf,1", "-inf,"])
        self.assertEqual(json.loads((self.folder / "t.json").read_text()),
                         [{"x": None, "y": 1}, {"x": None, "y": None}])

    def test_a_command_ends_with_the_script(self):
        process = start("eval", "print('started') os.execute('sleep 300; echo never')")
        self.assertNotIn(b"never", self.interrupted(process, signal.SIGTERM))

    def test_a_call_that_cannot_be_stopped_is_left_behind(self):
        err = b""
        for pause in (0.2, 1, 4):  # until the signal finds the call begun
            process = start("eval", "print('started') "
                            "string.find(string.rep('a', 400), '.-.-.-.-.-.-.-.-.-.-b')")
            self.assertEqual(process.stdout.readline(), b"started\n")
            time.sleep(pause)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 128 + signal.SIGTERM)
            if b"left behind" in err:
                break
        self.assertIn(b"left behind", err)

    def test_a_signal_at_any_moment_is_not_lost(self):
        """Before the first step, in the chunk, at its end: interrupted, or done before it came."""
        for i in range(20):
            process = start("eval", "for i = 1, 2e5 do local x = i end print('done')")
            time.sleep(0.001 * i)
            alive = process.poll() is None
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=TIMEOUT)
            ended = {128 + signal.SIGINT, -signal.SIGINT} | ({0} if out == b"done\n" else set())
            self.assertIn(process.returncode, ended if alive else {0})

    def test_a_background_job_ignores_what_its_shell_told_it_to(self):
        """`tamis run ... &` in a script of the shell: Ctrl-C is for the foreground alone."""
        def ignoring():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number, ends in ((signal.SIGINT, 0), (signal.SIGTERM, 143)):
            process = subprocess.Popen(
                [BIN, "eval", "print('started') " + ("io.read()" if ends == 0 else
                                                     "while true do end") + " print('done')"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
                preexec_fn=ignoring)
            self.assertEqual(process.stdout.readline(), b"started\n")
            process.send_signal(number)
            if ends == 0:
                process.stdin.write(b"\n")
                process.stdin.flush()
            out, _ = process.communicate(timeout=TIMEOUT)
            self.assertEqual((process.returncode, out), (ends, b"done\n" if ends == 0 else b""))

    def test_repl_on_a_pipe(self):
        process = start("repl", stdin=subprocess.PIPE)
        process.stdin.write(b"print('started') while true do end\nprint('never')\n")
        process.stdin.flush()
        self.assertNotIn(b"never", self.interrupted(process))


class ReplPipe(Case):
    def test_chunks(self):
        text = "x = 40\nx + 2\nfunction double(y)\n  return 2 * y\nend\ndouble(4)\n\nprint('end')"
        out = self.good("repl", text=text).split("\n")
        self.assertEqual([line for line in out if line], ["42", "8", "end"])

    def test_errors_go_on_and_are_remembered(self):
        run = tamis("repl", text="error('boom')\n1 + 1\n")
        self.assertEqual((run.returncode, run.stdout.strip()), (1, "2"))
        self.assertIn("boom", run.stderr)

    def test_unfinished_chunk(self):
        run = tamis("repl", text="print(1)\nfor i = 1, 3 do\n")
        self.assertEqual((run.returncode, run.stdout), (1, "1\n"))
        self.assertEqual(run.stderr.count("\n"), 1)

    def test_empty_input(self):
        self.assertEqual(self.good("repl", text=""), "")

    def test_answers_come_before_the_input_ends(self):
        process = start("repl", stdin=subprocess.PIPE)
        process.stdin.write(b"6 * 7\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"42\n")
        process.stdin.close()
        process.stdin = None
        process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0)


class ReplTerminal(Case):
    """The prompt on a terminal of its own."""

    def setUp(self):
        super().setUp()
        master, slave = pty.openpty()
        self.master = master
        self.addCleanup(os.close, master)
        self.process = subprocess.Popen(
            [BIN, "repl", "--quiet"], stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True, preexec_fn=self.take_terminal,
            env=environment(XDG_STATE_HOME=str(self.folder), TERM="vt100", INPUTRC="/dev/null"))
        os.close(slave)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.seen = b""
        self.expect(b"tm> ")

    @staticmethod
    def take_terminal():
        default_signals()
        import fcntl
        import termios
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def expect(self, word):
        """Reads until the word comes; what was read before it is dropped."""
        end = time.monotonic() + TIMEOUT
        while word not in self.seen:
            ready, _, _ = select.select([self.master], [], [], end - time.monotonic())
            self.assertTrue(ready, (word, self.seen))
            self.seen += os.read(self.master, 65536)
        self.seen = self.seen.split(word, 1)[1]

    def type(self, text):
        os.write(self.master, text)

    def leave(self):
        """Ctrl-D at the next prompt: while a chunk runs it would be the terminal's."""
        self.expect(b"tm> ")
        self.type(b"\x04")
        self.assertEqual(self.process.wait(timeout=TIMEOUT), 0)

    def test_values_and_continued_lines(self):
        self.type(b"for i = 7, 7 do\r")
        self.expect(b"..> ")
        self.type(b"print(i * 6) end\r")
        self.expect(b"42\r\n")
        self.leave()

    def test_interrupt_of_a_chunk_and_of_a_line(self):
        self.type(b"print('sta' .. 'rted') while true do end\r")
        self.expect(b"started")
        self.type(b"\x03")
        self.expect(b"interrupted")
        self.expect(b"tm> ")
        self.type(b"this is no Lua\x03")
        self.expect(b"^C")
        self.expect(b"tm> ")
        self.type(b"6 * 7\r")
        self.expect(b"42\r\n")
        self.leave()

    def test_the_prompt_answers_after_a_call_that_cannot_be_stopped(self):
        self.type(b"x = 1 print('sta' .. 'rted') "
                  b"string.find(string.rep('a', 400), '.-.-.-.-.-.-.-.-.-.-b')\r")
        self.expect(b"started")
        time.sleep(0.5)
        self.type(b"\x03")
        self.expect(b"left behind")
        self.expect(b"scratch")
        self.expect(b"tm> ")
        self.type(b"type(x), tm.synth('saif', {n=5, p=3}).n * 10\r")
        self.expect(b"nil\r\n")
        self.expect(b"50\r\n")
        self.leave()

    def test_completion(self):
        self.type(b"tm.metho\t")
        self.expect(b"tm.methods")
        self.type(b"\x03")
        self.leave()

    def test_history_is_kept(self):
        self.type(b"print('one' .. 'two')\r")
        self.expect(b"onetwo")
        self.expect(b"tm> ")
        self.type(b"\x1b[A\r")
        self.expect(b"onetwo\r\n")
        self.leave()
        self.assertIn("print('one' .. 'two')", (self.folder / "tamis/history").read_text())

    def test_hangup(self):
        self.process.send_signal(signal.SIGHUP)
        self.assertEqual(self.process.wait(timeout=TIMEOUT), 129)


if __name__ == "__main__":
    unittest.main()
