#include "solve/structure/flow/direct.h"

#include "base/memory.h"
#include "solve/structure/flow/chain.h"

#include <stdlib.h>

struct direct_solver {
    const samples *of;
    const tm_graph *graph;
    double *line, *bound; /* p: the answer along a line, and the bounds of its edges */
    separable *columns;   /* otherwise */
};

void direct_free(direct_solver *d)
{
    if (!d)
        return;
    free(d->line);
    free(d->bound);
    separable_free(d->columns);
    free(d);
}

tm_status direct_new(direct_solver **out, const tm_dataset *data, const samples *of,
                     const graph_terms *terms, tm_error *err)
{
    bool line = chain_fits(data, of, terms);
    *out = NULL;
    if (!line && !separable_fits(data, of, terms))
        return TM_OK;
    direct_solver *d = calloc(1, sizeof *d);
    if (!d)
        return tm_fail_memory(err, "the solver");
    d->of = of;
    d->graph = terms->graph;
    tm_status status = TM_OK;
    if (line) {
        d->line = mem_zeros(of->n, sizeof *d->line);
        d->bound = mem_zeros(of->n, sizeof *d->bound);
        status = d->line && d->bound ? TM_OK : tm_fail_memory(err, "the solver");
    } else {
        status = separable_new(&d->columns, data, of, terms, err);
    }
    if (status == TM_OK)
        *out = d;
    else
        direct_free(d);
    return status;
}

tm_status direct_solve(direct_solver *d, double lambda, bool warm, solve_progress *progress,
                       tm_error *err)
{
    if (d->columns) {
        if (!warm)
            separable_reset(d->columns);
        separable_solve(d->columns, lambda, progress);
        return TM_OK;
    }
    for (size_t t = 0; t < tm_graph_terms(d->graph); t++) {
        const double *values;
        size_t count;
        const uint32_t *f = tm_graph_term(d->graph, t, &values, &count);
        d->bound[f[0]] = lambda * values[0];
    }
    progress->updates += d->of->n;
    return chain_solve(d->of->n, d->of->y, d->bound, d->line)
               ? TM_OK
               : tm_fail_memory(err, "total variation");
}

const double *direct_weights(const direct_solver *d)
{
    return d->columns ? separable_weights(d->columns) : d->line;
}

const double *direct_dual(const direct_solver *d)
{
    return d->columns ? separable_dual(d->columns) : NULL;
}
