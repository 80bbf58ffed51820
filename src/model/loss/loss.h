/* Losses l(y, z) of one sample, each in its own file and a row of losses.h. They are summed over
 * the samples.
 *
 * The dual variable of a sample is a_i = -l'(y_i, z_i); its contribution to the dual objective is
 * -l*(y_i, -a_i). */
#ifndef MODEL_LOSS_LOSS_H
#define MODEL_LOSS_LOSS_H

#include "tamis/comm.h"
#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct loss {
    const char *id;
    bool binary;         /* y must be +-1 */
    bool quadratic;      /* l'' is constant: residuals are linear in w */
    bool probabilities;  /* its minimiser z is the log-odds of class +1 */
    bool dual_quadratic; /* dual(y, a) = y a - a^2/2 on its domain */
    double smoothness;   /* Lipschitz constant L of l' */
    double dual_most;    /* for two classes: y a is in 0 .. dual_most, which may be infinite */
    double (*value)(double y, double z);
    double (*slope)(double y, double z);      /* l'(y, z) in z */
    double (*curvature)(double y, double z);  /* l''(y, z); at a kink of l' one of its values */
    double (*dual)(double y, double a);       /* -l*(y, -a), for a in the domain */
    double (*dual_slope)(double y, double a); /* derivative in a; infinite where it is vertical */
    /* A multiple s of the dual variables a, at most `most` in absolute value, with a large dual
     * objective; s a is in the domain. */
    double (*scale)(const double *y, const double *a, size_t n, double most);
    /* The s >= 0 that maximises sum_i -l*(y_i, -s a_i) - penalty s^2 / 2. */
    double (*multiple)(const double *y, const double *a, size_t n, double penalty);
    /* The a' that maximises -weight l*(y, -a'/weight) - (a' - a) z - q (a' - a)^2 / 2. */
    double (*ascend)(double y, double z, double a, double weight, double q);
    /* The same for n samples at once, in loops without calls: within 5 ulp of the exact value
     * (absolute 1e-300 when that is below 1e-300), and bitwise the same on every x86-64 machine.
     * The duals clamp y a to the domain where it is bounded. */
    void (*values)(const double *y, const double *z, size_t n, double *out);
    void (*slopes)(const double *y, const double *z, size_t n, double *slopes, double *curvatures);
    void (*duals)(const double *y, const double *a, size_t n, double *out);
} loss;

/* Number of samples processed at once when the results are stored on the stack. */
enum { LOSS_BLOCK = 512 };

/* The sum of at most LOSS_BLOCK values, in an order that is the same on every machine. */
double loss_block_sum(const double *values, size_t count);
/* The same for any number of values. */
double loss_total(const double *values, size_t count);

/* Looks up losses.h: NULL and an error that lists all ids when there is no such loss. */
const loss *loss_find(const char *id, tm_error *err);

/* Sums over n samples: of the loss at z, and of the dual objective at scale * a. */
double loss_sum(const loss *l, const double *y, const double *z, size_t n);
double loss_dual_sum(const loss *l, const double *y, const double *a, double scale, size_t n);

/* a_i = -l'(y_i, z_i). */
void loss_dual_variables(const loss *l, const double *y, const double *z, size_t n, double *a);

/* The b that minimises sum_i l(y_i, z_i + b), up to rounding; there the dual variables sum to zero.
 * A loss for two classes needs samples of both. `start` is an initial guess. */
double loss_best_shift(const loss *l, const double *y, const double *z, size_t n, double start);
/* Rows with nonnegative weights (NULL: 1), of which other processes may have more (comm not NULL);
 * `total` is the sum of all weights. */
typedef struct loss_rows {
    const double *y, *weights;
    size_t n;
    double total;
    const tm_comm *comm;
} loss_rows;
/* The same for such rows. */
double loss_best_shift_of(const loss *l, const loss_rows *rows, const double *z, double start);

#endif
