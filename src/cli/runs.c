/* tamis runs: what the run store keeps. */
#include "cli/runs.h"

#include "base/text.h"
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct runs_options {
    const char *method, *status, *older_than, *model;
    bool json, yes;
} runs_options;

typedef struct runs_request {
    tm_store *store;
    const runs_options *options;
    tm_store_filter filter;
    const cli_context *context;
} runs_request;

/* Options by action, so that none is read and ignored. */
enum { WITH_JSON = 1, WITH_FILTER = 2, WITH_MODEL = 4, WITH_YES = 8 };

typedef struct runs_action {
    const char *name;
    tm_store_mode mode;
    unsigned options;
    bool one_run; /* takes the number of a run */
    tm_status (*act)(const runs_request *request, tm_error *err);
} runs_action;

/* ---- actions ------------------------------------------------------------------------------- */

static tm_status list_runs(const runs_request *request, tm_error *err)
{
    return request->options->json ? runs_print_json(request->store, &request->filter, err)
                                  : runs_print_table(request->store, &request->filter, err);
}

static tm_status show_run(const runs_request *request, tm_error *err)
{
    cli_terminal terminal = cli_terminal_find(request->context);
    int64_t id = request->filter.id;
    return request->options->json ? runs_print_run_json(request->store, id, err)
                                  : runs_print_page(request->store, id, &terminal, err);
}

static tm_status export_run(const runs_request *request, tm_error *err)
{
    tm_model *model;
    if (!request->options->model)
        return runs_print_csv(request->store, request->filter.id, err);
    tm_status status = tm_store_model(request->store, request->filter.id, &model, err);
    if (status != TM_OK)
        return status;
    status = tm_model_save(model, request->options->model, err);
    tm_model_unref(model);
    return status;
}

static tm_status count_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    (void)err;
    if (strcmp(run->status, "running") != 0)
        ++*(size_t *)payload;
    return TM_OK;
}

static tm_status prune_runs(const runs_request *request, tm_error *err)
{
    const tm_store_filter *filter = &request->filter;
    size_t count = 0;
    if (!filter->method && !filter->status && !request->options->older_than)
        return tm_fail(err, TM_EUSAGE,
                       "say which runs: '--older-than DAYS', '--status S' or '--method M'");
    tm_status status = request->options->yes
                           ? tm_store_prune(request->store, filter, &count, err)
                           : tm_store_each_run(request->store, filter, count_run, &count, err);
    if (status != TM_OK)
        return status;
    printf("%zu run%s %s\n", count, count == 1 ? "" : "s",
           request->options->yes ? "deleted" : "would be deleted; '--yes' does it");
    return TM_OK;
}

