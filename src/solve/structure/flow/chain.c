#include "solve/structure/flow/chain.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_identity(const tm_matrix *x)
{
    size_t n = tm_matrix_rows(x);
    if (n != tm_matrix_cols(x) || !tm_matrix_is_sparse(x) || tm_matrix_nnz(x) != n)
        return false;
    double scratch[1];
    for (size_t j = 0; j < n; j++) {
        const uint32_t *rows;
        const double *values;
        if (tm_matrix_column_nnz(x, j) != 1)
            return false;
        tm_matrix_entries(x, j, scratch, &rows, &values);
        if (rows[0] != j || values[0] != 1)
            return false;
    }
    return true;
}

bool chain_fits(const tm_dataset *data, const samples *of, const graph_terms *terms)
{
    if (!of->loss->quadratic || of->weights || of->offset || terms->own ||
        !tm_graph_is_edges(terms->graph))
        return false;
    for (size_t t = 0; t < tm_graph_terms(terms->graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(terms->graph, t, &values, &count);
        if (f[1] != f[0] + 1)
            return false;
    }
    return is_identity(tm_dataset_x(data));
}

/* With the first k + 1 values optimal for a given w_(k+1), the derivative of the objective in it is
 * piecewise linear, and constant beyond the points where it reaches -bound_k and bound_k. It is
 * stored as lines slope x + level from both ends, with their changes at each knot between. */
typedef struct chain_state {
    double *knots, *slopes, *levels; /* 2 n */
    double *least, *most;            /* n - 1: w_k is w_(k+1) clamped to this range */
    size_t first, last;              /* knots */
} chain_state;

typedef struct chain_line {
    double slope, level;
} chain_line;

/* The line that crosses `value`, searching from the left; s->first is then the knot after it. */
static chain_line cross_from_left(chain_state *s, chain_line at, double value)
{
    for (; s->first <= s->last; s->first++) {
        if (at.slope * s->knots[s->first] + at.level > value)
            break;
        at.slope += s->slopes[s->first];
        at.level += s->levels[s->first];
    }
    return at;
}

/* The same from the right, where lines are stored negated. */
static chain_line cross_from_right(chain_state *s, chain_line at, double value)
{
    for (; s->last >= s->first; s->last--) {
        if (-at.slope * s->knots[s->last] - at.level < value)
            break;
        at.slope += s->slopes[s->last];
        at.level += s->levels[s->last];
    }
    return at;
}

static void set_knot(chain_state *s, size_t at, double place, chain_line line, double bound)
{
    s->knots[at] = place;
    s->slopes[at] = line.slope;
    s->levels[at] = line.level + bound;
}

/* Adds value k and the bound of its difference with the next. */
static void add_value(chain_state *s, size_t k, const double *y, const double *bound)
{
    double before = k > 0 ? bound[k - 1] : 0;
    chain_line low = cross_from_left(s, (chain_line){1, -before - y[k]}, -bound[k]);
    s->least[k] = (-bound[k] - low.level) / low.slope;
    chain_line high = cross_from_right(s, (chain_line){-1, -before + y[k]}, bound[k]);
    s->most[k] = -(bound[k] + high.level) / high.slope;
    set_knot(s, --s->first, s->least[k], low, bound[k]);
    set_knot(s, ++s->last, s->most[k], high, bound[k]);
}

bool chain_solve(size_t n, const double *y, const double *bound, double *w)
{
    double *room = mem_array(8, (n + 1) * sizeof *room);
    if (!room)
        return false;
    chain_state s = {.knots = room,
                     .slopes = room + 2 * (n + 1),
                     .levels = room + 4 * (n + 1),
                     .least = room + 6 * (n + 1),
                     .most = room + 7 * (n + 1),
                     .first = n + 1,
                     .last = n};
    for (size_t k = 0; k + 1 < n; k++)
        add_value(&s, k, y, bound);
    double before = n > 1 ? bound[n - 2] : 0;
    chain_line at = cross_from_left(&s, (chain_line){1, -before - y[n - 1]}, 0);
    w[n - 1] = -at.level / at.slope;
    for (size_t k = n - 1; k-- > 0;)
        w[k] = fmin(fmax(w[k + 1], s.least[k]), s.most[k]);
    free(room);
    return true;
}
