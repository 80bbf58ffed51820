#include "solve/structure/screening/inequalities.h"

#include "base/memory.h"
#include "solve/structure/screening/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void inequalities_clear(inequalities *s)
{
    free(s->sums.parts);
    free(s->sums.lengths);
    free(s->sum);
    free(s->starts);
    free(s->at);
    free(s->values);
    *s = (inequalities){0};
}

/* ---- construction ---------------------------------------------------------------------------- */

/* The graph while inequalities are made from it: features attached by a single edge are taken off
 * it, and their sums move to their neighbours. */
typedef struct making {
    inequalities *to;
    const tm_matrix *x;
    const samples *of;
    const graph_terms *terms;
    size_t n;
    bool failed;         /* memory ran out */
    size_t *starts, *at; /* terms at each feature, including its own penalty */
    double *values;
    size_t *held;        /* p: the sum that stands for the feature */
    double **columns;    /* p: its columns' sum; NULL: the feature's own */
    size_t *open;        /* p: number of terms that have not been taken off */
    unsigned char *gone; /* terms */
    unsigned char *done; /* p: features whose path has been followed */
    uint32_t *queue;     /* p */
    double *column;      /* n */
} making;

static void making_clear(making *m)
{
    for (size_t j = 0; m->columns && j < m->to->p; j++)
        free(m->columns[j]);
    free(m->starts);
    free(m->at);
    free(m->values);
    free(m->held);
    free(m->columns);
    free(m->open);
    free(m->gone);
    free(m->done);
    free(m->queue);
    free(m->column);
}

static void list_terms(making *m)
{
    const graph_terms *t = m->terms;
    const double *values;
    size_t count, p = m->to->p, terms = m->to->terms;
    for (size_t k = 0; k < terms; k++) {
        const uint32_t *f = tm_graph_term(t->graph, k, &values, &count);
        for (size_t i = 0; i < count; i++)
            m->starts[f[i] + 2]++;
    }
    for (size_t j = 0; t->own && j < p; j++)
        m->starts[j + 2] += t->own[j] > 0;
    for (size_t j = 0; j < p; j++)
        m->starts[j + 2] += m->starts[j + 1];
    for (size_t k = 0; k < terms; k++) {
        const uint32_t *f = tm_graph_term(t->graph, k, &values, &count);
        for (size_t i = 0; i < count; i++) {
            size_t to = m->starts[f[i] + 1]++;
            m->at[to] = k;
            m->values[to] = values[i];
        }
    }
    for (size_t j = 0; t->own && j < p; j++)
        if (t->own[j] > 0) {
            size_t to = m->starts[j + 1]++;
            m->at[to] = terms + j;
            m->values[to] = 1;
        }
    for (size_t j = 0; j < p; j++)
        m->open[j] = m->starts[j + 1] - m->starts[j];
}

static bool making_begin(making *m)
{
    size_t p = m->to->p, terms = m->to->terms, entries = 2 * terms + (m->terms->own ? p : 0);
    m->starts = mem_zeros(p + 2, sizeof *m->starts);
    m->at = mem_array(entries, sizeof *m->at);
    m->values = mem_array(entries, sizeof *m->values);
    m->held = mem_array(p, sizeof *m->held);
    m->columns = mem_zeros(p, sizeof *m->columns);
    m->open = mem_array(p, sizeof *m->open);
    m->gone = mem_zeros(terms + p, 1);
    m->done = mem_zeros(p, 1);
    m->queue = mem_array(p, sizeof *m->queue);
    m->column = mem_array(m->n, sizeof *m->column);
    if (!m->starts || !m->at || !m->values || !m->held || !m->columns || !m->open || !m->gone ||
        !m->done || !m->queue || !m->column)
        return false;
    list_terms(m);
    return true;
}

static bool grow(void **array, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return true;
    size_t more = 2 * needed;
    void *larger = more <= SIZE_MAX / size ? realloc(*array, more * size) : NULL;
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

/* The length of m->column in the dual's metric. */
static double column_length(const making *m)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; m->terms->intercept && i < m->n; i++)
        mean += samples_weight(m->of, i) * m->column[i] / m->of->total;
    for (size_t i = 0; i < m->n; i++) {
        double x = m->column[i] - mean;
        squares += samples_weight(m->of, i) * x * x;
    }
    return sqrt(squares);
}

/* The column that stands for feature j, into m->column. */
static void take_column(making *m, size_t j)
{
    if (m->columns[j])
        memcpy(m->column, m->columns[j], m->n * sizeof *m->column);
    else
        tm_matrix_column(m->x, j, m->column);
}

