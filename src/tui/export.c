#include "tui/export.h"

#include "base/replace.h"
#include "base/text.h"
#include "plot/figure.h"
#include "tui/frame.h"
#include "tui/record/form_script.h"
#include "tui/session/features_csv.h"
#include "tui/widgets/charts.h"

#include <stdlib.h>
#include <string.h>

static tm_status write_chart(app *a, chart_id id, const char *path, tm_error *err)
{
    plot_figure *figure = plot_figure_new();
    tm_status status = figure ? TM_OK : tm_fail_memory(err, "a plot");
    scores_begin(a->session->chosen.scores, SIZE_MAX);
    if (status == TM_OK)
        status = chart_fill(id, figure, &a->explore_runs, a->session, true, err);
    if (status == TM_OK)
        status = plot_save(figure, path, err);
    plot_figure_free(figure);
    return status;
}

static tm_status write_gap(const char *path, void *payload, tm_error *err)
{
    return write_chart(payload, CHART_GAP, path, err);
}

static tm_status write_active(const char *path, void *payload, tm_error *err)
{
    return write_chart(payload, CHART_ACTIVE, path, err);
}

static tm_status write_rejection(const char *path, void *payload, tm_error *err)
{
    return write_chart(payload, CHART_REJECTION, path, err);
}

static tm_status write_score(const char *path, void *payload, tm_error *err)
{
    return write_chart(payload, CHART_SCORE, path, err);
}

/* Writes the features of the answer, in column order. */
static tm_status write_features(const char *path, void *payload, tm_error *err)
{
    app *a = payload;
    track t = TRACK_INIT;
    replacement file;
    if (!explore_runs_answer(&a->explore_runs))
        return tm_fail(err, TM_EUSAGE, "there is no answer yet whose features could be saved");
    tm_status status = track_follow(&t, a->explore_runs.answered, err);
    if (status == TM_OK)
        status = track_update(&t, err);
    if (status == TM_OK)
        status = replace_begin(&file, path, err);
    if (status == TM_OK) {
        features_csv(&t, t.count - 1, NULL, file.stream);
        status = replace_end(&file, TM_OK, err);
    }
    track_clear(&t);
    return status;
}

static tm_status write_screen(const char *path, void *payload, tm_error *err)
{
    app *a = payload;
    char *text = NULL;
    replacement file;
    tm_status status = frame_text(a, a->layout.view, false, &text, err);
    if (status == TM_OK)
        status = replace_begin(&file, path, err);
    if (status == TM_OK) {
        fputs(text, file.stream);
        status = replace_end(&file, TM_OK, err);
    }
    free(text);
    return status;
}

static tm_status write_session(const char *path, void *payload, tm_error *err)
{
    app *a = payload;
    return form_script_session(path, a->session, &a->explore_runs, view_infos[a->layout.view].name,
                               err);
}

static const struct {
    const char *name, *help, *file;
    app_writer *write;
} rows[] = {
    {"gap", "the plot of the duality gap", "gap.svg", write_gap},
    {"active", "the plot of the active set", "active.svg", write_active},
    {"rejection", "the plot of what screening left out", "rejection.svg", write_rejection},
    {"score", "the plot of the test score by features", "score.svg", write_score},
    {"features", "the answer's features and weights", "features.csv", write_features},
    {"screen", "the text of the screen", "screen.txt", write_screen},
    {"session", "the session as a Lua script that replays it", "session.lua", write_session},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

const char *export_name(size_t i)
{
    return i < ROWS ? rows[i].name : NULL;
}

const char *export_help(size_t i)
{
    return i < ROWS ? rows[i].help : NULL;
}

static const char *name_at(size_t i, const void *payload)
{
    (void)payload;
    return export_name(i);
}

void export_named(app *a, const char *name, const char *path)
{
    char question[80];
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        snprintf(question, sizeof question, "save %s as: ", rows[i].help);
        if (path)
            app_save_as(a, path, rows[i].write, a);
        else
            app_save(a, question, rows[i].file, rows[i].write, a);
        return;
    }
    const char *close = text_closest(name, name_at, NULL);
    app_message(a, STYLE_ERROR,
                "nothing to export is called '%.40s'%s%s%s; there are gap, active, rejection, "
                "score, features, screen, session",
                name, close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
}

void export_run(app *a, const char *argument)
{
    char name[64];
    size_t length = strcspn(argument, " ");
    const char *path = argument + length + strspn(argument + length, " ");
    snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, argument);
    export_named(a, name, path[0] != '\0' ? path : NULL);
}
