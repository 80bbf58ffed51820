#include "model/certificate.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "model/group_certificate.h"
#include "model/loss.h"
#include "model/residual.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static double factor_of(const tm_problem *problem, size_t j)
{
    return problem->factors ? problem->factors[j] : 1;
}

/* Multiply-adds below which a second thread costs more than it does. */
static const uint64_t PARALLEL_FROM = 1u << 20;

/* A vector whose products with all features are wanted, and what has been found of them. */
typedef struct scan {
    const tm_problem *problem;
    const double *u; /* n, with (nearly) zero sum when there is an intercept */
    double left;     /* what is left of that sum */
    double *all;     /* p, or NULL */
    double greatest; /* max |x_j'u| / f_j */
} scan;

/* What is left of u's sum is taken out of each product through the column's mean; constant columns,
 * which an intercept makes orthogonal to every u, count as zero. Returns the greatest |x_j'u| / f_j. */
static double scan_block(const scan *q, const tm_dataset *data, size_t from, size_t count,
                         const double *products)
{
    double greatest = 0;
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    for (size_t k = 0; k < count; k++) {
        size_t j = from + k;
        bool matters = !q->problem->intercept || deviations[j] > 0;
        double product = matters ? products[k] - means[j] * q->left : 0;
        greatest = fmax(greatest, fabs(product) / factor_of(q->problem, j));
        if (q->all)
            q->all[j] = product;
    }
    return greatest;
}

/* Columns of a block: few enough that a dense block stays in the cache while every vector passes
 * over it; a multiple of four, as products are taken four columns at a time. */
enum { BLOCK_MOST = 1024, BLOCK_VALUES = 1 << 15 };

static size_t block_columns(size_t n)
{
    size_t block = BLOCK_VALUES / n / 4 * 4;
    return block < 4 ? 4 : block < BLOCK_MOST ? block : BLOCK_MOST;
}

/* All scans over the data, shared by threads: each takes a range of blocks with scans of its own, whose
 * greatest values are joined at the end. A column's product does not depend on who computes it. */
typedef struct scan_job {
    scan *scans;
    size_t count, block;
    const tm_dataset *data;
    pthread_mutex_t lock; /* guards the scans' greatest values */
} scan_job;

static void scan_blocks(size_t from_block, size_t to_block, void *payload)
{
    scan_job *job = payload;
    const tm_matrix *x = tm_dataset_x(job->data);
    size_t p = tm_matrix_cols(x);
    double products[BLOCK_MOST], greatest[CERTIFICATES_MOST] = {0};
    for (size_t b = from_block; b < to_block; b++) {
        size_t from = b * job->block;
        size_t columns = p - from < job->block ? p - from : job->block;
        for (size_t v = 0; v < job->count; v++) {
            tm_matrix_dot_range(x, from, columns, job->scans[v].u, products);
            double found = scan_block(&job->scans[v], job->data, from, columns, products);
            greatest[v] = fmax(greatest[v], found);
        }
    }
    pthread_mutex_lock(&job->lock);
    for (size_t v = 0; v < job->count; v++)
        job->scans[v].greatest = fmax(job->scans[v].greatest, greatest[v]);
    pthread_mutex_unlock(&job->lock);
}

static void scan_all(scan *scans, size_t count, const tm_dataset *data, int threads)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x), block = block_columns(n);
    scan_job job = {.scans = scans, .count = count, .block = block, .data = data};
    for (size_t v = 0; v < count; v++) {
        scans[v].left = scans[v].problem->intercept ? residual_sum(scans[v].u, n) : 0;
        scans[v].greatest = 0;
    }
    pthread_mutex_init(&job.lock, NULL);
    bool small = tm_matrix_nnz(x) * count < PARALLEL_FROM;
    parallel_ranges((p + block - 1) / block, small ? 1 : threads, scan_blocks, &job);
    pthread_mutex_destroy(&job.lock);
}

/* The dual point is made from the dual variables a_i = -l'(y_i, z_i). With an intercept they must sum to
 * zero; they do at the intercept that is best for w, so that one is used for them (b itself only
 * enters the primal value). Scaled so that |x_j'a| <= lambda f_j for every feature they are feasible. */
static void find_dual_variables(const certificate_item *item, const loss *l, const double *y,
                                const double *z, size_t n, double *a)
{
    double shift = item->problem.intercept ? loss_best_shift(l, y, z, n, 0) : 0;
    for (size_t i = 0; i < n; i++)
        a[i] = -l->slope(y[i], z[i] + shift);
    if (item->problem.intercept && l->quadratic)
        residual_centre(a, n);
}

static tm_status find_penalty(double *penalty, const certificate_item *item, size_t p,
                              tm_error *err)
{
    *penalty = 0;
    if (item->problem.groups)
        return group_penalty_at(penalty, &item->problem, item->w, err);
    for (size_t j = 0; j < p; j++)
        *penalty += factor_of(&item->problem, j) * fabs(item->w[j]);
    return TM_OK;
}

/* The primal value, and the dual variables as the vector to scan with. `z` is room for n values, `sums`
 * for p, which are used with groups. */
