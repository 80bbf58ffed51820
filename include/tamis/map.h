/* Feature maps: features computed from the columns of a matrix by a formula, too many to be stored.
 * A map contains only what is needed to compute the same features for new rows. Immutable and
 * reference counted; threads share it without locks.
 *
 *     poly2     all products of degree 0, 1 and 2: a, sqrt(2 gamma a) x_j, gamma x_j^2 and
 *               sqrt(2) gamma x_j x_k with a = coef0; their inner products are
 *               (gamma x'z + coef0)^2 (FGM section 6.2)
 *     hik       100 features a column, whose inner products are min(t^a, t'^a), where t is the
 *               column scaled to 0..1 by its range in the training data and a is the exponent
 *               (FGM 6.1, 8.6.2; Wu 2012)
 *     gaussian  11 features a column, whose inner products are exp(-(t - t')^2 / (2 sigma^2)) up to
 *               a truncated Fourier series (Vedaldi and Zisserman 2010)
 *     chi2      11 features a column, likewise for 2 t t' / (t + t')
 *     gaussian_sums  a feature a column: sum_m coef_m exp(-(rate_j (x_j - c_mj))^2) over the
 *               training samples m, for the columns selected by `kernelfs`; only models have it
 *
 * Features are numbered from 0. poly2: the constant, the p linear ones, the p squares, then the
 * pairs (0,1), (0,2), ..., (1,2), ... The others: column j has the features j width .. j width
 * + width - 1. */
#ifndef TAMIS_MAP_H
#define TAMIS_MAP_H

#include "tamis/matrix.h"

typedef struct tm_map tm_map;

/* p > 0, gamma > 0, coef0 >= 0. TM_EUSAGE when there would be more than 2^53 features. */
tm_status tm_map_new_poly2(tm_map **out, size_t p, double gamma, double coef0, tm_error *err);
/* kind: "hik", "gaussian" or "chi2". Column j runs from low[j] to high[j] (copied; p values
 * each; NaN: the column is not used). shape > 0: the exponent of hik; sigma of gaussian, in units
 * of the range; not read by chi2. */
tm_status tm_map_new_kernel(tm_map **out, const char *kind, size_t p, const double *low,
                            const double *high, double shape, tm_error *err);
tm_map *tm_map_ref(const tm_map *map);
void tm_map_unref(tm_map *map);

const char *tm_map_kind(const tm_map *map);
size_t tm_map_cols(const tm_map *map);       /* p, the columns it is computed from */
uint64_t tm_map_features(const tm_map *map); /* the number of features */
size_t tm_map_width(const tm_map *map);      /* features of each column; 1 for poly2 */
double tm_map_gamma(const tm_map *map);      /* for poly2; NaN otherwise */
double tm_map_coef0(const tm_map *map);
double tm_map_sigma(const tm_map *map);    /* for gaussian; NaN otherwise */
double tm_map_exponent(const tm_map *map); /* for hik; NaN otherwise */
/* For hik, gaussian and chi2: the range of column j. */
void tm_map_range(const tm_map *map, size_t j, double *low, double *high);
/* The columns that a feature is computed from: returns 0, 1 or 2, their number. */
int tm_map_parents(const tm_map *map, uint64_t feature, size_t columns[2]);

/* Computes feature number `feature` of the rows of x into out[0..n-1]. Columns that x does not have
 * count as zero. TM_ENOMEM. */
tm_status tm_map_column(const tm_map *map, const tm_matrix *x, uint64_t feature, double *out,
                        tm_error *err);
/* z += sum_k weights[k] (feature first + k) over the rows of x, for features of one column, or a
 * single one of poly2: faster than feature by feature, since only stored entries are evaluated.
 * TM_ENOMEM. */
tm_status tm_map_apply(const tm_map *map, const tm_matrix *x, uint64_t first, size_t count,
                       const double *weights, double *z, tm_error *err);
/* "X3*X17", "X5^2", "1", "X7[12]": label(j, payload, buffer, size) names a column. Returns
 * buffer. */
const char *tm_map_label(const tm_map *map, uint64_t feature,
                         const char *(*label)(size_t j, void *payload, char *buffer, size_t size),
                         void *payload, char *buffer, size_t size);

#endif
