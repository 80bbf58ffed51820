#include "run/plan/split.h"

#include "base/memory.h"
#include "data/dataset_parts.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FOLDS = 65535, SPLIT_SCORES = UINT16_MAX };

/* ---- folds --------------------------------------------------------------------------------- */

/* Checks that a given fold scores on some rows, trains on some, and does both on none. */
static tm_status check_fold(const tm_sweep_spec *spec, size_t fold, size_t rows, tm_error *err)
{
    size_t scores = 0, trains = 0;
    for (size_t i = 0; i < rows; i++) {
        bool held = spec->splits.held[fold * rows + i];
        size_t times = spec->splits.times ? spec->splits.times[fold * rows + i] : !held;
        if (held && times > 0)
            return tm_fail(err, TM_EUSAGE, "fold %zu trains and scores on row %zu", fold + 1,
                           i + 1);
        if (times >= SPLIT_SCORES)
            return tm_fail(err, TM_EUSAGE, "fold %zu trains on row %zu %zu times", fold + 1, i + 1,
                           times);
        scores += held;
        trains += times > 0;
    }
    if (scores == 0 || scores == rows)
        return tm_fail(err, TM_EUSAGE, "fold %zu has %s rows to score on", fold + 1,
                       scores ? "all" : "no");
    return trains > 0 ? TM_OK : tm_fail(err, TM_EUSAGE, "fold %zu trains on no row", fold + 1);
}

static tm_status check_own(const tm_sweep_spec *spec, size_t rows, tm_error *err)
{
    if (spec->splits.repeats > 1 || spec->splits.groups)
        return tm_fail(err, TM_EUSAGE,
                       "%s is for folds that are dealt, not for those that are given",
                       spec->splits.groups ? "groups" : "repeats");
    if (spec->splits.nested == 1 || spec->splits.nested > MAX_FOLDS)
        return tm_fail(err, TM_EUSAGE, "nested is %zu; expected 2 or more inner folds",
                       spec->splits.nested);
    tm_status status = TM_OK;
    for (size_t f = 0; status == TM_OK && f < spec->splits.folds; f++)
        status = check_fold(spec, f, rows, err);
    return status;
}

static tm_status check(const tm_sweep_spec *spec, tm_error *err)
{
    size_t rows = tm_dataset_rows(spec->inputs.data[0]);
    for (size_t d = 1; d < spec->inputs.data_count; d++)
        if (tm_dataset_rows(spec->inputs.data[d]) != rows)
            return tm_fail(
                err, TM_EUSAGE, "the sweep's data sets need the same rows: %s has %zu, %s has %zu",
                tm_dataset_name(spec->inputs.data[0]), rows, tm_dataset_name(spec->inputs.data[d]),
                tm_dataset_rows(spec->inputs.data[d]));
    if (spec->inputs.test && spec->splits.folds > 0)
        return tm_fail(err, TM_EUSAGE, "give the sweep test data or folds, not both");
    if (spec->splits.held)
        return check_own(spec, rows, err);
    if (spec->splits.folds == 1 || spec->splits.folds > MAX_FOLDS || spec->splits.folds > rows)
        return tm_fail(err, TM_EUSAGE, "the sweep's folds are %zu; expected 2 to %zu (the rows)",
                       spec->splits.folds, rows < MAX_FOLDS ? rows : (size_t)MAX_FOLDS);
    if (spec->splits.nested == 1 || spec->splits.nested > MAX_FOLDS)
        return tm_fail(err, TM_EUSAGE, "nested is %zu; expected 2 or more inner folds",
                       spec->splits.nested);
    if (spec->splits.folds == 0 &&
        (spec->splits.nested > 0 || spec->splits.repeats > 1 || spec->splits.groups))
        return tm_fail(err, TM_EUSAGE, "%s needs folds=K",
                       spec->splits.nested > 0    ? "nested"
                       : spec->splits.repeats > 1 ? "repeats"
                                                  : "groups");
    return TM_OK;
}

static uint64_t seed_of(const tm_sweep_spec *spec, size_t repeat, size_t outer)
{
    tm_rng rng;
    tm_rng_seed(&rng, spec->splits.seed);
    uint64_t base = tm_rng_next(&rng);
    return base + 0x9e3779b97f4a7c15U * (repeat * (spec->splits.folds + 1) + outer);
}

