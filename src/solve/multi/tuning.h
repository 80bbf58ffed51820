/* Constants that affect how fast problems of multivariate measures are solved, never the answer,
 * which is certified. All are exercised by the bench part "multi". scripts/bench tuning measures
 * the effect of halving and doubling each (docs/benchmarks.md). */
#ifndef SOLVE_MULTI_TUNING_H
#define SOLVE_MULTI_TUNING_H

/* Fraction of the gap to which `bmrm` solves its small problem; the factor that reduces it when
 * only a more accurate solution can help; and its minimum. Less: more interior point steps for each
 * labeling; more: weights that oscillate more. */
static const double LP_SHARE = 0.1, LP_SHARE_FALL = 0.1, LP_SHARE_LEAST = 1e-6;
/* Fraction of the distance to the boundary that a step of that problem covers; initial size
 * relative to what its constraints allow. */
static const double LP_STEP = 0.95, LP_FIRST_SHARE = 0.5;
/* Greatest number of steps, and of steps that do not reduce the gap to the worthwhile fraction of
 * its minimum. */
enum { LP_MAX_STEPS = 150, LP_STEPS_IN_VAIN = 15 };
static const double LP_WORTHWHILE = 0.9;
/* Features added at once: one for each so many present, and at least this many. More: larger small
 * problems; fewer: more passes. */
enum { ROOM_SHARE = 4, LEAST_ROOM = 32 };
/* Relative amount by which a product must exceed its constraint, or a group's quadratic all others,
 * to be more than rounding error. */
static const double PRODUCT_ABOVE = 1 + 1e-9, QUADRATIC_ABOVE = 1 + 1e-6;

/* Fractions of the sum of multipliers below which a multiplier counts as zero: interior point
 * methods leave every one slightly positive. */
static const double LP_ABOVE_ZERO = 1e-5, ABOVE_ZERO = 1e-7, OF_ACCOUNT = 1e-9;
/* Rounds at zero after which a labeling is removed, or a group left out of small problems. Fewer:
 * smaller problems, and some that return. */
enum { MAX_IDLE_PLANES = 15, MAX_IDLE_GROUPS = 10 };

/* Labelings evaluated along one line at most, and the relative accuracy of the minimum, which ends
 * most searches sooner. Fewer: searches that end above the best weights they began from, after
 * which planes do not help. At 5, F1 on a rare section of text at a C of 10 a row, with planes at
 * half of TOWARDS_TRIAL, ended at 2,000 labelings in the third round. */
enum { MAX_LABELINGS = 20 };
static const double NEAR = 1e-2;
/* How far from the best weights towards the trial weights a plane is taken. */
static const double TOWARDS_TRIAL = 0.1;

/* The small problem's interior point method. Fraction of the distance to the boundary that a step
 * covers. */
static const double QCQP_STEP = 0.98;
/* Least initial products of variables and multipliers, and least initial distance of theta above
 * the greatest quadratic; both relative to the scaled objective. */
static const double QCQP_FIRST_PRODUCT = 0.1, QCQP_FIRST_SLACK = 1e-3;
/* Greatest number of steps of one attempt, and of steps without a worthwhile reduction of the gap
 * before the whole system, or another scale, is tried. */
enum { QCQP_MAX_STEPS = 120, QCQP_STEPS_IN_VAIN = 25, QCQP_WHOLE_STEPS_IN_VAIN = 6 };
static const double QCQP_WORTHWHILE = 0.9;
/* Relative gap below which products are recomputed after each step. */
static const double QCQP_NEAR_THE_END = 1e-4;
/* Attempts on other scales: the next one is the sum reached, if it differs by more than the first
 * factor from the initial one, or else the second factor times the initial one. */
enum { QCQP_ATTEMPTS = 5 };
static const double QCQP_SCALE_ABOVE = 3, QCQP_SCALE_UP = 30;
/* Growth of the ridge between two attempts, for matrices that rounding has made indefinite. */
static const double QCQP_RIDGE_GROWTH = 4;

/* Fraction of the gap to which the small problem over all sets of columns is solved, its reduction
 * when only a more accurate solution can help, and its minimum. An inaccurate solution is a central
 * one: on a rare section of text, 0.1 took 1.3 times the labelings of 1. */
static const double SETS_SHARE = 1, SETS_SHARE_FALL = 0.1, SETS_SHARE_LEAST = 1e-6;
/* Small problems that rounding has kept from the gap asked for, without a worthwhile decrease of
 * the bundle's own, after which more planes are not expected to help. More: planes that rounding
 * errors find, hundreds of them near a relative gap of 1e-10; fewer: an end before the last
 * digit. */
enum { PLANES_IN_VAIN = 10 };
/* That problem is warm-started from its last solution: at most this many Newton steps, the last of
 * at least this length, before it is solved from a cold start. The first is a limit: 10 and 40
 * change no count, 5 saves 4 % of the columns, 2 costs 45 %. The second, nearer to 1: a more
 * central solution for more steps; 0.4 costs 18 % of the columns and 28 % of the updates, 0.9 saves
 * 4 % and 5 %. */
enum { MAX_CENTRE_STEPS = 20 };
static const double CENTRE_STEP = 0.8;
/* Fraction of the gap to which `fsmulti` solves problems over the columns so far when neither T nor
 * features asks for few of them: missing columns cost more labelings than rounds do. On that
 * section 609 labelings brought the gap to 3.8 at 0.1, and 373 to 0.3 at 0.9; 0.6 takes a tenth
 * less than that. On the small problems of scripts/bench tuning 0.3 saves up to 16 % of the columns
 * and 0.8 costs up to 10 %. */
static const double INNER_SHARE = 0.6;
/* Factor applied to that fraction while no column is added. Less: more accurate solutions than the
 * next column needs; more: more rounds. 0.25 costs up to 17 % of the columns there, 0.75 saves up
 * to 13 % where rounds are cheap. */
static const double INNER_SHARE_FALL = 0.5;
/* Fraction of the mean multiplier below which a multiplier counts as zero there, as inaccurate
 * solutions leave small ones; and the small problems at zero after which a labeling is removed. F1
 * on games of debtext1 at B = 50, T = 20 and a C of 10 a row: at 0.03 and 15 nearly none is
 * removed, and 2,000 end before the last round, in 177 s of processor time; at these 397 are left
 * after 950 small problems, and 1,762 suffice, in 28 s. 0.3 and 50: 15 s, but ocaml is left with a
 * gap above its tolerance; 0.1 and 30: 92 s; 0.4 and 15: 2,000 small problems by the tenth round.
 */
static const double SETS_ABOVE_ZERO = 0.2;
enum { SETS_MAX_IDLE = 50 };
/* Share of a column in these sets below which it may be left out of the answer. */
static const double SHARE_ABOVE_ZERO = 1e-3;
/* Least initial mean product of the small problem over all sets of columns. */
static const double QP_FIRST_PRODUCT = 0.1;

/* Number of columns from which a second thread pays. */
enum { BUNDLE_SHARE_FROM = 4096 };

/* The gap at which the small problem counts as solved, relative to its value and to its scale, as
 * qcqp.h guarantees; and the steps of iterative refinement for the whole system. */
static const double QCQP_RELATIVE = 5e-10, QCQP_OF_SCALE = 1e-12;
enum { QCQP_REFINEMENTS = 2 };

#endif
