"""How long a script goes on after a signal, by what it is doing, and whether a sweep that is cut
off at random moments has the table of one that is left alone; parts of scripts/bench."""
import pathlib
import random
import signal
import statistics
import subprocess
import tempfile
import time

DATA = "local d = tm.synth('fgm', {n=2000, p=20000, k=30, seed=1}) "
LIST = "local t = {} for i = 1, 2e6 do t[i] = math.random() end "
FIGURE = "local x = {} for i = 1, 1e6 do x[i] = i end local p = tm.plot{series={{x=x, y=x}}} "
# What it took before the flag was looked at inside, ms, where that was measured.
BEFORE = {"one `filter` by auc of 20,000 columns": "13000", "plotting 1,000,000 points": "211"}
# What it is called, what comes before it, the loop.
WORK = [
    ("an empty loop", "", "while true do end"),
    ("one `filter` by auc of 20,000 columns", DATA, "d:filter{by='auc'} d:filter{by='auc'}"),
    ("`filter` by t again and again", DATA, "while true do d:filter{by='t'} end"),
    (
        "a solve that is waited for",
        DATA,
        "tm.l1logistic(d, {lambda_ratio=1e-4, tol=1e-15, screen='none'}):wait()",
    ),
    ("`table.sort` of 2,000,000 numbers", LIST, "while true do table.sort(t) end"),
    ("plotting 1,000,000 points", FIGURE, "while true do tostring(p) end"),
    ("`os.execute`", "", "os.execute('sleep 60')"),
    ("`string.find` without end", "", "string.find(string.rep('a', 400), '.-.-.-.-.-.-.-.-.-.-b')"),
]


def seconds(bench, before, loop):
    process = subprocess.Popen(
        [bench.TAMIS, "eval", f"{before} print('go') {loop}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    time.sleep(0.3)
    begin = time.perf_counter()
    process.send_signal(signal.SIGTERM)
    process.stderr.readline()
    taken = time.perf_counter() - begin
    status = process.wait()
    if status != 128 + signal.SIGTERM:
        raise SystemExit(f"bench: {loop} ended with {status}")
    return taken


def interrupts(bench, repeats, quick):
    rows = []
    for name, before, loop in WORK:
        times = [seconds(bench, before, loop) for _ in range(1 if quick else repeats)]
        rows.append([name, f"{1e3 * statistics.median(times):.0f}", f"{1e3 * max(times):.0f}",
                     BEFORE.get(name, "")])
    return [
        "## Interrupts",
        "",
        "The time from SIGTERM to the message that it was interrupted, before memory is freed; "
        "the last call is abandoned after 2 seconds. An interrupted run is never a result: "
        "a sweep that is cancelled at random "
        "moments and resumed has the",
        "table of one that was left alone, to the bit (`tests/cli/test_sweeps.py`); before, 27 of "
        "3,200 cells differed at",
        "a tolerance of 1e-2, and 2 of 12,000 at 1e-6.",
        "",
    ] + bench.table(["the script is in", "median, ms", "longest, ms", "longest before"], rows)


# The kind of tasks, the tolerance, how many cells differed before what was cut off was dropped.
CUT = [("runs", 1e-2, "27 of 3,200"), ("runs", 1e-6, "2 of 12,000"), ("paths", 1e-2, ""),
       ("chains", 1e-2, ""), ("functions", 1e-2, "")]
CANCELS = 4  # of one script
WAYS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "`s:cancel()`": None}


def default_signals():
    """A shell's background jobs ignore SIGINT, and so would what they start."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def swept(bench, kind, tol, store=None, cancels=(0, 0, 0)):
    """The sweep's process."""
    recorded = ["--store", store] if store else []
    return subprocess.Popen(
        [str(word) for word in [bench.TAMIS, "run", "--jobs", 2, *recorded,
                                "tests/bench/cut_off.lua", kind, tol, *cancels]],
        cwd=bench.ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        preexec_fn=default_signals, text=True)


def cut_once(bench, dice, spec, number):
    """Starts the sweep on its store and ends it at a random moment; what it printed, or None."""
    kind, tol, store, mean = spec
    if number is None:
        process = swept(bench, kind, tol, store, (CANCELS, f"{mean:.6f}", dice.randrange(1 << 30)))
        text = process.communicate()[0]
        return text if process.returncode == 0 else None
    process = swept(bench, kind, tol, store)
    time.sleep(2 * mean * dice.random())
    process.send_signal(number)
    text = process.communicate()[0]
    return text if process.returncode == 0 else None


def differing(bench, dice, kind, tol, times):
    """How often the sweep was cut off in each way, its cells, and how many of all compared ones
    are not those of a sweep that was left alone."""
    begin = time.perf_counter()
    whole = swept(bench, kind, tol).communicate()[0].splitlines()
    mean = 0.05 + (time.perf_counter() - begin) / 12
    cuts, compared, found = dict.fromkeys(WAYS, 0), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(folder) / "cut.db"
        while min(cuts.values()) < times:
            way = min(cuts, key=cuts.get)
            text = cut_once(bench, dice, (kind, tol, store, mean), WAYS[way])
            cuts[way] += CANCELS if WAYS[way] is None else text is None
            if text is None:
                continue
            compared += len(whole)
            found += sum(a != b for a, b in zip(whole, text.splitlines(), strict=True))
            store.unlink()
        text = swept(bench, kind, tol, store).communicate()[0]
        compared += len(whole)
        found += sum(a != b for a, b in zip(whole, text.splitlines(), strict=True))
    return cuts, len(whole), compared, found


def cut_off(bench, repeats, quick):
    rows, dice = [], random.Random(repeats)
    for kind, tol, before in CUT[2:] if quick else CUT:
        cuts, cells, compared, found = differing(bench, dice, kind, tol, 10 if quick else 100)
        rows.append([kind, f"{tol:g}", f"{cells:,}", *cuts.values(), f"{compared // cells}",
                     f"{found:,} of {compared:,}", before])
    return [
        "### Sweeps that are cut off",
        "",
        "Sweeps that end by a signal or a cancellation at random moments and go on from the store, "
        "again and",
        "again: lines of their tables (each cell in all digits) that are not those of a sweep that "
        "was left",
        "alone. `runs` are tasks of one solve each, `paths` chains along lambda, `chains` along C "
        "with features",
        "chosen in nested folds and predictions kept, `functions` have rows prepared and scored by "
        "Lua. Before:",
        "in the sweeps that showed that what was cut off could count as converged.",
        "",
    ] + bench.table(["tasks", "tol", "lines", *WAYS, "tables", "lines that differ", "before"], rows)


PARTS = {"interrupts": interrupts, "cut_off": cut_off}
