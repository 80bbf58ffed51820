#include "solve/l1/strategy/extrapolate.h"

#include "base/memory.h"
#include "base/numeric/nonzero.h"
#include "solve/l1/core/tuning.h"

#include <stdlib.h>

static void clear(l1_answer *answer)
{
    free(answer->features);
    free(answer->w);
}

static bool keep_answer(l1_answer *out, const l1_state *s)
{
    const double *w = s->it.w;
    size_t p = s->problem.p, count = 0;
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p))
        count++;
    *out = (l1_answer){0, mem_array(count, sizeof *out->features), mem_array(count, sizeof *w)};
    if (!out->features || !out->w) {
        clear(out);
        return false;
    }
    for (size_t j = next_nonzero(w, 0, p); j < p; j = next_nonzero(w, j + 1, p)) {
        out->features[out->count] = j;
        out->w[out->count++] = w[j];
    }
    return true;
}

/* The share of the last change that is expected until this lambda; 0 where nothing is. */
static double share_of(const l1_line *line, const l1_state *s)
{
    double share = (line->answer_lambda - s->penalty.lambda) / (line->lambda - line->answer_lambda);
    return line->lambda > 0 && share > 0 && share <= MAX_EXTRAPOLATED ? share : 0;
}

/* Moves the weights of the last answer by a share of their change since the one before. */
static void extrapolate(l1_state *s, const l1_answer *before, const l1_answer *last, double share)
{
    for (size_t k = 0, at = 0; k < last->count; k++) {
        size_t j = last->features[k];
        while (at < before->count && before->features[at] < j)
            at++;
        double earlier = at < before->count && before->features[at] == j ? before->w[at] : 0;
        double next = last->w[k] + share * (last->w[k] - earlier);
        s->it.w[j] = (next > 0) == (last->w[k] > 0) ? next : 0;
    }
}

/* Moves the weights, unless that does not lower the objective: then they stay. */
static void move(l1_state *s, const l1_answer *before, const l1_answer *last, double share)
{
    if (share == 0) {
        l1_state_refresh(s);
        return;
    }
    double here = l1_objective(s, 0);
    extrapolate(s, before, last, share);
    l1_state_refresh(s);
    if (l1_objective(s, 0) < here)
        return;
    for (size_t k = 0; k < last->count; k++)
        s->it.w[last->features[k]] = last->w[k];
    l1_state_refresh(s);
}

tm_status l1_line_extrapolate(l1_line *line, l1_state *s, tm_error *err)
{
    l1_answer last;
    if (!s->options.warm || s->penalty.free || s->penalty.lower) {
        l1_state_refresh(s);
        return TM_OK;
    }
    if (!keep_answer(&last, s))
        return tm_fail_memory(err, "the working set");
    move(s, &line->before, &last, share_of(line, s));
    clear(&line->before);
    line->before = last;
    line->lambda = line->answer_lambda;
    line->answer_lambda = s->penalty.lambda;
    return TM_OK;
}

void l1_line_clear(l1_line *line)
{
    clear(&line->before);
}
