#include "tui/widgets/charts.h"

#include "tui/time/timeline.h"
#include "tui/widgets/chart_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of script runs drawn with the explore view's own; more could not be
 * distinguished. */
enum { OVERLAYS = 6 };

/* ---- the charts ---------------------------------------------------------------------------- */

/* The chart being filled, and the sources of its series. */
typedef struct chart {
    chart_id id;
    plot_figure *figure;
    const explore_runs *e;
    const session *s;
    place_kind kind; /* kind of the form's path */
    tm_scorer by;    /* the metric of the scores */
} chart;

static tm_status level(plot_figure *figure, const char *name, double y, int colour, tm_error *err)
{
    double x = 0.0;
    return plot_figure_add(figure, &(plot_curve){name, PLOT_LEVEL, &x, &y, 1, colour}, NULL, err);
}

/* A path along B cannot be drawn on an axis of lambda. */
static bool on_axis(chart_id id, place_kind kind, const chart_run *run)
{
    return id != CHART_REJECTION || run->kind == kind;
}

static tm_status add_job(const chart *c, const tm_job *job, const char *name, int colour,
                         tm_error *err)
{
    chart_run run;
    run_scores *known = c->id == CHART_SCORE ? c->s->chosen.scores : NULL;
    tm_status status = chart_run_of_job(&run, job, known, &c->by, err);
    run.colour = colour;
    if (status == TM_OK && on_axis(c->id, c->kind, &run))
        status = chart_series_add(c->id, c->figure, &run, name, err);
    chart_run_free(&run);
    return status;
}

static bool of_path(chart_id id)
{
    return id == CHART_REJECTION || id == CHART_SCORE;
}

/* Runs on other data cannot be drawn on the same axes. */
static bool comparable(const explore_runs *e, const tm_job *job)
{
    const tm_dataset *train = tm_job_train(job);
    return e->train == NULL || (tm_dataset_cols(train) == tm_dataset_cols(e->train) &&
                                tm_dataset_is_binary(train) == tm_dataset_is_binary(e->train));
}

bool chart_stored_comparable(const explore_runs *e, const stored_run *run)
{
    return e->train == NULL || (size_t)run->p == tm_dataset_cols(e->train);
}

/* Charts against time show single solves, charts against lambda or numbers of features show
 * paths. */
static bool shows(chart_id id, size_t asked, size_t events)
{
    return of_path(id) ? asked > 1 : asked == 1 && events > 0;
}

static bool fits(chart_id id, const tm_job *job)
{
    const tm_event *events;
    return shows(id, tm_job_point_count(job), tm_trace_read(tm_job_trace(job), &events));
}

bool chart_fits_stored(chart_id id, const stored_run *run)
{
    return shows(id, (size_t)run->points, run->loaded.event_count);
}

/* Of the script's runs with one name, only the newest is drawn. */
static bool superseded(const session *s, chart_id id, size_t i)
{
    for (size_t k = i + 1; k < s->runs.count; k++)
        if (s->runs.at[k].colour == s->runs.at[i].colour && fits(id, s->runs.at[k].job))
            return true;
    return false;
}

static tm_status add_stored(const chart *c, const stored_run *stored, tm_error *err)
{
    chart_run run;
    tm_status status = chart_run_of_stored(&run, stored, err);
    if (status == TM_OK && on_axis(c->id, c->kind, &run))
        status = chart_series_add(c->id, c->figure, &run, stored->name, err);
    chart_run_free(&run);
    return status;
}

/* The store has a run's scores only by the default metric. */
static bool scored_alike(const chart *c)
{
    return c->id != CHART_SCORE || scores_at_hand(&c->by);
}

/* What the path whose time is looked at goes along, as a rule the form's; of the answer alone while
 * there is none. */
static place_kind path_kind(const explore_runs *e, const session *s)
{
    const tm_point *answer = explore_runs_answer(e);
    return timeline_points(s, e) > 0 ? timeline_kind(s, e) : place_kind_of(answer, answer ? 1 : 0);
}

/* Adds marked runs of the store, and of the session the marked runs, or the newest if none is
 * marked. */
