/* Treats the missing values that a format has left in its data as NaN. */
#include "base/memory.h"
#include "base/text.h"
#include "data/read/common/like.h"
#include "data/read/steps.h"
#include "data/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- replacement by the mean of the column --------------------------------------------------- */

/* How feature j was made. */
static tm_reading_feature feature_at(const tm_dataset_parts *parts, size_t j)
{
    if (j < parts->reading->count)
        return parts->reading->features[j];
    return (tm_reading_feature){
        .column = parts->features.names ? parts->features.names[j] : NULL,
        .number = j + 1,
    };
}

/* Uses the other file's replacements; features that it does not have cannot be used by a model of
 * it. */
static bool take_fills(double *fills, const tm_dataset_parts *parts, const tm_reading *like)
{
    like_index index;
    bool named = tm_matrix_cols(parts->x) > 0 && feature_at(parts, 0).column;
    if (!like_open(&index, like, named))
        return false;
    for (size_t j = 0; j < tm_matrix_cols(parts->x); j++) {
        tm_reading_feature feature = feature_at(parts, j);
        const tm_reading_feature *found = like_find(&index, &feature, j);
        fills[j] = found && !isnan(found->fill) ? found->fill : 0;
    }
    like_close(&index);
    return true;
}

static bool keep_fills(tm_dataset_parts *parts, const double *fills)
{
    size_t p = tm_matrix_cols(parts->x);
    bool fresh = parts->reading->count == 0;
    if (!reading_make_room(parts->reading, p))
        return false;
    parts->reading->fills = true;
    for (size_t j = 0; j < parts->reading->count; j++) {
        tm_reading_feature *feature = &parts->reading->features[j];
        feature->fill = j < p ? fills[j] : NAN;
        if (!fresh)
            continue;
        feature->number = j + 1;
        feature->column = parts->features.names ? text_copy(parts->features.names[j]) : NULL;
        if (parts->features.names && !feature->column)
            return false;
    }
    return true;
}

static void name_feature(const tm_dataset_parts *parts, size_t j, char *text, size_t size)
{
    const char *name = parts->features.names ? parts->features.names[j] : "";
    int used = snprintf(text, size, "feature %zu", j + 1);
    if (name[0])
        snprintf(text + used, size - (size_t)used, " (\"%s\")",
                 input_quoted(name, strlen(name)).text);
}

static void note(read_result *result, const char *count, uint64_t number, const char *what)
{
    tm_reading *reading = result->parts.reading;
    size_t used = strlen(result->note);
    snprintf(reading->missing, sizeof reading->missing, "%llu %s%s %s", (unsigned long long)number,
             count, number == 1 ? "" : "s", what);
    snprintf(result->note + used, sizeof result->note - used, "\nmissing: %s", reading->missing);
}

static tm_status fill(read_result *result, const read_request *request, double *fills,
                      tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    size_t p = tm_matrix_cols(parts->x), empty;
    const tm_reading *like = request->like && request->like->fills ? request->like : NULL;
    size_t row, column;
    if (request->like && !like && tm_matrix_find_missing(parts->x, NULL, &row, &column) > 0) {
        char name[96];
        name_feature(parts, column, name, sizeof name);
        return tm_fail(err, TM_EDATA,
                       "%.300s: row %zu of %s is missing, and the training data were read without "
                       "missing = mean, so its replacement is not known",
                       request->spec->name, row + 1, name);
    }
    for (size_t j = 0; j < p; j++)
        fills[j] = NAN;
    if (like && !take_fills(fills, parts, like))
        return tm_fail_memory(err, "the replacement of missing values");
    uint64_t filled = tm_matrix_fill_missing(parts->x, fills, &empty);
    if (empty != SIZE_MAX) {
        char name[96];
        name_feature(parts, empty, name, sizeof name);
        return tm_fail(err, TM_EDATA,
                       "%.300s: %s has no value: missing = mean cannot fill it; remove the column",
                       request->spec->name, name);
    }
    if (filled > 0)
        note(result, "value", filled,
             like ? "set to the mean of the training rows" : "set to the mean of the column");
    return keep_fills(parts, fills) ? TM_OK
                                    : tm_fail_memory(err, "the replacement of missing values");
}

/* --- removal of the row ---------------------------------------------------------------------- */

static void keep_numbers(double *values, const size_t *rows, size_t count)
{
    for (size_t k = 0; values && k < count; k++)
        values[k] = values[rows[k]];
}

