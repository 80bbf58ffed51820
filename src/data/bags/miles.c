/* The MILES embedding. */
#include "tamis/bags.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rows of the concepts as lists of entries: row k's are starts[k] .. starts[k+1] - 1. */
typedef struct row_list {
    size_t *starts;
    uint32_t *features;
    double *values;
    double *squares; /* |x^k|^2 */
} row_list;

static void row_list_clear(row_list *list)
{
    free(list->starts);
    free(list->features);
    free(list->values);
    free(list->squares);
}

/* Writes the number of nonzero entries of each row to starts[k + 1]; returns their sum. */
static size_t count_entries(const tm_matrix *x, double *scratch, size_t *starts)
{
    size_t m = tm_matrix_rows(x), sum = 0;
    for (size_t j = 0; j < tm_matrix_cols(x); j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        for (size_t e = 0; e < count; e++)
            if (values[e] != 0)
                starts[(rows ? rows[e] : e) + 1]++;
    }
    for (size_t k = 0; k < m; k++) {
        sum += starts[k + 1];
        starts[k + 1] = sum;
    }
    return sum;
}

static tm_status list_rows(row_list *list, const tm_matrix *x, double *scratch, tm_error *err)
{
    size_t m = tm_matrix_rows(x);
    *list = (row_list){.starts = mem_zeros(m + 2, sizeof *list->starts),
                       .squares = mem_zeros(m, sizeof *list->squares)};
    if (!list->starts || !list->squares)
        return tm_fail_memory(err, "the concepts");
    size_t total = count_entries(x, scratch, list->starts + 1);
    list->features = mem_array(total, sizeof *list->features);
    list->values = mem_array(total, sizeof *list->values);
    if (!list->features || !list->values)
        return tm_fail_memory(err, "the concepts");
    for (size_t j = 0; j < tm_matrix_cols(x); j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
        for (size_t e = 0; e < count; e++) {
            size_t k = rows ? rows[e] : e;
            if (values[e] == 0)
                continue;
            size_t at = list->starts[k + 1]++;
            list->features[at] = (uint32_t)j;
            list->values[at] = values[e];
            list->squares[k] += values[e] * values[e];
        }
    }
    return TM_OK;
}

/* ---- one concept --------------------------------------------------------------------------- */

/* The state of the embedding of all rows. */
typedef struct embedding {
    const tm_matrix *x;
    const tm_bags *bags;
    row_list own, concepts;
    bool same; /* data and concepts are the same object */
    double sigma;
    double *v; /* a value for each row */
} embedding;

/* Turns the least |x - x^k|^2 of each bag into its similarity. Distances computed from products
 * have a rounding error relative to the norms; when data and concepts are the same, the distance of
 * a row to itself is set to exactly 0. */
static void embed(const embedding *e, size_t k, double *out)
{
    size_t n = tm_matrix_rows(e->x);
    const row_list *concepts = &e->concepts;
    memset(e->v, 0, n * sizeof *e->v);
    for (size_t at = concepts->starts[k]; at < concepts->starts[k + 1]; at++)
        tm_matrix_axpy(e->x, concepts->features[at], concepts->values[at], e->v);
    for (size_t b = 0; b < e->bags->count; b++)
        out[b] = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double distance =
            e->same && i == k ? 0 : e->own.squares[i] + concepts->squares[k] - 2 * e->v[i];
        size_t bag = e->bags->of[i];
        out[bag] = fmin(out[bag], fmax(distance, 0));
    }
    for (size_t b = 0; b < e->bags->count; b++)
        out[b] = exp(-out[b] / (2 * e->sigma * e->sigma));
}

