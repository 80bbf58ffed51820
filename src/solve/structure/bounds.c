#include "solve/structure/bounds.h"

#include "base/memory.h"
#include "solve/structure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bounds_propagate(const bounds_row *row, double *low, double *high)
{
    double least = 0, most = 0;
    bool narrower = false;
    for (size_t i = 0; i < row->count; i++) {
        double d = row->values[i], l = low[row->at[i]], h = high[row->at[i]];
        least += d > 0 ? d * l : d * h;
        most += d > 0 ? d * h : d * l;
    }
    for (size_t i = 0; i < row->count; i++) {
        size_t k = row->at[i];
        double d = row->values[i], before = high[k] - low[k];
        double rest_least = least - (d > 0 ? d * low[k] : d * high[k]);
        double rest_most = most - (d > 0 ? d * high[k] : d * low[k]);
        double above = (row->high - rest_least) / d, below = (row->low - rest_most) / d;
        double new_high = fmin(high[k], d > 0 ? above : below);
        double new_low = fmax(low[k], d > 0 ? below : above);
        if (new_low > new_high) /* rounding */
            continue;
        least += d > 0 ? d * (new_low - low[k]) : d * (new_high - high[k]);
        most += d > 0 ? d * (new_high - high[k]) : d * (new_low - low[k]);
        low[k] = new_low;
        high[k] = new_high;
        narrower = narrower || new_high - new_low < (1 - LEAST_NARROWING) * before;
    }
    return narrower;
}

/* ---- the system ------------------------------------------------------------------------------ */

/* The rows of D' with their intervals. While features attached by a single edge are eliminated,
 * also the sums that have been moved to their neighbours. */
typedef struct bounds_system {
    const bounds_of *b;
    const dual_ball *ball;
    size_t n, p, terms;
    size_t *starts, *at; /* terms at each feature, including its own penalty */
    double *values;
    double *sums;        /* p: products, plus those moved here */
    double **columns;    /* p: sums of the columns moved here; NULL: none were */
    size_t *open;        /* number of terms at each feature not yet eliminated */
    unsigned char *gone; /* terms */
    uint32_t *queue;
    double *column; /* n */
    double *rooms;  /* p: half the width of each interval */
} bounds_system;

static void system_clear(bounds_system *s)
{
    for (size_t j = 0; s->columns && j < s->p; j++)
        free(s->columns[j]);
    free(s->starts);
    free(s->at);
    free(s->values);
    free(s->sums);
    free(s->columns);
    free(s->open);
    free(s->gone);
    free(s->queue);
    free(s->column);
    free(s->rooms);
}

static void list_terms(bounds_system *s)
{
    const graph_terms *t = &s->b->terms;
    const double *values;
    size_t count;
    for (size_t k = 0; k < s->terms; k++) {
        const uint32_t *f = tm_graph_term(t->graph, k, &values, &count);
        for (size_t i = 0; i < count; i++)
            s->starts[f[i] + 2]++;
    }
    for (size_t j = 0; t->own && j < s->p; j++)
        s->starts[j + 2] += t->own[j] > 0;
    for (size_t j = 0; j < s->p; j++)
        s->starts[j + 2] += s->starts[j + 1];
    for (size_t k = 0; k < s->terms; k++) {
        const uint32_t *f = tm_graph_term(t->graph, k, &values, &count);
        for (size_t i = 0; i < count; i++) {
            size_t to = s->starts[f[i] + 1]++;
            s->at[to] = k;
            s->values[to] = values[i];
        }
    }
    for (size_t j = 0; t->own && j < s->p; j++)
        if (t->own[j] > 0) {
            size_t to = s->starts[j + 1]++;
            s->at[to] = s->terms + j;
            s->values[to] = 1;
        }
    for (size_t j = 0; j < s->p; j++)
        s->open[j] = s->starts[j + 1] - s->starts[j];
}

static tm_status system_make(bounds_system *s, const bounds_of *b, const dual_ball *ball,
                             tm_error *err)
{
    *s = (bounds_system){.b = b,
                         .ball = ball,
                         .n = b->of->n,
                         .p = tm_dataset_cols(b->data),
                         .terms = tm_graph_terms(b->terms.graph)};
    size_t entries = 2 * s->terms + (b->terms.own ? s->p : 0);
    s->starts = mem_zeros(s->p + 2, sizeof *s->starts);
    s->at = mem_array(entries, sizeof *s->at);
    s->values = mem_array(entries, sizeof *s->values);
    s->sums = mem_array(s->p, sizeof *s->sums);
    s->columns = mem_zeros(s->p, sizeof *s->columns);
    s->open = mem_array(s->p, sizeof *s->open);
    s->gone = mem_zeros(s->terms + s->p, 1);
    s->queue = mem_array(s->p, sizeof *s->queue);
    s->column = mem_array(s->n, sizeof *s->column);
    s->rooms = mem_array(s->p, sizeof *s->rooms);
    if (!s->starts || !s->at || !s->values || !s->sums || !s->columns || !s->open || !s->gone ||
        !s->queue || !s->column || !s->rooms)
        return tm_fail_memory(err, "bounds");
    memcpy(s->sums, ball->q, s->p * sizeof *s->sums);
    list_terms(s);
    return TM_OK;
}