static tm_status keep_rows(tm_dataset_parts *parts, const bool *drop, size_t left, tm_error *err)
{
    size_t n = tm_matrix_rows(parts->x), count = 0;
    size_t *rows = mem_array(left, sizeof *rows);
    tm_matrix *kept = NULL;
    if (!rows)
        return tm_fail_memory(err, "rows");
    for (size_t i = 0; i < n; i++)
        if (!drop[i])
            rows[count++] = i;
    tm_status status = tm_matrix_select_rows(&kept, parts->x, rows, count, err);
    if (status == TM_OK) {
        tm_matrix_unref(parts->x);
        parts->x = kept;
        keep_numbers(parts->response.y, rows, count);
        keep_numbers(parts->rows.weights, rows, count);
        keep_numbers(parts->rows.offset, rows, count);
        keep_numbers(parts->rows.qids, rows, count);
    }
    free(rows);
    return status;
}

static void mark(bool *drop, const double *values, size_t n)
{
    for (size_t i = 0; values && i < n; i++)
        drop[i] = drop[i] || isnan(values[i]);
}

static tm_status drop_rows(read_result *result, const read_request *request, bool *drop,
                           tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    size_t n = tm_matrix_rows(parts->x), row, column, dropped = 0;
    tm_matrix_find_missing(parts->x, drop, &row, &column);
    mark(drop, parts->response.y, n);
    mark(drop, parts->rows.weights, n);
    mark(drop, parts->rows.offset, n);
    for (size_t i = 0; i < n; i++)
        dropped += drop[i];
    if (dropped == n)
        return tm_fail(err, TM_EDATA,
                       "%.300s: every row has a missing value: missing = drop leaves nothing",
                       request->spec->name);
    tm_status status = dropped > 0 ? keep_rows(parts, drop, n - dropped, err) : TM_OK;
    if (dropped + result->left_out_count > 0)
        note(result, "row", dropped + result->left_out_count, "left out");
    return status;
}

/* --- the step -------------------------------------------------------------------------------- */

static tm_status refuse(const read_result *result, const read_request *request, tm_error *err)
{
    const tm_dataset_parts *parts = &result->parts;
    char name[96];
    size_t row = 0, column = 0;
    uint64_t count = tm_matrix_find_missing(parts->x, NULL, &row, &column);
    if (count == 0)
        return TM_OK;
    name_feature(parts, column, name, sizeof name);
    return tm_fail(
        err, TM_EDATA,
        "%.300s: %llu value%s missing, the first in row %zu of %s; choose missing = mean "
        "or drop",
        request->spec->name, (unsigned long long)count, count == 1 ? " is" : "s are", row + 1,
        name);
}

static tm_status check_response(const tm_dataset_parts *parts, const read_request *request,
                                tm_error *err)
{
    size_t n = tm_matrix_rows(parts->x), missing = 0, first = 0;
    for (size_t i = n; parts->response.y && i-- > 0;)
        if (isnan(parts->response.y[i])) {
            first = i;
            missing++;
        }
    return missing == 0 ? TM_OK
                        : tm_fail(err, TM_EDATA,
                                  "%.300s: the response of %zu of %zu rows is missing, the first "
                                  "in row %zu; choose missing = drop",
                                  request->spec->name, missing, n, first + 1);
}

static bool lacks_response(const tm_dataset_parts *parts)
{
    for (size_t i = 0; i < tm_matrix_rows(parts->x); i++)
        if (isnan(parts->response.y[i]))
            return true;
    return false;
}

tm_status read_treat_missing(read_result *result, const read_request *request, tm_error *err)
{
    read_missing treatment = read_missing_option(request);
    size_t n = tm_matrix_rows(result->parts.x), p = tm_matrix_cols(result->parts.x);
    if (request->may_lack && lacks_response(&result->parts)) {
        tm_status status = read_forget_response(result, err);
        if (status != TM_OK)
            return status;
    }
    if (treatment == MISSING_DROP) {
        bool *drop = mem_zeros(n, sizeof *drop);
        tm_status status =
            drop ? drop_rows(result, request, drop, err) : tm_fail_memory(err, "rows");
        free(drop);
        return status;
    }
    tm_status status = check_response(&result->parts, request, err);
    if (status != TM_OK || treatment == MISSING_ERROR)
        return status == TM_OK ? refuse(result, request, err) : status;
    double *fills = mem_array(p, sizeof *fills);
    status = fills ? fill(result, request, fills, err)
                   : tm_fail_memory(err, "the replacement of missing values");
    free(fills);
    return status;
}
