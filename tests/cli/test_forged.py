#!/usr/bin/python3
"""Files of someone who means harm: bytecode, archives that reach out, models and run stores with
other values in every place. Nothing of them runs, nothing outside is read or written, what they
claim is not allocated, and a file that is refused is refused with one message."""
import contextlib
import copy
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import stat
import tarfile
import unittest
import zipfile

from tamis_cli import SANITIZED, Case, start, tamis

MODELS = pathlib.Path(__file__).resolve().parent / "models"
MEGABYTES = 200  # of the program with what these files need, which is some 20
CSV = b"a,b,y\n1,2,3\n2,3,5\n4,5,7\n"
# What is put in the place of every value of a model, and of every column of a store.
OTHERS = [None, -1, 1000000000, 2**63 - 1, 1e308, "/etc/passwd", "../x\x1b[2J", [], {},
          [[[1, 1]]] * 50]
CELLS = [None, -1, 2**63 - 1, 1e308, "", "/etc/passwd", "[" * 5000, "{\"axes\":[\"C\"]}",
         b"\x1bLua\x54\x00" * 9, "x" * 5000]
# Writes the function as bytecode, in which it is worth loading: it would leave a file.
BYTECODE = """
local f = assert(io.open(arg[1], "wb"))
f:write(string.dump(load("io.open('ran', 'w'):close() return 1")))
f:close()
"""
LOAD = """
local data, sizes = tm.load(arg[1]), {}
for path in io.lines(arg[2]) do
    local read, model = pcall(tm.model, path)
    local message = read and "" or tostring(model)
    if read then
        local predicted, values = pcall(function() return model:predict(data) end)
        message = predicted and "" or tostring(values)
    end
    print((read and "loaded " or "refused ") .. path .. " " .. message:gsub("\\n", "NEWLINE"))
end
"""


def places(value, path=()):
    """Every place of a JSON value, of long lists the first."""
    if path:
        yield path
    if isinstance(value, dict):
        inner = list(value)
    else:
        inner = range(len(value) if len(value) < 4 else 1) if isinstance(value, list) else ()
    for key in inner:
        yield from places(value[key], path + (key,))


class Forged(Case):
    def measured(self, *args):
        """A run that ends by itself; its output and the most memory that it has had."""
        with start(*args, cwd=self.folder) as process:
            out, err = process.stdout.read(), process.stderr.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 1, 2), (process.args, err))
        self.assertNotIn(b"Sanitizer", err)
        if not SANITIZED:
            self.assertLess(used.ru_maxrss / 1024, MEGABYTES, process.args)
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


class Bytecode(Forged):
    def setUp(self):
        super().setUp()
        self.good("run", self.write("dump.lua", BYTECODE), "code", cwd=self.folder)
        self.code = (self.folder / "code").read_bytes()
        self.assertTrue(self.code.startswith(b"\x1bLua"))

    def did_not_run(self):
        self.assertFalse((self.folder / "ran").exists())

    def test_scripts_lessons_and_the_users_own_start_are_text(self):
        for words in (["run", "code"], ["run", "--sandbox", "code"], ["learn", "code"],
                      ["learn", "--check", "code"], ["run", "-"],
                      ["--dump-view", "lua", "--script", "code"]):
            run = tamis(*words, cwd=self.folder, text=self.code)
            self.assertRegex(run.stdout + run.stderr, "attempt to load a binary chunk|not text|"
                             "unexpected symbol|cannot read|no lesson", words)
            self.did_not_run()
        home = self.folder / "tamis"
        home.mkdir()
        (home / "init.lua").write_bytes(self.code)
        tamis("--dump-view", "lua", cwd=self.folder,
              env=dict(os.environ, XDG_CONFIG_HOME=str(self.folder), HOME=str(self.folder)))
        self.did_not_run()
        tamis("repl", cwd=self.folder, text=self.code + b"\n")
        self.did_not_run()

    def test_modules_of_the_sandbox_are_text(self):
        shutil.copy(self.folder / "code", self.folder / "module.lua")
        script = self.write("s.lua", """
            print(pcall(require, "module")) print(pcall(dofile, "code")) print(loadfile("code"))
            print(load(io.open("code", "rb"):read("a"), "x", "b"))
            print(pcall(tm.map, {1}, load(io.open("code", "rb"):read("a")) or 1))""")
        run = tamis("run", "--sandbox", script, cwd=self.folder)
        self.assertEqual(run.stdout.count("attempt to load a binary chunk"), 4, run.stdout)
        self.did_not_run()

    def test_recorded_values_hold_no_code(self):
        store = self.folder / "s.db"
        script = self.write("m.lua", "local ok, list = pcall(tm.map, {1, 2}, function(i) return "
                            "{x=i} end)\nprint(ok, ok and type(list[1].x) or list)")
        self.assertEqual(self.good("run", "--store", store, script), "true\tnumber\n")
        count = len(self.code).to_bytes(8, "little")
        function = b"L" + count + self.code + bytes(8)
        table = b"t" + (1).to_bytes(8, "little") + b"S" + (1).to_bytes(8, "little") + b"x"
        many = b"t" + b"\xff" * 8 + b"S" + b"\xff" * 7 + b"\x7f"
        for value in (function, table + function, table + b"G" + (10).to_bytes(8, "little") +
                      b"os.execute", table + b"E", many, b"", b"S", b"X" + b"0" * 64,
                      (table[:-1] + b"y") * 300):
            with contextlib.closing(sqlite3.connect(store)) as db:
                column = [row[1] for row in db.execute("PRAGMA table_info(recorded_values)")
                          if row[2] == "BLOB"][0]
                db.execute(f"UPDATE recorded_values SET {column} = ?", (value,))
                db.commit()
            _, out, _ = self.measured("run", "--store", store, script)
            self.assertRegex(out, "^(false\t.*a recorded value is damaged|true\tnumber)")
            self.did_not_run()


