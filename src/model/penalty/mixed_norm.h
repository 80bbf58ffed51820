/* The penalty of UFO-MKL (Orabona and Luo 2011), for groups that do not overlap:
 *
 *     R(w) = alpha |w|_(2,1) + (1 - alpha)/2 |w|_(2,r)^2,   |w|_(2,r) = (sum_g (d_g |f
 * w_g|_2)^r)^(1/r),
 *
 * with 1/r + 1/q = 1. The first term selects groups, the second is strongly convex. With strength
 * s,
 *
 *     (s R)*(c) = 1/(2 s (1 - alpha)) |v|_q^2,   v_g = max(0, |c_g / f|_2 / d_g - s alpha).
 *
 * Features in no group have no weight. */
#ifndef MODEL_PENALTY_MIXED_NORM_H
#define MODEL_PENALTY_MIXED_NORM_H

#include "tamis/groups.h"

typedef struct mixed_norm {
    tm_groups *groups;
    size_t count;    /* number of groups */
    double *weights; /* groups: d_g */
    double *factors; /* p: f_j > 0; NULL: all 1 */
    double alpha, q; /* 0 < alpha < 1, q >= 2 */
    double *lengths; /* groups: scratch */
} mixed_norm;

/* Takes a reference to the groups, and ownership of the factors, also on failure. TM_EUSAGE for
 * overlapping groups. */
tm_status mixed_norm_init(mixed_norm *m, tm_groups *groups, double *factors, tm_error *err);
void mixed_norm_clear(mixed_norm *m);
/* The q of the paper: 2 log of the number of groups, at least 2. */
double mixed_norm_usual_q(const mixed_norm *m);

double mixed_norm_value(mixed_norm *m, const double *w);
/* (s R)*(c), and the w that maximises c'w - s R(w). */
double mixed_norm_conjugate(mixed_norm *m, const double *c, double strength);
void mixed_norm_maximiser(mixed_norm *m, const double *c, double strength, double *w);
/* The greatest |c_g / f|_2 / d_g: if s alpha is at least that, w = 0. */
double mixed_norm_greatest(mixed_norm *m, const double *c);

#endif
