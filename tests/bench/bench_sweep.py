"""Sweeps: what a task costs beside its solve, what a second worker brings, columns over
processes."""
import json
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile


def run(bench, jobs, store, *args):
    command = [bench.TAMIS, "run", "--jobs", jobs]
    if store:
        command += ["--store", store]
    tasks, wall, solving = bench.lines(*command, "tests/bench/sweep.lua", *args)[0]
    return int(tasks), float(wall), float(solving)


def overhead(bench, repeats, quick):
    rows, folds = [], 100 if quick else 1000
    for label, stored in (("in memory", False), ("in a run store", True)):
        costs = []
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as folder:
                store = pathlib.Path(folder) / "bench.db" if stored else None
                # So many rows that the folds exist, so few columns that a solve takes no time.
                tasks, wall, solving = run(bench, 1, store, 1000, 4, folds, 1, "auto", 0.5)
                costs.append((wall - solving) / tasks * 1e3)
        rows.append([label, tasks, f"{statistics.median(costs):.3f}"])
    return bench.table(["results kept", "tasks", "overhead per task, ms"], rows)


def workers(bench, repeats, quick):
    rows = []
    # 8 n p bytes of columns: one fits into a core's cache, the other into none.
    sizes = [
        ("fits the cache", 100, 1000, 8, 4, "none", 0.1),
        ("memory-bound", 2000, 2000 if quick else 6000, 4, 1, "none", 0.3),
    ]
    for label, n, p, *rest in sizes:
        times = {1: [], 2: []}
        for _ in range(repeats):
            for jobs in times:
                tasks, wall, _ = run(bench, jobs, None, n, p, *rest)
                times[jobs].append(wall)
        one, two = statistics.median(times[1]), statistics.median(times[2])
        rows.append([label, f"{n} x {p:,}", tasks, f"{one:.3f}", f"{two:.3f}", f"{one / two:.2f}"])
    return bench.table(
        ["tasks that", "data", "tasks", "1 worker, s", "2 workers, s", "speed-up"], rows
    )


METHODS = {
    "lasso": ("--lambda-ratio", "0.1", "--tol", "1e-10"),
    "fgm": ("--B", "10", "--C", "1", "--tol", "1e-6"),
}


def fit(bench, path, ranks, method):
    command = [
        str(bench.TAMIS),
        "fit",
        str(path),
        "--method",
        method,
        *METHODS[method],
        "--json",
        "--threads",
        "1",
    ]
    if ranks > 1:
        command = [
            "mpirun",
            "--allow-run-as-root",
            "--oversubscribe",
            "-n",
            str(ranks),
            *command,
            "--shard-columns",
        ]
    done = subprocess.run(
        command, check=True, text=True, capture_output=True, stdin=subprocess.DEVNULL
    )
    kept = [line.split(" keeps ")[1] for line in done.stderr.splitlines() if " keeps " in line]
    return json.loads(done.stdout), kept


def sharded(bench, quick):
    if not shutil.which("mpirun"):
        return ["mpirun is not installed: sharded columns were not measured."]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "data.tam"
        for method, synth in (("lasso", "saif"), ("fgm", "fgm")):
            size = f"{{n=500, p={5000 if quick else 40000}, seed=2}}"
            script = f'tm.synth("{synth}", {size}):save("{path}")'
            bench.lines(bench.TAMIS, "eval", script)
            one, _ = fit(bench, path, 1, method)
            for ranks in (1, 2, 3):
                found, kept = fit(bench, path, ranks, method)
                rows.append(
                    [
                        method,
                        ranks,
                        f"{found['seconds']:.3f}",
                        f"{found['primal']:.12g}",
                        f"{found['gap']:.2e}",
                        f"{abs(found['gap'] - one['gap']) / one['primal']:.1e}",
                        found["nnz"],
                        kept[0]
                        .replace(" of columns, and has", ";")
                        .replace(" in memory", " resident")
                        if kept
                        else "",
                    ]
                )
    head = [
        "method",
        "ranks",
        "seconds",
        "primal",
        "gap",
        "gap's difference / primal",
        "features",
        "rank 0 keeps",
    ]
    return bench.table(head, rows)


def sweep(bench, repeats, quick):
    return (
        [
            "## Sweeps",
            "",
            "The cost of a task apart from its solve: folds of `synth saif` with 4 features, one",
            "worker.",
            "",
        ]
        + overhead(bench, repeats, quick)
        + [
            "",
            "Equal tasks (folds, `lasso`, screen none, tol 1e-8) on one worker and on two. The "
            "second ones",
            "share one memory bus.",
            "",
        ]
        + workers(bench, repeats, quick)
        + [
            "",
            "`tamis fit --shard-columns` on a dense `.tam` file, which is read in place, tol 1e-10 "
            "(`fgm`: 1e-6): ranks of",
            "one machine, which share its cores and its memory bus.",
            "",
        ]
        + sharded(bench, quick)
    )


def report_seconds(bench, folder, drawn):
    """Processor seconds of `tamis report` on a recorded sweep of that many drawn settings."""
    store, page = f"{folder}/drawn.db", f"{folder}/drawn.html"
    bench.output(bench.TAMIS, "eval", "--jobs", "1", "--store", store, f"""
        tm.sweep{{data=tm.synth("saif", {{n=20, p=3, seed=1}}), method="ridge", folds=2,
                 name="drawn", random={{n={drawn}, C={{min=1e-3, max=1e3, log=true}},
                                       tol={{min=1e-6, max=1e-3, log=true}}}}}}:wait()""")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bench.output(bench.TAMIS, "report", "s1", "--store", store, "-o", page)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sweep_cost(bench, repeats, quick):
    drawn, runs = (2000, 2000) if quick else (20000, 100000)
    with tempfile.TemporaryDirectory() as folder:
        report = report_seconds(bench, folder, drawn)
        found = [
            bench.lines(
                bench.TAMIS, "run", "--jobs", "1", "tests/bench/sweep_cost.lua", drawn, runs, folder
            )[0]
            for _ in range(repeats)
        ]
    curve, picture, rows, resident, address, up, down = (
        statistics.median(map(float, column)) for column in zip(*found)
    )
    return [
        "### Many settings, many runs",
        "",
        "Processor seconds of one process; memory of one kept run; column products of `rfe` on",
        "golub for 5, 10, 20, 50, 100 and 200 features. Before curves were one series, runs freed "
        "what they",
        "worked with, and `rfe` sorted its numbers: 20,000 settings, 100,000 runs.",
        "",
    ] + bench.table(
        ["what", "cost", "before"],
        [
            [f"curve through {drawn:,} drawn settings, s", f"{curve:.3f}", "60"],
            ["its picture (SVG), s", f"{picture:.3f}", ""],
            ["the sweep's table, s", f"{rows:.3f}", ""],
            ["`tamis report` on it, s", f"{report:.3f}", ""],
            [f"resident, of {runs:,} kept runs, KB a run", f"{resident:.1f}", "9.2"],
            ["address space, KB a run", f"{address:.1f}", "850"],
            ["`rfe`, features ascending, products", f"{up:,.0f}", "4,530,000"],
            ["`rfe`, features descending, products", f"{down:,.0f}", ""],
        ],
    )


PARTS = {"sweep": sweep, "sweep_cost": sweep_cost}
