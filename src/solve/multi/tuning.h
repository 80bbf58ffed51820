/* Numbers that decide how fast problems of multivariate measures are solved, and never what the
 * answer is: that is certified. All are exercised by the bench part "multi".
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_MULTI_TUNING_H
#define SOLVE_MULTI_TUNING_H

/* Share of the gap to which `bmrm` solves its small problem, and what that falls to where only a
 * better solution can help. Less: more interior point steps a labeling; more: weights that jump
 * about more. */
static const double LP_SHARE = 0.1, LP_SHARE_FALL = 0.1, LP_SHARE_LEAST = 1e-6;
/* Share of the way to the boundary that a step of that problem takes; the share of what its
 * constraints allow that it begins with. */
static const double LP_STEP = 0.95, LP_FIRST_SHARE = 0.5;
/* Steps, and steps that do not bring the gap to the worthwhile share of what it was. */
enum { LP_MAX_STEPS = 150, LP_STEPS_IN_VAIN = 15 };
static const double LP_WORTHWHILE = 0.9;
/* Features that come in at once: one for so many there are, and at least so many. More: larger
 * small problems; fewer: more passes.
 */
enum { ROOM_SHARE = 4, LEAST_ROOM = 32 };
/* Share above which a product exceeds its constraint, or a group's quadratic all others, and not by
 * rounding. */
static const double PRODUCT_ABOVE = 1 + 1e-9, QUADRATIC_ABOVE = 1 + 1e-6;

/* Shares of all multipliers below which one is zero: interior points leave every one a little. */
static const double LP_ABOVE_ZERO = 1e-5, ABOVE_ZERO = 1e-7, OF_ACCOUNT = 1e-9;
/* Rounds at zero after which a labeling is dropped, or a group left out of small problems. Fewer:
 * smaller problems, and some that come back. */
enum { MAX_IDLE_PLANES = 15, MAX_IDLE_GROUPS = 10 };

/* Labelings that are looked for along one line, and the share of the line that is near enough.
 * More: a sort of all rows each, against planes further from the best weights. */
enum { MAX_LABELINGS = 5 };
static const double NEAR = 1e-2;
/* How far from the best weights towards the trial a plane is taken. */
static const double TOWARDS_TRIAL = 0.1;

/* The small problem's interior point. Share of the way to the boundary that a step takes. */
static const double QCQP_STEP = 0.98;
/* Products of variables and multipliers at the start, at least, and how far theta begins above the
 * greatest quadratic, at least; both in the scaled objective. */
static const double QCQP_FIRST_PRODUCT = 0.1, QCQP_FIRST_SLACK = 1e-3;
/* Steps of one attempt, and steps that do not bring the gap to the worthwhile share of what it was
 * before the other system, or another scale, is tried. */
enum { QCQP_MAX_STEPS = 120, QCQP_STEPS_IN_VAIN = 25, QCQP_WHOLE_STEPS_IN_VAIN = 6 };
static const double QCQP_WORTHWHILE = 0.9;
/* Relative gap below which products are recomputed after each step. */
static const double QCQP_NEAR_THE_END = 1e-4;
/* Attempts on other scales: that of the sum reached where it is so many times off the one begun
 * with, or so many times that one. */
enum { QCQP_ATTEMPTS = 5 };
static const double QCQP_SCALE_ABOVE = 3, QCQP_SCALE_UP = 30;
/* What the ridge for matrices that rounding has made indefinite grows by between two attempts. */
static const double QCQP_RIDGE_GROWTH = 4;

/* Share of the gap that a solution of the small problem over all sets of columns may have, what
 * that falls to where only a better solution can help, and by how much. A loose solution is a
 * central one: on a rare section of text, 0.1 took 1.3 times the labelings of 1. */
static const double SETS_SHARE = 1, SETS_SHARE_FALL = 0.1, SETS_SHARE_LEAST = 1e-6;
/* That problem begins from its last solution: at most so many Newton steps, of which the last takes
 * at least this share of its way, before it is solved from its own start. */
enum { MAX_CENTRE_STEPS = 20 };
static const double CENTRE_STEP = 0.8;
/* Share of the gap to which `fsmulti` solves problems over the columns so far where neither T nor
 * features asks for few of them: columns that are missing cost more labelings than rounds do. On
 * that section 609 labelings brought the gap to 3.8 at 0.1, and 373 to 0.3 at 0.9; 0.6 takes a
 * tenth less than that. */
static const double INNER_SHARE = 0.6;
/* What the share falls to where no column comes in, until one does. */
static const double INNER_SHARE_FALL = 0.5;
/* Share of the mean multiplier below which one is zero there: what early ends leave. Less: larger
 * small problems, that took 3 times as long on small data; more: twice the labelings on text. */
static const double SETS_ABOVE_ZERO = 0.03;
/* Share of a column in these sets below which it may be left out of the answer. */
static const double SHARE_ABOVE_ZERO = 1e-3;
/* Mean product that the small problem over all sets of columns begins with, at least. */
static const double QP_FIRST_PRODUCT = 0.1;

/* Columns, and entries of the data, that are worth a second thread. */
enum { SHARE_FROM = 4096, SHARE_ENTRIES_FROM = 1 << 20 };

/* The gap at which the small problem is solved, as shares of its value and of its scale: what
 * qcqp.h promises. And how often what a solution of the whole system leaves is solved for in turn.
 */
static const double QCQP_RELATIVE = 5e-10, QCQP_OF_SCALE = 1e-12;
enum { QCQP_REFINEMENTS = 2 };

#endif
