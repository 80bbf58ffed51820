#include "solve/l1/core/by_gram.h"

#include "base/memory.h"
#include "solve/common/gram.h"
#include "solve/l1/core/gram_solver.h"

#include <math.h>
#include <stdlib.h>

/* With limits a Newton step ends at the first weight that reaches one. Where a set has about as
 * many features as there are rows, most are nearly dependent, and hundreds of such steps go by:
 * after so many multiply-adds others do better. */
static const double LIMITED_WORK = 5e9;

/* The active set as places of the cache. A cache that would overflow starts anew with the set. */
static tm_status cache_set(l1_state *s, size_t *set, solve_progress *progress, tm_error *err)
{
    size_t missing = 0;
    for (size_t k = 0; k < s->active_count; k++)
        missing += s->gram->places[s->active[k]] == GRAM_ABSENT;
    if (s->gram->count + missing > MAX_GRAM)
        gram_clear(s->gram);
    tm_status status = gram_add(s->gram, s, s->active, s->active_count, progress, err);
    for (size_t k = 0; status == TM_OK && k < s->active_count; k++)
        set[k] = s->gram->places[s->active[k]];
    return status;
}

/* What the set problem needs beside the Gram matrix: a value for each place of the cache. */
typedef struct cache_vectors {
    double *w, *linear, *factors;  /* count */
    double *ridge, *lower, *upper; /* count; NULL without */
    double *start; /* count: what weights are counted from, those of the null model */
    size_t *set;   /* places of the active features */
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

/* Products with the response are those with the null model's residual, so the free features'
 * weights are counted from the null model's. */
static void load_start(const l1_state *s, cache_vectors *v)
{
    for (size_t k = 0; k < unpenalised_count(s->free); k++) {
        size_t place = s->gram->places[unpenalised_features(s->free)[k]];
        if (place != GRAM_ABSENT)
            v->start[place] = s->null_weights[k];
    }
}

static tm_status load_vectors(const l1_state *s, cache_vectors *v, tm_error *err)
{
    size_t count = s->gram->count;
    v->w = mem_zeros(count, sizeof *v->w);
    v->linear = mem_array(count, sizeof *v->linear);
    v->factors = mem_array(count, sizeof *v->factors);
    v->start = mem_zeros(count, sizeof *v->start);
    v->ridge = s->ridge ? mem_array(count, sizeof *v->ridge) : NULL;
    v->lower = s->lower ? mem_array(count, sizeof *v->lower) : NULL;
    v->upper = s->lower ? mem_array(count, sizeof *v->upper) : NULL;
    if (!v->w || !v->linear || !v->factors || !v->start || (s->ridge && !v->ridge) ||
        (s->lower && (!v->lower || !v->upper)))
        return tm_fail_memory(err, "the working set");
    load_start(s, v);
    for (size_t k = 0; k < count; k++) {
        size_t j = s->gram->features[k];
        v->linear[k] = s->xy[j];
        v->factors[k] = s->factors[j];
        if (v->ridge)
            v->ridge[k] = penalty_square(&s->penalty, j);
        if (v->lower) {
            v->lower[k] = s->lower[j] - v->start[k];
            v->upper[k] = s->upper[j] - v->start[k];
        }
    }
    for (size_t k = 0; k < s->active_count; k++)
        v->w[v->set[k]] = s->w[s->active[k]] - v->start[v->set[k]];
    return TM_OK;
}

/* Counting from elsewhere and back may have rounded over a limit. */
static void store_weight(l1_state *s, size_t j, double w)
{
    s->w[j] = s->lower ? fmin(fmax(w, s->lower[j]), s->upper[j]) : w;
}

tm_status l1_by_gram(l1_state *s, solve_progress *progress, double goal, tm_error *err)
{
    cache_vectors v = {.set = mem_array(s->active_count, sizeof *v.set)};
    tm_status status = v.set ? cache_set(s, v.set, progress, err) : tm_fail_memory(err, "the set");
    if (status == TM_OK)
        status = load_vectors(s, &v, err);
    gram_problem problem = {.count = s->gram->count,
                            .room = s->gram->room,
                            .products = s->gram->products,
                            .linear = v.linear,
                            .factors = v.factors,
                            .ridge = v.ridge,
                            .lower = v.lower,
                            .upper = v.upper,
                            .constant = s->yy,
                            .lambda = s->lambda,
                            .set = v.set,
                            .set_count = s->active_count,
                            .w = v.w,
                            .progress = progress,
                            .epochs = s->epochs,
                            .max_epochs = s->max_iter,
                            .work = s->lower ? LIMITED_WORK : 0};
    if (status == TM_OK)
        status = gram_problem_solve(&problem, goal, err);
    for (size_t k = 0; status == TM_OK && k < s->active_count; k++)
        store_weight(s, s->active[k], v.w[v.set[k]] + v.start[v.set[k]]);
    s->epochs = problem.epochs;
    s->crowded = s->crowded || problem.given_up;
    free_vectors(&v);
    return status;
}
