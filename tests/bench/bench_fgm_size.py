"""The part `fgm_size` of scripts/bench: FGM's figure 3, time and memory on dense data, beside
LIBLINEAR. About five minutes on two free cores; 18 GB of free memory for LIBLINEAR at the
greatest size, which is left out without.

A function of (bench, repeats, quick) that returns lines of Markdown; `bench` is scripts/bench
itself.
"""
import pathlib
import tempfile

LOSSES = {"squared_hinge": ("l1svm", "5", 0.5), "logistic": ("l1logistic", "6", 1.0)}
RESIDENT = {True: 16_000_000, False: 256_000_000}


def available():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable"):
            return 1024 * int(line.split()[1])
    return 0


def row(data, solver, run, fgm_seconds):
    """`run`: features, seconds, peak kB, accuracy, true features."""
    return [
        data,
        solver,
        run[0],
        f"{float(run[1]):.2f}",
        f"{float(run[1]) / fgm_seconds:.1f}",
        f"{int(run[2]) / 1024:,.0f}",
        run[3],
        run[4],
    ]


def liblinear(bench, folder, size, values, solver, c):
    """One run, or why there is none."""
    name, peer, needed = (
        f"LIBLINEAR -s {solver}",
        bench.ROOT / "build/tests/bench/dense_liblinear",
        33 * values,
    )
    if not peer.exists():
        return [size, name, "liblinear-dev is not installed"] + [""] * 5, None
    if needed > available():
        return [size, name, f"not run: needs {needed / 1e9:.1f} GB of memory"] + [""] * 5, None
    return None, bench.lines(peer, f"{folder}/train.tam", f"{folder}/test.tam", solver, repr(c))[
        0
    ] + [""]


def one_size(bench, n, p, k, resident):
    size, features, rows = f"{n:,} x {p:,}", 2 * k, []
    with tempfile.TemporaryDirectory() as folder:

        def run(*args):
            return bench.lines(
                bench.TAMIS, "run", "tests/bench/fgm_size.lua", args[0], folder, *args[1:]
            )

        run("make", n, p, k)
        for loss, (method, solver, share) in LOSSES.items():
            whole = run("fgm", features, loss, 0)[0]
            seconds = float(whole[1])
            rows.append(row(size, f"fgm {loss}", whole, seconds))
            rows.append(
                row(
                    "",
                    f"the same, {resident / 1e6:.0f} MB of the file resident",
                    run("fgm", features, loss, resident)[0],
                    seconds,
                )
            )
            own = run("l1", features, method)[0]
            rows.append(row("", method, own, seconds))
            without, other = liblinear(bench, folder, "", n * p, solver, share / float(own[5]))
            rows.append(without or row("", f"LIBLINEAR -s {solver}", other, seconds))
    return rows


def fgm_size(bench, repeats, quick):
    shapes = (
        [(1024, 8192, 60)]
        if quick
        else [(2048, 16384, 100), (4096, 32768, 200), (8192, 65536, 300)]
    )
    rows = [r for n, p, k in shapes for r in one_size(bench, n, p, k, RESIDENT[quick])]
    head = [
        "data",
        "solver",
        "features",
        "seconds",
        "x fgm",
        "peak MB",
        "test accuracy",
        "true features",
    ]
    return [
        "## Dense data of FGM's figure 3",
        "",
        "`synth fgm` in single precision as a .tam file, which Tamis maps: the peak is that of",
        "the whole process, the file's pages included. fgm: B = a tenth of the features, C = 10,",
        "no intercept, two threads. LIBLINEAR (its library, which has one thread; its default",
        "-e of 0.01): the C at which Tamis's l1 method, on the line above, chooses about as many",
        "features; building its nodes is not timed. It holds every value twice, 16 bytes each.",
        "",
    ] + bench.table(head, rows)


PARTS = {"fgm_size": fgm_size}
