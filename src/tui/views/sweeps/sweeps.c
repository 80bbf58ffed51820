/* The sweeps view: a sweep's grid as it fills, its best configuration, the runs of each
 * configuration, and scores against the number of features. */
#include "tui/views/sweeps/sweeps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between updates of a running sweep, which sends no news of its progress. */
static const double look_seconds = 0.5;

/* ---- life ---------------------------------------------------------------------------------- */

static void sweeps_close(void *state)
{
    sweeps_view *v = state;
    sweep_list_free(&v->list);
    sweep_grid_free(&v->grid);
    pane_close(&v->pane);
    free(v);
}

static tm_status sweeps_open(void **state, app *a, tm_error *err)
{
    sweeps_view *v = calloc(1, sizeof *v);
    if (!v || pane_open(&v->pane, err) != TM_OK) {
        free(v);
        return tm_fail_memory(err, "the sweeps view");
    }
    v->app = a;
    v->arrangement = v->config = SIZE_MAX;
    v->list.store = app_session(a)->stored.store;
    *state = v;
    return TM_OK;
}

/* ---- what is shown ------------------------------------------------------------------------- */

sweep_entry *sweeps_current(const sweeps_view *v)
{
    return v->current < v->list.count ? v->list.at[v->current] : NULL;
}

const tm_sweep_table *sweeps_table(const sweeps_view *v)
{
    const sweep_entry *entry = sweeps_current(v);
    return entry && v->laid ? entry->table : NULL;
}

const char *sweeps_quantity(const sweeps_view *v)
{
    return sweep_grid_column(sweeps_table(v), v->quantity);
}

/* Finds the position of the chosen configuration in the grid. */
static void find_choice(sweeps_view *v)
{
    list_resize(&v->rows, v->grid.rows);
    for (size_t i = 0; i < v->grid.rows * v->grid.cols; i++) {
        if (v->grid.configs[i] == v->config) {
            v->rows.chosen = i / v->grid.cols;
            v->column = i % v->grid.cols;
            return;
        }
    }
}

static void take_choice(sweeps_view *v)
{
    size_t place = v->rows.chosen * v->grid.cols + v->column;
    v->config = place < v->grid.rows * v->grid.cols ? v->grid.configs[place] : SIZE_MAX;
    v->pane.stale = true;
}

/* Lays the current sweep's table out. */
static tm_status lay_out(sweeps_view *v, tm_error *err)
{
    const sweep_entry *entry = sweeps_current(v);
    v->laid = v->stale = false;
    if (!entry || !entry->table)
        return TM_OK;
    if (v->arrangement == SIZE_MAX)
        v->arrangement = sweep_grid_first(entry->table);
    if (!sweep_grid_column(entry->table, v->quantity))
        v->quantity = 0;
    tm_status status = sweep_grid_make(&v->grid, entry->table, v->arrangement,
                                       sweep_grid_column(entry->table, v->quantity), err);
    if (status != TM_OK)
        return status;
    v->laid = true;
    v->pane.stale = true;
    if (v->config == SIZE_MAX || v->config >= tm_sweep_table_configs(entry->table))
        v->config = v->grid.configs[0];
    find_choice(v);
    return TM_OK;
}

static tm_status choose_sweep(sweeps_view *v, size_t i, tm_error *err)
{
    v->current = i;
    v->known = v->list.count;
    v->arrangement = v->config = SIZE_MAX;
    v->quantity = 0;
    v->opened = v->in_plot = false;
    v->left = 0;
    if (sweeps_current(v))
        sweep_list_read(&v->list, v->list.at[i], err);
    pane_request(&v->pane, REQ_RESET);
    return lay_out(v, err);
}

/* Shows the newest sweep of this program, else the newest of the store. */
static tm_status follow(sweeps_view *v, tm_error *err)
{
    if (v->list.count > v->known)
        return choose_sweep(v, v->list.count - 1, err);
    sweep_entry *entry = sweeps_current(v);
    bool read = entry && sweep_list_read(&v->list, entry, err);
    return v->stale || !v->laid || read ? lay_out(v, err) : TM_OK;
}

static bool sweeps_update(void *state, app *a, unsigned news)
{
    sweeps_view *v = state;
    tm_error err = TM_ERROR_INIT;
    bool shown = app_shown(a, VIEW_SWEEPS);
    (void)news;
    bool changed = sweep_list_update(&v->list, app_session(a)->script, shown, &err);
    v->stale = v->stale || changed;
    if (shown && (err.code != TM_OK || follow(v, &err) != TM_OK))
        app_error(a, &err);
    const sweep_entry *entry = sweeps_current(v);
    if (shown && entry && entry->running)
        app_wake(a, look_seconds);
    return changed;
}

/* ---- requests ------------------------------------------------------------------------------ */

static void next_sweep(sweeps_view *v, tm_error *err)
{
    if (v->list.count == 0)
        return;
    choose_sweep(v, v->current > 0 ? v->current - 1 : v->list.count - 1, err);
    if (v->list.count == 1)
        app_message(v->app, STYLE_NORMAL, "there is one sweep alone");
}

static bool move(sweeps_view *v, int request)
{
    long steps = requests_steps(request);
    if (v->opened)
        return list_request(&v->splits, request);
    if (steps != 0) {
        long last = (long)v->grid.cols - 1, to = (long)v->column + steps;
        v->column = (size_t)(to < 0 ? 0 : to > last ? last : to);
    } else if (!list_request(&v->rows, request)) {
        return false;
    }
    take_choice(v);
    return true;
}

