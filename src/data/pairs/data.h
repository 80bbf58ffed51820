/* The data set of pairs of samples that the HSIC lasso is solved on: its columns are the features'
 * centred kernels, its response is the kernel of the output. */
#ifndef DATA_PAIRS_DATA_H
#define DATA_PAIRS_DATA_H

#include "data/pairs/columns.h"

/* The kernel of two outputs: exp(-(y_i - y_j)^2 / (2 sigma^2 v)), where v is the variance of y; or
 * 1 / n_c for two samples of a class of n_c samples, 0 for samples of different classes. */
typedef enum pair_output { PAIR_GAUSSIAN, PAIR_DELTA } pair_output;

typedef struct pair_spec {
    pair_terms terms;
    pair_output output;
    double output_sigma; /* for PAIR_GAUSSIAN, in standard deviations */
    size_t block;        /* number of samples compared with each other; 0: all */
    uint64_t seed;       /* for the assignment to blocks */
} pair_spec;

/* Keeps a reference to the data. With terms.unit_norm the response has norm 1 too. */
tm_status pair_data_new(tm_dataset **out, const tm_dataset *data, const pair_spec *spec,
                        tm_error *err);

#endif
