"""How long a script goes on after a signal, by what it is doing; a part of scripts/bench."""
import signal
import statistics
import subprocess
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
        "From SIGTERM to the word that it was interrupted, before memory is given back; the last "
        "call is left behind after",
        "2 seconds. What was cut off is never a result: a sweep that is cancelled at random "
        "moments and resumed has the",
        "table of one that was left alone, to the bit (`tests/cli/test_sweeps.py`); before, 27 of "
        "3,200 cells differed at",
        "a tolerance of 1e-2, and 2 of 12,000 at 1e-6.",
        "",
    ] + bench.table(["the script is in", "median, ms", "longest, ms", "longest before"], rows)


PARTS = {"interrupts": interrupts}
