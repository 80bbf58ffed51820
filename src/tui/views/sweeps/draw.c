/* Drawing of the sweeps view: the grid, and the parts beside it. */
#include "tui/views/sweeps/sweeps.h"

#include "base/text.h"
#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/widgets/bars.h"

#include <math.h>
#include <string.h>

enum {
    FACTS_COLS = 30, /* beside the grid */
    FACTS_ROWS = 12,
    GRID_MIN = 34,
    CURVE_FROM = 16, /* rows of the view from which curves have room below the grid */
    LABEL_MAX = 24,
    NUMBER = 9,
    SHADES = 5,
};

/* ---- cells --------------------------------------------------------------------------------- */

/* The shade, from the worst to the best value; for quantities without a direction, from the least
 * to the greatest. */
static int shade_of(const sweep_grid *g, double value)
{
    double share = g->high > g->low ? (value - g->low) / (g->high - g->low) : 1;
    if (!g->greater && g->best != SIZE_MAX)
        share = g->high > g->low ? 1 - share : 1;
    int shade = (int)floor(share * SHADES);
    return shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
}

static const char *shade_text(const terminal *t, int shade)
{
    static const char *const utf8[SHADES] = {" ", "░", "▒", "▓", "█"};
    static const char *const ascii[SHADES] = {" ", ".", "-", "+", "#"};
    return terminal_pick(t, utf8[shade], ascii[shade]);
}

static void number_text(double value, char *buffer, size_t size)
{
    if (isnan(value))
        snprintf(buffer, size, "-");
    else if (fabs(value) < 10 && fabs(value) >= 0.001)
        snprintf(buffer, size, "%.3f", value);
    else
        snprintf(buffer, size, "%.4g", value);
}

/* A remark on what the number does not show: runs that are missing, failed, or ended early. */
static const char *remark(const sweeps_view *v, size_t config)
{
    const tm_sweep_table *t = sweeps_table(v);
    size_t open = 0, bad = 0;
    for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
        tm_cell_status status = tm_sweep_table_cell(t, config, s)->status;
        open += status == TM_CELL_OPEN ? 1 : 0;
        bad += status == TM_CELL_FAILED || status == TM_CELL_MAX_ITER ? 1 : 0;
    }
    return config == v->grid.best ? "*" : bad > 0 ? "!" : open > 0 ? "~" : " ";
}

static terminal_style cell_style(const sweeps_view *v, size_t config, bool chosen)
{
    const char *said = remark(v, config);
    return chosen           ? STYLE_SELECTED
           : said[0] == '*' ? STYLE_GOOD
           : said[0] == '!' ? STYLE_WARN
           : said[0] == '~' ? STYLE_DIM
                            : STYLE_NORMAL;
}

static void draw_cell(const sweeps_view *v, terminal *t, int row, int col, size_t config,
                      bool chosen)
{
    char value[32], text[48];
    if (config == SIZE_MAX)
        return;
    double mean = v->grid.means[config].count > 0 ? v->grid.means[config].mean : NAN;
    number_text(mean, value, sizeof value);
    bool none = isnan(mean);
    snprintf(text, sizeof text, "%6.6s%s", none ? "." : value, remark(v, config));
    terminal_put_colour(t, row, col, 1, 2, none ? " " : shade_text(t, shade_of(&v->grid, mean)));
    terminal_put(t, row, col + 1, SWEEPS_CELL - 2, cell_style(v, config, chosen), text);
}

/* ---- the grid ------------------------------------------------------------------------------ */

/* Any configuration of a row or a column, for its label. */
static size_t any_config(const sweep_grid *g, size_t from, size_t step, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (g->configs[from + i * step] != SIZE_MAX)
            return g->configs[from + i * step];
    return 0;
}

static int label_width(const sweeps_view *v, int most)
{
    char label[128];
    int width = 4;
    if (v->grid.axis != SIZE_MAX)
        width = (int)strlen(tm_sweep_table_axis(sweeps_table(v), v->grid.axis)) + 2;
    for (size_t r = 0; r < v->grid.rows && width < most; r++) {
        size_t config = any_config(&v->grid, r * v->grid.cols, 1, v->grid.cols);
        sweep_grid_label(sweeps_table(v), config, v->grid.axis, label, sizeof label);
        int wanted = (int)strlen(label) + 1;
        width = wanted > width ? wanted : width;
    }
    return width < most ? width : most;
}

