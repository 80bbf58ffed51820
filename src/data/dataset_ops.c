/* Data sets made from others: chosen columns, scaled columns, concatenated rows. */
#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/relabel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tm_dataset_parts begin(const tm_dataset *data, const char *name)
{
    return (tm_dataset_parts){.name = name ? name : tm_dataset_name(data),
                              .note = tm_dataset_note(data),
                              .response.numeric = !tm_dataset_is_binary(data)};
}

static tm_status copy_all(tm_dataset_parts *parts, const tm_dataset *data, tm_error *err)
{
    return dataset_parts_copy(parts, data, tm_dataset_weights(data), tm_dataset_offset(data), NULL,
                              tm_dataset_rows(data), err);
}

/* ---- columns ------------------------------------------------------------------------------- */

static tm_status choose_names(tm_dataset_parts *parts, const size_t *cols, size_t count, size_t p,
                              tm_error *err)
{
    if (!parts->features.names)
        return TM_OK;
    char **chosen = mem_zeros(count, sizeof *chosen);
    bool enough = chosen != NULL;
    for (size_t k = 0; enough && k < count; k++)
        enough = (chosen[k] = text_copy(parts->features.names[cols[k]])) != NULL;
    for (size_t j = 0; j < p; j++)
        free(parts->features.names[j]);
    free(parts->features.names);
    parts->features.names = chosen;
    return enough ? TM_OK : tm_fail_memory(err, "feature names");
}

/* Unnamed features get a name that keeps their original number. */
static tm_status number_names(tm_dataset_parts *parts, const size_t *cols, size_t count,
                              tm_error *err)
{
    if (parts->features.names)
        return TM_OK;
    parts->features.names = mem_zeros(count, sizeof *parts->features.names);
    for (size_t k = 0; parts->features.names && k < count; k++)
        if (asprintf(&parts->features.names[k], "X%zu", cols[k] + 1) < 0) {
            parts->features.names[k] = NULL;
            return tm_fail_memory(err, "feature names");
        }
    return parts->features.names ? TM_OK : tm_fail_memory(err, "feature names");
}

/* The subgraph on the chosen columns; of a column chosen twice the first represents both. */
static tm_status choose_edges(tm_dataset_parts *parts, const size_t *cols, size_t count, size_t p,
                              tm_error *err)
{
    if (!parts->features.edges)
        return TM_OK;
    size_t *place = mem_array(p, sizeof *place), kept = 0;
    if (!place)
        return tm_fail_memory(err, "edges");
    memset(place, 0xff, p * sizeof *place);
    for (size_t k = count; k-- > 0;)
        place[cols[k]] = k;
    for (size_t e = 0; e < parts->features.edge_count; e++) {
        size_t a = place[parts->features.edges[2 * e]], b = place[parts->features.edges[2 * e + 1]];
        if (a == SIZE_MAX || b == SIZE_MAX)
            continue;
        parts->features.edges[2 * kept] = (uint32_t)(a < b ? a : b);
        parts->features.edges[2 * kept++ + 1] = (uint32_t)(a < b ? b : a);
    }
    parts->features.edge_count = kept;
    free(place);
    return TM_OK;
}

static tm_status choose_features(tm_dataset_parts *parts, const size_t *cols, size_t count,
                                 size_t p, tm_error *err)
{
    double *truth = parts->features.truth;
    parts->features.truth = truth ? mem_array(count, sizeof *truth) : NULL;
    for (size_t k = 0; parts->features.truth && k < count; k++)
        parts->features.truth[k] = truth[cols[k]];
    bool enough = !truth || parts->features.truth;
    free(truth);
    tm_status status = choose_names(parts, cols, count, p, err);
    if (status == TM_OK && !enough)
        status = tm_fail_memory(err, "the truth");
    if (status == TM_OK)
        status = number_names(parts, cols, count, err);
    return status == TM_OK ? choose_edges(parts, cols, count, p, err) : status;
}

