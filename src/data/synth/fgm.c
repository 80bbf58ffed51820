/* Generators "fgm", "fgm_shift" and "fgm_group": FGM (Tan 2014), sections 8.2, 8.3 and 8.6.1.
 *
 * The entries of X are N(0, 1), and y = sign(Xw - b). fgm: w has k nonzero entries, uniform in
 * (0, 1), and b = 0; with a density below 1 a sample of
 * the entries of X is kept. fgm_shift: the same with b = 4. fgm_group: consecutive features form
 * groups, and the weights of k groups are N(0, 1). */
#include "base/memory.h"
#include "data/synth/generator.h"
#include "data/synth/sign_problem.h"

#include <math.h>
#include <stdio.h>

static const tm_param_info fgm_params[] = {
    RANDOM_PARAMS("4096", "4096"),
    RANDOM_STORAGE,
    SIGN_PROBLEM_K("300"),
    {"density", TM_PARAM_REAL, "1", 0, 1, NULL,
     "share of the entries that are kept, the others are 0; below 1 they are stored sparsely", NULL,
     TM_PARAM_MIN_OPEN},
};

static const tm_param_info fgm_shift_params[] = {
    RANDOM_PARAMS("4096", "4096"),
    RANDOM_STORAGE,
    SIGN_PROBLEM_K("300"),
    {"shift", TM_PARAM_REAL, "4", -1e100, 1e100, NULL, "b of y = sign(Xw - b)", NULL, 0},
};

static const tm_param_info fgm_group_params[] = {
    RANDOM_PARAMS("4096", "400000"),
    RANDOM_STORAGE,
    {"k", TM_PARAM_INT, "100", 0, 4294967294.0, NULL, "groups that decide the response", NULL, 0},
    {"size", TM_PARAM_INT, "10", 1, 4294967294.0, NULL,
     "features of a group: the first ones are group 1, and so on", NULL, 0},
};

static void draw_uniform(double *weights, size_t k, double value, tm_rng *rng)
{
    (void)value;
    for (size_t i = 0; i < k; i++)
        weights[i] = 1 - tm_rng_uniform(rng);
}

static tm_status make_features(tm_dataset **out, const char *id, double shift,
                               const tm_params *params, tm_cancel *cancel, tm_error *err)
{
    sign_problem kind = {
        .id = id, .draw = draw_uniform, .parameter = "shift", .value = shift, .shift = shift};
    return sign_problem_make(out, &kind, params, cancel, err);
}

static tm_status fgm_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                          tm_error *err)
{
    double density = tm_params_real(params, "density");
    sign_problem kind = {.id = "fgm",
                         .draw = draw_uniform,
                         .parameter = "density",
                         .value = density,
                         .density = density < 1 ? density : 0};
    return density < 1 ? sign_problem_make(out, &kind, params, cancel, err)
                       : make_features(out, "fgm", 0, params, cancel, err);
}

static tm_status fgm_shift_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                                tm_error *err)
{
    return make_features(out, "fgm_shift", tm_params_real(params, "shift"), params, cancel, err);
}

/* The last group may be smaller. */
static tm_status draw_groups(random_problem *problem, size_t k, size_t size, size_t groups,
                             tm_error *err)
{
    tm_rng rng;
    size_t p = problem->columns.p;
    size_t *chosen = mem_array(k, sizeof *chosen);
    problem->truth = mem_zeros(p, sizeof *problem->truth);
    random_stream(&rng, &problem->columns, RANDOM_TRUTH);
    tm_status status = chosen && problem->truth ? random_places(chosen, k, groups, &rng, err)
                                                : tm_fail_memory(err, "synthetic data");
    for (size_t g = 0; status == TM_OK && g < k; g++)
        for (size_t l = 0; l < size && chosen[g] * size + l < p; l++)
            problem->truth[chosen[g] * size + l] = tm_rng_normal(&rng);
    free(chosen);
    return status;
}

static tm_status fgm_group_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                                tm_error *err)
{
    random_problem problem = {.shift = 0};
    random_problem_read(&problem, params);
    size_t n = problem.columns.n, p = problem.columns.p;
    size_t k = (size_t)tm_params_int(params, "k"), size = (size_t)tm_params_int(params, "size");
    size_t groups = p / size + (p % size > 0);
    if (k > groups)
        return tm_fail(err, TM_EUSAGE, "k = %zu: expected at most the %zu groups of %zu features",
                       k, groups, size);
    tm_status status = draw_groups(&problem, k, size, groups, err);
    if (status != TM_OK) {
        free(problem.truth);
        return status;
    }
    char name[96], note[200];
    snprintf(name, sizeof name, "fgm_group %zux%zu%s", n, p, problem.columns.test ? " test" : "");
    snprintf(note, sizeof note,
             "generator: fgm_group, %zu of %zu groups of %zu features decide the class, seed %llu",
             k, groups, size, (unsigned long long)problem.columns.seed);
    return random_problem_make(out, &problem, name, note, cancel, err);
}

const generator generator_fgm = {
    .info = {.id = "fgm",
             .summary = "two classes, y = sign(Xw): normal features, k weights uniform in (0, 1)",
             .source = "FGM (Tan 2014), section 8.2",
             GENERATOR_PARAMS(fgm_params)},
    .make = fgm_make,
};

const generator generator_fgm_shift = {
    .info = {.id = "fgm_shift",
             .summary = "the same with a shifted hyperplane, y = sign(Xw - b)",
             .source = "FGM (Tan 2014), section 8.3",
             GENERATOR_PARAMS(fgm_shift_params)},
    .make = fgm_shift_make,
};

const generator generator_fgm_group = {
    .info = {.id = "fgm_group",
             .summary = "two classes decided by k groups of consecutive features",
             .source = "FGM (Tan 2014), section 8.6.1",
             GENERATOR_PARAMS(fgm_group_params)},
    .make = fgm_group_make,
};
