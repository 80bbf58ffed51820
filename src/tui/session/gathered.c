/* What a session collects: runs, deleted runs, figures, names with their colours; and the classes
 * of its response. */
#include "tui/session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUNS_KEPT = 2000, /* each run holds its trace and models */
    DELETED_KEPT = 50,
    FIGURES_KEPT = 100,
    NAMES_KEPT = 64,
};

/* ---- runs ---------------------------------------------------------------------------------- */

static void drop_oldest_ended(session *s)
{
    for (size_t i = 0; i < s->runs.count; i++) {
        if (tm_job_ended(s->runs.at[i].job)) {
            tm_job_unref(s->runs.at[i].job);
            memmove(s->runs.at + i, s->runs.at + i + 1,
                    (s->runs.count - i - 1) * sizeof *s->runs.at);
            s->runs.count--;
            s->runs.dropped++;
            return;
        }
    }
}

/* Makes room for one more run. */
static bool reserve_run(session *s)
{
    if (s->runs.count < s->runs.capacity)
        return true;
    size_t capacity = s->runs.capacity == 0 ? 32 : s->runs.capacity * 2;
    session_run *grown = realloc(s->runs.at, capacity * sizeof *grown);
    if (!grown)
        return false;
    s->runs.at = grown;
    s->runs.capacity = capacity;
    return true;
}

void session_add_run(session *s, tm_job *job)
{
    if (s->runs.count >= RUNS_KEPT)
        drop_oldest_ended(s);
    if (reserve_run(s)) {
        s->runs.at[s->runs.count++] =
            (session_run){tm_job_ref(job), session_colour(s, tm_job_name(job)), false};
    }
}

bool session_delete_run(session *s, size_t i)
{
    if (!s->runs.deleted)
        s->runs.deleted = calloc(DELETED_KEPT, sizeof *s->runs.deleted);
    if (!s->runs.deleted)
        return false;
    if (s->runs.deleted_count == DELETED_KEPT) {
        tm_job_unref(s->runs.deleted[0].job);
        memmove(s->runs.deleted, s->runs.deleted + 1, (DELETED_KEPT - 1) * sizeof *s->runs.deleted);
        s->runs.deleted_count--;
    }
    s->runs.deleted[s->runs.deleted_count++] = s->runs.at[i];
    memmove(s->runs.at + i, s->runs.at + i + 1, (s->runs.count - i - 1) * sizeof *s->runs.at);
    s->runs.count--;
    return true;
}

/* Runs are kept in the order in which they were started. */
tm_job *session_restore_run(session *s)
{
    if (s->runs.deleted_count == 0 || !reserve_run(s))
        return NULL;
    session_run run = s->runs.deleted[--s->runs.deleted_count];
    size_t at = s->runs.count;
    while (at > 0 && tm_job_id(s->runs.at[at - 1].job) > tm_job_id(run.job))
        at--;
    memmove(s->runs.at + at + 1, s->runs.at + at, (s->runs.count - at) * sizeof *s->runs.at);
    s->runs.at[at] = run;
    s->runs.count++;
    return run.job;
}

size_t session_marked(const session *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->runs.count; i++)
        count += s->runs.at[i].marked ? 1 : 0;
    for (size_t i = 0; i < s->stored.count; i++)
        count += s->stored.runs[i]->marked ? 1 : 0;
    return count;
}

void session_unmark(session *s)
{
    for (size_t i = 0; i < s->runs.count; i++)
        s->runs.at[i].marked = false;
    for (size_t i = 0; i < s->stored.count; i++)
        s->stored.runs[i]->marked = false;
}

/* ---- figures ------------------------------------------------------------------------------- */

