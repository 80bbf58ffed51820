"""The part of scripts/bench that holds `auto` beside the other strategies on random problems.

Each part is a function of (bench, repeats, quick) that returns lines of Markdown; `bench` is
scripts/bench itself.
"""
import statistics

OTHERS = ["none", "gap", "blitz", "ws", "saif", "hessian", "shrink", "strong"]
ASKED = 1.3
FLOOR = 1e-3  # seconds: start and end of a run, and the clock, are a part of less
METHODS = {"lasso": "squared", "l1logistic": "logistic", "l1svm": "squared hinge"}


def problems(rows):
    """What the strategies cost, by problem."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[:9]), {})[row[9]] = (float(row[10]), int(row[11]), row[12])
    return found


def best_of(solves):
    """The least time of another strategy that converged, and its name."""
    return min((solves[name][0], name) for name in OTHERS if solves[name][2] == "converged")


def auto_grid(bench, repeats, quick):
    """CPU time of one thread, which other work disturbs little: each solve three times, the least
    counts."""
    del repeats
    count = 40 if quick else 200
    found = problems(bench.tamis("auto_grid.lua", 1, count, strategies=["auto", *OTHERS]))
    stopped = [key for key, solves in found.items() if solves["auto"][2] != "converged"]
    alone = [key for key, solves in found.items()
             if not any(solves[name][2] == "converged" for name in OTHERS)]
    ratios = {key: solves["auto"][0] / best_of(solves)[0] for key, solves in found.items()
              if key not in alone}
    rows = []
    for method, loss in METHODS.items():
        mine = [key for key in ratios if key[1] == method]
        long = [key for key in mine if found[key]["auto"][0] > FLOOR]
        rows.append([loss, len(mine), f"{statistics.median(ratios[key] for key in mine):.2f}",
                     len(long), f"{statistics.median(ratios[key] for key in long):.2f}",
                     sum(ratios[key] > ASKED for key in long)])
    slower = sorted((key for key in ratios
                     if found[key]["auto"][0] > FLOOR and ratios[key] > ASKED),
                    key=lambda key: -ratios[key])
    worst = []
    for key in slower:
        seconds, name = best_of(found[key])
        worst.append([key[0], METHODS[key[1]], f"{key[2]} x {key[3]}", key[4], key[5], key[6],
                      key[7], key[8], f"{1e3 * found[key]['auto'][0]:.1f}", name,
                      f"{1e3 * seconds:.1f}", f"{ratios[key]:.2f}"])
    return ["## `auto` beside the other strategies on random problems", "",
            f"{count} problems: 20 to 3,000 rows, 20 to 20,000 features, dense or sparse, with",
            "correlation between neighbours and spread deviations, one lambda, tolerance 1e-4 to",
            "1e-8. CPU time of one thread, the least of three; the others are",
            ", ".join(f"`{name}`" for name in OTHERS) + ", stopped after ten",
            "times the time of `auto`.", ""] + bench.table(
                ["loss", "problems", "auto / best, median", "longer than 1 ms", "median of those",
                 f"above {ASKED}"], rows) + [
                "", f"In {len(alone)} problems no other strategy converged; in {len(stopped)} "
                "`auto` did not. Slower than "
                f"{ASKED} times the best:", ""] + bench.table(
                    ["problem", "loss", "rows x features", "density", "correlation", "spread",
                     "lambda / max", "tol", "auto, ms", "best", "ms", "ratio"], worst)


PARTS = {"auto_grid": auto_grid}
