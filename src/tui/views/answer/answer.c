#include "tui/views/answer/answer.h"

#include "run/model_size.h"
#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/time/timeline.h"
#include "tui/views/answer/difference.h"
#include "tui/widgets/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct weight {
    size_t feature;
    double value;
    double size; /* |weight| times its column's standard deviation, as the command line ranks
                  * features */
} weight;

static int compare_weights(const void *a, const void *b)
{
    const weight *left = a, *right = b;
    int order = (left->size < right->size) - (left->size > right->size);
    return order != 0 ? order : (left->feature > right->feature) - (left->feature < right->feature);
}

/* The `most` strongest weights in descending order; returns how many. Without data (NULL) their
 * columns' deviations are not known. */
static size_t strongest(const tm_model *model, const tm_dataset *data, weight *out, size_t most)
{
    size_t nnz = tm_model_nnz(model);
    weight *all = malloc((nnz > 0 ? nnz : 1) * sizeof *all);
    if (!all)
        return 0;
    for (size_t i = 0; i < nnz; i++) {
        size_t j = tm_model_features(model)[i];
        double value = tm_model_weights(model)[i];
        bool column = data && !tm_model_map(model) && j < tm_dataset_cols(data);
        double deviation = column ? sqrt(tm_dataset_deviations(data)[j]) : 1;
        all[i] = (weight){j, value, fabs(value) * deviation};
    }
    qsort(all, nnz, sizeof *all, compare_weights);
    size_t count = nnz < most ? nnz : most;
    memcpy(out, all, count * sizeof *all);
    free(all);
    return count;
}

/* The width for feature names: that of the longest name, as far as values and bars leave room. */
static int name_columns(const terminal *t, rect area, const tm_model *model, const weight *top,
                        size_t count)
{
    enum { VALUE = 9, BAR_MIN = 5, NAME_MIN = 6 };
    char label[128];
    int wanted = NAME_MIN, most = area.cols - VALUE - 1 - BAR_MIN;
    for (size_t i = 0; i < count; i++) {
        tm_model_feature_label(model, top[i].feature, label, sizeof label);
        int columns = cells_width(label, terminal_utf8(t));
        wanted = columns > wanted ? columns : wanted;
    }
    return wanted < most ? wanted : most > NAME_MIN ? most : NAME_MIN;
}

/* With `before`, the weights belong to an earlier answer than the one being computed. */
static void draw_weights(terminal *t, rect area, const tm_model *model, const tm_dataset *data,
                         bool before)
{
    terminal_style style = before ? STYLE_DIM : STYLE_NORMAL;
    weight top[ANSWER_FEATURES];
    size_t most =
        area.rows < ANSWER_FEATURES ? (size_t)(area.rows > 0 ? area.rows : 0) : ANSWER_FEATURES;
    size_t count = strongest(model, data, top, most);
    int names = name_columns(t, area, model, top, count);
    for (size_t i = 0; i < count; i++) {
        char label[128], value[32];
        int row = area.row + (int)i;
        terminal_put(t, row, area.col, names, style,
                     tm_model_feature_label(model, top[i].feature, label, sizeof label));
        snprintf(value, sizeof value, "%+.3g", top[i].value);
        terminal_put_right(t, row, area.col + names, 9, style, value);
        if (before)
            continue;
        int bar = area.col + names + 10;
        bar_draw(t, row, bar, area.col + area.cols - bar,
                 top[0].size > 0 ? top[i].size / top[0].size : 0, top[i].value < 0 ? 1 : 0,
                 top[i].value < 0);
    }
}

/* Two texts at the ends of a row, or in two rows if they do not fit; returns the number of rows. A
 * number is never cut, as its first digits would be another number. */
static int draw_pair(terminal *t, rect area, int row, terminal_style left_style, const char *left,
                     terminal_style right_style, const char *right)
{
    int used = cells_width(left, terminal_utf8(t));
    int wanted = cells_width(right, terminal_utf8(t));
    int rows = wanted == 0 || used + 1 + wanted <= area.cols ? 1 : 2;
    terminal_put(t, area.row + row, area.col, area.cols, left_style, left);
    if (row + rows <= area.rows && wanted <= area.cols)
        terminal_put_right(t, area.row + row + rows - 1, area.col, area.cols, right_style, right);
    return rows;
}

