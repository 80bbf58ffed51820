/* Numbers that all solvers share: they decide how fast a problem is solved, and never what the
 * answer is, which is certified. They are exercised by the bench parts "path", "classify", "groups"
 * and "multi"; scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md).
 */
#ifndef SOLVE_COMMON_TUNING_H
#define SOLVE_COMMON_TUNING_H

/* Line search. Steps are halved this many times at most: 1e-12 of a step is no step. */
enum { HALVINGS = 40 };
/* Steps in a row that rounding may hide: far more than the dual variables have digits to gain. */
enum { MAX_UNPROVEN = 1000 };
/* Share of the predicted decrease that a step has to bring: Armijo's condition. */
static const double SUFFICIENT = 0.01;
/* What the objective rounds to, as a share of it. */
static const double ROUNDING = 1e-14;

/* Interior points. Mehrotra's exponent, and the bounds of what it gives: no step aims beyond what
 * rounding can tell, and each at some progress. */
static const double EXPONENT = 3, LEAST = 1e-6, MOST = 0.9;

/* Working sets. The strong rule counts where its threshold is above this share of lambda. */
static const double NEAR = 0.5;
/* A set that was solved to the end is next solved to this share of it, and no further than to this
 * share of the target. */
static const double TIGHTEN = 0.01, LEAST_SHARE = 1e-7;

/* Products are taken four columns at a time; whole groups make them independent of the threads. A
 * thread takes a few groups when it has done others: columns differ in their entries. */
enum { GROUP = 64, TOGETHER = 8 };
/* Multiply-adds between two looks at the cancel token: about a millisecond of products that stream
 * from memory. */
enum { POLL_EVERY = 1 << 20 };

/* Records of the screen log: of a step at most so much of all that there is room for, at least so
 * many steps, and the room it begins with. Memory alone depends on them. */
enum { STEPS_SHARE = 16, STEPS_LEAST = 64, FIRST_ROOM = 256 };

#endif