/* Computes the folds of `data`, whose i-th row is row rows[i] of the whole data (NULL: the same),
 * and writes them to fold[] by rows of the whole data. */
static tm_status deal(uint16_t *fold, const tm_dataset *data, const size_t *rows, size_t k,
                      const tm_sweep_spec *spec, uint64_t seed, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    size_t *dealt = mem_array(n, sizeof *dealt), *groups = mem_array(n, sizeof *groups);
    tm_status status = dealt && groups ? TM_OK : tm_fail_memory(err, "a sweep's folds");
    for (size_t i = 0; status == TM_OK && spec->splits.groups && i < n; i++)
        groups[i] = spec->splits.groups[rows ? rows[i] : i];
    if (status == TM_OK)
        status = tm_dataset_folds(dealt, data, k, spec->splits.stratify,
                                  spec->splits.groups ? groups : NULL, seed, err);
    for (size_t i = 0; status == TM_OK && i < n; i++)
        fold[rows ? rows[i] : i] = (uint16_t)dealt[i];
    free(dealt);
    free(groups);
    return status;
}

/* Whether the outer fold scores on the row. */
static bool is_held(const sweep_splits *s, size_t repeat, size_t outer, size_t row)
{
    return s->own ? s->outer[outer][row] == SPLIT_SCORES : s->outer[repeat][row] == outer;
}

/* How often the outer fold trains on the row. */
static size_t outer_times(const sweep_splits *s, size_t repeat, size_t outer, size_t row)
{
    bool held = is_held(s, repeat, outer, row);
    return held ? 0 : s->own ? s->outer[outer][row] : 1;
}

/* The rows that the outer fold trains on; malloc'ed. */
static size_t *rows_outside(const sweep_splits *s, size_t repeat, size_t outer, size_t *count)
{
    size_t *rows = mem_array(s->rows, sizeof *rows);
    *count = 0;
    for (size_t i = 0; rows && i < s->rows; i++)
        if (outer_times(s, repeat, outer, i) > 0)
            rows[(*count)++] = i;
    return rows;
}

static tm_status deal_inner(sweep_splits *s, const tm_sweep_spec *spec, size_t repeat, size_t outer,
                            tm_error *err)
{
    size_t count;
    tm_dataset *train = NULL;
    uint16_t *fold = mem_zeros(s->rows, sizeof *fold);
    size_t *rows = rows_outside(s, repeat, outer, &count);
    tm_status status = fold && rows ? TM_OK : tm_fail_memory(err, "a sweep's folds");
    if (status == TM_OK)
        status = tm_dataset_select_rows(&train, s->data[0], rows, count, "inner", err);
    if (status == TM_OK)
        status = deal(fold, train, rows, spec->splits.nested, spec,
                      seed_of(spec, repeat, outer + 1), err);
    s->inner[s->inner_count++] = fold;
    tm_dataset_unref(train);
    free(rows);
    return status;
}

/* Copies the folds given in the description. */
static tm_status copy_own(sweep_splits *s, const tm_sweep_spec *spec, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t f = 0; status == TM_OK && f < s->folds; f++) {
        uint16_t *fold = mem_zeros(s->rows, sizeof *fold);
        if (!fold)
            return tm_fail_memory(err, "a sweep's folds");
        for (size_t i = 0; i < s->rows; i++) {
            bool held = spec->splits.held[f * s->rows + i];
            fold[i] = held                 ? SPLIT_SCORES
                      : spec->splits.times ? spec->splits.times[f * s->rows + i]
                                           : 1;
        }
        s->outer[s->outer_count++] = fold;
        if (s->nested > 0)
            status = deal_inner(s, spec, 0, f, err);
    }
    return status;
}

