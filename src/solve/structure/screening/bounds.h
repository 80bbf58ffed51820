/* Bounds on the dual of a structured penalty, which show that terms are zero at the optimum: SAIF
 * (Ren 2017) sections 3.3.3 and 3.3.4, with the corrections that docs/structure.md lists.
 *
 * The optimal dual variables lie in a ball, so that every product q_j and every sum of products
 * lies in an interval. A term whose |v_k| stays below lambda for all v with D'v + s in those
 * intervals is zero. */
#ifndef SOLVE_STRUCTURE_SCREENING_BOUNDS_H
#define SOLVE_STRUCTURE_SCREENING_BOUNDS_H

#include "solve/structure/screening/inequalities.h"

/* The ball around `scale` times the dual variables with products q, in the samples' metric. */
typedef struct dual_ball {
    const double *q; /* p */
    double scale, radius;
} dual_ball;

/* What depends on the columns and the graph alone, so that bounds at any lambda read no column. */
typedef struct bounds bounds;

/* Requires terms that are edges. What they point to must outlive it. *columns is increased by the
 * number of columns read. */
tm_status bounds_new(bounds **out, const tm_dataset *data, const samples *of,
                     const graph_terms *terms, bounds_kind kind, uint64_t *columns, tm_error *err);
void bounds_free(bounds *b);

/* Bounds on v, then on s, at this lambda, from at most MAX_PROPAGATION times as many inequalities
 * as there are. Only inequalities with a variable whose interval became narrower are used again,
 * and unless `narrow_proven` only those with a variable that is not proven zero yet: the bounds of
 * others stay as they were when they were proven. */
void bounds_find(bounds *b, const dual_ball *ball, double lambda, bool narrow_proven);
/* Whether the term, or the feature's own penalty, of this variable is zero at lambda. */
bool bounds_prove(const bounds *b, size_t variable, double lambda);
/* A value for each term, then one for each feature if features have penalties of their own. */
const double *bounds_low(const bounds *b);
const double *bounds_high(const bounds *b);

/* One inequality: low <= sum_i values[i] x[at[i]] <= high. Narrows the intervals of its variables.
 * Returns how many became narrower by more than rounding, and which, if `narrower` (count) is not
 * NULL. Unlike in the thesis, the ends are exchanged when a coefficient is negative. */
typedef struct bounds_row {
    size_t count;
    const size_t *at;
    const double *values;
    double low, high;
} bounds_row;
size_t bounds_propagate(const bounds_row *row, double *low, double *high, size_t *narrower);

#endif
