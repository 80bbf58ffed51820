/* Paired tests: whether two methods differ on the same splits. */
#ifndef TAMIS_COMPARE_H
#define TAMIS_COMPARE_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct tm_comparison {
    double mean_difference; /* of a - b */
    double t, t_p;          /* Student's paired t with n - 1 degrees of freedom, two-sided */
    double wilcoxon;        /* the smaller of the two sums of signed ranks; zeros are left out */
    double wilcoxon_p;      /* two-sided */
    bool exact;             /* the exact distribution: at most 50 pairs, no ties, no zeros;
                               otherwise the normal approximation, corrected for ties */
} tm_comparison;

/* TM_EUSAGE for fewer than two pairs, TM_EDATA for a number that is not finite. When all pairs are
 * equal both p are 1 and t is 0. */
tm_status tm_compare_paired(tm_comparison *out, const double *a, const double *b, size_t n,
                            tm_error *err);

#endif
