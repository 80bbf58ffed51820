#include "data/dataset_parts.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The parts that are checked, and intermediate results of the checks. */
typedef struct parts_check {
    tm_dataset_parts *parts;
    const char *name;
    double *scratch; /* n */
} parts_check;

/* Data whose greatest absolute value is outside this range are rejected: their squares, and
 * products of two of them, would leave no digits for a tolerance above the smallest double (1e-140
 * squared, a tolerance of 1e-12 and sums of a million terms stay above 1e-300), or overflow. The
 * same holds for the product of a feature and the response, which determines lambda_max, and for
 * their ratio, which is the size of a weight. */
static const double smallest = 1e-140, greatest = 1e140;

static const char *const too_small = "underflow", *const too_large = "overflow";

/* What happens to the squares of such values; NULL: they are in range. */
static const char *range_of_squares(double largest)
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

/* With two rows any response has two values: labels are integers. */
static bool are_measured(const double found[2], size_t n)
{
    return n == 2 && (found[0] != floor(found[0]) || found[1] != floor(found[1]));
}

static tm_status find_classes(parts_check *d, size_t n, tm_error *err)
{
    double found[2];
    if (d->parts->response.labels[0] || !two_values(d->parts->response.y, n, found) ||
        are_measured(found, n))
        return TM_OK;
    for (int k = 0; k < 2; k++) {
        char text[64];
        text_from_real(found[k] + 0.0, text, sizeof text); /* turns -0 into 0 */
        d->parts->response.labels[k] = text_copy(text);
        if (!d->parts->response.labels[k])
            return tm_fail_memory(err, "class labels");
    }
    for (size_t i = 0; i < n; i++)
        d->parts->response.y[i] = d->parts->response.y[i] == found[1] ? 1 : -1;
    return TM_OK;
}

/* ---- column statistics --------------------------------------------------------------------- */

typedef struct column_stats {
    double mean, deviation;
    double largest; /* greatest absolute value; 0 for a constant column */
} column_stats;

/* Two passes over a column that is in the cache: the sum of squares minus the squared mean would
 * lose all digits when the mean is large. A constant column is detected by comparing its values, so
 * that a rounding error in the mean does not give it a deviation. */
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
        largest = size > largest ? size : largest; /* fmax(), a call, would take longer than the
                                                    * sum */
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

static tm_status check_finite(const parts_check *d, size_t j, tm_error *err)
{
    const uint32_t *rows;
    const double *values;
    char label[96];
    size_t count = tm_matrix_entries(d->parts->x, j, d->scratch, &rows, &values);
    dataset_parts_label(d->parts, j, label, sizeof label);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return tm_fail(err, TM_EDATA, "%s: feature %s of row %zu is not a finite number",
                           d->name, label, (rows ? rows[k] : k) + 1);
    return tm_fail(err, TM_EDATA, "%s: the squares of feature %s overflow; scale the feature down",
                   d->name, label);
}

/* Rejects a feature whose squares, or products with a numeric response (largest 0: there is none),
 * are out of range. */
static tm_status check_size(const parts_check *d, size_t j, double largest, double response,
                            tm_error *err)
{
    char label[96];
    const char *squares = range_of_squares(largest);
    bool both = largest > 0 && response > 0;
    const char *products = both ? range_of_squares(largest * response) : NULL;
    const char *weights = both ? range_of_squares(response / largest) : NULL;
    if (!squares && !products && !weights)
        return TM_OK;
    dataset_parts_label(d->parts, j, label, sizeof label);
    if (squares)
        return tm_fail(err, TM_EDATA,
                       "%s: feature %s has %s %.3g: its squares %s; scale the feature %s, or "
                       "remove it",
                       d->name, label, squares == too_small ? "no value above" : "values of up to",
                       largest, squares, squares == too_small ? "up" : "down");
    return tm_fail(err, TM_EDATA,
                   "%s: feature %s has no value above %.3g and the response none above %.3g: "
                   "%s of the two %s; scale them towards 1",
                   d->name, label, largest, response, products ? "products" : "weights",
                   products ? products : weights);
}

/* The greatest absolute value of a numeric response; 0 for classes. */
static double largest_response(const parts_check *d)
{
    double largest = 0;
    if (!d->parts->response.numeric && (d->parts->response.labels[0] || d->parts->response.classes))
        return 0;
    for (size_t i = 0; i < tm_matrix_rows(d->parts->x); i++)
        largest = fmax(largest, fabs(d->parts->response.y[i]));
    return largest;
}

/* When statistics were given with the data, they are checked instead of every value. */
static tm_status check_statistics(const parts_check *d, tm_error *err)
{
    double n = (double)tm_matrix_rows(d->parts->x);
    for (size_t j = 0; j < tm_matrix_cols(d->parts->x); j++)
        if (!isfinite(d->parts->features.deviations[j] +
                      n * d->parts->features.means[j] * d->parts->features.means[j]) ||
            d->parts->features.deviations[j] < 0)
            return tm_fail(err, TM_EDATA, "%s: the statistics of column %zu are not valid", d->name,
                           j + 1);
    return TM_OK;
}

