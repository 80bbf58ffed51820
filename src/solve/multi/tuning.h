/* Numbers that decide how fast problems of multivariate measures are solved, and never what the
 * answer is: that is certified. All are exercised by the bench part "multi". */
#ifndef SOLVE_MULTI_TUNING_H
#define SOLVE_MULTI_TUNING_H

/* Share of the gap to which `bmrm` solves its small problem, and what that falls to where only a
 * better solution can help. Less: more interior point steps a labeling; more: weights that jump
 * about more. */
static const double LP_SHARE = 0.1, LP_SHARE_LEAST = 1e-6;
/* Features that come in at once: at least so many. More: larger small problems; fewer: more passes.
 */
enum { LEAST_ROOM = 32 };
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

/* Columns that are worth a second thread. */
enum { SHARE_FROM = 4096 };

#endif
