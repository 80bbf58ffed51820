#include "tui/session/profile.h"

#include "base/numeric/order.h"
#include "tamis/cancel.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct profiler {
    pthread_t thread;
    bool started;
    tm_dataset *data;
    tm_cancel *cancel;
    int wake_fd;
    atomic_bool ended;
    /* written by the thread before `ended` */
    profile result;
    tm_status status;
    tm_error error;
};

/* ---- equal columns ------------------------------------------------------------------------- */

typedef struct key {
    uint64_t hash;
    size_t column;
} key;

static int compare_hashes(const void *a, const void *b)
{
    const key *left = a, *right = b;
    int order = (left->hash > right->hash) - (left->hash < right->hash);
    return order != 0 ? order : (left->column > right->column) - (left->column < right->column);
}

static uint64_t mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

/* Hashes the nonzero entries only, so that stored zeros make no difference. */
static uint64_t hash_column(const tm_matrix *x, size_t j, double *scratch, profile *result)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
    uint64_t hash = 0xcbf29ce484222325u;
    if (count < tm_matrix_rows(x)) {
        result->low = fmin(result->low, 0);
        result->high = fmax(result->high, 0);
    }
    for (size_t k = 0; k < count; k++) {
        result->low = fmin(result->low, values[k]);
        result->high = fmax(result->high, values[k]);
        if (values[k] != 0) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            hash = mix(mix(hash, rows ? rows[k] : k), bits);
            result->nonzeros++;
        }
    }
    return hash;
}

/* `buffer` has room for two columns. */
static bool same_columns(const tm_matrix *x, size_t a, size_t b, double *buffer)
{
    size_t n = tm_matrix_rows(x);
    tm_matrix_column(x, a, buffer);
    tm_matrix_column(x, b, buffer + n);
    for (size_t i = 0; i < n; i++)
        if (buffer[i] != buffer[n + i])
            return false;
    return true;
}

static void pair_columns(profiler *w, const key *keys, size_t count, double *buffer)
{
    size_t first = 0;
    for (size_t i = 1; i < count && !tm_cancel_is_set(w->cancel); i++) {
        if (keys[i].hash != keys[first].hash) {
            first = i;
        } else if (same_columns(tm_dataset_x(w->data), keys[first].column, keys[i].column,
                                buffer)) {
            w->result.twins[keys[i].column] = keys[first].column;
            w->result.duplicates++;
        }
    }
}

static tm_status find_twins(profiler *w)
{
    const double *deviations = tm_dataset_deviations(w->data);
    size_t p = w->result.p, count = 0;
    key *keys = malloc(p * sizeof *keys);
    double *buffer = malloc(2 * tm_dataset_rows(w->data) * sizeof *buffer);
    tm_status status = TM_OK;
    if (!keys || !buffer)
        status = tm_fail_memory(&w->error, "the profile of the data");
    for (size_t j = 0; status == TM_OK && j < p && !tm_cancel_is_set(w->cancel); j++) {
        uint64_t hash = hash_column(tm_dataset_x(w->data), j, buffer, &w->result);
        w->result.twins[j] = j;
        if (deviations[j] == 0)
            w->result.constants++;
        else
            keys[count++] = (key){hash, j};
    }
    if (status == TM_OK && count > 0) {
        qsort(keys, count, sizeof *keys, compare_hashes);
        pair_columns(w, keys, count, buffer);
    }
    free(buffer);
    free(keys);
    return status;
}

/* ---- order --------------------------------------------------------------------------------- */

static tm_status rank(profiler *w)
{
    size_t p = w->result.p;
    ranked *all = malloc(p * sizeof *all);
    if (!all)
        return tm_fail_memory(&w->error, "the profile of the data");
    for (size_t j = 0; j < p; j++)
        all[j] = (ranked){fabs(w->result.correlations[j]), j};
    qsort(all, p, sizeof *all, order_ranked_descending);
    for (size_t j = 0; j < p; j++)
        w->result.order[j] = all[j].place;
    free(all);
    return TM_OK;
}

/* ---- the thread ---------------------------------------------------------------------------- */

static void *run(void *payload)
{
    profiler *w = payload;
    uint64_t one = 1;
    w->status = tm_dataset_correlations(w->result.correlations, w->data, w->cancel, &w->error);
    if (w->status == TM_OK && !tm_cancel_is_set(w->cancel))
        w->status = rank(w);
    if (w->status == TM_OK && !tm_cancel_is_set(w->cancel)) {
        w->status = find_twins(w);
        tm_dataset_warnings(&w->result.warnings, w->data);
    }
    atomic_store(&w->ended, true);
    ssize_t written = write(w->wake_fd, &one, sizeof one);
    (void)written;
    return NULL;
}

tm_status profiler_start(profiler **out, const tm_dataset *data, int wake_fd, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    profiler *w = calloc(1, sizeof *w);
    if (!w)
        return tm_fail_memory(err, "the profile of the data");
    atomic_init(&w->ended, false);
    w->data = tm_dataset_ref(data);
    w->cancel = tm_cancel_new();
    w->wake_fd = wake_fd;
    w->result.p = p;
    w->result.low = INFINITY;
    w->result.high = -INFINITY;
    w->result.correlations = malloc(p * sizeof *w->result.correlations);
    w->result.order = malloc(p * sizeof *w->result.order);
    w->result.twins = malloc(p * sizeof *w->result.twins);
    tm_status status = TM_OK;
    if (!w->cancel || !w->result.correlations || !w->result.order || !w->result.twins) {
        status = tm_fail_memory(err, "the profile of the data");
    } else {
        int failed = pthread_create(&w->thread, NULL, run, w);
        w->started = failed == 0;
        status = failed != 0 ? tm_fail(err, TM_ENOMEM, "no thread for the profile of the data: %s",
                                       strerror(failed))
                             : TM_OK;
    }
    if (status != TM_OK) {
        profiler_free(w);
        return status;
    }
    *out = w;
    return TM_OK;
}

bool profiler_ended(const profiler *w, const profile **result, tm_error *err)
{
    if (!atomic_load(&w->ended))
        return false;
    *result = w->status == TM_OK ? &w->result : NULL;
    *err = w->error;
    return true;
}

void profiler_free(profiler *w)
{
    if (!w)
        return;
    if (w->started) {
        tm_cancel_set(w->cancel);
        pthread_join(w->thread, NULL);
    }
    tm_cancel_free(w->cancel);
    tm_dataset_unref(w->data);
    free(w->result.correlations);
    free(w->result.order);
    free(w->result.twins);
    free(w);
}
