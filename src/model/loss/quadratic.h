/* Shared by the losses with the dual -l*(y, -a) = y a - a^2/2. */
#ifndef MODEL_LOSS_QUADRATIC_H
#define MODEL_LOSS_QUADRATIC_H

#include <stddef.h>

double quadratic_dual(double y, double a);
double quadratic_dual_slope(double y, double a);
void quadratic_duals(const double *y, const double *a, size_t n, double *out);
/* The multiple of a that maximises the dual, of absolute value at most `most`. */
double quadratic_scale(const double *y, const double *a, size_t n, double most);
/* The same, nonnegative, with - scale^2 penalty / 2 added to the dual (see loss.multiple). */
double quadratic_multiple(const double *y, const double *a, size_t n, double penalty);
/* The optimal dual variable of one sample without the bounds of its domain (see loss.ascend). */
double quadratic_ascend(double y, double z, double a, double weight, double q);

#endif
