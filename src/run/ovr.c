#include "tamis/ovr.h"

#include "base/clock.h"
#include "base/memory.h"
#include "model/metric/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct tm_ovr {
    tm_dataset *train, *test; /* data with several classes */
    tm_classes classes;
    tm_job **jobs; /* classes.count; NULL: not submitted */
};

/* ---- starting ------------------------------------------------------------------------------ */

static tm_status submit(tm_ovr *ovr, size_t k, tm_pool *pool, const tm_job_spec *spec,
                        tm_error *err)
{
    const char *label = ovr->classes.labels[k];
    tm_dataset *train = NULL, *test = NULL;
    tm_job_spec one = *spec;
    char name[300]; /* the class alone would not distinguish the runs of two methods */
    tm_status status = tm_dataset_one_vs_rest(&train, ovr->train, label, false, err);
    if (status == TM_OK && ovr->test)
        status = tm_dataset_one_vs_rest(&test, ovr->test, label, true, err);
    snprintf(name, sizeof name, "%.60s %.200s", tm_method_id(spec->method), label);
    one.name = name;
    one.train = train;
    one.test = test;
    one.warm = NULL;
    if (status == TM_OK)
        status = tm_pool_submit(pool, &one, &ovr->jobs[k], err);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
    return status;
}

tm_status tm_ovr_start(tm_ovr **out, tm_pool *pool, const tm_job_spec *spec, tm_error *err)
{
    *out = NULL;
    tm_ovr *ovr = calloc(1, sizeof *ovr);
    if (!ovr)
        return tm_fail_memory(err, "the classes");
    ovr->train = tm_dataset_ref(spec->train);
    ovr->test = spec->test ? tm_dataset_ref(spec->test) : NULL;
    tm_status status = tm_classes_find(&ovr->classes, spec->train, err);
    if (status == TM_OK) {
        ovr->jobs = mem_zeros(ovr->classes.count, sizeof *ovr->jobs);
        status = ovr->jobs ? TM_OK : tm_fail_memory(err, "the classes");
    }
    for (size_t k = 0; status == TM_OK && k < ovr->classes.count; k++)
        status = submit(ovr, k, pool, spec, err);
    if (status == TM_OK)
        *out = ovr;
    else
        tm_ovr_free(ovr);
    return status;
}

void tm_ovr_free(tm_ovr *ovr)
{
    if (!ovr)
        return;
    for (size_t k = 0; ovr->jobs && k < ovr->classes.count; k++)
        if (ovr->jobs[k]) {
            tm_job_cancel(ovr->jobs[k]);
            tm_job_unref(ovr->jobs[k]);
        }
    free(ovr->jobs);
    tm_classes_clear(&ovr->classes);
    tm_dataset_unref(ovr->train);
    tm_dataset_unref(ovr->test);
    free(ovr);
}

/* ---- while it runs ------------------------------------------------------------------------- */

size_t tm_ovr_count(const tm_ovr *ovr)
{
    return ovr->classes.count;
}

const char *tm_ovr_label(const tm_ovr *ovr, size_t k)
{
    return ovr->classes.labels[k];
}

const tm_job *tm_ovr_job(const tm_ovr *ovr, size_t k)
{
    return ovr->jobs[k];
}

bool tm_ovr_ended(const tm_ovr *ovr)
{
    for (size_t k = 0; k < ovr->classes.count; k++)
        if (!tm_job_ended(ovr->jobs[k]))
            return false;
    return true;
}

double tm_ovr_progress(const tm_ovr *ovr)
{
    double sum = 0;
    for (size_t k = 0; k < ovr->classes.count; k++)
        sum += tm_job_ended(ovr->jobs[k]) ? 1 : tm_job_progress(ovr->jobs[k]);
    return sum / (double)ovr->classes.count;
}

void tm_ovr_cancel(tm_ovr *ovr)
{
    for (size_t k = 0; k < ovr->classes.count; k++)
        tm_job_cancel(ovr->jobs[k]);
}

bool tm_ovr_wait(tm_ovr *ovr, double seconds, tm_cancel *wake)
{
    double until = seconds < 0 ? INFINITY : clock_now() + seconds;
    for (size_t k = 0; k < ovr->classes.count; k++) {
        double left = isinf(until) ? -1 : fmax(until - clock_now(), 0);
        if (!tm_job_wait(ovr->jobs[k], left, wake))
            return false;
    }
    return true;
}

/* ---- what it found ------------------------------------------------------------------------- */

void tm_ovr_scores_clear(tm_ovr_scores *scores)
{
    free(scores->scorers);
    free(scores->values);
    free(scores->tables);
    *scores = (tm_ovr_scores){0};
}

