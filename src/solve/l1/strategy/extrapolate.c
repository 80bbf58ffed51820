#include "solve/l1/strategy/extrapolate.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "solve/l1/core/tuning.h"

#include <string.h>

/* The share of the last change that is expected until this lambda; 0 where nothing is. */
static double share_of(const l1_line *line, const l1_state *s)
{
    double share = (line->answer_lambda - s->penalty.lambda) / (line->lambda - line->answer_lambda);
    return share > 0 && share <= MAX_EXTRAPOLATED ? share : 0;
}

/* The last answer takes the place of the one before it, and is in `last` afterwards. */
static void extrapolate(l1_line *line, l1_state *s, double share, double *last)
{
    double *w = s->it.w;
    memcpy(last, w, s->problem.p * sizeof *w);
    for (size_t j = next_nonzero(w, 0, s->problem.p); j < s->problem.p;
         j = next_nonzero(w, j + 1, s->problem.p)) {
        double next = w[j] + share * (w[j] - line->w[j]);
        w[j] = (next > 0) == (w[j] > 0) ? next : 0;
    }
    free(line->w);
    line->w = last;
}

/* Moves the weights, unless that does not lower the objective: then they stay. */
static void move(l1_line *line, l1_state *s, double share, double *last)
{
    double before = share > 0 ? l1_objective(s, 0) : 0;
    extrapolate(line, s, share, last);
    l1_state_refresh(s);
    if (share == 0 || l1_objective(s, 0) < before)
        return;
    memcpy(s->it.w, last, s->problem.p * sizeof *last);
    l1_state_refresh(s);
}

tm_status l1_line_extrapolate(l1_line *line, l1_state *s, tm_error *err)
{
    if (!s->options.warm || s->penalty.free || s->penalty.lower) {
        l1_state_refresh(s);
        return TM_OK;
    }
    double *last = mem_array(s->problem.p, sizeof *last);
    if (!last || (!line->w && !(line->w = mem_zeros(s->problem.p, sizeof *line->w)))) {
        free(last);
        return tm_fail_memory(err, "the working set");
    }
    move(line, s, line->lambda > 0 ? share_of(line, s) : 0, last);
    line->lambda = line->answer_lambda;
    line->answer_lambda = s->penalty.lambda;
    return TM_OK;
}

void l1_line_clear(l1_line *line)
{
    free(line->w);
}
