"""The group lasso's solvers beside each other; parts of scripts/bench."""


def groups(bench, repeats, quick):
    """FGM 8.6.1 in kind: groups of 10 normal features, of which some decide the class."""
    n, count = (256, 4000) if quick else (256, 40000)
    cases = [
        (
            f"fgm_group:{n}:{10 * count}:100",
            "logistic",
            "0.8,0.6,0.5",
            1e-4,
            ["active", "bcd", "fista"],
        ),
        (f"fgm_group:{n}:{count}:10", "squared", "0.5,0.25,0.1", 1e-6, ["active", "bcd", "fista"]),
    ]
    rows = []
    for data, loss, shares, tol, solvers in cases:
        runs = {}
        for _ in range(1 if quick else repeats):
            for row in bench.tamis("groups.lua", data, 10, loss, tol, shares, strategies=solvers):
                runs.setdefault(row[0], []).append(row)
        active = bench.median_of(runs["active"], 2)
        for name in solvers:
            seconds, row = bench.median_of(runs[name], 2), runs[name][0]
            if row[5] != "converged":
                raise SystemExit(f"bench: {data} {row} did not converge")
            rows.append(
                [
                    data,
                    loss,
                    shares,
                    name,
                    row[1],
                    f"{seconds:.3f}",
                    f"{seconds / active:.1f}",
                    f"{float(row[3]):.1f}",
                    row[4],
                ]
            )
    head = [
        "data:n:p:groups",
        "loss",
        "lambda / max",
        "solver",
        "chosen",
        "seconds",
        "x active",
        "passes",
        "worst relative gap",
    ]
    return [
        "## Groups",
        "",
        "`synth fgm_group`, consecutive groups of 10 features, of which the last number decides",
        "the class; one path of three lambdas, intercept. No solver of this problem with a",
        "certificate is packaged in Debian, so the three published algorithms are compared with",
        "each other; each point's gap is certified.",
        "",
    ] + bench.table(head, rows)


PARTS = {"groups": groups}
