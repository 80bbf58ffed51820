#include "solve/common/interior_point.h"
#include "base/numeric/cholesky.h"
#include "solve/common/tuning.h"

#include <lapacke.h>
#include <math.h>

double pairs_longest(double length, const pairs *p)
{
    for (size_t k = 0; k < p->count; k++) {
        length = step_within(length, p->values[k], p->steps[k]);
        length = step_within(length, p->multipliers[k], p->multiplier_steps[k]);
    }
    return length;
}

double pairs_products(double sum, double length, const pairs *p)
{
    for (size_t k = 0; k < p->count; k++)
        sum += (p->values[k] + length * p->steps[k]) *
               (p->multipliers[k] + length * p->multiplier_steps[k]);
    return sum;
}

double centring_share(double now, double after)
{
    return fmin(fmax(pow(fmax(after, 0) / now, EXPONENT), LEAST), MOST);
}

bool normal_factorise(double *matrix, size_t n)
{
    lapack_int size = (lapack_int)n;
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, matrix, size) == 0;
}

void normal_solve(const double *factor, size_t n, double *right)
{
    cholesky_solve(factor, n, n, right);
}
