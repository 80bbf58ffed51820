"""The part of scripts/bench that varies each tuning constant and counts the work.

Each part is a function of (bench, repeats, quick) that returns lines of Markdown; `bench` is
scripts/bench itself. A constant of a tuning.h is changed in a copy of that header, the sources that
use it are compiled with the copy in front of the original, and a program is linked from them and
the library: no code knows of it. The problems are those of tuning.lua.
"""
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# The families of problems in tuning.lua that exercise a header.
ALL = "l1 group ridge fgm multi structure samples free tall kernel"
FAMILIES = {"screen": "l1", "solve/l1/core": "l1 free", "solve/l1/gram": "l1 free",
            "solve/l1/tall": "tall", "solve/gram": "l1",
            "solve/kernel": "kernel", "solve/group": "group", "solve/ridge": "ridge",
            "solve/fgm": "fgm", "solve/multi": "multi",
            "solve/structure": "structure", "solve/structure/flow": "structure",
            "solve/samples": "samples", "solve/common": ALL,
            "solve": "l1 group tall", "model/loss": "l1 group ridge fgm", "model/kernel": "samples",
            "data/matrix": ALL,
            "model/certificate": ALL, "model/penalty": "free structure", "model/metric": "multi"}
SCRIPT = "tests/bench/tuning.lua"
MOVES = 0.02  # what counts as a change of the work

LONGEST = 60  # seconds of one program: a variant that never ends is found, too

Constant = collections.namedtuple("Constant", "header room name value whole span")


def constants(root):
    for header in sorted(root.glob("src/**/tuning.h")):
        if str(header.parent.relative_to(root / "src")) not in FAMILIES:
            continue  # of searches, which scripts/bench search compares
        text = header.read_text()
        code = re.sub(r"/\*.*?\*/", lambda m: " " * len(m[0]), text, flags=re.S)
        for match in re.finditer(r"\b([A-Z][A-Z0-9_]+) = ([^,;}]*[^,;}\s])", code):
            before = code[:match.start()]
            whole = max(before.rfind("enum"), before.rfind("size_t")) > before.rfind("double")
            yield Constant(header, str(header.parent.relative_to(root / "src")), match[1],
                           match[2], whole, match.span(2))


