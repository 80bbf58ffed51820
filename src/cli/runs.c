/* tamis runs: the contents of the run store. */
#include "cli/print/runs.h"
#include "cli/commands.h"
#include "cli/common/settings.h"
#include "cli/print/messages.h"

#include "base/text.h"
#include "cli/common/options.h"
#include "cli/print/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct runs_options {
    const char *method, *status, *older_than, *name, *model, *tag, *note;
    bool json, yes;
} runs_options;

/* The words after the action: numbers of runs ("3"), the number of a sweep ("s3"), or names of
 * stores. */
typedef struct runs_request {
    tm_store *store;
    const runs_options *options;
    tm_store_filter filter; /* its id is that of the run, if one is named */
    int64_t sweep;          /* the sweep's number; 0: none is named */
    char *const *words;
    size_t word_count;
    const cli_context *context;
} runs_request;

/* The options of each action, so that none is parsed and ignored. */
enum { WITH_JSON = 1, WITH_FILTER = 2, WITH_MODEL = 4, WITH_YES = 8, WITH_LABEL = 16 };

typedef enum runs_words {
    WORDS_NONE,
    WORDS_ID,       /* one run or sweep */
    WORDS_MAYBE_ID, /* a sweep, or nothing */
    WORDS_RUNS,     /* two runs or more */
    WORDS_FILES,    /* one file or more */
    WORDS_TAGS,     /* one run or sweep, then tags */
    WORDS_NOTE,     /* one run or sweep, then optionally a text */
} runs_words;

typedef struct runs_action {
    const char *name;
    tm_store_mode mode;
    unsigned options;
    runs_words words;
    tm_status (*act)(const runs_request *request, tm_error *err);
} runs_action;

/* ---- actions ------------------------------------------------------------------------------- */

static tm_status list_runs(const runs_request *request, tm_error *err)
{
    return request->options->json ? runs_print_json(request->store, &request->filter, err)
                                  : runs_print_table(request->store, &request->filter, err);
}

static tm_status list_sweeps(const runs_request *request, tm_error *err)
{
    return request->options->json ? sweep_print_list_json(request->store, &request->filter, err)
                                  : sweep_print_list(request->store, &request->filter, err);
}

static tm_status show_run(const runs_request *request, tm_error *err)
{
    cli_terminal terminal = cli_terminal_find(request->context);
    int64_t id = request->filter.id;
    if (request->sweep > 0)
        return request->options->json
                   ? sweep_print_json(request->store, request->sweep, err)
                   : sweep_print_page(request->store, request->sweep, &terminal, err);
    return request->options->json ? runs_print_run_json(request->store, id, err)
                                  : runs_print_page(request->store, id, &terminal, err);
}

static tm_status export_run(const runs_request *request, tm_error *err)
{
    tm_model *model;
    if (request->sweep > 0 && request->options->model)
        return tm_fail(err, TM_EUSAGE, "'--model' is for runs: a sweep keeps no models");
    if (request->sweep > 0)
        return request->options->json ? sweep_print_json(request->store, request->sweep, err)
                                      : sweep_print_csv(request->store, request->sweep, err);
    if (request->options->json)
        return runs_print_run_json(request->store, request->filter.id, err);
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

static tm_status pass_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    (void)err;
    *(bool *)payload = sweep->id > 0;
    return TM_OK;
}

static tm_status prune_sweep(const runs_request *request, tm_error *err)
{
    bool found = false;
    bool yes = request->options->yes;
    tm_status status =
        yes ? tm_store_delete_sweep(request->store, request->sweep, err)
            : tm_store_each_sweep(request->store, request->sweep, pass_sweep, &found, err);
    if (status == TM_OK && !yes && !found)
        return tm_fail(err, TM_EUSAGE, "there is no sweep s%lld", (long long)request->sweep);
    if (status == TM_OK)
        printf("1 sweep %s\n", yes ? "deleted" : "would be deleted; '--yes' does it");
    return status;
}

static tm_status prune_runs(const runs_request *request, tm_error *err)
{
    const tm_store_filter *filter = &request->filter;
    size_t count = 0;
    if (request->sweep > 0)
        return prune_sweep(request, err);
    if (!filter->method && !filter->status && !request->options->older_than && !filter->name &&
        !filter->tag && !filter->note)
        return tm_fail(err, TM_EUSAGE,
                       "say which runs: '--older-than DAYS', '--status S', '--method M', '--name "
                       "PART', '--tag T' or '--note PART'; or a sweep: s3");
    tm_status status = request->options->yes
                           ? tm_store_prune(request->store, filter, &count, err)
                           : tm_store_each_run(request->store, filter, count_run, &count, err);
    if (status != TM_OK)
        return status;
    printf("%zu run%s %s\n", count, count == 1 ? "" : "s",
           request->options->yes ? "deleted" : "would be deleted; '--yes' does it");
    return TM_OK;
}

