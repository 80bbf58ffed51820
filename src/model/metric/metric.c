#include "model/metric/metric_value.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const tm_metric metrics[] = {
    {"accuracy", "share of rows whose sign is right; a score of exactly 0 predicts the class -1",
     true, true, NULL, metric_accuracy},
    {"error", "share of rows whose sign is wrong", true, false, NULL, metric_error},
    {"precision", "true share of the predicted +1; 0 when none is predicted", true, true, NULL,
     metric_precision},
    {"recall", "share of the +1 that are found; 0 when there are none", true, true, NULL,
     metric_recall},
    {"f1", "harmonic mean of precision and recall; 0 when nothing is found", true, true, NULL,
     metric_f1},
    {"fbeta@b", "mean of precision and recall with recall b times as important; 0 as for f1", true,
     true, "2", metric_fbeta},
    {"auc", "area under the ROC curve, ties count one half; undefined with one class", true, true,
     NULL, metric_auc},
    {"ap", "average precision over the thresholds; 0 when there are no +1", true, true, NULL,
     metric_average_precision},
    {"prbep",
     "precision of the first rows, as many as there are +1, where it equals recall; ties by "
     "their average, 0 when there are no +1",
     true, true, NULL, metric_prbep},
    {"prec@k",
     "precision of the k rows of greatest score, k a number (at most all rows) or a multiple "
     "of the +1 like 2p, at least 1; ties by their average",
     true, true, "10", metric_precision_at},
    {"rec@k", "recall of the k rows of greatest score, k as for prec@k; 0 when there are no +1",
     true, true, "2p", metric_recall_at},
    {"logloss",
     "mean of -log p of the true class, p = 1/(1 + exp(-yz)); for scores that are log odds", true,
     false, NULL, metric_log_loss},
    {"mse", "mean squared error", false, false, NULL, metric_mse},
    {"mae", "mean absolute error", false, false, NULL, metric_mae},
    {"r2", "share of the variance explained; with a constant response 1 if exact, else 0", false,
     true, NULL, metric_r2},
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

/* "prec@10" is "prec" with the argument "10"; "prec" has an empty one. */
static size_t name_length(const char *text)
{
    return strcspn(text, "@");
}

static const char *argument_of(const char *text)
{
    const char *rest = text + name_length(text);
    return *rest ? rest + 1 : rest;
}

static const tm_metric *find_named(const char *text)
{
    size_t length = name_length(text);
    for (size_t i = 0; i < METRICS; i++)
        if (name_length(metrics[i].id) == length && strncmp(metrics[i].id, text, length) == 0)
            return &metrics[i];
    return NULL;
}

static tm_status fail_name(const char *text, tm_error *err)
{
    char all[256];
    size_t used = 0;
    const char *close = text_closest(text, metric_id, NULL);
    if (close)
        return tm_fail(err, TM_EUSAGE, "no metric '%.100s'; did you mean '%s'?", text, close);
    for (size_t i = 0; i < METRICS && used < sizeof all; i++)
        used +=
            (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", metrics[i].id);
    return tm_fail(err, TM_EUSAGE, "no metric '%.100s'; there are %s", text, all);
}

/* "10", "2p" or, of fbeta, "0.5". */
static bool parse_argument(tm_metric_argument *out, const tm_metric *metric, const char *text)
{
    char number[16];
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length + 1);
    bool counts = metric->value != metric_fbeta;
    out->of_positives = counts && number[length - 1] == 'p';
    if (out->of_positives)
        number[length - 1] = '\0';
    if (!text_to_real(number, &out->number) || !(out->number > 0) || !isfinite(out->number))
        return false;
    return !counts || out->of_positives || out->number == floor(out->number);
}

static tm_status fail_argument(const char *text, const tm_metric *metric, tm_error *err)
{
    const char *expected = !metric->usual ? "it takes no argument"
                           : metric->value == metric_fbeta
                               ? "expected a number above 0 after the '@', as in fbeta@2"
                               : "expected a whole number of rows or a multiple of the +1 after "
                                 "the '@', as in prec@10 or rec@2p";
    return tm_fail(err, TM_EUSAGE, "metric '%.40s': %s", text, expected);
}

tm_status tm_scorer_find(tm_scorer *out, const char *text, tm_error *err)
{
    const tm_metric *metric = find_named(text);
    *out = (tm_scorer){.metric = metric};
    if (!metric)
        return fail_name(text, err);
    if (metric->usual ? !parse_argument(&out->argument, metric, argument_of(text))
                      : strchr(text, '@') != NULL)
        return fail_argument(text, metric, err);
    snprintf(out->name, sizeof out->name, "%s", text);
    return TM_OK;
}

tm_scorer tm_scorer_usual(const tm_metric *metric)
{
    tm_scorer scorer = {.metric = metric};
    snprintf(scorer.name, sizeof scorer.name, "%.*s%s%s", (int)name_length(metric->id), metric->id,
             metric->usual ? "@" : "", metric->usual ? metric->usual : "");
    if (metric->usual)
        parse_argument(&scorer.argument, metric, metric->usual);
    return scorer;
}

const tm_metric *tm_metric_default(bool binary)
{
    return find_named(binary ? "accuracy" : "r2");
}

tm_scorer tm_scorer_default(bool binary)
{
    return tm_scorer_usual(tm_metric_default(binary));
}

double tm_scorer_value(const tm_scorer *scorer, const double *y, const double *z, size_t n)
{
    return scorer->metric->value(y, z, n, &scorer->argument);
}
