/* Data sets made from another one: with other weights, another response, or some of its rows. */
#include "base/memory.h"
#include "base/ranks/agree.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/matrix/shifted.h"
#include "data/ranks/sharded.h"
#include "data/relabel.h"

#include <stdlib.h>
#include <string.h>

/* Rows are only copied if this many copies fit in the machine's memory. */
enum { COPIES = 8 };

static void clear(tm_dataset_parts *parts)
{
    dataset_parts_free(parts, parts->x ? tm_matrix_cols(parts->x) : 0);
}

/* ---- copied parts -------------------------------------------------------------------------- */

/* Copies the features' names when `classes` is NULL, else these. */
static char **copy_names(const tm_dataset *data, const char *const *classes, size_t count)
{
    char **copy = mem_zeros(count, sizeof *copy);
    for (size_t j = 0; copy && j < count; j++) {
        copy[j] = text_copy(classes ? classes[j] : tm_dataset_feature_name(data, j));
        if (!copy[j]) {
            text_list_free(copy, count);
            copy = NULL;
        }
    }
    return copy;
}

/* Copies what is recorded about the features besides their names. */
static tm_status copy_knowledge(tm_dataset_parts *parts, const tm_dataset *data, tm_error *err)
{
    size_t p = tm_dataset_cols(data), count;
    const double *truth = tm_dataset_truth(data);
    const uint32_t *edges = tm_dataset_edges(data, &count);
    if (truth && !(parts->features.truth = mem_array(p, sizeof *parts->features.truth)))
        return tm_fail_memory(err, "the truth");
    if (truth)
        memcpy(parts->features.truth, truth, p * sizeof *parts->features.truth);
    if (edges && !(parts->features.edges = mem_array(2 * count, sizeof *parts->features.edges)))
        return tm_fail_memory(err, "edges");
    if (edges)
        memcpy(parts->features.edges, edges, 2 * count * sizeof *parts->features.edges);
    parts->features.edge_count = count;
    return TM_OK;
}

tm_status dataset_parts_copy_classes(tm_dataset_parts *parts, const tm_dataset *data, tm_error *err)
{
    size_t count = 0;
    const char *const *names = tm_dataset_class_names(data, &count);
    parts->response.labels[0] = text_copy(tm_dataset_label(data, -1));
    parts->response.labels[1] = text_copy(tm_dataset_label(data, 1));
    if (names)
        parts->response.classes = copy_names(data, names, count);
    parts->response.class_count = parts->response.classes ? count : 0;
    bool copied =
        (!tm_dataset_is_binary(data) || (parts->response.labels[0] && parts->response.labels[1])) &&
        (!names || parts->response.classes);
    return copied ? TM_OK : tm_fail_memory(err, "labels of the classes");
}

static tm_status copy_labels(tm_dataset_parts *parts, const tm_dataset *data, tm_error *err)
{
    parts->response.name = text_copy(tm_dataset_response_name(data));
    if (tm_dataset_feature_name(data, 0)) {
        parts->features.names = copy_names(data, NULL, tm_dataset_cols(data));
        if (!parts->features.names)
            return tm_fail_memory(err, "feature names");
    }
    if (tm_dataset_response_name(data) && !parts->response.name)
        return tm_fail_memory(err, "the name of the response");
    return dataset_parts_copy_classes(parts, data, err);
}

/* Copies the values at these rows; false when memory ran out. */
static bool pick(double **out, const double *values, const size_t *rows, size_t count)
{
    *out = NULL;
    if (!values)
        return true;
    *out = mem_array(count, sizeof **out);
    for (size_t i = 0; *out && i < count; i++)
        (*out)[i] = values[rows ? rows[i] : i];
    return *out != NULL;
}