static bool show_runs(sweeps_view *v)
{
    if (v->config == SIZE_MAX)
        return true;
    v->opened = true;
    v->splits = (list){0};
    list_resize(&v->splits, tm_sweep_table_splits(sweeps_table(v)));
    return true;
}

static bool click(sweeps_view *v, const key_event *key)
{
    if (v->opened)
        return list_click(&v->splits, key);
    if (!list_click(&v->rows, key))
        return false;
    size_t column = v->left + (size_t)((key->col - v->cell_from) / SWEEPS_CELL);
    if (v->grid.axis != SIZE_MAX && key->col >= v->cell_from && column < v->grid.cols)
        v->column = column;
    take_choice(v);
    return true;
}

static bool plot_request(sweeps_view *v, int request, const key_event *key)
{
    if (pane_mouse(&v->pane, request, key))
        return true;
    if (!v->in_plot)
        return false;
    if (request == REQ_BACK) {
        v->in_plot = false;
        return true;
    }
    if (request == REQ_SAVE) {
        app_save(v->app, "save the curves as: ", "sweep.svg", pane_save, &v->pane);
        return true;
    }
    return pane_request(&v->pane, request);
}

/* Changes the arrangement and chooses the best configuration in it. */
static void arrange(sweeps_view *v, int request, tm_error *err)
{
    if (request == REQ_ARRANGE)
        v->arrangement = (v->arrangement + 1) % v->grid.arrangements;
    else
        v->quantity++;
    v->left = 0;
    lay_out(v, err);
}

static bool back(sweeps_view *v)
{
    bool was = v->opened;
    v->opened = false;
    return was;
}

static bool act(sweeps_view *v, int request, const key_event *key, tm_error *err)
{
    switch (request) {
    case REQ_USE:
        next_sweep(v, err);
        return true;
    case REQ_PAUSE:
        if (!sweep_list_pause(app_session(v->app)->script, sweeps_current(v)))
            app_message(v->app, STYLE_NORMAL, "this sweep does not run in this workbench");
        return true;
    case REQ_ARRANGE:
    case REQ_QUANTITY:
        arrange(v, request, err);
        return true;
    case REQ_ZOOM:
        v->part = (sweeps_part)((v->part + 1) % SWEEPS_PARTS);
        return true;
    case REQ_PLOT:
        v->in_plot = v->pane.body.rows > 0;
        return true;
    case REQ_SHOW_PATH:
        return v->opened || show_runs(v);
    case REQ_BACK:
        return back(v);
    case REQ_CLICK:
        return click(v, key);
    default:
        return move(v, request);
    }
}

static bool sweeps_request(void *state, app *a, int request, const key_event *key)
{
    sweeps_view *v = state;
    tm_error err = TM_ERROR_INIT;
    if (!sweeps_table(v)) /* keys may arrive before the first update */
        sweeps_update(v, a, 0);
    if (!sweeps_table(v))
        return request == REQ_USE && (next_sweep(v, &err), true);
    bool done = plot_request(v, request, key) || act(v, request, key, &err);
    app_error(a, &err);
    return done;
}

/* Why a run failed, else the settings of the chosen configuration. */
static void sweeps_hint(void *state, app *a, char *buffer, size_t size)
{
    const sweeps_view *v = state;
    const tm_sweep_table *t = sweeps_table(v);
    (void)a;
    if (!t || v->config == SIZE_MAX)
        return;
    for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
        const tm_sweep_cell *cell = tm_sweep_table_cell(t, v->config, s);
        if (cell->error && (!v->opened || s == v->splits.chosen)) {
            snprintf(buffer, size, "%s", cell->error);
            return;
        }
    }
    sweep_grid_label(t, v->config, SIZE_MAX, buffer, size);
}

static bool sweeps_in_plot(const void *state)
{
    return ((const sweeps_view *)state)->in_plot;
}

static bool sweeps_busy(const void *state)
{
    const sweep_entry *entry = sweeps_current(state);
    return entry && entry->running && entry->handle && !entry->last.paused;
}

static const key_row keys[] = {
    KEYS_CHOOSE_ROW,
    {{TK_LEFT, 'h'}, REQ_LEFT, "the cell to the left"},
    {{TK_RIGHT, 'l'}, REQ_RIGHT, "the cell to the right"},
    {{TK_ENTER}, REQ_SHOW_PATH, "the cell's runs, one for each fold; Esc closes them"},
    {{'x'}, REQ_ARRANGE, "another axis across, then a list, then the best first"},
    {{'v'}, REQ_QUANTITY, "another quantity: the metrics, nnz, seconds, lambda, gap"},
    {{'z'}, REQ_ZOOM, "enlarge the grid, the curves, or show both"},
    {{'o'}, REQ_USE, "the previous sweep: this session's, then the store's"},
    {{' '}, REQ_PAUSE, "pause or resume the sweep"},
    KEYS_TO_PLOT,
    KEYS_PAGE_ROWS,
    {{0}, REQ_NONE, NULL},
};

const view_ops sweeps_ops = {
    .keys = keys,
    .open = sweeps_open,
    .close = sweeps_close,
    .update = sweeps_update,
    .draw = sweeps_draw,
    .request = sweeps_request,
    .hint = sweeps_hint,
    .in_plot = sweeps_in_plot,
    .busy = sweeps_busy,
};