static tm_status deal_all(sweep_splits *s, const tm_sweep_spec *spec, size_t repeats, tm_error *err)
{
    tm_status status = TM_OK;
    s->outer = mem_zeros(s->own ? s->folds : repeats, sizeof *s->outer);
    s->inner = mem_zeros(repeats * s->folds, sizeof *s->inner);
    if (!s->outer || !s->inner)
        return tm_fail_memory(err, "a sweep's folds");
    if (s->own)
        return copy_own(s, spec, err);
    for (size_t r = 0; status == TM_OK && s->folds > 0 && r < repeats; r++) {
        uint16_t *fold = mem_zeros(s->rows, sizeof *fold);
        if (!fold)
            return tm_fail_memory(err, "a sweep's folds");
        s->outer[s->outer_count++] = fold;
        status = deal(fold, s->data[0], NULL, s->folds, spec, seed_of(spec, r, 0), err);
        for (size_t o = 0; status == TM_OK && s->nested > 0 && o < s->folds; o++)
            status = deal_inner(s, spec, r, o, err);
    }
    return status;
}

/* ---- making -------------------------------------------------------------------------------- */

static tm_status list_splits(sweep_splits *s, size_t repeats, tm_error *err)
{
    size_t outer = s->folds ? s->folds : 1;
    s->count = repeats * outer * (s->nested + 1);
    s->splits = mem_zeros(s->count, sizeof *s->splits);
    s->parts = mem_zeros(s->count * s->variant_count, sizeof *s->parts);
    if (!s->splits || !s->parts) {
        s->count = 0;
        return tm_fail_memory(err, "a sweep's folds");
    }
    for (size_t i = 0; i < s->count * s->variant_count; i++)
        pthread_mutex_init(&s->parts[i].lock, NULL);
    tm_sweep_split *next = s->splits;
    for (size_t r = 0; r < repeats; r++)
        for (size_t o = 0; o < outer; o++)
            for (size_t i = 0; i <= s->nested; i++)
                *next++ = (tm_sweep_split){(int)r + 1, (int)o + 1, (int)i};
    return TM_OK;
}

tm_status sweep_splits_make(sweep_splits *s, const tm_sweep_spec *spec, tm_error *err)
{
    size_t repeats = spec->splits.repeats > 0 ? spec->splits.repeats : 1;
    tm_status status = check(spec, err);
    if (status != TM_OK)
        return status;
    s->rows = tm_dataset_rows(spec->inputs.data[0]);
    s->folds = spec->splits.folds;
    s->nested = spec->splits.nested;
    s->own = spec->splits.held != NULL;
    s->hooks = spec->hooks;
    s->data = mem_zeros(spec->inputs.data_count, sizeof(tm_dataset *));
    if (!s->data)
        return tm_fail_memory(err, "a sweep's data");
    s->data_count = spec->inputs.data_count;
    for (size_t d = 0; d < spec->inputs.data_count; d++)
        s->data[d] = tm_dataset_ref(spec->inputs.data[d]);
    s->test = spec->inputs.test ? tm_dataset_ref(spec->inputs.test) : NULL;
    status = list_splits(s, repeats, err);
    return status == TM_OK ? deal_all(s, spec, repeats, err) : status;
}

void sweep_splits_clear(sweep_splits *s)
{
    for (size_t i = 0; i < s->count * s->variant_count; i++) {
        tm_dataset_unref(s->parts[i].train);
        tm_dataset_unref(s->parts[i].test);
        pthread_mutex_destroy(&s->parts[i].lock);
    }
    for (size_t i = 0; i < s->outer_count; i++)
        free(s->outer[i]);
    for (size_t i = 0; i < s->inner_count; i++)
        free(s->inner[i]);
    for (size_t d = 0; d < s->data_count; d++)
        tm_dataset_unref(s->data[d]);
    for (size_t v = 0; v < s->variant_count; v++) {
        tm_params_free(s->variants[v].prepare);
        tm_dataset_unref(s->variants[v].more);
    }
    free(s->variants);
    tm_dataset_unref(s->test);
    free(s->outer);
    free(s->inner);
    free(s->data);
    free(s->splits);
    free(s->parts);
    *s = (sweep_splits){0};
}

/* ---- the data of a split ------------------------------------------------------------------- */

