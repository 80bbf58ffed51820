#include "solve/l1/strategy/sequential.h"

#include "base/memory.h"
#include "solve/l1/core/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct l1_earlier {
    bool known;       /* an answer is stored; otherwise the null model is used */
    double *dual;     /* n: its dual variables, or the null model's */
    double *fit;      /* n: Xw, centred with an intercept; losses that are not quadratic only */
    double *products; /* p: x_j'dual */
    double lambda, scale, radius, penalty;
    double *first; /* n: the first feature to enter, centred and with its sign */
    double first_factor;
    double *region_vectors;        /* (EXTRAS + 2) n */
    double *products_with[EXTRAS]; /* p: products with the extra vectors; NULL until needed */
};

/* ---- storing an answer --------------------------------------------------------------------- */

void l1_earlier_free(l1_earlier *earlier)
{
    if (!earlier)
        return;
    free(earlier->dual);
    free(earlier->fit);
    free(earlier->products);
    free(earlier->first);
    free(earlier->region_vectors);
    for (int k = 0; k < EXTRAS; k++)
        free(earlier->products_with[k]);
    free(earlier);
}

/* Gives a vector of n entries the form of dual variables: weighted by the samples, and centred with
 * an intercept. */
static void make_dual_like(const l1_state *s, double *v)
{
    for (size_t i = 0; i < s->problem.n; i++)
        v[i] *= samples_weight(&s->problem.of, i);
    if (s->problem.intercept)
        samples_centre(&s->problem.of, v);
}

/* The dual correlation of feature j at lambda_max, relative to its factor. */
static double null_correlation(const l1_state *s, size_t j)
{
    return l1_factor(s, j) > 0 ? l1_correlation_of(s, j, s->null.xy[j]) / l1_factor(s, j) : 0;
}

/* The feature with the greatest |x_j'y| / f_j: at lambda_max its constraint is active. */
static void find_first(const l1_state *s, l1_earlier *earlier)
{
    size_t first = 0;
    for (size_t j = 1; j < s->problem.p; j++)
        if (null_correlation(s, j) > null_correlation(s, first))
            first = j;
    tm_matrix_column(s->problem.x, first, earlier->first);
    for (size_t i = 0; s->null.xy[first] < 0 && i < s->problem.n; i++)
        earlier->first[i] = -earlier->first[i];
    make_dual_like(s, earlier->first);
    earlier->first_factor = l1_factor(s, first);
}

static tm_status earlier_new(l1_earlier **out, l1_state *s, tm_error *err)
{
    l1_earlier *earlier = calloc(1, sizeof *earlier);
    if (!earlier)
        return tm_fail_memory(err, "the screening rule");
    *out = earlier;
    earlier->dual = mem_array(s->problem.n, sizeof(double));
    earlier->fit = mem_array(s->problem.n, sizeof(double));
    earlier->products = mem_array(s->problem.p, sizeof(double));
    earlier->first = mem_array(s->problem.n, sizeof(double));
    earlier->region_vectors = mem_array((EXTRAS + 2) * s->problem.n, sizeof(double));
    if (!earlier->dual || !earlier->fit || !earlier->products || !earlier->first ||
        !earlier->region_vectors)
        return tm_fail_memory(err, "the screening rule");
    find_first(s, earlier);
    return TM_OK;
}

void l1_earlier_forget(l1_earlier *earlier)
{
    if (earlier)
        earlier->known = false;
}

void l1_earlier_keep(l1_state *s, l1_earlier *earlier)
{
    if (!earlier)
        return;
    double penalty = 0;
    for (size_t j = 0; j < s->problem.p; j++)
        penalty += s->it.w[j] != 0 ? l1_factor(s, j) * fabs(s->it.w[j]) : 0;
    earlier->known = penalty > 0; /* without weights it is the null model */
    if (!earlier->known)
        return;
    l1_state_refresh(s);
    l1_gap g = l1_gap_all(s);
    earlier->lambda = s->penalty.lambda;
    earlier->scale = g.scale;
    earlier->radius = l1_gap_ball(s, &g).radius;
    earlier->penalty = penalty;
    memcpy(earlier->dual, s->it.r, s->problem.n * sizeof *s->it.r);
    memcpy(earlier->products, s->it.xr, s->problem.p * sizeof *s->it.xr);
    if (s->problem.loss->quadratic)
        return;
    for (size_t i = 0; i < s->problem.n; i++)
        earlier->fit[i] =
            s->it.z[i] - s->it.b - (s->problem.of.offset ? s->problem.of.offset[i] : 0);
    make_dual_like(s, earlier->fit);
}

/* ---- the region and its test --------------------------------------------------------------- */

