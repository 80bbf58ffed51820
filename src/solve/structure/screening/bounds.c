#include "solve/structure/screening/bounds.h"

#include "base/memory.h"
#include "solve/structure/screening/tuning.h"

#include <stdlib.h>
#include <string.h>

struct bounds {
    inequalities of;
    const double *own; /* p; NULL: none */
    size_t variables;
    double *low, *high;      /* variables */
    double *sums;            /* at the ball's centre */
    size_t *starts, *with;   /* the inequalities with each variable */
    double *reach, *largest; /* of each inequality: the sum and the greatest of |coefficient| times
                              * the variable's limit, as multiples of lambda */
    size_t *queue, *narrower;
    bool *queued;
    bool *proven;   /* variables */
    uint32_t *open; /* of each inequality: its variables that are not proven */
};

void bounds_free(bounds *b)
{
    if (!b)
        return;
    inequalities_clear(&b->of);
    free(b->low);
    free(b->high);
    free(b->sums);
    free(b->starts);
    free(b->with);
    free(b->reach);
    free(b->largest);
    free(b->queue);
    free(b->narrower);
    free(b->queued);
    free(b->proven);
    free(b->open);
    free(b);
}

static double limit_of(const bounds *b, size_t variable)
{
    return variable < b->of.terms ? 1 : b->own[variable - b->of.terms];
}

static void list_inequalities(bounds *b)
{
    const inequalities *s = &b->of;
    for (size_t k = 0; k < s->entries; k++)
        b->starts[s->at[k] + 2]++;
    for (size_t v = 0; v < b->variables; v++)
        b->starts[v + 2] += b->starts[v + 1];
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = s->starts[i]; k < s->starts[i + 1]; k++) {
            double most = (s->values[k] > 0 ? s->values[k] : -s->values[k]) * limit_of(b, s->at[k]);
            b->with[b->starts[s->at[k] + 1]++] = i;
            b->reach[i] += most;
            b->largest[i] = most > b->largest[i] ? most : b->largest[i];
        }
}

tm_status bounds_new(bounds **out, const tm_dataset *data, const samples *of,
                     const graph_terms *terms, bounds_kind kind, uint64_t *columns, tm_error *err)
{
    bounds *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return tm_fail_memory(err, "bounds");
    tm_status status = inequalities_new(&b->of, data, of, terms, kind, columns, err);
    const inequalities *s = &b->of;
    b->own = terms->own;
    b->variables = s->terms + (terms->own ? s->p : 0);
    if (status == TM_OK) {
        b->low = mem_array(b->variables, sizeof *b->low);
        b->high = mem_array(b->variables, sizeof *b->high);
        b->sums = mem_array(s->sums.count, sizeof *b->sums);
        b->starts = mem_zeros(b->variables + 2, sizeof *b->starts);
        b->with = mem_array(s->entries, sizeof *b->with);
        b->reach = mem_zeros(s->count, sizeof *b->reach);
        b->largest = mem_zeros(s->count, sizeof *b->largest);
        b->queue = mem_array(s->count, sizeof *b->queue);
        b->narrower = mem_array(b->variables, sizeof *b->narrower);
        b->queued = mem_zeros(s->count, sizeof *b->queued);
        b->proven = mem_array(b->variables, sizeof *b->proven);
        b->open = mem_array(s->count, sizeof *b->open);
        if (!b->low || !b->high || !b->sums || !b->starts || !b->with || !b->reach || !b->largest ||
            !b->queue || !b->narrower || !b->queued || !b->proven || !b->open)
            status = tm_fail_memory(err, "bounds");
    }
    if (status != TM_OK) {
        bounds_free(b);
        return status;
    }
    list_inequalities(b);
    *out = b;
    return TM_OK;
}

/* ---- propagation ----------------------------------------------------------------------------- */

