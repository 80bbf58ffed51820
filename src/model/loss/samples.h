/* The rows that a loss is summed over, with their weights s_i and offsets o_i:
 *
 *     sum_i s_i l(y_i, z_i),   z_i = o_i + x_i'w + b.
 *
 * The dual variable of a row is a_i = -s_i l'(y_i, z_i), so that x_j'a is minus the derivative of
 * the sum in w_j. The dual objective is sum_i [ -s_i l*(y_i, -a_i / s_i) - o_i a_i ]; it is
 * strongly concave in the metric sum_i u_i v_i / s_i, with the constant 1/L of the loss for any
 * weights. All lengths and distances of dual points are in this metric. Rows of weight 0 have a_i =
 * 0 and are ignored. */
#ifndef MODEL_LOSS_SAMPLES_H
#define MODEL_LOSS_SAMPLES_H

#include "model/loss/loss.h"
#include "tamis/dataset.h"

typedef struct samples {
    const loss *loss;
    size_t n;
    const double *y, *weights, *offset; /* weights and offset: NULL: 1 and 0 */
    double total;                       /* sum of the weights */
    size_t all;                         /* all rows: n, unless other processes have more of them */
    const tm_comm *comm; /* of those processes, whose rows the sums below are over, too; or NULL */
} samples;

samples samples_of(const tm_dataset *data, const loss *l);

static inline double samples_weight(const samples *of, size_t i)
{
    return of->weights ? of->weights[i] : 1;
}

/* The sum over all processes' rows of which `sum` is that over the rows at hand. */
double samples_over_all(const samples *of, double sum);
/* The same of several sums. */
void samples_add_all(const samples *of, double *sums, size_t count);
/* sum v_i, as if computed with twice the digits. */
double samples_sum(const samples *of, const double *v);
/* sum u_i v_i / s_i over the rows with a weight. */
double samples_inner(const samples *of, const double *u, const double *v);
/* z = offset + Xw + b. */
void samples_predict(const samples *of, const tm_dataset *data, const double *w, double b,
                     double *z);
/* Adds offset + b to z = Xw. */
void samples_add_constants(const samples *of, double b, double *z);
/* The loss at z, and its dual variables there. */
double samples_loss(const samples *of, const double *z);
void samples_dual_variables(const samples *of, const double *z, double *a);
/* The loss at z + t d. */
double samples_loss_along(const samples *of, const double *z, double t, const double *d);
/* The dual variables at z, and the second derivatives s_i l''(y_i, z_i). */
void samples_model(const samples *of, const double *z, double *a, double *h);
/* The dual objective at scale * a, and a scale of at most `most` that makes it large (see
 * loss.scale). */
double samples_dual(const samples *of, const double *a, double scale);
double samples_scale(const samples *of, const double *a, double most);
/* The b that minimises the loss at z + b, up to rounding; `start` is an initial guess. */
double samples_best_shift(const samples *of, const double *z, double start);
/* Subtracts a multiple of the weights from a so that it sums to zero. */
void samples_centre(const samples *of, double *a);
/* Adds the optimal shift to z when there is an intercept, and computes the dual variables there,
 * which then sum to zero. */
void samples_fit_shift(const samples *of, bool intercept, double *z, double *a);
/* Whether dual variables of a loss for two classes lie in the conjugate's domain, y_i a_i >= 0 (and
 * at most the sample's weight, for logistic). Fitting the unpenalised part and centring change them
 * by rounding errors; if they are rounding errors themselves, as with separated classes, this moves
 * them out of the domain, and their value gives no bound. */
bool samples_in_domain(const samples *of, const double *a);

#endif
