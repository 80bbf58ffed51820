"""The part of scripts/bench that counts what SAIF costs beside no screening and BLITZ.

Each part is a function of (bench, repeats, quick) that returns lines of Markdown; `bench` is
scripts/bench itself.
"""
import statistics

LOSSES = {"lasso": "squared", "l1logistic": "logistic", "l1svm": "squared hinge"}


def saif_grid(bench, repeats, quick):
    """Column products are exact and repeatable: `repeats` is for parts that measure time."""
    del repeats
    columns, stopped = {}, set()
    for seed in (1,) if quick else (1, 2):
        for row in bench.tamis("saif_grid.lua", seed, strategies=["none", "blitz", "saif"]):
            key = (row[0], int(row[1]), int(row[2]), row[3], seed)
            columns[key, row[4]] = int(row[5])
            if row[6] != "converged":
                stopped.add((key, row[4]))
    keys = sorted({key for key, _ in columns},
                  key=lambda k: (k[1] / k[2], list(LOSSES).index(k[0])))
    of = {key: {name: columns[key, "saif"] / columns[key, name] for name in ("none", "blitz")}
          for key in keys}
    ratios = sorted({key[3] for key in keys}, key=float, reverse=True)
    rows = []
    for shape in dict.fromkeys(key[:3] for key in keys):
        cells = []
        for ratio in ratios:
            mine = [key for key in keys if key[:3] == shape and key[3] == ratio]
            capped = "<" if any((key, "none") in stopped for key in mine) else ""
            cells.append(f"{capped}{max(of[key]['none'] for key in mine):.2f}, "
                         f"{statistics.mean(of[key]['blitz'] for key in mine):.2f}")
        rows.append([f"{shape[1]:,} x {shape[2]:,}", LOSSES[shape[0]], *cells])
    most = max(of[key]["none"] for key in keys)
    median = statistics.median(of[key]["blitz"] for key in keys)
    unfinished = sum(1 for _, name in stopped if name == "saif")
    return ["## SAIF beside no screening and BLITZ: column products on a grid", "",
            "`synth saif` (squared loss) and `synth fgm` (two classes), each lambda as a share of",
            "lambda_max by itself, relative gap at most 1e-6. A cell has SAIF's column products",
            "divided by those of `none` (the greatest over the seeds; <: `none` was stopped after",
            "10,000 epochs), and by those of `blitz` (the mean).", ""
            ] + bench.table(["rows x features", "loss", *ratios], rows) + [
                "", f"Over all {len(keys)} problems: at most {most:.2f} times `none`, "
                f"{median:.2f} times `blitz` in the",
                f"median; {unfinished} of them were stopped by 10,000 epochs with `saif`."]


PARTS = {"saif_grid": saif_grid}
