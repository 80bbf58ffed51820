#include "data/source/source.h"

#include "base/memory.h"
#include "base/threads/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_CHOICE(id, help) {#id, help},
#define SOURCE_POINTER(id, help) &source_##id,

const tm_choice tm_source_choices[] = {SOURCES(SOURCE_CHOICE){NULL, NULL}};
static const source_kind *const kinds[] = {SOURCES(SOURCE_POINTER)};

/* ---- sharing a pass ------------------------------------------------------------------------ */

bool source_stopped(source_pass *pass)
{
    return atomic_load_explicit(&pass->stopped, memory_order_relaxed);
}

typedef struct share {
    tm_source *source;
    source_pass *pass;
    size_t blocks, room;
    source_work *work;
} share;

static void poll(source_pass *pass)
{
    if (tm_cancel_poll(pass->scan->cancel))
        atomic_store(&pass->stopped, true);
}

static void work_through(size_t from, size_t to, void *payload)
{
    const share *job = payload;
    source_pass *pass = job->pass;
    best heap;
    double *scratch = mem_zeros(job->room, sizeof *scratch);
    bool ready = best_init(&heap, pass->found->room) && scratch;
    if (!ready)
        atomic_store(&pass->starved, true);
    (void)to;
    while (ready && !source_stopped(pass)) {
        size_t block = atomic_fetch_add(&pass->next, 1);
        if (block >= job->blocks)
            break;
        if (from == 0) /* only the caller's thread may sleep while the run is paused */
            poll(pass);
        job->work(job->source, pass, block, &heap, scratch);
    }
    if (ready) {
        pthread_mutex_lock(&pass->lock);
        best_join(pass->found, &heap);
        pthread_mutex_unlock(&pass->lock);
    }
    best_clear(&heap);
    free(scratch);
}

void source_share(tm_source *s, source_pass *pass, size_t blocks, size_t room, source_work *work)
{
    share job = {s, pass, blocks, room, work};
    thread_team *team = blocks < 2 ? NULL : team_new(pass->scan->threads);
    atomic_store(&pass->next, 0);
    parallel_ranges((size_t)team_threads(team), team, work_through, &job);
    team_free(team);
}

/* ---- shared by the kinds ------------------------------------------------------------------- */

double source_product(const tm_source *s, const source_pass *pass, size_t j, double product)
{
    if (s->intercept && !(tm_dataset_deviations(s->data)[j] > 0))
        return 0;
    double left = s->intercept ? tm_dataset_means(s->data)[j] * pass->sum : 0;
    return source_scale(s, j) * (product - left);
}

/* ---- plain columns ------------------------------------------------------------------------- */

/* Columns in a block: few enough that a run can be cancelled within some milliseconds. */
enum { MAX_BLOCK = 256, BLOCK_VALUES = 1 << 20 };

static size_t block_columns(const tm_source *s)
{
    size_t block = BLOCK_VALUES / s->n;
    return block < 4 ? 4 : block < MAX_BLOCK ? block : MAX_BLOCK;
}

static size_t one_column(const tm_source *s, uint64_t unit)
{
    (void)s;
    (void)unit;
    return 1;
}

static uint64_t column_feature(const tm_source *s, uint64_t unit, size_t k, double *factor)
{
    (void)k;
    *factor = source_scale(s, (size_t)unit);
    return unit;
}

static void score_columns(tm_source *s, source_pass *pass, size_t block, best *heap,
                          double *products)
{
    size_t from = block * s->block, count = s->p - from < s->block ? s->p - from : s->block;
    tm_matrix_dot_range(s->x, from, count, pass->v, products);
    for (size_t k = 0; k < count; k++) {
        double c = source_product(s, pass, from + k, products[k]);
        best_offer(heap, from + k, c * c);
    }
    atomic_fetch_add(&pass->columns, count);
}

static tm_status best_columns(tm_source *s, source_pass *pass, tm_error *err)
{
    (void)err;
    source_share(s, pass, (s->p + s->block - 1) / s->block, s->block, score_columns);
    return TM_OK;
}

const source_kind source_columns = {
    .width = one_column, .feature = column_feature, .best = best_columns};

/* ---- construction -------------------------------------------------------------------------- */

/* 1 / deviation of each column, 1 for constant ones. */
static tm_status set_scales(tm_source *s, tm_error *err)
{
    const double *means = tm_dataset_means(s->data), *deviations = tm_dataset_deviations(s->data);
    double n = (double)s->n;
    s->scales = mem_array(s->p, sizeof *s->scales);
    if (!s->scales)
        return tm_fail_memory(err, "the feature source");
    for (size_t j = 0; j < s->p; j++) {
        double squares = deviations[j] + (s->intercept ? 0 : n * means[j] * means[j]);
        s->scales[j] = squares > 0 ? sqrt(n / squares) : 1;
    }
    return TM_OK;
}

static const source_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(tm_source_choices[i].name, name) == 0)
            return kinds[i];
    return NULL;
}

bool tm_source_makes_features(const char *kind)
{
    const source_kind *found = find_kind(kind);
    return found && found->makes_features;
}

static tm_status set_kind(tm_source *s, const tm_source_spec *spec, tm_error *err)
{
    s->units = s->p;
    s->kind = find_kind(spec->kind);
    if (s->kind)
        return s->kind->init ? s->kind->init(s, spec, err) : TM_OK;
    return tm_fail(err, TM_EUSAGE, "no feature source '%.60s'", spec->kind);
}