static tm_status make_scores(tm_ovr_scores *out, size_t classes, tm_error *err)
{
    size_t all;
    const tm_metric *metrics = tm_metrics(&all);
    *out = (tm_ovr_scores){.classes = classes, .accuracy = NAN};
    out->scorers = mem_array(all, sizeof *out->scorers);
    out->values = mem_array((classes + 2) * all, sizeof *out->values);
    out->tables = mem_zeros(classes, sizeof *out->tables);
    if (!out->scorers || !out->values || !out->tables) {
        tm_ovr_scores_clear(out);
        return tm_fail_memory(err, "the scores");
    }
    for (size_t m = 0; m < all; m++)
        if (metrics[m].binary)
            out->scorers[out->metrics++] = tm_scorer_usual(&metrics[m]);
    out->macro = out->values + classes * out->metrics;
    out->micro = out->macro + out->metrics;
    for (size_t i = 0; i < (classes + 2) * out->metrics; i++)
        out->values[i] = NAN;
    return TM_OK;
}

static const tm_model *model_of(const tm_job *job)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    return count > 0 ? points[count - 1].solution.model : NULL;
}

/* The decisions of all classes that have a model, concatenated. */
typedef struct decisions {
    size_t n, rows; /* number of rows of one class, and of all so far */
    double *y, *z;
} decisions;

static tm_status score_class(tm_ovr_scores *out, size_t k, const tm_job *job, bool test,
                             decisions *d, tm_error *err)
{
    const tm_dataset *data = test ? tm_job_test(job) : tm_job_train(job);
    const tm_model *model = model_of(job);
    double *y = d->y + d->rows, *z = d->z + d->rows;
    if (!model)
        return TM_OK;
    tm_status status = tm_model_judge(model, data, y, z, err);
    if (status != TM_OK)
        return status;
    for (size_t m = 0; status == TM_OK && m < out->metrics; m++)
        status =
            metric_value(&out->scorers[m], y, z, d->n, &out->values[k * out->metrics + m], err);
    out->tables[k] = tm_confusion_of(y, z, d->n);
    d->rows += d->n;
    return status;
}

/* Ties go to the first class. */
static double argmax_accuracy(const decisions *d, size_t classes)
{
    size_t right = 0;
    if (d->rows < classes * d->n)
        return NAN;
    for (size_t i = 0; i < d->n; i++) {
        size_t best = 0;
        for (size_t k = 1; k < classes; k++)
            best = d->z[k * d->n + i] > d->z[best * d->n + i] ? k : best;
        right += d->y[best * d->n + i] > 0;
    }
    return (double)right / (double)d->n;
}

static tm_status average(tm_ovr_scores *out, const decisions *d, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t m = 0; m < out->metrics; m++) {
        double sum = 0, count = 0;
        for (size_t k = 0; k < out->classes; k++) {
            double value = out->values[k * out->metrics + m];
            sum += isnan(value) ? 0 : value;
            count += !isnan(value);
        }
        out->macro[m] = count > 0 ? sum / count : NAN;
        out->micro[m] = NAN;
        if (status == TM_OK && d->rows > 0)
            status = metric_value(&out->scorers[m], d->y, d->z, d->rows, &out->micro[m], err);
    }
    out->accuracy = argmax_accuracy(d, out->classes);
    return status;
}

static tm_status failure_of(const tm_ovr *ovr, tm_error *err)
{
    for (size_t k = 0; k < ovr->classes.count; k++)
        if (tm_job_get_state(ovr->jobs[k]) == TM_JOB_FAILED)
            return tm_fail(err, tm_job_error(ovr->jobs[k])->code, "class %.60s: %s",
                           ovr->classes.labels[k], tm_job_error(ovr->jobs[k])->message);
    return TM_OK;
}

tm_status tm_ovr_score(tm_ovr_scores *out, const tm_ovr *ovr, bool test, tm_error *err)
{
    *out = (tm_ovr_scores){0};
    if (test && !ovr->test)
        return tm_fail(err, TM_EUSAGE, "there are no test data");
    size_t classes = ovr->classes.count, n = tm_dataset_rows(test ? ovr->test : ovr->train);
    tm_status status = failure_of(ovr, err);
    if (status == TM_OK)
        status = make_scores(out, classes, err);
    if (status != TM_OK)
        return status;
    decisions d = {n, 0, mem_array(2 * n, classes * sizeof(double)), NULL};
    if (!d.y)
        status = tm_fail_memory(err, "the scores");
    d.z = status == TM_OK ? d.y + n * classes : NULL;
    for (size_t k = 0; status == TM_OK && k < classes; k++)
        status = score_class(out, k, ovr->jobs[k], test, &d, err);
    if (status == TM_OK)
        status = average(out, &d, err);
    free(d.y);
    if (status != TM_OK)
        tm_ovr_scores_clear(out);
    return status;
}
