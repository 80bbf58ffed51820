#include "tamis/facts.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- correlations -------------------------------------------------------------------------- */

/* Entries processed between two checks of the cancel token. */
enum { CHUNK_ENTRIES = 1 << 20, CHUNK_COLUMNS = 4096 };

/* Computes the response's deviations from its mean; returns the sum of their squares. */
static double centre(const double *y, size_t n, double *out)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        out[i] = y[i] - mean;
        squares += out[i] * out[i];
    }
    return squares;
}

static double correlation(double dot, double deviation, double squares)
{
    double r = dot / (sqrt(deviation) * sqrt(squares));
    return deviation > 0 && squares > 0 && isfinite(r) ? fmax(-1.0, fmin(1.0, r)) : 0.0;
}

tm_status tm_dataset_correlations(double *out, const tm_dataset *data, tm_cancel *cancel,
                                  tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    size_t chunk = CHUNK_ENTRIES / n < CHUNK_COLUMNS ? CHUNK_ENTRIES / n + 1 : CHUNK_COLUMNS;
    double *residual = mem_array(n, sizeof *residual);
    if (!residual)
        return tm_fail_memory(err, "the correlations with the response");
    double squares = centre(tm_dataset_y(data), n, residual), left = 0;
    for (size_t i = 0; i < n; i++)
        left += residual[i]; /* rounding error of the mean */
    size_t from = 0;
    for (; from < p && !tm_cancel_poll(cancel); from += chunk) {
        size_t count = p - from < chunk ? p - from : chunk;
        tm_matrix_dot_range(x, from, count, residual, out + from);
        for (size_t j = from; j < from + count; j++)
            out[j] = correlation(out[j] - means[j] * left, deviations[j], squares);
    }
    free(residual);
    return from < p ? tm_fail(err, TM_ECANCELLED, "cancelled") : TM_OK;
}

/* ---- warnings ------------------------------------------------------------------------------ */

enum { MAX_CLASSES = 20, ROWS_A_CLASS = 5 };

static const double RARE_SHARE = 0.05, SCALE_ALARM = 1e6;
/* With a mean of this many standard deviations the values have lost as many digits as this number
 * has. */
static const double FAR_ALARM = 1e6;

static void warn(tm_warnings *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(tm_warnings *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(list->text[list->count++], TM_WARNING_TEXT, format, arguments);
    va_end(arguments);
}

static void warn_classes(tm_warnings *list, const tm_dataset *data)
{
    const char *minus = tm_dataset_label(data, -1), *plus = tm_dataset_label(data, 1);
    size_t n = tm_dataset_rows(data), counts[2] = {0};
    for (size_t i = 0; i < n; i++)
        counts[tm_dataset_y(data)[i] > 0]++;
    size_t rare = counts[1] < counts[0];
    if (strcmp(minus, "0") == 0 && strcmp(plus, "1") == 0)
        warn(list, "labels 0 and 1 are read as the classes -1 and +1");
    if ((double)counts[rare] < RARE_SHARE * (double)n)
        warn(list,
             "class %.40s has only %zu of %zu rows: stratify splits, and look at auc or f1 besides "
             "accuracy",
             rare ? plus : minus, counts[rare], n);
}

static void warn_numbers(tm_warnings *list, const tm_dataset *data)
{
    const double *y = tm_dataset_y(data);
    double seen[MAX_CLASSES];
    size_t n = tm_dataset_rows(data), distinct = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < distinct && seen[k] != y[i])
            k++;
        if (y[i] != nearbyint(y[i]) || k == MAX_CLASSES)
            return;
        if (k == distinct)
            seen[distinct++] = y[i];
    }
    if (distinct > 2 && distinct * ROWS_A_CLASS <= n)
        warn(list,
             "the response has %zu distinct whole values, which may be classes; it is used as a "
             "number",
             distinct);
}

static void warn_scales(tm_warnings *list, const tm_dataset *data)
{
    const double *deviations = tm_dataset_deviations(data);
    double least = INFINITY, most = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        if (deviations[j] > 0) {
            least = fmin(least, deviations[j]);
            most = fmax(most, deviations[j]);
        }
    double factor = sqrt(most) / sqrt(least); /* deviations are stored as sums of squares */
    if (most > 0 && factor > SCALE_ALARM)
        warn(list,
             "columns differ in scale by a factor of %.1g: consider --standardize true, or d:scale",
             factor);
}

static void warn_far(tm_warnings *list, const tm_dataset *data)
{
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    double n = (double)tm_dataset_rows(data), greatest = 0;
    size_t count = 0, worst = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double ratio = deviations[j] > 0 ? fabs(means[j]) / sqrt(deviations[j] / n) : 0;
        count += ratio > FAR_ALARM;
        if (ratio > greatest) {
            greatest = ratio;
            worst = j;
        }
    }
    char label[80];
    if (count > 0)
        warn(list,
             "%zu column%s far from zero (%.60s: its mean is %.1g deviations): fit with an "
             "intercept, which removes the means",
             count, count == 1 ? " lies" : "s lie",
             tm_dataset_feature_label(data, worst, label, sizeof label), greatest);
}

void tm_dataset_warnings(tm_warnings *out, const tm_dataset *data)
{
    *out = (tm_warnings){.count = 0};
    if (tm_dataset_is_binary(data))
        warn_classes(out, data);
    else if (!tm_dataset_has_classes(data))
        warn_numbers(out, data);
    warn_scales(out, data);
    warn_far(out, data);
}
