#include "base/numeric/cholesky.h"

#include <cblas.h>
#include <math.h>

bool cholesky_solve(const double *factor, size_t n, size_t leading, double *right)
{
    int size = (int)n, stride = (int)leading;
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, size, factor, stride, right,
                1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, size, factor, stride, right,
                1);
    bool finite = true;
    for (size_t k = 0; k < n; k++)
        finite = finite && isfinite(right[k]);
    return finite;
}
