/* Generator "sphere": the voxels of a 3-D grid, of which those in a ball are active, like the
 * region that SAIF (Ren 2017), section 4.4.1, plants in brain images.
 *
 * The features are voxels, the last index varying fastest, each standard normal. y = X truth +
 * noise, where truth is `value` within the ball and 0 outside; or two classes of equal size. The
 * data include the grid's edges. */
#include "base/memory.h"
#include "data/synth/generator.h"
#include "data/synth/random_problem.h"

#include <math.h>
#include <stdio.h>

enum {
    MAX_SIDE = 1625
}; /* the number of voxels of a larger cube exceeds the index type of
    * features */

#define SIDE(name, help)                                                                           \
    {                                                                                              \
        name, TM_PARAM_INT, "16", 1, MAX_SIDE, NULL, help, NULL, 0                                 \
    }

static const tm_param_info sphere_params[] = {
    {"n", TM_PARAM_INT, "200", 1, 4294967294.0, NULL, "rows", NULL, 0},
    SIDE("depth", "slices of the grid"),
    SIDE("height", "rows of a slice"),
    SIDE("width", "columns of a slice"),
    {"radius", TM_PARAM_REAL, "4", 0, 1e6, NULL, "radius of the ball, in voxels", NULL, 0},
    {"value", TM_PARAM_REAL, "1", -1e100, 1e100, NULL, "coefficient of the voxels in the ball",
     NULL, 0},
    {"noise", TM_PARAM_REAL, "1", 0, 1e100, NULL, "standard deviation of the noise", NULL, 0},
    {"classes", TM_PARAM_BOOL, "false", 0, 0, NULL, "two even classes instead of a number", NULL,
     0},
    {"seed", TM_PARAM_INT, "0", 0, 9.0e15, NULL, "seed of the random numbers", NULL, 0},
    {"part", TM_PARAM_CHOICE, "train", 0, 0, NULL,
     "which rows of the problem determined by the seed", random_parts, 0},
    RANDOM_STORAGE,
};

typedef struct grid {
    size_t sides[3];
} grid;

/* The centre of the ball is in the grid, at least a radius from each face where possible. */
static double middle(size_t side, double radius, tm_rng *rng)
{
    double low = fmin(radius, ((double)side - 1) / 2);
    return tm_rng_range(rng, low, (double)side - 1 - low);
}

static void plant(const grid *g, double *truth, double radius, double value, tm_rng *rng)
{
    double at[3];
    size_t j = 0;
    for (int axis = 0; axis < 3; axis++)
        at[axis] = round(middle(g->sides[axis], radius, rng));
    for (size_t s = 0; s < g->sides[0]; s++)
        for (size_t r = 0; r < g->sides[1]; r++)
            for (size_t c = 0; c < g->sides[2]; c++, j++) {
                double off[3] = {(double)s - at[0], (double)r - at[1], (double)c - at[2]};
                double square = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
                truth[j] = square <= radius * radius ? value : 0;
            }
}

/* Each voxel is joined to the next one along each axis. */
static size_t join(const grid *g, uint32_t *edges)
{
    const size_t steps[3] = {g->sides[1] * g->sides[2], g->sides[2], 1};
    size_t count = 0, p = g->sides[0] * steps[0];
    for (size_t j = 0; j < p; j++)
        for (int axis = 2; axis >= 0; axis--)
            if (j / steps[axis] % g->sides[axis] + 1 < g->sides[axis]) {
                edges[2 * count] = (uint32_t)j;
                edges[2 * count++ + 1] = (uint32_t)(j + steps[axis]);
            }
    return count;
}

static tm_status plan_problem(random_problem *problem, const grid *g, const tm_params *params,
                              tm_error *err)
{
    tm_rng rng;
    size_t p = problem->columns.p;
    problem->truth = mem_zeros(p, sizeof *problem->truth);
    problem->edges = mem_array(6 * p, sizeof *problem->edges);
    if (!problem->truth || !problem->edges)
        return tm_fail_memory(err, "synthetic data");
    random_stream(&rng, &problem->columns, RANDOM_TRUTH);
    plant(g, problem->truth, tm_params_real(params, "radius"), tm_params_real(params, "value"),
          &rng);
    problem->edge_count = join(g, problem->edges);
    return TM_OK;
}

static tm_status sphere_make(tm_dataset **out, const tm_params *params, tm_cancel *cancel,
                             tm_error *err)
{
    bool classes = tm_params_bool(params, "classes");
    const grid g = {{(size_t)tm_params_int(params, "depth"),
                     (size_t)tm_params_int(params, "height"),
                     (size_t)tm_params_int(params, "width")}};
    random_problem problem = {
        .columns = {.law = LAW_NORMAL, .p = g.sides[0] * g.sides[1] * g.sides[2]},
        .noise = tm_params_real(params, "noise"),
        .numeric = !classes,
        .balanced = classes};
    random_problem_read(&problem, params);
    tm_status status = plan_problem(&problem, &g, params, err);
    if (status != TM_OK) {
        free(problem.truth);
        free(problem.edges);
        return status;
    }
    char name[96], note[200];
    snprintf(name, sizeof name, "sphere %zux%zux%zu%s", g.sides[0], g.sides[1], g.sides[2],
             problem.columns.test ? " test" : "");
    snprintf(note, sizeof note, "generator: sphere, radius %g, noise %g, seed %llu",
             tm_params_real(params, "radius"), problem.noise,
             (unsigned long long)problem.columns.seed);
    return random_problem_make(out, &problem, name, note, cancel, err);
}

const generator generator_sphere = {
    .info = {.id = "sphere",
             .summary = "voxels of a 3-D grid; those within a ball decide the response",
             .source = "SAIF (Ren 2017), section 4.4.1",
             GENERATOR_PARAMS(sphere_params)},
    .make = sphere_make,
};
