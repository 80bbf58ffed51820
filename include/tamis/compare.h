/* Paired tests of whether two methods differ on the same splits. */
#ifndef TAMIS_COMPARE_H
#define TAMIS_COMPARE_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct tm_comparison {
    double mean_difference; /* mean of a - b */
    double t, t_p;          /* Student's paired t with n - 1 degrees of freedom, two-sided */
    double wilcoxon;        /* the smaller of the two sums of signed ranks, without zeros */
    double wilcoxon_p;      /* two-sided */
    bool exact;             /* exact distribution: for at most 50 pairs without ties and zeros;
                             * otherwise the normal approximation, corrected for ties */
} tm_comparison;

/* TM_EUSAGE for fewer than two pairs, TM_EDATA for a number that is not finite. When all pairs are
 * equal, both p are 1 and t is 0. */
tm_status tm_compare_paired(tm_comparison *out, const double *a, const double *b, size_t n,
                            tm_error *err);

/* Student's t for scores on resampled splits, whose training rows overlap: uses the variance of
 * Nadeau and Bengio (2003), (1/n + ratio) times the sample variance, where `ratio` is the number of
 * test rows divided by that of training rows (1 / (K - 1) for K folds). Ratio 0 gives the plain
 * test. */
tm_status tm_compare_corrected(double *t, double *p, const double *a, const double *b, size_t n,
                               double ratio, tm_error *err);

/* Holm's correction of the p values of several tests, in place: rejecting those below a level
 * keeps the probability of any false rejection below that level. TM_EUSAGE for a number outside
 * [0, 1]. */
tm_status tm_compare_holm(double *p, size_t count, tm_error *err);

#endif