static tm_status find_statistics(parts_check *d, tm_error *err)
{
    size_t p = tm_matrix_cols(d->parts->x);
    double n = (double)tm_matrix_rows(d->parts->x);
    bool known = d->parts->features.means && d->parts->features.deviations;
    d->scratch = mem_array(tm_matrix_rows(d->parts->x), sizeof *d->scratch);
    if (!known) {
        d->parts->features.means = mem_array(p, sizeof *d->parts->features.means);
        d->parts->features.deviations = mem_array(p, sizeof *d->parts->features.deviations);
    }
    if (!d->parts->features.means || !d->parts->features.deviations || !d->scratch)
        return tm_fail_memory(err, "column statistics");
    if (known)
        return check_statistics(d, err);
    double response = d->parts->derived ? 0 : largest_response(d);
    for (size_t j = 0; j < p; j++) {
        column_stats stats = column_statistics(d->parts->x, j, d->scratch);
        if (!isfinite(stats.deviation + n * stats.mean * stats.mean))
            return check_finite(d, j, err);
        tm_status status =
            d->parts->derived ? TM_OK : check_size(d, j, stats.largest, response, err);
        if (status != TM_OK)
            return status;
        d->parts->features.means[j] = stats.mean;
        d->parts->features.deviations[j] = stats.deviation;
    }
    return TM_OK;
}

static tm_status check_sizes(const parts_check *d, tm_error *err)
{
    size_t n = tm_matrix_rows(d->parts->x), p = tm_matrix_cols(d->parts->x);
    if (n == 0)
        return tm_fail(err, TM_EDATA, "%s: there are no rows", d->name);
    if (p == 0)
        return tm_fail(err, TM_EDATA, "%s: there are no features", d->name);
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(d->parts->response.y[i]))
            return tm_fail(err, TM_EDATA, "%s: the response of row %zu is not a finite number",
                           d->name, i + 1);
        squares += d->parts->response.y[i] * d->parts->response.y[i];
    }
    if (!isfinite(squares))
        return tm_fail(err, TM_EDATA, "%s: the squares of the response overflow; scale it down",
                       d->name);
    return TM_OK;
}

/* Checks a numeric response; two classes may be any two numbers. */
static tm_status check_response(const parts_check *d, tm_error *err)
{
    double largest = d->parts->derived ? 0 : largest_response(d);
    const char *squares = range_of_squares(largest);
    return squares
               ? tm_fail(err, TM_EDATA, "%s: the response has %s %.3g: its squares %s; scale it %s",
                         d->name, squares == too_small ? "no value above" : "values of up to",
                         largest, squares, squares == too_small ? "up" : "down")
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
static tm_status check_weights(parts_check *d, tm_error *err)
{
    size_t n = tm_matrix_rows(d->parts->x);
    double total = 0;
    for (size_t i = 0; d->parts->rows.weights && i < n; i++) {
        total += d->parts->rows.weights[i];
        if (!(d->parts->rows.weights[i] >= 0) || !isfinite(total))
            return tm_fail(err, TM_EDATA,
                           "%s: the weight of row %zu is %g; expected a number of "
                           "at least 0",
                           d->name, i + 1, d->parts->rows.weights[i]);
    }
    if (d->parts->rows.weights && total == 0)
        return tm_fail(err, TM_EDATA, "%s: all weights are 0", d->name);
    for (size_t i = 0; d->parts->rows.offset && i < n; i++)
        if (!isfinite(d->parts->rows.offset[i] * d->parts->rows.offset[i]))
            return tm_fail(err, TM_EDATA, "%s: the offset of row %zu is not a finite number",
                           d->name, i + 1);
    if (d->parts->rows.weights && all_equal(d->parts->rows.weights, n, 1)) {
        free(d->parts->rows.weights);
        d->parts->rows.weights = NULL;
    }
    if (d->parts->rows.offset && all_equal(d->parts->rows.offset, n, 0)) {
        free(d->parts->rows.offset);
        d->parts->rows.offset = NULL;
        d->parts->rows.zero_offset = true;
    }
    return TM_OK;
}

tm_status dataset_parts_check(tm_dataset_parts *parts, const char *name, double **scratch,
                              tm_error *err)
{
    parts_check d = {parts, name, NULL};
    tm_status status = check_sizes(&d, err);
    if (status == TM_OK)
        status = check_weights(&d, err);
    if (status == TM_OK && !parts->response.numeric)
        status = find_classes(&d, tm_matrix_rows(parts->x), err);
    if (status == TM_OK)
        status = check_response(&d, err);
    if (status == TM_OK)
        status = find_statistics(&d, err);
    *scratch = d.scratch;
    return status;
}
