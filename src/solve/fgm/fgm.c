/* Feature generation (FGM) and minimax sparse logistic regression (MSLR): their method_ops over the
 * cutting-plane engine. They differ in the loss, the intercept and the solver of the master
 * problem. */
#include "solve/fgm/fgm.h"

#include "solve/registry.h"

#include "base/memory.h"
#include "model/loss/losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fgm {
    tm_dataset *data;
    tm_source *source;
    tm_groups *groups;
    const char *method;
    cutting_plane cp;
    fgm_inner inner;
    double null_loss, null_intercept; /* of the best model without features, without the factor C */
    bool warm, fresh;                 /* fresh: nothing has been solved since the planes were last
                                       * cleared */
    uint64_t max_iter;
    tm_model *start; /* the initial model of the next solve, or NULL */
} fgm;

static void finish(void *work)
{
    fgm *f = work;
    if (!f)
        return;
    if (f->cp.source)
        cutting_plane_free(&f->cp);
    if (f->inner.master)
        f->inner.master->finish(f->inner.work);
    free(f->inner.units);
    free(f->inner.starts);
    free(f->inner.dual);
    feature_certifier_free(f->inner.certifier);
    tm_model_unref(f->start);
    tm_source_free(f->source);
    tm_groups_unref(f->groups);
    tm_dataset_unref(f->data);
    free(f);
}

/* ---- construction -------------------------------------------------------------------------- */

static bool has(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) && tm_params_has(params, name);
}

static double first_of(const tm_params *params, const char *name)
{
    size_t count;
    return tm_params_reals(params, name, &count)[0];
}

static tm_status make_source(fgm *f, const tm_params *params, tm_error *err)
{
    const char *kind = tm_params_text(params, "source");
    bool grouped = strcmp(kind, "groups") == 0 || strcmp(kind, "tree") == 0;
    if (grouped != has(params, "groups"))
        return tm_fail(err, TM_EUSAGE,
                       grouped ? "source %s needs 'groups'"
                               : "'groups' is read by the sources groups and tree; source is %s",
                       kind);
    if (grouped) {
        tm_status status =
            tm_groups_parse(&f->groups, tm_params_text(params, "groups"), f->data, err);
        if (status != TM_OK)
            return status;
    }
    tm_source_spec spec = {.kind = kind,
                           .groups = f->groups,
                           .intercept = f->inner.problem.intercept,
                           .standardize = tm_params_bool(params, "standardize"),
                           .gamma = tm_params_real(params, "gamma"),
                           .coef0 = tm_params_real(params, "coef0"),
                           .kernel = tm_params_text(params, "kernel"),
                           .sigma = tm_params_real(params, "sigma"),
                           .exponent = tm_params_real(params, "exponent")};
    return tm_source_new(&f->source, f->data, &spec, err);
}

/* Computes the best model without features; its loss is stored without the factor C. */
static tm_status set_null(fgm *f, tm_error *err)
{
    double *z = mem_zeros(f->inner.n, sizeof *z), b = 0;
    if (!z)
        return tm_fail_memory(err, "the null model");
    if (f->inner.problem.intercept)
        b = loss_best_shift(f->inner.l, f->inner.y, z, f->inner.n, 0);
    for (size_t i = 0; i < f->inner.n; i++)
        f->null_loss += f->inner.l->value(f->inner.y[i], b);
    f->null_intercept = b;
    free(z);
    return TM_OK;
}

#define ROW(id, help) &fgm_##id,
static const fgm_master *const masters[] = {FGM_MASTERS(ROW) NULL};
#undef ROW

static const fgm_master *find_master(const char *id)
{
    for (size_t i = 0; masters[i]; i++)
        if (strcmp(masters[i]->id, id) == 0)
            return masters[i];
    return masters[0]; /* the row of `auto` */
}

