/* The unpenalised part of a problem: the features with f_j = 0 (and no squared
 * penalty) and, with it, the intercept. Given the other weights it is fitted to rounding, so that
 * the dual variables are orthogonal to its columns, as without it they sum to zero for the
 * intercept; a free feature held at one of its limits has a product of the limit's sign instead.
 * All dual points come from such a fit.
 *
 * The columns that may move are kept as an orthonormal basis in the samples' metric, n doubles
 * each. */
#ifndef MODEL_PENALTY_UNPENALISED_H
#define MODEL_PENALTY_UNPENALISED_H

#include "model/loss/samples.h"
#include "model/penalty/penalty.h"

#include "tamis/cancel.h"

typedef struct unpenalised unpenalised;

/* *out is NULL when no feature is free. TM_EUSAGE when there are too many for this, TM_EDATA when
 * their columns separate the classes, so that a bounded loss has no optimum. `cancel` (or NULL) is
 * looked at in every step: TM_ECANCELLED. */
tm_status unpenalised_new(unpenalised **out, const tm_dataset *data, const samples *of,
                          const feature_penalty *q, bool intercept, const tm_cancel *cancel,
                          tm_error *err);
/* Whether `cancel` has cut the last fit short; its dual variables are not orthogonal then. */
bool unpenalised_stopped(const unpenalised *part);
void unpenalised_free(unpenalised *part);
size_t unpenalised_count(const unpenalised *part);
const size_t *unpenalised_features(const unpenalised *part);

/* Moves the free features' weights among the p of w, and *b, to their optimum beside the other
 * weights; z (n: the predictions at w and *b) moves along. The dual variables at the end are
 * written to a. */
void unpenalised_fit(unpenalised *part, double *w, double *b, double *z, double *a);

/* The null model: the intercept and the free features alone. The dual variables are exact zeros
 * when squares are fitted perfectly, so that lambda_max is 0 and not rounding. */
typedef struct null_model {
    double *w; /* p: zeros before, receives the free features' weights */
    double *z; /* n: receives the predictions */
    double *a; /* n: receives the dual variables */
    double b;  /* the intercept */
} null_model;
/* Returns the loss; part NULL: no feature is free. */
double unpenalised_null(unpenalised *part, const tm_dataset *data, const samples *of,
                        bool intercept, null_model *null);

#endif