class Archives(Forged):
    """An archive is read in memory: its members' names are texts."""

    def setUp(self):
        super().setUp()
        self.inside = self.folder / "inside"
        self.inside.mkdir()
        self.write("outside.csv", b"p,q,r,y\n7,7,7,77\n8,7,8,78\n9,7,7,79\n")

    def zipped(self, name, *members):
        with zipfile.ZipFile(self.inside / name, "w") as archive:
            for path, content, mode in members:
                entry = zipfile.ZipInfo(path)
                entry.create_system, entry.external_attr = 3, mode << 16
                archive.writestr(entry, content)
        return name

    def test_names_that_reach_out(self):
        absolute = str(self.folder / "outside.csv")
        file, link = stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777
        for k, path in enumerate(("../outside.csv", absolute, "a/../../outside.csv")):
            name = self.zipped(f"{k}.zip", (path, CSV, file))
            told = json.loads(self.good("info", "--json", name, cwd=self.inside))
            self.assertEqual((told["n"], told["p"]), (3, 2))  # the member, not the file outside
        for k, target in enumerate(("../outside.csv", absolute)):
            name = self.zipped(f"link{k}.zip", ("d.csv", target, link))
            run = tamis("info", name, cwd=self.inside)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertEqual(run.stderr.count("\n"), 1)
        npy = self.folder / "x.npy"
        self.good("convert", self.folder / "outside.csv", npy, "--quiet")
        name = self.zipped("a.npz", ("../X.npy", npy.read_bytes(), file),
                           ("y.npy", "../outside_response.npy", link))
        tamis("info", name, cwd=self.inside)
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for path in ("../outside.csv", absolute):
                entry = tarfile.TarInfo(path)
                entry.size = len(CSV)
                archive.addfile(entry, io.BytesIO(CSV))
            entry = tarfile.TarInfo("link.csv")
            entry.type, entry.linkname = tarfile.SYMTYPE, absolute
            archive.addfile(entry)
        self.write("inside/a.tar.gz", out.getvalue())
        self.fails(1, "info", "a.tar.gz", cwd=self.inside, says="neither a text file nor")
        self.assertIn(b"7,7,7,77", (self.folder / "outside.csv").read_bytes())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["inside", "outside.csv", "x.npy", "x_response.npy"])
        self.assertTrue(all(path.suffix in (".zip", ".npz", ".gz")
                            for path in self.inside.iterdir()))

    def test_in_the_sandbox(self):
        self.zipped("d.zip", ("../outside.csv", CSV, stat.S_IFREG | 0o644))
        script = self.write("inside/s.lua", "print(tm.load('d.zip').p)")
        self.assertEqual(self.good("run", "--sandbox", script, cwd=self.inside), "2\n")


