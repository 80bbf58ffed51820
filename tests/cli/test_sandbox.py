#!/usr/bin/python3
"""The sandbox of tamis run --sandbox and tamis learn: what a script of someone else's cannot do."""
import os
import unittest

from tamis_cli import Case, tamis

REFUSED = """
local outside = arg[1]
local bytecode = string.dump(function() end)
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

    def test_what_reaches_out_is_refused(self):
        script = self.write("inside/bad.lua", REFUSED)
        (self.inside / "own.csv").write_text("a,y\n1,2\n2,3\n")
        self.assertEqual(self.good("run", "--sandbox", script, self.secret, cwd=self.inside), "")
        self.assertEqual(self.secret.read_text(), "1,2\n3,4\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["inside", "secret"])

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
