/* Vectors of n values. */
#ifndef TESTS_VECTORS_H
#define TESTS_VECTORS_H

#include <math.h>
#include <stddef.h>

static inline double inner(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double length(const double *a, size_t n)
{
    return sqrt(inner(a, a, n));
}

/* Takes the mean out of v. */
static inline void centre(double *v, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        v[i] -= mean;
}

#endif
