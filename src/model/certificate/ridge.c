/* The certificate of l2-regularised problems. */
#include "tamis/certificate.h"

#include "base/memory.h"
#include "base/numeric/kept_sum.h"
#include "model/certificate/ridge_dual.h"
#include "model/loss/residual.h"

#include <stdlib.h>
#include <string.h>

static double factor_of(const tm_ridge_problem *problem, size_t j)
{
    return problem->factors ? problem->factors[j] : 1;
}

static void predict(const tm_ridge_problem *problem, const samples *of, const tm_dataset *data,
                    const double *w, double b, double *z)
{
    for (size_t i = 0; i < of->n; i++)
        z[i] = b + (of->offset ? of->offset[i] : 0);
    for (size_t k = 0; k < problem->count; k++)
        if (w[k] != 0)
            tm_matrix_axpy(tm_dataset_x(data), problem->features[k], w[k], z);
}

/* Computes the dual variables at the optimal intercept for w, where they sum to zero; updates z
 * accordingly. */
static void find_dual_variables(const tm_ridge_problem *problem, const samples *of, double *z,
                                double *a)
{
    double shift = problem->intercept ? samples_best_shift(of, z, 0) : 0;
    for (size_t i = 0; i < of->n; i++)
        z[i] += shift;
    samples_dual_variables(of, z, a);
    if (problem->intercept && of->loss->quadratic)
        samples_centre(of, a);
}

/* sum_j (x_j'a / f_j)^2, corrected for the remaining sum of a with the columns' means. */
static double product_squares(const tm_ridge_problem *problem, const samples *of,
                              const tm_dataset *data, const double *a)
{
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    double left = problem->intercept ? residual_sum(a, of->n) : 0;
    kept_sum sum = {0};
    for (size_t k = 0; k < problem->count; k++) {
        size_t j = problem->features[k];
        if (problem->intercept && !(deviations[j] > 0))
            continue;
        double product = tm_matrix_dot(tm_dataset_x(data), j, a) - means[j] * left;
        kept_add(&sum, product * product / (factor_of(problem, j) * factor_of(problem, j)));
    }
    return kept_total(&sum);
}

tm_status tm_certify_ridge(tm_certificate *out, const tm_dataset *data,
                           const tm_ridge_problem *problem, const double *w, double b,
                           tm_error *err)
{
    const loss *l = loss_find(problem->loss, err);
    if (!l)
        return TM_EUSAGE;
    samples of = samples_of(data, l);
    double *z = mem_array(2 * of.n, sizeof *z);
    kept_sum squares = {0};
    if (!z)
        return tm_fail_memory(err, "the certificate");
    double *a = z + of.n;
    predict(problem, &of, data, w, b, z);
    for (size_t k = 0; k < problem->count; k++) {
        double scaled = factor_of(problem, problem->features[k]) * w[k];
        kept_add(&squares, scaled * scaled);
    }
    out->primal = kept_total(&squares) / 2 + problem->C * samples_loss(&of, z);
    find_dual_variables(problem, &of, z, a);
    dual_residual_clamp(&of, a);
    dual_residual left = dual_residual_of_shift(&of, problem->intercept, z, a);
    out->dual = ridge_dual(&left, problem->C, product_squares(problem, &of, data, a));
    out->gap = out->primal - out->dual;
    free(z);
    return TM_OK;
}
