#include "model/certificate/multi.h"

#include "base/memory.h"
#include "base/numeric/kept_sum.h"
#include "base/numeric/order.h"
#include "base/threads/parallel.h"
#include "data/matrix/pass_team.h"
#include "model/certificate/tuning.h"
#include "model/penalty/ksupport.h"

#include <math.h>
#include <stdlib.h>

typedef struct scan {
    const tm_matrix *x;
    const double *v;
    double *out;
} scan;

static void scan_range(size_t from, size_t to, void *payload)
{
    const scan *s = payload;
    tm_matrix_dot_range(s->x, from, to - from, s->v, s->out + from);
}

/* n times the risk at w. */
static double risk_at(labeler *l, const tm_dataset *data, const double *w, double *v)
{
    const tm_matrix *x = tm_dataset_x(data);
    for (size_t i = 0; i < tm_matrix_rows(x); i++)
        v[i] = 0;
    for (size_t j = 0; j < tm_matrix_cols(x); j++)
        if (w[j] != 0)
            tm_matrix_axpy(x, j, w[j], v);
    labeling worst = labeler_worst(l, v);
    return fmax(labeling_value(&worst, v), 0);
}

double multi_lower_bound(double loss, double squares, double sum, double C)
{
    double most = sum > 0 ? C / sum : 0;
    double t = loss < most * squares ? fmax(loss, 0) / squares : most;
    return t * loss - t * t / 2 * squares;
}

double multi_lower_bound_l1(double loss, double steepest, double sum, double C)
{
    double most = sum > 0 ? C / sum : 0;
    return fmax(loss, 0) * fmin(most, steepest > 0 ? 1 / steepest : most);
}

/* Writes sum_k alpha_k u_k to s (n), over the valid labelings; *total is the sum of their alpha_k.
 * Returns sum_k alpha_k Delta_k. */
static double combine(labeler *l, const multi_witness *witness, size_t n, double *s, double *total)
{
    double loss = 0;
    *total = 0;
    for (size_t i = 0; i < n; i++)
        s[i] = 0;
    for (size_t k = 0; k < witness->count; k++) {
        const labeling *yhat = &witness->labelings[k];
        double alpha = witness->alpha[k];
        if (!(alpha > 0) || !labeler_accepts(l, yhat))
            continue;
        *total += alpha;
        loss += alpha * yhat->loss;
        for (size_t e = 0; e < yhat->count; e++)
            s[yhat->rows[e]] += alpha * yhat->u[e];
    }
    return loss;
}

/* Copies the absolute values of the nonzero values to `sizes`; returns their number. */
static size_t nonzero_sizes(const double *values, size_t p, double *sizes)
{
    size_t count = 0;
    for (size_t j = 0; j < p; j++)
        if (values[j] != 0)
            sizes[count++] = fabs(values[j]);
    return count;
}

/* The sum of the B greatest squares of c, whose values are replaced by their absolute values. */
static double greatest_squares(double *c, size_t p, size_t B)
{
    size_t count = nonzero_sizes(c, p, c);
    kept_sum sum = {0};
    if (count > B)
        qsort(c, count, sizeof *c, order_reals_descending);
    for (size_t j = 0; j < count && j < B; j++)
        kept_add(&sum, c[j] * c[j]);
    return kept_total(&sum);
}

static double greatest_size(const double *c, size_t p)
{
    double greatest = 0;
    for (size_t j = 0; j < p; j++)
        greatest = fmax(greatest, fabs(c[j]));
    return greatest;
}

static double sum_of_sizes(const double *w, size_t p)
{
    kept_sum sum = {0};
    for (size_t j = 0; j < p; j++)
        kept_add(&sum, fabs(w[j]));
    return kept_total(&sum);
}

/* v: scratch for n values, c: for p values; the same below. */
static double primal_value(labeler *l, const tm_dataset *data, const multi_problem *problem,
                           const double *w, double *v, double *c)
{
    size_t p = tm_dataset_cols(data);
    double norm = problem->l1 ? sum_of_sizes(w, p)
                              : ksupport_squared(c, nonzero_sizes(w, p, c), (double)problem->B) / 2;
    return norm + problem->C * risk_at(l, data, w, v) / (double)tm_dataset_rows(data);
}

static double dual_value(labeler *l, const tm_dataset *data, const multi_problem *problem,
                         const multi_witness *witness, thread_team *team, double *v, double *c)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    double total, loss = combine(l, witness, n, v, &total) / (double)n;
    scan s = {x, v, c};
    parallel_groups(p, pass_team(x, p, tm_matrix_nnz(x), team), scan_range, &s);
    double rows = (double)n;
    return problem->l1 ? multi_lower_bound_l1(loss, greatest_size(c, p) / rows, total, problem->C)
                       : multi_lower_bound(loss, greatest_squares(c, p, problem->B) / (rows * rows),
                                           total, problem->C);
}

tm_status certificate_multi(tm_certificate *out, const tm_dataset *data,
                            const multi_problem *problem, const double *w,
                            const multi_witness *witness, thread_team *team, tm_error *err)
{
    labeler *l;
    tm_status status = labeler_new(&l, &problem->measure, tm_dataset_y(data), tm_dataset_rows(data),
                                   tm_dataset_name(data), err);
    if (status != TM_OK)
        return status;
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    double *room = mem_array(n + p, sizeof *room);
    if (room) {
        out->primal = primal_value(l, data, problem, w, room, room + n);
        out->dual = dual_value(l, data, problem, witness, team, room, room + n);
        out->gap = out->primal - out->dual;
    } else {
        status = tm_fail_memory(err, "the certificate");
    }
    free(room);
    labeler_free(l);
    return status;
}
