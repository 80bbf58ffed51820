#!/usr/bin/python3
"""A structured problem by CVXOPT's interior-point solver, as the thesis used CVX.

usage: peer_cvxopt.py DATA EDGES LOSS L1_RATIO LAMBDA...
DATA: lines of y and the features, by commas, below a line of names. EDGES: pairs from 1. Prints for
each lambda its primal objective and the CPU seconds. The squared loss goes by the dual, a quadratic
program over theta and u; the logistic loss by the primal, a convex program over beta and bounds t.
"""
import sys
import time

from cvxopt import div, exp, log, matrix, mul, solvers, sparse, spdiag, spmatrix

solvers.options.update(show_progress=False, abstol=1e-8, reltol=1e-8, feastol=1e-9)


def read(path):
    rows = [[float(v) for v in line.split(",")] for line in open(path, encoding="ascii")
            if line[0] not in "yY"]
    y = matrix([row[0] for row in rows])
    return matrix([row[1:] for row in rows]).T, y


def terms(path, p, ratio):
    ends = [[int(v) - 1 for v in line.split()] for line in open(path, encoding="ascii")]
    m = len(ends)
    d = spmatrix([1.0] * m + [-1.0] * m, list(range(m)) * 2, [a for a, _ in ends]
                 + [b for _, b in ends], (m, p))
    return sparse([d, spmatrix(ratio, range(p), range(p))]) if ratio else d


def squared(x, y, d, lam):
    n, p = x.size
    m = d.size[0]
    zero = spmatrix([], [], [], (m, n))
    eye = spmatrix(1.0, range(m), range(m))
    hessian = spdiag([spmatrix(1.0, range(n), range(n)), spmatrix([], [], [], (m, m))])
    found = solvers.qp(hessian, matrix([-y, matrix(0.0, (m, 1))]),
                       sparse([[zero, zero], [eye, -eye]]), matrix(lam, (2 * m, 1)),
                       sparse([[sparse(x.T)], [-d.T]]), matrix(0.0, (p, 1)), kktsolver="chol2")
    beta = found["y"]
    left = y - x * beta
    return (left.T * left)[0] / 2 + lam * sum(abs(d * beta))


def logistic(x, y, d, lam):
    n, p = x.size
    m = d.size[0]
    signed = spdiag(y) * x

    def value(at=None, z=None):
        if at is None:
            return 0, matrix(0.0, (p + m, 1))
        odds = exp(-signed * at[:p])
        share = div(odds, 1 + odds)
        slope = matrix([-signed.T * share, matrix(lam, (m, 1))]).T
        f = sum(log(1 + odds)) + lam * sum(at[p:])
        if z is None:
            return f, slope
        root = spdiag((mul(share, 1 - share) * z[0]) ** 0.5) * signed
        return f, slope, spdiag([root.T * root, spmatrix([], [], [], (m, m))])

    eye = spmatrix(1.0, range(m), range(m))
    found = solvers.cp(value, sparse([[d, -d], [-eye, -eye]]), matrix(0.0, (2 * m, 1)),
                       kktsolver="chol2")
    beta = found["x"][:p]
    return sum(log(1 + exp(-signed * beta))) + lam * sum(abs(d * beta))


def main():
    x, y = read(sys.argv[1])
    d = terms(sys.argv[2], x.size[1], float(sys.argv[4]))
    for word in sys.argv[5:]:
        began = time.process_time()
        solve = squared if sys.argv[3] == "squared" else logistic
        primal = solve(x, y, d, float(word))
        print(f"{primal:.15g} {time.process_time() - began:.3f}", flush=True)


main()
