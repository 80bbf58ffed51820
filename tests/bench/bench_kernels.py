"""The HSIC lasso: counted work, processor time and memory against the number of features."""
import resource
import sys


def run(bench, *args):
    """The script's columns, and the seconds of processor time of its process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    row = bench.tamis("hsic.lua", *args, strategies=[])[0]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if row[6] != "converged":
        sys.exit(f"bench: {args} {row} did not converge")
    return row, after.ru_utime - before.ru_utime


def hsic(bench, _, quick):
    sizes = [(200, (1000, 10000, 50000)), (500, (1000, 10000, 50000)), (1000, (1000, 10000, 50000))]
    rows = []
    for n, columns in sizes:
        for p in columns[:2 if quick else 3]:
            row, seconds = run(bench, n, p, 0.6)
            design = 8 * p * n * (n + 1) / 2 / 1e6
            rows.append([n, f"{p:,}", row[0], row[1], f"{float(row[2]):.2f}",
                         f"{float(row[3]):.1e}", f"{seconds:.2f}", f"{float(row[4]):.0f}",
                         f"{float(row[5]):.0f}", f"{design:,.0f}"])
    head = ["n", "p", "chosen", "of the planted two", "passes", "relative gap", "user CPU s",
            "data, MB", "beyond it, MB", "explicit design, MB"]
    return ["## HSIC lasso against the number of features", "",
            "`synth circle`, k = 2: the class is whether two of p normal features lie outside a",
            "circle. One lambda, 0.6 of lambda_max, tol 1e-6, one thread, one run of each: seconds",
            "are the whole process's user time (making the data included), passes are counted.",
            "Two passes are lengths with lambda_max, and the first certificate, whatever p is: time",
            "is proportional to p, and to the number of pairs. Memory is resident.",
            ""] + bench.table(head, rows)


PARTS = {"hsic": hsic}
