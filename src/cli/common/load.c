#include "cli/common/load.h"

#include "base/text.h"
#include "cli/common/events.h"
#include "cli/common/settings.h"
#include "cli/print/messages.h"
#include "cli/print/output_kind.h"
#include "tamis/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

tm_status cli_reader_params_new(tm_params **out, tm_error *err)
{
    size_t count;
    const tm_param_info *table = tm_reader_params(&count);
    return tm_params_new(out, "data", table, count, err);
}

tm_status cli_read_bags(tm_params *reader, const char *bags, tm_error *err)
{
    long number;
    bool column =
        bags && access(bags, R_OK) != 0 && strcmp(bags, "qid") != 0 && !text_to_long(bags, &number);
    return column && !tm_params_given(reader, "ids") ? tm_params_set_text(reader, "ids", bags, err)
                                                     : TM_OK;
}

static void on_progress(uint64_t bytes, double share, void *payload)
{
    char text[160];
    double megabytes = (double)bytes / 1e6;
    if (share >= 0)
        snprintf(text, sizeof text, "reading %.60s: %.0f %%, %.1f MB", (const char *)payload,
                 100 * share, megabytes);
    else
        snprintf(text, sizeof text, "reading %.60s: %.1f MB", (const char *)payload, megabytes);
    cli_progress(text);
}

static tm_numbering numbering(const tm_dataset *data)
{
    return tm_dataset_reading(data)->numbering;
}

tm_status cli_load_like(tm_dataset **out, const char *path, const cli_like *how,
                        const cli_context *context, tm_error *err)
{
    bool shown = cli_shows_progress(context);
    const char *slash = strrchr(path, '/');
    char name[64];
    snprintf(name, sizeof name, "%.60s", slash && slash[1] ? slash + 1 : path);
    tm_read_options options = {
        .params = how->params,
        .progress = shown ? on_progress : NULL,
        .payload = name,
        .unlabelled = how->unlabelled,
        .like = how->like,
        .may_lack = how->may_lack,
    };
    cli_events_exit();
    tm_status status = tm_read(out, path, &options, err);
    if (shown)
        cli_progress(NULL);
    const char *base = tm_params_text(how->params, "base");
    if (status == TM_OK && !how->like && numbering(*out) == TM_NUMBERING_FROM_0 &&
        strcmp(base, "auto") == 0)
        cli_remark(context, "%s has a feature 0: features are counted from 0, and X1 is feature 0",
                   name);
    return status;
}

tm_status cli_load(tm_dataset **out, const char *path, const tm_params *params,
                   const cli_context *context, tm_error *err)
{
    return cli_load_like(out, path, &(cli_like){.params = params}, context, err);
}

/* The reader options for the test data: all except the files that belong to the training data. */
static tm_status test_params(tm_params **out, const tm_params *params, const char *response,
                             const cli_context *context, tm_error *err)
{
    tm_status status = tm_params_copy(out, params, err);
    if (status != TM_OK)
        return status;
    status = tm_params_unset(*out, "response", err);
    if (status == TM_OK && response)
        status = tm_params_set_text(*out, "response", response, err);
    /* A file has numbers for the training rows only; a column is in both data sets. */
    for (int k = 0; status == TM_OK && k < 2; k++) {
        const char *name = k ? "offset" : "weights", *text = tm_params_text(params, name);
        if (!text || access(text, R_OK) != 0)
            continue;
        if (k == 1)
            return tm_fail(err, TM_EUSAGE,
                           "'--offset %.100s' is a file for the training rows, and the test needs "
                           "offsets too: make it a column of both files, or leave out --test",
                           text);
        status = tm_params_unset(*out, name, err);
        cli_remark(context,
                   "'--%s %.100s' is a file for the training rows: the test is scored with "
                   "every row counting once",
                   name, text);
    }
    return status;
}

tm_status cli_check_width(const tm_dataset *data, size_t wanted, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    if (p >= wanted || tm_dataset_feature_name(data, 0) || numbering(data) != TM_NUMBERING_NONE)
        return TM_OK;
    return tm_fail(err, TM_EDATA, "%s: %zu features beside the response; expected %zu",
                   tm_dataset_name(data), p, wanted);
}

tm_status cli_load_test(tm_dataset **out, const char *path, const tm_params *params,
                        const char *response, const tm_dataset *train, const cli_context *context,
                        tm_error *err)
{
    tm_params *own = NULL;
    tm_status status = test_params(&own, params, response, context, err);
    if (status == TM_OK)
        status = cli_load_like(
            out, path, &(cli_like){.params = own, .like = tm_dataset_reading(train)}, context, err);
    if (status == TM_OK && (status = cli_check_width(*out, tm_dataset_cols(train), err)) != TM_OK) {
        tm_dataset_unref(*out);
        *out = NULL;
    }
    tm_params_free(own);
    return status;
}

tm_status cli_hold_out(tm_dataset **data, tm_dataset **held, const char *text,
                       const cli_context *context, tm_error *err)
{
    char *end;
    double share = strtod(text, &end);
    if (end == text || *end != '\0' || !(share > 0 && share < 1))
        return tm_fail(err, TM_EUSAGE,
                       "'--holdout' is '%.40s'; expected a share of the rows between 0 and 1",
                       text);
    tm_dataset *train = NULL, *test = NULL;
    tm_split how = {
        .test = share, .stratify = tm_dataset_is_binary(*data), .seed = cli_seed(context)};
    tm_status status = tm_dataset_split(&train, &test, *data, &how, err);
    if (status != TM_OK)
        return status;
    tm_dataset_unref(*data);
    *data = train;
    *held = test;
    return TM_OK;
}
