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
    for (size_t i = 0; i < s->run_count; i++) {
        if (tm_job_ended(s->runs[i].job)) {
            tm_job_unref(s->runs[i].job);
            memmove(s->runs + i, s->runs + i + 1, (s->run_count - i - 1) * sizeof *s->runs);
            s->run_count--;
            s->dropped++;
            return;
        }
    }
}

/* Room for one more. */
static bool reserve_run(session *s)
{
    if (s->run_count < s->run_room)
        return true;
    size_t room = s->run_room == 0 ? 32 : s->run_room * 2;
    session_run *grown = realloc(s->runs, room * sizeof *grown);
    if (!grown)
        return false;
    s->runs = grown;
    s->run_room = room;
    return true;
}

void session_add_run(session *s, tm_job *job)
{
    if (s->run_count >= RUNS_KEPT)
        drop_oldest_ended(s);
    if (reserve_run(s)) {
        s->runs[s->run_count++] =
            (session_run){tm_job_ref(job), session_colour(s, tm_job_name(job)), false};
    }
}

bool session_delete_run(session *s, size_t i)
{
    if (!s->deleted)
        s->deleted = calloc(DELETED_KEPT, sizeof *s->deleted);
    if (!s->deleted)
        return false;
    if (s->deleted_count == DELETED_KEPT) {
        tm_job_unref(s->deleted[0].job);
        memmove(s->deleted, s->deleted + 1, (DELETED_KEPT - 1) * sizeof *s->deleted);
        s->deleted_count--;
    }
    s->deleted[s->deleted_count++] = s->runs[i];
    memmove(s->runs + i, s->runs + i + 1, (s->run_count - i - 1) * sizeof *s->runs);
    s->run_count--;
    return true;
}

/* Runs lie in the order in which they were started. */
tm_job *session_restore_run(session *s)
{
    if (s->deleted_count == 0 || !reserve_run(s))
        return NULL;
    session_run run = s->deleted[--s->deleted_count];
    size_t at = s->run_count;
    while (at > 0 && tm_job_id(s->runs[at - 1].job) > tm_job_id(run.job))
        at--;
    memmove(s->runs + at + 1, s->runs + at, (s->run_count - at) * sizeof *s->runs);
    s->runs[at] = run;
    s->run_count++;
    return run.job;
}

size_t session_marked(const session *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->run_count; i++)
        count += s->runs[i].marked ? 1 : 0;
    for (size_t i = 0; i < s->stored.count; i++)
        count += s->stored.runs[i]->marked ? 1 : 0;
    return count;
}

void session_unmark(session *s)
{
    for (size_t i = 0; i < s->run_count; i++)
        s->runs[i].marked = false;
    for (size_t i = 0; i < s->stored.count; i++)
        s->stored.runs[i]->marked = false;
}

/* ---- figures ------------------------------------------------------------------------------- */

bool session_keep_figure(session *s, plot_figure *figure)
{
    if (s->figure_count >= FIGURES_KEPT)
        session_drop_figure(s, 0);
    if (s->figure_count == s->figure_room) {
        size_t room = s->figure_room == 0 ? 8 : s->figure_room * 2;
        plot_figure **grown = realloc(s->figures, room * sizeof(plot_figure *));
        if (!grown)
            return false;
        s->figures = grown;
        s->figure_room = room;
    }
    s->figures[s->figure_count++] = figure;
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
    plot_figure_free(s->figures[i]);
    memmove(s->figures + i, s->figures + i + 1, (s->figure_count - i - 1) * sizeof(plot_figure *));
    s->figure_count--;
}

/* ---- colours ------------------------------------------------------------------------------- */

int session_colour(session *s, const char *name)
{
    for (size_t i = 0; i < s->name_count; i++)
        if (strcmp(s->names[i], name) == 0)
            return (int)i + 1;
    char *copy = s->name_count < NAMES_KEPT ? strdup(name) : NULL;
    char **grown = copy ? realloc(s->names, (s->name_count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(copy);
        return (int)s->name_count + 1;
    }
    s->names = grown;
    s->names[s->name_count++] = copy;
    return (int)s->name_count;
}