static screen_earlier describe(const l1_state *s, const l1_earlier *kept)
{
    /* In the squared hinge's null model samples can be beyond the margin only with offsets or
     * unpenalised features. */
    bool beyond = s->problem.of.offset || s->penalty.free;
    screen_earlier e = {.of = &s->problem.of,
                        .intercept = s->problem.intercept,
                        .null_gradient = s->problem.loss->quadratic ||
                                         (s->problem.loss->dual_quadratic && !beyond),
                        .null_dual = s->null.y,
                        .null_objective = s->null.objective,
                        .lambda_max = s->null.lambda_max,
                        .dual = s->null.y,
                        .first = kept->first,
                        .first_factor = kept->first_factor,
                        .lambda = s->null.lambda_max,
                        .scale = 1};
    if (kept->known) {
        e.dual = kept->dual;
        e.fit = kept->fit;
        e.first = NULL;
        e.lambda = kept->lambda;
        e.scale = kept->scale;
        e.radius = kept->radius;
        e.penalty = kept->penalty;
    }
    return e;
}

/* Products of all features with the axes of a region. */
typedef struct axes_products {
    const double *axis[AXES];
    const screen_region *region;
    const screen_earlier *earlier;
    dome dome;
    double normal_length;
} axes_products;

static double combined(const axes_products *q, const double weights[AXES], size_t j)
{
    double sum = 0;
    for (int axis = 0; axis < AXES; axis++)
        if (weights[axis] != 0)
            sum += weights[axis] * q->axis[axis][j];
    return sum;
}

static double bound_of(const l1_state *s, const axes_products *q, size_t j)
{
    double centre = combined(q, q->region->centre, j);
    double normal = q->region->halved ? combined(q, q->region->normal, j) / q->normal_length : 0;
    int sign = s->penalty.signs ? s->penalty.signs[j] : 0;
    double bound = sign == 0
                       ? dome_greatest_absolute(&q->dome, centre, normal, s->penalty.norms[j])
                       : dome_greatest(&q->dome, sign * centre, sign * normal, s->penalty.norms[j]);
    return bound / l1_factor(s, j);
}

static bool is_inactive(const l1_state *s, size_t j, const void *payload)
{
    return bound_of(s, payload, j) < 1;
}

/* `vectors` holds the centre and the normal, as computed by screen_dome. */
static void log_region(const l1_state *s, const axes_products *q, const double *vectors,
                       solve_progress *progress)
{
    if (!screen_log_wanted(progress))
        return;
    tm_screen_step step = screen_log_step(
        q->region->halved ? "every feature against the rule's ball, cut by its half-space"
                          : "every feature against the rule's ball",
        s->active.count);
    step.radius = q->dome.radius;
    step.at.theta =
        l1_log_vector(s, progress, q->earlier->scale / q->earlier->lambda, q->earlier->dual, 0);
    step.at.centre = l1_log_vector(s, progress, 1, vectors, 0);
    if (q->region->halved)
        step.at.normal = l1_log_vector(s, progress, 1, vectors + s->problem.n, 0);
    step.at.offset = q->region->offset;
    l1_log_terms(s, progress);
    screen_log_begin(progress, &step);
    size_t left = s->active.count;
    for (size_t k = 0; k < s->active.count; k++) {
        double bound = bound_of(s, q, s->active.features[k]);
        left -= bound < 1;
        screen_log_feature(progress, s->active.features[k], bound,
                           bound < 1 ? TM_SCREEN_CERTIFIED : TM_SCREEN_KEPT);
    }
    screen_log_active(progress, left);
}

/* Products with the extra vectors that the rule has computed: one pass each. */
static tm_status extra_products(l1_state *s, l1_earlier *kept, axes_products *q,
                                solve_progress *progress, tm_error *err)
{
    for (int k = 0; k < q->region->extra_count && !progress->stopped; k++) {
        if (!kept->products_with[k])
            kept->products_with[k] = mem_array(s->problem.p, sizeof(double));
        if (!kept->products_with[k])
            return tm_fail_memory(err, "the screening rule");
        l1_products_of(s, q->region->extras[k], kept->products_with[k], progress);
        q->axis[AXIS_EXTRA + k] = kept->products_with[k];
    }
    return TM_OK;
}

tm_status l1_screen_sequential(l1_state *s, l1_earlier **kept, screen_rule_region *rule,
                               solve_progress *progress, tm_error *err)
{
    tm_status status = *kept ? TM_OK : earlier_new(kept, s, err);
    if (status != TM_OK)
        return status;
    double *vectors = (*kept)->region_vectors;
    screen_region region = {.extras = {vectors + 2 * s->problem.n, vectors + 3 * s->problem.n}};
    screen_earlier earlier = describe(s, *kept);
    rule(&earlier, s->penalty.lambda, &region, vectors);
    if (!isfinite(region.radius))
        return TM_OK;
    axes_products q = {.region = &region, .earlier = &earlier};
    q.axis[AXIS_EARLIER] = (*kept)->known ? (*kept)->products : s->null.xy;
    q.axis[AXIS_NULL] = s->null.xy;
    q.dome = screen_dome(&earlier, &region, &q.normal_length, vectors);
    status = extra_products(s, *kept, &q, progress, err);
    if (status == TM_OK && !progress->stopped) {
        log_region(s, &q, vectors, progress);
        l1_drop(s, is_inactive, &q);
    }
    return status;
}
