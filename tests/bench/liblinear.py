"""LIBLINEAR's library called in memory, and the certified gap of what it answers.

`Problem` turns a SciPy matrix into the library's rows once; `train` is then timed alone, without
reading or converting anything. No intercept (bias < 0). Losses are summed, the squared hinge
halved, lambda times the weights' absolute sum: C = 1/lambda for l1logistic (-s 6), 1/(2 lambda)
for l1svm (-s 5).
"""
import ctypes
import ctypes.util
import time

import numpy as np


class Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


NODE = np.dtype([("index", np.int32), ("value", np.float64)], align=True)


class Data(ctypes.Structure):
    _fields_ = [("l", ctypes.c_int), ("n", ctypes.c_int), ("y", ctypes.POINTER(ctypes.c_double)),
                ("x", ctypes.POINTER(ctypes.c_void_p)), ("bias", ctypes.c_double)]


class Parameter(ctypes.Structure):
    """Of the versions before 2.40; later ones have fields behind p."""
    _fields_ = [("solver_type", ctypes.c_int), ("eps", ctypes.c_double), ("C", ctypes.c_double),
                ("nr_weight", ctypes.c_int), ("weight_label", ctypes.POINTER(ctypes.c_int)),
                ("weight", ctypes.POINTER(ctypes.c_double)), ("p", ctypes.c_double),
                ("init_sol", ctypes.POINTER(ctypes.c_double))]


class Model(ctypes.Structure):
    _fields_ = [("param", Parameter), ("nr_class", ctypes.c_int), ("nr_feature", ctypes.c_int),
                ("w", ctypes.POINTER(ctypes.c_double)), ("label", ctypes.POINTER(ctypes.c_int)),
                ("bias", ctypes.c_double)]


QUIET = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: None)


def library():
    """The library, or None where it is not installed in a version whose structures these are."""
    for name in ("liblinear.so.4", ctypes.util.find_library("linear")):
        try:
            lib = ctypes.CDLL(name) if name else None
        except OSError:
            lib = None
        if lib and ctypes.c_int.in_dll(lib, "liblinear_version").value < 240:
            lib.train.restype = ctypes.POINTER(Model)
            lib.free_and_destroy_model.argtypes = [ctypes.POINTER(ctypes.POINTER(Model))]
            lib.set_print_string_function(QUIET)
            return lib
    return None


class Problem:
    def __init__(self, x, y):
        """x: a SciPy CSR matrix or a dense array; y: +-1."""
        self.x, self.y = x, np.ascontiguousarray(y, dtype=np.float64)
        n, p = x.shape
        lengths = np.diff(x.indptr) if hasattr(x, "indptr") else np.full(n, p)
        starts = np.concatenate([[0], np.cumsum(lengths + 1)])
        self.nodes = np.empty(starts[-1], NODE)
        self.nodes["index"] = -1
        inside = np.ones(starts[-1], bool)
        inside[starts[1:] - 1] = False
        if hasattr(x, "indptr"):
            self.nodes["index"][inside] = x.indices + 1
            self.nodes["value"][inside] = x.data
        else:
            self.nodes["index"][inside] = np.tile(np.arange(1, p + 1, dtype=np.int32), n)
            self.nodes["value"][inside] = np.asarray(x).ravel()
        self.rows = (self.nodes.ctypes.data + NODE.itemsize * starts[:-1]).astype(np.uint64)
        self.data = Data(n, p, self.y.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                         self.rows.ctypes.data_as(ctypes.POINTER(ctypes.c_void_p)), -1)
        self.lib = library()
        self.clock = time.perf_counter

    def train(self, method, lam, e):
        """Weights and the seconds that training them took."""
        solver, c = (6, 1 / lam) if method == "l1logistic" else (5, 1 / (2 * lam))
        parameter = Parameter(solver_type=solver, eps=e, C=c, p=0.1)
        ctypes.CDLL(None).srand(1)  # it shuffles features by rand()
        began = self.clock()
        model = self.lib.train(ctypes.byref(self.data), ctypes.byref(parameter))
        seconds = self.clock() - began
        w = np.ctypeslib.as_array(model.contents.w, (self.data.n,)).copy()
        if model.contents.label[0] < 0:
            w = -w
        self.lib.free_and_destroy_model(ctypes.byref(model))
        return w, seconds

    def relative_gap(self, method, lam, w):
        """Of the better of the weights and their best multiple, with the best multiple of their
        dual variables."""
        z = self.y * (self.x @ w)
        return min(gap_at(self, method, lam, s * w, s * z)
                   for s in (1, best_multiple(method, lam, w, z)))

    def loosest(self, method, lam, tol):
        """The greatest e, to a factor of 2, at which the relative gap is at most tol; None when
        none reaches it."""
        low, high = 1e-2, 1.0
        while self.relative_gap(method, lam, self.train(method, lam, low)[0]) > tol:
            low, high = low / 10, low
            if low < 1e-13:
                return None
        while high / low > 2:
            middle = (low * high) ** 0.5
            if self.relative_gap(method, lam, self.train(method, lam, middle)[0]) <= tol:
                low = middle
            else:
                high = middle
        return low


def values(method, lam, m, norm):
    if method == "l1logistic":
        return np.logaddexp(0, -m).sum() + lam * norm
    return (np.maximum(0, 1 - m) ** 2).sum() / 2 + lam * norm


def best_multiple(method, lam, w, z):
    """The s that minimises the objective at s w, by ternary search: the objective is convex in
    s."""
    low, high, norm = 0.5, 1.5, np.abs(w).sum()
    for _ in range(25):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if values(method, lam, a * z, a * norm) < values(method, lam, b * z, b * norm):
            high = b
        else:
            low = a
    return (low + high) / 2


def gap_at(problem, method, lam, w, m):
    primal = values(method, lam, m, np.abs(w).sum())
    if method == "l1logistic":
        alpha, null = 1 / (1 + np.exp(m)), len(m) * np.log(2)
    else:
        alpha, null = np.maximum(0, 1 - m), len(m) / 2
    most = lam / np.abs(problem.x.T @ (problem.y * alpha)).max()
    if method == "l1logistic":
        dual = max(entropy(s * alpha) for s in (min(1, most), min(1 / alpha.max(), most)))
    else:
        s = min(alpha.sum() / (alpha @ alpha), most)
        dual = s * alpha.sum() - s * s * (alpha @ alpha) / 2
    return (primal - dual) / null


def entropy(alpha):
    a = alpha[(alpha > 0) & (alpha < 1)]
    return -(a * np.log(a) + (1 - a) * np.log1p(-a)).sum()
