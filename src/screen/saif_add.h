/* SAIF's ADD operation: which remaining features enter the active set. */
#ifndef SCREEN_SAIF_ADD_H
#define SCREEN_SAIF_ADD_H

#include "screen/gap.h"

#include "tamis/error.h"

typedef struct saif_add_limits {
    size_t most;  /* h: at most this many features at a time */
    size_t slack; /* h~: a feature enters when fewer than this many others may exceed it */
} saif_add_limits;

/* h = ceil(c log((median + max) / lambda) log p) and h~ = ceil(zeta h), each at least 1, where
 * median and max are those of |x_j'y| / f_j over all p features. SAIF 2.2.2. */
saif_add_limits saif_add_limits_of(double median, double max, double lambda, size_t p, double c,
                                   double zeta);

typedef struct saif_added {
    size_t *features; /* owned by the caller, with room for limits->most */
    size_t count;
    double greatest_upper; /* the greatest upper bound of all remaining features; 0: none remain */
} saif_added;

/* SAIF algorithm 2. Considers the features with in_active[j] == false and a nonzero norm, in the
 * descending order of |x_j'centre| / f_j, at most limits->most of them, and adds those that
 * fewer than limits->slack others may exceed anywhere in the ball. */
tm_status saif_add_choose(const screen_features *features, const bool *in_active, const ball *b,
                          const saif_add_limits *limits, saif_added *added, tm_error *err);

/* |x_j'centre| / f_j, or, with a weight restricted to one sign, that of sign x_j'centre / f_j: the
 * score by which ADD ranks features. */
double screen_centre(const screen_features *features, size_t j, const ball *b);

/* The `most` remaining features with the greatest |x_j'centre| / f_j, unconditionally. */
tm_status screen_best(const screen_features *features, const bool *in_active, const ball *b,
                      size_t most, size_t *chosen, size_t *count, tm_error *err);

/* The `most` of p features with skip[j] == false and the greatest scores, in descending order. */
tm_status screen_greatest(const double *scores, const bool *skip, size_t p, size_t most,
                          size_t *chosen, size_t *count, tm_error *err);

#endif
