"""The part `serial` of scripts/bench: which share of a path's work one thread does while the others
wait, in instructions, which do not depend on how many cores the machine has.

callgrind counts the solver's thread apart from the others: once without what it does in shared
loops (base/threads/team.c, take_parts), once that of all threads alone. What is left is serial. It
has no AVX-512: the loops are those for AVX2. The part is a function of (bench, repeats, quick) that
returns lines of Markdown; `bench` is scripts/bench itself.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

THREADS = 4
LISTED = 8  # functions with the greatest shares
PROBLEMS = (("lasso", 100, 0.1), ("l1logistic", 20, 0.2), ("l1svm", 20, 0.2))
SCRIPT = """
local d = tm.load(arg[1])
local r = tm.path(d, arg[2], {lambdas = tonumber(arg[3]), lambda_min_ratio = tonumber(arg[4]),
                              threads = tonumber(arg[5])}):wait()
print(r.status)
"""
# A thread waits in these; how long depends on the others.
WAITING = re.compile(r"wait_for_others|look_for_change|pthread_|lll_lock")


def collected(bench, folder, toggles, words):
    """Instructions by function, of one dictionary for each thread that has any."""
    name = folder / "callgrind"
    command = ["valgrind", "--tool=callgrind", "--separate-threads=yes", "--collect-atstart=no",
               *(f"--toggle-collect={f}" for f in toggles), f"--callgrind-out-file={name}",
               str(bench.TAMIS), "run", str(folder / "path.lua"), *map(str, words)]
    done = subprocess.run(command, text=True, capture_output=True, check=True,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    if done.stdout.strip() != "converged":
        raise SystemExit(f"bench: {words}: {done.stdout}{done.stderr}")
    threads = []
    for file in folder.glob("callgrind-*"):
        found = collections.Counter()
        listing = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", file],
                                 text=True, capture_output=True, check=True).stdout
        for count, function in re.findall(r"^ *([\d,]+) \([ \d.]+%\)  \S*?:(\S+)", listing, re.M):
            known = re.sub(r"\.(avx2|default|constprop\.\d+|isra\.\d+)", "", function)
            known = "unnamed ones" if known.startswith("0x") else known
            found[known] += int(count.replace(",", ""))
        file.unlink()
        if found:
            threads.append(found)
    return threads


def measure(bench, folder, file, problem):
    """All instructions of the path, and the serial ones by function."""
    words = [file, *problem, THREADS]
    shared = sum(sum(thread.values())
                 for thread in collected(bench, folder, ["take_parts"], words))
    threads = collected(bench, folder, ["job_run", "take_parts"], words)
    # Of the other threads all is in shared loops.
    solver = max(threads, key=lambda found: found["scan_by_past"])
    serial = collections.Counter({name: count for name, count in solver.items()
                                  if not WAITING.search(name)})
    return shared + sum(serial.values()), serial


def serial(bench, _repeats, quick):
    if not shutil.which("valgrind"):
        print("bench: valgrind is missing (scripts/setup --bench): serial skipped", file=sys.stderr)
        return []
    n, p = (200, 4000) if quick else (500, 200000)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "path.lua").write_text(SCRIPT)
        bench.lines("/usr/bin/python3", "tests/bench/make_dense.py", folder, n, p, 0)
        import numpy as np

        y = np.load(folder / "y.npy")
        np.save(folder / "classes.npy", np.where(y > np.median(y), 1.0, -1.0))
        for response in ("y", "classes"):
            bench.lines(bench.TAMIS, "convert", folder / "x.npy", folder / f"{response}.tam",
                        "--response", folder / f"{response}.npy")
        (folder / "x.npy").unlink()
        for problem in PROBLEMS:
            file = folder / ("y.tam" if problem[0] == "lasso" else "classes.tam")
            every, found = measure(bench, folder, file, problem)
            most = ", ".join(f"{name} {100 * count / every:.1f}"
                             for name, count in found.most_common(LISTED))
            rows.append([*problem, f"{every / 1e9:.2f}",
                         f"{100 * sum(found.values()) / every:.1f}", most])
    return ["## Serial work", "",
            f"Paths on dense {n:,} x {p:,} with {THREADS} threads: instructions of all threads in",
            "10^9, without reading the data, and the share that one thread executes while the",
            "others wait: in all, and of the functions with most, in %. Counted by callgrind, so",
            "that it says what would limit a machine of many cores; instructions wait for memory",
            "in shared loops above all, so that shares of time are smaller.",
            ""] + bench.table(["method", "lambdas", "least / max", "instructions", "serial, %",
                               "of that, %"], rows)


PARTS = {"serial": serial}
