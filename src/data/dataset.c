#include "tamis/dataset.h"

#include "base/memory.h"
#include "base/references.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/sha256.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tm_dataset {
    atomic_size_t references;
    char *name, *note;
    tm_dataset_parts parts; /* name, note and sha256 are not used: they belong to the caller */
    pthread_mutex_t hash_lock;
    double *scratch;         /* n values, for the statistics and the hash; freed after both */
    char sha256[65];         /* "" until first requested */
    atomic_int names_repeat; /* -1 until first requested */
};

/* ---- making -------------------------------------------------------------------------------- */

/* Moves the parts into a data set; from here on freeing it frees them all. */
static tm_dataset *adopt(tm_dataset_parts *parts)
{
    tm_dataset *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    atomic_init(&d->references, 1);
    atomic_init(&d->names_repeat, -1);
    pthread_mutex_init(&d->hash_lock, NULL);
    d->name = text_copy(parts->name ? parts->name : "data");
    d->note = text_copy(parts->note ? parts->note : "");
    d->parts = *parts;
    if (!d->parts.reading)
        d->parts.reading = tm_reading_new(0);
    if (parts->sha256)
        snprintf(d->sha256, sizeof d->sha256, "%s", parts->sha256);
    return d;
}

void dataset_parts_drop_response(tm_dataset_parts *parts)
{
    free(parts->response.y);
    free(parts->response.labels[0]);
    free(parts->response.labels[1]);
    text_list_free(parts->response.classes, parts->response.class_count);
    parts->response.y = NULL;
    parts->response.labels[0] = parts->response.labels[1] = NULL;
    parts->response.classes = NULL;
    parts->response.class_count = 0;
}

void dataset_parts_free(tm_dataset_parts *parts, size_t features)
{
    text_list_free(parts->features.names, features);
    tm_matrix_unref(parts->x);
    dataset_parts_drop_response(parts);
    free(parts->rows.weights);
    free(parts->rows.offset);
    free(parts->rows.qids);
    free(parts->response.name);
    free(parts->features.truth);
    free(parts->features.edges);
    free(parts->features.means);
    free(parts->features.deviations);
    tm_reading_unref(parts->reading);
    dataset_making_free(&parts->making);
}

static void free_parts(tm_dataset_parts *parts)
{
    dataset_parts_free(parts, parts->x ? tm_matrix_cols(parts->x) : 0);
}

tm_status tm_dataset_new(tm_dataset **out, tm_dataset_parts *parts, tm_error *err)
{
    *out = NULL;
    tm_dataset *d = adopt(parts);
    if (!d) {
        free_parts(parts);
        return tm_fail_memory(err, "a data set");
    }
    tm_status status =
        d->name && d->note && d->parts.reading ? TM_OK : tm_fail_memory(err, "a data set");
    if (status == TM_OK)
        status = dataset_parts_check(&d->parts, d->name, &d->scratch, err);
    if (status == TM_OK)
        *out = d;
    else
        tm_dataset_unref(d);
    return status;
}

tm_dataset *tm_dataset_ref(const tm_dataset *data)
{
    return reference_take(data, &data->references);
}

void tm_dataset_unref(tm_dataset *data)
{
    if (!data || !reference_drop(&data->references))
        return;
    free_parts(&data->parts);
    free(data->name);
    free(data->note);
    free(data->scratch);
    pthread_mutex_destroy(&data->hash_lock);
    free(data);
}

/* ---- reading ------------------------------------------------------------------------------- */

const char *tm_dataset_name(const tm_dataset *data)
{
    return data->name;
}

const tm_matrix *tm_dataset_x(const tm_dataset *data)
{
    return data->parts.x;
}

const double *tm_dataset_y(const tm_dataset *data)
{
    return data->parts.response.y;
}

const double *tm_dataset_weights(const tm_dataset *data)
{
    return data->parts.rows.weights;
}

const double *tm_dataset_offset(const tm_dataset *data)
{
    return data->parts.rows.offset;
}

bool tm_dataset_has_offset(const tm_dataset *data)
{
    return data->parts.rows.offset || data->parts.rows.zero_offset;
}

