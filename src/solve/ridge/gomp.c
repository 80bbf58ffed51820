/* Orthogonal matching pursuit for any of the losses (Lozano, Swirszcz, Abe 2011, with groups of
 * one): the feature with the greatest correlation with the dual variables, |x_j'a| / |x_j|, is
 * added, and the model is retrained on all chosen ones, with an l2 penalty that keeps separable
 * data finite. */
#include "solve/common/products.h"
#include "solve/registry.h"
#include "solve/ridge/subset.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    (void)progress;
    return subset_init_more(work, data, params, 0, sizeof(double), err); /* room for the products */
}

static double column_length(const subset *s, size_t j)
{
    double mean = tm_dataset_means(s->data)[j], square = tm_dataset_deviations(s->data)[j];
    if (!s->intercept)
        square += (double)tm_dataset_rows(s->data) * mean * mean;
    return sqrt(square);
}

/* The best feature not yet chosen; p when none has a nonzero score. */
static size_t best_feature(const subset *s, const double *products)
{
    double best = 0;
    size_t at = s->p;
    for (size_t j = 0; j < s->p; j++) {
        double length = column_length(s, j);
        double score = length > 0 ? fabs(products[j]) / length : 0;
        if (score > best) {
            best = score;
            at = j;
        }
    }
    return at;
}

/* Because of the penalty, chosen features have nonzero products; they are skipped. */
static bool add_feature(subset *s, solve_progress *progress)
{
    double *products = s->more;
    if (!products_all(s->data, s->intercept, ridge_dual_variables(s->ridge), products, progress))
        return false;
    for (size_t k = 0; k < s->count; k++)
        products[s->chosen[k]] = 0;
    size_t j = best_feature(s, products);
    if (j < s->p)
        s->chosen[s->count++] = j;
    return j < s->p;
}

static void pursue(subset *s, solve_progress *progress, double target, ridge_end *end)
{
    if (s->selected_C != s->C || s->count > s->wanted)
        s->count = 0;
    s->selected_C = s->C;
    subset_train(s, progress, target, end);
    while (!progress->stopped && end->converged && s->count < s->wanted &&
           add_feature(s, progress)) {
        progress_emit(progress, TM_EVENT_ADD, NAN, NAN, end->gap, s->count, s->p);
        subset_train(s, progress, target, end);
    }
    if (!end->converged)
        s->selected_C =
            NAN; /* the next selection would use dual variables of an unfinished training */
    s->selected = true;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    subset *s = work;
    ridge_end end = {0};
    (void)err;
    if (s->selected)
        subset_train(s, progress, target, &end);
    else
        pursue(s, progress, target, &end);
    subset_answer(s, progress, &end, answer);
    answer->partial = progress->stopped && s->count < s->wanted;
    return TM_OK;
}

const method_ops gomp_ops = {.init = init, .solve = solve, SUBSET_OPS};
