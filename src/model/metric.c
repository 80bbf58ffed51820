#include "tamis/metric.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- two classes: y is +-1, a prediction is +1 when z > 0 ---------------------------------- */

typedef struct table {
    double tp, fp, tn, fn;
} table;

static table contingency(const double *y, const double *z, size_t n)
{
    table t = {0};
    for (size_t i = 0; i < n; i++) {
        if (z[i] > 0)
            *(y[i] > 0 ? &t.tp : &t.fp) += 1;
        else
            *(y[i] > 0 ? &t.fn : &t.tn) += 1;
    }
    return t;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double accuracy(const double *y, const double *z, size_t n)
{
    table t = contingency(y, z, n);
    return (t.tp + t.tn) / (double)n;
}

static double error_rate(const double *y, const double *z, size_t n)
{
    table t = contingency(y, z, n);
    return (t.fp + t.fn) / (double)n;
}

static double precision(const double *y, const double *z, size_t n)
{
    table t = contingency(y, z, n);
    return ratio(t.tp, t.tp + t.fp);
}

static double recall(const double *y, const double *z, size_t n)
{
    table t = contingency(y, z, n);
    return ratio(t.tp, t.tp + t.fn);
}

static double f1(const double *y, const double *z, size_t n)
{
    table t = contingency(y, z, n);
    return ratio(2 * t.tp, 2 * t.tp + t.fp + t.fn);
}

typedef struct scored {
    double z, y;
} scored;

static int compare_scores(const void *a, const void *b)
{
    double za = ((const scored *)a)->z, zb = ((const scored *)b)->z;
    return (za > zb) - (za < zb);
}

/* The share of (positive, negative) pairs in the right order, from ranks; ties count one half.
 * Scores that overflowed to NaN have no order. */
static double auc(const double *y, const double *z, size_t n)
{
    scored *s = mem_array(n, sizeof *s);
    double positives = 0, ranks = 0;
    if (!s)
        return NAN;
    bool ordered = true;
    for (size_t i = 0; i < n; i++) {
        s[i] = (scored){z[i], y[i]};
        ordered = ordered && !isnan(z[i]);
    }
    if (!ordered) {
        free(s);
        return NAN;
    }
    qsort(s, n, sizeof *s, compare_scores);
    for (size_t i = 0, end; i < n; i = end) {
        double tied_positives = 0;
        for (end = i; end < n && s[end].z == s[i].z; end++)
            tied_positives += s[end].y > 0;
        ranks += tied_positives * ((double)(i + end) + 1) / 2;
        positives += tied_positives;
    }
    free(s);
    double negatives = (double)n - positives;
    if (positives == 0 || negatives == 0)
        return NAN;
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

/* ---- any response -------------------------------------------------------------------------- */

static double squared_error(const double *y, const double *z, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (y[i] - z[i]) * (y[i] - z[i]);
    return sum;
}

static double mse(const double *y, const double *z, size_t n)
{
    return squared_error(y, z, n) / (double)n;
}

static double mae(const double *y, const double *z, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(y[i] - z[i]);
    return sum / (double)n;
}

static double r2(const double *y, const double *z, size_t n)
{
    double mean = 0, spread = 0, error = squared_error(y, z, n);
    bool constant = true;
    for (size_t i = 0; i < n; i++) {
        mean += y[i] / (double)n;
        constant = constant && y[i] == y[0];
    }
    for (size_t i = 0; i < n; i++)
        spread += (y[i] - mean) * (y[i] - mean);
    if (n < 2)
        return NAN;
    /* Seen from the values: rounding in the mean would pass for a spread. */
    if (constant || spread == 0)
        return error == 0 ? 1 : 0;
    return 1 - error / spread;
}

static const tm_metric metrics[] = {
    {"accuracy", "share of rows whose sign is right; a score of exactly 0 predicts the class -1",
     true, true, accuracy},
    {"error", "share of rows whose sign is wrong", true, false, error_rate},
    {"precision", "true share of the predicted +1; 0 when none is predicted", true, true,
     precision},
    {"recall", "share of the +1 that are found; 0 when there are none", true, true, recall},
    {"f1", "harmonic mean of precision and recall; 0 when nothing is found", true, true, f1},
    {"auc", "area under the ROC curve, ties count one half; undefined with one class", true, true,
     auc},
    {"mse", "mean squared error", false, false, mse},
    {"mae", "mean absolute error", false, false, mae},
    {"r2", "share of the variance explained; with a constant response 1 if exact, else 0", false,
     true, r2},
};

enum { METRICS = sizeof metrics / sizeof metrics[0] };

const tm_metric *tm_metrics(size_t *count)
{
    *count = METRICS;
    return metrics;
}

static const char *metric_id(size_t i, const void *payload)
{
    (void)payload;
    return i < METRICS ? metrics[i].id : NULL;
}

const tm_metric *tm_metric_find(const char *id, tm_error *err)
{
    for (size_t i = 0; i < METRICS; i++)
        if (strcmp(metrics[i].id, id) == 0)
            return &metrics[i];
    const char *close = text_closest(id, metric_id, NULL);
    tm_fail(err, TM_EUSAGE, "no metric '%.100s'%s%s%s", id, close ? "; did you mean '" : "",
            close ? close : "", close ? "'?" : "");
    return NULL;
}

const tm_metric *tm_metric_default(bool binary)
{
    return tm_metric_find(binary ? "accuracy" : "r2", NULL);
}

/* ---- scoring a model ----------------------------------------------------------------------- */

static tm_status fail_labels(const tm_model *model, const tm_dataset *data, const char *found,
                             tm_error *err)
{
    if (!tm_model_is_binary(model))
        return tm_fail(err, TM_EDATA, "%s: the response has %s; the model was trained on numbers",
                       tm_dataset_name(data), found);
    return tm_fail(err, TM_EDATA, "%s: the response has %s; the model was trained on %s and %s",
                   tm_dataset_name(data), found, tm_model_label(model, -1),
                   tm_model_label(model, 1));
}

static tm_status fail_classes(const tm_model *model, const tm_dataset *data, tm_error *err)
{
    char found[160];
    snprintf(found, sizeof found, "the classes %.60s and %.60s", tm_dataset_label(data, -1),
             tm_dataset_label(data, 1));
    return fail_labels(model, data, found, err);
}

/* Data with two distinct values has classes: to a model of numbers they are their labels. */
static tm_status map_classes(const tm_model *model, const tm_dataset *data, double *y,
                             tm_error *err)
{
    double values[2];
    if (!text_to_real(tm_dataset_label(data, -1), &values[0]) ||
        !text_to_real(tm_dataset_label(data, 1), &values[1]))
        return fail_classes(model, data, err);
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        y[i] = values[tm_dataset_y(data)[i] > 0];
    return TM_OK;
}

/* Data with one class only has a numeric response: its values must be the model's labels. */
static tm_status map_numeric(const tm_model *model, const tm_dataset *data, double *y,
                             tm_error *err)
{
    double values[2];
    bool numeric = text_to_real(tm_model_label(model, -1), &values[0]) &&
                   text_to_real(tm_model_label(model, 1), &values[1]);
    const double *given = tm_dataset_y(data);
    for (size_t i = 0; i < tm_dataset_rows(data); i++) {
        if (!numeric || (given[i] != values[0] && given[i] != values[1])) {
            char text[64], found[96];
            text_from_real(given[i], text, sizeof text);
            snprintf(found, sizeof found, "the value %s", text);
            return fail_labels(model, data, found, err);
        }
        y[i] = given[i] == values[1] ? 1 : -1;
    }
    return TM_OK;
}

/* The response of `data` in the model's coding, n values. */
static tm_status response_for(const tm_model *model, const tm_dataset *data, double *y,
                              tm_error *err)
{
    bool classes = tm_dataset_is_binary(data);
    if (tm_model_is_binary(model) != classes)
        return classes ? map_classes(model, data, y, err) : map_numeric(model, data, y, err);
    for (int sign = -1; classes && sign <= 1; sign += 2)
        if (strcmp(tm_model_label(model, sign), tm_dataset_label(data, sign)) != 0)
            return fail_classes(model, data, err);
    memcpy(y, tm_dataset_y(data), tm_dataset_rows(data) * sizeof *y);
    return TM_OK;
}

tm_status tm_model_score(const tm_model *model, const tm_dataset *data, const tm_metric *metric,
                         double *out, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    if (metric->binary && !tm_model_is_binary(model))
        return tm_fail(err, TM_EDATA,
                       "%s is a metric for two classes; the model's response is a "
                       "number",
                       metric->id);
    double *y = mem_array(n, sizeof *y), *z = mem_array(n, sizeof *z);
    tm_status status = y && z ? TM_OK : tm_fail_memory(err, "predictions");
    if (status == TM_OK)
        status = response_for(model, data, y, err);
    if (status == TM_OK)
        status = tm_model_predict(model, tm_dataset_x(data), z, err);
    if (status == TM_OK)
        *out = metric->value(y, z, n);
    free(y);
    free(z);
    return status;
}
