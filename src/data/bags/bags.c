#include "data/bags/bags.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tm_bags_clear(tm_bags *bags)
{
    free(bags->of);
    free(bags->column);
    *bags = (tm_bags)TM_BAGS_INIT;
}

/* A row and the key of its bag, for sorting; equal keys keep the order of the rows. */
typedef struct keyed {
    double id;
    const char *name; /* or NULL */
    size_t row;
} keyed;

static int same_bag(const keyed *a, const keyed *b)
{
    if (a->name)
        return strcmp(a->name, b->name);
    return (a->id > b->id) - (a->id < b->id);
}

static int by_bag(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    int order = same_bag(a, b);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Numbers the bags in the order of their first rows. */
static tm_status number_bags(tm_bags *out, keyed *rows, size_t n, tm_error *err)
{
    size_t *first = mem_array(n, sizeof *first), *number = mem_array(n, sizeof *number);
    out->of = mem_array(n, sizeof *out->of);
    tm_status status = first && number && out->of ? TM_OK : tm_fail_memory(err, "bags");
    if (status == TM_OK) {
        qsort(rows, n, sizeof *rows, by_bag);
        for (size_t k = 0; k < n; k++) {
            bool opens = k == 0 || same_bag(&rows[k - 1], &rows[k]) != 0;
            first[rows[k].row] = opens ? rows[k].row : first[rows[k - 1].row];
        }
        for (size_t i = 0; i < n; i++) {
            if (first[i] == i)
                number[i] = out->count++;
            out->of[i] = number[first[i]];
        }
    }
    free(first);
    free(number);
    if (status != TM_OK)
        tm_bags_clear(out);
    return status;
}

static tm_status from_keys(tm_bags *out, const double *ids, char *const *names, size_t n,
                           tm_error *err)
{
    *out = (tm_bags)TM_BAGS_INIT;
    keyed *rows = mem_array(n, sizeof *rows);
    if (!rows)
        return tm_fail_memory(err, "bags");
    for (size_t i = 0; i < n; i++)
        rows[i] = (keyed){ids ? ids[i] : 0, names ? names[i] : NULL, i};
    tm_status status = number_bags(out, rows, n, err);
    free(rows);
    return status;
}

tm_status tm_bags_from_ids(tm_bags *out, const double *ids, size_t n, tm_error *err)
{
    return from_keys(out, ids, NULL, n, err);
}

tm_status bags_from_names(tm_bags *out, char *const *names, size_t n, tm_error *err)
{
    return from_keys(out, NULL, names, n, err);
}

/* ---- a column ------------------------------------------------------------------------------ */

static tm_status find_column(size_t *out, const tm_dataset *data, const char *column, tm_error *err)
{
    long number;
    size_t p = tm_dataset_cols(data);
    for (*out = 0; *out < p; ++*out) {
        const char *name = tm_dataset_feature_name(data, *out);
        if (name && strcmp(name, column) == 0)
            return TM_OK;
    }
    if (text_to_long(column, &number) && number >= 1 && (size_t)number <= p) {
        *out = (size_t)number - 1;
        return TM_OK;
    }
    return tm_fail(
        err, TM_EDATA,
        "%s: no column '%.100s' for the bags; expected a name, a number from 1 to %zu, or qid for "
        "the qid of a LIBSVM file and the ids of others",
        tm_dataset_name(data), column, p);
}

/* The names of the features except the dropped one; NULL when there are none, or memory ran out. */
static char **names_without(const tm_dataset *data, size_t dropped)
{
    size_t p = tm_dataset_cols(data), count = 0;
    char **names = tm_dataset_feature_name(data, 0) ? mem_zeros(p, sizeof *names) : NULL;
    for (size_t j = 0; names && j < p; j++) {
        if (j == dropped)
            continue;
        names[count] = text_copy(tm_dataset_feature_name(data, j));
        if (!names[count++]) {
            text_list_free(names, p);
            return NULL;
        }
    }
    return names;
}

static tm_status drop_column(tm_dataset **out, const tm_dataset *data, size_t dropped,
                             tm_error *err)
{
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data), count = 0;
    size_t *kept = mem_array(p, sizeof *kept);
    tm_dataset_parts parts = {.name = tm_dataset_name(data),
                              .response.numeric = !tm_dataset_is_binary(data)};
    for (size_t j = 0; kept && j < p; j++)
        if (j != dropped)
            kept[count++] = j;
    tm_status status = kept ? tm_matrix_select_cols(&parts.x, tm_dataset_x(data), kept, count, err)
                            : tm_fail_memory(err, "the columns");
    if (status == TM_OK)
        status = dataset_making_copy(&parts.making, data, kept, count, err);
    free(kept);
    size_t names = 0;
    if (status != TM_OK)
        goto done;
    parts.reading = tm_reading_ref(tm_dataset_reading(data));
    parts.response.y = mem_array(n, sizeof *parts.response.y);
    parts.features.names = names_without(data, dropped);
    bool named = tm_dataset_feature_name(data, 0) != NULL;
    if (parts.response.y && dataset_parts_copy_classes(&parts, data, err) == TM_OK &&
        (!named || parts.features.names)) {
        memcpy(parts.response.y, tm_dataset_y(data), n * sizeof *parts.response.y);
        return tm_dataset_new(out, &parts, err);
    }
    names = count;
    status = tm_fail_memory(err, "the columns");
done:
    dataset_parts_free(&parts, names);
    return status;
}

