/* Generators "mslr" and "mslr_scale": MSLR (Tan 2013), sections IV-A and II-B.
 *
 * The entries of X are N(0, 1), and y = sign(Xw). mslr: k weights are N(0, variance). mslr_scale:
 * k weights are v^tau with v uniform in (0, 1), a random sign, and the largest scaled to 1, so that
 * tau sets how much the weights of the true features differ. */
#include "base/memory.h"
#include "data/synth/generator.h"
#include "data/synth/random_problem.h"

#include <math.h>
#include <stdio.h>

static const tm_param_info mslr_params[] = {
    RANDOM_PARAMS("5000", "100000"),
    RANDOM_STORAGE,
    {"k", TM_PARAM_INT, "300", 0, 4294967294.0, NULL, "features that decide the response", NULL, 0},
    {"variance", TM_PARAM_REAL, "2", 0, 1e100, NULL, "variance of the weights", NULL,
     TM_PARAM_MIN_OPEN},
};

static const tm_param_info mslr_scale_params[] = {
    RANDOM_PARAMS("2048", "8192"),
    RANDOM_STORAGE,
    {"k", TM_PARAM_INT, "300", 0, 4294967294.0, NULL, "features that decide the response", NULL, 0},
    {"tau", TM_PARAM_REAL, "1", 0, 100, NULL,
     "exponent of the weights: 0 all equal, above 1 a long tail", NULL, 0},
};

static void draw_normal(double *weights, size_t k, double variance, tm_rng *rng)
{
    for (size_t i = 0; i < k; i++)
        weights[i] = sqrt(variance) * tm_rng_normal(rng);
}

static void draw_powers(double *weights, size_t k, double tau, tm_rng *rng)
{
    double most = 0;
    for (size_t i = 0; i < k; i++) {
        weights[i] = pow(1 - tm_rng_uniform(rng), tau);
        most = fmax(most, weights[i]);
    }
    for (size_t i = 0; i < k; i++)
        weights[i] *= (tm_rng_next(rng) >> 63 ? 1 : -1) / most;
}

typedef void draw_function(double *weights, size_t k, double spread, tm_rng *rng);

static tm_status draw_truth(random_problem *problem, size_t k, draw_function *draw, double spread,
                            tm_error *err)
{
    tm_rng rng;
    size_t p = problem->columns.p;
    size_t *places = mem_array(k, sizeof *places);
    double *weights = mem_array(k, sizeof *weights);
    problem->truth = mem_zeros(p, sizeof *problem->truth);
    random_stream(&rng, &problem->columns, RANDOM_TRUTH);
    tm_status status = places && weights && problem->truth ? random_places(places, k, p, &rng, err)
                                                           : tm_fail_memory(err, "synthetic data");
    if (status == TM_OK)
        draw(weights, k, spread, &rng);
    for (size_t i = 0; status == TM_OK && i < k; i++)
        problem->truth[places[i]] = weights[i];
    free(places);
    free(weights);
    return status;
}

static tm_status make_signs(tm_dataset **out, const char *id, draw_function *draw,
                            const char *parameter, const tm_params *params, tm_cancel *cancel,
                            tm_error *err)
{
    random_problem problem = {.shift = 0};
    random_problem_read(&problem, params);
    size_t n = problem.columns.n, p = problem.columns.p;
    size_t k = (size_t)tm_params_int(params, "k");
    double spread = tm_params_real(params, parameter);
    if (k > p)
        return tm_fail(err, TM_EUSAGE, "k = %zu: expected at most p = %zu", k, p);
    tm_status status = draw_truth(&problem, k, draw, spread, err);
    if (status != TM_OK) {
        free(problem.truth);
        return status;
    }
    char name[96], note[200];
    snprintf(name, sizeof name, "%s %zux%zu%s", id, n, p, problem.columns.test ? " test" : "");
    snprintf(note, sizeof note,
             "generator: %s, %zu of %zu features decide the class, %s %g, seed %llu", id, k, p,
             parameter, spread, (unsigned long long)problem.columns.seed);
    return random_problem_make(out, &problem, name, note, cancel, err);
}

static tm_status mslr_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                           tm_error *err)
{
    return make_signs(out, "mslr", draw_normal, "variance", params, cancel, err);
}

static tm_status mslr_scale_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                                 tm_error *err)
{
    return make_signs(out, "mslr_scale", draw_powers, "tau", params, cancel, err);
}

const generator generator_mslr = {
    .info = {.id = "mslr",
             .summary = "two classes, y = sign(Xw): normal features, k normal weights",
             .source = "MSLR (Tan 2013), section IV-A",
             GENERATOR_PARAMS(mslr_params)},
    .make = mslr_make,
};

const generator generator_mslr_scale = {
    .info = {.id = "mslr_scale",
             .summary = "the same with weights whose sizes differ, v^tau",
             .source = "MSLR (Tan 2013), section II-B",
             GENERATOR_PARAMS(mslr_scale_params)},
    .make = mslr_scale_make,
};
