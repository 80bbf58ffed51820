#include "tamis/dataset.h"

#include "base/memory.h"
#include "base/references.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/sha256.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tm_dataset {
    atomic_size_t references;
    char *name, *note;
    tm_dataset_parts parts; /* name, note and sha256 are not used: their owner was the caller */
    pthread_mutex_t hash_lock;
    double *scratch;         /* n values, for the statistics and the hash; freed after both */
    char sha256[65];         /* "" until first asked for */
    atomic_int names_repeat; /* -1 until first asked for */
};

/* Numbers whose largest is not between these are refused: their squares, and products of two of
 * them, would leave no digits for a tolerance above the smallest double (1e-140 squared, a
 * tolerance of 1e-12 and sums of a million terms stay above 1e-300), or overflow. The same holds
 * for the product of a feature and a response, of which lambda_max is made, and for their ratio,
 * which is the size of a weight. */
static const double smallest = 1e-140, greatest = 1e140;

static const char *const too_small = "underflow", *const too_large = "overflow";

/* What becomes of the squares; NULL: they are numbers. */
static const char *fate_of_squares(double largest)
{
    if (largest > 0 && largest < smallest)
        return too_small;
    return largest > greatest ? too_large : NULL;
}

/* ---- two-class responses ------------------------------------------------------------------- */

/* The two distinct values of y in ascending order, or false when there are more or fewer. */
static bool two_values(const double *y, size_t n, double found[2])
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (count > 0 && y[i] == found[0])
            continue;
        if (count > 1 && y[i] == found[1])
            continue;
        if (count == 2)
            return false;
        found[count++] = y[i];
    }
    if (count == 2 && found[0] > found[1]) {
        double greater = found[0];
        found[0] = found[1];
        found[1] = greater;
    }
    return count == 2;
}

/* Two rows have two values whatever they measure: labels are whole numbers. */
static bool are_measured(const double found[2], size_t n)
{
    return n == 2 && (found[0] != floor(found[0]) || found[1] != floor(found[1]));
}

static tm_status find_classes(tm_dataset *d, size_t n, tm_error *err)
{
    double found[2];
    if (d->parts.response.labels[0] || !two_values(d->parts.response.y, n, found) ||
        are_measured(found, n))
        return TM_OK;
    for (int k = 0; k < 2; k++) {
        char text[64];
        text_from_real(found[k] + 0.0, text, sizeof text); /* -0 is the class 0 */
        d->parts.response.labels[k] = text_copy(text);
        if (!d->parts.response.labels[k])
            return tm_fail_memory(err, "class labels");
    }
    for (size_t i = 0; i < n; i++)
        d->parts.response.y[i] = d->parts.response.y[i] == found[1] ? 1 : -1;
    return TM_OK;
}

/* ---- column statistics --------------------------------------------------------------------- */

typedef struct column_stats {
    double mean, deviation;
    double largest; /* absolute value; 0 for a constant column */
} column_stats;

/* Two passes over a column that is in the cache: the textbook sum of squares minus the squared mean
 * would lose everything when the mean is large. A constant column is found by comparing its
 * values, so that rounding in the mean does not give it a spread. */
static column_stats column_statistics(const tm_matrix *x, size_t j, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    size_t n = tm_matrix_rows(x);
    size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
    size_t zeros = n - count;
    double first = zeros || !count ? 0 : values[0];
    double sum = 0, largest = 0;
    bool constant = true;
    for (size_t k = 0; k < count; k++) {
        double size = fabs(values[k]);
        sum += values[k];
        largest = size > largest ? size : largest; /* fmax(), a call, takes longer than the sum */
        constant = constant && values[k] == first;
    }
    double mean = sum / (double)n;
    if (constant)
        return (column_stats){first, isfinite(mean) ? 0 : mean, 0};
    double deviation = (double)zeros * mean * mean;
    for (size_t k = 0; k < count; k++)
        deviation += (values[k] - mean) * (values[k] - mean);
    return (column_stats){mean, deviation, largest};
}

