/* Recursive feature elimination (SVM-RFE, Guyon et al. 2002): train on all features, remove those
 * with the smallest weights, train on the others, and so on.
 *
 * The rounds do not depend on how many features are requested: each removes the fraction `drop` of
 * the features. The round that would leave fewer than requested keeps exactly that many of the best
 * instead, as the answer, so that the answers of one path belong to one elimination. Removed
 * features are stored in the order of removal: a later answer with more features takes the last of
 * them back. */
#include "solve/registry.h"
#include "solve/ridge/subset.h"

#include "base/memory.h"
#include "base/numeric/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state of the elimination, apart from the answer taken from it. */
typedef struct elimination {
    size_t count;
    size_t places[]; /* 2 p: the first half has the `count` remaining features; the second half the
                      * p - count removed ones, most recently removed last */
} elimination;

static size_t *gone(const subset *s)
{
    elimination *e = s->more;
    return e->places + s->p;
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    (void)progress;
    return subset_init_more(work, data, params, sizeof(elimination), 2 * sizeof(size_t), err);
}

static void start_over(subset *s)
{
    elimination *e = s->more;
    e->count = s->p;
    memset(s->w, 0, s->p * sizeof *s->w);
    s->b = 0;
    for (size_t j = 0; j < s->p; j++)
        e->places[j] = j;
}

static void choose(subset *s, const size_t *features, size_t count)
{
    memcpy(s->chosen, features, count * sizeof *features);
    s->count = count;
}

/* Keeps the `keep` chosen features of greatest weight, in the data's order. `went` receives the
 * others, smallest weight first; or NULL. */
static tm_status keep_best(subset *s, size_t keep, size_t *kept, size_t *went, tm_error *err)
{
    tm_status status = TM_OK;
    ranked *list = mem_array(s->count, sizeof *list);
    bool *stays = mem_zeros(s->p, sizeof *stays);
    if (!list || !stays) {
        status = tm_fail_memory(err, "the elimination");
        goto done;
    }
    for (size_t k = 0; k < s->count; k++) {
        size_t j = s->chosen[k];
        list[k] = (ranked){fabs(s->w[j]) * (s->factors ? s->factors[j] : 1), j};
    }
    qsort(list, s->count, sizeof *list, order_ranked_descending);
    for (size_t k = 0; k < keep; k++)
        stays[list[k].place] = true;
    for (size_t k = 0, at = 0; k < s->count; k++)
        if (stays[s->chosen[k]])
            kept[at++] = s->chosen[k];
    for (size_t k = s->count; went && k-- > keep;)
        *went++ = list[k].place;
done:
    free(list);
    free(stays);
    return status;
}

static size_t after_round(const subset *s, size_t count)
{
    size_t go = (size_t)floor(s->drop * (double)count);
    go = go < 1 ? 1 : go;
    return count > go ? count - go : 1;
}

/* When more features are requested than remain: takes back those removed last, which are the best
 * of their round. */
static void restore_removed(subset *s)
{
    const elimination *e = s->more;
    size_t back = s->wanted - e->count;
    memcpy(s->chosen, e->places, e->count * sizeof *s->chosen);
    memcpy(s->chosen + e->count, gone(s) + (s->p - e->count - back), back * sizeof *s->chosen);
    qsort(s->chosen, s->wanted, sizeof *s->chosen, order_sizes);
    s->count = s->wanted;
    s->selected = true;
}

/* Runs rounds until the next one would leave fewer than requested; then keeps the best of the
 * remaining ones. */
static tm_status eliminate(subset *s, solve_progress *progress, double target, ridge_end *end,
                           tm_error *err)
{
    elimination *e = s->more;
    tm_status status = TM_OK;
    if (s->selected_C != s->C)
        start_over(s);
    s->selected_C = s->C;
    if (e->count < s->wanted) {
        restore_removed(s);
        return TM_OK;
    }
    while (status == TM_OK) {
        choose(s, e->places, e->count);
        subset_train(s, progress, target, end);
        bool more = after_round(s, e->count) >= s->wanted && e->count > s->wanted;
        if (!end->converged || progress->stopped)
            s->selected_C = NAN; /* the next elimination would use weights of an unfinished
                                  * training */
        if (!more || progress->stopped)
            break;
        size_t next = after_round(s, e->count);
        status = keep_best(s, next, e->places, gone(s) + (s->p - e->count), err);
        e->count = next;
    }
    if (status == TM_OK && e->count > s->wanted && !progress->stopped) {
        status = keep_best(s, s->wanted, s->chosen, NULL, err);
        s->count = s->wanted;
    }
    s->selected = status == TM_OK;
    return status;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    subset *s = work;
    ridge_end end = {0};
    tm_status status = s->selected ? TM_OK : eliminate(s, progress, target, &end, err);
    if (status != TM_OK)
        return status;
    subset_train(s, progress, target, &end);
    subset_answer(s, progress, &end, answer);
    answer->partial = progress->stopped && s->count > s->wanted;
    return TM_OK;
}

const method_ops rfe_ops = {.init = init, .solve = solve, SUBSET_OPS};