bool session_keep_figure(session *s, plot_figure *figure)
{
    if (s->figures.count >= FIGURES_KEPT)
        session_drop_figure(s, 0);
    if (s->figures.count == s->figures.capacity) {
        size_t capacity = s->figures.capacity == 0 ? 8 : s->figures.capacity * 2;
        plot_figure **grown = realloc(s->figures.at, capacity * sizeof(plot_figure *));
        if (!grown)
            return false;
        s->figures.at = grown;
        s->figures.capacity = capacity;
    }
    s->figures.at[s->figures.count++] = figure;
    return true;
}

tm_status session_add_figure(session *s, plot_figure *figure, tm_error *err)
{
    if (!session_keep_figure(s, figure)) {
        plot_figure_free(figure);
        return tm_fail_memory(err, "a plot");
    }
    s->pending |= NEWS_FIGURE;
    return TM_OK;
}

void session_drop_figure(session *s, size_t i)
{
    plot_figure_free(s->figures.at[i]);
    memmove(s->figures.at + i, s->figures.at + i + 1,
            (s->figures.count - i - 1) * sizeof(plot_figure *));
    s->figures.count--;
}

/* ---- colours ------------------------------------------------------------------------------- */

bool session_keep_name(session_names *names, const char *text)
{
    char *copy = strdup(text);
    char **grown = copy ? realloc(names->at, (names->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(copy);
        return false;
    }
    names->at = grown;
    names->at[names->count++] = copy;
    return true;
}

void session_free_names(session_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->at[i]);
    free(names->at);
    *names = (session_names){NULL, 0};
}

int session_colour(session *s, const char *name)
{
    for (size_t i = 0; i < s->names.count; i++)
        if (strcmp(s->names.at[i], name) == 0)
            return (int)i + 1;
    bool kept = s->names.count < NAMES_KEPT && session_keep_name(&s->names, name);
    return (int)s->names.count + (kept ? 0 : 1);
}

/* ---- classes ------------------------------------------------------------------------------- */

void session_free_classes(class_choice *choice)
{
    tm_classes_clear(&choice->all);
    free(choice->label);
    *choice = (class_choice){.label = NULL};
}

/* Whether the values look like classes: few distinct whole numbers, each occurring several times on
 * average. */
static bool look_like_classes(const tm_classes *c)
{
    enum { MAX_NUMBERS = 200, MIN_ROWS = 3 };
    size_t rows = 0;
    bool whole = c->count <= MAX_NUMBERS;
    for (size_t k = 0; k < c->count; k++) {
        whole = whole && c->values[k] == floor(c->values[k]);
        rows += c->sizes[k];
    }
    return whole && rows >= MIN_ROWS * c->count;
}

tm_status session_find_classes(class_choice *out, const tm_dataset *data, tm_error *err)
{
    tm_error why = TM_ERROR_INIT;
    size_t named;
    *out = (class_choice){.named = tm_dataset_class_names(data, &named) != NULL};
    tm_status status = tm_classes_find(&out->all, data, &why);
    if (status == TM_ENOMEM)
        return tm_fail(err, status, "%s", why.message);
    if (status != TM_OK || out->all.count < 3 || (!out->named && !look_like_classes(&out->all)))
        session_free_classes(out);
    return TM_OK;
}

/* Fits each class against the rest, with the form's method. */
static tm_status fit_all(session *s, const explore_runs *e, tm_error *err)
{
    tm_dataset *train = NULL, *test = NULL;
    tm_params *params = NULL;
    tm_split how = {.test = SESSION_TEST_SHARE, .seed = s->seed};
    if (s->ovr)
        return tm_fail(err, TM_EUSAGE, "all classes are being fitted already: Ctrl-C stops them");
    tm_status status = tm_dataset_split(&train, &test, s->data.source, &how, err);
    if (status == TM_OK)
        status = explore_runs_params(e, &params, err);
    tm_job_spec spec = TM_JOB_SPEC_INIT;
    spec.method = e->method;
    spec.params = params;
    spec.train = train;
    spec.test = test;
    if (status == TM_OK)
        status = tm_ovr_start(&s->ovr, s->pools.script, &spec, err);
    for (size_t k = 0; status == TM_OK && k < tm_ovr_count(s->ovr); k++) {
        tm_job *job = tm_job_ref(tm_ovr_job(s->ovr, k));
        if (s->recorder)
            s->recorder->started(job, s->recorder->payload);
        session_add_run(s, job);
        tm_job_unref(job);
    }
    tm_params_free(params);
    tm_dataset_unref(train);
    tm_dataset_unref(test);
    return status;
}

