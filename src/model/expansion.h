/* Kernel expansions: models whose predictions are b + sum_j a_j k(x_j, x) over support vectors x_j.
 */
#ifndef MODEL_EXPANSION_H
#define MODEL_EXPANSION_H

#include "model/kernel/kernel_rows.h"

typedef struct model_expansion {
    kernel_rows rows; /* the support vectors and the kernel */
    double *coef;     /* one for each vector, all nonzero */
} model_expansion;

/* Makes an expansion of the rows of x whose coefficient is nonzero. */
tm_status expansion_make(model_expansion **out, const tm_matrix *x, const kernel *of,
                         const double *coef, tm_error *err);
/* Takes ownership of the rows, which are sparse, and of the coefficients, also on failure. */
tm_status expansion_take(model_expansion **out, row_copy *rows, const kernel *of, double *coef,
                         tm_error *err);
void expansion_free(model_expansion *e);

/* Adds the sums for the rows of x to z; x may lack columns at the end. */
tm_status expansion_add(const model_expansion *e, const tm_matrix *x, double *z, tm_error *err);

#endif
