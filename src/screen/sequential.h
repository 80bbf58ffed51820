/* Rules that certify features inactive at one lambda from an answer at another: `safe`, `dpp`,
 * `edpp`, `vi`.
 *
 * Each gives a region that certainly holds the dual optimum of the new lambda, theta* = a* /
 * lambda. None of them supposes that the earlier answer was optimal: its dual point is feasible and
 * its weights are weights, and that is all that enters (derivations in docs/screening.md). */
#ifndef SCREEN_SEQUENTIAL_H
#define SCREEN_SEQUENTIAL_H

#include "model/loss/samples.h"
#include "screen/dome.h"
#include "screen/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* The vectors that centres and half-spaces are combinations of. The products of all features with
 * the first two are known; an extra vector costs a pass over the data. */
typedef enum screen_axis {
    AXIS_EARLIER, /* dual variables a of the earlier answer */
    AXIS_NULL,    /* dual variables of the null model; squared loss: y, centred with an intercept */
    AXIS_EXTRA,   /* made by the rule */
    AXIS_EXTRA_2,
    AXES
} screen_axis;

enum { EXTRAS = AXES - AXIS_EXTRA };

/* What is known of the earlier answer (w, b) at `lambda`. Vectors have n entries, are dual
 * variables or made like them (weighted by the samples), and sum to zero with an intercept. Lengths
 * and inner products are those of the samples' metric. */
typedef struct screen_earlier {
    const samples *of;
    bool intercept;
    bool null_gradient;      /* for every feasible a, null_dual - a is the dual's gradient at a */
    const double *null_dual; /* AXIS_NULL */
    double null_objective;   /* of the null model */
    double lambda_max;

    const double *dual; /* AXIS_EARLIER */
    const double *fit;  /* the samples' weights times Xw */
    /* The null model only: the feature that reaches its constraint at lambda_max, weighted, with
     * the sign of its product; NULL otherwise. And its factor. */
    const double *first;
    double first_factor;
    double lambda;  /* at which it was the answer */
    double scale;   /* (scale/lambda) dual is feasible for all features */
    double radius;  /* of the gap ball around that point, at `lambda` */
    double penalty; /* sum_j f_j |w_j| */
} screen_earlier;

typedef struct screen_region {
    double centre[AXES];
    bool halved;         /* whether there is a half-space normal'theta <= offset */
    double normal[AXES]; /* of any length */
    double offset;
    double radius;          /* not finite: the rule knows nothing */
    double *extras[EXTRAS]; /* n values each, for the rule to fill */
    int extra_count;        /* those that it has filled */
} screen_region;

/* The rules. `scratch` is n values of scratch. */
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

/* The dome of a region, and the length of its normal (1 when there is none): products with the
 * normal are to be divided by it. `scratch` has space for 2 n values. */
dome screen_dome(const screen_earlier *earlier, const screen_region *region, double *normal_length,
                 double *vectors);

#endif
