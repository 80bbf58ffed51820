/* Data that are hard for solvers: degenerate shapes, ties, scales, dependent columns, separable
 * classes. */
#ifndef TESTS_HARD_H
#define TESTS_HARD_H

#include "any_method.h"

enum { MAX_N = 48, MAX_P = 200 };

typedef struct hard {
    const char *name;
    size_t n, p;
    double x[MAX_N * MAX_P], y[MAX_N];
    bool weighed; /* sample weights and offsets */
    double weights[MAX_N], offset[MAX_N];
    bool bounded; /* penalty factors, some of them 0, and limits, for methods that have them */
    double factors[MAX_P], lower[MAX_P], upper[MAX_P];
} hard;

static inline void normal(hard *h, tm_rng *rng)
{
    (void)rng;
    h->name = "ordinary";
}

static inline void one_feature(hard *h, tm_rng *rng)
{
    (void)rng;
    h->name = "one feature";
    h->p = 1;
}

static inline void one_row(hard *h, tm_rng *rng)
{
    (void)rng;
    h->name = "one row";
    h->n = 1;
}

static inline void two_rows(hard *h, tm_rng *rng)
{
    (void)rng;
    h->name = "two rows";
    h->n = 2;
}

static inline void constant_response(hard *h, tm_rng *rng)
{
    double value = tm_rng_normal(rng);
    h->name = "constant response";
    for (size_t i = 0; i < h->n; i++)
        h->y[i] = value;
}

static inline void separable(hard *h, tm_rng *rng)
{
    h->name = "separable classes";
    for (size_t i = 0; i < h->n; i++)
        h->y[i] = (h->x[i] += h->x[i] > 0 ? 2 : -2) + 0.1 * tm_rng_normal(rng);
}

static inline void nearly_equal(hard *h, tm_rng *rng)
{
    h->name = "nearly equal columns";
    for (size_t k = h->n; k < h->n * h->p; k++)
        h->x[k] = h->x[k % h->n] + 1e-9 * tm_rng_normal(rng);
}

static inline void mixed_scales(hard *h, tm_rng *rng)
{
    h->name = "mixed scales";
    for (size_t j = 0; j < h->p; j++) {
        double scale = ldexp(1, (int)tm_rng_below(rng, 60) - 30);
        for (size_t i = 0; i < h->n; i++)
            h->x[i + j * h->n] *= scale;
    }
}

/* A few values, columns that are there twice, also with the other sign, and rows. */
static inline void ties(hard *h, tm_rng *rng)
{
    h->name = "ties";
    for (size_t j = 0; j < h->p; j++)
        for (size_t i = 0; i < h->n; i++)
            h->x[i + j * h->n] =
                i % 3 == 2 ? h->x[i - 1 + j * h->n] : (double)tm_rng_below(rng, 3) - 1;
    for (size_t k = h->n; k < h->n * h->p; k++)
        if (k / h->n % 2)
            h->x[k] = (k / h->n % 4 == 1 ? 1 : -1) * h->x[k - h->n];
    for (size_t i = 0; i < h->n; i++)
        h->y[i] = i % 3 == 2 ? h->y[i - 1] : h->x[i] + (double)(i % 2);
}

static inline void constant_columns(hard *h, tm_rng *rng)
{
    h->name = "constant columns";
    for (size_t k = h->n; k < h->n * h->p; k++)
        if (k / h->n % 3 != 0)
            h->x[k] = k / h->n % 3 == 1 ? 0 : 3;
    (void)rng;
}

static inline void subnormal(hard *h, tm_rng *rng)
{
    h->name = "subnormal values";
    for (size_t k = h->n; k < 3 * h->n; k++)
        if (tm_rng_below(rng, 3) > 0)
            h->x[k] = k < 2 * h->n ? 5e-324 * (double)tm_rng_below(rng, 100) : 1e-310;
}

static inline void wide(hard *h, tm_rng *rng)
{
    h->name = "wide";
    h->p = MAX_P;
    for (size_t k = 0; k < h->n * h->p; k++)
        h->x[k] = tm_rng_uniform(rng) < 0.4 ? 0 : tm_rng_normal(rng);
}

static inline void far_columns(hard *h, tm_rng *rng)
{
    h->name = "columns far from zero";
    for (size_t j = 0; j < h->p; j++) {
        double by = (double)tm_rng_below(rng, 2) * pow(10, tm_rng_range(rng, 0, 4));
        for (size_t i = 0; i < h->n; i++)
            h->x[i + j * h->n] += by;
    }
}

/* Zero but for rows that it classifies correctly: its weight grows without bound when nothing
 * penalises it. */
static inline void separates_some(hard *h, tm_rng *rng)
{
    h->name = "a column that separates some rows";
    for (size_t i = 0; i < h->n; i++)
        h->x[i] = tm_rng_below(rng, 3) ? 0 : (h->y[i] > 0 ? 1 : -1) * (0.01 + fabs(h->x[i]));
}

static void (*const hard_kinds[])(hard *h, tm_rng *rng) = {
    normal,    one_feature,  one_row,      two_rows,      constant_response,
    separable, nearly_equal, mixed_scales, ties,          constant_columns,
    subnormal, wide,         far_columns,  separates_some};
enum { KINDS = sizeof hard_kinds / sizeof *hard_kinds, MIXED_SCALES = 7 };

static inline void make_from(hard *h, uint64_t seed, size_t kind, bool weighed)
{
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    *h = (hard){.n = 18 + tm_rng_below(&rng, MAX_N - 18), .p = 4 + tm_rng_below(&rng, 36)};
    fill_normal(&rng, h->x, h->n * h->p, 1);
    for (size_t i = 0; i < h->n; i++)
        h->y[i] = h->x[i] - h->x[i + h->n] + 0.5 * tm_rng_normal(&rng);
    hard_kinds[kind](h, &rng);
    h->weighed = weighed;
    for (size_t i = 0; i < h->n; i++) {
        h->weights[i] = weighed ? (double)(1 + tm_rng_below(&rng, 4)) / 2 : 1;
        h->offset[i] = weighed ? 0.3 * tm_rng_normal(&rng) : 0;
    }
    for (size_t j = 0; j < h->p; j++) {
        h->factors[j] = j < 2 ? 0 : (double)(1 + tm_rng_below(&rng, 4)) / 2;
        h->lower[j] = tm_rng_below(&rng, 3) ? -INFINITY : -0.1 * (double)tm_rng_below(&rng, 3);
        h->upper[j] = tm_rng_below(&rng, 3) ? INFINITY : 0.2 * (double)tm_rng_below(&rng, 3);
    }
}

static inline void make(hard *h, size_t kind, bool weighed)
{
    make_from(h, check_seed(900 + kind), kind, weighed);
}

/* With numbers, or with two classes by their sign; NULL: refused, as one class is. */
static inline tm_dataset *data_of(const hard *h, bool two)
{
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data, *weighed;
    double y[MAX_N];
    for (size_t i = 0; i < h->n; i++)
        y[i] = two ? (h->y[i] > 0 ? 1 : -1) : h->y[i];
    if (two && h->n == 2)
        y[0] = -(y[1] = 1);
    data = dataset_of(dense_of(h->n, h->p, h->x), y, !two);
    if (!h->weighed)
        return data;
    must(tm_dataset_weigh(&weighed, data, h->weights, h->offset, &err), &err);
    tm_dataset_unref(data);
    return weighed;
}

#endif
