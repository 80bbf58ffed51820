/* Generators "corral" and "xor": classes that no single feature tells, and no linear model learns.
 *
 * corral (John, Kohavi, Pfleger 1994; named in MSLR (Tan 2013), section VI): bits; the class is
 * (A0 and A1) or (B0 and B1); one more feature agrees with the class in 75 % of the rows, the rest
 * is irrelevant. xor: the class is whether an odd number of k features is +1, the others being -1;
 * the product of the k features tells it. */
#include "base/memory.h"
#include "base/text.h"
#include "data/synth/generator.h"
#include "data/synth/random_problem.h"

#include <stdio.h>

enum { A0, A1, B0, B1, IRRELEVANT, CORRELATED, CORRAL_LEAST };

static const double agreement = 0.75;

#define FLIP                                                                                       \
    {                                                                                              \
        "flip", TM_PARAM_REAL, "0", 0, 1, NULL, "share of the rows whose class is turned", NULL, 0 \
    }

static const tm_param_info corral_params[] = {
    RANDOM_PARAMS("128", "6"),
    FLIP,
};

static const tm_param_info xor_params[] = {
    RANDOM_PARAMS("200", "20"),
    {"k", TM_PARAM_INT, "2", 1, 4294967294.0, NULL, "features that decide the class", NULL, 0},
    FLIP,
};

static bool name_features(tm_dataset_parts *parts, size_t p)
{
    static const char *const names[CORRAL_LEAST] = {"A0", "A1",         "B0",
                                                    "B1", "irrelevant", "correlated"};
    char **list = mem_zeros(p, sizeof *list);
    parts->features.names = list;
    bool enough = list != NULL;
    for (size_t j = 0; enough && j < p; j++) {
        char other[40];
        snprintf(other, sizeof other, "irrelevant%zu", j - CORRAL_LEAST + 2);
        list[j] = text_copy(j < CORRAL_LEAST ? names[j] : other);
        enough = list[j] != NULL;
    }
    return enough;
}

/* Turns classes; the feature that is correlated with them is not told. */
static void flip_classes(double *y, size_t n, double share, tm_rng *rng)
{
    for (size_t i = 0; share > 0 && i < n; i++)
        y[i] = tm_rng_uniform(rng) < share ? -y[i] : y[i];
}

static void fill_corral(tm_dataset_parts *parts, double *values, const random_columns *columns,
                        double flip)
{
    tm_rng rng;
    size_t n = columns->n;
    random_stream(&rng, columns, RANDOM_NOISE);
    for (size_t i = 0; i < n; i++) {
        bool class = (values[i + A0 * n] > 0 && values[i + A1 * n] > 0) ||
                     (values[i + B0 * n] > 0 && values[i + B1 * n] > 0);
        bool agrees = tm_rng_uniform(&rng) < agreement;
        values[i + CORRELATED * n] = agrees == class;
        parts->response.y[i] = class ? 1 : -1;
    }
    flip_classes(parts->response.y, n, flip, &rng);
    for (size_t j = A0; j <= B1; j++)
        parts->features.truth[j] = 1;
}

static void fill_xor(tm_dataset_parts *parts, const double *values, const random_columns *columns,
                     const size_t *places, size_t k, double flip)
{
    tm_rng rng;
    size_t n = columns->n;
    random_stream(&rng, columns, RANDOM_NOISE);
    for (size_t i = 0; i < n; i++) {
        bool odd = false;
        for (size_t l = 0; l < k; l++)
            odd ^= values[i + places[l] * n] > 0;
        parts->response.y[i] = odd ? 1 : -1;
    }
    flip_classes(parts->response.y, n, flip, &rng);
    for (size_t l = 0; l < k; l++)
        parts->features.truth[places[l]] = 1;
}

