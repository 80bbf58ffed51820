#include "model/certificate/graph.h"

#include "base/memory.h"
#include "base/threads/parallel.h"
#include "data/matrix/pass_team.h"
#include "model/certificate/tuning.h"
#include "model/loss/losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct graph_certifier {
    const tm_dataset *data;
    samples of;
    graph_terms terms;
    graph_kernel *kernel;
    graph_dual *dual;
    graph_point point;
    double *w, b, loss; /* those of the point: w has p values */
    bool made;
    double *s, *v;
    dual_residual left; /* of the point's dual variables */
    double size;        /* sum_j |w_j| of the point */
    double longest;     /* the greatest |x_j| */
    double widest;      /* the greatest sum of a column's |d_kj|; 0 for edges */
    double most;        /* the greatest |v_k| and |s_j| / own_j of the last bound at the point;
                         * NAN: none yet */
    double lost;        /* what is left of the products there, times the weights */
    double scale;       /* scale of the last bound */
};

void graph_certifier_free(graph_certifier *c)
{
    if (!c)
        return;
    graph_kernel_free(c->kernel);
    graph_dual_free(c->dual);
    free(c->point.z);
    free(c->point.a);
    free(c->point.q);
    free(c->w);
    free(c->s);
    free(c->v);
    free(c);
}

static double longest_column(const tm_dataset *data)
{
    const double *means = tm_dataset_means(data), *squares = tm_dataset_deviations(data);
    double longest = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        longest = fmax(longest, squares[j] + (double)tm_dataset_rows(data) * means[j] * means[j]);
    return sqrt(longest);
}

/* The sums of columns of |D|, of which products with v are rounded relative to the greatest |v_k|;
 * `room`: p. */
static double widest_column(const tm_graph *graph, double *room)
{
    size_t p = tm_graph_features(graph);
    double widest = 0;
    memset(room, 0, p * sizeof *room);
    for (size_t t = 0; !tm_graph_is_edges(graph) && t < tm_graph_terms(graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        for (size_t i = 0; i < count; i++)
            room[f[i]] += fabs(values[i]);
    }
    for (size_t j = 0; j < p; j++)
        widest = fmax(widest, room[j]);
    return widest;
}

tm_status graph_certifier_new(graph_certifier **out, const tm_dataset *data, const char *loss_id,
                              const graph_terms *terms, const tm_cancel *cancel, tm_error *err)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    const loss *l = loss_find(loss_id, err);
    *out = NULL;
    if (!l)
        return TM_EUSAGE;
    graph_certifier *c = calloc(1, sizeof *c);
    if (!c)
        return tm_fail_memory(err, "the certificate");
    c->data = data;
    c->of = samples_of(data, l);
    c->terms = *terms;
    c->longest = longest_column(data);
    c->point.z = mem_array(n, sizeof(double));
    c->point.a = mem_array(n, sizeof(double));
    c->point.q = mem_array(p, sizeof(double));
    c->w = mem_array(p, sizeof *c->w);
    c->s = mem_array(p, sizeof *c->s);
    c->v = mem_array(tm_graph_terms(terms->graph), sizeof *c->v);
    c->dual = graph_dual_new(terms, p);
    bool enough = c->point.z && c->point.a && c->point.q && c->w && c->s && c->v && c->dual;
    tm_status status = enough ? graph_kernel_new(&c->kernel, data, &c->of, terms, cancel, err)
                              : tm_fail_memory(err, "the certificate");
    if (status != TM_OK) {
        graph_certifier_free(c);
        return status;
    }
    c->widest = widest_column(terms->graph, c->w);
    *out = c;
    return TM_OK;
}

graph_kernel *graph_certifier_kernel(graph_certifier *c)
{
    return c->kernel;
}

graph_dual *graph_certifier_dual(graph_certifier *c)
{
    return c->dual;
}

const samples *graph_certifier_samples(const graph_certifier *c)
{
    return &c->of;
}

static void take_products(size_t from, size_t to, void *payload)
{
    graph_certifier *c = payload;
    tm_matrix_dot_range(tm_dataset_x(c->data), from, to - from, c->point.a, c->point.q + from);
}

