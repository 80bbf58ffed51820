"""Commands of the program whose calls are made to fail one at a time, and what may come of it.

tests/faults/shim.c is preloaded. It lists the places from which a command allocates, reads, writes,
maps files, starts threads and calls SQLite; then the command runs once for each place (or for
some), and the call fails there. Afterwards the program has ended with a message and a status, or
has done everything that it does without a fault; a file that it writes is as it was before or
complete; and a store is whole. tests/cli/test_faults.py tries some places of every command,
`scripts/soak faults` all of them.
"""
import concurrent.futures
import math
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import zipfile

import tamis_cli

KINDS = ("memory", "read", "write", "map", "thread", "store")
OLD = b"what was there before\n"
BUILD = pathlib.Path(tamis_cli.BIN).parent.parent.parent
SHIM = BUILD / "tests/faults/faults.so"
# Without memory for these a solver takes other steps, to an answer that its gap certifies.
FALLBACKS = ("svm_newton", "group_model_update")
NUMBER = re.compile(rb"((?<![\w.])\d+\.\d+(?:e[-+]?\d+)?)")
UNSTEADY = ("dump_view",)  # shows how far work in the background is
# What a message may not be: it says nothing, or says what did not happen.
NOTHING = re.compile(r"^tamis[a-z ]*:\s*$|Success|\(null\)|not an error|no more rows", re.MULTILINE)