/* The rows below the first `from` ones. */
static rect rest_of(rect area, int from)
{
    return (rect){area.row + from, area.col, area.rows - from, area.cols};
}

/* A solve that is running or has failed: shows its state, and the features of the previous answer
 * dimmed. */
static void draw_unanswered(app *a, terminal *t, rect body, explore_stage stage)
{
    const explore_runs *e = app_explorer(a);
    const tm_point *answer = explore_runs_answer(e);
    char left[64], right[64] = "";
    double gap = explore_runs_gap(e);
    if (stage == EXPLORE_FAILED) {
        int from = draw_pair(t, body, 0, STYLE_ERROR, explore_stage_name(stage), STYLE_NORMAL, "");
        wrap_draw(t, rest_of(body, from), STYLE_ERROR, explore_runs_error(e)->message);
        return;
    }
    snprintf(left, sizeof left, "%s", explore_stage_name(stage));
    if (isfinite(gap))
        snprintf(right, sizeof right, "gap %.1e", gap);
    int from = draw_pair(t, body, 0, STYLE_BOLD, left, STYLE_BOLD, right);
    if (stage == EXPLORE_WORKING)
        app_wake(a, 0.5); /* the elapsed seconds change without news */
    if (body.rows > 3) {
        snprintf(right, sizeof right, "%.1f s", tm_job_seconds(e->solve));
        snprintf(left, sizeof left, "%s", stage == EXPLORE_WORKING ? "Ctrl-C ends it" : "");
        from += draw_pair(t, body, from, STYLE_DIM, left, STYLE_NORMAL, right);
    }
    if (!answer || body.rows <= from + 1)
        return;
    const tm_model *before = answer->solution.model;
    snprintf(left, sizeof left, "before: %zu %s", model_size(before), model_size_noun(before));
    from += draw_pair(t, body, from, STYLE_DIM, left, STYLE_DIM, "");
    draw_weights(t, rest_of(body, from), answer->solution.model, tm_job_train(e->answered), true);
}

void answer_score(app *a, char *out, size_t size)
{
    const explore_runs *e = app_explorer(a);
    run_scores *known = app_session(a)->chosen.scores;
    const tm_point *points;
    size_t count = e->answered ? tm_job_points(e->answered, &points) : 0;
    tm_scorer by = scores_scorer(known, e->train);
    double score = count > 0 ? scores_of(known, &by, e->answered, count - 1) : NAN;
    out[0] = '\0';
    if (isfinite(score))
        snprintf(out, size, "%s %.3g", scores_at_hand(&by) ? "test" : by.name, score);
}

/* Draws what the trace recorded for the moment shown; returns the number of rows used. */
static int draw_trace(terminal *t, rect body, const timeline *now, double seconds)
{
    const tm_event *last = NULL;
    double gap = NAN;
    for (size_t i = 0; i < now->event_count && now->events[i].seconds <= seconds; i++) {
        last = &now->events[i];
        bool checked = last->kind == TM_EVENT_CHECK || last->kind == TM_EVENT_POINT;
        gap = checked && isfinite(last->gap) ? last->gap : gap;
    }
    char left[64], right[64];
    snprintf(left, sizeof left, "at %.3g s", seconds);
    snprintf(right, sizeof right, isnan(gap) ? "no gap yet" : "gap %.1e", gap);
    int from = draw_pair(t, body, 0, STYLE_BOLD, left, STYLE_BOLD, right);
    if (now->event_count == 0)
        return from;
    snprintf(left, sizeof left, "%llu in", last ? (unsigned long long)last->active : 0);
    snprintf(right, sizeof right, "%.1f %% screened", last ? 100 * tm_event_rejection(last) : 0);
    from += draw_pair(t, body, from, STYLE_NORMAL, left, STYLE_NORMAL, right);
    if (!last || last->rejected == TM_NO_COUNT)
        return from;
    snprintf(left, sizeof left, "%llu rejected", (unsigned long long)last->rejected);
    snprintf(right, sizeof right, "%llu merged", (unsigned long long)last->aggregated);
    return from + draw_pair(t, body, from, STYLE_NORMAL, left, STYLE_NORMAL, right);
}

