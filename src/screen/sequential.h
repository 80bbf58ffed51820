/* Rules that certify features inactive at one lambda from an answer at another: `safe`, `dpp`,
 * `edpp`, `vi`.
 *
 * Each gives a region that is guaranteed to contain the dual optimum of the new lambda, theta* = a*
 * / lambda. None of them assumes that the earlier answer was optimal: they use only that its dual
 * point is feasible, and hold for any weights (derivations in docs/screening.md). */
#ifndef SCREEN_SEQUENTIAL_H
#define SCREEN_SEQUENTIAL_H

#include "model/loss/samples.h"
#include "screen/dome.h"
#include "screen/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* The vectors of which centres and half-spaces are linear combinations. The products of all
 * features with the first two are known; each extra vector needs a pass over the data. */
typedef enum screen_axis {
    AXIS_EARLIER, /* dual variables a of the earlier answer */
    AXIS_NULL,    /* dual variables of the null model; squared loss: y, centred with an intercept */
    AXIS_EXTRA,   /* computed by the rule */
    AXIS_EXTRA_2,
    AXES
} screen_axis;

enum { EXTRAS = AXES - AXIS_EXTRA };

/* The facts about the earlier answer (w, b) at `lambda`. Vectors have n entries, are dual variables
 * or weighted by the samples in the same way, and sum to zero with an intercept. Norms and inner
 * products are those of the samples' metric. */
typedef struct screen_earlier {
    const samples *of;
    bool intercept;
    bool null_gradient;      /* for every feasible a, null_dual - a is the dual's gradient at a */
    const double *null_dual; /* AXIS_NULL */
    double null_objective;   /* objective of the null model */
    double lambda_max;

    const double *dual; /* AXIS_EARLIER */
    const double *fit;  /* the samples' weights times Xw */
    /* For the null model: the feature whose constraint is active at lambda_max, weighted, with the
     * sign of its product, and its factor; NULL otherwise. */
    const double *first;
    double first_factor;
    double lambda;  /* lambda of the earlier answer */
    double scale;   /* (scale/lambda) dual is feasible for all features */
    double radius;  /* radius of the gap ball around that point, at `lambda` */
    double penalty; /* sum_j f_j |w_j| */
} screen_earlier;

typedef struct screen_region {
    double centre[AXES];
    bool halved;         /* whether there is a half-space normal'theta <= offset */
    double normal[AXES]; /* of any norm */
    double offset;
    double radius;          /* not finite: the rule gives no region */
    double *extras[EXTRAS]; /* n values each, for the rule to fill */
    int extra_count;        /* number of those that it has filled */
} screen_region;

/* The type of the rules. `scratch` has n values. */
typedef void screen_rule_region(const screen_earlier *earlier, double lambda, screen_region *region,
                                double *scratch);

#define RULE(id, made_of, ...) IF_REGION(made_of, screen_rule_region screen_##id;)
SCREEN_RULES(RULE)
#undef RULE

/* NULL: the rule has no region. */
screen_rule_region *screen_region_of(screen_rule rule);

/* sum_k weights[k] axis_k, into out. */
void screen_combine(const screen_earlier *earlier, const screen_region *region,
                    const double weights[AXES], double *out);

/* The dome of a region, and the norm of its normal (1 if there is none), by which products with the
 * normal must be divided. `scratch` has space for 2 n values. */
dome screen_dome(const screen_earlier *earlier, const screen_region *region, double *normal_length,
                 double *vectors);

#endif
