#include "model/certificate/certificate.h"

#include "base/memory.h"
#include "base/numeric/kept_sum.h"
#include "base/numeric/nonzero.h"
#include "data/tiles/tiles.h"
#include "model/certificate/dual_point.h"
#include "model/certificate/dual_products.h"
#include "model/loss/residual.h"
#include "model/penalty/dual_residual.h"
#include "model/penalty/group_penalty.h"
#include "model/penalty/unpenalised.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static feature_penalty penalty_of(const tm_problem *problem)
{
    return (feature_penalty){problem->lambda, problem->factors, problem->ridge, problem->lower,
                             problem->upper};
}

/* Intermediate results of the certification of one answer. */
typedef struct certify_part {
    samples of;
    feature_penalty penalty;
    unpenalised *free; /* or NULL */
    double *a;         /* n: the dual variables; owned by the caller */
    double *own;       /* p products, when the caller does not want them but they are needed */
    double *sums;      /* p: for groups, the sums of the members' weights */
    double *fitted;    /* p: the weights with the unpenalised features fitted; NULL without those */
    double squares;    /* sum_j lambda g_j w_j^2 */
    dual_residual left;
} certify_part;

static void part_free(certify_part *part)
{
    unpenalised_free(part->free);
    free(part->own);
    free(part->sums);
    free(part->fitted);
}