size_t bounds_propagate(const bounds_row *row, double *low, double *high, size_t *narrower)
{
    double least = 0, most = 0;
    size_t count = 0;
    for (size_t i = 0; i < row->count; i++) {
        double d = row->values[i], l = low[row->at[i]], h = high[row->at[i]];
        least += d > 0 ? d * l : d * h;
        most += d > 0 ? d * h : d * l;
    }
    for (size_t i = 0; i < row->count; i++) {
        size_t k = row->at[i];
        double d = row->values[i], l = low[k], h = high[k];
        double rest_least = least - (d > 0 ? d * l : d * h);
        double rest_most = most - (d > 0 ? d * h : d * l);
        double above = (row->high - rest_least) / d, below = (row->low - rest_most) / d;
        double top = d > 0 ? above : below, bottom = d > 0 ? below : above;
        double new_high = top < h ? top : h, new_low = bottom > l ? bottom : l;
        if (new_low > new_high || (new_low == l && new_high == h)) /* > by rounding */
            continue;
        least += d > 0 ? d * (new_low - l) : d * (new_high - h);
        most += d > 0 ? d * (new_high - h) : d * (new_low - l);
        low[k] = new_low;
        high[k] = new_high;
        if (!(new_high - new_low < (1 - LEAST_NARROWING) * (h - l)))
            continue;
        if (narrower)
            narrower[count] = k;
        count++;
    }
    return count;
}

static void find_sums(bounds *b, const double *q)
{
    const product_sums *sums = &b->of.sums;
    memcpy(b->sums, q, b->of.p * sizeof *q);
    for (size_t i = b->of.p; i < sums->count; i++) {
        const size_t *parts = sums->parts + 2 * (i - b->of.p);
        b->sums[i] = b->sums[parts[0]] + b->sums[parts[1]];
    }
}

static bounds_row row_of(const bounds *b, size_t i, const dual_ball *ball)
{
    const inequalities *s = &b->of;
    double at = ball->scale * b->sums[s->sum[i]], room = ball->radius * s->sums.lengths[s->sum[i]];
    return (bounds_row){s->starts[i + 1] - s->starts[i], s->at + s->starts[i],
                        s->values + s->starts[i], at - room, at + room};
}

/* The inequalities that narrow an interval when all have their greatest width. */
static size_t first_queue(bounds *b, const dual_ball *ball, double lambda)
{
    size_t count = 0;
    for (size_t i = 0; i < b->of.count; i++) {
        bounds_row row = row_of(b, i, ball);
        double reach = lambda * b->reach[i], needed = 2 * lambda * b->largest[i];
        b->queued[i] = row.high + reach < needed || reach - row.low < needed;
        if (b->queued[i])
            b->queue[count++] = i;
    }
    return count;
}

static void widest(bounds *b, double lambda)
{
    for (size_t v = 0; v < b->variables; v++) {
        b->high[v] = lambda * limit_of(b, v);
        b->low[v] = -b->high[v];
        b->proven[v] = false;
    }
    for (size_t i = 0; i < b->of.count; i++)
        b->open[i] = (uint32_t)(b->of.starts[i + 1] - b->of.starts[i]);
}

bool bounds_prove(const bounds *b, size_t variable, double lambda)
{
    double limit = (1 - SAFE_SHARE) * lambda * limit_of(b, variable);
    return -b->low[variable] < limit && b->high[variable] < limit;
}

void bounds_find(bounds *b, const dual_ball *ball, double lambda, bool narrow_proven)
{
    widest(b, lambda);
    find_sums(b, ball->q);
    size_t all = b->of.count, waiting = first_queue(b, ball, lambda), next = 0, done = 0;
    for (; waiting > 0 && done < MAX_PROPAGATION * all; done++, waiting--) {
        size_t i = b->queue[next];
        next = next + 1 < all ? next + 1 : 0;
        b->queued[i] = false;
        if (b->open[i] == 0 && !narrow_proven)
            continue;
        bounds_row row = row_of(b, i, ball);
        size_t count = bounds_propagate(&row, b->low, b->high, b->narrower);
        for (size_t k = 0; k < count; k++) {
            size_t v = b->narrower[k];
            bool first = !b->proven[v] && bounds_prove(b, v, lambda);
            b->proven[v] = b->proven[v] || first;
            for (size_t w = b->starts[v]; w < b->starts[v + 1]; w++) {
                size_t other = b->with[w], at = next + waiting - 1;
                b->open[other] -= first;
                if (b->queued[other] || other == i || (b->open[other] == 0 && !narrow_proven))
                    continue;
                b->queued[other] = true;
                b->queue[at < all ? at : at - all] = other;
                waiting++;
            }
        }
    }
    while (waiting-- > 0) {
        b->queued[b->queue[next]] = false;
        next = next + 1 < all ? next + 1 : 0;
    }
}

const double *bounds_low(const bounds *b)
{
    return b->low;
}

const double *bounds_high(const bounds *b)
{
    return b->high;
}