tm_status tm_dataset_select_cols(tm_dataset **out, const tm_dataset *data, const size_t *cols,
                                 size_t count, const char *name, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    tm_dataset_parts parts = begin(data, name);
    *out = NULL;
    tm_status status = tm_matrix_select_cols(&parts.x, tm_dataset_x(data), cols, count, err);
    if (status != TM_OK)
        return status;
    size_t names = p;
    status = copy_all(&parts, data, err);
    if (status != TM_OK)
        goto done;
    names = count;
    dataset_making_free(&parts.making);
    status = choose_features(&parts, cols, count, p, err);
    if (status == TM_OK)
        status = dataset_making_copy(&parts.making, data, cols, count, err);
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
done:
    dataset_parts_free(&parts, names);
    return status;
}

/* ---- scaling ------------------------------------------------------------------------------- */

typedef struct columns {
    size_t n, p;
    uint64_t *starts; /* sparse */
    uint32_t *rows;
    double *values;
    double *scratch;
} columns;

static bool columns_open(columns *c, const tm_matrix *x)
{
    uint64_t entries = tm_matrix_nnz(x);
    *c = (columns){.n = tm_matrix_rows(x), .p = tm_matrix_cols(x)};
    if (12.0 * (double)entries > mem_physical())
        return false;
    c->scratch = mem_array(c->n, sizeof *c->scratch);
    c->values = mem_array(entries, sizeof *c->values);
    if (tm_matrix_is_sparse(x)) {
        c->starts = mem_zeros(c->p + 1, sizeof *c->starts);
        c->rows = mem_array(entries, sizeof *c->rows);
    }
    return c->scratch && c->values && (!tm_matrix_is_sparse(x) || (c->starts && c->rows));
}

static void columns_clear(columns *c)
{
    free(c->starts);
    free(c->rows);
    free(c->values);
    free(c->scratch);
}

/* The divisor of column j: 1 if there is nothing to scale. */
static double scale_of(const tm_dataset *data, tm_scaling how, size_t j, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    double n = (double)tm_dataset_rows(data), size = 0;
    if (how == TM_SCALE_STANDARD) {
        size = sqrt(tm_dataset_deviations(data)[j] / n);
        return size > 0 ? size : 1;
    }
    size_t count = tm_matrix_entries(tm_dataset_x(data), j, scratch, &rows, &values);
    for (size_t k = 0; k < count; k++)
        size = how == TM_SCALE_MAXABS ? fmax(size, fabs(values[k])) : size + values[k] * values[k];
    size = how == TM_SCALE_MAXABS ? size : sqrt(size);
    return size > 0 ? size : 1;
}

static void divide(columns *c, const tm_matrix *x, const double *scales)
{
    uint64_t place = 0;
    for (size_t j = 0; j < c->p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, j, c->scratch, &rows, &values);
        for (size_t k = 0; k < count; k++)
            c->values[place + k] = values[k] / scales[j];
        if (rows)
            memcpy(c->rows + place, rows, count * sizeof *rows);
        place += count;
        if (c->starts)
            c->starts[j + 1] = place;
    }
}

static tm_status scale_matrix(tm_matrix **out, const tm_dataset *data, const double *scales,
                              tm_error *err)
{
    columns c;
    if (!columns_open(&c, tm_dataset_x(data))) {
        columns_clear(&c);
        return tm_fail_memory(err, "scaled columns");
    }
    divide(&c, tm_dataset_x(data), scales);
    free(c.scratch);
    return c.starts ? tm_matrix_new_csc(out, c.n, c.p, c.starts, c.rows, c.values, err)
                    : tm_matrix_new_dense(out, c.n, c.p, c.values, err);
}

tm_status tm_dataset_scale(tm_dataset **out, const tm_dataset *data, tm_scaling how,
                           const tm_dataset *like, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    const tm_dataset *from = like ? like : data;
    *out = NULL;
    if (tm_dataset_cols(from) != p)
        return tm_fail(err, TM_EUSAGE, "like has %zu features, and the data have %zu",
                       tm_dataset_cols(from), p);
    double *scales = mem_array(p, sizeof *scales);
    double *scratch = mem_array(tm_dataset_rows(from), sizeof *scratch);
    for (size_t j = 0; scales && scratch && j < p; j++)
        scales[j] = scale_of(from, how, j, scratch);
    tm_status status = scales && scratch ? tm_dataset_divide(out, data, scales, err)
                                         : tm_fail_memory(err, "scaled columns");
    free(scales);
    free(scratch);
    return status;
}

