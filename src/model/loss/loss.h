/* Losses l(y, z) of one sample: a table. They are summed over the samples.
 *
 * The dual variable of a sample is a_i = -l'(y_i, z_i); its part of the dual objective is -l*(y_i,
 * -a_i). */
#ifndef MODEL_LOSS_LOSS_H
#define MODEL_LOSS_LOSS_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct loss {
    const char *id;
    bool binary;       /* y must be +-1 */
    bool quadratic;    /* l'' is constant: residuals are linear in w */
    double smoothness; /* Lipschitz constant L of l' */
    double (*value)(double y, double z);
    double (*slope)(double y, double z);     /* l'(y, z) in z */
    double (*curvature)(double y, double z); /* l''(y, z); where l' has a kink, one of its values */
    double (*dual)(double y, double a);      /* -l*(y, -a), for a in the domain */
    double (*dual_slope)(double y,
                         double a); /* its derivative in a; infinite where it is vertical */
    bool dual_quadratic;            /* dual(y, a) = y a - a^2/2 on its domain */
    /* A good multiple s of the dual variables a, at most `most` in size, for the dual objective; s
     * a is in the domain. */
    double (*scale)(const double *y, const double *a, size_t n, double most);
    /* The same of n samples at once (loss_many.h), within a few ulp. */
    void (*values)(const double *y, const double *z, size_t n, double *out);
    void (*slopes)(const double *y, const double *z, size_t n, double *slopes, double *curvatures);
    void (*duals)(const double *y, const double *a, size_t n, double *out);
} loss;

/* How many samples are worked on at once where the results need room on the stack. */
enum { LOSS_BLOCK = 512 };

/* The sum of at most LOSS_BLOCK values, in an order that is the same on every machine. */
double loss_block_sum(const double *values, size_t count);
/* That of any number. */
double loss_total(const double *values, size_t count);

/* NULL and an error listing the known ones when there is no such loss. */
const loss *loss_find(const char *id, tm_error *err);

/* Sums over n samples: of the loss at z, and of the dual objective at scale * a. */
double loss_sum(const loss *l, const double *y, const double *z, size_t n);
double loss_dual_sum(const loss *l, const double *y, const double *a, double scale, size_t n);

/* a_i = -l'(y_i, z_i). */
void loss_dual_variables(const loss *l, const double *y, const double *z, size_t n, double *a);

/* The b that minimises sum_i l(y_i, z_i + b), to rounding: at it the dual variables sum to zero. A
 * loss for two classes needs both of them. `start` is a guess. */
double loss_best_shift(const loss *l, const double *y, const double *z, size_t n, double start);
/* The same with a weight of at least 0 for each sample; NULL: 1. */
double loss_best_shift_weighted(const loss *l, const double *y, const double *z,
                                const double *weights, size_t n, double start);

#endif