/* The column of a feature plus those moved to it, and its length in the dual's metric; with an
 * intercept the length of its component orthogonal to the ones. */
static double column_length(bounds_system *s, size_t j)
{
    const samples *of = s->b->of;
    double mean = 0, squares = 0;
    tm_matrix_column(tm_dataset_x(s->b->data), j, s->column);
    for (size_t i = 0; i < s->n; i++) {
        s->column[i] += s->columns[j] ? s->columns[j][i] : 0;
        mean += samples_weight(of, i) * s->column[i] / of->total;
    }
    if (!s->b->terms.intercept)
        mean = 0;
    for (size_t i = 0; i < s->n; i++) {
        double x = s->column[i] - mean;
        squares += samples_weight(of, i) * x * x;
    }
    return sqrt(squares);
}

/* ---- subtrees attached by one edge ----------------------------------------------------------- */

static size_t open_term(const bounds_system *s, size_t j)
{
    for (size_t k = s->starts[j]; k < s->starts[j + 1]; k++)
        if (!s->gone[s->at[k]])
            return k;
    return SIZE_MAX;
}

/* Feature j has one edge left: the edge's multiplier is the sum over the subtree attached by it,
 * with an interval of its own, and the sum moves to the feature at the other end. Returns that
 * feature. */
static size_t take_off(bounds_system *s, size_t j, double *low, double *high)
{
    size_t k = open_term(s, j), t = s->at[k], count;
    const double *values;
    const uint32_t *f = tm_graph_term(s->b->terms.graph, t, &values, &count);
    uint32_t other = f[0] == j ? f[1] : f[0];
    double room = s->ball->radius * column_length(s, j), at = s->ball->scale * s->sums[j];
    bounds_propagate(&(bounds_row){1, &t, &s->values[k], at - room, at + room}, low, high);
    if (!s->columns[other])
        s->columns[other] = mem_zeros(s->n, sizeof(double));
    if (!s->columns[other])
        return SIZE_MAX;
    for (size_t i = 0; i < s->n; i++)
        s->columns[other][i] += s->column[i];
    s->sums[other] += s->sums[j];
    free(s->columns[j]);
    s->columns[j] = NULL;
    s->gone[t] = 1;
    s->open[j] = 0;
    s->open[other]--;
    return other;
}

static bool has_one_edge(const bounds_system *s, size_t j)
{
    return s->open[j] == 1 && s->at[open_term(s, j)] < s->terms;
}

static tm_status take_off_all(bounds_system *s, double *low, double *high, uint64_t *columns,
                              tm_error *err)
{
    size_t count = 0;
    for (size_t j = 0; j < s->p; j++)
        if (has_one_edge(s, j))
            s->queue[count++] = (uint32_t)j;
    for (size_t next = 0; next < count; next++) {
        if (!has_one_edge(s, s->queue[next]))
            continue;
        size_t other = take_off(s, s->queue[next], low, high);
        if (other == SIZE_MAX)
            return tm_fail_memory(err, "bounds");
        ++*columns;
        if (has_one_edge(s, other) && count < s->p)
            s->queue[count++] = (uint32_t)other;
    }
    return TM_OK;
}

/* ---- propagation ----------------------------------------------------------------------------- */

/* Moves the remaining terms of feature j to the front of its list. */
static size_t gather(bounds_system *s, size_t j)
{
    size_t from = s->starts[j], kept = from;
    for (size_t k = from; k < s->starts[j + 1]; k++) {
        if (s->gone[s->at[k]])
            continue;
        s->at[kept] = s->at[k];
        s->values[kept++] = s->values[k];
    }
    return kept - from;
}

static void propagate(bounds_system *s, double *low, double *high, uint64_t *columns)
{
    bool narrower = true;
    for (size_t j = 0; j < s->p; j++) {
        s->open[j] = gather(s, j);
        if (s->open[j] == 0)
            continue;
        s->rooms[j] = s->ball->radius * column_length(s, j);
        ++*columns;
    }
    for (size_t round = 0; narrower && round < s->b->max_rounds; round++) {
        narrower = false;
        for (size_t j = 0; j < s->p; j++) {
            if (s->open[j] == 0)
                continue;
            double at = s->ball->scale * s->sums[j], room = s->rooms[j];
            bounds_row row = {s->open[j], s->at + s->starts[j], s->values + s->starts[j], at - room,
                              at + room};
            narrower = bounds_propagate(&row, low, high) || narrower;
        }
    }
}

tm_status bounds_find(const bounds_of *b, const dual_ball *ball, double *low, double *high,
                      uint64_t *columns, tm_error *err)
{
    bounds_system s;
    tm_status status = system_make(&s, b, ball, err);
    for (size_t k = 0; k < s.terms; k++) {
        high[k] = b->lambda;
        low[k] = -b->lambda;
    }
    for (size_t j = 0; b->terms.own && j < s.p; j++) {
        high[s.terms + j] = b->lambda * b->terms.own[j];
        low[s.terms + j] = -high[s.terms + j];
    }
    if (status == TM_OK)
        propagate(&s, low, high, columns);
    /* The intervals of the sums replace those of single features, which are used first. */
    if (status == TM_OK && b->transform) {
        status = take_off_all(&s, low, high, columns, err);
        if (status == TM_OK)
            propagate(&s, low, high, columns);
    }
    system_clear(&s);
    return status;
}
