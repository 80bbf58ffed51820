/* Limits, and what counts as rounding error, for unpenalised coefficients and the terms of graphs.
 * They determine when an unpenalised fit ends, whose derivatives are then rounding errors; none
 * trades work. scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef MODEL_PENALTY_TUNING_H
#define MODEL_PENALTY_TUNING_H

#include <stddef.h>

/* A column counts as dependent when at most this fraction of it is not explained by those before
 * it. */
static const double DEPENDENT = 1e-12;
/* Greatest number of doubles in the basis: 1 GB. */
static const size_t BASIS_ROOM = (size_t)1 << 27;
/* Below this fraction of the loss without features the classes are separated; below the second
 * fraction, of the squared response, a squared loss is a perfect fit and its remainder a rounding
 * error. */
static const double SEPARATED = 1e-11, PERFECT = 1e-26;
/* Newton steps, halvings of one, and consecutive steps without progress. A step makes progress when
 * it reduces the gradient to this fraction of its minimum so far, or while the gradient is still
 * large: above the other fraction. */
enum { MAX_NEWTON = 200, HALVINGS = 50, MAX_IDLE = 3 };
static const double WORTHWHILE = 0.5, FAR_SLOPE = 1e-6;
/* Added to the Hessian's diagonal: a fraction of itself, and the last fraction of the loss's
 * curvature in case no sample has any. More of them: weights that separate some of the samples, and
 * grow without bound, grow more slowly than by Newton's steps. The second fraction when rounding
 * makes the Hessian indefinite with the first. */
static const double RIDGE = 1e-15, SAFE_RIDGE = 1e-12, LEAST_CURVATURE = 1e-15;
/* Predicted decrease, relative to the loss, that rounding hides, and Armijo's fraction of it. */
static const double HIDDEN = 1e-13, ARMIJO = 1e-4;
/* The rounding error of the derivative, relative to the gradient, times the square root of the
 * number of rows. */
static const double SLOPE_LOST = 1e-15;
/* The relative difference of two values of the dual objective below which the one that is cheaper
 * counts as exact. */
static const double SAME_VALUE = 1e-14;
/* The product, relative to both lengths, that releases a feature from its bound. */
static const double RELEASING = 1e-12;

/* A matrix D from a file is processed as a dense one, so that its width is bounded. */
enum { MAX_DENSE = 3000 };
/* With at most this many rows for each column D itself is factorised; with more, D'D. */
enum { MAX_DENSE_ROWS = 2 };
/* Pivots of D count as 0 below this multiple of the rounding error of a product with it, relative
 * to the greatest; eigenvalues of D'D below the fraction of the greatest. */
static const double RANK_LOST = 4, RANK = 1e-11;
/* Corrections of each w with D w = 0: one leaves the condition of D times the square of a rounding
 * error, and the second what a double can hold. */
enum { REFINEMENTS = 2 };
/* Conjugate gradients end when the residual is this fraction of the initial one, or after this many
 * steps for each term; only matrices from files need them. */
static const double SMALL = 1e-15;
enum { MAX_STEPS = 4 };
/* Fraction of the greatest product up to which the remainder is a rounding error. */
static const double COMPLETE = 1e-10;

#endif