tm_status session_choose_class(session *s, const explore_runs *e, const char *label, bool *all,
                               tm_error *err)
{
    const class_choice *classes = &s->data.classes;
    bool none = label[0] == '\0' || strcmp(label, "-") == 0, every = strcmp(label, "all") == 0;
    if (all)
        *all = every;
    if (classes->all.count == 0)
        return tm_fail(err, TM_EUSAGE,
                       "the response has no more than two classes: there is none to "
                       "choose");
    if (every)
        return fit_all(s, e, err);
    if (none && classes->named)
        return tm_fail(err, TM_EUSAGE,
                       "the classes are texts, which no method takes as numbers: "
                       "choose one, or all");
    tm_dataset *source = tm_dataset_ref(s->data.source);
    char *copy = none ? NULL : strdup(label); /* `label` may point into the present choice */
    tm_status status = !none && !copy ? tm_fail_memory(err, "the class")
                                      : session_explore_class(s, source, copy, err);
    free(copy);
    tm_dataset_unref(source);
    return status;
}

/* One line of the table: a name, the number of features, and as many metrics as fit. */
static void note_line(session *s, const char *name, const char *features, const double *values,
                      const tm_ovr_scores *scores)
{
    enum { METRICS_SHOWN = 5 };
    char line[256];
    size_t used = (size_t)snprintf(line, sizeof line, "%-14.14s %8s", name, features);
    for (size_t m = 0; m < scores->metrics && m < METRICS_SHOWN; m++)
        if (!values)
            used += (size_t)snprintf(line + used, sizeof line - used, " %10.10s",
                                     scores->scorers[m].name);
        else if (isfinite(values[m]))
            used += (size_t)snprintf(line + used, sizeof line - used, " %10.4g", values[m]);
        else
            used += (size_t)snprintf(line + used, sizeof line - used, " %10s", "-");
    session_note(s, LINE_OUTPUT, line);
}

static void note_scores(session *s, const tm_ovr_scores *scores)
{
    char text[64];
    note_line(s, "class", "features", NULL, scores);
    for (size_t k = 0; k < scores->classes; k++) {
        const tm_point *points;
        const tm_job *job = tm_ovr_job(s->ovr, k);
        size_t count = tm_job_points(job, &points);
        if (count > 0)
            snprintf(text, sizeof text, "%zu", tm_model_nnz(points[count - 1].solution.model));
        note_line(s, tm_ovr_label(s->ovr, k),
                  count > 0 ? text : tm_job_state_name(tm_job_get_state(job)),
                  scores->values + k * scores->metrics, scores);
    }
    note_line(s, "macro average", "", scores->macro, scores);
    note_line(s, "micro average", "", scores->micro, scores);
    snprintf(text, sizeof text, "of the greatest score: %.4g right", scores->accuracy);
    session_note(s, LINE_OUTPUT, text);
}

unsigned session_update_classes(session *s)
{
    tm_ovr_scores scores;
    tm_error err = TM_ERROR_INIT;
    if (!s->ovr || !tm_ovr_ended(s->ovr))
        return 0;
    if (tm_ovr_score(&scores, s->ovr, true, &err) == TM_OK) {
        note_scores(s, &scores);
        tm_ovr_scores_clear(&scores);
    } else {
        session_note(s, LINE_ERROR, err.message);
    }
    tm_ovr_free(s->ovr);
    s->ovr = NULL;
    return NEWS_TEXT;
}
