/* Scores of a model on data, whose classes may be coded differently. */
#include "tamis/metric.h"

#include "base/memory.h"
#include "base/ranks/agree.h"
#include "base/text.h"
#include "data/ranks/row_shard.h"
#include "model/metric/judged.h"
#include "model/metric/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Data with two distinct values have classes: for a model of numbers these are their labels. */
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

/* The class of a row as text, written to `buffer` when it is a number; NULL: the response has no
 * classes. */
static const char *class_of(const tm_dataset *data, size_t i, char *buffer, size_t size)
{
    size_t count;
    const char *const *names = tm_dataset_class_names(data, &count);
    double y = tm_dataset_y(data)[i];
    if (names)
        return names[(size_t)y - 1];
    if (tm_dataset_is_binary(data))
        return tm_dataset_label(data, y > 0 ? 1 : -1);
    text_from_real(y + 0.0, buffer, size);
    return buffer;
}

static bool same_class(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 || (text_to_real(a, &x) && text_to_real(b, &y) && x == y);
}

/* Data with one class or several, or with numbers: the value of each row must be a class of the
 * model. */
static tm_status map_rows(const tm_model *model, const tm_dataset *data, double *y, tm_error *err)
{
    char buffer[64], found[96];
    size_t named;
    const char *kind = tm_dataset_class_names(data, &named) ? "class" : "value";
    for (size_t i = 0; i < tm_dataset_rows(data); i++) {
        const char *class = class_of(data, i, buffer, sizeof buffer);
        bool upper = same_class(class, tm_model_label(model, 1));
        if (!upper && !same_class(class, tm_model_label(model, -1))) {
            snprintf(found, sizeof found, "the %s %.60s", kind, class);
            return fail_labels(model, data, found, err);
        }
        y[i] = upper ? 1 : -1;
    }
    return TM_OK;
}

/* One class against the rest: any other class, including those not in the training data, is the
 * rest. */
static void map_rest(const tm_model *model, const tm_dataset *data, double *y)
{
    char buffer[64];
    for (size_t i = 0; i < tm_dataset_rows(data); i++) {
        const char *class = class_of(data, i, buffer, sizeof buffer);
        y[i] = same_class(class, tm_model_label(model, 1)) ? 1 : -1;
    }
}

/* The response of `data` in the model's coding, n values. */
static tm_status response_for(const tm_model *model, const tm_dataset *data, double *y,
                              tm_error *err)
{
    bool classes = tm_dataset_is_binary(data);
    size_t named;
    const char *const *names = tm_dataset_class_names(data, &named);
    if (tm_dataset_reading(data)->file.unlabelled)
        return tm_fail(err, TM_EDATA, "%s: the data have no response", tm_dataset_name(data));
    if (tm_model_is_one_vs_rest(model) && !tm_dataset_making(data)->rest) {
        map_rest(model, data, y);
        return TM_OK;
    }
    if (tm_model_is_binary(model) != classes)
        return classes ? map_classes(model, data, y, err) : map_rows(model, data, y, err);
    if (!classes && names)
        return fail_labels(model, data, "classes", err);
    for (int sign = -1; classes && sign <= 1; sign += 2)
        if (strcmp(tm_model_label(model, sign), tm_dataset_label(data, sign)) != 0)
            return fail_classes(model, data, err);
    memcpy(y, tm_dataset_y(data), tm_dataset_rows(data) * sizeof *y);
    return TM_OK;
}

tm_status tm_model_judge(const tm_model *model, const tm_dataset *data, double *y, double *z,
                         tm_error *err)
{
    tm_status status = response_for(model, data, y, err);
    return status == TM_OK ? tm_model_predict_data(model, data, z, err) : status;
}

/* Sends what is judged here to the other processes that have rows, and receives theirs. */
static tm_status gather(judged *out, const tm_dataset *data, tm_status status, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(data);
    const tm_comm *comm = matrix_row_comm(x);
    judged own = *out;
    if (!comm)
        return status;
    out->n = matrix_all_rows(x);
    out->y = status == TM_OK ? mem_array(2 * out->n, sizeof *out->y) : NULL;
    if (status == TM_OK && !out->y)
        status = tm_fail_memory(err, "predictions");
    status = comm_share(comm, status, err);
    if (status == TM_OK) {
        out->z = out->y + out->n;
        matrix_gather_rows(x, own.y, out->y);
        matrix_gather_rows(x, own.z, out->z);
    }
    free(own.y);
    return status;
}

tm_status judge_all(judged *out, const tm_model *model, const tm_dataset *data, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    double *values = mem_array(2 * n, sizeof *values);
    *out = (judged){n, values, values ? values + n : NULL};
    tm_status status = values ? tm_model_judge(model, data, out->y, out->z, err)
                              : tm_fail_memory(err, "predictions");
    status = gather(out, data, status, err);
    if (status == TM_OK)
        return TM_OK;
    free(out->y);
    *out = (judged){0};
    return status;
}

/* The same for a metric or table `what`, which may be for two classes only. */
static tm_status judge_for(judged *out, const tm_model *model, const tm_dataset *data,
                           const char *what, bool binary, tm_error *err)
{
    *out = (judged){0};
    if (binary && !tm_model_is_binary(model))
        return tm_fail(err, TM_EDATA,
                       "%s is a metric for two classes; the model's response is a number", what);
    return judge_all(out, model, data, err);
}

tm_status tm_model_score(const tm_model *model, const tm_dataset *data, const tm_scorer *scorer,
                         double *out, tm_error *err)
{
    judged rows;
    tm_status status = judge_for(&rows, model, data, scorer->name, scorer->metric->binary, err);
    if (status == TM_OK)
        status = metric_value(scorer, rows.y, rows.z, rows.n, out, err);
    free(rows.y);
    return status;
}

tm_status tm_model_confusion(const tm_model *model, const tm_dataset *data, tm_confusion *out,
                             tm_error *err)
{
    judged rows;
    tm_status status = judge_for(&rows, model, data, "confusion", true, err);
    if (status == TM_OK)
        *out = tm_confusion_of(rows.y, rows.z, rows.n);
    free(rows.y);
    return status;
}
