#include "model/certificate.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "model/dual_point.h"
#include "model/free_part.h"
#include "model/group_certificate.h"
#include "model/patience.h"
#include "model/residual.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static feature_penalty penalty_of(const tm_problem *problem)
{
    return (feature_penalty){problem->lambda, problem->factors, problem->ridge, problem->lower,
                             problem->upper};
}

/* Multiply-adds below which a second thread costs more than it does. */
static const uint64_t PARALLEL_FROM = 1u << 20;

/* A vector whose products with all features are wanted, and what has been found of them. */
typedef struct scan {
    const tm_problem *problem;
    const double *u; /* n, with (nearly) zero sum when there is an intercept */
    double left;     /* what is left of that sum */
    double *all;     /* p, or NULL */
    double greatest; /* max |x_j'u| / f_j, free features left out, on the sides the limits allow */
} scan;

/* What is left of u's sum is taken out of each product through the column's mean; constant columns,
 * which an intercept makes orthogonal to every u, count as zero. Returns the greatest |x_j'u| / f_j. */
static double scan_block(const scan *q, const tm_dataset *data, size_t from, size_t count,
                         const double *products)
{
    double greatest = 0;
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    const feature_penalty of = penalty_of(q->problem);
    bool limits = q->problem->lower || q->problem->upper;
    for (size_t k = 0; k < count; k++) {
        size_t j = from + k;
        bool matters = !q->problem->intercept || deviations[j] > 0;
        double product = matters ? products[k] - means[j] * q->left : 0;
        double factor = penalty_factor(&of, j);
        double reach = limits ? penalty_reach(&of, j, product) : fabs(product);
        greatest = factor > 0 ? fmax(greatest, reach / factor) : greatest;
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
    const tm_cancel *cancel; /* or NULL */
    double began;            /* clock */
    atomic_bool stopped;
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
        if (patience_is_over(job->cancel, job->began)) {
            atomic_store(&job->stopped, true);
            break;
        }
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

static tm_status scan_all(scan *scans, size_t count, const tm_dataset *data, int threads,
                          const tm_cancel *cancel, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x), block = block_columns(n);
    scan_job job = {.scans = scans,
                    .count = count,
                    .block = block,
                    .data = data,
                    .cancel = cancel,
                    .began = clock_now()};
    for (size_t v = 0; v < count; v++) {
        scans[v].left = scans[v].problem->intercept ? residual_sum(scans[v].u, n) : 0;
        scans[v].greatest = 0;
    }
    pthread_mutex_init(&job.lock, NULL);
    bool small = tm_matrix_nnz(x) * count < PARALLEL_FROM;
    parallel_ranges((p + block - 1) / block, small ? 1 : threads, scan_blocks, &job);
    pthread_mutex_destroy(&job.lock);
    return atomic_load(&job.stopped) ? tm_fail(err, TM_ECANCELLED, "cancelled while certifying")
                                     : TM_OK;
}

/* What certifying one answer needs and finds on the way. */
typedef struct certify_part {
    samples of;
    feature_penalty penalty;
    free_part *free; /* or NULL */
    double *a;       /* n: the dual variables; of the caller */
    double *own;     /* p products, when the caller wants none but they are needed */
    double *sums;    /* p: with groups the weights that their members add up to */
    double *fitted;  /* p: the weights with the free features fitted; NULL without those */
    double squares;  /* sum_j lambda g_j w_j^2 */
} certify_part;

static void part_free(certify_part *part)
{
    free_part_free(part->free);
    free(part->own);
    free(part->sums);
    free(part->fitted);
}

static tm_status part_new(certify_part *part, const certificate_item *item, const tm_dataset *data,
                          double *a, const tm_cancel *cancel, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    const loss *l = loss_find(item->problem.loss, err);
    if (!l)
        return TM_EUSAGE;
    part->of = samples_of(data, l);
    part->penalty = penalty_of(&item->problem);
    part->a = a;
    tm_status status = TM_OK;
    if (!item->problem.groups)
        status = free_part_new(&part->free, data, &part->of, &part->penalty,
                               item->problem.intercept, cancel, err);
    if (status != TM_OK)
        return status;
    bool whole =
        item->problem.groups || item->problem.ridge || item->problem.lower || item->problem.upper;
    if (whole && !item->products)
        part->own = mem_array(p, sizeof *part->own);
    if (part->free)
        part->fitted = mem_array(p, sizeof *part->fitted);
    if (item->problem.groups)
        part->sums = mem_array(p, sizeof *part->sums);
    bool failed = (whole && !item->products && !part->own) || (part->free && !part->fitted) ||
                  (item->problem.groups && !part->sums);
    return failed ? tm_fail_memory(err, "the certificate") : TM_OK;
}

/* Fitting what is free and centring move dual variables by rounding. Where these are rounding themselves, as
 * with classes that are separated, that takes them out of the conjugate's domain, y_i a_i >= 0 (and at most the
 * sample's weight, for logistic), and their value would bound nothing. */
static bool in_domain(const samples *of, const double *a)
{
    static const double ROUNDING = 1e-9;
    double outside = 0, size = 0;
    for (size_t i = 0; i < of->n; i++) {
        double most = of->loss->dual_quadratic ? INFINITY : samples_weight(of, i);
        double value = of->y[i] * a[i];
        outside += fmax(fmax(-value, value - most), 0);
        size += fabs(value);
    }
    return outside <= ROUNDING * size;
}

/* The dual point is made from the dual variables a_i = -s_i l'(y_i, z_i). With an intercept they must sum
 * to zero, and with free features be orthogonal to them; they are at the intercept and the weights that
 * are best beside the others, so those are used for them (the given ones only enter the primal value).
 * Scaled so that |x_j'a| <= lambda f_j for every other feature they are feasible. z is changed. */
static void fit_dual_variables(certify_part *part, const certificate_item *item, size_t p,
                               double *z)
{
    const samples *of = &part->of;
    double b = item->b;
    if (part->free) {
        memcpy(part->fitted, item->w, p * sizeof *part->fitted);
        free_part_fit(part->free, part->fitted, &b, z, part->a);
        return;
    }
    double shift = item->problem.intercept ? samples_best_shift(of, z, 0) : 0;
    for (size_t i = 0; i < of->n; i++)
        z[i] += shift;
    samples_dual_variables(of, z, part->a);
    if (item->problem.intercept && (of->loss->quadratic || of->weights))
        samples_centre(of, part->a);
}

/* Variables that bound nothing are replaced by zeros, which are feasible always. */
static void find_dual_variables(certify_part *part, const certificate_item *item, size_t p,
                                double *z)
{
    fit_dual_variables(part, item, p, z);
    if (part->of.loss->binary && !in_domain(&part->of, part->a))
        memset(part->a, 0, part->of.n * sizeof *part->a);
}

/* The penalty of the answer, and what of it is squared. */
static tm_status find_penalty(double *held, certify_part *part, const certificate_item *item,
                              size_t p, tm_error *err)
{
    *held = 0;
    if (item->problem.groups) {
        tm_status status = group_penalty_at(held, &item->problem, item->w, err);
        *held *= item->problem.lambda;
        return status;
    }
    for (size_t j = 0; j < p; j++) {
        *held += penalty_value(&part->penalty, j, item->w[j]);
        part->squares += penalty_square(&part->penalty, j) * item->w[j] * item->w[j];
    }
    return TM_OK;
}

/* The primal value, and the dual variables as the vector to scan with. `z` is room for n values. */
static tm_status begin_item(certificate_item *item, certify_part *part, const tm_dataset *data,
                            double *z, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    double held;
    if (item->problem.groups)
        tm_group_penalty_weights(item->problem.groups, item->w, part->sums);
    samples_predict(&part->of, data, item->problem.groups ? part->sums : item->w, item->b, z);
    tm_status status = find_penalty(&held, part, item, p, err);
    item->certificate.primal = samples_loss(&part->of, z) + held;
    find_dual_variables(part, item, p, z);
    if (status == TM_OK && free_part_stopped(part->free))
        status = tm_fail(err, TM_ECANCELLED, "cancelled while certifying");
    return status;
}

/* The greatest scale at which the dual variables are feasible; with a squared penalty the products found
 * become those with its rows. */
static tm_status find_most(double *most, const certificate_item *item, const certify_part *part,
                           const scan *found, size_t p, tm_error *err)
{
    const feature_penalty *q = &part->penalty;
    double greatest = found->greatest;
    for (size_t j = 0; q->ridge && j < p; j++)
        found->all[j] -= penalty_square(q, j) * item->w[j];
    if (q->ridge || q->lower || q->upper) {
        *most = penalty_most_scale(q, found->all, NULL, p);
        return TM_OK;
    }
    tm_status status = TM_OK;
    if (item->problem.groups)
        status = group_penalty_dual(&greatest, &item->problem, found->all, err);
    *most = q->lambda > 0 && greatest > 0 ? q->lambda / greatest : INFINITY;
    return status;
}

static tm_status end_item(certificate_item *item, const certify_part *part, const scan *found,
                          size_t p, tm_error *err)
{
    tm_certificate *c = &item->certificate;
    double most, scale;
    tm_status status = find_most(&most, item, part, found, p, err);
    if (status != TM_OK)
        return status;
    dual_point point = {&part->of, &part->penalty, part->a, part->squares, found->all, NULL, p};
    c->dual = dual_point_best(&point, most, &scale);
    c->gap = c->primal - c->dual;
    return TM_OK;
}

tm_status certificate_many(certificate_item *items, size_t count, const tm_dataset *data,
                           int threads, const tm_cancel *cancel, tm_error *err)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    double *vectors = mem_array((count + 1) * n, sizeof *vectors), *z = vectors;
    scan *scans = mem_array(count, sizeof *scans);
    certify_part *parts = mem_zeros(count, sizeof *parts);
    tm_status status = vectors && scans && parts ? TM_OK : tm_fail_memory(err, "the certificate");
    for (size_t v = 0; status == TM_OK && v < count; v++) {
        double *a = vectors + (v + 1) * n;
        status = part_new(&parts[v], &items[v], data, a, cancel, err);
        if (status == TM_OK)
            status = begin_item(&items[v], &parts[v], data, z, err);
        double *all = items[v].products ? items[v].products : parts[v].own;
        scans[v] = (scan){&items[v].problem, a, 0, all, 0};
    }
    if (status == TM_OK)
        status = scan_all(scans, count, data, threads, cancel, err);
    for (size_t v = 0; status == TM_OK && v < count; v++)
        status = end_item(&items[v], &parts[v], &scans[v], p, err);
    for (size_t v = 0; parts && v < count; v++)
        part_free(&parts[v]);
    free(vectors);
    free(scans);
    free(parts);
    return status;
}

tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err)
{
    certificate_item item = {.problem = *problem, .w = w, .b = b};
    tm_status status = certificate_many(&item, 1, data, 1, NULL, err);
    *out = item.certificate;
    return status;
}

tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    double *a = mem_array(2 * n, sizeof *a), b = 0;
    double *w = mem_zeros(tm_dataset_cols(data), sizeof *w);
    certify_part part = {0};
    certificate_item item = {.problem = *problem, .w = w};
    /* A lambda of 0 would free every feature. */
    item.problem.lambda = 1;
    tm_status status =
        a && w ? part_new(&part, &item, data, a, NULL, err) : tm_fail_memory(err, "lambda_max");
    if (status == TM_OK) {
        *null_objective =
            free_part_null(part.free, data, &part.of, problem->intercept, w, &b, a + n, a);
        scan null_scan = {.problem = &item.problem, .u = a, .all = part.own};
        status = scan_all(&null_scan, 1, data, 1, NULL, err);
        *lambda_max = null_scan.greatest;
    }
    if (status == TM_OK && problem->groups)
        status = group_penalty_dual(lambda_max, problem, part.own, err);
    part_free(&part);
    free(a);
    free(w);
    return status;
}