/* A sum of two others, whose columns' sum is in m->column. */
static size_t add_sum(making *m, size_t a, size_t b)
{
    product_sums *sums = &m->to->sums;
    size_t room = sums->room, beyond = sums->count - m->to->p;
    bool grown = grow((void **)&sums->lengths, &room, sums->count + 1, sizeof *sums->lengths);
    size_t *parts = grown && room > sums->room
                        ? realloc(sums->parts, 2 * room * sizeof *sums->parts)
                        : sums->parts;
    if (!grown || !parts) {
        m->failed = true;
        return 0;
    }
    sums->parts = parts;
    sums->room = room;
    parts[2 * beyond] = a;
    parts[2 * beyond + 1] = b;
    sums->lengths[sums->count] = column_length(m);
    return sums->count++;
}

/* Begins an inequality of this sum; its entries follow. */
static void begin_row(making *m, size_t sum)
{
    inequalities *s = m->to;
    size_t room = s->room;
    bool grown = grow((void **)&s->starts, &room, s->count + 2, sizeof *s->starts);
    size_t *sums = grown && room > s->room ? realloc(s->sum, room * sizeof *s->sum) : s->sum;
    if (!grown || !sums) {
        m->failed = true;
        return;
    }
    s->sum = sums;
    s->room = room;
    s->sum[s->count++] = sum;
    s->starts[s->count] = s->entries;
}

static void add_entry(making *m, size_t variable, double value)
{
    inequalities *s = m->to;
    size_t room = s->entry_room;
    bool grown = grow((void **)&s->at, &room, s->entries + 1, sizeof *s->at);
    double *values =
        grown && room > s->entry_room ? realloc(s->values, room * sizeof *values) : s->values;
    if (m->failed || !grown || !values) {
        m->failed = true;
        return;
    }
    s->values = values;
    s->entry_room = room;
    s->at[s->entries] = variable;
    values[s->entries++] = value;
    s->starts[s->count] = s->entries;
}

/* The open terms of feature j, except two (SIZE_MAX: none). */
static void add_open(making *m, size_t j, size_t without, size_t nor)
{
    for (size_t k = m->starts[j]; k < m->starts[j + 1]; k++)
        if (m->at[k] != without && m->at[k] != nor && !m->gone[m->at[k]])
            add_entry(m, m->at[k], m->values[k]);
}

static void add_features(making *m)
{
    for (size_t j = 0; !m->failed && j < m->to->p; j++) {
        m->held[j] = j;
        tm_matrix_column(m->x, j, m->column);
        m->to->sums.lengths[j] = column_length(m);
        if (m->open[j] == 0)
            continue;
        begin_row(m, j);
        add_open(m, j, SIZE_MAX, SIZE_MAX);
    }
}

/* ---- subtrees attached by one edge ----------------------------------------------------------- */

static size_t open_term(const making *m, size_t j, size_t without)
{
    for (size_t k = m->starts[j]; k < m->starts[j + 1]; k++)
        if (!m->gone[m->at[k]] && m->at[k] != without)
            return k;
    return SIZE_MAX;
}

static bool is_edge(const making *m, size_t k)
{
    return m->at[k] < m->to->terms;
}

static uint32_t other_end(const making *m, size_t term, size_t j)
{
    size_t count;
    const double *values;
    const uint32_t *f = tm_graph_term(m->terms->graph, term, &values, &count);
    return f[0] == j ? f[1] : f[0];
}

/* Feature j has one edge left: the edge's multiplier is the sum over the subtree attached by it,
 * with an interval of its own, and the sum moves to the feature at the other end. Returns that
 * feature. */
static size_t take_off(making *m, size_t j)
{
    size_t k = open_term(m, j, SIZE_MAX), t = m->at[k], other = other_end(m, t, j);
    if (m->held[j] != j) {
        begin_row(m, m->held[j]);
        add_entry(m, t, m->values[k]);
    }
    take_column(m, j);
    if (!m->columns[other]) {
        m->columns[other] = mem_array(m->n, sizeof(double));
        if (!m->columns[other]) {
            m->failed = true;
            return other;
        }
        tm_matrix_column(m->x, other, m->columns[other]);
    }
    for (size_t i = 0; i < m->n; i++)
        m->columns[other][i] += m->column[i];
    take_column(m, other);
    m->held[other] = add_sum(m, m->held[other], m->held[j]);
    free(m->columns[j]);
    m->columns[j] = NULL;
    m->gone[t] = 1;
    m->open[j] = 0;
    m->open[other]--;
    return other;
}

static bool has_one_edge(const making *m, size_t j)
{
    return m->open[j] == 1 && is_edge(m, open_term(m, j, SIZE_MAX));
}

