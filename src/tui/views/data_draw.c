/* How the data view looks: the overview, the list of features, histograms. */
#include "tui/views/data.h"

#include "tui/terminal/cells.h"
#include "tui/terminal/wrap.h"
#include "tui/widgets/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE_BY_SIDE_COLS = 64,
    OVERVIEW_ROWS = 11, /* maximum number of text rows, without the response's histogram */
};

enum { VALUE_WIDTH = 8 };

static void draw_row(const data_view *v, terminal *t, rect at, size_t row)
{
    char text[128];
    size_t j = data_view_column_at(v, row);
    bool chosen = row == v->rows.chosen;
    double r = v->result->correlations[j];
    bool constant = tm_dataset_deviations(v->data)[j] == 0;
    int names = at.cols * 2 / 5 < 6 ? 6 : at.cols * 2 / 5 > 48 ? 48 : at.cols * 2 / 5;
    terminal_style style = chosen ? STYLE_SELECTED : constant ? STYLE_DIM : STYLE_NORMAL;
    if (chosen)
        terminal_put_padded(t, at.row, at.col, names + VALUE_WIDTH, style, "");
    terminal_put(t, at.row, at.col, names, style, data_view_label_at(v, row, text, sizeof text));
    snprintf(text, sizeof text, "%+.3f", r);
    terminal_put_right(t, at.row, at.col + names, VALUE_WIDTH, style, constant ? "constant" : text);
    int bar = at.col + names + VALUE_WIDTH + 1;
    int width = at.col + at.cols - bar;
    if (v->result->twins[j] != j && width >= 12) {
        char other[64];
        tm_dataset_feature_label(v->data, v->result->twins[j], other, sizeof other);
        snprintf(text, sizeof text, "= %s", other);
        terminal_put(t, at.row, bar + width / 2, width - width / 2, STYLE_WARN, text);
        width = width / 2 - 1;
    }
    bar_draw(t, at.row, bar, width, fabs(r), r < 0 ? 1 : 0, r < 0);
}

static void draw_list(data_view *v, terminal *t, rect area)
{
    size_t row;
    rect at;
    rect body = rect_inside(area);
    terminal_box(t, area,
                 v->by_column ? "correlation with y, as in the data"
                              : "strongest correlation with y",
                 false);
    if (v->error.code != TM_OK || !v->result) {
        terminal_put(t, body.row, body.col, body.cols,
                     v->error.code != TM_OK ? STYLE_ERROR : STYLE_DIM,
                     v->error.code != TM_OK ? v->error.message : "working it out ...");
        return;
    }
    list_show(&v->rows, body, v->result->p);
    for (int i = 0; list_row(&v->rows, i, &row, &at); i++)
        draw_row(v, t, at, row);
}
/* ---- histograms ---------------------------------------------------------------------------- */

static const char *class_name(const tm_dataset *data, int sign)
{
    const char *label = tm_dataset_label(data, sign);
    return label ? label : sign < 0 ? "-1" : "+1";
}

enum { EDGE_WIDTH = 9 };

/* One bar of a class: its share of the class relative to the greatest share, and its count. */
static void draw_bin(terminal *t, const histogram *h, rect at, size_t bin, int side)
{
    char count[24];
    double share = (double)h->counts[side][bin] / (double)(h->total[side] > 0 ? h->total[side] : 1);
    snprintf(count, sizeof count, "%zu", h->counts[side][bin]);
    int digits = snprintf(NULL, 0, "%zu", h->total[side]);
    terminal_put_right(t, at.row, at.col, digits, share > 0 ? STYLE_NORMAL : STYLE_DIM, count);
    bar_draw(t, at.row, at.col + digits + 1, at.cols - digits - 2, share / histogram_peak(h), side,
             side > 0);
}

/* names: labels of the values 1, 2, ... to show instead of the edges of the bins; or NULL. */
static void draw_histogram(terminal *t, rect area, const histogram *h, int sides,
                           const char *const *names)
{
    for (size_t bin = 0; bin < h->bins && (int)bin < area.rows; bin++) {
        char edge[24];
        int row = area.row + (int)bin;
        int cols = (area.cols - EDGE_WIDTH - 1) / sides;
        /* Rounding error must not turn zero into 1e-17. */
        double at = histogram_edge(h, bin);
        at = fabs(at) < 1e-12 * fmax(fabs(h->low), fabs(h->high)) ? 0 : at;
        snprintf(edge, sizeof edge, "%.4g", at);
        terminal_put_right(t, row, area.col, EDGE_WIDTH, STYLE_DIM,
                           names && h->whole ? names[(size_t)at - 1] : edge);
        for (int side = 0; side < sides; side++) {
            draw_bin(t, h, (rect){row, area.col + EDGE_WIDTH + 1 + side * cols, 1, cols}, bin,
                     side);
        }
    }
}

