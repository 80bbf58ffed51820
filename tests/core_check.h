/* What the tests of the core share: matrices and data sets made from plain arrays. */
#ifndef TESTS_CORE_CHECK_H
#define TESTS_CORE_CHECK_H

#include "tests/check.h"

#include "tamis/tamis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stops the test with the error's message when `status` is not TM_OK. */
static inline void must(tm_status status, const tm_error *err)
{
    if (status != TM_OK)
        fail_msg("status %d: %s", (int)status, err->message);
}

/* `status` must be `expected` and the message must have `what` in it. */
static inline void must_refuse(tm_status status, tm_status expected, const tm_error *err,
                               const char *what)
{
    if (status != expected || err->code != expected || !strstr(err->message, what))
        fail_msg("expected status %d with \"%s\", got %d: %s", (int)expected, what, (int)status,
                 err->message);
}

/* The model as its file has it. */
static inline tm_model *model_reload(const tm_model *model)
{
    tm_error err = TM_ERROR_INIT;
    char *text;
    tm_model *again;
    must(tm_model_to_text(&text, model, &err), &err);
    must(tm_model_from_text(&again, text, "text", &err), &err);
    free(text);
    return again;
}

/* Parameters such as "lambdas=5 tol=1e-8". */
static inline void set_words(tm_params *params, const char *words, tm_error *err)
{
    char copy[200], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        must(tm_params_set_text(params, word, value, err), err);
    }
}

/* Drawn from the normal distribution; freed by the caller. */
static inline double *normals(tm_rng *rng, size_t count)
{
    double *values = malloc(count * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        values[i] = tm_rng_normal(rng);
    return values;
}

static inline void *copy_of(const void *from, size_t bytes)
{
    void *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    if (bytes)
        memcpy(copy, from, bytes);
    return copy;
}

/* columns[i + j*n], as the library's dense matrices are laid out. */
static inline tm_matrix *dense_of(size_t n, size_t p, const double *columns)
{
    tm_matrix *x;
    tm_error err = TM_ERROR_INIT;
    must(tm_matrix_new_dense(&x, n, p, copy_of(columns, n * p * sizeof *columns), &err), &err);
    return x;
}

/* The same values with the zeros left out. */
static inline tm_matrix *csc_of(size_t n, size_t p, const double *columns)
{
    uint64_t *starts = malloc((p + 1) * sizeof *starts);
    uint32_t *rows = malloc(n * p * sizeof *rows + 1);
    double *values = malloc(n * p * sizeof *values + 1);
    tm_matrix *x;
    tm_error err = TM_ERROR_INIT;
    assert_true(starts && rows && values);
    uint64_t at = 0;
    for (size_t j = 0; j < p; j++) {
        starts[j] = at;
        for (size_t i = 0; i < n; i++) {
            if (columns[i + j * n] == 0)
                continue;
            rows[at] = (uint32_t)i;
            values[at++] = columns[i + j * n];
        }
    }
    starts[p] = at;
    must(tm_matrix_new_csc(&x, n, p, starts, rows, values, &err), &err);
    return x;
}

static inline tm_dataset *dataset_of(tm_matrix *x, const double *y, bool numeric)
{
    tm_dataset *data;
    tm_error err = TM_ERROR_INIT;
    tm_dataset_parts parts = {.name = "here",
                              .x = x,
                              .response.y = copy_of(y, tm_matrix_rows(x) * sizeof *y),
                              .response.numeric = numeric};
    must(tm_dataset_new(&data, &parts, &err), &err);
    return data;
}

/* n values, each zero with probability 1 - density and normal otherwise. */
static inline void fill_normal(tm_rng *rng, double *values, size_t n, double density)
{
    for (size_t i = 0; i < n; i++) {
        double value = tm_rng_normal(rng);
        values[i] = tm_rng_uniform(rng) < density ? value : 0;
    }
}

/* y = a x_1 + b x_2 + noise. */
static inline tm_dataset *linear_data(size_t n, size_t p, double a, double b, double noise,
                                      uint64_t seed)
{
    double *columns = malloc(n * p * sizeof *columns), *y = malloc(n * sizeof *y);
    tm_rng rng;
    assert_true(columns && y);
    tm_rng_seed(&rng, check_seed(seed));
    fill_normal(&rng, columns, n * p, 1);
    for (size_t i = 0; i < n; i++)
        y[i] = a * columns[i] + b * columns[i + n] + noise * tm_rng_normal(&rng);
    tm_dataset *data = dataset_of(dense_of(n, p, columns), y, true);
    free(columns);
    free(y);
    return data;
}

static inline void must_be_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", got, tolerance, expected);
}

#endif