/* Copies everything except the matrix, for the given rows (NULL: all). */
tm_status dataset_parts_copy(tm_dataset_parts *parts, const tm_dataset *data, const double *weights,
                             const double *offset, const size_t *rows, size_t count, tm_error *err)
{
    parts->derived = true;
    parts->reading = tm_reading_ref(tm_dataset_reading(data));
    bool picked = pick(&parts->response.y, tm_dataset_y(data), rows, count) &&
                  pick(&parts->rows.weights, weights, rows, count) &&
                  pick(&parts->rows.offset, offset, rows, count) &&
                  pick(&parts->rows.qids, tm_dataset_qids(data), rows, count);
    if (!picked)
        return tm_fail_memory(err, "a response");
    parts->rows.zero_offset = !offset && tm_dataset_has_offset(data);
    tm_status status = copy_labels(parts, data, err);
    if (status == TM_OK)
        status = dataset_making_copy(&parts->making, data, NULL, tm_dataset_cols(data), err);
    return status == TM_OK ? copy_knowledge(parts, data, err) : status;
}

/* ---- the same matrix ------------------------------------------------------------------------ */

tm_status dataset_copy_same(tm_dataset **out, const tm_dataset *data, const double *weights,
                            const double *offset, const char *note, tm_error *err)
{
    *out = NULL;
    tm_dataset_parts parts = {.name = tm_dataset_name(data),
                              .note = note,
                              .response.numeric = !tm_dataset_is_binary(data),
                              .x = tm_matrix_ref(tm_dataset_x(data))};
    size_t n = tm_dataset_rows(data);
    tm_status status = dataset_parts_copy(&parts, data, weights, offset, NULL, n, err);
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    clear(&parts);
    return status;
}

tm_status tm_dataset_weigh(tm_dataset **out, const tm_dataset *data, const double *weights,
                           const double *offset, tm_error *err)
{
    return dataset_copy_same(out, data, weights, offset, tm_dataset_note(data), err);
}

tm_status tm_dataset_shard(tm_dataset **out, const tm_dataset *data, const tm_comm *comm,
                           tm_error *err)
{
    *out = NULL;
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    tm_dataset_parts parts = {.name = tm_dataset_name(data),
                              .note = tm_dataset_note(data),
                              .response.numeric = !tm_dataset_is_binary(data),
                              .sha256 = tm_dataset_sha256(data)};
    tm_status status = matrix_new_sharded(&parts.x, tm_dataset_x(data), comm, err);
    if (status != TM_OK)
        return status; /* that of all processes */
    status = dataset_parts_copy(&parts, data, tm_dataset_weights(data), tm_dataset_offset(data),
                                NULL, n, err);
    if (status == TM_OK &&
        (!pick(&parts.features.means, tm_dataset_means(data), NULL, p) ||
         !pick(&parts.features.deviations, tm_dataset_deviations(data), NULL, p)))
        status = tm_fail_memory(err, "column statistics");
    if (status == TM_OK)
        status = tm_dataset_new(out, &parts, err);
    else
        clear(&parts);
    status = comm_share(comm, status, err);
    if (status != TM_OK) {
        tm_dataset_unref(*out);
        *out = NULL;
    }
    return status;
}

tm_status dataset_relabel(tm_dataset **out, const tm_dataset *data, const char *name, double *y,
                          const char *negative, const char *positive, tm_error *err)
{
    *out = NULL;
    size_t p = tm_dataset_cols(data);
    tm_dataset_parts parts = {
        .name = name, .note = tm_dataset_note(data), .x = tm_matrix_ref(tm_dataset_x(data))};
    tm_status status =
        dataset_parts_copy(&parts, data, tm_dataset_weights(data), tm_dataset_offset(data), NULL,
                           tm_dataset_rows(data), err);
    if (status == TM_OK &&
        (!pick(&parts.features.means, tm_dataset_means(data), NULL, p) ||
         !pick(&parts.features.deviations, tm_dataset_deviations(data), NULL, p)))
        status = tm_fail_memory(err, "column statistics");
    dataset_parts_drop_response(&parts);
    parts.response.y = y;
    parts.response.labels[0] = text_copy(negative);
    parts.response.labels[1] = text_copy(positive);
    parts.making.rest = strcmp(negative, "rest") == 0;
    if (status == TM_OK && (!parts.response.labels[0] || !parts.response.labels[1]))
        status = tm_fail_memory(err, "labels");
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    clear(&parts);
    return status;
}

