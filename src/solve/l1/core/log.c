#include "solve/l1/core/log.h"

#include <math.h>

const double *l1_log_vector(const l1_state *s, solve_progress *progress, double share,
                            const double *v, double shift)
{
    const samples *of = &s->problem.of;
    double *out = s->penalty.ridge ? NULL : screen_log_vector(progress, of->n);
    for (size_t i = 0; out && i < of->n; i++) {
        double weight = samples_weight(of, i);
        out[i] = weight > 0 ? share * (v[i] + shift * weight) / sqrt(weight) : 0;
    }
    return out;
}

/* The region's location; with a squared penalty dual points also have entries for features. */
static tm_screen_dual find_region(const l1_state *s, solve_progress *progress,
                                  const l1_log_ground *ground)
{
    tm_screen_dual at = {NULL, NULL, NULL, 0};
    if (!ground->g || s->penalty.ridge)
        return at;
    double share = ground->g->scale / s->penalty.lambda;
    at.theta = l1_log_vector(s, progress, share, s->it.r, s->it.shift);
    if (!ground->b || (ground->b->along_r == share && ground->b->along_y == 0)) {
        at.centre = at.theta;
        return at;
    }
    double *centre = screen_log_vector(progress, s->problem.n);
    for (size_t i = 0; centre && i < s->problem.n; i++) {
        double weight = samples_weight(&s->problem.of, i);
        double r = s->it.r[i] + s->it.shift * weight;
        double along = ground->b->along_r * r + ground->b->along_y * s->it.axis[i];
        centre[i] = weight > 0 ? along / sqrt(weight) : 0;
    }
    at.centre = centre;
    return at;
}

void l1_log_terms(const l1_state *s, solve_progress *progress)
{
    screen_log_terms(progress, s->penalty.factors, s->penalty.lower, s->penalty.upper,
                     s->problem.p);
}

void l1_log_begin(const l1_state *s, solve_progress *progress, const l1_log_ground *ground)
{
    if (!screen_log_wanted(progress))
        return;
    tm_screen_step step = screen_log_step(ground->what, s->active.count);
    if (ground->g) {
        step.primal = ground->g->primal;
        step.dual = ground->g->dual;
        step.gap = ground->g->gap;
    }
    step.radius = ground->b ? ground->b->radius : NAN;
    step.delta = ground->delta;
    step.at = find_region(s, progress, ground);
    l1_log_terms(s, progress);
    screen_log_begin(progress, &step);
}

static double bound_of(const l1_state *s, const ball *b, size_t j)
{
    screen_features features = l1_features(s);
    return b ? screen_upper(&features, j, b)
             : l1_correlation(s, j) / (s->penalty.lambda * l1_factor(s, j));
}

void l1_log_test(const l1_state *s, solve_progress *progress, const l1_log_ground *ground,
                 tm_screen_action gone)
{
    if (!screen_log_wanted(progress))
        return;
    size_t left = s->active.count;
    l1_log_begin(s, progress, ground);
    for (size_t k = 0; k < s->active.count; k++) {
        double bound = bound_of(s, ground->b, s->active.features[k]);
        left -= bound < 1;
        screen_log_feature(progress, s->active.features[k], bound,
                           bound < 1 ? gone : TM_SCREEN_KEPT);
    }
    screen_log_active(progress, left);
}

static bool is_among(const size_t *chosen, size_t count, size_t j)
{
    for (size_t k = 0; k < count; k++)
        if (chosen[k] == j)
            return true;
    return false;
}

void l1_log_join(const l1_state *s, solve_progress *progress, const l1_log_ground *ground,
                 const size_t *chosen, size_t count, tm_screen_action action,
                 tm_screen_action others)
{
    if (!screen_log_wanted(progress))
        return;
    l1_log_begin(s, progress, ground);
    for (size_t k = 0; k < count; k++)
        screen_log_feature(progress, chosen[k], bound_of(s, ground->b, chosen[k]), action);
    for (size_t j = 0; j < s->problem.p; j++)
        if (!s->active.has[j] && !(ground->gone && ground->gone[j]) && l1_norm(s, j) > 0 &&
            !is_among(chosen, count, j))
            screen_log_feature(progress, j, bound_of(s, ground->b, j), others);
    screen_log_active(progress, s->active.count + count);
}

void l1_log_start(const l1_state *s, solve_progress *progress, const char *what, const ball *b)
{
    if (!screen_log_wanted(progress))
        return;
    l1_log_ground ground = {what, NULL, NULL, 1, NULL};
    l1_log_begin(s, progress, &ground);
    for (size_t k = 0; k < s->active.count; k++)
        screen_log_feature(progress, s->active.features[k], bound_of(s, b, s->active.features[k]),
                           TM_SCREEN_STARTED);
}