def variants(constant):
    """$TAMIS_VALUES, or half and double; of a share no more than halfway to 1, of a factor what is
    above 1."""
    if os.environ.get("TAMIS_VALUES"):
        return os.environ["TAMIS_VALUES"].split(",")
    names = {"DBL_EPSILON": sys.float_info.epsilon}
    value = eval(constant.value.replace("(size_t)", ""), names)  # pylint: disable=eval-used
    if constant.whole:
        return [str(max(value // 2, 1)), str(2 * value)]
    if 1 < value < 10:
        return [repr(1 + (value - 1) / 2), repr(1 + (value - 1) * 2)]
    if value < 1e-3:
        return [repr(value / 10), repr(value * 10)]
    return [repr(value / 2), repr(min(2 * value, (1 + value) / 2) if value < 1 else 2 * value)]


class Build:
    """Links programs with one constant changed, from what ninja has built."""

    def __init__(self, root, folder):
        self.root, self.build, self.folder = root, root / "build", folder
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.commands = {item["output"]: item["command"] for item in commands}
        self.link = self.ninja("-t", "commands", "src/cli/tamis").splitlines()[-1]
        self.dependent = {}
        for block in self.ninja("-t", "deps").split("\n\n"):
            target, _, rest = block.partition(":")
            self.dependent[target] = {(self.build / word).resolve()
                                      for word in rest.split("\n")[1:] for word in [word.strip()]
                                      if word.startswith("../src")}

    def ninja(self, *args):
        return subprocess.run(["ninja", "-C", self.build, *args], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def objects(self, constant):
        """The objects of the library that are compiled from the constant."""
        word = re.compile(rf"\b{constant.name}\b")
        for target, files in self.dependent.items():
            if target.startswith("src/libtamis.a.p/") and constant.header in files and \
                    any(word.search(file.read_text()) for file in files - {constant.header}):
                yield target

    def program(self, constant, value):
        """A program in which the constant has another value, or None where nothing uses it."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        copy = folder / constant.room / "tuning.h"
        copy.parent.mkdir(parents=True)
        text, (start, end) = constant.header.read_text(), constant.span
        copy.write_text(text[:start] + value + text[end:])
        made = []
        for target in self.objects(constant):
            words = shlex.split(self.commands[target])
            words[words.index("-o") + 1] = str(folder / pathlib.Path(target).name)
            for option in "-MQ", "-MF":
                at = words.index(option)
                del words[at:at + 2]
            words.remove("-MD")
            compiler = next(i for i, word in enumerate(words) if word.startswith("-"))
            words[compiler:compiler] = ["-iquote", str(folder)]
            subprocess.run(words, cwd=self.build, check=True)
            made.append(str(folder / pathlib.Path(target).name))
        if not made:
            return None
        words = shlex.split(self.link)
        words[words.index("-o") + 1] = str(folder / "tamis")
        words[words.index("-Wl,--start-group"):0] = []
        at = words.index("-Wl,--start-group")
        subprocess.run(words[:at] + made + words[at:], cwd=self.build, check=True)
        return folder / "tamis"


class Counter:
    """Work of a program on the problems of a family."""

    def __init__(self, root, original):
        self.root, self.original = root, original
        self.environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OPENBLAS_CORETYPE="Haswell")
        self.known = {}
        self.before = {}

    def run(self, *command):
        try:
            return subprocess.run([str(word) for word in command], cwd=self.root, text=True,
                                  env=self.environment, stdin=subprocess.DEVNULL, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=LONGEST)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(command, 1, (late.stdout or b"").decode(), "")

    def counts(self, program, families):
        """{problem: (columns, updates)}; what did not converge as before is told by its status."""
        found = {}
        for family in families.split():
            done = self.run(program, "run", "--jobs", "1", SCRIPT, family, "all")
            found.update((f"{family} {row[0]}", (int(row[1]), int(row[2]), row[3]))
                         for row in map(str.split, done.stdout.splitlines()))
        return found

    def original_counts(self, families):
        for family in families.split():
            if family not in self.before:
                self.before[family] = self.counts(self.original, family)
        return {name: count for family in families.split()
                for name, count in self.before[family].items()}

    def instructions(self, program, problem, *data):
        done = self.run("valgrind", "--tool=cachegrind", "--cache-sim=no",
                        "--cachegrind-out-file=/dev/null", program, "run", "--jobs", "1", SCRIPT,
                        *problem.split(), *data)
        return int(re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)[1].replace(",", ""))

    def base(self, problem):
        """(instructions of the unchanged program's solve, of making the data)."""
        if problem not in self.known:
            data = self.instructions(self.original, problem, "data")
            self.known[problem] = (self.instructions(self.original, problem) - data, data)
        return self.known[problem]

    def instructions_change(self, program, problem):
        solve, data = self.base(problem)
        return (self.instructions(program, problem) - data) / solve - 1


def greatest(changes):
    """The (change, problem) that is furthest from none."""
    return max(changes, key=lambda item: abs(item[0]), default=(0, "-"))


def mean_change(before, after):
    """Of columns and updates together: a problem of few updates changes by much without cost."""
    logs = [math.log(max(sum(after[name][:2]), 1) / max(sum(old[:2]), 1))
            for name, old in before.items() if name in after]
    return math.exp(sum(logs) / len(logs)) - 1 if logs else 0


def cell(change, problem):
    return f"{100 * change:+.1f} % ({problem})" if change else "none"


def measure(build, counter, constant, pool, quick):
    """The rows of one constant, one for each value."""
    families = FAMILIES[constant.room]
    before = counter.original_counts(families)
    for value in variants(constant):
        program = build.program(constant, value)
        row = [f"{constant.room}", f"`{constant.name}`", constant.value, value]
        if not program:
            yield row + ["not used", "", "", 0]
            continue
        after = counter.counts(program, families)
        failed = [name for name, old in before.items() if after.get(name, (0, 0, "ended"))[2] !=
                  old[2]]
        columns, updates = (greatest([(after[name][at] / max(old[at], 1) - 1, name)
                                      for name, old in before.items() if name in after])
                            for at in (0, 1))
        row += [cell(*columns), cell(*updates)]
        moved = max(abs(columns[0]), abs(updates[0])) > MOVES
        if failed:
            row.append("another end: " + ", ".join(failed))
        elif moved or quick:
            row.append("")
        else:
            changes = pool.map(lambda name, program=program: (
                counter.instructions_change(program, name), name), before)
            row.append(cell(*greatest(changes)))
        yield row + [mean_change(before, after)]


def tuning(bench, repeats, quick):
    """Counts are exact and repeatable: `repeats` is for parts that measure time."""
    del repeats
    if not quick and not shutil.which("valgrind"):
        sys.exit("bench: tuning counts instructions with valgrind, which is missing: "
                 "install valgrind, or give --quick to count columns and updates alone")
    wanted = re.compile(os.environ.get("TAMIS_TUNING", ""))
    rows = []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        build = Build(bench.ROOT, folder)
        counter = Counter(bench.ROOT, bench.TAMIS)
        for constant in constants(bench.ROOT):
            if wanted.search(f"{constant.room} {constant.name}"):
                for row in measure(build, counter, constant, pool, quick):
                    print(*row, sep=" | ", flush=True)
                    rows.append(row)
    return section(bench, rows)


def earlier_rows(bench, measured):
    """Rows of docs/benchmarks.md for constants that exist, have that value and were not measured
    now: $TAMIS_TUNING selects some."""
    standing = {(it.room, f"`{it.name}`", it.value) for it in constants(bench.ROOT)}
    for line in (bench.ROOT / "docs/benchmarks.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if len(cells) == 7 and tuple(cells[:3]) in standing and tuple(cells[:3]) not in measured:
            yield cells


def summary(row):
    """What a value changes, in one cell: the mean, and the most of columns and updates, else of
    instructions."""
    found = [(abs(float(change)), f"{kind} {change} %") for kind, cells in zip(
        ("columns", "updates", "instructions"), row[4:7])
             for change in re.findall(r"([+-][0-9.]+) %", cells)]
    told = row[6] if row[6].startswith("another end") else row[4] if row[4] == "not used" else ""
    return told or (f"{100 * row[7]:+.1f} %, {max(found)[1]}" if found else "nothing")


def section(bench, rows):
    by_constant = collections.defaultdict(list)
    for row in rows:
        by_constant[tuple(row[:3])] += [row[3], summary(row)]
    table = [[*key, *cells] for key, cells in by_constant.items()]
    place = {(it.room, f"`{it.name}`"): at for at, it in enumerate(constants(bench.ROOT))}
    table = sorted([*table, *earlier_rows(bench, by_constant)],
                   key=lambda row: place[tuple(row[:2])])
    return ["## Tuning constants", "",
            "Each constant of a `tuning.h` by itself at half and at twice its value (a share at",
            "most halfway to 1, of a factor what is above 1, below 0.001 by tens), on the family's",
            "problems in `tests/bench/tuning.lua`: the mean change of column products and updates",
            "together, and the greatest change of either in one problem (a problem of few updates",
            "changes by much at no cost), or, without --quick, where neither changes by more than",
            "2 %, of the instructions of the solve. Constants without effect here are limits",
            "that are reached only through rounding or by far larger problems, or trade time",
            "that is not counted.",
            ""] + bench.table(["room", "constant", "value", "tried", "moves", "tried", "moves"],
                              table)


PARTS = {"tuning": tuning}