static tm_status embed_all(double **out, const tm_dataset *data, const tm_bags *bags,
                           const tm_dataset *concepts, double sigma, tm_error *err)
{
    size_t n = tm_dataset_rows(data), m = tm_dataset_rows(concepts);
    embedding e = {.x = tm_dataset_x(data), .bags = bags, .same = data == concepts, .sigma = sigma};
    *out = mem_array(bags->count, m * sizeof **out);
    e.v = mem_array(n > m ? n : m, sizeof *e.v);
    tm_status status = *out && e.v ? TM_OK : tm_fail_memory(err, "the embedding");
    if (status == TM_OK)
        status = list_rows(&e.concepts, tm_dataset_x(concepts), e.v, err);
    if (status == TM_OK)
        status = list_rows(&e.own, e.x, e.v, err);
    for (size_t k = 0; status == TM_OK && k < m; k++)
        embed(&e, k, *out + k * bags->count);
    row_list_clear(&e.concepts);
    row_list_clear(&e.own);
    free(e.v);
    if (status != TM_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- the response -------------------------------------------------------------------------- */

static tm_status bag_response(double *y, const tm_dataset *data, const tm_bags *bags, tm_error *err)
{
    for (size_t b = 0; b < bags->count; b++)
        y[b] = NAN;
    for (size_t i = 0; i < tm_dataset_rows(data); i++) {
        double value = tm_dataset_y(data)[i], *of = &y[bags->of[i]];
        if (isnan(*of) || (tm_dataset_is_binary(data) && value > *of))
            *of = value;
        else if (!tm_dataset_is_binary(data) && value != *of)
            return tm_fail(err, TM_EDATA,
                           "%s: row %zu has another response than earlier rows of its bag",
                           tm_dataset_name(data), i + 1);
    }
    return TM_OK;
}

/* Columns without a name are identified by their position. */
static bool same_name(const tm_dataset *a, const tm_dataset *b, size_t j)
{
    const char *one = tm_dataset_feature_name(a, j), *two = tm_dataset_feature_name(b, j);
    return !one || !two || strcmp(one, two) == 0;
}

tm_status tm_dataset_miles(tm_dataset **out, const tm_dataset *data, const tm_bags *bags,
                           const tm_dataset *concepts, double sigma, tm_error *err)
{
    char name[320];
    double *values = NULL;
    *out = NULL;
    if (!(sigma > 0) || !isfinite(sigma))
        return tm_fail(err, TM_EUSAGE, "sigma is %g; expected a number above 0", sigma);
    if (tm_dataset_cols(concepts) > tm_dataset_cols(data))
        return tm_fail(err, TM_EDATA, "%s has %zu features, the concepts of %s have %zu",
                       tm_dataset_name(data), tm_dataset_cols(data), tm_dataset_name(concepts),
                       tm_dataset_cols(concepts));
    for (size_t j = 0; j < tm_dataset_cols(concepts); j++)
        if (!same_name(data, concepts, j))
            return tm_fail(err, TM_EDATA,
                           "%s: column %zu is \"%.100s\", and that of the concepts \"%.100s\"; the "
                           "columns must be in the same order",
                           tm_dataset_name(data), j + 1, tm_dataset_feature_name(data, j),
                           tm_dataset_feature_name(concepts, j));
    snprintf(name, sizeof name, "%.200s by bags", tm_dataset_name(data));
    tm_dataset_parts parts = {.name = name, .response.numeric = !tm_dataset_is_binary(data)};
    tm_status status = embed_all(&values, data, bags, concepts, sigma, err);
    parts.response.y = mem_array(bags->count, sizeof *parts.response.y);
    if (status == TM_OK && !parts.response.y)
        status = tm_fail_memory(err, "the bags");
    if (status == TM_OK)
        status = bag_response(parts.response.y, data, bags, err);
    if (status == TM_OK)
        status = dataset_parts_copy_classes(&parts, data, err);
    if (status != TM_OK)
        goto done;
    parts.making = (tm_making){
        .concepts = tm_dataset_ref(concepts), .sigma = sigma, .bags = text_copy(bags->column)};
    if (bags->column && !parts.making.bags) {
        status = tm_fail_memory(err, "the bags");
        goto done;
    }
    status = tm_matrix_new_dense(&parts.x, bags->count, tm_dataset_rows(concepts), values, err);
    values = NULL;
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
done:
    free(values);
    dataset_parts_free(&parts, 0);
    return status;
}