const double *tm_dataset_qids(const tm_dataset *data)
{
    return data->parts.rows.qids;
}

size_t tm_dataset_rows(const tm_dataset *data)
{
    return tm_matrix_rows(data->parts.x);
}

size_t tm_dataset_cols(const tm_dataset *data)
{
    return tm_matrix_cols(data->parts.x);
}

bool tm_dataset_is_binary(const tm_dataset *data)
{
    return data->parts.response.labels[0] != NULL;
}

bool tm_dataset_has_classes(const tm_dataset *data)
{
    return data->parts.response.labels[0] || data->parts.response.classes;
}

const char *tm_dataset_label(const tm_dataset *data, int sign)
{
    return data->parts.response.labels[sign > 0];
}

const char *const *tm_dataset_class_names(const tm_dataset *data, size_t *count)
{
    *count = data->parts.response.class_count;
    return (const char *const *)data->parts.response.classes;
}

const char *tm_dataset_feature_name(const tm_dataset *data, size_t j)
{
    return data->parts.features.names ? data->parts.features.names[j] : NULL;
}

const char *dataset_parts_label(const tm_dataset_parts *parts, size_t j, char *buffer, size_t size)
{
    if (parts->features.names && parts->features.names[j])
        snprintf(buffer, size, "%s", parts->features.names[j]);
    else
        snprintf(buffer, size, "X%zu", j + 1);
    return buffer;
}

const char *tm_dataset_feature_label(const tm_dataset *data, size_t j, char *buffer, size_t size)
{
    return dataset_parts_label(&data->parts, j, buffer, size);
}

const char *tm_dataset_response_name(const tm_dataset *data)
{
    return data->parts.response.name;
}

const char *tm_dataset_note(const tm_dataset *data)
{
    return data->note;
}

const tm_reading *tm_dataset_reading(const tm_dataset *data)
{
    return data->parts.reading;
}

const tm_making *tm_dataset_making(const tm_dataset *data)
{
    return &data->parts.making;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* If memory for the list runs out names count as repeated, which is the conservative answer. */
static bool names_repeat(const tm_dataset *data)
{
    size_t p = tm_dataset_cols(data);
    const char **list = mem_array(p, sizeof *list);
    bool repeat = !list;
    if (list) {
        memcpy(list, data->parts.features.names, p * sizeof *list);
        qsort(list, p, sizeof *list, by_name);
        for (size_t j = 1; j < p && !repeat; j++)
            repeat = strcmp(list[j - 1], list[j]) == 0;
    }
    free(list);
    return repeat;
}

bool tm_dataset_names_repeat(const tm_dataset *data)
{
    /* Caches a property of the content, like the hash below. */
    tm_dataset *d = (tm_dataset *)(uintptr_t)data;
    int known = atomic_load(&d->names_repeat);
    if (known < 0)
        atomic_store(&d->names_repeat, known = data->parts.features.names && names_repeat(data));
    return known;
}

const double *tm_dataset_truth(const tm_dataset *data)
{
    return data->parts.features.truth;
}

const uint32_t *tm_dataset_edges(const tm_dataset *data, size_t *count)
{
    *count = data->parts.features.edge_count;
    return data->parts.features.edges;
}

const double *tm_dataset_means(const tm_dataset *data)
{
    return data->parts.features.means;
}

const double *tm_dataset_deviations(const tm_dataset *data)
{
    return data->parts.features.deviations;
}

const char *tm_dataset_sha256(const tm_dataset *data)
{
    /* The hash is a cache of the content: filling it changes nothing a caller can see. */
    tm_dataset *d = (tm_dataset *)(uintptr_t)data;
    pthread_mutex_lock(&d->hash_lock);
    if (!d->sha256[0]) {
        data_sha256(d->parts.x, d->parts.response.y, d->parts.rows.weights, d->parts.rows.offset,
                    d->scratch, d->sha256);
        free(d->scratch);
        d->scratch = NULL;
    }
    pthread_mutex_unlock(&d->hash_lock);
    return d->sha256;
}
