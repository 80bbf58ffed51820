"""The part `against` of scripts/bench: this build beside another one, work by work, in pairs."""
import os
import re
import resource
import statistics
import subprocess

OF_THE_PROJECT = ["saif", "path", "strategies", "genes", "group", "fgm"]
OF_REAL_DATA = ["classify", "fgm_size", "measures", "load"]


def spent(bench, program, work):
    """Seconds of a processor that the whole process took, and the most memory, in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = subprocess.run([str(program), "run", "--jobs", "1", "tests/bench/against.lua", work,
                           str(bench.DATA)], cwd=bench.ROOT, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            int(peak.split()[-1]) / 1024)


def compare(bench, other, repeats, work):
    pairs = [(spent(bench, bench.TAMIS, work), spent(bench, other, work)) for _ in range(repeats)]
    ratios = sorted(here[0] / there[0] for here, there in pairs)
    return [work, *(f"{statistics.median(run[0] for run in side):.2f}" for side in zip(*pairs)),
            f"{statistics.median(ratios):.3f}", f"{ratios[0]:.3f} to {ratios[-1]:.3f}",
            *(f"{statistics.median(run[1] for run in side):.0f}" for side in zip(*pairs))]


def against(bench, repeats, quick):
    other, name = os.environ.get("TAMIS_OTHER"), os.environ.get("TAMIS_OTHER_IS", "another build")
    if not other:
        return ["## Against another build", "", "Not measured: TAMIS_OTHER names no other tamis."]
    works = OF_THE_PROJECT + (OF_REAL_DATA if bench.DATA.exists() and not quick else [])
    chosen = re.compile(os.environ.get("TAMIS_WORKS", ""))
    rows = [compare(bench, other, repeats, work) for work in works if chosen.search(work)]
    return ["## Against another build", "",
            "Processor seconds of whole processes, this build and the one that $TAMIS_OTHER names",
            f"({name}) in turn; medians, and of the ratios",
            "of pairs the median and the range; MB at the peak.", ""] + \
        bench.table(["work", "this", "other", "ratio", "range", "MB", "MB of the other"], rows)


PARTS = {"against": against}
