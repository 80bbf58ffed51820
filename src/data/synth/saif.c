/* Generator "saif": y = X beta + noise, SAIF section 2.4.1.1.
 *
 * The entries of X are uniform in [-10, 10]; k coefficients at random places are uniform in [-1, 1]
 * (the thesis: 20 % of p), the others are zero; the noise is normal. Columns are drawn one after
 * the other from a separate stream, so that the first columns do not depend on p, and X does not
 * depend on k and the noise. */
#include "base/memory.h"
#include "data/synth/generator.h"

#include <stdio.h>

enum { SHARE = 5 }; /* one feature in five affects the response unless k is given */

static const double half_width = 10.0;

static const tm_param_info saif_params[] = {
    {"n", TM_PARAM_INT, "100", 1, 4294967294.0, NULL, "rows", NULL, 0},
    {"p", TM_PARAM_INT, "5000", 1, 4294967294.0, NULL, "features", NULL, TM_PARAM_LOG},
    {"k", TM_PARAM_INT, NULL, 0, 4294967294.0, NULL,
     "features with a coefficient; 20 % of p unless given", NULL, 0},
    {"noise", TM_PARAM_REAL, "1", 0, 1e100, NULL, "standard deviation of the noise", NULL, 0},
    {"seed", TM_PARAM_INT, "0", 0, 9.0e15, NULL, "seed of the random numbers", NULL, 0},
};

typedef struct saif_sizes {
    size_t n, p, k;
    uint64_t seed;
    double noise;
} saif_sizes;

/* Numbers drawn between two checks of the cancel token: a few milliseconds. */
enum { LOOK_EVERY = 1 << 20 };

/* Returns false when cancelled. */
static bool draw_features(double *values, const saif_sizes *sizes, tm_cancel *cancel)
{
    tm_rng rng;
    tm_rng_seed(&rng, sizes->seed);
    for (size_t i = 0; i < sizes->n * sizes->p; i++) {
        if (i % LOOK_EVERY == 0 && tm_cancel_poll(cancel))
            return false;
        values[i] = tm_rng_range(&rng, -half_width, half_width);
    }
    return true;
}

/* Adds k columns, drawn without replacement, times their coefficients. `order` has p entries. */
static void draw_response(tm_dataset_parts *parts, const double *values, size_t *order,
                          const saif_sizes *sizes)
{
    double *y = parts->response.y;
    tm_rng rng;
    tm_rng_seed(&rng, ~sizes->seed);
    for (size_t j = 0; j < sizes->p; j++)
        order[j] = j;
    for (size_t k = 0; k < sizes->k; k++) {
        size_t other = k + tm_rng_below(&rng, sizes->p - k);
        size_t chosen = order[other];
        order[other] = order[k];
        order[k] = chosen;
        double coefficient = tm_rng_range(&rng, -1.0, 1.0);
        parts->features.truth[chosen] = coefficient;
        for (size_t i = 0; i < sizes->n; i++)
            y[i] += coefficient * values[i + chosen * sizes->n];
    }
    for (size_t i = 0; i < sizes->n; i++)
        y[i] += sizes->noise * tm_rng_normal(&rng);
}

static tm_status read_sizes(saif_sizes *sizes, const tm_params *params, tm_error *err)
{
    sizes->n = (size_t)tm_params_int(params, "n");
    sizes->p = (size_t)tm_params_int(params, "p");
    sizes->k = tm_params_has(params, "k") ? (size_t)tm_params_int(params, "k")
                                          : (sizes->p + SHARE - 1) / SHARE;
    sizes->noise = tm_params_real(params, "noise");
    sizes->seed = (uint64_t)tm_params_int(params, "seed");
    if (sizes->k > sizes->p)
        return tm_fail(err, TM_EUSAGE,
                       "k = %zu: expected at most p = %zu features with a coefficient", sizes->k,
                       sizes->p);
    double bytes = 8.0 * (double)sizes->n * (double)sizes->p;
    if (bytes > mem_physical())
        return tm_fail(err, TM_EUSAGE,
                       "n = %zu and p = %zu need %.1f GB, this machine has %.1f GB; choose smaller "
                       "sizes",
                       sizes->n, sizes->p, bytes / 1e9, mem_physical() / 1e9);
    return TM_OK;
}

static tm_status make_dataset(tm_dataset **out, const saif_sizes *sizes, tm_dataset_parts *parts,
                              tm_error *err)
{
    char name[64];
    char note[160];
    snprintf(name, sizeof name, "saif %zux%zu", sizes->n, sizes->p);
    snprintf(note, sizeof note,
             "generator: saif, %zu of %zu features have a coefficient, noise %g, seed %llu",
             sizes->k, sizes->p, sizes->noise, (unsigned long long)sizes->seed);
    parts->name = name;
    parts->note = note;
    return tm_dataset_new(out, parts, err);
}

static tm_status saif_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                           tm_error *err)
{
    saif_sizes sizes;
    tm_status status = read_sizes(&sizes, params, err);
    if (status != TM_OK)
        return status;
    tm_dataset_parts parts = {.response.numeric = true};
    double *values = mem_array(sizes.n * sizes.p, sizeof *values);
    size_t *order = mem_array(sizes.p, sizeof *order);
    parts.response.y = mem_zeros(sizes.n, sizeof *parts.response.y);
    parts.features.truth = mem_zeros(sizes.p, sizeof *parts.features.truth);
    if (!values || !parts.response.y || !parts.features.truth || !order)
        status = tm_fail_memory(err, "synthetic data");
    else if (!draw_features(values, &sizes, cancel))
        status = tm_fail(err, TM_ECANCELLED, "cancelled while making synthetic data");
    if (status == TM_OK) {
        draw_response(&parts, values, order, &sizes);
        status = tm_matrix_new_dense(&parts.x, sizes.n, sizes.p, values, err);
    } else {
        free(values);
    }
    free(order);
    if (status == TM_OK)
        return make_dataset(out, &sizes, &parts, err);
    free(parts.response.y);
    free(parts.features.truth);
    return status;
}

const generator generator_saif = {
    .info = {.id = "saif",
             .summary = "dense linear model: uniform features, a share of them with a coefficient",
             .source = "SAIF (Ren 2017), section 2.4.1.1",
             GENERATOR_PARAMS(saif_params)},
    .make = saif_make,
};