static tm_status add_overlays(const chart *c, size_t *added, tm_error *err)
{
    const explore_runs *e = c->e;
    const session *s = c->s;
    size_t chosen[OVERLAYS] = {0};
    size_t count = 0;
    tm_status status = TM_OK;
    bool marked = session_marked(s) > 0;
    *added = 0;
    for (size_t i = s->stored.count; i > 0 && status == TM_OK && *added < OVERLAYS; i--) {
        const stored_run *stored = s->stored.runs[i - 1];
        if (stored->marked && !timeline_is(s, NULL, stored) && scored_alike(c) &&
            chart_fits_stored(c->id, stored) && chart_stored_comparable(e, stored)) {
            status = add_stored(c, stored, err);
            (*added)++;
        }
    }
    for (size_t i = s->runs.count; i > 0 && count + *added < OVERLAYS; i--) {
        const tm_job *job = s->runs.at[i - 1].job;
        bool wanted = marked ? s->runs.at[i - 1].marked : !superseded(s, c->id, i - 1);
        if (wanted && !timeline_is(s, job, NULL) && fits(c->id, job) && comparable(e, job))
            chosen[count++] = i - 1;
    }
    *added += count;
    while (count > 0 && status == TM_OK) { /* oldest first, as they were started */
        const session_run *run = &s->runs.at[chosen[--count]];
        status = add_job(c, run->job, tm_job_name(run->job), run->colour, err);
    }
    return status;
}

/* The run that was chosen to look at its time is always drawn, whatever it is. */
static tm_status add_timed(const chart *c, tm_error *err)
{
    const session_timed *timed = &c->s->chosen.timed;
    int colour = 0;
    if (timed->stored)
        return scored_alike(c) ? add_stored(c, timed->stored, err) : TM_OK;
    for (size_t i = 0; i < c->s->runs.count; i++)
        colour = c->s->runs.at[i].job == timed->job ? c->s->runs.at[i].colour : colour;
    return timed->job ? add_job(c, timed->job, tm_job_name(timed->job), colour, err) : TM_OK;
}

/* Whether it is on other data than what is explored: then nothing else belongs beside it. */
static bool timed_elsewhere(const chart *c)
{
    const session_timed *timed = &c->s->chosen.timed;
    return (timed->stored && !chart_stored_comparable(c->e, timed->stored)) ||
           (timed->job && !comparable(c->e, timed->job));
}

/* ---- kept runs ----------------------------------------------------------------------------- */

/* The position of an answer in a chart of paths. */
static bool place_answer(const chart *c, const tm_job *job, double *x, double *y)
{
    const tm_point *done;
    size_t last = tm_job_points(job, &done) - 1;
    *x = place_value(c->kind, &done[last].solution);
    *y = 1 - done[last].solution.screening.rejection;
    if (c->id == CHART_SCORE) {
        *x = (double)tm_model_nnz(done[last].solution.model);
        *y = scores_of(c->s->chosen.scores, &c->by, job, last);
    }
    return isfinite(*x) && isfinite(*y);
}

static tm_status add_point(const chart *c, const tm_job *job, const plot_curve *look, tm_error *err)
{
    const tm_point *done;
    double x, y;
    if (!job || tm_job_points(job, &done) == 0 || !place_answer(c, job, &x, &y))
        return TM_OK;
    plot_curve point = {look->name, PLOT_POINTS, &x, &y, 1, look->colour};
    return plot_figure_add(c->figure, &point, NULL, err);
}

/* Whether the form's own series in this chart is also the pin's. */
static bool drawn_as_own(chart_id id, const explore_runs *e, const pin *kept)
{
    return of_path(id) ? kept->path && kept->path == e->shown_path : kept->solve == e->shown;
}

/* In charts of paths adds the pin's path. If that is the form's path, which is drawn under the
 * pin's name (add_own), adds the answer, labelled by the pin's letter. */
static tm_status add_pins(const chart *c, tm_error *err)
{
    const explore_runs *e = c->e;
    chart_id id = c->id;
    tm_status status = TM_OK;
    for (size_t i = 0; i < e->pins.count && status == TM_OK; i++) {
        const pin *kept = &e->pins.at[i];
        const tm_job *job = of_path(id) ? kept->path : kept->solve;
        plot_curve look = {.name = kept->label, .colour = kept->colour};
        char letter[2] = {kept->label[0], '\0'};
        if (of_path(id) && drawn_as_own(id, e, kept))
            look = (plot_curve){.name = letter, .colour = -1};
        if (of_path(id) && (!job || drawn_as_own(id, e, kept)))
            status = add_point(c, kept->solve, &look, err);
        else if (!drawn_as_own(id, e, kept))
            status = add_job(c, job, kept->label, kept->colour, err);
    }
    return status;
}