/* The features as values, and room for the rest. */
static tm_status begin(tm_dataset_parts *parts, double **values, const random_columns *columns,
                       tm_cancel *cancel, tm_error *err)
{
    parts->response.y = mem_array(columns->n, sizeof *parts->response.y);
    parts->features.truth = mem_zeros(columns->p, sizeof *parts->features.truth);
    return parts->response.y && parts->features.truth
               ? random_columns_values(values, columns, cancel, err)
               : tm_fail_memory(err, "synthetic data");
}

/* Hands everything over; `status` is how it went so far. */
static tm_status finish(tm_dataset **out, tm_status status, tm_dataset_parts *parts, double *values,
                        const random_columns *columns, tm_error *err)
{
    if (status == TM_OK)
        status = tm_matrix_new_dense(&parts->x, columns->n, columns->p, values, err);
    else
        free(values);
    if (status == TM_OK)
        return tm_dataset_new(out, parts, err);
    text_list_free(parts->features.names, columns->p);
    free(parts->response.y);
    free(parts->features.truth);
    return status;
}

static tm_status corral_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                             tm_error *err)
{
    random_columns columns = {.law = LAW_BIT};
    char name[96], note[200];
    random_columns_read(&columns, params);
    if (columns.p < CORRAL_LEAST)
        return tm_fail(err, TM_EUSAGE, "p = %zu: corral has %d features or more", columns.p,
                       CORRAL_LEAST);
    snprintf(name, sizeof name, "corral %zux%zu%s", columns.n, columns.p,
             columns.test ? " test" : "");
    snprintf(note, sizeof note,
             "generator: corral, the class is (A0 and A1) or (B0 and B1), seed %llu",
             (unsigned long long)columns.seed);
    tm_dataset_parts parts = {.name = name, .note = note};
    double *values = NULL;
    tm_status status = begin(&parts, &values, &columns, cancel, err);
    if (status == TM_OK && !name_features(&parts, columns.p))
        status = tm_fail_memory(err, "feature names");
    if (status == TM_OK)
        fill_corral(&parts, values, &columns, tm_params_real(params, "flip"));
    return finish(out, status, &parts, values, &columns, err);
}

static tm_status xor_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                          tm_error *err)
{
    random_columns columns = {.law = LAW_SIGN};
    char name[96], note[200];
    random_columns_read(&columns, params);
    size_t k = (size_t)tm_params_int(params, "k");
    if (k > columns.p)
        return tm_fail(err, TM_EUSAGE, "k = %zu: expected at most p = %zu", k, columns.p);
    snprintf(name, sizeof name, "xor %zux%zu%s", columns.n, columns.p, columns.test ? " test" : "");
    snprintf(note, sizeof note, "generator: xor of %zu of %zu features, seed %llu", k, columns.p,
             (unsigned long long)columns.seed);
    tm_dataset_parts parts = {.name = name, .note = note};
    double *values = NULL;
    tm_status status = begin(&parts, &values, &columns, cancel, err);
    size_t *places = mem_array(k, sizeof *places);
    if (status == TM_OK) {
        tm_rng rng;
        random_stream(&rng, &columns, RANDOM_TRUTH);
        status = places ? random_places(places, k, columns.p, &rng, err)
                        : tm_fail_memory(err, "synthetic data");
    }
    if (status == TM_OK)
        fill_xor(&parts, values, &columns, places, k, tm_params_real(params, "flip"));
    free(places);
    return finish(out, status, &parts, values, &columns, err);
}

const generator generator_corral = {
    .info = {.id = "corral",
             .summary = "bits: the class is (A0 and A1) or (B0 and B1), one feature misleads",
             .source = "John, Kohavi, Pfleger (1994), section 2",
             GENERATOR_PARAMS(corral_params)},
    .make = corral_make,
};

const generator generator_xor = {
    .info = {.id = "xor",
             .summary = "the class is the parity of k features, which no linear model learns",
             .source = "MSLR (Tan 2013), section VI",
             GENERATOR_PARAMS(xor_params)},
    .make = xor_make,
};