MAKE = """
local d = tm.synth("gfl", {n = 12, p = 6, noise = 0.5})
d:save("g.csv"); d:save("g.npy"); d:save("g.npz"); d:save("g.tam"); d:save("g.svm.gz")
local c = tm.synth("corral", {n = 24, p = 8})
c:save("d.svm"); c:save("d.mtx"); c:save("d.svm.xz")
tm.synth("corral", {n = 9, p = 6}):save("few.svm")
"""
SCRIPT = """
local d = tm.load("d.svm")
local r = tm.lasso(d, {lambda_ratio = 0.1}):wait()
assert(r.status ~= "failed", r.error)
print(r.status, r.gap < 1e-2, r.model.nnz)
r.model:save("out.json")
local t = {}
for k = 1, 50 do t[k] = ("x"):rep(k) .. k end
print(#table.concat(t))
local f = assert(io.open("out.txt", "w"))
assert(f:write("done\\n"))
assert(f:close())
"""
SWEEP = """
local d = tm.synth("corral", {n = 24, p = 8})
local s = tm.sweep{data = d, method = "lasso", grid = {lambda_ratio = {0.2, 0.3}}, folds = 2,
                   metric = {"r2", "mse"}, name = "s", keep = "model"}:wait()
print(s.status, s.total, s.failed)
for k, r in ipairs(s.table) do print(k, r.mse) end
"""
PICTURE = """
local f = tm.plot{series = {{x = {1, 2, 3}, y = {1, 4, 9}, name = "squares"}}, title = "a"}
print(f)
f:save("out.svg"); f:save("out.png"); f:save("out.csv"); f:save("out.pdf")
"""
# name: the command; the files it writes; the store it writes to or reads.
COMMANDS = {
    "help": (["help"], [], None),
    "methods": (["methods", "lasso"], [], None),
    "version": (["--version"], [], None),
    "info_svm": (["info", "d.svm", "--json"], [], None),
    "info_xz": (["info", "d.svm.xz"], [], None),
    "info_csv": (["info", "g.csv"], [], None),
    "info_mtx": (["info", "d.mtx"], [], None),
    "info_npy": (["info", "g.npy"], [], None),
    "info_npz": (["info", "g.npz"], [], None),
    "info_tam": (["info", "g.tam"], [], None),
    "info_arff": (["info", "a.arff"], [], None),
    "info_text": (["info", "t.csv", "--text", "onehot", "--missing", "mean"], [], None),
    "info_latin": (["info", "l.csv", "--encoding", "latin1", "--text", "onehot"], [], None),
    "info_plink": (["info", "p.bed"], [], None),
    "info_stata": (["info", "table.dta", "--text", "onehot", "--missing", "mean"], [], None),
    "info_spss": (["info", "table.sav", "--text", "onehot", "--missing", "mean"], [], None),
    "info_sas": (["info", "table.xpt", "--text", "onehot", "--missing", "mean"], [], None),
    "info_hdf5": (["info", "plain.h5"], [], None),
    "info_anndata": (["info", "new.h5ad", "--label", "good"], [], None),
    "info_mat4": (["info", "v4_sparse.mat"], [], None),
    "info_mat5": (["info", "v5_cell.mat"], [], None),
    "info_mat73": (["info", "v73_sparse.mat"], [], None),
    "info_zip": (["info", "z.zip"], [], None),
    "info_model": (["info", "m.json"], [], None),
    "convert_csv": (["convert", "d.svm", "out.csv"], ["out.csv"], None),
    "convert_svm": (["convert", "g.csv", "out.svm"], ["out.svm"], None),
    "convert_xz": (["convert", "g.csv", "out.svm.xz"], ["out.svm.xz"], None),
    "convert_gz": (["convert", "d.svm", "out.tsv.gz"], ["out.tsv.gz"], None),
    "convert_mtx": (["convert", "d.svm", "out.mtx"], ["out.mtx"], None),
    "convert_npy": (["convert", "d.svm", "out.npy"], ["out.npy"], None),
    "convert_npz": (["convert", "d.svm", "out.npz"], ["out.npz"], None),
    "convert_tam": (["convert", "g.csv", "out.tam"], ["out.tam"], None),
    "convert_stdout": (["convert", "g.csv", "-", "--to", "csv"], [], None),
    "fit": (["fit", "d.svm", "--method", "lasso", "--lambda-ratio", "0.2", "--model", "out.json",
             "--trace", "out.csv"], ["out.json", "out.csv"], None),
    "fit_store": (["fit", "d.svm", "--method", "l1logistic", "--lambda-ratio", "0.2", "--store",
                   "s.db", "--note", "a", "--tags", "b,c", "--json"], [], "s.db"),
    "fit_new_store": (["fit", "d.svm", "--method", "lasso", "--lambda-ratio", "0.2", "--store",
                       "new.db"], [], "new.db"),
    "fit_tam": (["fit", "g.tam", "--method", "lasso", "--lambda-ratio", "0.2", "--jobs", "2"], [],
                None),
    "path": (["fit", "g.csv", "--method", "lasso", "--lambdas", "4", "--model", "out.json"],
             ["out.json"], None),
    "path_classes": (["fit", "d.svm", "--method", "l1svm", "--lambdas", "4"], [], None),
    "fit_groups": (["fit", "g.csv", "--method", "grouplasso", "--groups", "groups.txt",
                    "--lambda-ratio", "0.3"], [], None),
    "fit_graph": (["fit", "g.csv", "--method", "genlasso", "--graph", "chain.txt",
                   "--lambda-ratio", "0.3"], [], None),
    "fit_svm": (["fit", "d.svm", "--method", "svm", "--C", "1"], [], None),
    "fit_fgm": (["fit", "d.svm", "--method", "fgm", "--B", "2", "--C", "1"], [], None),
    "fit_multi": (["fit", "d.svm", "--method", "fsmulti", "--C", "1"], [], None),
    "fit_hsic": (["fit", "few.svm", "--method", "hsiclasso", "--lambda-ratio", "0.3"], [], None),
    "fit_chain": (["fit", "g.csv", "--method", "genlasso", "--graph", "chain", "--lambda-ratio",
                   "0.3"], [], None),
    "fit_trend": (["fit", "g.csv", "--method", "genlasso", "--graph", "trend:1", "--lambda-ratio",
                   "0.3"], [], None),
    "fit_rows": (["fit", "g.csv", "--method", "genlasso", "--graph", "rows:terms.mtx",
                  "--lambda-ratio", "0.3"], [], None),
    "fit_image": (["fit", "g.csv", "--method", "genlasso", "--graph", "grid:2x3", "--lambda-ratio",
                   "0.3"], [], None),
    "fit_kernel": (["fit", "d.svm", "--method", "svm", "--kernel", "rbf", "--C", "1", "--model",
                    "out.json"], ["out.json"], None),
    "fit_chosen": (["fit", "few.svm", "--method", "hsiclasso", "--lambda-ratio", "0.3", "--refit",
                    "svm", "--model", "out.json"], ["out.json"], None),
    "fit_sums": (["fit", "few.svm", "--method", "kernelfs", "--graph", "chain", "--lambda-ratio",
                  "0.5", "--model", "out.json"], ["out.json"], None),
    "fit_sdca": (["fit", "d.svm", "--method", "sdca", "--lambda-ratio", "0.3"], [], None),
    "fit_mslr": (["fit", "d.svm", "--method", "mslr", "--B", "2"], [], None),
    "fit_ufomkl": (["fit", "d.svm", "--method", "ufomkl"], [], None),
    "fit_gomp": (["fit", "d.svm", "--method", "gomp", "--features", "2"], [], None),
    "fit_rfe": (["fit", "d.svm", "--method", "rfe", "--features", "2"], [], None),
    "fit_reweighted": (["fit", "d.svm", "--method", "reweighted", "--lambda-ratio", "0.3"], [],
                       None),
    "fit_bmrm": (["fit", "d.svm", "--method", "bmrm", "--C", "1"], [], None),
    "fit_classes": (["fit", "classes.csv", "--method", "l1logistic", "--lambda-ratio", "0.3",
                     "--one-vs-rest"], [], None),
    "fit_bags": (["fit", "bags.csv", "--method", "l1logistic", "--lambda-ratio", "0.3", "--bags",
                  "bag", "--bags-sigma", "1", "--model", "out.json"], ["out.json"], None),
    "fit_ridge": (["fit", "g.csv", "--method", "ridge", "--C", "1"], [], None),
    "fit_holdout": (["fit", "d.svm", "--method", "l1svm", "--lambda-ratio", "0.3", "--holdout",
                     "0.25"], [], None),
    "predict": (["predict", "m.json", "d.svm", "--out", "out.csv"], ["out.csv"], None),
    "predict_kernel": (["predict", "k.json", "d.svm", "--out", "out.csv"], ["out.csv"], None),
    "predict_probability": (["predict", "m.json", "d.svm", "--as", "probability"], [], None),
    "predict_calibrated": (["predict", "k.json", "d.svm", "--as", "probability", "--calibrate",
                            "d.svm"], [], None),
    "predict_stdout": (["predict", "m.json", "d.svm", "--as", "class"], [], None),
    "eval": (["eval", "return 1 + 1, 'a', {1, 2}"], [], None),
    "run": (["run", "script.lua"], ["out.json"], None),
    "run_sweep": (["run", "sweep.lua", "--store", "s.db", "--jobs", "2"], [], "s.db"),
    "run_picture": (["run", "picture.lua"], ["out.svg", "out.png", "out.csv", "out.pdf"], None),
    "runs": (["runs", "list", "--store", "s.db"], [], "s.db"),
    "runs_show": (["runs", "show", "1", "--store", "s.db"], [], "s.db"),
    "runs_compare": (["runs", "compare", "1", "1", "--store", "s.db"], [], "s.db"),
    "runs_compare_json": (["runs", "compare", "1", "1", "--json", "--store", "s.db"], [], "s.db"),
    "runs_sweeps": (["runs", "sweeps", "--json", "--store", "s.db"], [], "s.db"),
    "runs_show_sweep": (["runs", "show", "s1", "--store", "s.db"], [], "s.db"),
    "runs_sweep_json": (["runs", "show", "s1", "--json", "--store", "s.db"], [], "s.db"),
    "runs_export": (["runs", "export", "1", "--store", "s.db", "--json"], [], "s.db"),
    "runs_model": (["runs", "export", "1", "--store", "s.db", "--model", "out.json"], ["out.json"],
                   "s.db"),
    "runs_merge": (["runs", "merge", "s2.db", "--store", "s.db"], [], "s.db"),
    "runs_tag": (["runs", "tag", "1", "x", "--store", "s.db"], [], "s.db"),
    "runs_prune": (["runs", "prune", "--older-than", "0", "--yes", "--store", "s.db"], [], "s.db"),
    "runs_vacuum": (["runs", "vacuum", "--store", "s.db"], [], "s.db"),
    "report": (["report", "s1", "--store", "s.db", "--out", "out.html"], ["out.html"], "s.db"),
    "dump_view": (["d.svm", "--dump-view", "data"], [], None),
    "learn": (["learn"], [], None),
}