static tm_status make(fgm *f, const tm_params *params, tm_error *err)
{
    fgm_inner *inner = &f->inner;
    if (!tm_dataset_is_binary(f->data))
        return tm_fail(err, TM_EDATA,
                       "%s is for two classes; the response of %s has other values (of several "
                       "classes choose one "
                       "against the rest with class, or each with one-vs-rest)",
                       f->method, tm_dataset_name(f->data));
    inner->l = loss_find(inner->problem.loss, err);
    inner->y = tm_dataset_y(f->data);
    inner->n = tm_dataset_rows(f->data);
    inner->problem.B = 1;
    inner->problem.C = first_of(params, "C"); /* the null model's objective is needed before the
                                               * first point */
    tm_status status = make_source(f, params, err);
    if (status == TM_OK)
        status = set_null(f, err);
    if (status == TM_OK)
        status = cutting_plane_init(&f->cp, f->source, 1, err);
    if (status == TM_OK)
        status = feature_certifier_new(&inner->certifier, f->source, inner->problem.loss, err);
    inner->dual = mem_zeros(inner->n, sizeof *inner->dual);
    if (status == TM_OK && !inner->dual)
        status = tm_fail_memory(err, "the certificate");
    if (status == TM_OK)
        status = inner->master->init(&inner->work, inner, err);
    f->fresh = true;
    return status;
}

/* The differences between the two methods. */
typedef struct fgm_kind {
    const char *method;
    const fgm_master *master;
    const char *loss;
    bool intercept;
} fgm_kind;

static tm_status make_method(void **work, const tm_dataset *data, const tm_params *params,
                             const fgm_kind *kind, solve_progress *progress, tm_error *err)
{
    fgm *f = calloc(1, sizeof *f);
    *work = NULL;
    if (!f)
        return tm_fail_memory(err, kind->method);
    f->data = tm_dataset_ref(data);
    f->method = kind->method;
    f->inner.master = kind->master;
    f->inner.problem.loss = kind->loss;
    f->inner.problem.intercept = kind->intercept;
    progress->lambda = NAN;
    tm_status status = make(f, params, err);
    return method_made(work, f, finish, status);
}

static tm_status mslr_init(void **work, const tm_dataset *data, const tm_params *params,
                           solve_progress *progress, tm_error *err)
{
    fgm_kind kind = {"mslr", find_master(tm_params_text(params, "master")), loss_logistic.id,
                     false};
    return make_method(work, data, params, &kind, progress, err);
}

static tm_status fgm_init(void **work, const tm_dataset *data, const tm_params *params,
                          solve_progress *progress, tm_error *err)
{
    /* The name points into the static table of losses. */
    const loss *l = loss_find(tm_params_text(params, "loss"), err);
    const fgm_master *master = find_master(tm_params_text(params, "master"));
    bool intercept = tm_params_bool(params, "intercept");
    if (!(master->losses & loss_bit(l)) || (intercept && !master->intercepts))
        return tm_fail(err, TM_EUSAGE,
                       "master %s is for loss logistic with intercept false, as mslr has them",
                       master->id);
    fgm_kind kind = {"fgm", master, l->id, intercept};
    return make_method(work, data, params, &kind, progress, err);
}

/* ---- points -------------------------------------------------------------------------------- */

/* A point that a limit may end is solved from a cold start: the planes of earlier points would
 * count against the limit. */
static bool starts_cold(const fgm *f)
{
    const plane_limits *l = &f->cp.limits;
    return !f->warm || l->rounds != SIZE_MAX || l->features != SIZE_MAX || l->change > 0;
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    fgm *f = work;
    double B = first_of(params, "B");
    f->cp.limits = plane_limits_of(params);
    f->warm = tm_params_bool(params, "warm");
    f->max_iter = (uint64_t)tm_params_int(params, "max_iter");
    f->inner.problem.B = B;
    f->inner.problem.C = first_of(params, "C");
    if (starts_cold(f) && !f->fresh)
        cutting_plane_clear(&f->cp);
    return cutting_plane_set_B(&f->cp, (size_t)B, err);
}

static void begin(void *work)
{
    fgm *f = work;
    f->inner.iterations_left = f->max_iter;
    f->fresh = false;
    if (f->cp.plane_count == 0)
        f->cp.intercept = f->null_intercept;
}

