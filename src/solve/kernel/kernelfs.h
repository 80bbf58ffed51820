/* Structured kernel selection: what its solvers share. */
#ifndef SOLVE_KERNEL_KERNELFS_H
#define SOLVE_KERNEL_KERNELFS_H

#include "model/kernel/alignment.h"
#include "solve/common/progress.h"

#include "tamis/params.h"

/* In the order of kernelfs_solvers. */
enum { KERNELFS_EXACT, KERNELFS_AVERAGING };
extern const tm_choice kernelfs_solvers[];

/* The terms of each feature: those at starts[i] .. starts[i + 1] - 1. */
typedef struct feature_terms {
    size_t *starts; /* p + 1 */
    uint32_t *terms;
} feature_terms;

/* The features that are worked on, in the order of the problem on them. */
typedef struct feature_set {
    size_t *list, count; /* list: p */
    bool *in;            /* p */
    double target;       /* of the next problem on them, as a share of the null objective */
} feature_set;

/* Dual averaging between two calls. */
typedef struct averaging {
    double *mean_slope; /* p: of the steps so far */
    double *mean_a;     /* p: of their weights */
    double *visits;     /* n: steps in which the sample's margin was short */
    double *slope;      /* p */
    size_t *order;      /* n */
    uint64_t steps, seed;
    double gamma, multiple; /* gamma is so many times the usual one */
} averaging;

typedef struct kernelfs {
    const tm_dataset *data;
    alignment of;
    tm_graph *graph;
    alignment_problem problem;
    feature_terms terms;
    feature_set set;
    averaging average;
    double *a, *flow, *q; /* p: weights, what v is made of, products */
    double *alpha, *z;    /* n: dual point, margins */
    double *sums;         /* p: HSIC of each feature with the classes */
    double lambda_max;
    uint64_t rounds, max_rounds;
    bool averages, solved, warm;
} kernelfs;

/* What a solver says of itself. */
typedef struct kernelfs_end {
    bool converged, stalled;
} kernelfs_end;

/* Working sets and an interior point method, from s->a and the set. */
tm_status kernelfs_exact(kernelfs *s, double target, solve_progress *progress, kernelfs_end *end,
                         tm_error *err);
/* SAIF algorithm 4. */
tm_status kernelfs_average(kernelfs *s, double target, solve_progress *progress, kernelfs_end *end,
                           tm_error *err);
void kernelfs_average_begin(kernelfs *s);

/* Of the weights, the dual point and the flow: the gap, which is reported; q becomes Z'alpha -
 * D'v. */
double kernelfs_gap(kernelfs *s, size_t active, solve_progress *progress);

/* The terms of each feature. False when memory ran out. */
bool feature_terms_make(feature_terms *out, const tm_graph *graph);
/* Puts the set's list in an order in which features that a term joins are near each other. */
bool feature_set_order(feature_set *set, const feature_terms *terms, const tm_graph *graph);
/* 2 scale D'D of the set's features as a band (interior.h), malloc'ed; NULL when memory ran out. */
double *feature_set_band(const feature_set *set, const tm_graph *graph, double scale,
                         size_t *below);

#endif
