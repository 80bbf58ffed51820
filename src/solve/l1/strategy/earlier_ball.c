#include "solve/l1/strategy/earlier_ball.h"

#include "base/memory.h"
#include "base/numeric/golden_section.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/strategy/working_set.h"

#include <stdlib.h>
#include <string.h>

bool earlier_ball_new(earlier_ball *q, const l1_state *s)
{
    size_t n = s->problem.n, p = s->problem.p;
    *q = (earlier_ball){.a = mem_array(n, sizeof *q->a),
                        .products = mem_array(p, sizeof *q->products),
                        .now = mem_array(n, sizeof *q->now),
                        .mix = mem_array(n, sizeof *q->mix),
                        .support = mem_array(p, sizeof *q->support)};
    return q->a && q->products && q->now && q->mix && q->support;
}

static void use_null_model(earlier_ball *q, l1_state *s)
{
    q->usable = false;
    s->it.axis = s->null.y;
    s->it.axis_products = s->null.xy;
}

void earlier_ball_free(earlier_ball *q, l1_state *s)
{
    use_null_model(q, s);
    free(q->a);
    free(q->products);
    free(q->now);
    free(q->mix);
    free(q->support);
}

void earlier_ball_keep(earlier_ball *q, l1_state *s, const l1_gap *whole)
{
    q->count = 0;
    for (size_t k = 0; k < s->active.count; k++)
        if (s->it.w[s->active.features[k]] != 0)
            q->support[q->count++] = s->active.features[k];
    l1_working_dual(s, q->a);
    memcpy(q->products, s->it.xr, s->problem.p * sizeof *q->products);
    q->primal = whole->primal;
    q->scale = whole->scale;
    q->dual = whole->dual;
    q->aa = samples_inner(&s->problem.of, q->a, q->a);
    q->ay = samples_inner(&s->problem.of, q->a, s->null.y);
    q->usable = true;
    s->it.axis = q->a;
    s->it.axis_products = q->products;
}

void earlier_ball_check(earlier_ball *q, l1_state *s)
{
    for (size_t k = 0; q->usable && k < q->count; k++)
        if (!s->active.has[q->support[k]])
            use_null_model(q, s);
}

/* ---- the segment --------------------------------------------------------------------------- */

typedef struct segment {
    const earlier_ball *q;
    const l1_state *s;
    double from; /* the scale of the present dual variables */
} segment;

static double value_at(double t, void *payload)
{
    const segment *g = payload;
    double now = (1 - t) * g->from, earlier = t * g->q->scale;
    for (size_t i = 0; i < g->s->problem.n; i++)
        g->q->mix[i] = now * g->q->now[i] + earlier * g->q->a[i];
    return l1_dual_value(g->s, g->q->mix);
}

/* The greatest dual value on the segment between the two points; `now_earlier` is <r, a0>. */
static double best_between(const earlier_ball *q, const l1_state *s, const l1_gap *g,
                           double now_earlier)
{
    segment along = {q, s, g->scale};
    if (!s->problem.loss->quadratic) {
        double best = g->dual > q->dual ? g->dual : q->dual;
        golden_section_search(&(golden_section){value_at, &along, 1, SEGMENT_STEPS, 0}, &best);
        return best;
    }
    double cross = g->scale * q->scale * now_earlier, rr = g->scale * g->scale * g->plane.rr;
    double square = rr - 2 * cross + q->scale * q->scale * q->aa;
    double slope = q->scale * q->ay - g->scale * g->plane.ry - cross + rr;
    double t = square > 0 ? fmin(fmax(slope / square, 0), 1) : 0;
    return g->dual + t * slope - t * t * square / 2;
}

ball earlier_ball_at(const earlier_ball *q, const l1_state *s, const l1_gap *g, double dual,
                     ball_plane *plane)
{
    l1_working_dual(s, q->now);
    double now_earlier = samples_inner(&s->problem.of, q->now, q->a);
    *plane = (ball_plane){g->plane.rr, now_earlier, q->aa};
    dual = fmax(dual, fmax(g->dual, q->dual));
    /* With limits other than 0 dual values are not quadratic along the segment; and when the
     * suboptimality of w0 exceeds the gap, no dual value helps. */
    if (!s->penalty.lower && q->primal - g->primal <= g->gap)
        dual = fmax(dual, best_between(q, s, g, now_earlier));
    l1_gap from_earlier = {.primal = q->primal, .gap = q->primal - dual};
    return (ball){0, 1 / s->penalty.lambda, l1_gap_ball(s, &from_earlier).radius};
}