int sweep_splits_role(const sweep_splits *s, size_t which, size_t row)
{
    const tm_sweep_split *split = &s->splits[which];
    size_t repeat = (size_t)split->repeat - 1, outer = (size_t)split->outer - 1;
    if (s->folds == 0)
        return TM_ROW_TRAINS;
    bool held = is_held(s, repeat, outer, row);
    if (!held && outer_times(s, repeat, outer, row) == 0)
        return TM_ROW_UNUSED;
    if (split->inner == 0)
        return held ? TM_ROW_SCORES : TM_ROW_TRAINS;
    if (held)
        return TM_ROW_UNUSED;
    return s->inner[repeat * s->folds + outer][row] == (size_t)split->inner - 1 ? TM_ROW_SCORES
                                                                                : TM_ROW_TRAINS;
}

size_t sweep_splits_times(const sweep_splits *s, size_t which, size_t row)
{
    const tm_sweep_split *split = &s->splits[which];
    if (sweep_splits_role(s, which, row) != TM_ROW_TRAINS)
        return 0;
    return s->folds == 0 ? 1
                         : outer_times(s, (size_t)split->repeat - 1, (size_t)split->outer - 1, row);
}

static tm_status select_role(tm_dataset **out, const sweep_splits *s, size_t which,
                             const tm_dataset *data, tm_row_role wanted, tm_error *err)
{
    const tm_sweep_split *split = &s->splits[which];
    char name[256];
    size_t count = 0, total = 0;
    for (size_t i = 0; i < s->rows; i++)
        total += wanted == TM_ROW_TRAINS ? sweep_splits_times(s, which, i) : 1;
    size_t *rows = mem_array(total, sizeof *rows);
    if (!rows)
        return tm_fail_memory(err, "a sweep's fold");
    for (size_t i = 0; i < s->rows; i++) {
        size_t times = wanted == TM_ROW_TRAINS ? sweep_splits_times(s, which, i)
                                               : sweep_splits_role(s, which, i) == (int)wanted;
        while (times-- > 0)
            rows[count++] = i;
    }
    snprintf(name, sizeof name, "%.200s/%d.%d", tm_dataset_name(data), split->outer, split->inner);
    tm_status status = tm_dataset_select_rows(out, data, rows, count, name, err);
    free(rows);
    return status;
}

/* Makes the rows of the split, without any preparation. */
static tm_status make_rows(tm_dataset **train, tm_dataset **test, const sweep_splits *s,
                           size_t split, const tm_dataset *data, tm_error *err)
{
    if (s->folds == 0) {
        *train = tm_dataset_ref(data);
        *test = s->test ? tm_dataset_ref(s->test) : NULL;
        return TM_OK;
    }
    tm_status status = select_role(train, s, split, data, TM_ROW_TRAINS, err);
    return status == TM_OK ? select_role(test, s, split, data, TM_ROW_SCORES, err) : status;
}

/* Checks that a transform has kept the number of test rows and their responses. */
static tm_status check_transformed(const tm_dataset *const parts[2], const tm_dataset *test,
                                   const char *name, tm_error *err)
{
    size_t n = test ? tm_dataset_rows(test) : 0;
    if (test && (tm_dataset_rows(parts[1]) != n ||
                 memcmp(tm_dataset_y(parts[1]), tm_dataset_y(test), n * sizeof(double)) != 0))
        return tm_fail(err, TM_EDATA,
                       "prepare '%.60s' changes the %s of the rows that are scored on", name,
                       tm_dataset_rows(parts[1]) != n ? "number" : "responses");
    if (test && tm_dataset_cols(parts[0]) != tm_dataset_cols(parts[1]))
        return tm_fail(err, TM_EDATA,
                       "prepare '%.60s' gives the training rows %zu columns and those that are "
                       "scored on %zu",
                       name, tm_dataset_cols(parts[0]), tm_dataset_cols(parts[1]));
    return TM_OK;
}

/* Replaces the rows by the result of the caller's transform. */
static tm_status transform(tm_dataset *rows[2], const sweep_splits *s, const sweep_place *at,
                           tm_error *err)
{
    size_t place = s->variants[at->variant].transform;
    if (place == SIZE_MAX)
        return TM_OK;
    tm_dataset *parts[2] = {NULL, NULL};
    const tm_sweep_transform *by = &s->hooks->transforms[place];
    tm_status status = s->hooks->transform(parts, rows[0], rows[1], by->payload, at->cancel, err);
    if (status == TM_OK)
        status = check_transformed((const tm_dataset *const *)parts, rows[1], by->name, err);
    if (status != TM_OK) {
        tm_dataset_unref(parts[0]);
        tm_dataset_unref(parts[1]);
        return status;
    }
    for (int k = 0; k < 2; k++) {
        tm_dataset_unref(rows[k]);
        rows[k] = parts[k];
    }
    return TM_OK;
}

