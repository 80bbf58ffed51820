/* Searches that choose configurations by what sweeps have found so far. */
#ifndef TAMIS_SWEEP_SEARCH_H
#define TAMIS_SWEEP_SEARCH_H

#include "tamis/sweep.h"

/* How many of `count` configurations are left when one of `eta` goes on each time, after `rounds`
 * rounds before: count / eta^rounds, rounded down, and 1 at least. */
size_t tm_halving_left(size_t count, size_t eta, size_t rounds);

/* What was tried. */
typedef struct tm_sweep_tried {
    const tm_sweep_axis *axes;
    size_t axis_count;
    const char *const *values; /* count x axis_count texts, row by row; NULL: the default */
    const double *scores;      /* greater is better; NaN: none, which is the worst */
    size_t count;
} tm_sweep_tried;

/* `count` configurations by the tree-structured Parzen estimator (Bergstra and others 2011): of
 * values drawn from a density of the best quarter of those that were tried, each axis by itself,
 * those that are most likely there compared with the others. Those of one call differ from each
 * other and from what was tried, as long as the axes have more; fewer when they do not. *out has
 * *made x axis_count texts, to be freed with tm_sweep_values_free. Decided by its arguments alone.
 */
tm_status tm_sweep_propose(char ***out, size_t *made, const tm_sweep_tried *tried, size_t count,
                           uint64_t seed, tm_error *err);

#endif