/* Records that the columns were divided by these scales, in addition to earlier ones. */
static tm_status note_scales(tm_making *making, const double *scales, size_t p, tm_error *err)
{
    double *before = making->scales;
    if (!before)
        making->scales = mem_array(p, sizeof *making->scales);
    for (size_t j = 0; making->scales && j < p; j++)
        making->scales[j] = scales[j] * (before ? before[j] : 1);
    return making->scales ? TM_OK : tm_fail_memory(err, "scaled columns");
}

tm_status tm_dataset_divide(tm_dataset **out, const tm_dataset *data, const double *scales,
                            tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    tm_dataset_parts parts = begin(data, NULL);
    *out = NULL;
    tm_status status = scale_matrix(&parts.x, data, scales, err);
    if (status == TM_OK)
        status = copy_all(&parts, data, err);
    if (status == TM_OK)
        status = note_scales(&parts.making, scales, p, err);
    for (size_t j = 0; status == TM_OK && parts.features.truth && j < p; j++)
        parts.features.truth[j] *= scales[j];
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    dataset_parts_free(&parts, p);
    return status;
}

/* ---- appending ----------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static tm_status check_alike(const tm_dataset *first, const tm_dataset *other, tm_error *err)
{
    size_t p = tm_dataset_cols(first);
    if (tm_dataset_cols(other) != p)
        return tm_fail(
            err, TM_EUSAGE,
            "%.200s has %zu features and %.200s %zu; read the narrower one with features "
            "= N",
            tm_dataset_name(first), p, tm_dataset_name(other), tm_dataset_cols(other));
    for (size_t j = 0; j < p; j++)
        if (tm_dataset_feature_name(first, j) && tm_dataset_feature_name(other, j) &&
            !same_text(tm_dataset_feature_name(first, j), tm_dataset_feature_name(other, j)))
            return tm_fail(err, TM_EUSAGE,
                           "feature %zu is called \"%.60s\" in %.200s and \"%.60s\" in %.200s",
                           j + 1, tm_dataset_feature_name(first, j), tm_dataset_name(first),
                           tm_dataset_feature_name(other, j), tm_dataset_name(other));
    return TM_OK;
}

/* Concatenates column j of all data sets; `place` is where its entries begin. Returns where they
 * end. */
static uint64_t stack_column(columns *c, const tm_dataset *const *list, size_t count, size_t j,
                             uint64_t place)
{
    size_t above = 0;
    for (size_t k = 0; k < count; above += tm_dataset_rows(list[k++])) {
        const uint32_t *rows;
        const double *values;
        const tm_matrix *x = tm_dataset_x(list[k]);
        if (!c->starts) {
            tm_matrix_column(x, j, c->values + j * c->n + above);
            continue;
        }
        size_t found = tm_matrix_entries(x, j, c->scratch, &rows, &values);
        for (size_t e = 0; e < found; e++, place++) {
            c->rows[place] = rows[e] + (uint32_t)above;
            c->values[place] = values[e];
        }
    }
    return place;
}

/* Concatenates the matrices; the result is sparse if all are. */
static tm_status stack(tm_matrix **out, const tm_dataset *const *list, size_t count, size_t n,
                       tm_error *err)
{
    size_t p = tm_dataset_cols(list[0]), entries = 0, cells;
    bool sparse = true, fits = !__builtin_mul_overflow(n, p, &cells);
    for (size_t k = 0; k < count; k++) {
        entries += (size_t)tm_matrix_nnz(tm_dataset_x(list[k]));
        sparse = sparse && tm_matrix_is_sparse(tm_dataset_x(list[k]));
    }
    columns c = {.n = n, .p = p};
    c.values = sparse || fits ? mem_array(sparse ? entries : cells, sizeof *c.values) : NULL;
    c.scratch = mem_array(n, sizeof *c.scratch);
    c.starts = sparse ? mem_zeros(p + 1, sizeof *c.starts) : NULL;
    c.rows = sparse ? mem_array(entries, sizeof *c.rows) : NULL;
    if (!c.values || !c.scratch || (sparse && (!c.starts || !c.rows))) {
        columns_clear(&c);
        return tm_fail_memory(err, "appended rows");
    }
    for (size_t j = 0; j < p; j++) {
        uint64_t place = stack_column(&c, list, count, j, sparse ? c.starts[j] : 0);
        if (sparse)
            c.starts[j + 1] = place;
    }
    free(c.scratch);
    return sparse ? tm_matrix_new_csc(out, n, p, c.starts, c.rows, c.values, err)
                  : tm_matrix_new_dense(out, n, p, c.values, err);
}