class Models(Forged):
    def load(self, data, files):
        """What becomes of each model, by one process."""
        listed = self.write("list", "".join(f"{path}\n" for path in files))
        status, out, err = self.measured("run", self.write("load.lua", LOAD), data, listed)
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(len(lines), len(files), lines[-1:])
        for path, line in zip(files, lines):
            self.assertRegex(line, f"^(loaded|refused) {re.escape(str(path))} ")
            self.assertNotIn("NEWLINE", line)
            if line.startswith("refused"):
                self.assertIn(path.name, line.split(" ", 2)[2])
        return lines

    def forge(self, document, name):
        """The document with other values in each place, in deep ones with half of them."""
        files = [self.write(f"{name}.json", json.dumps(document))]
        for count, path in enumerate(places(document)):
            for other in OTHERS[count % 2::2] if len(path) > 2 else OTHERS:
                forged = at = copy.deepcopy(document)
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = other
                files.append(self.write(f"{name}{len(files)}.json", json.dumps(forged)))
        return files

    def test_other_values_in_every_place(self):
        data = self.write("d.csv", "y,bag,u,v\n" + "".join(
            f"{'no' if i < 6 else 'yes'},{i // 2},{i * i % 7 + i / 9},{i * 5 % 8}\n"
            for i in range(12)))
        for name, words in (("linear", "--method lasso --label v"),
                            ("svm", "--method svm --kernel rbf"),
                            ("hik", "--method fgm --source hik --B 2"),
                            ("chosen", "--method hsiclasso --lambda-ratio 0.3"),
                            ("bags", "--method l1logistic --bags bag --bags-sigma 1")):
            model = self.folder / f"{name}-own.json"
            self.good("fit", data, *words.split(), *(() if "--label" in words else
                                                     ("--label", "y")),
                      *(("--text", "onehot") if name == "linear" else ()),
                      "--model", model, "--quiet")
            lines = self.load(data, self.forge(json.loads(model.read_text()), name))
            self.assertTrue(lines[0].startswith("loaded"), lines[0])
            self.assertGreater(sum(line.startswith("refused") for line in lines), len(lines) / 3)

    def test_counts_beyond_the_memory(self):
        """A few bytes that claim more features than any machine's memory holds."""
        for name in ("svm_rbf", "hik"):
            document = json.loads((MODELS / f"{name}.json").read_text())
            for count in (4294967294, 2**62):
                document["features"] = count
                path = self.write("m.json", json.dumps(document))
                status, out, err = self.measured("info", path)
                self.assertEqual((status, out, err.count("\n")), (1, "", 1), err)
                self.assertRegex(err, "claims more features|is missing or of the wrong kind")

    def test_deep_and_long_texts(self):
        for text in ("[" * 100000, '{"a":' * 100000, '{"tamis":"model"', "\x1bLua", "\0" * 9,
                     '{"tamis":"model","version":2,"method":"' + "x" * 10**6 + '"}'):
            path = self.write("m.json", text)
            status, out, err = self.measured("info", path)
            self.assertEqual((status, out, err.count("\n")), (1, "", 1), err[:500])
            self.assertLess(len(err), 1000)


