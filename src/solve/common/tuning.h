/* Constants that all solvers share: they affect how fast a problem is solved, never the answer,
 * which is certified. They are exercised by the bench parts "path", "classify", "groups" and
 * "multi"; scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_COMMON_TUNING_H
#define SOLVE_COMMON_TUNING_H

/* Line search. Steps are halved at most this many times: 1e-12 of a step is negligible. */
enum { HALVINGS = 40 };
/* Consecutive steps whose decrease rounding may hide: far more than the dual variables have digits
 * to gain. A predicted change below this fraction of the least so far begins again: sweeps over
 * nearly parallel columns take thousands of steps from a gap of 3e-9 to 1e-9. */
enum { MAX_UNPROVEN = 1000 };
static const double FLAT_PROGRESS = 0.9;
/* The fraction of the predicted decrease that a step has to achieve: Armijo's condition. */
static const double SUFFICIENT = 0.01;
/* Relative rounding error of the objective. */
static const double ROUNDING = 1e-14;

/* Interior points. Mehrotra's exponent, and the range of the centring parameter: no step aims below
 * what rounding can resolve, and every step aims at some progress. */
static const double EXPONENT = 3, LEAST = 1e-6, MOST = 0.9;
/* Fraction of the distance to the boundary that a step may cover, of `genlasso` and `kernelfs`.
 * Less: more steps, 3 to 4 times as many at half; more: steps that end near the boundary, which
 * stop too soon or take 38 % longer. */
static const double BOUNDARY_SHARE = 0.995;
/* Limits that only rounding leads to. Steps of one problem: about 20 are typical, and no problem of
 * scripts/bench tuning takes 50. Attempts to factorise normal equations that rounding has made
 * indefinite, and the factor by which what is added to their diagonal grows from one to the next:
 * none takes a second one. */
enum { MAX_INTERIOR_STEPS = 100, MAX_SHIFTS = 5 };
static const double SHIFT_GROWTH = 100;

/* Working sets. The strong rule applies when its threshold is above this fraction of lambda. */
static const double NEAR = 0.5;
/* The factor by which the target of a set (of blocks, or of components of a graph) is reduced when
 * the set was solved to the end, and the smallest fraction of the target that is asked for. */
static const double TIGHTEN = 0.01, LEAST_SHARE = 1e-7;

/* Products are computed four columns at a time; ranges of whole groups make them independent of the
 * number of threads. A thread takes a few groups at a time, since columns differ in their number of
 * entries. */
enum { GROUP = 64, TOGETHER = 8 };
/* Multiply-adds between two checks of the cancel token: about a millisecond of products that stream
 * from memory. */
enum { POLL_EVERY = 1 << 20 };

/* The screen log: a step may use at most this fraction of all records, at least this many steps
 * fit, and this many records are allocated first. Only memory use depends on them. */
enum { STEPS_SHARE = 16, STEPS_LEAST = 64, FIRST_ROOM = 256 };

#endif