typedef const double *vector_of(const tm_dataset *data);

/* Concatenates the vectors, with `fallback` for data without one; NULL when none has one. */
static tm_status join_vectors(double **out, vector_of *vector, double fallback,
                              const tm_dataset *const *list, size_t count, size_t n, tm_error *err)
{
    bool any = false;
    size_t above = 0;
    for (size_t k = 0; k < count; k++)
        any = any || vector(list[k]);
    *out = any ? mem_array(n, sizeof **out) : NULL;
    if (any && !*out)
        return tm_fail_memory(err, "appended rows");
    for (size_t k = 0; any && k < count; above += tm_dataset_rows(list[k++]))
        for (size_t i = 0; i < tm_dataset_rows(list[k]); i++)
            (*out)[above + i] = vector(list[k]) ? vector(list[k])[i] : fallback;
    return TM_OK;
}

static bool all_have(vector_of *vector, const tm_dataset *const *list, size_t count)
{
    bool all = true;
    for (size_t k = 0; k < count; k++)
        all = all && vector(list[k]);
    return all;
}

/* `response` is a copy of the response of the first data set. */
static tm_status join_responses(tm_dataset_parts *parts, const tm_dataset *const *list,
                                size_t count, size_t n, tm_error *err)
{
    bool same = true;
    for (size_t k = 1; k < count; k++)
        same = same && dataset_same_classes(list[0], list[k]);
    if (!same) {
        dataset_parts_drop_response(parts);
        return dataset_join_responses(&parts->response, list, count, err);
    }
    free(parts->response.y);
    return join_vectors(&parts->response.y, tm_dataset_y, 0, list, count, n, err);
}

tm_status tm_dataset_append(tm_dataset **out, const tm_dataset *const *list, size_t count,
                            const char *name, tm_error *err)
{
    *out = NULL;
    size_t n = 0;
    tm_status status = TM_OK;
    for (size_t k = 0; k < count && status == TM_OK; k++) {
        n += tm_dataset_rows(list[k]);
        status = check_alike(list[0], list[k], err);
    }
    if (status == TM_OK && n > UINT32_MAX)
        status = tm_fail(err, TM_EUSAGE, "%zu rows together, %u at most", n, UINT32_MAX);
    if (status != TM_OK)
        return status;
    tm_dataset_parts parts = begin(list[0], name);
    size_t p = tm_dataset_cols(list[0]);
    status = stack(&parts.x, list, count, n, err);
    if (status == TM_OK) /* names, labels, and the rest */
        status =
            dataset_parts_copy(&parts, list[0], NULL, NULL, NULL, tm_dataset_rows(list[0]), err);
    free(parts.rows.qids);
    parts.rows.qids = NULL;
    if (status == TM_OK)
        status = join_responses(&parts, list, count, n, err);
    if (status == TM_OK && all_have(tm_dataset_qids, list, count))
        status = join_vectors(&parts.rows.qids, tm_dataset_qids, 0, list, count, n, err);
    if (status == TM_OK)
        status = join_vectors(&parts.rows.weights, tm_dataset_weights, 1, list, count, n, err);
    if (status == TM_OK)
        status = join_vectors(&parts.rows.offset, tm_dataset_offset, 0, list, count, n, err);
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    dataset_parts_free(&parts, p);
    return status;
}