static double null_objective(const void *work)
{
    const fgm *f = work;
    return f->inner.problem.C * f->null_loss;
}

static double no_lambda(const void *work)
{
    (void)work;
    return NAN;
}

/* ---- starting from a model ------------------------------------------------------------------ */

static void warm(void *work, const tm_model *model)
{
    fgm *f = work;
    tm_model_unref(f->start);
    f->start = tm_model_ref(model);
}

/* Whether the model's features are features of the source. The groups of its weights are not
 * known. */
static bool matches_source(const fgm *f, const tm_model *model)
{
    const tm_map *mine = tm_source_map(f->source), *its = tm_model_map(model);
    if (f->groups || !mine != !its)
        return false;
    return !mine || (strcmp(tm_map_kind(mine), tm_map_kind(its)) == 0 &&
                     tm_map_features(mine) == tm_map_features(its));
}

static int by_score(const void *a, const void *b)
{
    const tm_pick *x = a, *y = b;
    int order = (x->score < y->score) - (x->score > y->score);
    return order ? order : (x->unit > y->unit) - (x->unit < y->unit);
}

/* Lists the model's units by decreasing weight; returns their number. */
static size_t units_of(const fgm *f, const tm_model *model, tm_pick *units)
{
    const tm_map *map = tm_source_map(f->source);
    size_t width = map ? tm_map_width(map) : 1, count = 0;
    for (size_t k = 0; k < tm_model_nnz(model); k++) {
        uint64_t unit = tm_model_features(model)[k] / width;
        double weight = tm_model_weights(model)[k];
        if (count == 0 || units[count - 1].unit != unit)
            units[count++] = (tm_pick){unit, 0};
        units[count - 1].score += weight * weight;
    }
    qsort(units, count, sizeof *units, by_score);
    return count;
}

/* Starts from planes of the model's units, with its weights as the master problem's. */
static tm_status begin_from(fgm *f, const tm_model *model, tm_error *err)
{
    tm_pick *units = mem_array(tm_model_nnz(model), sizeof *units);
    if (!units)
        return tm_fail_memory(err, "the warm start");
    size_t count = units_of(f, model, units), B = f->cp.B;
    tm_status status = TM_OK;
    cutting_plane_clear(&f->cp);
    for (size_t from = 0; status == TM_OK && from < count; from += B)
        status = cutting_plane_add(&f->cp, units + from, count - from < B ? count - from : B, err);
    free(units);
    const feature_cache *cache = &f->cp.cache;
    for (size_t u = 0; status == TM_OK && u < cache->unit_count; u++)
        for (size_t k = 0; k < cache->units[u].count; k++) {
            double factor;
            uint64_t feature = tm_source_feature(f->source, cache->units[u].unit, k, &factor);
            f->cp.weights[cache->units[u].from + k] =
                tm_model_weight(model, (size_t)feature) / factor;
        }
    f->cp.intercept = f->inner.problem.intercept ? tm_model_intercept(model) : 0;
    return status;
}

static tm_status take_start(fgm *f, tm_error *err)
{
    tm_status status = TM_OK;
    if (f->start && f->warm && matches_source(f, f->start) && !starts_cold(f))
        status = begin_from(f, f->start, err);
    tm_model_unref(f->start);
    f->start = NULL;
    return status;
}

/* ---- solving ------------------------------------------------------------------------------- */

