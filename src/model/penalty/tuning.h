/* Limits and what counts as rounding in the coefficients without a penalty and in the terms of
 * graphs. They decide where a fit without the penalty ends, whose slopes are then rounding; none is
 * a trade. scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef MODEL_PENALTY_TUNING_H
#define MODEL_PENALTY_TUNING_H

#include <stddef.h>

/* A column of which this share or less is not explained by those before it counts as dependent. */
static const double DEPENDENT = 1e-12;
/* The basis may take this many doubles: 1 GB. */
static const size_t BASIS_ROOM = (size_t)1 << 27;
/* At a loss below this share of that without features the classes are separated; below the other,
 * of the response's squares, a squared loss is a perfect fit, and what is left of it rounding. */
static const double SEPARATED = 1e-11, PERFECT = 1e-26;
/* Newton steps, halvings of one, and steps in a row without progress. A step makes progress when it
 * brings the slope to the share of the least so far, or the slope is still far: above that share of
 * the gradient. */
enum { MAX_NEWTON = 200, HALVINGS = 50, MAX_IDLE = 3 };
static const double WORTHWHILE = 0.5, FAR_SLOPE = 1e-6;
/* What the Hessian's diagonal gets where no sample has curvature, in units of the loss's. */
static const double RIDGE = 1e-12;
/* Predicted decrease, as a share of the loss, that rounding hides, and Armijo's share of it. */
static const double HIDDEN = 1e-13, ARMIJO = 1e-4;
/* The slope that is rounding, as a share of the gradient, for each root of a row. */
static const double SLOPE_LOST = 1e-15;
/* The product, as a share of both lengths, that releases a feature from its bound. */
static const double RELEASING = 1e-12;

/* A matrix D from a file is worked on as a dense one: its width is bounded. */
enum { MAX_DENSE = 3000 };
/* Eigenvalues of D'D below this share of the greatest are 0. */
static const double RANK = 1e-11;
/* Conjugate gradients end when the residual is this share of what it was, or after so many steps
 * for each term; matrices from files alone need them. */
static const double SMALL = 1e-15;
enum { MAX_STEPS = 4 };
/* Share of the greatest product up to which what is left is rounding. */
static const double COMPLETE = 1e-10;

#endif
