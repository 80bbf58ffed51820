#include "tui/widgets/pane.h"

#include <math.h>
#include <string.h>

/* The factors of one key press or wheel step, relative to the range shown. */
static const double zoom_step = 0.7, wheel_step = 0.85, pan_step = 0.25;

tm_status pane_open(pane *p, tm_error *err)
{
    *p = (pane){.grid = PLOT_GRID_INIT, .stale = true, .cursor = NAN};
    p->x[0] = p->x[1] = p->y[0] = p->y[1] = NAN;
    p->press_row = p->press_col = p->drag_row = p->drag_col = -1;
    p->figure = plot_figure_new();
    return p->figure ? TM_OK : tm_fail_memory(err, "a plot");
}

void pane_close(pane *p)
{
    plot_figure_free(p->figure);
    plot_grid_free(&p->grid);
    p->figure = NULL;
}

void pane_hide(pane *p)
{
    p->body = (rect){0, 0, 0, 0};
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* Toggles the flips of the figure's axes; a second call restores them. */
static void flip(const pane *p)
{
    bool x, y;
    plot_figure_is_log(p->figure, &x, &y);
    plot_figure_log(p->figure, x != p->flip_x, y != p->flip_y);
}

static tm_status render(pane *p, const terminal *t, tm_error *err)
{
    bool utf8 = terminal_utf8(t);
    p->shades = terminal_shades(t);
    plot_figure_shades(p->figure, p->shades);
    flip(p);
    plot_figure_zoom(p->figure, p->x, p->y);
    plot_figure_cursor(p->figure, p->cursor);
    tm_status status =
        plot_draw_text(p->figure, (size_t)p->body.rows, (size_t)p->body.cols, utf8, &p->grid, err);
    flip(p);
    return status;
}

tm_status pane_save(const char *path, void *payload, tm_error *err)
{
    pane *p = payload;
    flip(p);
    tm_status status = plot_save(p->figure, path, err);
    flip(p);
    return status;
}

/* Draws the corners of the box being dragged. */
static void draw_drag(const pane *p, terminal *t)
{
    if (p->drag_row >= 0) {
        const char *corner = terminal_pick(t, "╋", "#");
        terminal_put(t, p->press_row, p->press_col, 1, STYLE_SELECTED, corner);
        terminal_put(t, p->drag_row, p->drag_col, 1, STYLE_SELECTED, corner);
        terminal_put(t, p->press_row, p->drag_col, 1, STYLE_SELECTED, corner);
        terminal_put(t, p->drag_row, p->press_col, 1, STYLE_SELECTED, corner);
    }
}

tm_status pane_draw(pane *p, terminal *t, rect body, tm_error *err)
{
    tm_status status = TM_OK;
    bool resized = (int)p->grid.rows != body.rows || (int)p->grid.cols != body.cols;
    p->body = body;
    if (body.rows <= 0 || body.cols <= 0)
        return TM_OK;
    if (p->stale || resized || p->shades != terminal_shades(t)) {
        status = render(p, t, err);
        p->stale = status != TM_OK;
    }
    if (status == TM_OK) {
        terminal_grid(t, body.row, body.col, &p->grid);
        draw_drag(p, t);
    } else {
        terminal_put(t, body.row, body.col, body.cols, STYLE_ERROR, err->message);
    }
    return status;
}

/* ---- looking into it ----------------------------------------------------------------------- */

bool pane_zoomed(const pane *p)
{
    return isfinite(p->x[0]) || isfinite(p->x[1]) || isfinite(p->y[0]) || isfinite(p->y[1]);
}

/* Restricts an axis to the part between two shares of its present range. */
static void show_part(double shown[2], const double ends[2], bool logarithmic, double from,
                      double to)
{
    double low = plot_frame_value(ends, logarithmic, from);
    double high = plot_frame_value(ends, logarithmic, to);
    bool distinct = fabs(high - low) > 1e-12 * fmax(fabs(high), fabs(low));
    if (isfinite(low) && isfinite(high) && distinct && (!logarithmic || (low > 0 && high > 0))) {
        shown[0] = low;
        shown[1] = high;
    }
}

static void zoom(pane *p, double at_x, double at_y, double factor)
{
    const plot_frame *f = &p->grid.frame;
    show_part(p->x, f->x, f->xlog, at_x - at_x * factor, at_x + (1 - at_x) * factor);
    show_part(p->y, f->y, f->ylog, at_y - at_y * factor, at_y + (1 - at_y) * factor);
    p->stale = true;
}

static void pan(pane *p, double by_x, double by_y)
{
    const plot_frame *f = &p->grid.frame;
    if (by_x != 0)
        show_part(p->x, f->x, f->xlog, by_x, 1 + by_x);
    if (by_y != 0)
        show_part(p->y, f->y, f->ylog, by_y, 1 + by_y);
    p->stale = true;
}

static double cursor_share(const pane *p)
{
    const plot_frame *f = &p->grid.frame;
    double share = plot_frame_share(f->x, f->xlog, p->cursor);
    return share >= 0 && share <= 1 ? share : 0.5;
}

/* Moves the cursor by whole columns, starting from the middle if it was not visible. */
static void move_cursor(pane *p, double columns)
{
    const plot_frame *f = &p->grid.frame;
    double share = cursor_share(p) + columns / (double)(f->cols > 1 ? f->cols - 1 : 1);
    pane_set_cursor(p, plot_frame_value(f->x, f->xlog, fmin(fmax(share, 0), 1)));
}

static void reset(pane *p)
{
    p->x[0] = p->x[1] = p->y[0] = p->y[1] = NAN;
    p->flip_x = p->flip_y = false;
    p->stale = true;
}

void pane_set_cursor(pane *p, double x)
{
    bool same = p->cursor == x || (isnan(x) && isnan(p->cursor));
    p->stale = p->stale || !same;
    p->cursor = x;
}

void pane_follow_x(pane *p, const pane *other)
{
    if (memcmp(p->x, other->x, sizeof p->x) != 0) {
        memcpy(p->x, other->x, sizeof p->x);
        p->stale = true;
    }
}

bool pane_request(pane *p, int request)
{
    if (p->grid.frame.cols == 0)
        return request >= REQ_ZOOM_IN && request <= REQ_LOG_Y;
    long steps = requests_steps(request);
    if (steps != 0) {
        move_cursor(p, (double)steps);
        return true;
    }
    switch (request) {
    case REQ_FIRST:
    case REQ_LAST:
        move_cursor(p, request == REQ_FIRST ? -1e6 : 1e6);
        return true;
    case REQ_ZOOM_IN:
    case REQ_ZOOM_OUT:
        zoom(p, cursor_share(p), 0.5, request == REQ_ZOOM_IN ? zoom_step : 1 / zoom_step);
        return true;
    case REQ_PAN_LEFT:
    case REQ_PAN_RIGHT:
        pan(p, request == REQ_PAN_LEFT ? -pan_step : pan_step, 0);
        return true;
    case REQ_PAN_UP:
    case REQ_PAN_DOWN:
        pan(p, 0, request == REQ_PAN_UP ? pan_step : -pan_step);
        return true;
    case REQ_RESET:
        reset(p);
        return true;
    case REQ_LOG_X:
        p->flip_x = !p->flip_x;
        p->stale = true;
        return true;
    case REQ_LOG_Y:
        p->flip_y = !p->flip_y;
        p->stale = true;
        return true;
    default:
        return false;
    }
}

/* ---- the mouse ----------------------------------------------------------------------------- */

bool pane_hit(const pane *p, const key_event *key)
{
    return rect_has(p->body, key->row, key->col);
}

/* The centre of a cell in the plot area, as shares; y counts from below. */
static void shares_of(const pane *p, int row, int col, double *x, double *y)
{
    const plot_frame *f = &p->grid.frame;
    double column = (double)(col - p->body.col) - (double)f->col;
    double line = (double)(row - p->body.row) - (double)f->row;
    *x = fmin(fmax(column / (double)(f->cols > 1 ? f->cols - 1 : 1), 0), 1);
    *y = fmin(fmax(1 - (line + 0.5) / (double)(f->rows > 0 ? f->rows : 1), 0), 1);
}

static void put_cursor(pane *p, const key_event *key)
{
    double x, y;
    shares_of(p, key->row, key->col, &x, &y);
    pane_set_cursor(p, plot_frame_value(p->grid.frame.x, p->grid.frame.xlog, x));
}

static int within(int value, int low, int count)
{
    return value < low ? low : value >= low + count ? low + count - 1 : value;
}

static void zoom_into_box(pane *p)
{
    double from[2], to[2];
    const plot_frame *f = &p->grid.frame;
    shares_of(p, p->press_row, p->press_col, &from[0], &from[1]);
    shares_of(p, p->drag_row, p->drag_col, &to[0], &to[1]);
    if (p->press_col != p->drag_col)
        show_part(p->x, f->x, f->xlog, fmin(from[0], to[0]), fmax(from[0], to[0]));
    if (p->press_row != p->drag_row)
        show_part(p->y, f->y, f->ylog, fmin(from[1], to[1]), fmax(from[1], to[1]));
    p->stale = true;
}

bool pane_mouse(pane *p, int request, const key_event *key)
{
    bool pressed = p->press_row >= 0;
    if (request == REQ_RELEASE && pressed) {
        if (p->drag_row >= 0)
            zoom_into_box(p);
        p->press_row = p->press_col = p->drag_row = p->drag_col = -1;
        return true;
    }
    if (request == REQ_DRAG && pressed) {
        p->drag_row = within(key->row, p->body.row, p->body.rows);
        p->drag_col = within(key->col, p->body.col, p->body.cols);
        return true;
    }
    if (!pane_hit(p, key) || p->grid.frame.cols == 0)
        return false;
    if (request == REQ_CLICK) {
        put_cursor(p, key);
        p->press_row = key->row;
        p->press_col = key->col;
        p->drag_row = p->drag_col = -1;
        return true;
    }
    if (request == REQ_WHEEL_UP || request == REQ_WHEEL_DOWN) {
        double x, y;
        shares_of(p, key->row, key->col, &x, &y);
        zoom(p, x, y, request == REQ_WHEEL_UP ? wheel_step : 1 / wheel_step);
        return true;
    }
    return false;
}
