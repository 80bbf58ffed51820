#include "data/matrix/kernels.h"

#include "base/numeric/kept_sum.h"
#include "base/numeric/lanes.h"

/* Eight values of a column; a macro, because the calling convention for vectors depends on the
 * target machine. */
#define values_at(x, rows)                                                                         \
    ((lanes){(double)(x)[(rows)[0]], (double)(x)[(rows)[1]], (double)(x)[(rows)[2]],               \
             (double)(x)[(rows)[3]], (double)(x)[(rows)[4]], (double)(x)[(rows)[5]],               \
             (double)(x)[(rows)[6]], (double)(x)[(rows)[7]]})

/* Entries are prefetched well before they are used: the hardware prefetcher starts too late in each
 * column. Prefetching beyond the end of a column reads the next one. */
enum { AHEAD = 128 };

/* Sums in parts are functions of their own: inlined, they slow down columns of 72 rows by 14 %. */
#define PARTS __attribute__((noinline)) static

#define REAL double
#define NAME(x) x
#define WIDEN(values) (*(const lanes *)(values))
#include "data/matrix/kernels_of.h"

typedef float narrow_lanes __attribute__((vector_size(32), aligned(4), may_alias));

#define REAL float
#define NAME(x) x##_f32
#define WIDEN(values) __builtin_convertvector(*(const narrow_lanes *)(values), lanes)
#include "data/matrix/kernels_of.h"

PER_MACHINE
void kernel_axpy4(const double a[4], const double *const x[4], double *y, size_t n)
{
    const double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    for (size_t i = 0; i < n; i++)
        y[i] = (((y[i] + a0 * x0[i]) + a1 * x1[i]) + a2 * x2[i]) + a3 * x3[i];
}