class Stores(Forged):
    COMMANDS = (("list",), ("sweeps",), ("show", "1"), ("show", "s1"), ("export", "1", "--json"),
                ("export", "s1"), ("compare", "1", "2"))

    def setUp(self):
        super().setUp()
        self.store = self.folder / "own.db"
        script = self.write("s.lua", """
            local d = tm.synth("fgm", {n=30, p=12, k=4})
            tm.path(d, "lasso", {lambdas=3, tags="a", note="b"}):wait()
            tm.lasso(d, {lambda_ratio=0.4}):wait()
            tm.sweep{data=d, method="lasso", grid={lambda_ratio={0.5, 0.2}}, folds=2}:wait()
            tm.map({1}, function(i) return i end)""")
        self.good("run", "--store", self.store, script)
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            db.execute("PRAGMA journal_mode = DELETE")

    def forged(self, statement, *values):
        return self.forged_by([(statement, values)])

    def forged_by(self, changes):
        path = self.folder / "forged.db"
        shutil.copy(self.store, path)
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA foreign_keys = OFF")
            db.execute("PRAGMA synchronous = OFF")
            for statement, values in changes:
                with contextlib.suppress(sqlite3.IntegrityError):
                    db.execute(statement, values)
            db.commit()
        return path

    def loosen(self):
        """Nothing is asked of what stands in the tables any more."""
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
            db.commit()
            db.execute("PRAGMA writable_schema = OFF")

    def columns(self):
        with contextlib.closing(sqlite3.connect(self.store)) as db:
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND "
                                       "name NOT LIKE 'sqlite%'").fetchall():
                for _, column, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
                    yield table, column

    def test_other_values_in_every_column(self):
        """Two columns in each store; over all of them, every value and every command."""
        self.loosen()
        columns = list(self.columns())
        self.assertGreater(len(columns), 80)
        half = (len(columns) + 1) // 2
        for k in range(half):
            changes = [(f"UPDATE OR IGNORE {table} SET {column} = ?",
                        (CELLS[(3 * k + 5 * (j >= half)) % len(CELLS)],))
                       for j, (table, column) in enumerate(columns) if j % half == k]
            words = self.COMMANDS[k % len(self.COMMANDS)]
            with self.subTest(changes=str(changes)[:200], words=words):
                status, out, err = self.measured("runs", *words, "--store",
                                                 self.forged_by(changes))
                self.assertLess(len(out) + len(err), 100000)
                if status != 0:
                    self.assertEqual(err.count("\n"), 1, err)

    def test_stores_with_instructions_of_their_own(self):
        for statement in (
                "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
                "CREATE VIEW v AS SELECT * FROM runs"):
            path = self.forged(statement)
            before = path.read_bytes()
            message = self.fails(1, "runs", "--store", path, says="triggers or views")
            self.assertIn("nothing in it was changed", message)
            self.fails(1, "runs", "merge", path, "--store", self.folder / "new.db",
                       says="triggers or views")
            fit = tamis("fit", self.write("d.csv", CSV), "--method", "lasso", "--store", path)
            self.assertEqual(fit.returncode, 1)
            self.assertIn("triggers or views", fit.stderr)
            self.assertEqual(path.read_bytes(), before)

    def test_forged_rows_that_are_merged(self):
        self.loosen()
        for table, column in (("runs", "params"), ("models", "model"), ("sweeps", "description"),
                              ("results", "scores"), ("runs", "id"), ("sweeps", "id")):
            for value in (2**63 - 1, b"\x1bLua", None):
                path = self.forged(f"UPDATE OR IGNORE {table} SET {column} = ?", value)
                target = self.folder / "target.db"
                shutil.copy(self.store, target)
                _, _, err = self.measured("runs", "merge", path, "--store", target)
                self.assertLessEqual(err.count("\n"), 2, err)
                with contextlib.closing(sqlite3.connect(target)) as db:
                    self.assertEqual(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                    self.assertGreaterEqual(
                        db.execute("SELECT count(*) FROM runs").fetchone()[0], 2)


class Terminals(Forged):
    """Texts of files are shown, and are no commands to the terminal."""

    def test_names_labels_and_notes(self):
        evil = "\x1b]0;t\x07\x1b[2J\x9b31m"
        self.write("d.names", f"a{evil}\nb{evil}\nc{evil}\n".encode())
        data = self.write("d.svm", "".join(f"{i % 2} 1:{i} 2:{i * i % 5} 3:{i * i % 5}\n"
                                           for i in range(9)))
        three = self.write("t.csv", f"y,a\nu{evil},1\nv,2\nw,3\nu{evil},4\nv,6\nw,1\n".replace(
            "\x1b]0;t\x07\x1b", "\x7f"))
        store, model = self.folder / "s.db", self.folder / "m.json"
        fit = ("fit", data, "--method", "l1logistic", "--lambda-ratio", "0.1")
        shown = []
        for words in (("info", data), (*fit, "--store", store, "--note", evil, "--model", model),
                      (*fit, "--lambdas", "3"), ("info", model), ("predict", model, three),
                      ("info", three), ("runs", "--store", store),
                      ("runs", "show", "1", "--store", store)):
            run = tamis(*words)
            shown.append(run.stdout)
            for text in (run.stdout, run.stderr):
                self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", words)
        self.assertIn("c?]0;t??[2J??31m", shown[0])

    def test_a_long_name_is_shown_whole(self):
        store = self.folder / "s.db"
        for length in (1000, 1023, 1024, 5000):
            name = "n" * (length - 1) + "\x1b"
            code = "tm.sweep{data = tm.synth('corral', {n = 24, p = 8}), method = 'lasso', " \
                "grid = {lambda_ratio = {0.5}}, folds = 2, metric = 'r2', " \
                f"name = '{name}'}}:wait()"
            path = self.write("s.lua", code)
            self.good("run", path, "--store", store)
            page = self.good("runs", "show", "s1", "--store", store)
            self.assertRegex(page, f"name +{'n' * (length - 1)}[?]\n")
            store.unlink()

    def test_bytes_that_are_no_text_in_json(self):
        """Each byte that belongs to no character becomes U+FFFD; the characters stay."""
        name = b"\xe9x\xc0\x80\xc3\xa9\xe2\x82\xac\xe2\x82!\xed\xa0\x80\xf0\x9f\x98\x80\xf5."
        (self.folder / os.fsdecode(name + b"csv")).write_bytes(CSV)
        run = tamis("info", "--json", os.fsdecode(name + b"csv"), cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        bad = "\ufffd"
        self.assertEqual(json.loads(run.stdout)["name"] + ".",
                         f"{bad}x{bad}{bad}é€{bad}{bad}!{bad}{bad}{bad}\U0001f600{bad}.")


if __name__ == "__main__":
    unittest.main()