tm_status tm_source_new(tm_source **out, const tm_dataset *data, const tm_source_spec *spec,
                        tm_error *err)
{
    *out = NULL;
    tm_source *s = calloc(1, sizeof *s);
    if (!s)
        return tm_fail_memory(err, "the feature source");
    s->data = tm_dataset_ref(data);
    s->x = tm_dataset_x(data);
    s->n = tm_dataset_rows(data);
    s->p = tm_dataset_cols(data);
    s->block = block_columns(s);
    s->intercept = spec->intercept;
    tm_status status = TM_OK;
    if (spec->groups && tm_groups_features(spec->groups) != s->p)
        status = tm_fail(err, TM_EUSAGE, "the groups are of %zu features, the data have %zu",
                         tm_groups_features(spec->groups), s->p);
    if (status == TM_OK && spec->standardize)
        status = set_scales(s, err);
    if (status == TM_OK)
        status = set_kind(s, spec, err);
    if (status != TM_OK) {
        tm_source_free(s);
        return status;
    }
    *out = s;
    return TM_OK;
}

void tm_source_free(tm_source *s)
{
    if (!s)
        return;
    tm_dataset_unref(s->data);
    tm_groups_unref(s->groups);
    tm_map_unref(s->map);
    free(s->scales);
    if (s->own)
        s->kind->clear(s->own);
    free(s);
}

/* ---- properties ---------------------------------------------------------------------------- */

uint64_t tm_source_units(const tm_source *s)
{
    return s->units;
}

size_t tm_source_width(const tm_source *s, uint64_t unit)
{
    return s->kind->width(s, unit);
}

uint64_t tm_source_columns(const tm_source *s)
{
    uint64_t columns = 0;
    if (s->map)
        return tm_map_features(s->map);
    for (uint64_t u = 0; u < tm_source_units(s); u++)
        columns += tm_source_width(s, u);
    return columns;
}

const tm_map *tm_source_map(const tm_source *s)
{
    return s->map;
}

const tm_dataset *tm_source_data(const tm_source *s)
{
    return s->data;
}

uint64_t tm_source_feature(const tm_source *s, uint64_t unit, size_t k, double *factor)
{
    return s->kind->feature(s, unit, k, factor);
}

tm_status tm_source_column(const tm_source *s, uint64_t unit, size_t k, double *out, tm_error *err)
{
    double factor;
    uint64_t feature = s->kind->feature(s, unit, k, &factor);
    tm_status status = TM_OK;
    if (s->map)
        status = tm_map_column(s->map, s->x, feature, out, err);
    else
        tm_matrix_column(s->x, (size_t)feature, out);
    for (size_t i = 0; status == TM_OK && factor != 1 && i < s->n; i++)
        out[i] *= factor;
    return status;
}

tm_status tm_source_apply(const tm_source *s, uint64_t unit, const double *weights, double *z,
                          tm_error *err)
{
    size_t width = s->kind->width(s, unit);
    for (size_t k = 0; k < width; k++) {
        double factor;
        uint64_t feature = s->kind->feature(s, unit, k, &factor);
        if (s->map && width > 1) /* factors are 1 */
            return tm_map_apply(s->map, s->x, feature, width, weights, z, err);
        double weight = factor * weights[k];
        if (!s->map)
            tm_matrix_axpy(s->x, (size_t)feature, weight, z);
        else if (tm_map_apply(s->map, s->x, feature, 1, &weight, z, err) != TM_OK)
            return TM_ENOMEM;
    }
    return TM_OK;
}

static const char *column_label(size_t j, void *payload, char *buffer, size_t size)
{
    return tm_dataset_feature_label(((const tm_source *)payload)->data, j, buffer, size);
}

const char *tm_source_label(const tm_source *s, uint64_t unit, char *buffer, size_t size)
{
    tm_source *mine = (tm_source *)(uintptr_t)s; /* not modified */
    if (s->groups && tm_groups_name(s->groups, (size_t)unit))
        snprintf(buffer, size, "%s", tm_groups_name(s->groups, (size_t)unit));
    else if (s->groups)
        snprintf(buffer, size, "group %zu", (size_t)unit + 1);
    else if (s->map && tm_map_width(s->map) == 1)
        tm_map_label(s->map, unit, column_label, mine, buffer, size);
    else
        column_label((size_t)unit, mine, buffer, size);
    return buffer;
}

/* ---- the best ------------------------------------------------------------------------------ */

tm_status tm_source_best(tm_source *s, const double *v, size_t most, tm_pick *out, size_t *count,
                         tm_scan *scan, tm_error *err)
{
    best found;
    *count = 0;
    if (!best_init(&found, most < s->units ? most : (size_t)s->units))
        return tm_fail_memory(err, "the scores");
    source_pass pass = {.v = v, .scan = scan, .found = &found};
    for (size_t i = 0; i < s->n; i++)
        pass.sum += v[i];
    pthread_mutex_init(&pass.lock, NULL);
    tm_status status = s->kind->best(s, &pass, err);
    pthread_mutex_destroy(&pass.lock);
    if (status == TM_OK && atomic_load(&pass.starved))
        status = tm_fail_memory(err, "the scores");
    if (status == TM_OK && atomic_load(&pass.stopped))
        status = tm_fail(err, TM_ECANCELLED, "cancelled");
    scan->columns = atomic_load(&pass.columns);
    if (status == TM_OK) {
        best_sort(&found);
        *count = found.count;
        for (size_t k = 0; k < found.count; k++)
            out[k] = (tm_pick){found.picks[k].unit, found.picks[k].score};
    }
    best_clear(&found);
    return status;
}