static tm_status part_new(certify_part *part, const certificate_item *item, const data_pass *pass,
                          double *a, tm_error *err)
{
    const tm_dataset *data = pass->data;
    size_t p = tm_dataset_cols(data);
    const loss *l = loss_find(item->problem.loss, err);
    if (!l)
        return TM_EUSAGE;
    part->of = samples_of(data, l);
    part->penalty = penalty_of(&item->problem);
    part->a = a;
    tm_status status = TM_OK;
    if (!item->problem.groups || item->problem.lambda == 0)
        status = unpenalised_new(&part->free, data, &part->of, &part->penalty,
                                 item->problem.intercept, pass->cancel, err);
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

/* The weights of the features: for groups the sums of the members' weights. */
static const double *weights_of(const certificate_item *item, const certify_part *part)
{
    if (!item->problem.groups)
        return item->w;
    tm_group_penalty_weights(item->problem.groups, item->w, part->sums);
    return part->sums;
}

/* The dual point is made from the dual variables a_i = -s_i l'(y_i, z_i). With an intercept they
 * must sum to zero, and they must be orthogonal to unpenalised features; both hold at the optimal
 * intercept and unpenalised weights given the others, so that those are used here (the given ones
 * only enter the primal value). Scaled so that |x_j'a| <= lambda f_j for every other feature they
 * are feasible. Changes z. */
static void fit_dual_variables(certify_part *part, const certificate_item *item, size_t p,
                               double *z)
{
    const samples *of = &part->of;
    double b = item->b;
    if (part->free) {
        memcpy(part->fitted, weights_of(item, part), p * sizeof *part->fitted);
        unpenalised_fit(part->free, part->fitted, &b, z, part->a);
        return;
    }
    samples_fit_shift(of, item->problem.intercept, z, part->a);
}

/* Replaces dual variables that give no bound by zeros, which are always feasible. */
static void find_dual_variables(certify_part *part, const certificate_item *item, size_t p,
                                double *z)
{
    fit_dual_variables(part, item, p, z);
    if (part->of.loss->binary && !samples_in_domain(&part->of, part->a))
        memset(part->a, 0, part->of.n * sizeof *part->a);
    dual_residual_clamp(&part->of, part->a);
    part->left = part->free
                     ? unpenalised_residual(part->free, z, part->a)
                     : dual_residual_of_shift(&part->of, item->problem.intercept, z, part->a);
}

/* Computes the penalty of the answer, and its squared part. */
static tm_status find_penalty(double *held, certify_part *part, const certificate_item *item,
                              size_t p, tm_error *err)
{
    *held = 0;
    if (item->problem.groups) {
        tm_status status = group_penalty_at(held, &item->problem, item->w, err);
        *held *= item->problem.lambda;
        return status;
    }
    kept_sum values = {0}, squares = {0};
    for (size_t j = next_nonzero(item->w, 0, p); j < p; j = next_nonzero(item->w, j + 1, p)) {
        kept_add(&values, penalty_value(&part->penalty, j, item->w[j]));
        kept_add(&squares, penalty_square(&part->penalty, j) * item->w[j] * item->w[j]);
    }
    *held = kept_total(&values);
    part->squares = kept_total(&squares);
    return TM_OK;
}

/* Computes the primal value, and the dual variables as the vector to scan with. `z` has the
 * predictions, and is changed. */
static tm_status begin_item(certificate_item *item, certify_part *part, const tm_dataset *data,
                            double *z, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    double held;
    if (item->predictions)
        memcpy(item->predictions, z, part->of.n * sizeof *z);
    tm_status status = find_penalty(&held, part, item, p, err);
    item->certificate.primal = samples_loss(&part->of, z) + held;
    find_dual_variables(part, item, p, z);
    if (status == TM_OK && unpenalised_stopped(part->free))
        status = tm_fail(err, TM_ECANCELLED, "cancelled while certifying");
    return status;
}

/* Computes the greatest scale at which the dual variables are feasible; with a squared penalty its
 * rows are included in the products. */
static tm_status find_most(double *most, const certificate_item *item, const certify_part *part,
                           const scan *found, size_t p, tm_error *err)
{
    const feature_penalty *q = &part->penalty;
    double greatest = found->greatest;
    for (size_t j = 0; q->ridge && j < p; j++)
        found->all[j] -= penalty_square(q, j) * item->w[j];
    if (q->ridge || q->lower || q->upper) {
        *most = penalty_most_scale(q, found->all, NULL, p);
        if (found->skipped > 0)
            *most = fmin(*most, q->lambda / found->skipped);
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
    double most;
    tm_status status = find_most(&most, item, part, found, p, err);
    if (status != TM_OK)
        return status;
    dual_point point = {.of = &part->of,
                        .q = &part->penalty,
                        .a = part->a,
                        .left = &part->left,
                        .squares = part->squares,
                        .c = found->all,
                        .count = p};
    c->dual = dual_point_best(&point, most, &item->scale);
    c->gap = c->primal - c->dual;
    if (item->dual)
        memcpy(item->dual, part->a, part->of.n * sizeof *part->a);
    return TM_OK;
}

/* Computes the predictions of all answers, into the vectors of their dual variables, in one pass
 * over the data. */
static tm_status predict_together(const certificate_item *items, certify_part *parts, size_t count,
                                  const data_pass *pass, tm_error *err)
{
    const double *w[MAX_CERTIFICATES];
    double *z[MAX_CERTIFICATES];
    for (size_t v = 0; v < count; v++) {
        w[v] = weights_of(&items[v], &parts[v]);
        z[v] = parts[v].a;
    }
    tm_status status = tiles_predict(tm_dataset_x(pass->data), w, z, count, pass->team, err);
    for (size_t v = 0; status == TM_OK && v < count; v++)
        samples_add_constants(&parts[v].of, items[v].b, z[v]);
    return status;
}

/* Begins all items; `z` is scratch for n values. */
static tm_status begin_items(certificate_item *items, certify_part *parts, size_t count,
                             const data_pass *pass, double *z, tm_error *err)
{
    const tm_dataset *data = pass->data;
    bool together = tiles_fit(tm_dataset_x(data));
    tm_status status = together ? predict_together(items, parts, count, pass, err) : TM_OK;
    for (size_t v = 0; status == TM_OK && v < count; v++) {
        certify_part *part = &parts[v];
        if (together)
            memcpy(z, part->a, part->of.n * sizeof *z);
        else
            samples_predict(&part->of, data, weights_of(&items[v], part), items[v].b, z);
        status = begin_item(&items[v], part, data, z, err);
    }
    return status;
}

tm_status certificate_many(certificate_item *items, size_t count, const data_pass *pass,
                           tm_error *err)
{
    const tm_dataset *data = pass->data;
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    double *vectors = mem_array((count + 1) * n, sizeof *vectors), *z = vectors;
    scan *scans = mem_array(count, sizeof *scans);
    certify_part *parts = mem_zeros(count, sizeof *parts);
    tm_status status = vectors && scans && parts ? TM_OK : tm_fail_memory(err, "the certificate");
    for (size_t v = 0; status == TM_OK && v < count; v++) {
        double *a = vectors + (v + 1) * n;
        status = part_new(&parts[v], &items[v], pass, a, err);
        double *all = items[v].products ? items[v].products : parts[v].own;
        scans[v] = (scan){parts[v].penalty, items[v].problem.intercept, a, 0, all, 0, 0};
    }
    if (status == TM_OK)
        status = begin_items(items, parts, count, pass, z, err);
    if (status == TM_OK)
        status = scan_all(scans, count, pass, err);
    for (size_t v = 0; status == TM_OK && v < count; v++)
        status = end_item(&items[v], &parts[v], &scans[v], p, err);
    for (size_t v = 0; parts && v < count; v++)
        part_free(&parts[v]);
    free(vectors);
    free(scans);
    free(parts);
    return status;
}

/* Whether estimates suffice, which is the case when only the greatest product enters the dual
 * value: without groups, and without limits other than 0. */
static bool estimates_suffice(const tm_problem *problem, size_t p)
{
    for (size_t j = 0; problem->lower && j < p; j++)
        if (problem->lower[j] != 0 && isfinite(problem->lower[j]))
            return false;
    for (size_t j = 0; problem->upper && j < p; j++)
        if (problem->upper[j] != 0 && isfinite(problem->upper[j]))
            return false;
    return !problem->groups && problem->lambda > 0;
}

tm_status certificate_by_past(certificate_item *item, product_bounds *past, double exact_from,
                              size_t *visited, const data_pass *pass, tm_error *err)
{
    const tm_dataset *data = pass->data;
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    *visited = p;
    if (!estimates_suffice(&item->problem, p) ||
        product_bounds_centred(past) != item->problem.intercept)
        return certificate_many(item, 1, pass, err);
    double *a = mem_array(2 * n, sizeof *a);
    certify_part part = {0};
    tm_status status =
        a ? part_new(&part, item, pass, a, err) : tm_fail_memory(err, "the certificate");
    if (status == TM_OK) {
        samples_predict(&part.of, data, weights_of(item, &part), item->b, a + n);
        status = begin_item(item, &part, data, a + n, err);
    }
    scan found = {part.penalty, item->problem.intercept, a, 0, item->products, 0, 0};
    if (status == TM_OK)
        status = scan_by_past(&found, past, fmin(exact_from, item->problem.lambda),
                              item->problem.ridge ? item->w : NULL, visited, pass, err);
    if (status == TM_OK)
        status = end_item(item, &part, &found, p, err);
    part_free(&part);
    free(a);
    return status;
}

tm_status tm_certify(tm_certificate *out, const tm_dataset *data, const tm_problem *problem,
                     const double *w, double b, tm_error *err)
{
    certificate_item item = {.problem = *problem, .w = w, .b = b};
    tm_status status = certificate_many(&item, 1, &(data_pass){data, NULL, NULL}, err);
    *out = item.certificate;
    return status;
}

tm_status tm_lambda_max(double *lambda_max, double *null_objective, const tm_dataset *data,
                        const tm_problem *problem, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    double *a = mem_array(2 * n, sizeof *a);
    double *w = mem_zeros(tm_dataset_cols(data), sizeof *w);
    certify_part part = {0};
    data_pass pass = {data, NULL, NULL};
    null_model null = {w, a ? a + n : NULL, a, 0};
    certificate_item item = {.problem = *problem, .w = w};
    /* A lambda of 0 would make every feature unpenalised. */
    item.problem.lambda = 1;
    tm_status status =
        a && w ? part_new(&part, &item, &pass, a, err) : tm_fail_memory(err, "lambda_max");
    if (status == TM_OK) {
        *null_objective = unpenalised_null(part.free, data, &part.of, problem->intercept, &null);
        scan null_scan = {
            .penalty = part.penalty, .intercept = problem->intercept, .u = a, .all = part.own};
        status = scan_all(&null_scan, 1, &pass, err);
        *lambda_max = null_scan.greatest;
    }
    if (status == TM_OK && problem->groups)
        status = group_penalty_dual(lambda_max, problem, part.own, err);
    part_free(&part);
    free(a);
    free(w);
    return status;
}
