#include "tui/pins/difference.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const method_row = "method";

static const tm_solution *answer_of(const tm_job *job)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    return &points[count - 1].solution;
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* The ratio lambda / lambda_max that was solved, however lambda was given; NaN for other
 * parameters. */
static double solved(const tm_job *job, const char *name)
{
    const tm_solution *s = answer_of(job);
    return strcmp(name, "lambda_ratio") == 0 ? s->lambda / s->lambda_max : NAN;
}

static void value_of(const tm_job *job, const char *name, char *out)
{
    const tm_params *params = tm_job_params(job);
    double value = solved(job, name);
    snprintf(out, DIFFERENCE_VALUE, "-");
    if (!tm_params_find(params, name, NULL))
        return;
    if (isfinite(value))
        snprintf(out, DIFFERENCE_VALUE, "%.4g", value);
    else if (tm_params_has(params, name))
        tm_params_summary(params, name, out, DIFFERENCE_VALUE);
}

static void note_change(difference *d, const char *name, const char *before, const char *now)
{
    if (strcmp(before, now) == 0)
        return;
    parameter_change *change = &d->changes[d->change_count++];
    change->name = name;
    snprintf(change->before, sizeof change->before, "%s", before);
    snprintf(change->now, sizeof change->now, "%s", now);
}

/* Whether the parameter is lambda and the method has lambda_ratio, which is compared instead. */
static bool said_by_ratio(const tm_params *params, const char *name)
{
    return strcmp(name, "lambda") == 0 && tm_params_find(params, "lambda_ratio", NULL);
}

static void compare_parameters(difference *d, const tm_job *before, const tm_job *now)
{
    const tm_params *params[] = {tm_job_params(now), tm_job_params(before)};
    note_change(d, method_row, tm_method_id(tm_job_method(before)),
                tm_method_id(tm_job_method(now)));
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < tm_params_count(params[side]); i++) {
            char was[DIFFERENCE_VALUE], is[DIFFERENCE_VALUE];
            const char *name = tm_params_info(params[side], i)->name;
            bool told = side == 1 && tm_params_find(params[0], name, NULL);
            if (told || said_by_ratio(params[side], name))
                continue;
            value_of(before, name, was);
            value_of(now, name, is);
            note_change(d, name, was, is);
        }
    }
}

/* ---- features ------------------------------------------------------------------------------ */

/* Collects the features of `of` that are not in `without`. */
static void take_new(feature_set *out, const tm_model *of, const tm_model *without)
{
    const size_t *a = tm_model_features(of), *b = tm_model_features(without);
    size_t most = tm_model_nnz(without), k = 0;
    for (size_t i = 0; i < tm_model_nnz(of); i++) {
        while (k < most && b[k] < a[i])
            k++;
        if (k == most || b[k] != a[i])
            out->at[out->count++] = a[i];
    }
}

tm_status difference_make(difference *out, const tm_job *before, const tm_job *now, tm_error *err)
{
    const tm_solution *was = answer_of(before), *is = answer_of(now);
    *out = (difference){.before = tm_model_nnz(was->model),
                        .now = tm_model_nnz(is->model),
                        .products_before = was->columns,
                        .products_now = is->columns,
                        .warm = tm_job_warm(now) != NULL};
    size_t rows = tm_params_count(tm_job_params(before)) + tm_params_count(tm_job_params(now)) + 1;
    out->changes = mem_zeros(rows, sizeof *out->changes);
    out->in.at = mem_array(out->now + 1, sizeof *out->in.at);
    out->out.at = mem_array(out->before + 1, sizeof *out->out.at);
    if (!out->changes || !out->in.at || !out->out.at) {
        difference_free(out);
        return tm_fail_memory(err, "a comparison");
    }
    compare_parameters(out, before, now);
    /* Features of a feature map have numbers of their own: only models of the same source can be
     * compared. */
    out->comparable = !tm_model_map(was->model) == !tm_model_map(is->model);
    for (size_t i = 0; i < out->change_count; i++)
        if (strcmp(out->changes[i].name, "source") == 0)
            out->comparable = false;
    if (out->comparable) {
        take_new(&out->in, is->model, was->model);
        take_new(&out->out, was->model, is->model);
    }
    return TM_OK;
}

void difference_free(difference *d)
{
    free(d->changes);
    free(d->in.at);
    free(d->out.at);
    *d = (difference){0};
}

double difference_ratio(const difference *d)
{
    return d->products_before > 0 ? (double)d->products_now / (double)d->products_before : NAN;
}