/* The column is read when it is chosen, not in every frame. */
static void fill_feature(data_view *v, size_t j, int rows)
{
    size_t bins = rows < HISTOGRAM_BINS ? (size_t)rows : HISTOGRAM_BINS;
    if (v->feature == j && v->feature_bins == bins)
        return;
    bool binary = tm_dataset_is_binary(v->data);
    tm_matrix_column(tm_dataset_x(v->data), j, v->column);
    histogram_fill(&v->of_feature, v->column, binary ? tm_dataset_y(v->data) : NULL,
                   tm_dataset_rows(v->data), bins);
    v->feature = j;
    v->feature_bins = bins;
}

static void draw_feature(data_view *v, terminal *t, rect area)
{
    char text[160];
    rect body = rect_inside(area);
    bool binary = tm_dataset_is_binary(v->data);
    double n = (double)tm_dataset_rows(v->data);
    terminal_box(t, area,
                 v->result ? data_view_label_at(v, v->rows.chosen, text, sizeof text) : NULL,
                 false);
    if (!v->column || !v->result || body.rows < 2)
        return;
    size_t j = data_view_column_at(v, v->rows.chosen);
    snprintf(text, sizeof text, "mean %.4g  sd %.4g  r %+.3f", tm_dataset_means(v->data)[j],
             sqrt(tm_dataset_deviations(v->data)[j] / n), v->result->correlations[j]);
    terminal_put(t, body.row, body.col, body.cols, STYLE_NORMAL, text);
    body.row++;
    body.rows--;
    if (binary && body.rows >= 3) {
        int cols = (body.cols - EDGE_WIDTH - 1) / 2;
        terminal_put_right(t, body.row, body.col, EDGE_WIDTH, STYLE_BOLD, "from");
        for (int side = 0; side < 2; side++) {
            terminal_put(t, body.row, body.col + EDGE_WIDTH + 1 + side * cols, cols - 1, STYLE_BOLD,
                         class_name(v->data, side == 0 ? -1 : 1));
        }
        body.row++;
        body.rows--;
    }
    fill_feature(v, j, body.rows);
    draw_histogram(t, body, &v->of_feature, binary ? 2 : 1, NULL);
}

/* ---- what is unusual ----------------------------------------------------------------------- */

static int warning_rows(const terminal *t, const profile *result, int cols)
{
    int rows = 0;
    for (size_t k = 0; result && cols > 0 && k < result->warnings.count; k++) {
        const char *text = result->warnings.text[k];
        rows += wrap_rows(text, strlen(text), cols, terminal_utf8(t));
    }
    return rows;
}

static int draw_warnings(terminal *t, rect area, const profile *result)
{
    int row = 0;
    for (size_t k = 0; result && k < result->warnings.count && row < area.rows; k++) {
        rect rest = {area.row + row, area.col, area.rows - row, area.cols};
        row += wrap_draw(t, rest, STYLE_WARN, result->warnings.text[k]);
    }
    return row;
}

/* ---- the overview -------------------------------------------------------------------------- */

static void memory_text(size_t bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1000.0 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000.0;
        unit++;
    }
    snprintf(buffer, size, "%.3g %s", value, units[unit]);
}

/* A line of the overview: label and value; returns the number of rows used. */
static int fact(terminal *t, rect body, int row, const char *what, const char *value)
{
    enum { WHAT_WIDTH = 11 };
    if (row < body.rows) {
        terminal_put(t, body.row + row, body.col, WHAT_WIDTH, STYLE_DIM, what);
        terminal_put(t, body.row + row, body.col + WHAT_WIDTH, body.cols - WHAT_WIDTH, STYLE_NORMAL,
                     value);
    }
    return 1;
}

static int fact_columns(terminal *t, rect body, int row, const char *what, size_t count)
{
    char value[48];
    snprintf(value, sizeof value, "%zu column%s", count, count == 1 ? "" : "s");
    return fact(t, body, row, what, value);
}

/* How missing values were treated. */
static const char *missing_text(const tm_dataset *data)
{
    const char *text = tm_dataset_reading(data)->missing;
    return text[0] ? text : "none";
}

static int draw_facts(const data_view *v, terminal *t, rect body)
{
    const session *work = app_session(v->app);
    const tm_matrix *x = tm_dataset_x(v->data);
    char value[128], memory[32];
    int row = 0;
    size_t n = tm_dataset_rows(v->data), p = tm_dataset_cols(v->data);
    snprintf(value, sizeof value, "%zu rows x %zu features", n, p);
    row += fact(t, body, row, "shape", value);
    snprintf(value, sizeof value, "%zu train, %zu test", tm_dataset_rows(work->data.train),
             work->data.test ? tm_dataset_rows(work->data.test) : 0);
    row += fact(t, body, row, "split", value);
    memory_text(tm_matrix_bytes(x), memory, sizeof memory);
    snprintf(value, sizeof value, "%s, %s", tm_matrix_kind(x), memory);
    row += fact(t, body, row, "storage", value);
    if (v->result) {
        snprintf(value, sizeof value, "%.3g %% of the entries",
                 100.0 * (double)v->result->nonzeros / ((double)n * (double)p));
        row += fact(t, body, row, "nonzero", value);
        row += fact_columns(t, body, row, "constant", v->result->constants);
        row += fact_columns(t, body, row, "duplicate", v->result->duplicates);
        snprintf(value, sizeof value, "from %.6g to %.6g", v->result->low, v->result->high);
        row += fact(t, body, row, "values", value);
        row += fact(t, body, row, "missing", missing_text(v->data));
        rect rest = {body.row + row, body.col, body.rows - row, body.cols};
        row += draw_warnings(t, rest, v->result);
    }
    return row;
}

