#include "tui/views/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tm_status picture_open(picture *p, tm_error *err)
{
    *p = (picture){.marked = SIZE_MAX, .stale = true, .error = TM_ERROR_INIT};
    return pane_open(&p->pane, err);
}

void picture_close(picture *p)
{
    pane_close(&p->pane);
    layout_clear(&p->layout);
    levels_clear(&p->levels);
    free(p->weights);
    free(p->shape);
}

void picture_hide(picture *p)
{
    pane_hide(&p->pane);
    list_hide(&p->rows);
}

/* ---- what is drawn ------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static tm_status lay_out(picture *p, const tm_job *job, const char *shape, tm_error *err)
{
    char *copy = shape ? strdup(shape) : NULL;
    double *weights = calloc(tm_dataset_cols(tm_job_train(job)) + 1, sizeof *weights);
    if ((shape && !copy) || !weights) {
        free(copy);
        free(weights);
        return tm_fail_memory(err, "the picture");
    }
    free(p->shape);
    free(p->weights);
    p->shape = copy;
    p->weights = weights;
    p->job = job;
    p->model = NULL;
    p->marked = SIZE_MAX;
    p->slice = 0;
    p->error = (tm_error)TM_ERROR_INIT;
    pane_request(&p->pane, REQ_RESET);
    layout_make(&p->layout, job, shape, &p->error);
    return TM_OK;
}

/* Marks a feature and shows the slice that contains it. */
static void mark(picture *p, size_t feature)
{
    p->marked = feature;
    p->stale = true;
    if (p->layout.kind == LAYOUT_GRID && layout_sizes(&p->layout)[2] > 1) {
        const size_t *sizes = layout_sizes(&p->layout);
        p->slice = feature / (sizes[1] * sizes[2]);
    }
}

static void choose_level(picture *p, size_t row)
{
    if (row < p->levels.count)
        mark(p, p->levels.at[row].first);
}

tm_status picture_follow(picture *p, const tm_job *job, const tm_model *model, const char *shape,
                         tm_error *err)
{
    tm_status status = TM_OK;
    if (job != p->job || !same_text(shape, p->shape))
        status = lay_out(p, job, shape, err);
    if (status != TM_OK || model == p->model)
        return status;
    memset(p->weights, 0, p->layout.p * sizeof *p->weights);
    for (size_t i = 0; i < tm_model_nnz(model); i++)
        if (tm_model_features(model)[i] < p->layout.p)
            p->weights[tm_model_features(model)[i]] = tm_model_weights(model)[i];
    p->model = model;
    p->stale = true;
    status = levels_make(&p->levels, &p->layout, p->weights, err);
    list_resize(&p->rows, p->levels.count);
    if (status == TM_OK && p->marked == SIZE_MAX)
        choose_level(p, 0);
    if (status == TM_OK && p->marked != SIZE_MAX && p->levels.of[p->marked] != SIZE_MAX)
        p->rows.chosen = p->levels.of[p->marked];
    return status;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static size_t clamped(size_t at, long by, size_t count)
{
    long to = (long)at + by;
    return to < 0 ? 0 : to >= (long)count ? count - 1 : (size_t)to;
}

static void mark_and_choose(picture *p, size_t feature)
{
    mark(p, feature);
    if (p->levels.of && p->levels.of[feature] != SIZE_MAX)
        p->rows.chosen = p->levels.of[feature];
}

static bool is_picture(const picture *p)
{
    return p->layout.kind == LAYOUT_GRID;
}

static void move_mark(picture *p, long down, long right)
{
    size_t at = p->marked == SIZE_MAX ? 0 : p->marked;
    if (p->layout.p == 0)
        return;
    if (!is_picture(p)) {
        size_t place = clamped(layout_place(&p->layout, at), right, p->layout.p);
        mark_and_choose(p, layout_feature(&p->layout, place));
        return;
    }
    plot_slices s = plot_slices_of(layout_sizes(&p->layout), p->slice);
    size_t within = at % (s.high * s.wide), slice = at / (s.high * s.wide);
    size_t row = clamped(within / s.wide, down, s.high);
    size_t col = clamped(within % s.wide, right, s.wide);
    mark_and_choose(p, (slice * s.high + row) * s.wide + col);
}

/* Moves to the same place of another slice. */
static void move_slice(picture *p, long by)
{
    const size_t *sizes = layout_sizes(&p->layout);
    size_t area = sizes[1] * sizes[2], at = p->marked == SIZE_MAX ? 0 : p->marked;
    if (sizes[2] > 1)
        mark_and_choose(p, clamped(at / area, by, sizes[0]) * area + at % area);
}

static void show_slices(picture *p, bool all)
{
    p->all_slices = all;
    p->stale = true;
}

static bool plot_request(picture *p, int request)
{
    long steps = requests_steps(request);
    if (steps != 0) {
        move_mark(p, 0, steps);
        return true;
    }
    switch (request) {
    case REQ_PAN_UP:
    case REQ_PAN_DOWN:
        if (is_picture(p)) {
            move_mark(p, request == REQ_PAN_UP ? -1 : 1, 0);
            return true;
        }
        break;
    case REQ_NEXT:
    case REQ_PREVIOUS:
        if (is_picture(p))
            move_slice(p, request == REQ_NEXT ? 1 : -1);
        return true;
    case REQ_LOG_X: /* weights have both signs, and places cannot be on a logarithmic axis */
    case REQ_LOG_Y:
        return true;
    case REQ_FIRST:
    case REQ_LAST:
        if (p->layout.p > 0) {
            size_t place = request == REQ_FIRST ? 0 : p->layout.p - 1;
            mark_and_choose(p, layout_feature(&p->layout, place));
        }
        return true;
    case REQ_ZOOM:
        show_slices(p, !p->all_slices);
        return true;
    default:
        break;
    }
    return pane_request(&p->pane, request);
}

bool picture_request(picture *p, int request, bool in_plot)
{
    if (in_plot)
        return plot_request(p, request);
    if (request == REQ_NEXT || request == REQ_PREVIOUS || request == REQ_ALONE)
        return plot_request(p, request == REQ_ALONE ? REQ_ZOOM : request);
    bool moved = list_request(&p->rows, request);
    if (moved)
        choose_level(p, p->rows.chosen);
    return moved;
}

static bool click(picture *p, const key_event *key)
{
    const plot_frame *f = &p->pane.grid.frame;
    size_t row = (size_t)(key->row - p->pane.body.row), col = (size_t)(key->col - p->pane.body.col);
    size_t at_row, at_col;
    if (!plot_picture_at(f, row, col, &at_row, &at_col))
        return false;
    plot_slices s =
        plot_slices_of(layout_sizes(&p->layout), p->all_slices ? PLOT_NO_PLACE : p->slice);
    size_t place = plot_slices_at(&s, at_row, at_col);
    if (place != PLOT_NO_PLACE)
        mark_and_choose(p, place);
    return true;
}

bool picture_mouse(picture *p, int request, const key_event *key)
{
    if (request == REQ_CLICK && list_click(&p->rows, key)) {
        choose_level(p, p->rows.chosen);
        return true;
    }
    if (is_picture(p))
        return request == REQ_CLICK && pane_hit(&p->pane, key) && click(p, key);
    if (!pane_mouse(&p->pane, request, key))
        return false;
    if (request == REQ_CLICK && p->layout.p > 0) {
        double place = round(p->pane.cursor) - 1;
        place = fmin(fmax(place, 0), (double)p->layout.p - 1);
        mark_and_choose(p, layout_feature(&p->layout, (size_t)place));
    }
    return true;
}