static tm_status begin_item(certificate_item *item, const loss *l, const tm_dataset *data,
                            double *z, double *a, double *sums, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    const double *y = tm_dataset_y(data);
    double penalty;
    if (item->problem.groups)
        tm_group_penalty_weights(item->problem.groups, item->w, sums);
    residual_of(data, item->problem.groups ? sums : item->w, item->b, z);
    for (size_t i = 0; i < n; i++)
        z[i] = y[i] - z[i];
    tm_status status = find_penalty(&penalty, item, tm_dataset_cols(data), err);
    item->certificate.primal = loss_sum(l, y, z, n) + item->problem.lambda * penalty;
    find_dual_variables(item, l, y, z, n, a);
    return status;
}

static tm_status end_item(certificate_item *item, const loss *l, const tm_dataset *data,
                          const scan *found, tm_error *err)
{
    tm_certificate *c = &item->certificate;
    size_t n = tm_dataset_rows(data);
    const double *y = tm_dataset_y(data);
    double greatest = found->greatest;
    if (item->problem.groups) {
        tm_status status = group_penalty_dual(&greatest, &item->problem, found->all, err);
        if (status != TM_OK)
            return status;
    }
    double most = greatest > 0 ? item->problem.lambda / greatest : INFINITY;
    double scale = l->scale(y, found->u, n, most);
    c->dual = loss_dual_sum(l, y, found->u, scale, n);
    c->gap = c->primal - c->dual;
    return TM_OK;
}

/* With groups the products of all features are needed, whether or not somebody asked for them. */
static tm_status add_scan(scan *s, const certificate_item *item, double *a, double **own, size_t p,
                          tm_error *err)
{
    double *all = item->products;
    if (item->problem.groups && !all) {
        all = *own = mem_array(p, sizeof *all);
        if (!all)
            return tm_fail_memory(err, "the certificate");
    }
    *s = (scan){&item->problem, a, 0, all, 0};
    return TM_OK;
}

tm_status certificate_many(certificate_item *items, size_t count, const tm_dataset *data,
                           int threads, tm_error *err)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    bool grouped = false;
    for (size_t v = 0; v < count; v++)
        grouped = grouped || items[v].problem.groups;
    double *vectors = mem_array((count + 1) * n, sizeof *vectors), *z = vectors;
    double *sums = mem_array(grouped ? p : 0, sizeof *sums), *own[CERTIFICATES_MOST] = {NULL};
    scan *scans = mem_array(count, sizeof *scans);
    const loss **losses = mem_array(count, sizeof *losses);
    bool made = vectors && sums && scans && losses;
    tm_status status = made ? TM_OK : tm_fail_memory(err, "the certificate");
    for (size_t v = 0; status == TM_OK && v < count; v++) {
        double *a = vectors + (v + 1) * n;
        losses[v] = loss_find(items[v].problem.loss, err);
        if (!losses[v]) {
            status = TM_EUSAGE;
            break;
        }
        status = begin_item(&items[v], losses[v], data, z, a, sums, err);
        if (status == TM_OK)
            status = add_scan(&scans[v], &items[v], a, &own[v], p, err);
    }
    if (status == TM_OK)
        scan_all(scans, count, data, threads);
    for (size_t v = 0; status == TM_OK && v < count; v++)
        status = end_item(&items[v], losses[v], data, &scans[v], err);
    for (size_t v = 0; v < count && v < CERTIFICATES_MOST; v++)
        free(own[v]);
    free(sums);
    free(vectors);
    free(scans);
    free(losses);
    return status;
}

tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err)
{
    certificate_item item = {.problem = *problem, .w = w, .b = b};
    tm_status status = certificate_many(&item, 1, data, 1, err);
    *out = item.certificate;
    return status;
}

static void null_dual_variables(const loss *l, const tm_dataset *data, bool intercept, double *a,
                                double *objective)
{
    size_t n = tm_dataset_rows(data);
    const double *y = tm_dataset_y(data);
    double b = 0;
    if (l->quadratic) {
        residual_null(data, intercept, a, &b);
        *objective = residual_squares(a, n) / 2;
        return;
    }
    for (size_t i = 0; i < n; i++)
        a[i] = 0;
    if (intercept)
        b = loss_best_shift(l, y, a, n, 0);
    for (size_t i = 0; i < n; i++)
        a[i] = b;
    *objective = loss_sum(l, y, a, n);
    loss_dual_variables(l, y, a, n, a);
}

tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err)
{
    const loss *l = loss_find(problem->loss, err);
    if (!l)
        return TM_EUSAGE;
    double *a = mem_array(tm_dataset_rows(data), sizeof *a);
    if (!a)
        return tm_fail_memory(err, "lambda_max");
    null_dual_variables(l, data, problem->intercept, a, null_objective);
    certificate_item none = {.problem = *problem};
    scan null_scan;
    double *own = NULL;
    tm_status status = add_scan(&null_scan, &none, a, &own, tm_dataset_cols(data), err);
    if (status == TM_OK) {
        scan_all(&null_scan, 1, data, 1);
        *lambda_max = null_scan.greatest;
    }
    if (status == TM_OK && problem->groups)
        status = group_penalty_dual(lambda_max, problem, null_scan.all, err);
    free(own);
    free(a);
    return status;
}
