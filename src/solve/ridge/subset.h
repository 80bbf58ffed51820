/* Shared by methods that choose features and train a ridge on them.
 *
 * Their answer is that of the l2-regularised problem on the chosen features, and so is its
 * certificate: it says nothing about the choice. */
#ifndef SOLVE_RIDGE_SUBSET_H
#define SOLVE_RIDGE_SUBSET_H

#include "solve/common/method.h"
#include "solve/ridge/ridge.h"

typedef struct subset {
    tm_dataset *data;
    size_t p;
    const char *loss;
    bool intercept;
    double *factors; /* p: f_j of standardisation; NULL: all 1 */
    ridge *ridge;

    /* set by update */
    double C;
    size_t wanted; /* number of features requested; 0: all */
    double drop;   /* rfe: fraction of the features removed in a round */
    bool warm;
    long max_iter;

    /* the answer */
    size_t *chosen; /* count features, in the order in which they were added or remain */
    size_t count;
    double *values; /* count: their weights */
    double b;
    double *w;         /* p */
    bool selected;     /* the features of this point have been chosen */
    double selected_C; /* C at which the present features were chosen; NAN: none are */
    long epochs;
    void *more; /* data of the method; freed with free() */
} subset;

/* For methods with one loss `loss`; NULL: the loss is the parameter `loss`. */
tm_status subset_init(subset **out, const tm_dataset *data, const tm_params *params,
                      const char *loss, tm_error *err);
/* For methods with the parameter `loss`, with `fixed` bytes of their own plus `each` for every
 * feature in `more`. */
tm_status subset_init_more(void **work, const tm_dataset *data, const tm_params *params,
                           size_t fixed, size_t each, tm_error *err);
tm_status subset_update(void *work, const tm_params *params, tm_error *err);
void subset_warm(void *work, const tm_model *model);
void subset_begin(void *work);
/* Trains on the chosen features to the gap. */
void subset_train(subset *s, solve_progress *progress, double target, ridge_end *end);
/* The answer after training. */
void subset_answer(subset *s, const solve_progress *progress, const ridge_end *end,
                   solve_answer *answer);
tm_status subset_certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err);
double subset_null_objective(const void *work);
void subset_finish(void *work);

/* All of a method's operations except init and solve. */
#define SUBSET_OPS                                                                                 \
    .update = subset_update, .warm = subset_warm, .begin = subset_begin,                           \
    .certify = subset_certify, .null_objective = subset_null_objective, .finish = subset_finish

#endif