/* Prepares the training and test rows, which it takes over. */
static tm_status prepare(tm_dataset *out[2], tm_dataset *rows[2], const sweep_splits *s,
                         const sweep_place *at, tm_error *err)
{
    const sweep_variant *variant = &s->variants[at->variant];
    tm_status status = transform(rows, s, at, err);
    if (status == TM_OK)
        status = dataset_prepare(out, (const tm_dataset *const *)rows, variant->prepare,
                                 variant->more, at->cancel, err);
    tm_dataset_unref(rows[0]);
    tm_dataset_unref(rows[1]);
    return status;
}

tm_status sweep_splits_whole(tm_dataset *out[2], const sweep_splits *s, const sweep_place *at,
                             const tm_dataset *other, tm_error *err)
{
    tm_dataset *rows[2] = {tm_dataset_ref(s->data[s->variants[at->variant].data]),
                           other ? tm_dataset_ref(other) : NULL};
    out[0] = out[1] = NULL;
    return prepare(out, rows, s, at, err);
}

static tm_status thin(tm_dataset **train, double share, tm_error *err)
{
    tm_dataset *part;
    tm_status status = tm_dataset_thin(&part, *train, share, err);
    if (status != TM_OK)
        return status;
    tm_dataset_unref(*train);
    *train = part;
    return TM_OK;
}

static tm_status make_part(sweep_part *part, const sweep_splits *s, const sweep_place *at,
                           tm_error *err)
{
    const sweep_variant *variant = &s->variants[at->variant];
    tm_dataset *rows[2] = {NULL, NULL}, *out[2] = {NULL, NULL};
    tm_status status = make_rows(&rows[0], &rows[1], s, at->split, s->data[variant->data], err);
    if (status == TM_OK)
        status = thin(&rows[0], tm_params_real(variant->prepare, "rows"), err);
    if (status != TM_OK) {
        tm_dataset_unref(rows[0]);
        tm_dataset_unref(rows[1]);
        return status;
    }
    status = prepare(out, rows, s, at, err);
    part->train = out[0];
    part->test = out[1];
    return status;
}

static void drop_unwanted(sweep_part *part)
{
    if (part->users > 0 || part->pending > 0)
        return;
    tm_dataset_unref(part->train);
    tm_dataset_unref(part->test);
    part->train = part->test = NULL;
}

static sweep_part *part_of(const sweep_splits *s, size_t split, size_t variant)
{
    return &s->parts[split * s->variant_count + variant];
}

tm_status sweep_splits_take(sweep_splits *s, const sweep_place *at, tm_dataset **train,
                            tm_dataset **test, tm_error *err)
{
    sweep_part *part = part_of(s, at->split, at->variant);
    pthread_mutex_lock(&part->lock);
    tm_status status = part->train ? TM_OK : make_part(part, s, at, err);
    if (status == TM_OK) {
        part->users++;
        *train = tm_dataset_ref(part->train);
        *test = part->test ? tm_dataset_ref(part->test) : NULL;
    }
    pthread_mutex_unlock(&part->lock);
    return status;
}

void sweep_splits_release(sweep_splits *s, size_t split, size_t variant, tm_dataset *train,
                          tm_dataset *test)
{
    sweep_part *part = part_of(s, split, variant);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
    pthread_mutex_lock(&part->lock);
    part->users--;
    drop_unwanted(part);
    pthread_mutex_unlock(&part->lock);
}

void sweep_splits_finished(sweep_splits *s, size_t split, size_t variant)
{
    sweep_part *part = part_of(s, split, variant);
    pthread_mutex_lock(&part->lock);
    part->pending -= part->pending > 0;
    drop_unwanted(part);
    pthread_mutex_unlock(&part->lock);
}