static void add_subtrees(making *m, uint64_t *columns)
{
    size_t count = 0;
    for (size_t j = 0; j < m->to->p; j++)
        if (has_one_edge(m, j))
            m->queue[count++] = (uint32_t)j;
    for (size_t next = 0; !m->failed && next < count; next++) {
        if (!has_one_edge(m, m->queue[next]))
            continue;
        size_t other = take_off(m, m->queue[next]);
        ++*columns;
        if (has_one_edge(m, other) && count < m->to->p)
            m->queue[count++] = (uint32_t)other;
    }
    for (size_t j = 0; !m->failed && j < m->to->p; j++)
        if (m->open[j] > 0 && m->held[j] != j) {
            begin_row(m, m->held[j]);
            add_open(m, j, SIZE_MAX, SIZE_MAX);
        }
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Whether feature j joins two others and nothing else: sums along such features have two entries,
 * the edges at both ends. */
static bool is_link(const making *m, size_t j)
{
    if (m->open[j] != 2)
        return false;
    size_t first = open_term(m, j, SIZE_MAX), second = open_term(m, j, m->at[first]);
    return is_edge(m, first) && is_edge(m, second);
}

/* Adds the column that stands for j to the one in m->column. */
static void add_column(making *m, size_t j)
{
    if (!m->columns[j]) {
        tm_matrix_axpy(m->x, j, 1, m->column);
        return;
    }
    for (size_t i = 0; i < m->n; i++)
        m->column[i] += m->columns[j][i];
}

/* The sums of `start` and the links after it, one after the other, from its edge k on. With a start
 * that is a link they have two entries, otherwise as many as the start has. Marks the links as done
 * if `mark`. Returns the feature at which the path ends. */
static size_t follow(making *m, size_t start, size_t k, bool mark, uint64_t *columns)
{
    size_t sum = m->held[start], leaving = m->at[k], entered = leaving;
    size_t j = other_end(m, leaving, start);
    take_column(m, start);
    while (!m->failed && j != start && is_link(m, j)) {
        size_t exit = open_term(m, j, entered);
        add_column(m, j);
        ++*columns;
        sum = add_sum(m, sum, m->held[j]);
        begin_row(m, sum);
        if (other_end(m, m->at[exit], j) == start) { /* in the sum it cancels */
            add_open(m, start, leaving, m->at[exit]);
        } else {
            add_open(m, start, leaving, SIZE_MAX);
            add_entry(m, m->at[exit], m->values[exit]);
        }
        m->done[j] = m->done[j] || mark;
        entered = m->at[exit];
        j = other_end(m, entered, j);
    }
    return j;
}

/* From both ends of every path: its sums, and those with the feature it ends at. */
static void add_paths(making *m, uint64_t *columns)
{
    for (size_t j = 0; !m->failed && j < m->to->p; j++) {
        if (m->open[j] == 0 || is_link(m, j))
            continue;
        for (size_t k = m->starts[j]; !m->failed && k < m->starts[j + 1]; k++) {
            if (m->gone[m->at[k]] || !is_edge(m, k))
                continue;
            size_t first = other_end(m, m->at[k], j);
            if (!is_link(m, first))
                continue;
            m->done[first] = 1;
            follow(m, first, open_term(m, first, m->at[k]), true, columns);
            if (m->open[j] <= MAX_JUNCTION)
                follow(m, j, k, true, columns);
        }
    }
    for (size_t j = 0; !m->failed && j < m->to->p; j++) /* circles of links alone */
        if (!m->done[j] && is_link(m, j)) {
            m->done[j] = 1;
            follow(m, j, open_term(m, j, SIZE_MAX), true, columns);
        }
}

tm_status inequalities_new(inequalities *s, const tm_dataset *data, const samples *of,
                           const graph_terms *terms, bounds_kind kind, uint64_t *columns,
                           tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    *s = (inequalities){.p = p, .terms = tm_graph_terms(terms->graph)};
    making m = {.to = s, .x = tm_dataset_x(data), .of = of, .terms = terms, .n = of->n};
    s->sums.count = s->sums.room = p;
    s->sums.lengths = mem_array(p, sizeof *s->sums.lengths);
    s->sums.parts = mem_array(2 * p, sizeof *s->sums.parts);
    s->starts = mem_zeros(1, sizeof *s->starts);
    m.failed = !s->sums.lengths || !s->sums.parts || !s->starts || !making_begin(&m);
    if (!m.failed) {
        add_features(&m);
        *columns += p;
    }
    if (!m.failed && kind >= BOUNDS_SUBTREES)
        add_subtrees(&m, columns);
    if (!m.failed && kind >= BOUNDS_PATHS)
        add_paths(&m, columns);
    making_clear(&m);
    return m.failed ? tm_fail_memory(err, "bounds") : TM_OK;
}