static void draw_heads(sweeps_view *v, terminal *t, rect body, int width, size_t shown)
{
    const tm_sweep_table *table = sweeps_table(v);
    char head[64];
    snprintf(head, sizeof head, "%s:", tm_sweep_table_axis(table, v->grid.axis));
    terminal_put(t, body.row, body.col, width - 1, STYLE_BOLD, head);
    for (size_t c = 0; c < shown; c++) {
        size_t config = any_config(&v->grid, v->left + c, v->grid.cols, v->grid.rows);
        const char *value = tm_sweep_table_value(table, config, v->grid.axis);
        char text[TEXT_SHOWN];
        terminal_put_right(t, body.row, body.col + width + (int)c * SWEEPS_CELL, SWEEPS_CELL - 2,
                           v->left + c == v->column ? STYLE_BOLD : STYLE_DIM,
                           text_shown(value, "default", text));
    }
    if (v->left + shown < v->grid.cols)
        terminal_put(t, body.row, body.col + body.cols - 1, 1, STYLE_BOLD, ">");
}

static void draw_grid(sweeps_view *v, terminal *t, rect body)
{
    char label[128];
    size_t row;
    rect at;
    int most = body.cols / 3 < LABEL_MAX ? body.cols / 3 : LABEL_MAX;
    int width = label_width(v, most);
    int fit = (body.cols - width) / SWEEPS_CELL;
    size_t shown = fit < 1 ? 1 : (size_t)fit < v->grid.cols ? (size_t)fit : v->grid.cols;
    if (v->column < v->left)
        v->left = v->column;
    if (v->column >= v->left + shown)
        v->left = v->column - shown + 1;
    v->cell_from = body.col + width;
    draw_heads(v, t, body, width, shown);
    list_show(&v->rows, (rect){body.row + 1, body.col, body.rows - 1, body.cols}, v->grid.rows);
    for (int i = 0; list_row(&v->rows, i, &row, &at); i++) {
        const size_t *configs = v->grid.configs + row * v->grid.cols;
        sweep_grid_label_within(sweeps_table(v),
                                any_config(&v->grid, row * v->grid.cols, 1, v->grid.cols),
                                v->grid.axis, width - 1, terminal_utf8(t), label, sizeof label);
        terminal_put(t, at.row, at.col, width - 1, STYLE_NORMAL, label);
        for (size_t c = v->left; c < v->left + shown; c++) {
            bool chosen = row == v->rows.chosen && c == v->column;
            draw_cell(v, t, at.row, v->cell_from + (int)(c - v->left) * SWEEPS_CELL, configs[c],
                      chosen);
        }
    }
}

/* One row for each configuration: the settings, the number with its error, a bar. */
static void draw_list(sweeps_view *v, terminal *t, rect body)
{
    char label[128], value[32], error[48];
    size_t row;
    rect at;
    int width = label_width(v, body.cols - 2 * NUMBER);
    list_show(&v->rows, body, v->grid.rows);
    v->cell_from = body.col + width;
    for (int i = 0; list_row(&v->rows, i, &row, &at); i++) {
        size_t config = v->grid.configs[row];
        const tm_sweep_mean *mean = &v->grid.means[config];
        terminal_style style = cell_style(v, config, row == v->rows.chosen);
        if (row == v->rows.chosen)
            terminal_put_padded(t, at.row, at.col, width + 2 * NUMBER, style, "");
        sweep_grid_label_within(sweeps_table(v), config, SIZE_MAX, width - 1, terminal_utf8(t),
                                label, sizeof label);
        terminal_put(t, at.row, at.col, width - 1, style, label);
        number_text(mean->count > 0 ? mean->mean : NAN, value, sizeof value);
        terminal_put_right(t, at.row, at.col + width, NUMBER - 1, style, value);
        snprintf(error, sizeof error, "%s", remark(v, config));
        if (mean->count > 1)
            snprintf(error, sizeof error, "%s%s%.2g", remark(v, config),
                     terminal_pick(t, "±", "+-"), mean->se);
        terminal_put(t, at.row, at.col + width + NUMBER - 1, NUMBER, style, error);
        int bar = at.col + width + 2 * NUMBER + 1, left = at.col + at.cols - bar;
        double share = v->grid.high > v->grid.low
                           ? (mean->mean - v->grid.low) / (v->grid.high - v->grid.low)
                           : 1;
        if (mean->count > 0 && left > 4)
            bar_draw(t, at.row, bar, left, 0.05 + 0.95 * share, 2, false);
    }
}

