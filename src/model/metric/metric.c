#include "model/metric/metrics.h"

#include "model/metric/tuning.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SQUARES: numbers, by the sums of their squares and products. */
enum { NUMBERS, SQUARES, CLASSES };
enum { LESS = false, GREATER = true };

#define ROW(function, id, responses, better, takes, usual, summary)                                \
    {id, summary, responses == CLASSES, better, TM_METRIC_##takes, usual, metric_##function},
static const tm_metric metrics[] = {METRICS(ROW)};
#undef ROW

#define ROW(function, id, responses, better, takes, usual, summary) responses == SQUARES,
static const bool by_sums[] = {METRICS(ROW)};
#undef ROW

bool metric_uses_sums(const tm_metric *metric)
{
    return by_sums[metric - metrics];
}

/* The kinds of arguments. */
static const struct {
    bool of_rows; /* a whole number, or a multiple of the number of rows of class +1 */
    const char *expected;
} arguments[] = {
    [TM_METRIC_NOTHING] = {false, "it takes no argument"},
    [TM_METRIC_ROWS] = {true, "expected a whole number of rows or a multiple of the +1 after the "
                              "'@', as in prec@10 or rec@2p"},
    [TM_METRIC_NUMBER] = {false, "expected a number above 0 after the '@', as in fbeta@2"},
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

/* "prec@10" is "prec" with the argument "10"; "prec" has an empty argument. */
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

/* Parses "10", "2p" or, for fbeta, "0.5". */
static bool parse_argument(tm_metric_argument *out, const tm_metric *metric, const char *text)
{
    char number[16];
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length + 1);
    bool counts = arguments[metric->takes].of_rows;
    out->of_positives = counts && number[length - 1] == 'p';
    if (out->of_positives)
        number[length - 1] = '\0';
    if (!text_to_real(number, &out->number) || !(out->number > 0) || !isfinite(out->number))
        return false;
    return !counts || out->of_positives || out->number == floor(out->number);
}

static tm_status fail_argument(const char *text, const tm_metric *metric, tm_error *err)
{
    return tm_fail(err, TM_EUSAGE, "metric '%.40s': %s", text, arguments[metric->takes].expected);
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
    return find_named(binary ? METRIC_OF_CLASSES : METRIC_OF_NUMBERS);
}

tm_scorer tm_scorer_default(bool binary)
{
    return tm_scorer_usual(tm_metric_default(binary));
}

static size_t count_positives(const tm_dataset *data)
{
    size_t positives = 0;
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        positives += tm_dataset_y(data)[i] > 0;
    return positives;
}

tm_scorer tm_scorer_for(const tm_dataset *data)
{
    bool binary = tm_dataset_is_binary(data);
    size_t n = tm_dataset_rows(data), positives = binary ? count_positives(data) : n;
    size_t fewer = positives < n - positives ? positives : n - positives;
    return binary && RARE_ROWS * fewer < n ? tm_scorer_usual(find_named(METRIC_OF_RARE_CLASS))
                                           : tm_scorer_default(binary);
}

double tm_scorer_constant(const tm_scorer *scorer, const tm_dataset *train, const tm_dataset *test)
{
    size_t n = tm_dataset_rows(train), rows = tm_dataset_rows(test);
    bool binary = scorer->metric->binary;
    double constant = 0;
    if (tm_dataset_is_binary(train) != binary || tm_dataset_is_binary(test) != binary)
        return NAN;
    double *z = mem_array(rows, sizeof *z);
    if (!z)
        return NAN;
    if (binary)
        constant = log((double)count_positives(train)) - log((double)(n - count_positives(train)));
    for (size_t i = 0; !binary && i < n; i++)
        constant += tm_dataset_y(train)[i] / (double)n;
    for (size_t i = 0; i < rows; i++)
        z[i] = constant;
    double value = tm_scorer_value(scorer, tm_dataset_y(test), z, rows);
    free(z);
    return value;
}

tm_status metric_value(const tm_scorer *scorer, const double *y, const double *z, size_t n,
                       double *out, tm_error *err)
{
    errno = 0;
    *out = tm_scorer_value(scorer, y, z, n);
    return isnan(*out) && errno == ENOMEM ? tm_fail_memory(err, "a metric") : TM_OK;
}

double tm_scorer_value(const tm_scorer *scorer, const double *y, const double *z, size_t n)
{
    return scorer->metric->value(y, z, n, &scorer->argument);
}
