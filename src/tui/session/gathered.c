/* What a session has gathered: runs, those deleted, figures, names that have a colour. */
#include "tui/session/session.h"

#include <stdlib.h>
#include <string.h>

enum {
    RUNS_KEPT = 2000, /* each holds its trace and models */
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

/* Room for one more. */
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

/* Runs lie in the order in which they were started. */
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