static tm_status compare_runs(const runs_request *request, tm_error *err)
{
    tm_status status = TM_OK;
    int64_t *ids = calloc(request->word_count, sizeof *ids);
    if (!ids)
        return tm_fail_memory(err, "the runs to compare");
    for (size_t i = 0; i < request->word_count; i++) {
        long number;
        if (!text_to_long(request->words[i], &number) || number < 1) {
            status = tm_fail(err, TM_EUSAGE, "'%.60s' is no run: 'tamis runs' lists their numbers",
                             request->words[i]);
            goto done;
        }
        ids[i] = number;
    }
    status = runs_compare(request->store, ids, request->word_count, request->options->json, err);
done:
    free(ids);
    return status;
}

/* ---- tags and notes ------------------------------------------------------------------------ */

static tm_status keep_label(const tm_stored_label *label, tm_annotation *out, tm_error *err)
{
    const tm_annotation from = {(char *)(uintptr_t)label->tags, (char *)(uintptr_t)label->note};
    return tm_annotation_copy(out, &from, err);
}

static tm_status label_of_run(const tm_stored_run *run, void *payload, tm_error *err)
{
    return keep_label(&run->label, payload, err);
}

static tm_status label_of_sweep(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    return keep_label(&sweep->label, payload, err);
}

typedef tm_status change(tm_annotation *label, const char *word, tm_error *err);

/* Each word after the number of the run or sweep changes the label; without words, "" is used. */
static tm_status change_label(const runs_request *request, change *by, tm_error *err)
{
    bool sweep = request->sweep > 0;
    int64_t id = sweep ? request->sweep : request->filter.id;
    tm_annotation label = {NULL, NULL};
    tm_status status = sweep ? tm_store_each_sweep(request->store, id, label_of_sweep, &label, err)
                             : tm_store_get(request->store, id, label_of_run, &label, err);
    if (status == TM_OK && request->word_count == 1)
        status = by(&label, "", err);
    for (size_t i = 1; status == TM_OK && i < request->word_count; i++)
        status = by(&label, request->words[i], err);
    if (status == TM_OK)
        status = tm_store_annotate(request->store, sweep ? TM_STORED_SWEEP : TM_STORED_RUN, id,
                                   &label, err);
    tm_annotation_clear(&label);
    return status;
}

static tm_status remove_tag(tm_annotation *label, const char *word, tm_error *err)
{
    return tm_annotation_remove(label, word)
               ? TM_OK
               : tm_fail(err, TM_EUSAGE, "'%.80s' is none of its tags: %s", word,
                         label->tags && label->tags[0] ? label->tags : "it has none");
}

static tm_status tag_run(const runs_request *request, tm_error *err)
{
    return change_label(request, tm_annotation_add, err);
}

static tm_status untag_run(const runs_request *request, tm_error *err)
{
    return change_label(request, remove_tag, err);
}

static tm_status note_run(const runs_request *request, tm_error *err)
{
    return change_label(request, tm_annotation_set_note, err);
}

static tm_status merge_stores(const runs_request *request, tm_error *err)
{
    for (size_t i = 0; i < request->word_count; i++) {
        tm_merge_counts added;
        tm_status status = tm_store_merge(request->store, request->words[i], &added, err);
        if (status != TM_OK)
            return status;
        printf("%s: %zu runs, %zu sweeps, %zu tasks added\n", request->words[i], added.runs,
               added.sweeps, added.tasks);
    }
    return TM_OK;
}

static tm_status vacuum(const runs_request *request, tm_error *err)
{
    return tm_store_vacuum(request->store, err);
}

