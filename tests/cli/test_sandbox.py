#!/usr/bin/python3
"""The sandbox of tamis run --sandbox and tamis learn: what a script of someone else's cannot do."""
import os
import unittest

from tamis_cli import Case, tamis

REFUSED = """
local outside = arg[1]
local bytecode = string.dump(function() end)
local data = tm.synth("saif", {n=20, p=4})
local calls = {
    {os.execute, "true"}, {os.getenv, "HOME"}, {os.tmpname}, {io.popen, "true"}, {io.tmpfile},
    {io.open, outside}, {io.open, "../secret"}, {io.open, "link/secret"}, {io.open, "/etc/x", "w"},
    {io.lines, outside}, {io.input, outside}, {io.output, outside}, {loadfile, outside},
    {dofile, outside}, {os.remove, outside}, {os.rename, "own", outside},
    {os.rename, outside, "own"},
    {package.loadlib, "x.so", "*"}, {require, "socket.core"}, {tm.load, outside},
    {tm.load, "own.csv", {response=outside}}, {tm.model, outside}, {debug.getregistry},
    {debug.getupvalue, print, 1}, {debug.setmetatable, "", {}},
    {function() tm.synth("saif", {n=5, p=2}):save(outside) end},
    {function() tm.plot{series={{x={1}, y={1}}}}:save("../x.svg") end},
    {function() assert(load(bytecode, "x", "b")) end},
    {function() assert(tm.map({1}, function() return (pcall(os.execute, "true")) end)[1]) end},
    {function() coroutine.wrap(function() io.open(outside) end)() end},
    {io.open, "dangling", "w"}, {io.open, 5}, {os.rename, "own", "dangling"}, {os.remove, "link"},
    {package.searchpath, "secret", "../?"}, {package.loaded.io.popen, "true"},
    {package.loaded._G.os.execute, "true"}, {load("return os.execute('true')")},
    {load("return io.popen('true')", "x", "t", {io=io})},
    {coroutine.wrap(function() return os.execute("true") end)},
    {function() package.path = "../?" return require("secret") end},
    {function() package.preload.q = package.loadlib return require("q") end},
    {function() package.searchpath = function() return {} end require("none") end},
    {function() package.searchpath = function() return outside end require("none") end},
    {function() package.searchers[2] = package.loadlib return require("none") end},
    {tm.load, "linked.csv"}, {tm.load, 5}, {tm.load, "own.csv", {response="link"}},
    {tm.load, "own.csv", {weights=outside}}, {tm.load, "own.csv", {names="../secret"}},
    {tm.load, "own.csv", {response=setmetatable({}, {__tostring=function()
        return outside end})}},
    {function() data:save(5) end}, {function() data:save("link") end},
    {function() data:miles{bags=outside, sigma=1} end},
    {function() tm.grouplasso(data, {groups=outside, lambda_ratio=0.5}):wait() end},
    {function() tm.grouplasso(data, {groups="link", lambda_ratio=0.5}):wait() end},
    {function() tm.hsiclasso(data, {refit="svm groups=" .. outside}):wait() end},
    {function() tm.sweep{data=data, method="grouplasso", grid={groups={outside}}, folds=2} end},
    {function() tm.table({{a=1}}):save("../x.csv") end},
    {debug.getlocal, 1, 1}, {debug.getmetatable, ""}, {debug.sethook},
    {debug.setuservalue, io.stdout, 1}, {debug.upvalueid, print, 1},
}
for i, call in ipairs(calls) do
    local ok, message = pcall(table.unpack(call))
    if ok then print("call " .. i .. " was not refused") end
end
"""

ALLOWED = """
local h = io.open("own.txt", "w") h:write("return 6 * 7\\n") h:close()
print(dofile("own.txt"), loadfile("own.txt")(), load("return 1 + 1")())
os.rename("own.txt", "module.lua")
print(require("module"), io.open("module.lua"):read("l"))
os.remove("module.lua")
local d = tm.synth("saif", {n=20, p=5, seed=1})
d:save("own.csv")
local r = tm.lasso(tm.load("own.csv"), {lambda_ratio=0.1}):wait()
r.model:save("own.json")
print(tm.model("own.json").nnz == r.nnz, math.random() < 1, ("x"):rep(3))
"""


