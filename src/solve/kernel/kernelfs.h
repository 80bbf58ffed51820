/* Structured kernel selection: declarations that its solvers share. */
#ifndef SOLVE_KERNEL_KERNELFS_H
#define SOLVE_KERNEL_KERNELFS_H

#include "model/kernel/alignment.h"
#include "solve/common/progress.h"

#include "tamis/params.h"

/* In the order of kernelfs_solvers. */
enum { KERNELFS_EXACT, KERNELFS_AVERAGING };
extern const tm_choice kernelfs_solvers[];

/* The terms of each feature i: those at starts[i] .. starts[i + 1] - 1. */
typedef struct feature_terms {
    size_t *starts; /* p + 1 */
    uint32_t *terms;
} feature_terms;

/* The working set of features, in the order of the problem on them. */
typedef struct feature_set {
    size_t *list, count; /* list: p */
    bool *in;            /* p */
    double target;       /* target of the next problem on them, as a fraction of the null
                          * objective */
} feature_set;

/* State of dual averaging between two calls. */
typedef struct averaging {
    double *mean_slope; /* p: mean over the steps so far */
    double *mean_a;     /* p: mean of their weights */
    double *visits;     /* n: number of steps in which the sample's hinge loss was active */
    double *slope;      /* p */
    size_t *order;      /* n */
    uint64_t steps, seed;
    double gamma, multiple; /* gamma as a multiple of its default */
} averaging;

typedef struct kernelfs {
    const tm_dataset *data;
    alignment of;
    tm_graph *graph;
    alignment_problem problem;
    feature_terms terms;
    feature_set set;
    averaging average;
    double *a, *flow, *q; /* p: weights, the flow that gives v, products */
    double *alpha, *z;    /* n: dual point, margins */
    double *sums;         /* p: HSIC of each feature with the classes */
    double *products;     /* p: Z'alpha */
    double lambda_max;
    uint64_t rounds, max_rounds;
    bool averages, solved, warm;
} kernelfs;

/* How a solver ended. */
typedef struct kernelfs_end {
    bool converged, stalled;
} kernelfs_end;

/* Working sets and an interior point method, starting from s->a and the set. */
tm_status kernelfs_exact(kernelfs *s, double target, solve_progress *progress, kernelfs_end *end,
                         tm_error *err);
/* SAIF algorithm 4. */
tm_status kernelfs_average(kernelfs *s, double target, solve_progress *progress, kernelfs_end *end,
                           tm_error *err);
void kernelfs_average_begin(kernelfs *s);

/* Computes the gap of the weights, the dual point and the flow, and reports it; q becomes Z'alpha -
 * D'v. */
double kernelfs_gap(kernelfs *s, size_t active, solve_progress *progress);

/* Lists the terms of each feature. False when memory ran out. */
bool feature_terms_make(feature_terms *out, const tm_graph *graph);
/* Reorders the set's list so that features joined by a term are near each other. */
bool feature_set_order(feature_set *set, const feature_terms *terms, const tm_graph *graph);
/* The matrix 2 scale D'D of the set's features in band form (interior.h), malloc'ed; NULL when
 * memory ran out. */
double *feature_set_band(const feature_set *set, const tm_graph *graph, double scale,
                         size_t *below);

#endif
