/* Kernels of rows: k(x, y) as a function of x'y, |x|^2 and |y|^2. All kinds are positive
 * semidefinite for the parameters that kernel_is_valid accepts. */
#ifndef MODEL_KERNEL_KERNEL_H
#define MODEL_KERNEL_KERNEL_H

#include "tamis/error.h"
#include "tamis/params.h"

/* x'y, exp(-gamma |x - y|^2), (gamma x'y + coef0)^degree */
typedef enum kernel_kind { KERNEL_LINEAR, KERNEL_RBF, KERNEL_POLY } kernel_kind;
enum { KERNEL_KINDS = KERNEL_POLY + 1 };

typedef struct kernel {
    kernel_kind kind;
    double gamma, coef0; /* gamma > 0, coef0 >= 0, for the kinds that have them */
    int degree;          /* >= 1 */
} kernel;

/* The kinds by name, for parameters; terminated by {NULL, NULL}. */
extern const tm_choice kernel_choices[KERNEL_KINDS + 1];

const char *kernel_name(kernel_kind kind);
/* False when no kernel has this name. */
bool kernel_find(kernel_kind *kind, const char *name);
/* Whether the parameters give a positive semidefinite kernel. */
bool kernel_is_valid(const kernel *k);

/* Replaces values[i] = x'y_i by k(x, y_i); `square` is |x|^2, squares[i] is |y_i|^2. */
void kernel_values(const kernel *k, double square, const double *squares, size_t count,
                   double *values);
/* k(x, x). */
double kernel_self(const kernel *k, double square);

#endif
