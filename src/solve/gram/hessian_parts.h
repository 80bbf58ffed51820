/* The inside of a hessian, shared by its set of features and its products. */
#ifndef SOLVE_GRAM_HESSIAN_PARTS_H
#define SOLVE_GRAM_HESSIAN_PARTS_H

#include "solve/gram/set_rows.h"

typedef struct hessian hessian;

/* The features asked for among those there are. */
typedef struct hessian_set {
    uint32_t *places; /* p: 1 + a feature's place; 0: it has none */
    size_t *at;       /* capacity: the places of the set, `count` of them */
    size_t count;
} hessian_set;

struct hessian {
    size_t n, count, capacity; /* features, those of earlier sets among them, and how many fit */
    size_t made;               /* the first so many have their products in raw */
    size_t *features;          /* count */
    hessian_set set;
    bool dense, centred;
    uint64_t entries;  /* of the columns */
    uint64_t *lengths; /* count, sparse: of each column */
    double work;
    set_rows sparse;
    /* dense: row i is rows[i*capacity .. i*capacity+count-1], less the columns' means when centred
     */
    double *rows, *block; /* n x capacity; BLAS_ROWS x capacity */
    double *centres;      /* count: what was taken away from the columns */
    double *weights;      /* n: those that raw is for */
    double greatest;      /* sum of weights so far on this set */
    double *raw; /* the lower triangle for them, leading dimension capacity; above it, a mirror */
    double *products; /* set_count x set_count: those of the set, with means taken out */
    double *column;   /* n: scratch */
};

/* Brings the products to the weights given: what is there changes with the rows' weights, what is
 * not is made. */
void hessian_update_products(hessian *h, const double *weights, int threads);

#endif
