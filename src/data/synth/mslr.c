/* Generators "mslr" and "mslr_scale": MSLR (Tan 2013), sections IV-A and II-B.
 *
 * The entries of X are N(0, 1), and y = sign(Xw). mslr: k weights are N(0, variance). mslr_scale:
 * k weights are v^tau with v uniform in (0, 1), a random sign, and the largest scaled to 1, so that
 * tau sets how much the weights of the true features differ. */
#include "data/synth/generator.h"
#include "data/synth/sign_problem.h"

#include <math.h>

static const tm_param_info mslr_params[] = {
    RANDOM_PARAMS("5000", "100000"),
    RANDOM_STORAGE,
    SIGN_PROBLEM_K("300"),
    {"variance", TM_PARAM_REAL, "2", 0, 1e100, NULL, "variance of the weights", NULL,
     TM_PARAM_MIN_OPEN},
};

static const tm_param_info mslr_scale_params[] = {
    RANDOM_PARAMS("2048", "8192"),
    RANDOM_STORAGE,
    SIGN_PROBLEM_K("300"),
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

static tm_status mslr_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                           tm_error *err)
{
    sign_problem kind = {.id = "mslr",
                         .draw = draw_normal,
                         .parameter = "variance",
                         .value = tm_params_real(params, "variance")};
    return sign_problem_make(out, &kind, params, cancel, err);
}

static tm_status mslr_scale_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                                 tm_error *err)
{
    sign_problem kind = {.id = "mslr_scale",
                         .draw = draw_powers,
                         .parameter = "tau",
                         .value = tm_params_real(params, "tau")};
    return sign_problem_make(out, &kind, params, cancel, err);
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
