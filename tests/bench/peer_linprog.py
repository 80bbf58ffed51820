#!/usr/bin/python3
"""Bounds on the multipliers of a graph's edges by linear programs (HiGHS, by SciPy).

usage: peer_linprog.py DATA EVERY < what bounds.lua printed
Over the ball around the previous answer's dual variables, scaled to the new lambda, each product
lies in an interval; of every EVERY-th edge the greatest |u| with D'u in these intervals is found by
two programs. Prints for each lambda: lambda, the gap as it is in the log and as it is here, CPU
seconds a program, and of these edges the greatest excess of a program over a propagated bound, the
shares that are below 1 (programs, bounds, transform), the mean bounds, and mean and variance of the
difference of bounds and programs.
"""
import sys
import time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, vstack

SAFE = 1 - 1e-6  # a bound below it proves a term to be zero


def differences(ends, p):
    m = len(ends) // 2
    places = np.repeat(np.arange(m), 2)
    return coo_matrix((np.tile([1.0, -1.0], m), (places, ends)), (m, p)).tocsr()


def greatest(rows, limits, k, m):
    """The greatest |u_k|, u being in units of lambda."""
    found = []
    for sign in (1, -1):
        cost = np.zeros(m)
        cost[k] = -sign
        done = linprog(cost, rows, limits, bounds=(-1, 1), method="highs")
        if done.status != 0:
            raise SystemExit(f"peer_linprog: {done.message}")
        found.append(-done.fun)
    return max(found)


def compare(x, y, d, step, w, bounds, every):
    lam, before, radius, gap = step
    left = y - x @ w
    scale = min(left @ y / (left @ left), lam / before)
    own = left @ left * (1 + scale**2) / 2 + lam * np.abs(d @ w).sum() - scale * left @ y
    centre = scale * (x.T @ left) / lam
    room = radius * np.sqrt((x**2).sum(axis=0))
    rows = vstack([d.T, -d.T]).tocsr()
    limits = np.r_[centre + room, room - centre]
    edges = range(0, d.shape[0], every)
    began = time.process_time()
    best = np.array([greatest(rows, limits, k, d.shape[0]) for k in edges])
    seconds = (time.process_time() - began) / (2 * len(edges))
    found = {name: np.minimum(values[::every], 1) for name, values in bounds.items()}
    apart = found["bounds"] - best
    print(lam, gap, own, seconds, (-apart).max(), (best < SAFE).mean(),
          *((v < SAFE).mean() for v in found.values()), best.mean(),
          *(v.mean() for v in found.values()), apart.mean(), apart.var(), flush=True)


def main():
    table = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
    x, y = table[:, 1:], table[:, 0]
    step, w, bounds, d = None, None, {}, None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "edges":
            d = differences(np.array(words[1:], dtype=int) - 1, x.shape[1])
        elif words[0] == "step":
            step = [float(v) for v in words[1:]]
        elif words[0] == "w":
            w = np.array(words[1:], dtype=float)
        elif words[0] == "bounds":
            bounds[words[1]] = np.array(words[2:], dtype=float)
        if words[:2] == ["bounds", "transform"]:
            compare(x, y, d, step, w, bounds, int(sys.argv[2]))


main()