/* Counts the units with a nonzero weight in the answer. */
static uint64_t count_held(const cutting_plane *cp)
{
    uint64_t held = 0;
    for (size_t u = 0; u < cp->cache.unit_count; u++) {
        const cached_unit *unit = &cp->cache.units[u];
        bool any = false;
        for (size_t c = unit->from; c < unit->from + unit->count && c < cp->answer.count; c++)
            any = any || cp->answer.weights[c] != 0;
        held += any;
    }
    return held;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    fgm *f = work;
    const inner_ops *ops = f->inner.master->unions ? &fgm_ops_unions : &fgm_ops_planes;
    tm_status status = take_start(f, err);
    if (status == TM_OK)
        status = cutting_plane_run(&f->cp, ops, &f->inner, target, progress, err);
    if (status == TM_OK && !isfinite(f->cp.upper)) { /* cancelled before any bound was known */
        f->cp.upper = null_objective(f);
        f->cp.lower = 0;
        f->cp.answer.intercept = f->null_intercept;
        memset(f->inner.dual, 0, f->inner.n * sizeof *f->inner.dual);
    }
    *answer = (solve_answer){.converged = f->cp.converged,
                             .stalled = f->cp.stalled || f->cp.limited,
                             .stop = f->cp.limited                   ? TM_STOP_RULE
                                     : f->inner.iterations_left == 0 ? TM_STOP_ITER
                                                                     : TM_STOP_NONE,
                             .intercept = f->cp.answer.intercept,
                             .problem = {.lambda = NAN},
                             .B = f->inner.problem.B,
                             .C = f->inner.problem.C,
                             .features = tm_source_units(f->source),
                             .held = count_held(&f->cp),
                             .pass = tm_source_columns(f->source),
                             .active = f->cp.cache.unit_count};
    return status;
}

static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    fgm *f = work;
    (void)answer;
    return fgm_certify(&f->inner, &f->cp, progress, certificate, err);
}

/* ---- models -------------------------------------------------------------------------------- */

typedef struct term {
    uint64_t feature;
    double weight;
} term;

static int by_feature(const void *a, const void *b)
{
    const term *x = a, *y = b;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

/* The answer's terms sorted by feature; those of a feature that is in several groups are summed. */
static size_t collect_terms(const fgm *f, term *terms)
{
    const feature_cache *cache = &f->cp.cache;
    size_t count = 0, kept = 0;
    for (size_t u = 0; u < cache->unit_count; u++)
        for (size_t k = 0; k < cache->units[u].count; k++) {
            size_t at = cache->units[u].from + k;
            double factor;
            uint64_t feature = tm_source_feature(f->source, cache->units[u].unit, k, &factor);
            if (at < f->cp.answer.count && f->cp.answer.weights[at] != 0)
                terms[count++] = (term){feature, factor * f->cp.answer.weights[at]};
        }
    qsort(terms, count, sizeof *terms, by_feature);
    for (size_t k = 0; k < count; k++)
        if (kept > 0 && terms[kept - 1].feature == terms[k].feature)
            terms[kept - 1].weight += terms[k].weight;
        else
            terms[kept++] = terms[k];
    return kept;
}

static tm_status make_model(void *work, const solve_answer *answer, tm_model **out, tm_error *err)
{
    const fgm *f = work;
    size_t room = f->cp.cache.column_count;
    term *terms = mem_array(room, sizeof *terms);
    uint64_t *features = mem_array(room, sizeof *features);
    double *weights = mem_array(room, sizeof *weights);
    tm_status status = terms && features && weights ? TM_OK : tm_fail_memory(err, "the model");
    if (status == TM_OK) {
        size_t count = collect_terms(f, terms);
        for (size_t k = 0; k < count; k++) {
            features[k] = terms[k].feature;
            weights[k] = terms[k].weight;
        }
        tm_model_parts parts = {.map = tm_source_map(f->source),
                                .method = f->method,
                                .lambda = NAN,
                                .count = count,
                                .features = features,
                                .weights = weights,
                                .intercept = answer->intercept};
        status = tm_model_new_features(out, f->data, &parts, err);
    }
    free(terms);
    free(features);
    free(weights);
    return status;
}

#define FGM_OPS                                                                                    \
    .update = update, .warm = warm, .begin = begin, .solve = solve, .certify = certify,            \
    .model = make_model, .lambda_max = no_lambda, .null_objective = null_objective,                \
    .finish = finish

const method_ops fgm_ops = {.init = fgm_init, FGM_OPS};
const method_ops mslr_ops = {.init = mslr_init, FGM_OPS};