static const runs_action actions[] = {
    {"list", TM_STORE_READ, WITH_JSON | WITH_FILTER | WITH_LABEL, WORDS_NONE, list_runs},
    {"sweeps", TM_STORE_READ, WITH_JSON | WITH_LABEL, WORDS_NONE, list_sweeps},
    {"show", TM_STORE_READ, WITH_JSON, WORDS_ID, show_run},
    {"compare", TM_STORE_READ, WITH_JSON, WORDS_RUNS, compare_runs},
    {"export", TM_STORE_READ, WITH_MODEL | WITH_JSON, WORDS_ID, export_run},
    {"tag", TM_STORE_READ, 0, WORDS_TAGS, tag_run},
    {"untag", TM_STORE_READ, 0, WORDS_TAGS, untag_run},
    {"note", TM_STORE_READ, 0, WORDS_NOTE, note_run},
    {"merge", TM_STORE_WRITE, 0, WORDS_FILES, merge_stores},
    {"prune", TM_STORE_READ, WITH_FILTER | WITH_LABEL | WITH_YES, WORDS_MAYBE_ID, prune_runs},
    {"vacuum", TM_STORE_READ, 0, WORDS_NONE, vacuum},
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
        tm_fail(err, TM_EUSAGE,
                "there is no 'runs %.60s': it is list, sweeps, show, compare, export, tag, untag, "
                "note, merge, prune or vacuum",
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
        {given->name != NULL, WITH_LABEL, "name"},
        {given->tag != NULL, WITH_LABEL, "tag"},
        {given->note != NULL, WITH_LABEL, "note"},
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
    *filter = (tm_store_filter){.method = given->method,
                                .status = given->status,
                                .name = given->name,
                                .tag = given->tag,
                                .note = given->note};
    if (!given->older_than)
        return TM_OK;
    if (!text_to_real(given->older_than, &days) || !(days >= 0 && days <= 1e6))
        return tm_fail(err, TM_EUSAGE, "'--older-than %.40s': expected a number of days, 0 or more",
                       given->older_than);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    filter->before = fmax(seconds - days * 86400, 1); /* 0 would mean no limit */
    return TM_OK;
}

static tm_status read_id(runs_request *request, const char *word, tm_error *err)
{
    long number = 0;
    bool sweep = word[0] == 's';
    if (!text_to_long(word + sweep, &number) || number < 1)
        return tm_fail(
            err, TM_EUSAGE,
            "'%.60s' is no run: 'tamis runs' lists their numbers, 'tamis runs sweeps' those "
            "of sweeps (s3)",
            word);
    *(sweep ? &request->sweep : &request->filter.id) = number;
    return TM_OK;
}

static tm_status read_words(runs_request *request, const runs_action *action,
                            const cli_arguments *arguments, tm_error *err)
{
    static const struct {
        size_t least, most;
        const char *takes, *missing;
    } rules[] = {
        [WORDS_NONE] = {0, 0, "no more words", ""},
        [WORDS_ID] = {1, 1, "one run or sweep",
                      "name a run by its number, or a sweep by s and its number"},
        [WORDS_MAYBE_ID] = {0, 1, "one sweep", ""},
        [WORDS_RUNS] = {2, 1000, "up to 1000 runs", "name two runs or more by their numbers"},
        [WORDS_FILES] = {1, SIZE_MAX, "", "name the stores to add"},
        [WORDS_TAGS] = {2, SIZE_MAX, "", "name a run (3) or a sweep (s3), and then tags"},
        [WORDS_NOTE] = {1, 2, "one run or sweep and one text", "name a run (3) or a sweep (s3)"},
    };
    size_t count = arguments->count > 0 ? arguments->count - 1 : 0;
    request->words = arguments->words + 1;
    request->word_count = count;
    if (count > rules[action->words].most)
        return tm_fail(err, TM_EUSAGE, "'runs %s' takes %s, not '%.60s' too", action->name,
                       rules[action->words].takes, request->words[rules[action->words].most]);
    if (count < rules[action->words].least)
        return tm_fail(err, TM_EUSAGE, "%s: tamis runs %s", rules[action->words].missing,
                       action->name);
    bool id = action->words == WORDS_ID || action->words == WORDS_MAYBE_ID ||
              action->words == WORDS_TAGS || action->words == WORDS_NOTE;
    tm_status status = id && count >= 1 ? read_id(request, request->words[0], err) : TM_OK;
    if (status == TM_OK && action->words == WORDS_MAYBE_ID && count == 1 && request->sweep == 0)
        return tm_fail(err, TM_EUSAGE, "'runs %s' takes a sweep (s3), or runs by options",
                       action->name);
    return status;
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
        status = read_words(&request, action, arguments, err);
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
        {"json", NULL, "list, sweeps, show, compare, export: print one JSON object", &given.json,
         NULL},
        {"name", "PART", "list, sweeps, prune: those whose name has this in it", NULL, &given.name},
        {"tag", "T", "list, sweeps, prune: those with this tag", NULL, &given.tag},
        {"note", "PART", "list, sweeps, prune: those whose note has this in it", NULL, &given.note},
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
        .usage = "runs [list | sweeps | show ID | compare ID ID... | export ID | tag ID T... | "
                 "untag ID T... | note ID [TEXT] | merge DB... | prune [sID] | vacuum] "
                 "[OPTION...]",
        .summary =
            "The runs and sweeps that '--store' of fit, run, eval and repl has recorded: lists of "
            "them; one with its parameters and results (a sweep's ID is s and its number); "
            "several side by side; as CSV or JSON; tags and notes on them ('note ID' without a "
            "text takes it off); adding those of other stores; deleting those "
            "that are old or of a status, or a sweep; giving room back to the disk. A run whose "
            "program died is 'interrupted'.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    cli_arguments arguments;
    int done;
    tm_error err;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (act(&given, &arguments, context, &err) != TM_OK)
        return cli_fail("runs", &err);
    return cli_finish("runs", CLI_DONE);
}