static void fill_response(data_view *v, int rows)
{
    size_t bins = rows < HISTOGRAM_BINS ? (size_t)(rows > 0 ? rows : 1) : HISTOGRAM_BINS;
    if (v->response_bins != bins) {
        histogram_fill(&v->of_response, tm_dataset_y(v->data), NULL, tm_dataset_rows(v->data),
                       bins);
        v->response_bins = bins;
    }
}

static void draw_classes(data_view *v, terminal *t, rect body)
{
    fill_response(v, 2); /* -1 and +1 fall into the first and the last bin */
    int names = body.cols / 3 > 16 ? 16 : body.cols / 3;
    for (int side = 0; side < 2 && side < body.rows; side++) {
        char text[32];
        size_t count = v->of_response.counts[0][side];
        double share = (double)count / (double)tm_dataset_rows(v->data);
        terminal_put(t, body.row + side, body.col, names - 1, STYLE_BOLD,
                     class_name(v->data, side == 0 ? -1 : 1));
        snprintf(text, sizeof text, "%zu", count);
        terminal_put_right(t, body.row + side, body.col + names, 7, STYLE_NORMAL, text);
        bar_draw(t, body.row + side, body.col + names + 8, body.cols - names - 8, share, side,
                 side > 0);
    }
}

static void draw_overview(data_view *v, terminal *t, rect area)
{
    rect body = rect_inside(area);
    const char *response = tm_dataset_response_name(v->data);
    bool binary = tm_dataset_is_binary(v->data);
    size_t classes;
    const char *const *names = tm_dataset_class_names(v->data, &classes);
    char kind[32], text[128];
    snprintf(kind, sizeof kind, "%zu classes", classes);
    snprintf(text, sizeof text, "data: %.100s", tm_dataset_name(v->data));
    terminal_box(t, area, text, false);
    int used = draw_facts(v, t, body);
    snprintf(text, sizeof text, "%s%s%s", response ? response : "", response ? ", " : "",
             binary  ? "two classes"
             : names ? kind
                     : "a number");
    used += fact(t, body, used, "response", text);
    rect rest = {body.row + used, body.col, body.rows - used, body.cols};
    if (rest.rows <= 0)
        return;
    if (binary) {
        draw_classes(v, t, rest);
    } else {
        fill_response(v, rest.rows);
        draw_histogram(t, rest, &v->of_response, 1, names);
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

void data_view_draw(void *state, app *a, terminal *t, rect area)
{
    data_view *v = state;
    data_view_look_at(v, a);
    data_view_take_result(v);
    list_hide(&v->rows);
    if (!v->data) {
        terminal_box(t, area, "data", false);
        terminal_put(t, area.row + area.rows / 2, area.col + 2, area.cols - 4, STYLE_DIM,
                     app_session(a)->data.loader ? "loading ..."
                                                 : "no data: :open FILE loads some");
        return;
    }
    bool binary = tm_dataset_is_binary(v->data);
    int inner = (area.cols >= SIDE_BY_SIDE_COLS ? area.cols / 2 : area.cols) - 2;
    int facts = OVERVIEW_ROWS + 2 + warning_rows(t, v->result, inner), overview = facts;
    if (!binary)
        overview = area.rows / 2 > overview + 2 ? area.rows / 2 : overview + 2;
    if (area.cols >= SIDE_BY_SIDE_COLS) {
        int left = area.cols / 2;
        overview = overview < area.rows - 5 ? overview : area.rows;
        draw_overview(v, t, (rect){area.row, area.col, overview, left});
        if (area.rows > overview)
            draw_feature(v, t, (rect){area.row + overview, area.col, area.rows - overview, left});
        draw_list(v, t, (rect){area.row, area.col + left, area.rows, area.cols - left});
        return;
    }
    overview = area.rows >= facts + 5 ? facts : 0;
    int feature = area.rows - overview >= 18 ? (area.rows - overview) / 2 : 0;
    if (overview > 0)
        draw_overview(v, t, (rect){area.row, area.col, overview, area.cols});
    if (feature > 0)
        draw_feature(v, t, (rect){area.row + area.rows - feature, area.col, feature, area.cols});
    draw_list(v, t,
              (rect){area.row + overview, area.col, area.rows - overview - feature, area.cols});
}