/* Adds the last settings that were not pinned; the legend has one entry for all of them. */
static tm_status add_ghosts(const chart *c, tm_error *err)
{
    const explore_runs *e = c->e;
    tm_status status = TM_OK;
    for (size_t i = 0; i < e->pins.ghost_count && status == TM_OK; i++) {
        const char *name = i == 0 ? "before" : "";
        plot_curve look = {.name = name, .colour = PLOT_FAINT};
        status = of_path(c->id) ? add_point(c, e->pins.ghosts[i], &look, err)
                                : add_job(c, e->pins.ghosts[i], name, PLOT_FAINT, err);
    }
    return status;
}

/* The first pin whose series in this chart is the form's own, or NULL; writes the letters of all
 * such pins and their label to `name`. */
static const pin *own_pin(chart_id id, const explore_runs *e, char *name, size_t size)
{
    const pin *first = NULL;
    size_t used = 0;
    for (size_t i = 0; i < e->pins.count; i++) {
        const pin *kept = &e->pins.at[i];
        if (!drawn_as_own(id, e, kept))
            continue;
        first = first ? first : kept;
        used += (size_t)snprintf(name + used, size - used, "%c ", kept->label[0]);
    }
    if (first)
        snprintf(name + used, size - used, "%s", first->label + 2);
    return first;
}

/* The form's own run: under its pin's name and in its colour when it is pinned. */
static tm_status add_own(const chart *c, bool alone, tm_error *err)
{
    const explore_runs *e = c->e;
    const tm_job *own = of_path(c->id) ? e->shown_path : e->shown;
    char name[64];
    if (!own)
        return TM_OK;
    const pin *pinned = own_pin(c->id, e, name, sizeof name);
    if (pinned)
        return add_job(c, own, name, pinned->colour, err);
    /* A script's run may have the same name. */
    snprintf(name, sizeof name, "%s%s", alone ? "" : "form: ", tm_job_name(own));
    return add_job(c, own, name, 0, err);
}

/* Sets the axes for runs on data with this number of features (0: not known) along a path of this
 * kind. */
static void set_axes(chart_id id, plot_figure *figure, place_kind kind, size_t features,
                     bool log_time)
{
    plot_figure_clear(figure);
    plot_figure_legend(figure, true);
    plot_figure_whole(figure, id == CHART_SCORE || (id == CHART_REJECTION && kind != PLACE_LAMBDA),
                      id == CHART_ACTIVE);
    switch (id) {
    case CHART_GAP:
        plot_figure_labels(figure, "s", NULL);
        plot_figure_log(figure, log_time, true);
        plot_figure_xlim(figure, log_time ? NAN : 0.0, NAN);
        break;
    case CHART_ACTIVE:
        plot_figure_labels(figure, "s", NULL);
        plot_figure_log(figure, log_time, false);
        plot_figure_xlim(figure, log_time ? NAN : 0.0, NAN);
        plot_figure_ylim(figure, 0.0, NAN);
        break;
    case CHART_REJECTION:
        plot_figure_labels(figure, place_label(kind), NULL);
        /* Rejection is usually near 1, so the share of features that remain is more informative. */
        plot_figure_log(figure, true, true);
        plot_figure_ylim(figure, NAN, 1.0);
        plot_figure_floor(figure, features > 0 ? 0.5 / (double)features : 0);
        break;
    case CHART_SCORE:
        plot_figure_labels(figure, "features", NULL);
        plot_figure_log(figure, false, false);
        break;
    case CHART_COUNT:
        break;
    }
}

/* The answer of the form among the path's, unless it is pinned. */
static tm_status add_answer(const chart *c, tm_error *err)
{
    const explore_runs *e = c->e;
    plot_curve look = {.name = "now", .colour = 0};
    bool pinned = pins_find(&e->pins, e->answered) < PINS_MAX;
    return pinned ? TM_OK : add_point(c, e->answered, &look, err);
}

static tm_status add_goal(plot_figure *figure, const explore_runs *e, tm_error *err)
{
    double scale = e->shown ? tm_job_null_objective(e->shown) : NAN;
    const tm_params *params = e->shown ? tm_job_params(e->shown) : e->params;
    if (!isfinite(scale) || scale <= 0 || !tm_params_find(params, "tol", NULL))
        return TM_OK;
    return level(figure, "tol", tm_params_real(params, "tol") * scale, 7, err);
}