class Sandbox(Case):
    def setUp(self):
        super().setUp()
        self.inside = self.folder / "inside"
        self.inside.mkdir()
        self.secret = self.write("secret", "1,2\n3,4\n")
        os.symlink(self.folder, self.inside / "link")
        os.symlink(self.folder / "none", self.inside / "dangling")
        os.symlink(self.secret, self.inside / "5")
        os.symlink(self.secret, self.inside / "linked.names")
        (self.inside / "linked.csv").write_text("a,y\n1,2\n2,3\n")

    def limited(self, script, *options, status=1):
        """The end of a script that may use little."""
        run = tamis("run", "--sandbox", *options, self.write("inside/limited.lua", script),
                    cwd=self.inside)
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    def test_what_reaches_out_is_refused(self):
        script = self.write("inside/bad.lua", REFUSED)
        (self.inside / "own.csv").write_text("a,y\n1,2\n2,3\n")
        self.assertEqual(self.good("run", "--sandbox", script, self.secret, cwd=self.inside), "")
        self.assertEqual(self.secret.read_text(), "1,2\n3,4\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["inside", "secret"])

    def test_requests_to_the_workbench(self):
        script = self.write("inside/ui.lua", """
            for _, name in ipairs{"save", "delete", "script", "suspend", "quit"} do
                print(select(2, pcall(tm.ui.request, name)))
                print(select(2, pcall(tm.ui.bind, "all", "x", name)))
            end
            print(select(2, pcall(tm.ui.set, "groups", arg[1])))
            print(select(2, pcall(tm.ui.set, "groups", "../secret")))""")
        lines = self.good("run", "--sandbox", script, self.secret, cwd=self.inside).splitlines()
        self.assertEqual([line.count("is not available in the sandbox") for line in lines[:10]],
                         [1] * 10, lines)
        for line in lines[10:]:
            self.assertIn("is outside of it", line)
        self.assertEqual(len(lines), 12)

    def test_time_is_limited_whatever_is_done_to_go_on(self):
        for script in ("while true do end",
                       "while true do pcall(function() while true do end end) end",
                       "coroutine.wrap(function() while true do pcall(error) end end)()",
                       "while true do xpcall(error, function() while true do end end) end",
                       "local t = setmetatable({}, {__lt=function() while true do end end})\n"
                       "return t < t",
                       "table.sort({3, 2, 1}, function() while true do end end)",
                       "tm.map({1, 2}, function() while true do pcall(error) end end)"):
            run = self.limited(script, "--max-seconds", "0.1")
            self.assertIn("the sandbox lets a script compute for 0.1 s", run.stderr, script)

    def test_what_cannot_be_stopped_is_left_behind(self):
        for script in ("return (('a'):rep(3000)):find(('.-'):rep(20) .. 'b')",
                       "setmetatable({}, {__gc=function() while true do end end})\n"
                       "collectgarbage()"):
            run = self.limited(script, "--max-seconds", "0.1")
            self.assertIn("the sandbox's time for a script is used up", run.stderr, script)

    def test_output_is_limited(self):
        for script in ("while true do print(('x'):rep(1000)) end",
                       "while true do pcall(io.write, ('x'):rep(1000)) end",
                       "local f = io.open('big', 'w') while true do f:write(('x'):rep(1000)) end",
                       "local d = tm.synth('saif', {n=100, p=100})\n"
                       "for i = 1, 1000 do pcall(function() d:save('big.csv') end) end",
                       "tm.map({1, 2, 3}, function() for i = 1, 500 do print(('x'):rep(1000)) end "
                       "end)"):
            run = self.limited(script, "--max-output", "1")
            self.assertIn("print and write 1 MB", run.stderr, script)
            self.assertLessEqual(len(run.stdout), 1e6)

    def test_no_file_is_larger_than_the_output(self):
        script = "tm.synth('saif', {n=1000, p=500}):save('big.csv')"
        self.assertIn("File too large", self.limited(script, "--max-output", "1").stderr)
        self.assertFalse((self.inside / "big.csv").exists())

    def test_memory_is_limited(self):
        script = ("local t = {}\nprint(pcall(function() while true do t[#t + 1] = "
                  "('x'):rep(1e5) .. #t end end))\nt = nil print('on')")
        self.assertEqual(self.limited(script, "--max-memory", "100", status=0).stdout,
                         "false\tnot enough memory\non\n")
        if "asan" not in os.environ.get("TAMIS_BUILD", ""):
            self.assertIn("memory", self.limited("tm.synth('saif', {n=1000, p=20000})",
                                                 "--max-memory", "100").stderr)

    def test_limits_are_numbers_and_of_the_sandbox(self):
        script = self.write("inside/one.lua", "print(1)")
        run = tamis("run", "--max-seconds", "1", script)
        self.assertEqual(run.returncode, 2)
        self.assertIn("add '--sandbox'", run.stderr)
        for value in ("0", "-1", "x", "nan", "1e10"):
            run = tamis("run", "--sandbox", "--max-output", value, script)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"'--max-output {value}': expected a number above 0", run.stderr)

    def test_work_inside_the_folder_goes_on(self):
        script = self.write("inside/good.lua", ALLOWED)
        self.assertEqual(self.good("run", "--sandbox", script, cwd=self.inside),
                         "42\t42\t2\n42\treturn 6 * 7\ntrue\ttrue\txxx\n")

    def test_the_users_own_scripts_are_free(self):
        self.assertEqual(self.good("eval", f"print(os.execute('true'), io.open('{self.secret}')"
                                   ":read('l'))", cwd=self.inside), "true\t1,2\n")

    def test_lessons_of_files_run_in_it(self):
        lesson = self.write("inside/lesson.lua", "-- A lesson\n-- of two steps.\nprint(1 + 1)\n"
                            "-- The second one.\nprint(pcall(os.execute, 'true'))\n")
        page = self.good("learn", lesson, cwd=self.inside)
        for words in ("A lesson", "of two steps", "2\n", "not available in the sandbox"):
            self.assertIn(words, page)
        run = tamis("learn", self.folder / "none.lua")
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot read the lesson", run.stderr)


if __name__ == "__main__":
    unittest.main()