static tm_status check_finite(const tm_dataset *d, size_t j, tm_error *err)
{
    const uint32_t *rows;
    const double *values;
    char label[96];
    size_t count = tm_matrix_entries(d->parts.x, j, d->scratch, &rows, &values);
    tm_dataset_feature_label(d, j, label, sizeof label);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return tm_fail(err, TM_EDATA, "%s: feature %s of row %zu is not a finite number",
                           d->name, label, (rows ? rows[k] : k) + 1);
    return tm_fail(err, TM_EDATA, "%s: the squares of feature %s overflow; scale the feature down",
                   d->name, label);
}

/* Where the squares of a feature, or its products with a response that is a number (largest 0: it
 * is none), are no numbers. */
static tm_status check_size(const tm_dataset *d, size_t j, double largest, double response,
                            tm_error *err)
{
    char label[96];
    const char *squares = fate_of_squares(largest);
    bool both = largest > 0 && response > 0;
    const char *products = both ? fate_of_squares(largest * response) : NULL;
    const char *weights = both ? fate_of_squares(response / largest) : NULL;
    if (!squares && !products && !weights)
        return TM_OK;
    tm_dataset_feature_label(d, j, label, sizeof label);
    if (squares)
        return tm_fail(err, TM_EDATA,
                       "%s: feature %s has no value above %.3g: its squares %s; scale the feature "
                       "%s, or remove it",
                       d->name, label, largest, squares, squares == too_small ? "up" : "down");
    return tm_fail(err, TM_EDATA,
                   "%s: feature %s has no value above %.3g and the response none above %.3g: "
                   "%s of the two %s; scale them towards 1",
                   d->name, label, largest, response, products ? "products" : "weights",
                   products ? products : weights);
}

/* The largest value of a response that is a number; 0 for classes. */
static double largest_response(const tm_dataset *d)
{
    double largest = 0;
    if (!d->parts.response.numeric && (d->parts.response.labels[0] || d->parts.response.classes))
        return 0;
    for (size_t i = 0; i < tm_matrix_rows(d->parts.x); i++)
        largest = fmax(largest, fabs(d->parts.response.y[i]));
    return largest;
}

/* Statistics that came with the data stand for a look at every value. */
static tm_status check_statistics(const tm_dataset *d, tm_error *err)
{
    double n = (double)tm_matrix_rows(d->parts.x);
    for (size_t j = 0; j < tm_matrix_cols(d->parts.x); j++)
        if (!isfinite(d->parts.features.deviations[j] +
                      n * d->parts.features.means[j] * d->parts.features.means[j]) ||
            d->parts.features.deviations[j] < 0)
            return tm_fail(err, TM_EDATA, "%s: the statistics of column %zu are no such numbers",
                           d->name, j + 1);
    return TM_OK;
}

static tm_status find_statistics(tm_dataset *d, tm_error *err)
{
    size_t p = tm_matrix_cols(d->parts.x);
    double n = (double)tm_matrix_rows(d->parts.x);
    bool known = d->parts.features.means && d->parts.features.deviations;
    d->scratch = mem_array(tm_matrix_rows(d->parts.x), sizeof *d->scratch);
    if (!known) {
        d->parts.features.means = mem_array(p, sizeof *d->parts.features.means);
        d->parts.features.deviations = mem_array(p, sizeof *d->parts.features.deviations);
    }
    if (!d->parts.features.means || !d->parts.features.deviations || !d->scratch)
        return tm_fail_memory(err, "column statistics");
    if (known)
        return check_statistics(d, err);
    double response = d->parts.derived ? 0 : largest_response(d);
    for (size_t j = 0; j < p; j++) {
        column_stats stats = column_statistics(d->parts.x, j, d->scratch);
        if (!isfinite(stats.deviation + n * stats.mean * stats.mean))
            return check_finite(d, j, err);
        tm_status status =
            d->parts.derived ? TM_OK : check_size(d, j, stats.largest, response, err);
        if (status != TM_OK)
            return status;
        d->parts.features.means[j] = stats.mean;
        d->parts.features.deviations[j] = stats.deviation;
    }
    return TM_OK;
}

