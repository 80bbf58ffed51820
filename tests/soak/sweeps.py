"""Random sweeps under many threads: interrupted, killed, resumed, two at once on one store. What
they find is that of an uninterrupted sweep on one thread, to the bit."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 600  # seconds that pass for a hang, on an idle machine
# A method with values of one or two of its parameters.
METHODS = {
    "lasso": {"lambda_ratio": [0.5, 0.2, 0.1, 0.05], "screen": ["none", "gap", "ws"]},
    "l1logistic": {"lambda_ratio": [0.5, 0.2, 0.1], "alpha": [1, 0.7, 0.3]},
    "l1svm": {"lambda_ratio": [0.5, 0.2, 0.1], "screen": ["auto", "ws"]},
    "fgm": {"B": [2, 4], "C": [0.5, 1]},
    "ridge": {"C": [0.1, 1, 10]},
    "svm": {"C": [0.5, 1]},
    "sdca": {"lambda_ratio": [0.5, 0.3]},
    "grouplasso": {"lambda_ratio": [0.5, 0.2], "groups": [2, 3]},
    "gomp": {"features": [2, 3]},
    "svmperf": {"C": [0.5, 1]},
    "rfe": {"features": [2, 4]},
}
# What a run takes, and what was found before, differ from run to run.
VARIABLE = {"seconds"}


def lua(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"[{lua(k)}]={lua(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(lua, value)) + "}"
    return json.dumps(value)


def sweep(chance):
    """The text of a script with one or two random sweeps at once."""
    parts = []
    for k in range(chance.choice([1, 1, 2])):
        method = chance.choice(sorted(METHODS))
        grid = {name: chance.sample(values, chance.randint(1, len(values)))
                for name, values in METHODS[method].items()}
        kind = chance.choice(["saif", "corral"]) if method in ("lasso", "ridge") else "corral"
        spec = {"method": method, "grid": grid, "name": f"s{k}", "seed": chance.randint(1, 9),
                "metric": ["r2"] if kind == "saif" else ["accuracy", "auc"]}
        if chance.random() < 0.3 and "lambda_ratio" in grid:
            del grid["lambda_ratio"]
            spec["lambdas"] = chance.randint(2, 6)
        if not grid:
            del spec["grid"]
        folds = chance.choice([2, 3, 5, {"bootstrap": 4}, {"subsamples": 4, "share": 0.6}])
        spec["folds"] = folds
        if isinstance(folds, int):
            spec["repeats"] = chance.randint(1, 3)
        if chance.random() < 0.3:
            spec["scale"] = chance.choice(["standard", "maxabs"])
        if chance.random() < 0.2:
            spec.update(filter="variance", keep=5)
        made = (f"tm.synth('{kind}', {{n={chance.randint(20, 60)}, p={chance.randint(6, 60)}, "
                f"seed=1}})")
        parts.append(f"local spec = {lua(spec)}\nspec.data = {made}\n"
                     f"all[#all + 1] = tm.sweep(spec)")
    return "local all = {}\n" + "\n".join("do " + part + " end" for part in parts) + \
        "\nfor k, s in ipairs(all) do s:wait() s.table:save('table-' .. k .. '.json')\n" \
        "s.cells:save('cells-' .. k .. '.json') end\n"


class Round:
    """One random script, run in several ways."""

    def __init__(self, number, program, slowness):
        self.chance = random.Random(number)
        self.program, self.limit = str(program), LIMIT * slowness
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tamis-sweeps-"))
        self.script = self.home / "sweep.lua"
        self.script.write_text(sweep(self.chance))
        self.runs = 0

    def start(self, name, jobs, store):
        folder = self.home / name
        folder.mkdir(exist_ok=True)
        words = [self.program, "run", "--quiet", "--jobs", str(jobs)]
        if store:
            words += ["--store", str(self.home / store)]
        self.runs += 1
        environment = dict(os.environ, HOME=str(self.home), OPENBLAS_NUM_THREADS="1",
                           TSAN_OPTIONS=f"log_path={self.home}/tsan:second_deadlock_stack=1",
                           XDG_STATE_HOME=str(self.home / "state"))
        with open(folder / "output", "a") as out:
            return subprocess.Popen([*words, str(self.script)], cwd=folder, env=environment,
                                    stdout=out, stderr=subprocess.STDOUT)

    def whole(self, name, jobs, store=None):
        """Runs to the end: what the sweeps found."""
        return self.result(name, self.start(name, jobs, store))

    def result(self, name, process):
        try:
            status = process.wait(self.limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"{name}: no end"
        text = (self.home / name / "output").read_text(errors="replace")
        if status != 0:
            return f"{name}: ended with status {status}\n{text}"
        found = []
        for path in sorted((self.home / name).glob("*.json")):
            rows = json.loads(path.read_text())
            found.append([path.name, [{k: v for k, v in row.items() if k not in VARIABLE}
                                      for row in rows]])
        return found

    def broken(self, store):
        """Begins, and is stopped somewhere; says what is wrong with its end."""
        process = self.start("broken", self.chance.randint(2, 6), store)
        number = self.chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        time.sleep(self.chance.uniform(0.05, 4))
        if process.poll() is None:
            process.send_signal(number)
        try:
            status = process.wait(self.limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"no end after signal {number}"
        fine = (0, -number, 128 + number, 130, 1)
        return "" if status in fine else f"ended with status {status} after signal {number}"

    def play(self):
        """What is wrong; empty: nothing."""
        expected = self.whole("alone", 1)
        if isinstance(expected, str):
            return expected
        found = {"many": self.whole("many", self.chance.randint(2, 8))}
        for _ in range(self.chance.randint(1, 3)):
            wrong = self.broken("a.db")
            if wrong:
                return wrong
        found["resumed"] = self.whole("resumed", self.chance.randint(1, 8), "a.db")
        both = [(name, self.start(name, self.chance.randint(1, 4), "b.db"))
                for name in ("first", "second")]
        for name, process in both:
            found[name] = self.result(name, process)
        reports = "".join(path.read_text(errors="replace") for path in self.home.glob("tsan*"))
        if reports:
            return "the sanitizer reports:\n" + reports
        for name, what in found.items():
            if isinstance(what, str):
                return what
            if what != expected:
                return f"{name} differs from alone:\n{expected}\n{what}"
        return ""


def soak(minutes, program, first, keep, slowness):
    """Rounds for so long, from this number on: a dictionary of counts, and of what was found."""
    total, wrong, number = {"rounds": 0, "runs": 0}, [], first
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        one = Round(number, program, slowness())
        found = one.play()
        if found:
            keep.mkdir(parents=True, exist_ok=True)
            path = keep / f"sweeps-{number}.txt"
            path.write_text(found + "\n" + one.script.read_text())
            print(f"round {number}: {found.splitlines()[0]}, see {path}", flush=True)
            wrong.append(number)
        shutil.rmtree(one.home, ignore_errors=True)
        total["rounds"] += 1
        total["runs"] += one.runs
        number += 1
    return total, wrong
