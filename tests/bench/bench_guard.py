"""The part of scripts/bench that guards against work that grows unseen: the counted work of fixed
problems beside numbers that were committed (tests/bench/guard.txt), on no clock. tests/cli/
test_guard.py holds it. With --write the numbers are replaced by the present ones.

A line of guard.txt is a problem's name, column products, coordinate updates, and the share by
which either may be greater. Most answers have the same bits on any processor, and so has their
work; where OpenBLAS decides on the order of sums, a share was chosen that its kernels (Haswell,
SkylakeX, Zen, Prescott) stay within.
"""
import math
import pathlib

COMMITTED = pathlib.Path(__file__).with_name("guard.txt")
# The mean over all problems may grow by this share: what costs more is a change to be named.
MEAN_SHARE = 0.02


def read_committed():
    """{name: (columns, updates, share)}"""
    rows = [line.split("\t") for line in COMMITTED.read_text().splitlines()
            if line and not line.startswith("#")]
    return {name: (int(columns), int(updates), float(share))
            for name, columns, updates, share in rows}


def read_present(lines):
    """{name: (columns, updates, status)} of the output of guard.lua."""
    rows = [line.split("\t") for line in lines]
    return {name: (int(columns), int(updates), status) for name, columns, updates, status in rows}


def ratios_of(present, committed):
    """{name: (columns, updates)} as shares of the committed ones."""
    return {name: tuple(max(present[name][k], 1) / max(committed[name][k], 1) for k in (0, 1))
            for name in committed}


def mean_of(ratios):
    """The geometric mean over problems of the greater of the two shares."""
    return math.exp(sum(math.log(max(pair)) for pair in ratios.values()) / len(ratios))


def findings(present, committed):
    """What is wrong, a line each."""
    found = [f"{name}: not in both guard.lua and guard.txt"
             for name in sorted(set(present) ^ set(committed))]
    if found:
        return found
    found = [f"{name}: ends {row[2]}" for name, row in present.items() if row[2] != "converged"]
    ratios = ratios_of(present, committed)
    for name, (columns, updates) in ratios.items():
        share = 1 + committed[name][2]
        if max(columns, updates) > share:
            found.append(f"{name}: {columns:.3f} times its columns, {updates:.3f} times its "
                         f"updates (at most {share:.2f})")
    if mean_of(ratios) > 1 + MEAN_SHARE:
        found.append(f"the mean of all is {mean_of(ratios):.3f} times what it was "
                     f"(at most {1 + MEAN_SHARE:.2f})")
    return found


def write_committed(present, committed):
    head = [line for line in COMMITTED.read_text().splitlines() if line.startswith("#")]
    lines = [f"{name}\t{row[0]}\t{row[1]}\t{committed.get(name, (0, 0, 0.05))[2]}"
             for name, row in present.items()]
    COMMITTED.write_text("\n".join([*head, *lines, ""]))


def guard(bench, repeats, quick):
    """Counts are exact and repeatable: `repeats` is for parts that measure time."""
    del repeats, quick
    found = bench.output(bench.TAMIS, "run", "--jobs", "1", "tests/bench/guard.lua")
    present, committed = read_present(found), read_committed()
    if bench.WRITES:
        write_committed(present, committed)
    known = {name: row for name, row in committed.items() if name in present}
    ratios = ratios_of(present, known)
    rows = [[name, f"{row[0]:,}", f"{row[1]:,}",
             *(f"{share:.3f}" for share in ratios.get(name, (math.nan, math.nan)))]
            for name, row in present.items()]
    return ["## Counted work of fixed problems", "",
            "The last two columns are ratios to the numbers committed before this run.", ""
            ] + bench.table(["problem", "column products", "updates", "products / committed",
                             "updates / committed"], rows) + [
                "", f"Mean over the problems of the greater share: {mean_of(ratios):.3f}."]


PARTS = {"guard": guard}