/* All of the point that does not depend on lambda. */
static void make_point(graph_certifier *c, const double *w, double b, thread_team *team)
{
    graph_point *at = &c->point;
    const tm_matrix *x = tm_dataset_x(c->data);
    size_t p = tm_matrix_cols(x);
    samples_predict(&c->of, c->data, w, b, at->z);
    c->loss = samples_loss(&c->of, at->z);
    graph_kernel_fit(c->kernel, at->z, at->a);
    at->bounds = !c->of.loss->binary || samples_in_domain(&c->of, at->a);
    dual_residual_clamp(&c->of, at->a);
    c->left = graph_kernel_residual(c->kernel, at->z, at->a);
    c->size = 0;
    for (size_t j = 0; j < p; j++)
        c->size += fabs(w[j]);
    parallel_groups(p, pass_team(x, p, tm_matrix_nnz(x), team), take_products, c);
    memcpy(c->w, w, p * sizeof *w);
    c->b = b;
    c->most = NAN;
    c->made = true;
}

const graph_point *graph_certifier_point(graph_certifier *c, double lambda, const double *w,
                                         double b, thread_team *team)
{
    graph_point *at = &c->point;
    size_t p = tm_dataset_cols(c->data);
    bool same = c->made && c->b == b && memcmp(c->w, w, p * sizeof *w) == 0;
    at->columns = same ? 0 : p;
    if (!same)
        make_point(c, w, b, team);
    at->primal = c->loss + lambda * graph_penalty(&c->terms, w);
    return at;
}

size_t graph_certifier_columns(const graph_certifier *c)
{
    return c->point.columns;
}

const double *graph_certifier_products(const graph_certifier *c)
{
    return c->point.q;
}

double graph_certifier_scale(const graph_certifier *c)
{
    return c->scale;
}

/* The bound with what the point's last candidate v left. */
static double bound_at(graph_certifier *c, double lambda)
{
    c->scale = isinf(c->most)
                   ? 0
                   : samples_scale(&c->of, c->point.a, c->most > 0 ? lambda / c->most : INFINITY);
    double value = dual_residual_value(&c->left, c->scale);
    return dual_residual_less(value, 2 * fabs(c->scale) * c->lost);
}

double graph_certifier_bound(graph_certifier *c, double lambda, double *v)
{
    const graph_point *at = &c->point;
    double greatest = 0, rest;
    for (size_t t = 0; t < tm_graph_terms(c->terms.graph); t++)
        if (!isfinite(v[t]))
            v[t] = 0;
    c->most = graph_dual_complete(c->dual, at->q, v, c->s, &rest);
    for (size_t j = 0; j < tm_dataset_cols(c->data); j++)
        greatest = fabs(at->q[j]) > greatest ? fabs(at->q[j]) : greatest;
    double length = sqrt(samples_inner(&c->of, at->a, at->a));
    double rounding = fmax(ROUNDING * greatest, NO_PRODUCT * c->longest * length);
    rounding = fmax(rounding, SUM_ROUNDING * c->widest * c->most);
    if (!at->bounds || !(rest <= rounding) || !isfinite(c->most))
        c->most = INFINITY;
    /* What edges leave lies in the kernel, and so in c->left, but for rounding: sums of products
     * with columns of different scales are rounded as the greatest of them. */
    c->lost = tm_graph_is_edges(c->terms.graph) ? graph_dual_lost(c->dual, c->w) : rest * c->size;
    return bound_at(c, lambda);
}

bool graph_certifier_bounded(const graph_certifier *c)
{
    return c->made && !isnan(c->most);
}

double graph_certifier_bound_again(graph_certifier *c, double lambda)
{
    return bound_at(c, lambda);
}

tm_status graph_certify(tm_certificate *out, graph_certifier *c, const graph_answer *answer,
                        thread_team *team, tm_error *err)
{
    size_t terms = tm_graph_terms(c->terms.graph);
    if (answer->v)
        memcpy(c->v, answer->v, terms * sizeof *c->v);
    else
        memset(c->v, 0, terms * sizeof *c->v);
    if (!(answer->lambda >= 0))
        return tm_fail(err, TM_EUSAGE, "the certificate of a structured problem needs lambda >= 0");
    out->primal = graph_certifier_point(c, answer->lambda, answer->w, answer->b, team)->primal;
    out->dual = graph_certifier_bound(c, answer->lambda, c->v);
    out->gap = out->primal - out->dual;
    return TM_OK;
}
