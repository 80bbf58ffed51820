#include "data/synth/sign_problem.h"

#include "base/memory.h"

#include <stdio.h>

static tm_status draw_truth(random_problem *problem, size_t k, const sign_problem *kind,
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
        kind->draw(weights, k, kind->value, &rng);
    for (size_t i = 0; status == TM_OK && i < k; i++)
        problem->truth[places[i]] = weights[i];
    free(places);
    free(weights);
    return status;
}

tm_status sign_problem_make(tm_dataset **out, const sign_problem *kind, const tm_params *params,
                            tm_cancel *cancel, tm_error *err)
{
    random_problem problem = {.columns = {.density = kind->density}, .shift = kind->shift};
    random_problem_read(&problem, params);
    size_t n = problem.columns.n, p = problem.columns.p;
    size_t k = (size_t)tm_params_int(params, "k");
    if (k > p)
        return tm_fail(err, TM_EUSAGE, "k = %zu: expected at most p = %zu", k, p);
    tm_status status = draw_truth(&problem, k, kind, err);
    if (status != TM_OK) {
        free(problem.truth);
        return status;
    }
    char name[96], note[200];
    snprintf(name, sizeof name, "%s %zux%zu%s", kind->id, n, p,
             problem.columns.test ? " test" : "");
    snprintf(note, sizeof note,
             "generator: %s, %zu of %zu features decide the class, %s %g, seed %llu", kind->id, k,
             p, kind->parameter, kind->value, (unsigned long long)problem.columns.seed);
    return random_problem_make(out, &problem, name, note, cancel, err);
}
