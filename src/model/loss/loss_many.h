/* The losses of many samples at once, in loops without calls that the compiler turns into vectors:
 * n values of y and z (or a) in, n values out. Each is within 5 ulp of the exact value (absolute
 * 1e-300 where that is below 1e-300), and the same bits on every x86-64 machine. */
#ifndef MODEL_LOSS_LOSS_MANY_H
#define MODEL_LOSS_LOSS_MANY_H

#include <stddef.h>

void squared_values(const double *y, const double *z, size_t n, double *out);
void squared_slopes(const double *y, const double *z, size_t n, double *slopes, double *curvatures);
void logistic_values(const double *y, const double *z, size_t n, double *out);
void logistic_slopes(const double *y, const double *z, size_t n, double *slopes,
                     double *curvatures);
/* -l*(y, -a), with y a moved into [0, 1]. */
void logistic_duals(const double *y, const double *a, size_t n, double *out);
void hinge2_values(const double *y, const double *z, size_t n, double *out);
void hinge2_slopes(const double *y, const double *z, size_t n, double *slopes, double *curvatures);
/* y a - a^2/2, of the squared loss and the squared hinge. */
void quadratic_duals(const double *y, const double *a, size_t n, double *out);

#endif