/* ---- making -------------------------------------------------------------------------------- */

static tm_status check_sizes(const tm_dataset *d, tm_error *err)
{
    size_t n = tm_matrix_rows(d->parts.x), p = tm_matrix_cols(d->parts.x);
    if (n == 0)
        return tm_fail(err, TM_EDATA, "%s: there are no rows", d->name);
    if (p == 0)
        return tm_fail(err, TM_EDATA, "%s: there are no features", d->name);
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(d->parts.response.y[i]))
            return tm_fail(err, TM_EDATA, "%s: the response of row %zu is not a finite number",
                           d->name, i + 1);
        squares += d->parts.response.y[i] * d->parts.response.y[i];
    }
    if (!isfinite(squares))
        return tm_fail(err, TM_EDATA, "%s: the squares of the response overflow; scale it down",
                       d->name);
    return TM_OK;
}

/* A response that is a number; of two classes any two numbers will do. */
static tm_status check_response(const tm_dataset *d, tm_error *err)
{
    double largest = d->parts.derived ? 0 : largest_response(d);
    const char *squares = fate_of_squares(largest);
    return squares ? tm_fail(err, TM_EDATA,
                             "%s: the response has no value above %.3g: its squares %s; scale it "
                             "%s",
                             d->name, largest, squares, squares == too_small ? "up" : "down")
                   : TM_OK;
}

static bool all_equal(const double *values, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] != value)
            return false;
    return true;
}

/* Weights that are all 1 and offsets that are all 0 are dropped. */
static tm_status check_weights(tm_dataset *d, tm_error *err)
{
    size_t n = tm_matrix_rows(d->parts.x);
    double total = 0;
    for (size_t i = 0; d->parts.rows.weights && i < n; i++) {
        total += d->parts.rows.weights[i];
        if (!(d->parts.rows.weights[i] >= 0) || !isfinite(total))
            return tm_fail(err, TM_EDATA,
                           "%s: the weight of row %zu is %g; expected a number of "
                           "at least 0",
                           d->name, i + 1, d->parts.rows.weights[i]);
    }
    if (d->parts.rows.weights && total == 0)
        return tm_fail(err, TM_EDATA, "%s: all weights are 0", d->name);
    for (size_t i = 0; d->parts.rows.offset && i < n; i++)
        if (!isfinite(d->parts.rows.offset[i] * d->parts.rows.offset[i]))
            return tm_fail(err, TM_EDATA, "%s: the offset of row %zu is not a finite number",
                           d->name, i + 1);
    if (d->parts.rows.weights && all_equal(d->parts.rows.weights, n, 1)) {
        free(d->parts.rows.weights);
        d->parts.rows.weights = NULL;
    }
    if (d->parts.rows.offset && all_equal(d->parts.rows.offset, n, 0)) {
        free(d->parts.rows.offset);
        d->parts.rows.offset = NULL;
        d->parts.rows.zero_offset = true;
    }
    return TM_OK;
}

/* Moves the parts into a data set, so that from here on freeing it frees them all. */
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
        status = check_sizes(d, err);
    if (status == TM_OK)
        status = check_weights(d, err);
    if (status == TM_OK && !parts->response.numeric)
        status = find_classes(d, tm_matrix_rows(d->parts.x), err);
    if (status == TM_OK)
        status = check_response(d, err);
    if (status == TM_OK)
        status = find_statistics(d, err);
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

const char *tm_dataset_feature_label(const tm_dataset *data, size_t j, char *buffer, size_t size)
{
    const char *name = tm_dataset_feature_name(data, j);
    if (name)
        snprintf(buffer, size, "%s", name);
    else
        snprintf(buffer, size, "X%zu", j + 1);
    return buffer;
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

/* Without memory for the list names count as repeated, which is the careful answer. */
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
    /* A cache of the content, as the hash below. */
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
