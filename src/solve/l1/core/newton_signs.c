/* Newton steps of a loss that is not quadratic with fixed signs: the model is minimised over the
 * nonzero weights. */
#include "solve/common/line_search.h"
#include "solve/l1/core/newton.h"
#include "solve/l1/core/signs.h"
#include "solve/l1/core/tuning.h"

/* Sets up the support, its means and squares. */
static void begin_signs(l1_state *s, signs *q)
{
    l1_model *m = s->model;
    q->h = m->h;
    q->means = s->problem.intercept ? m->means : NULL;
    q->total = m->total;
    for (size_t k = 0; k < s->active.count; k++) {
        size_t j = s->active.features[k];
        m->before[j] = s->it.w[j];
        if (s->it.w[j] == 0)
            continue;
        m->means[j] = s->problem.intercept && m->total > 0
                          ? tm_matrix_dot(s->problem.x, j, m->h) / m->total
                          : 0;
        double square = l1_model_column_square(s, m, j, m->means[j]);
        signs_add(q, s, j, l1_model_square(s, j, square), l1_model_square(s, j, 0));
    }
}

typedef struct bent {
    l1_state *s;
    const signs *q;
    solve_progress *progress;
} bent;

/* The objective after a step of length t; sets the weights. */
static double objective_at(double t, void *payload)
{
    const bent *b = payload;
    l1_state *s = b->s;
    for (size_t k = 0; k < b->q->count; k++)
        s->it.w[b->q->support[k]] = signs_weight(b->q, k, t);
    l1_model_direction(s);
    b->progress->columns += b->q->count;
    progress_work(b->progress, 2 * s->problem.n);
    return l1_model_objective(s, 1);
}

/* Returns whether it was a whole step that changed no sign. */
static bool take_bent_step(l1_state *s, const signs *q, double here, solve_progress *progress)
{
    bent b = {s, q, progress};
    double reached;
    line_search search = {objective_at, &b, here, q->slope, &s->model->unproven};
    double t = line_search_halve(&search, &reached);
    l1_model_step(s, t > 0 ? 1 : 0);
    return t == 1 && signs_kept(q, s);
}

tm_status l1_newton_signs(l1_state *s, bool *kept, solve_progress *progress, tm_error *err)
{
    signs q = {0};
    *kept = false;
    if (s->penalty.free || s->penalty.lower)
        return TM_OK;
    tm_status status = TM_OK;
    if (!signs_new(&q, s)) {
        status = tm_fail_memory(err, "a Newton step");
        goto done;
    }
    double here = l1_gap_active(s).primal;
    l1_model_weigh(s, NULL);
    begin_signs(s, &q);
    status = signs_solve(&q, s, CG_SHARE, progress, err);
    if (status == TM_OK)
        *kept = take_bent_step(s, &q, here, progress);
done:
    signs_free(&q);
    return status;
}
