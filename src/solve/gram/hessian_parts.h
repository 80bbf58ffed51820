/* The internals of a hessian, shared by its set of features and its products. */
#ifndef SOLVE_GRAM_HESSIAN_PARTS_H
#define SOLVE_GRAM_HESSIAN_PARTS_H

#include "solve/gram/set_rows.h"

typedef struct hessian hessian;

/* The requested features among the cached ones. */
typedef struct hessian_set {
    uint32_t *places; /* p: 1 + a feature's place; 0: it is not cached */
    size_t *at;       /* capacity: the places of the set, `count` of them */
    size_t count;
} hessian_set;

/* Dense columns, which are multiplied in blocks of rows. */
typedef struct hessian_columns {
    const tm_matrix *x; /* the caller's */
    double *copies;     /* n x capacity: of columns that cannot be read by rows; or NULL */
    double *block;      /* BLAS_ROWS x capacity, column by column */
} hessian_columns;

struct hessian {
    size_t n, count, capacity; /* number of rows, of cached features (including those of earlier
                                * sets), and their capacity */
    size_t made;               /* the number of features whose products are in raw */
    size_t *features;          /* count */
    hessian_set set;
    bool dense, centred;
    uint64_t entries;  /* total entries of the columns */
    uint64_t *lengths; /* count, sparse: entries of each column */
    double work;
    set_rows sparse;
    hessian_columns columns;
    double *centres;  /* count: what is subtracted from the columns: means, or zeros */
    double *weights;  /* n: the weights that raw is for */
    double greatest;  /* greatest sum of weights so far on this set */
    double *raw;      /* the lower triangle of products, leading dimension capacity; the upper one
                       * mirrors it */
    double *products; /* set_count x set_count: products of the set, corrected for the means */
    double *column;   /* n: scratch */
};

/* Updates the products to the given weights: existing products by the change of the rows' weights,
 * missing ones from scratch. */
void hessian_update_products(hessian *h, const double *weights, thread_team *team);

#endif
