/* Columns over pairs of samples: for each feature its centred Gaussian kernel
 *
 *     exp(-(x_i - x_j)^2 / (2 sigma^2 v)),   where v is the feature's variance,
 *
 * computed whenever it is needed and never stored. A constant feature's column is zero. */
#ifndef DATA_PAIRS_COLUMNS_H
#define DATA_PAIRS_COLUMNS_H

#include "base/threads/team.h"
#include "data/pairs/layout.h"

#include "tamis/cancel.h"
#include "tamis/dataset.h"

typedef struct pair_terms {
    double sigma;      /* for the features' kernels, in standard deviations */
    bool unit_norm;    /* columns are divided by their norms */
    thread_team *team; /* will compute products at the same time */
    const tm_cancel *cancel;
    const double *response; /* one value for each row of the layout: products with it are computed
                             * together with the statistics and kept; NULL: none */
} pair_terms;

/* Mean and sum of squared deviations of each column, as stored in a data set: p values each. */
typedef struct pair_statistics {
    double *means, *deviations;
} pair_statistics;

/* A matrix of layout->rows rows and the data's columns; keeps a reference to the data. Takes
 * ownership of the layout, also on failure. Computes every column once. TM_ECANCELLED. */
tm_status pair_columns_new(tm_matrix **out, const pair_statistics *statistics,
                           const tm_dataset *data, pair_layout *layout, const pair_terms *terms,
                           tm_error *err);

/* The factor of each column such that its kernel is exp(-(x_i - x_j)^2): 1 / (sqrt(2) sigma
 * deviation) into rates[0..p-1]; 0 for a constant one. */
void pair_rates(const tm_dataset *data, double sigma, double *rates);
/* out[j] = exp(-(at[j] - point)^2) */
void pair_kernel_row(const double *restrict at, double point, size_t count, double *restrict out);

#endif