/* The score of the best constant prediction: models below it are useless. */
static tm_status add_constant(const chart *c, tm_error *err)
{
    const explore_runs *e = c->e;
    double score = e->test ? tm_scorer_constant(&c->by, e->train, e->test) : NAN;
    if (!isfinite(score))
        return TM_OK;
    return level(c->figure, c->by.metric->binary ? "majority" : "mean", score, 7, err);
}

/* A saved page has no frame with a title. */
static void caption(const chart *c)
{
    char what[80], title[200];
    const explore_runs *e = c->e;
    chart_title(c->id, e, c->s, what, sizeof what);
    snprintf(title, sizeof title, "%s of %s on %.80s", what, tm_method_id(e->method),
             e->train ? tm_dataset_name(e->train) : "no data");
    plot_figure_caption(c->figure, title, c->id == CHART_ACTIVE ? "features worked on" : what);
}

/* The form's own, and what lies beside it. */
static tm_status add_all(const chart *c, tm_error *err)
{
    size_t overlays = 0;
    const explore_runs *e = c->e;
    tm_status status = add_ghosts(c, err);
    if (status == TM_OK && c->id == CHART_GAP)
        status = add_goal(c->figure, e, err);
    if (status == TM_OK && c->id == CHART_SCORE)
        status = add_constant(c, err);
    if (status == TM_OK)
        status = add_overlays(c, &overlays, err);
    if (status == TM_OK)
        status = add_pins(c, err);
    bool alone = overlays + e->pins.count == 0 && !timeline_is_chosen(c->s);
    if (status == TM_OK)
        status = add_own(c, alone, err);
    return status == TM_OK && of_path(c->id) ? add_answer(c, err) : status;
}

tm_status chart_fill(chart_id id, plot_figure *figure, const explore_runs *e, const session *s,
                     bool log_time, tm_error *err)
{
    chart c = {id, figure, e, s, path_kind(e, s), scores_scorer(s->chosen.scores, e->train)};
    set_axes(id, figure, c.kind, e->train ? tm_dataset_cols(e->train) : 0, log_time);
    bool bounded = c.by.metric->binary && c.by.metric->greater_is_better;
    if (id == CHART_SCORE)
        plot_figure_ylim(figure, NAN, bounded ? 1.0 : NAN);
    tm_status status = timed_elsewhere(&c) ? TM_OK : add_all(&c, err);
    if (status == TM_OK)
        status = add_timed(&c, err);
    caption(&c);
    return status;
}

void chart_title(chart_id id, const explore_runs *e, const session *s, char *buffer, size_t size)
{
    static const char *const titles[CHART_COUNT] = {
        [CHART_GAP] = "duality gap",
        [CHART_ACTIVE] = "active set",
        [CHART_REJECTION] = "1 - rejection",
    };
    if (id == CHART_SCORE) {
        snprintf(buffer, size, "test %s", scores_scorer(s->chosen.scores, e->train).name);
    } else if (id == CHART_REJECTION) {
        bool lambda = path_kind(e, s) == PLACE_LAMBDA;
        snprintf(buffer, size, "%s by %s", titles[id],
                 lambda ? "lambda" : place_label(path_kind(e, s)));
    } else {
        snprintf(buffer, size, "%s", titles[id]);
    }
}

tm_status chart_stored_figure(chart_id id, const stored_run *stored, plot_figure **out,
                              tm_error *err)
{
    static const char *const titles[CHART_COUNT] = {
        [CHART_GAP] = "duality gap",
        [CHART_ACTIVE] = "active set",
        [CHART_REJECTION] = "1 - rejection",
        [CHART_SCORE] = "test score",
    };
    chart_run run;
    char title[160];
    plot_figure *figure = plot_figure_new();
    if (!figure)
        return tm_fail_memory(err, "a plot");
    tm_status status = chart_run_of_stored(&run, stored, err);
    if (status == TM_OK) {
        run.colour = 0; /* nothing else is drawn in this figure */
        set_axes(id, figure, run.kind, run.features, true);
        snprintf(title, sizeof title, "%s: %.60s on %.40s, run %lld of the store", titles[id],
                 stored->name, stored->data, (long long)stored->id);
        plot_figure_title(figure, title);
        status = chart_series_add(id, figure, &run, stored->name, err);
    }
    chart_run_free(&run);
    if (status != TM_OK) {
        plot_figure_free(figure);
        return status;
    }
    *out = figure;
    return TM_OK;
}