/* The meaning of the shades and the signs. */
static void draw_legend(const sweeps_view *v, terminal *t, rect at)
{
    char low[32], high[32], text[160], shades[SHADES * 4] = "";
    bool up = v->grid.greater || v->grid.best == SIZE_MAX;
    for (int i = 1; i < SHADES; i++)
        strcat(shades, shade_text(t, i));
    number_text(up ? v->grid.low : v->grid.high, low, sizeof low);
    number_text(up ? v->grid.high : v->grid.low, high, sizeof high);
    snprintf(text, sizeof text, "%s %s %s  * best  ~ runs missing  ! failed or not converged", low,
             shades, high);
    if (cells_width(text, terminal_utf8(t)) > at.cols)
        snprintf(text, sizeof text, "%s %s %s  *best ~missing !bad", low, shades, high);
    terminal_put(t, at.row, at.col, at.cols, STYLE_DIM, text);
}

static void draw_table(sweeps_view *v, terminal *t, rect area)
{
    char title[160];
    rect body = rect_inside(area);
    const sweep_entry *entry = sweeps_current(v);
    snprintf(title, sizeof title, "%.60s: %s%s", entry->name, sweeps_quantity(v),
             v->grid.axis != SIZE_MAX ? ", mean over folds"
             : v->grid.ranked         ? ", the best first"
                                      : "");
    terminal_box(t, area, title, !v->in_plot && !v->opened);
    if (body.rows <= 0 || body.cols <= 0)
        return;
    if (body.rows > 3)
        draw_legend(v, t, (rect){body.row + --body.rows, body.col, 1, body.cols});
    if (v->grid.axis != SIZE_MAX)
        draw_grid(v, t, body);
    else
        draw_list(v, t, body);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void draw_waiting(const sweeps_view *v, terminal *t, rect area)
{
    const sweep_entry *entry = sweeps_current(v);
    rect body = {area.row + area.rows / 2 - 1, area.col + 2, 3, area.cols - 4};
    terminal_box(t, area, "sweeps", false);
    wrap_draw(t, body, STYLE_DIM,
              entry ? "nothing was found yet"
                    : "no sweep yet: a script makes one with  tm.sweep{data=d, method=\"lasso\", "
                      "grid={lambda_ratio={0.5, 0.1}}, folds=5};  --store FILE has earlier ones");
}

/* The rows that the grid and the facts leave, at least half of the view. */
static int curve_rows(const sweeps_view *v, int rows)
{
    int wanted = v->opened ? (int)tm_sweep_table_splits(sweeps_table(v)) + 3
                           : (int)(v->grid.rows < 1000 ? v->grid.rows : 1000) + 4;
    wanted = wanted > FACTS_ROWS ? wanted : FACTS_ROWS;
    int half = rows / 2 - 1;
    return rows - wanted > half ? rows - wanted : half;
}

void sweeps_draw(void *state, app *a, terminal *t, rect area)
{
    sweeps_view *v = state;
    (void)a;
    list_hide(&v->rows);
    list_hide(&v->splits);
    pane_hide(&v->pane);
    if (!sweeps_table(v)) {
        draw_waiting(v, t, area);
        return;
    }
    bool curve = v->part != PART_GRID && (area.rows >= CURVE_FROM || v->part == PART_CURVE);
    int below = !curve ? 0 : v->part == PART_CURVE ? area.rows : curve_rows(v, area.rows);
    if (below > 0)
        sweeps_draw_curves(v, t, (rect){area.row + area.rows - below, area.col, below, area.cols});
    rect top = {area.row, area.col, area.rows - below, area.cols};
    if (top.rows <= 0)
        return;
    if (top.cols >= GRID_MIN + FACTS_COLS) {
        int facts = top.cols > 120 ? FACTS_COLS + 14 : FACTS_COLS;
        top.cols -= facts;
        sweeps_draw_facts(v, t, (rect){top.row, top.col + top.cols, top.rows, facts});
    }
    if (v->opened)
        sweeps_draw_splits(v, t, top);
    else
        draw_table(v, t, top);
}
