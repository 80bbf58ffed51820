#include "solve/l1/core/by_gram.h"

#include "base/memory.h"
#include "solve/l1/core/tuning.h"
#include "solve/l1/gram/gram_factor.h"
#include "solve/l1/gram/gram_solver.h"

#include <math.h>
#include <stdlib.h>

/* Maps the active set to places of the cache, adding what is missing. A cache that would overflow
 * is restarted with the set. */
static tm_status cache_set(const l1_state *s, gram *cache, gram_factor *factor, size_t *set,
                           solve_progress *progress, tm_error *err)
{
    size_t missing = 0;
    for (size_t k = 0; k < s->active.count; k++)
        missing += !gram_has(cache, s->active.features[k]);
    if (cache->count + missing > MAX_GRAM) {
        gram_clear(cache);
        gram_factor_forget(factor);
    }
    tm_status status = gram_add(cache, s->active.features, s->active.count, progress, err);
    for (size_t k = 0; status == TM_OK && k < s->active.count; k++)
        set[k] = gram_place(cache, s->active.features[k]);
    return status;
}

/* What the problem on the set needs besides the Gram matrix: one value for each place of the
 * cache. */
typedef struct cache_vectors {
    double *w, *linear, *factors;  /* count */
    double *ridge, *lower, *upper; /* count; NULL when the problem has none */
    double *start;                 /* count: the origin of the weights, those of the null model */
    size_t *set;                   /* places of the active features */
} cache_vectors;

static void free_vectors(cache_vectors *v)
{
    free(v->w);
    free(v->linear);
    free(v->factors);
    free(v->ridge);
    free(v->lower);
    free(v->upper);
    free(v->start);
    free(v->set);
}

/* Products with the response are those with the null model's residual, so that weights of
 * unpenalised features are relative to the null model's. */
static void load_start(const l1_state *s, const gram *cache, cache_vectors *v)
{
    for (size_t k = 0; k < unpenalised_count(s->penalty.free); k++) {
        size_t j = unpenalised_features(s->penalty.free)[k];
        if (gram_has(cache, j))
            v->start[gram_place(cache, j)] = s->null.weights[k];
    }
}

static tm_status load_vectors(const l1_state *s, const gram *cache, cache_vectors *v, tm_error *err)
{
    size_t count = cache->count;
    v->w = mem_zeros(count, sizeof *v->w);
    v->linear = mem_array(count, sizeof *v->linear);
    v->factors = mem_array(count, sizeof *v->factors);
    v->start = mem_zeros(count, sizeof *v->start);
    v->ridge = s->penalty.ridge ? mem_array(count, sizeof *v->ridge) : NULL;
    v->lower = s->penalty.lower ? mem_array(count, sizeof *v->lower) : NULL;
    v->upper = s->penalty.lower ? mem_array(count, sizeof *v->upper) : NULL;
    if (!v->w || !v->linear || !v->factors || !v->start || (s->penalty.ridge && !v->ridge) ||
        (s->penalty.lower && (!v->lower || !v->upper)))
        return tm_fail_memory(err, "the working set");
    load_start(s, cache, v);
    for (size_t k = 0; k < count; k++) {
        size_t j = cache->features[k];
        v->linear[k] = s->null.xy[j];
        v->factors[k] = l1_factor(s, j);
        if (v->ridge)
            v->ridge[k] = penalty_square(&s->penalty.terms, j);
        if (v->lower) {
            v->lower[k] = s->penalty.lower[j] - v->start[k];
            v->upper[k] = s->penalty.upper[j] - v->start[k];
        }
    }
    for (size_t k = 0; k < s->active.count; k++)
        v->w[v->set[k]] = s->it.w[s->active.features[k]] - v->start[v->set[k]];
    return TM_OK;
}

/* Adding the origin back may have rounded beyond a limit. */
static void store_weight(l1_state *s, size_t j, double w)
{
    s->it.w[j] = s->penalty.lower ? fmin(fmax(w, s->penalty.lower[j]), s->penalty.upper[j]) : w;
}

tm_status l1_gram_open(gram **out, const l1_state *s, tm_error *err)
{
    const l1_problem *q = &s->problem;
    gram_source from = {q->x, &q->of, q->means, q->lengths, q->squares, q->n, q->p, q->intercept};
    return *out ? TM_OK : gram_new(out, &from, err);
}

static bool is_binding(double limit)
{
    return isfinite(limit) && limit != 0;
}

/* Whether the set has limits other than 0. Newton steps that come before epochs end at the first
 * limit that a weight reaches, which on dense 500 x 20,000 with limits of 0.05 takes 3.5 times as
 * long. */
static bool has_limits(const cache_vectors *v, size_t count)
{
    for (size_t k = 0; v->lower && k < count; k++)
        if (is_binding(v->lower[v->set[k]]) || is_binding(v->upper[v->set[k]]))
            return true;
    return false;
}

tm_status l1_by_gram(l1_state *s, gram *cache, gram_factor *factor, double goal, bool *exceeded,
                     solve_progress *progress, tm_error *err)
{
    cache_vectors v = {.set = mem_array(s->active.count, sizeof *v.set)};
    tm_status status =
        v.set ? cache_set(s, cache, factor, v.set, progress, err) : tm_fail_memory(err, "the set");
    if (status == TM_OK)
        status = load_vectors(s, cache, &v, err);
    if (s->penalty.ridge) /* it changes with lambda */
        gram_factor_forget(factor);
    gram_problem problem = {.count = cache->count,
                            .capacity = cache->capacity,
                            .products = cache->products,
                            .linear = v.linear,
                            .factors = v.factors,
                            .ridge = v.ridge,
                            .lower = v.lower,
                            .upper = v.upper,
                            .constant = s->null.yy,
                            .lambda = s->penalty.lambda,
                            .set = v.set,
                            .set_count = s->active.count,
                            .w = v.w,
                            .factor = has_limits(&v, s->active.count) ? NULL : factor,
                            .progress = progress,
                            .epochs = s->it.epochs,
                            .max_epochs = s->options.max_iter,
                            .work = s->penalty.lower ? GRAM_LIMITED_WORK : 0};
    if (status == TM_OK)
        status = gram_problem_solve(&problem, goal, err);
    for (size_t k = 0; status == TM_OK && k < s->active.count; k++)
        store_weight(s, s->active.features[k], v.w[v.set[k]] + v.start[v.set[k]]);
    s->it.epochs = problem.epochs;
    *exceeded = problem.exceeded;
    free_vectors(&v);
    return status;
}
