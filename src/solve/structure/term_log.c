#include "solve/structure/term_log.h"

#include "base/memory.h"
#include "screen/tuning.h"
#include "solve/structure/screening/tuning.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum term_place { TERM_WITHIN, TERM_BETWEEN, TERM_PROVEN } term_place;

void term_log_fill(const tm_graph *graph, tm_screen_item *items)
{
    tm_item kind = tm_graph_is_edges(graph) ? TM_ITEM_EDGE : TM_ITEM_TERM;
    for (size_t t = 0; t < tm_graph_terms(graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(graph, t, &values, &count);
        items[t] = (tm_screen_item){kind, f[0], f[count - 1]};
    }
}

tm_status term_log_items(const term_log *log, solve_progress *progress, tm_error *err)
{
    size_t terms = tm_graph_terms(log->terms.graph);
    tm_screen_item *items = mem_array(log->count, sizeof *items);
    if (!items)
        return tm_fail_memory(err, "the screen log");
    term_log_fill(log->terms.graph, items);
    for (size_t k = terms; k < log->count; k++)
        items[k] = (tm_screen_item){TM_ITEM_FEATURE, (uint32_t)(k - terms), (uint32_t)(k - terms)};
    bool edges = tm_graph_is_edges(log->terms.graph) && !log->terms.own;
    screen_log_items(progress, edges ? TM_ITEM_EDGE : TM_ITEM_TERM, log->count, items);
    free(items);
    return TM_OK;
}

/* One block for the log and its arrays. */
tm_status term_log_new(term_log **out, const tm_dataset *data, const graph_terms *terms,
                       graph_certifier *certifier, tm_error *err)
{
    size_t count = tm_graph_terms(terms->graph) + (terms->own ? tm_dataset_cols(data) : 0);
    term_log *log = calloc(1, sizeof *log + count * (2 * sizeof *log->bounds + 1));
    *out = log;
    if (!log)
        return tm_fail_memory(err, "the screen log");
    log->data = data;
    log->certifier = certifier;
    log->terms = *terms;
    log->count = count;
    log->places = (unsigned char *)(log->bounds + 2 * count);
    return TM_OK;
}

void term_log_free(term_log *log)
{
    if (!log)
        return;
    bounds_free(log->bounds_on);
    free(log);
}

/* ---- components ------------------------------------------------------------------------------ */

static bool between(const partition *a, size_t e)
{
    return a->component[a->ends[2 * e]] != a->component[a->ends[2 * e + 1]];
}

/* Edges after the terms join a feature to the node of weight 0. */
static size_t item_of(const partition *a, size_t e)
{
    return e < a->terms ? e : a->terms + a->ends[2 * e];
}

/* Records the edges whose state changes, with `all` also the others. */
static void record_edges(term_log *log, solve_progress *progress, const partition *a,
                         const double *shares, tm_screen_action in)
{
    for (size_t e = 0; e < a->edges; e++) {
        size_t item = item_of(a, e);
        term_place before = (term_place)log->places[item];
        term_place now = before == TERM_PROVEN ? before
                         : between(a, e)       ? TERM_BETWEEN
                                               : TERM_WITHIN;
        tm_screen_action action = now == before         ? TM_SCREEN_KEPT
                                  : now == TERM_BETWEEN ? in
                                                        : TM_SCREEN_DELETED;
        log->active += (size_t)(now == TERM_BETWEEN) - (size_t)(before == TERM_BETWEEN);
        log->places[item] = (unsigned char)now;
        if (shares || action != TM_SCREEN_KEPT)
            screen_log_feature(progress, item, shares ? shares[item] : NAN, action);
    }
    screen_log_active(progress, log->active);
}

void term_log_start(term_log *log, solve_progress *progress, const partition *a)
{
    if (!log)
        return;
    tm_screen_step step = screen_log_step("start: edges between different weights", 0);
    memset(log->places, TERM_WITHIN, log->count);
    log->active = 0;
    screen_log_begin(progress, &step);
    record_edges(log, progress, a, NULL, TM_SCREEN_STARTED);
}

void term_log_change(term_log *log, solve_progress *progress, const tm_screen_step *step,
                     double lambda, const partition *a, const double *flow)
{
    if (!log)
        return;
    double *shares = flow ? log->bounds : NULL;
    for (size_t e = 0; shares && e < a->edges; e++)
        shares[item_of(a, e)] = fabs(flow[e]) / (lambda * a->weights[e]);
    screen_log_begin(progress, step);
    record_edges(log, progress, a, shares, TM_SCREEN_ADDED);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* lambda times the item's own factor: the bound of its multiplier. */
static double limit_of(const term_log *log, double lambda, size_t item)
{
    size_t terms = tm_graph_terms(log->terms.graph);
    return item < terms ? lambda : lambda * log->terms.own[item - terms];
}

static void record_bounds(term_log *log, solve_progress *progress, const tm_screen_step *step,
                          double lambda, const double *low, const double *high)
{
    if (!log)
        return;
    screen_log_begin(progress, step);
    for (size_t k = 0; k < log->count; k++) {
        double limit = limit_of(log, lambda, k), most = fmax(-low[k], high[k]);
        bool proven = limit > 0 && most < (1 - SAFE_SHARE) * limit;
        log->active -= proven && log->places[k] == TERM_BETWEEN;
        log->places[k] = proven ? TERM_PROVEN : log->places[k];
        screen_log_feature(progress, k, most / limit,
                           proven ? TM_SCREEN_CERTIFIED : TM_SCREEN_KEPT);
    }
    screen_log_active(progress, log->active);
}

void term_log_screening(term_log *log, solve_progress *progress, const dual_ball *ball, double gap,
                        double lambda, const double *low, const double *high)
{
    tm_screen_step step =
        screen_log_step("bound propagation: terms that the gap's ball proves zero", 0);
    step.gap = gap;
    step.radius = ball->radius / lambda;
    record_bounds(log, progress, &step, lambda, low, high);
}

/* ---- the certificate ------------------------------------------------------------------------- */

/* Multiplies v, the multipliers of the terms, by `scale` and adds those of the features:
 * s = scale q - D'v. */
static void complete(const term_log *log, double scale, double *v)
{
    size_t terms = tm_graph_terms(log->terms.graph), p = tm_dataset_cols(log->data);
    const double *q = graph_certifier_products(log->certifier);
    double *s = v + terms;
    for (size_t j = 0; log->terms.own && j < p; j++)
        s[j] = scale * q[j];
    for (size_t t = 0; t < terms; t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(log->terms.graph, t, &values, &count);
        v[t] *= scale;
        for (size_t i = 0; log->terms.own && i < count; i++)
            s[f[i]] -= values[i] * v[t];
    }
}

size_t term_log_nonzero(const term_log *log, const double *w)
{
    size_t nonzero = 0;
    for (size_t t = 0; log && t < tm_graph_terms(log->terms.graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(log->terms.graph, t, &values, &count);
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += values[i] * w[f[i]];
        nonzero += tm_graph_is_edges(log->terms.graph) ? w[f[0]] != w[f[1]] : sum != 0;
    }
    for (size_t j = 0; log && log->terms.own && j < tm_dataset_cols(log->data); j++)
        nonzero += w[j] != 0;
    return nonzero;
}

static double bound_with(term_log *log, double lambda, const double *v)
{
    for (size_t t = 0; t < tm_graph_terms(log->terms.graph); t++)
        log->bounds[t] = v ? v[t] : 0;
    return graph_certifier_bound(log->certifier, lambda, log->bounds);
}

static void record_multipliers(term_log *log, solve_progress *progress, tm_screen_step *step,
                               double lambda)
{
    step->what = "the certificate: every term at the answer";
    complete(log, graph_certifier_scale(log->certifier), log->bounds);
    screen_log_begin(progress, step);
    for (size_t k = 0; k < log->count; k++) {
        double limit = limit_of(log, lambda, k);
        screen_log_feature(progress, k, limit > 0 ? fabs(log->bounds[k]) / limit : NAN,
                           TM_SCREEN_KEPT);
    }
}

tm_status term_log_certificate(term_log *log, solve_progress *progress,
                               const tm_certificate *certificate, double lambda, const double *v,
                               size_t active, tm_error *err)
{
    if (!log)
        return TM_OK;
    const samples *of = graph_certifier_samples(log->certifier);
    double gap = fmax(certificate->primal - bound_with(log, lambda, v), 0);
    tm_screen_step step =
        screen_log_step("the certificate: every term against its gap's ball", active);
    step.primal = certificate->primal;
    step.dual = certificate->dual;
    step.gap = certificate->gap;
    if (!tm_graph_is_edges(log->terms.graph)) {
        record_multipliers(log, progress, &step, lambda);
        return TM_OK;
    }
    gap += VALUE_LOST * (fabs(certificate->primal) + fabs(certificate->dual));
    dual_ball ball = {graph_certifier_products(log->certifier),
                      graph_certifier_scale(log->certifier), sqrt(2 * of->loss->smoothness * gap)};
    uint64_t columns = 0; /* the log is not counted as work of the solve */
    tm_status status = TM_OK;
    if (!log->bounds_on)
        status =
            bounds_new(&log->bounds_on, log->data, of, &log->terms, BOUNDS_SUBTREES, &columns, err);
    step.radius = ball.radius / lambda;
    if (status == TM_OK) {
        bounds_find(log->bounds_on, &ball, lambda, true);
        record_bounds(log, progress, &step, lambda, bounds_low(log->bounds_on),
                      bounds_high(log->bounds_on));
        screen_log_active(progress, active);
    }
    return status;
}