/* Whether the column is the one that the reader's option `ids` has used as ids. */
static bool is_id_column(const tm_dataset *data, const char *column)
{
    const tm_reading_file *file = &tm_dataset_reading(data)->file;
    for (size_t i = 0; i < file->count; i += 2)
        if (strcmp(file->options[i], "ids") == 0)
            return strcmp(file->options[i + 1], column) == 0;
    return false;
}

/* Whether the name refers to the ids of the rows, as the qid of a LIBSVM file does when no column
 * has that name. */
static bool are_qids(const tm_dataset *data, const char *column)
{
    if (!tm_dataset_qids(data) || (strcmp(column, "qid") != 0 && !is_id_column(data, column)))
        return false;
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        if (tm_dataset_feature_name(data, j) &&
            strcmp(tm_dataset_feature_name(data, j), column) == 0)
            return false;
    return true;
}

static tm_status name_bags(tm_bags *bags, const char *column, tm_error *err)
{
    bags->column = text_copy(column);
    return bags->column ? TM_OK : tm_fail_memory(err, "bags");
}

tm_status tm_bags_from_column(tm_bags *out, tm_dataset **rest, const tm_dataset *data,
                              const char *column, tm_error *err)
{
    size_t j, n = tm_dataset_rows(data);
    *out = (tm_bags)TM_BAGS_INIT;
    *rest = NULL;
    if (are_qids(data, column)) {
        *rest = tm_dataset_ref(data);
        tm_status told = tm_bags_from_ids(out, tm_dataset_qids(data), n, err);
        return told == TM_OK ? name_bags(out, column, err) : told;
    }
    tm_status status = find_column(&j, data, column, err);
    if (status != TM_OK)
        return status;
    if (tm_dataset_cols(data) < 2)
        return tm_fail(err, TM_EDATA, "%s: without the column of the bags no feature is left",
                       tm_dataset_name(data));
    double *ids = mem_array(n, sizeof *ids);
    if (!ids)
        return tm_fail_memory(err, "bags");
    tm_matrix_column(tm_dataset_x(data), j, ids);
    status = tm_bags_from_ids(out, ids, n, err);
    free(ids);
    if (status == TM_OK)
        status = name_bags(out, column, err);
    if (status == TM_OK)
        status = drop_column(rest, data, j, err);
    if (status != TM_OK)
        tm_bags_clear(out);
    return status;
}