/* The run as it was at the moment that is looked at. The trace has no weights: below are those of
 * the path's point of this moment, or of the answer to come, dim. */
static void draw_moment(app *a, terminal *t, rect body, const timeline *now)
{
    const explore_runs *e = app_explorer(a);
    const session *s = app_session(a);
    const tm_dataset *data;
    char left[64];
    int from = draw_trace(t, body, now, app_moment(a) * now->seconds);
    bool there = e->point < timeline_points(s, e);
    const tm_model *model = timeline_model(s, e, there ? e->point : SIZE_MAX, &data);
    bool known = there && timeline_model(s, e, e->point, &data) != NULL;
    if (there && !known) { /* the weights are still being solved for, or their data are not here */
        place_facts at = timeline_place(s, e, e->point);
        snprintf(left, sizeof left, "path: %.0f %s", at.features,
                 at.features == 1 ? "feature" : "features");
        from += draw_pair(t, body, from, STYLE_NORMAL, left, STYLE_NORMAL, "");
        model = timeline_model(s, e, SIZE_MAX, &data);
    }
    if (!model)
        return;
    bool path = known && timeline_points(s, e) > 1;
    snprintf(left, sizeof left, "%s%zu %s",
             path    ? "path: "
             : known ? ""
                     : "in the end: ",
             model_size(model), model_size_noun(model));
    from += draw_pair(t, body, from, STYLE_DIM, left, STYLE_DIM, "");
    draw_weights(t, rest_of(body, from), model, data, !known);
}

void answer_draw(app *a, terminal *t, rect area)
{
    const explore_runs *e = app_explorer(a);
    const tm_point *answer = explore_runs_answer(e);
    explore_stage stage = explore_runs_stage(e);
    rect body = rect_inside(area);
    timeline now;
    bool chosen = timeline_is_chosen(app_session(a));
    /* Ordered neither by name nor by the numbers beside the names: a weight depends on the scale of
     * its column. */
    terminal_box(t, area,
                 area.cols >= 36 ? "answer, by |weight| x deviation" : "answer, by |w| x sd",
                 false);
    if (body.rows > 0 && chosen && timeline_now(&now, app_session(a), e)) {
        draw_moment(a, t, body, &now);
        return;
    }
    if (body.rows > 0 && stage != EXPLORE_ANSWERED) {
        draw_unanswered(a, t, body, stage);
        return;
    }
    if (body.rows <= 0 || !answer)
        return;
    bool past = !isnan(app_moment(a)) && app_moment(a) < 1;
    if (past && timeline_now(&now, app_session(a), e)) {
        draw_moment(a, t, body, &now);
        return;
    }
    const tm_solution *solution = &answer->solution;
    char left[64], right[64] = "";
    size_t used = (size_t)snprintf(left, sizeof left, "%zu %s", model_size(solution->model),
                                   model_size_noun(solution->model));
    size_t levels = tm_model_levels(solution->model);
    if (levels != TM_NO_LEVELS)
        snprintf(left + used, sizeof left - used, ", %zu level%s", levels, levels == 1 ? "" : "s");
    answer_score(a, right, sizeof right);
    int from = draw_pair(t, body, 0, STYLE_BOLD, left, STYLE_BOLD, right);
    if (body.rows > 7 && tm_job_remark(e->answered))
        from += wrap_draw(t, rest_of(body, from), STYLE_WARN, tm_job_remark(e->answered));
    if (body.rows > 3) {
        bool good = solution->outcome == TM_CONVERGED;
        snprintf(right, sizeof right, "%.2g s", solution->seconds);
        from += draw_pair(t, body, from, good ? STYLE_GOOD : STYLE_WARN,
                          tm_outcome_name(solution->outcome), STYLE_NORMAL, right);
    }
    if (body.rows > 7) {
        snprintf(left, sizeof left, "%.3g passes", solution->passes);
        snprintf(right, sizeof right, "%.1f %% screened", 100.0 * solution->screening.rejection);
        from += draw_pair(t, body, from, STYLE_NORMAL, left, STYLE_NORMAL, right);
    }
    int below = difference_draw(t, rest_of(body, from), e);
    body.rows -= below;
    draw_weights(t, rest_of(body, from), solution->model, tm_job_train(e->answered), false);
}