static const runs_action actions[] = {
    {"list", TM_STORE_READ, WITH_JSON | WITH_FILTER, false, list_runs},
    {"show", TM_STORE_READ, WITH_JSON, true, show_run},
    {"export", TM_STORE_READ, WITH_MODEL, true, export_run},
    {"prune", TM_STORE_READ, WITH_FILTER | WITH_YES, false, prune_runs},
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* ---- the command line ---------------------------------------------------------------------- */

static const char *action_name(size_t i, const void *payload)
{
    (void)payload;
    return i < ACTIONS ? actions[i].name : NULL;
}

static const runs_action *find_action(const char *name, tm_error *err)
{
    for (size_t i = 0; i < ACTIONS; i++)
        if (strcmp(name, actions[i].name) == 0)
            return &actions[i];
    const char *close = text_closest(name, action_name, NULL);
    if (close)
        tm_fail(err, TM_EUSAGE, "there is no 'runs %.60s'; did you mean '%s'?", name, close);
    else
        tm_fail(err, TM_EUSAGE, "there is no 'runs %.60s': it is list, show, export or prune",
                name);
    return NULL;
}

static tm_status refuse_others(const runs_action *action, const runs_options *given, tm_error *err)
{
    const struct {
        bool given;
        unsigned option;
        const char *name;
    } all[] = {
        {given->json, WITH_JSON, "json"},
        {given->method != NULL, WITH_FILTER, "method"},
        {given->status != NULL, WITH_FILTER, "status"},
        {given->older_than != NULL, WITH_FILTER, "older-than"},
        {given->model != NULL, WITH_MODEL, "model"},
        {given->yes, WITH_YES, "yes"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given && !(action->options & all[i].option))
            return tm_fail(err, TM_EUSAGE, "'--%s' is not for 'runs %s'", all[i].name,
                           action->name);
    return TM_OK;
}

static tm_status read_filter(tm_store_filter *filter, const runs_options *given, tm_error *err)
{
    double days;
    *filter = (tm_store_filter){.method = given->method, .status = given->status};
    if (!given->older_than)
        return TM_OK;
    if (!text_to_real(given->older_than, &days) || !(days >= 0 && days <= 1e6))
        return tm_fail(err, TM_EUSAGE, "'--older-than %.40s': expected a number of days, 0 or more",
                       given->older_than);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    filter->before = fmax(seconds - days * 86400, 1); /* 0 would be no limit */
    return TM_OK;
}

static tm_status read_words(int64_t *id, const runs_action *action, const cli_arguments *arguments,
                            tm_error *err)
{
    long number = 0;
    size_t most = action->one_run ? 2 : 1;
    if (arguments->count > most)
        return tm_fail(err, TM_EUSAGE, "'runs %s' takes %s, not '%.60s' too", action->name,
                       action->one_run ? "one run" : "no more words", arguments->words[most]);
    if (!action->one_run)
        return TM_OK;
    if (arguments->count < 2)
        return tm_fail(err, TM_EUSAGE, "name a run by its number: tamis runs %s ID", action->name);
    if (!text_to_long(arguments->words[1], &number) || number < 1)
        return tm_fail(err, TM_EUSAGE, "'%.60s' is no run: 'tamis runs' lists their numbers",
                       arguments->words[1]);
    *id = number;
    return TM_OK;
}

static tm_status act(const runs_options *given, const cli_arguments *arguments,
                     const cli_context *context, tm_error *err)
{
    runs_request request = {.options = given, .context = context};
    const char *store = cli_store(context);
    bool usual = !store || strcmp(store, "default") == 0;
    const runs_action *action = find_action(arguments->count ? arguments->words[0] : "list", err);
    if (!action)
        return TM_EUSAGE;
    tm_status status = refuse_others(action, given, err);
    if (status == TM_OK)
        status = read_filter(&request.filter, given, err);
    if (status == TM_OK)
        status = read_words(&request.filter.id, action, arguments, err);
    if (status == TM_OK)
        status = tm_store_open(&request.store, usual ? NULL : store, action->mode, err);
    if (status == TM_OK)
        status = action->act(&request, err);
    tm_store_close(request.store);
    return status;
}

int cli_runs(cli_context *context, int argc, char **argv)
{
    runs_options given = {0};
    const cli_option options[] = {
        {"json", NULL, "list, show: print one JSON object", &given.json, NULL},
        {"method", "M", "list, prune: runs of this method", NULL, &given.method},
        {"status", "S",
         "list, prune: running, interrupted, converged, max_iter, cancelled or failed", NULL,
         &given.status},
        {"older-than", "DAYS", "list, prune: runs begun more than so many days ago", NULL,
         &given.older_than},
        {"model", "OUT", "export: save the model of the last point instead", NULL, &given.model},
        {"yes", NULL, "prune: delete, and do not only count", &given.yes, NULL},
    };
    const cli_syntax syntax = {
        .command = "runs",
        .usage = "runs [list | show ID | export ID | prune] [OPTION...]",
        .summary = "The runs that '--store' of fit, run, eval and repl has recorded: a list of "
                   "them; one with its\nparameters and points; its points as CSV; or deleting "
                   "those that are old or of a status. A run\nwhose program died is "
                   "'interrupted'.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    cli_arguments arguments;
    tm_error err;
    if (cli_parse(&syntax, context, argc, argv, &arguments, &err) != TM_OK)
        return cli_fail("runs", &err);
    if (arguments.help) {
        cli_print_help(&syntax, context);
        return cli_finish("runs", CLI_DONE);
    }
    if (act(&given, &arguments, context, &err) != TM_OK)
        return cli_fail("runs", &err);
    return cli_finish("runs", CLI_DONE);
}
