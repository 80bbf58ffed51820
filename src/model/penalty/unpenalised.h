/* The unpenalised part of a problem: the features with f_j = 0 (and no squared penalty) and, with
 * it, the intercept. Given the other weights it is fitted up to rounding, so that the dual
 * variables are orthogonal to its columns, just as they sum to zero because of the intercept; an
 * unpenalised feature at one of its limits has a product of the limit's sign instead. All dual
 * points come from such a fit.
 *
 * The columns whose weights are not at a limit are kept as an orthonormal basis in the samples'
 * metric, n doubles each. */
#ifndef MODEL_PENALTY_UNPENALISED_H
#define MODEL_PENALTY_UNPENALISED_H

#include "model/loss/samples.h"
#include "model/penalty/dual_residual.h"
#include "model/penalty/penalty.h"

#include "tamis/cancel.h"

typedef struct unpenalised unpenalised;

/* *out is NULL when no feature is unpenalised. TM_EUSAGE when there are too many, TM_EDATA when
 * their columns separate the classes, so that a bounded loss has no minimum. `cancel` (or NULL) is
 * checked in every step: TM_ECANCELLED. */
tm_status unpenalised_new(unpenalised **out, const tm_dataset *data, const samples *of,
                          const feature_penalty *q, bool intercept, const tm_cancel *cancel,
                          tm_error *err);
/* Whether `cancel` ended the last fit early; its dual variables are not orthogonal then. */
bool unpenalised_stopped(const unpenalised *part);
void unpenalised_free(unpenalised *part);
size_t unpenalised_count(const unpenalised *part);
const size_t *unpenalised_features(const unpenalised *part);

/* Moves the unpenalised weights among the p of w, and *b, to their optimum given the other weights;
 * z (n: the predictions at w and *b) is updated. The dual variables at the end are written to a. */
void unpenalised_fit(unpenalised *part, double *w, double *b, double *z, double *a);

/* What dual variables a, in the domain of the conjugate, lack in orthogonality to the columns, at
 * the predictions z of the last fit. Valid while a is. */
dual_residual unpenalised_residual(unpenalised *part, const double *z, const double *a);

/* The null model: only the intercept and the unpenalised features. The dual variables are exactly
 * zero when squares are fitted perfectly, so that lambda_max is 0 and not a rounding error. */
typedef struct null_model {
    double *w; /* p: zeros; receives the unpenalised weights */
    double *z; /* n: receives the predictions */
    double *a; /* n: receives the dual variables */
    double b;  /* the intercept */
} null_model;
/* Returns the loss; part NULL: no feature is unpenalised. */
double unpenalised_null(unpenalised *part, const tm_dataset *data, const samples *of,
                        bool intercept, null_model *null);

#endif