class Fault:
    """One place where a command is made to fail."""

    def __init__(self, command, at):
        self.command, self.at = command, at

    def __str__(self):
        return f"{self.command} {self.at}"


def run(command, folder, **variables):
    process = tamis_cli.start(*COMMANDS[command][0], cwd=folder, env=tamis_cli.environment(
        LC_ALL="C", LD_PRELOAD=str(SHIM), **variables))
    try:
        out, err = process.communicate(timeout=tamis_cli.TIMEOUT / 8)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, b"", "no end"
    return process.returncode, out, err.decode("utf-8", "replace")


def rows(path):
    """What a store holds, but for times; an error when it is not whole."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise sqlite3.DatabaseError("the integrity check fails")
        names = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"
                                              " AND name NOT LIKE 'sqlite%' ORDER BY 1")]
        found = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
        found["status"] = db.execute("SELECT status, count(*) FROM runs GROUP BY 1").fetchall() \
            if names else []
        return found


class Commands:
    """A folder with the data that all commands read, and what each does without a fault."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.template = self.folder / "template"
        self.template.mkdir()
        self.good = {}
        self.number = 0
        self.make()

    def make(self):
        def tamis(*words):
            done = tamis_cli.tamis(*words, cwd=self.template)
            if done.returncode:
                raise AssertionError(done.stderr)

        write = {"make.lua": MAKE, "script.lua": SCRIPT, "sweep.lua": SWEEP,
                 "picture.lua": PICTURE, "groups.txt": "1 2 3\n4 5\n6\n",
                 "terms.mtx": ("%%MatrixMarket matrix coordinate real general\n3 6 8\n"
                               "1 1 1\n1 2 1\n1 3 -2\n2 2 1\n2 4 -1\n3 4 1\n3 5 1\n3 6 -2\n"),
                 "chain.txt": "".join(f"{k} {k + 1}\n" for k in range(1, 6)),
                 "a.arff": "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute"
                           " y numeric\n@data\n1,x,1\n2,'y z',2\n4,x,3\n",
                 "classes.csv": "a,b,y\n" + "".join(
                     f"{i % 5},{i * i % 7},{'uvw'[i % 3]}\n" for i in range(18)),
                 "bags.csv": "y,bag,a,b\n" + "".join(
                     f"{i // 2 % 2},{i // 2},{i % 5},{i * i % 7}\n" for i in range(12)),
                 "t.csv": "a,b,y\n1,red,1\n,blue,2\n3,red,3\n5,green,1\n"}
        for name, text in write.items():
            (self.template / name).write_text(text)
        (self.template / "l.csv").write_bytes("a,é,y\n1,ä,1\n2,ö,2\n".encode("latin1"))
        (self.template / "p.bed").write_bytes(b"\x6c\x1b\x01" + bytes([0b11100010, 0b00000011]) * 3)
        (self.template / "p.bim").write_text("".join(f"1 s{k} 0 {k} A G\n" for k in range(3)))
        (self.template / "p.fam").write_text("".join(f"f i{k} 0 0 1 {k}\n" for k in range(5)))
        for name in ("table.dta", "table.sav", "table.xpt", "plain.h5", "new.h5ad",
                     "mat/v4_sparse.mat", "mat/v5_cell.mat", "mat/v73_sparse.mat"):
            shutil.copy(tamis_cli.ROOT / "tests/data" / name, self.template)
        with zipfile.ZipFile(self.template / "z.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inside/t.csv", "a,b,y\n1,2,3\n2,3,5\n4,4,6\n")
        tamis("run", "make.lua")
        tamis("fit", "d.svm", "--method", "l1logistic", "--lambda-ratio", "0.2", "--model",
              "m.json", "--store", "s.db", "--trace", "m.csv")
        tamis("fit", "d.svm", "--method", "svm", "--kernel", "rbf", "--model", "k.json")
        tamis("run", "sweep.lua", "--store", "s.db")
        tamis("fit", "few.svm", "--method", "lasso", "--lambda-ratio", "0.2", "--store", "s2.db")

    def fresh(self, command):
        """A folder for one run, with older files in place of those that it will write."""
        self.number += 1
        folder = self.folder / f"{command}-{self.number}"
        shutil.copytree(self.template, folder)
        for name in COMMANDS[command][1]:
            (folder / name).write_bytes(OLD)
        return folder

    def places(self, command):
        """The places of a command: {kind: [(place, calls)]}."""
        folder = self.fresh(command)
        status, out, err = run(command, folder, TAMIS_FAULT_LIST=str(folder / "places"))
        if status != 0:
            raise AssertionError(f"{command} fails without a fault: {status} {err}")
        found = {kind: {} for kind in KINDS}
        for line in (folder / "places").read_text().splitlines():
            kind, place, calls = line.split()  # some in both of two processes
            found[kind][place] = found[kind].get(place, 0) + int(calls)
        found = {kind: list(places.items()) for kind, places in found.items()}
        (folder / "places").unlink()
        store = COMMANDS[command][2]
        self.good[command] = (out, {name: (folder / name).read_bytes()
                                    for name in COMMANDS[command][1]},
                              sorted(os.listdir(folder)), rows(folder / store) if store else None)
        shutil.rmtree(folder)
        return found

    def wrong(self, fault):
        """Runs a command with a fault: (what is wrong or None, the message)."""
        folder = self.fresh(fault.command)
        store = COMMANDS[fault.command][2]
        before = rows(folder / store) if store and (folder / store).exists() else None
        note = self.folder / (folder.name + ".note")
        status, out, err = run(fault.command, folder, TAMIS_FAULT_AT=fault.at,
                               TAMIS_FAULT_NOTE=str(note))
        found = self.judge(fault, folder, status, out, err, before)
        if found and note.exists():
            where = stack(note)
            found = None if goes_on(found, where) else found + "\n" + where
        note.unlink(missing_ok=True)
        shutil.rmtree(folder)
        return found, err

    def judge(self, fault, folder, status, out, err, before):
        good_out, good_files, good_list, good_rows = self.good[fault.command]
        if status is None:
            return "no end"
        if status < 0 or "Sanitizer" in err or ": runtime error: " in err:
            return f"status {status}: {err[:3000]}"
        if status and (not err.startswith("tamis") or NOTHING.search(err)):
            return f"status {status} with the message {err!r}"
        if status == 0 and not same(out, good_out) and fault.command not in UNSTEADY:
            return f"status 0 with other output: {out[:400]!r} {err[:400]!r}"
        for name, content in good_files.items():
            now = (folder / name).read_bytes() if (folder / name).exists() else None
            if not same(now, content) and (status == 0 or now != OLD):
                return f"status {status} {err!r}: {name} is neither old nor complete: {now!r:.200}"
        store = COMMANDS[fault.command][2]
        extra = set(os.listdir(folder)) - set(good_list)
        # A store that cannot be deleted or synchronised may leave its journal.
        extra = {name for name in extra if ".db-" not in name}
        if extra:
            return f"status {status} {err!r}: left behind {sorted(extra)}"
        if not store or not (folder / store).exists():
            return None
        try:
            now = rows(folder / store)
        except sqlite3.DatabaseError as reason:
            return f"status {status} {err!r}: the store is broken: {reason}"
        if status == 0 and now != good_rows:
            return f"status 0 {err!r}: the store has {now} in place of {good_rows}"
        if before and now != good_rows and any(now.get(table, 0) < before[table]
                                               for table in before if table != "status"):
            return f"status {status}: rows are lost: {now} of {before}"
        return None