/* Updates the mean of a column and the sum of squares about it; the mean was about 0 before. */
static void shifted_stats(const tm_matrix *x, size_t j, double *column, double *mean,
                          double *deviation)
{
    size_t n = tm_matrix_rows(x);
    double sum = 0, squares = 0;
    tm_matrix_column(x, j, column);
    for (size_t i = 0; i < n; i++)
        sum += column[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (column[i] - *mean) * (column[i] - *mean);
    *deviation = squares;
}

static tm_status shift_stats(tm_dataset_parts *parts, const tm_dataset *data,
                             const dataset_shift *by, tm_error *err)
{
    tm_status status = TM_OK;
    size_t p = tm_dataset_cols(data);
    double *column = mem_array(tm_dataset_rows(data), sizeof *column);
    if (!column || !pick(&parts->features.means, tm_dataset_means(data), NULL, p) ||
        !pick(&parts->features.deviations, tm_dataset_deviations(data), NULL, p)) {
        status = tm_fail_memory(err, "column statistics");
        goto done;
    }
    for (size_t k = 0; k < by->count; k++) {
        size_t j = by->features[k];
        shifted_stats(parts->x, j, column, &parts->features.means[j],
                      &parts->features.deviations[j]);
    }
done:
    free(column);
    return status;
}

tm_status dataset_shifted(tm_dataset **out, const tm_dataset *data, const dataset_shift *by,
                          tm_error *err)
{
    *out = NULL;
    size_t n = tm_dataset_rows(data);
    tm_dataset_parts parts = {.name = tm_dataset_name(data),
                              .note = tm_dataset_note(data),
                              .response.numeric = !tm_dataset_is_binary(data),
                              .sha256 = tm_dataset_sha256(data)};
    tm_status status =
        matrix_new_shifted(&parts.x, tm_dataset_x(data), by->features, by->amounts, by->count, err);
    if (status == TM_OK)
        status = dataset_parts_copy(&parts, data, tm_dataset_weights(data), tm_dataset_offset(data),
                                    NULL, n, err);
    if (status == TM_OK)
        status = shift_stats(&parts, data, by, err);
    for (size_t i = 0; status == TM_OK && by->response != 0 && i < n; i++)
        parts.response.y[i] -= by->response;
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    clear(&parts);
    return status;
}

/* ---- some rows ------------------------------------------------------------------------------ */

/* Passes over a copy are faster, and solvers make many. But a copy of data in a file would need the
 * memory that the file is meant to save, and a copy of very large data may not fit at all. */
static bool want_view(const tm_matrix *x, size_t count)
{
    double share = (double)count / (double)tm_matrix_rows(x);
    double bytes = (double)tm_matrix_nnz(x) * (tm_matrix_is_sparse(x) ? 12 : 8);
    return tm_matrix_is_mapped(x) || share * bytes > mem_physical() / COPIES;
}

tm_status tm_dataset_select_rows(tm_dataset **out, const tm_dataset *data, const size_t *rows,
                                 size_t count, const char *name, tm_error *err)
{
    *out = NULL;
    tm_dataset_parts parts = {.name = name,
                              .note = tm_dataset_note(data),
                              .response.numeric = !tm_dataset_is_binary(data)};
    tm_status status = want_view(tm_dataset_x(data), count)
                           ? tm_matrix_view_rows(&parts.x, tm_dataset_x(data), rows, count, err)
                           : tm_matrix_select_rows(&parts.x, tm_dataset_x(data), rows, count, err);
    if (status == TM_OK)
        status = dataset_parts_copy(&parts, data, tm_dataset_weights(data), tm_dataset_offset(data),
                                    rows, count, err);
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    clear(&parts);
    return status;
}
