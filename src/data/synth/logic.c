/* Generators "corral", "xor" and "circle": classes that no single feature determines and no linear
 * model can learn.
 *
 * corral (John, Kohavi, Pfleger 1994; named in MSLR (Tan 2013), section VI): bits; the class is (A0
 * and A1) or (B0 and B1); one more feature agrees with the class in 75 % of the rows, the rest is
 * irrelevant. xor: the class is whether an odd number of k features is +1, the others being -1; it
 * is determined by the product of the k features. circle: the class is whether k normal features
 * lie outside a sphere that contains half of the rows; it depends on the sum of their squares. */
#include "base/memory.h"
#include "base/numeric/select.h"
#include "base/text.h"
#include "data/synth/generator.h"
#include "data/synth/random_problem.h"

#include <stdio.h>

enum { A0, A1, B0, B1, IRRELEVANT, CORRELATED, CORRAL_LEAST };

static const double agreement = 0.75;

#define FLIP                                                                                       \
    {                                                                                              \
        "flip", TM_PARAM_REAL, "0", 0, 1, NULL, "share of the rows whose class is flipped", NULL,  \
            0                                                                                      \
    }

static const tm_param_info corral_params[] = {
    RANDOM_PARAMS("128", "6"),
    FLIP,
};

/* For xor and circle. */
static const tm_param_info deciding_params[] = {
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

/* Flips classes; the correlated feature keeps its values. */
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

/* Computes the classes of n rows from k columns of values, at `places`; `room` has n values. */
typedef void decide(double *y, const double *values, size_t n, const size_t *places, size_t k,
                    double *room);

static void decide_parity(double *y, const double *values, size_t n, const size_t *places, size_t k,
                          double *room)
{
    (void)room;
    for (size_t i = 0; i < n; i++) {
        bool odd = false;
        for (size_t l = 0; l < k; l++)
            odd ^= values[i + places[l] * n] > 0;
        y[i] = odd ? 1 : -1;
    }
}

static void decide_circle(double *y, const double *values, size_t n, const size_t *places, size_t k,
                          double *room)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t l = 0; l < k; l++)
            y[i] += values[i + places[l] * n] * values[i + places[l] * n];
        room[i] = y[i];
    }
    double median = select_rising(room, n, n / 2);
    for (size_t i = 0; i < n; i++)
        y[i] = y[i] >= median ? 1 : -1;
}

typedef struct decision {
    const char *id, *what;
    column_law law;
    decide *decide;
} decision;

static const decision parity = {"xor", "parity", LAW_SIGN, decide_parity};
static const decision circle = {"circle", "size", LAW_NORMAL, decide_circle};

/* Generates the features as values, and allocates the rest. */
static tm_status begin(tm_dataset_parts *parts, double **values, const random_columns *columns,
                       tm_cancel *cancel, tm_error *err)
{
    parts->response.y = mem_array(columns->n, sizeof *parts->response.y);
    parts->features.truth = mem_zeros(columns->p, sizeof *parts->features.truth);
    return parts->response.y && parts->features.truth
               ? random_columns_values(values, columns, cancel, err)
               : tm_fail_memory(err, "synthetic data");
}

/* Makes the data set; `status` is that of the steps so far. */
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

/* Classes that depend on k features. */
static tm_status fill_decided(tm_dataset_parts *parts, const double *values,
                              const random_columns *columns, const decision *of,
                              const tm_params *params, tm_error *err)
{
    tm_rng rng;
    size_t n = columns->n, k = (size_t)tm_params_int(params, "k");
    size_t *places = mem_array(k, sizeof *places);
    double *room = mem_array(n, sizeof *room);
    random_stream(&rng, columns, RANDOM_TRUTH);
    tm_status status = places && room ? random_places(places, k, columns->p, &rng, err)
                                      : tm_fail_memory(err, "synthetic data");
    if (status == TM_OK) {
        of->decide(parts->response.y, values, n, places, k, room);
        random_stream(&rng, columns, RANDOM_NOISE);
        flip_classes(parts->response.y, n, tm_params_real(params, "flip"), &rng);
        for (size_t l = 0; l < k; l++)
            parts->features.truth[places[l]] = 1;
    }
    free(places);
    free(room);
    return status;
}

static tm_status make_decided(tm_dataset **out, const decision *of, const tm_params *params,
                              tm_cancel *cancel, tm_error *err)
{
    random_columns columns = {.law = of->law};
    char name[96], note[200];
    random_columns_read(&columns, params);
    size_t k = (size_t)tm_params_int(params, "k");
    if (k > columns.p)
        return tm_fail(err, TM_EUSAGE, "k = %zu: expected at most p = %zu", k, columns.p);
    snprintf(name, sizeof name, "%s %zux%zu%s", of->id, columns.n, columns.p,
             columns.test ? " test" : "");
    snprintf(note, sizeof note,
             "generator: %s, the class is the %s of %zu of %zu features, seed %llu", of->id,
             of->what, k, columns.p, (unsigned long long)columns.seed);
    tm_dataset_parts parts = {.name = name, .note = note};
    double *values = NULL;
    tm_status status = begin(&parts, &values, &columns, cancel, err);
    if (status == TM_OK)
        status = fill_decided(&parts, values, &columns, of, params, err);
    return finish(out, status, &parts, values, &columns, err);
}

static tm_status xor_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                          tm_error *err)
{
    return make_decided(out, &parity, params, cancel, err);
}

static tm_status circle_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                             tm_error *err)
{
    return make_decided(out, &circle, params, cancel, err);
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
             GENERATOR_PARAMS(deciding_params)},
    .make = xor_make,
};

const generator generator_circle = {
    .info = {.id = "circle",
             .summary = "the class is whether k normal features lie outside of a sphere",
             .source = "the showcase of hsiclasso (docs/kernels.md)",
             GENERATOR_PARAMS(deciding_params)},
    .make = circle_make,
};