def goes_on(found, where):
    """Whether a solver did without what it had no memory for, and still answers."""
    return found.startswith("status 0 with other output") and "converged" in found and \
        any(f" {name} " in where for name in FALLBACKS)


def same(one, other):
    """The same bytes, but for times and the last digits of numbers: without memory jansson's
    conversion of decimals is off by them."""
    if one is None:
        return False
    texts = [NUMBER.split(timeless(content)) for content in (one, other)]
    return texts[0][::2] == texts[1][::2] and all(
        math.isclose(float(a), float(b), rel_tol=1e-9)
        for a, b in zip(texts[0][1::2], texts[1][1::2]))


def timeless(content):
    for pattern, put in ((rb"/CreationDate \([^)]*\)", b""),
                         (rb"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?", b""),
                         (rb"^([a-z]+,\d+),[^,]*", rb"\1"),  # the seconds of a trace
                         (rb"[\d.]+(e-\d+)? ([kM]B( read in place from the file)?|ms|s|us)\b", b""),
                         (rb"\b0\.0\d+|\b\d+(\.\d+)?e-\d+", b""),  # and of any step
                         (rb"[ -]+", b" ")):  # columns as wide as what stands in them
        content = re.sub(pattern, put, content, flags=re.MULTILINE)
    return content


def stack(note):
    """The call that failed and the functions above it, those of the program by name."""
    first, *frames = note.read_text().splitlines()
    shown = []
    for frame in frames:
        name, address = frame.rsplit(" ", 1)
        binary = tamis_cli.BIN if name == "program" else name
        # A return address: the call is before it.
        found = subprocess.run(["addr2line", "-e", binary, "-f", "-s", hex(int(address, 16) - 1)],
                               capture_output=True, text=True).stdout.split("\n")[0]
        shown.append(found if name == "program" else pathlib.Path(name).name.split(".")[0])
    return "    " + first + " in " + " < ".join(shown)


def every_fault(command, places, on=True):
    """All faults of a command: each place fails once, or from then on."""
    for kind in KINDS:
        for place, _ in places[kind]:
            yield Fault(command, f"{kind}:{place}")
            if on:
                yield Fault(command, f"{kind}:{place}+")


def try_all(faults, commands, jobs=2):
    """Runs all faults; yields (fault, what is wrong or None, message) as they end."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        running = {pool.submit(commands.wrong, fault): fault for fault in faults}
        for done in concurrent.futures.as_completed(running):
            yield (running[done], *done.result())
