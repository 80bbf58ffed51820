/* Searches that choose configurations by the results of sweeps so far. */
#ifndef TAMIS_SWEEP_SEARCH_H
#define TAMIS_SWEEP_SEARCH_H

#include "tamis/sweep.h"

/* How many of `count` configurations are left after `rounds` rounds that each keep one in `eta`:
 * count / eta^rounds, rounded down, but at least 1. */
size_t tm_halving_left(size_t count, size_t eta, size_t rounds);

/* The configurations tried so far. */
typedef struct tm_sweep_tried {
    const tm_sweep_axis *axes;
    size_t axis_count;
    const char *const *values; /* count x axis_count texts, row by row; NULL: the default */
    const double *scores;      /* greater is better; NaN: no score, which ranks last */
    size_t count;
} tm_sweep_tried;

/* Proposes `count` configurations by the tree-structured Parzen estimator (Bergstra and others
 * 2011): values are drawn, each axis by itself, from a density of the best quarter of the
 * configurations tried, and those with the greatest density ratio to the others are chosen. The
 * proposals of one call differ from each other and from what was tried as long as the axes have
 * more values; otherwise there are fewer. *out has *made x axis_count texts, freed with
 * tm_sweep_values_free. Determined by its arguments alone. */
tm_status tm_sweep_propose(char ***out, size_t *made, const tm_sweep_tried *tried, size_t count,
                           uint64_t seed, tm_error *err);

#endif
