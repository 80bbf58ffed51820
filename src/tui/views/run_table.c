#include "tui/views/run_table.h"

#include "tui/terminal/wrap.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT_MAX = 160 };

/* ---- cells --------------------------------------------------------------------------------- */

enum {
    COLUMN_MARK,
    COLUMN_NAME,
    COLUMN_STATE,
    COLUMN_POINTS,
    COLUMN_LAMBDA,
    COLUMN_GAP,
    COLUMN_NNZ,
    COLUMN_SECONDS,
    COLUMN_DATA,
    COLUMN_FROM,
    COLUMN_METHOD,
    COLUMN_COUNT,
};

/* A column that does not fit completely is left out, as are those after it. */
static const struct {
    const char *title;
    int width;
    bool right;
    run_order order;
} columns[COLUMN_COUNT] = {
    [COLUMN_MARK] = {"", 2, false, BY_AGE},
    [COLUMN_NAME] = {"name", 20, false, BY_NAME},
    [COLUMN_STATE] = {"state", 10, false, BY_STATE},
    [COLUMN_POINTS] = {"points", 8, true, BY_AGE},
    [COLUMN_LAMBDA] = {"lambda", 10, true, BY_LAMBDA},
    [COLUMN_GAP] = {"gap", 10, true, BY_GAP},
    [COLUMN_NNZ] = {"nnz", 7, true, BY_NNZ},
    [COLUMN_SECONDS] = {"seconds", 10, true, BY_SECONDS},
    [COLUMN_DATA] = {"  data", 18, false, BY_DATA},
    [COLUMN_FROM] = {"from", 9, false, BY_AGE},
    [COLUMN_METHOD] = {"method", 12, false, BY_AGE},
};

/* The width of a table column; 0: left out on a narrow screen. Names take the remaining width. */
static int width_of(int column, int cols)
{
    enum { NARROW = 60, NAME_NARROW = 12, SPARE_MAX = 40 };
    int spare = cols;
    for (int c = 0; c < COLUMN_COUNT; c++)
        spare -= columns[c].width;
    bool grows = spare > 0 && (column == COLUMN_NAME || column == COLUMN_DATA);
    if (grows)
        return columns[column].width + (spare < 2 * SPARE_MAX ? spare / 2 : SPARE_MAX);
    if (cols >= NARROW)
        return columns[column].width;
    bool gives_way = column == COLUMN_POINTS || column == COLUMN_LAMBDA || column == COLUMN_GAP;
    return gives_way ? 0 : column == COLUMN_NAME ? NAME_NARROW : columns[column].width;
}

static terminal_style past_style(const char *status)
{
    if (strcmp(status, "failed") == 0)
        return STYLE_ERROR;
    return strcmp(status, "converged") == 0 ? STYLE_GOOD : STYLE_WARN;
}

static terminal_style state_style(tm_job_state state)
{
    switch (state) {
    case TM_JOB_RUNNING:
        return STYLE_VALUE;
    case TM_JOB_DONE:
        return STYLE_GOOD;
    case TM_JOB_FAILED:
        return STYLE_ERROR;
    case TM_JOB_PAUSED:
    case TM_JOB_CANCELLED:
        return STYLE_WARN;
    case TM_JOB_QUEUED:
        break;
    }
    return STYLE_DIM;
}

static void answer_text(const run_row *row, int column, char *out, size_t size)
{
    double lambda, gap, nnz;
    if (!run_result(row, &lambda, &gap, &nnz))
        return;
    if (column == COLUMN_LAMBDA && isfinite(lambda))
        snprintf(out, size, "%.4g", lambda);
    else if (column == COLUMN_GAP && isfinite(gap))
        snprintf(out, size, "%.2e", gap);
    else if (column == COLUMN_NNZ && isfinite(nnz))
        snprintf(out, size, "%.0f", nnz);
}

static void points_text(const run_row *row, char *out, size_t size)
{
    const tm_point *points;
    if (row->stored) {
        snprintf(out, size, "%lld", (long long)row->stored->points);
    } else {
        size_t done = tm_job_points(row->job, &points);
        snprintf(out, size, "%zu/%zu", done, tm_job_point_count(row->job));
    }
}

static void cell_text(const run_row *row, int column, bool marked, char *out, size_t size)
{
    out[0] = '\0';
    switch (column) {
    case COLUMN_MARK:
        snprintf(out, size, "%s", marked ? "*" : " ");
        break;
    case COLUMN_NAME:
        snprintf(out, size, "%s", run_name(row));
        break;
    case COLUMN_STATE:
        snprintf(out, size, "%s", run_state(row));
        break;
    case COLUMN_POINTS:
        points_text(row, out, size);
        break;
    case COLUMN_SECONDS:
        if (isfinite(run_seconds(row)))
            snprintf(out, size, "%.3f", run_seconds(row));
        break;
    case COLUMN_DATA:
        snprintf(out, size, "  %s", run_data(row));
        break;
    case COLUMN_FROM:
        snprintf(out, size, "%s",
                 row->stored != NULL      ? "store"
                 : row->index != SIZE_MAX ? "script"
                                          : "explore");
        break;
    case COLUMN_METHOD:
        snprintf(out, size, "%s", run_method(row));
        break;
    default:
        answer_text(row, column, out, size);
        break;
    }
}

static void draw_cell(terminal *t, rect at, int column, terminal_style style, const char *text)
{
    if (columns[column].right)
        terminal_put_right(t, at.row, at.col, at.cols, style, text);
    else
        terminal_put(t, at.row, at.col, at.cols - 1, style, text);
}

void run_table_titles(terminal *t, rect at, const run_list *list)
{
    char text[32];
    int col = at.col;
    for (int c = 0; c < COLUMN_COUNT && col + width_of(c, at.cols) <= at.col + at.cols; c++) {
        rect cell = {at.row, col, 1, width_of(c, at.cols)};
        if (cell.cols == 0)
            continue;
        bool sorted = list->order != BY_AGE && columns[c].order == list->order;
        const char *arrow =
            list->backwards ? terminal_pick(t, "▼", "v") : terminal_pick(t, "▲", "^");
        snprintf(text, sizeof text, "%s%s", columns[c].title, sorted ? arrow : "");
        draw_cell(t, cell, c, STYLE_BOLD, text);
        col += cell.cols;
    }
}

void run_table_row(terminal *t, rect at, const run_row *row, bool marked, bool selected)
{
    char text[TEXT_MAX];
    int col = at.col;
    if (selected)
        terminal_put_padded(t, at.row, at.col, at.cols, STYLE_SELECTED, "");
    for (int c = 0; c < COLUMN_COUNT && col + width_of(c, at.cols) <= at.col + at.cols; c++) {
        rect cell = {at.row, col, 1, width_of(c, at.cols)};
        if (cell.cols == 0)
            continue;
        terminal_style style = selected ? STYLE_SELECTED : STYLE_NORMAL;
        if (c == COLUMN_STATE && !selected) {
            style = row->stored ? past_style(row->stored->status)
                                : state_style(tm_job_get_state(row->job));
        }
        cell_text(row, c, marked, text, sizeof text);
        draw_cell(t, cell, c, style, text);
        col += cell.cols;
    }
}

run_order run_table_title_at(int col, int cols)
{
    for (int c = 0; c < COLUMN_COUNT && col >= 0; col -= width_of(c++, cols))
        if (col < width_of(c, cols))
            return columns[c].order;
    return RUN_ORDERS;
}

/* ---- details   ------------------------------------------------------------------------ */

/* The parameters that were set, as they would be typed. */
static void params_text(const tm_params *params, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < tm_params_count(params); i++) {
        const char *name = tm_params_info(params, i)->name;
        char value[64];
        if (!tm_params_given(params, name))
            continue;
        tm_params_summary(params, name, value, sizeof value);
        int added = snprintf(out + used, size - used, "%s%s=%s", used > 0 ? "  " : "", name, value);
        used += added > 0 && (size_t)added < size - used ? (size_t)added : 0;
    }
}

static void result_text(const tm_job *job, char *out, size_t size)
{
    const tm_point *points;
    size_t done = tm_job_points(job, &points);
    if (tm_job_get_state(job) == TM_JOB_FAILED) {
        snprintf(out, size, "%s", tm_job_error(job)->message);
        return;
    }
    if (done == 0) {
        snprintf(out, size, "no answer yet");
        return;
    }
    const tm_point *last = &points[done - 1];
    const tm_solution *solution = &last->solution;
    int used = snprintf(out, size, "%s  primal %.6g  dual %.6g  %.3g passes  %.1f %% screened",
                        tm_outcome_name(solution->outcome), solution->primal, solution->dual,
                        solution->passes, 100 * solution->screening.rejection);
    if (isfinite(last->test_score) && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "  test %.3g", last->test_score);
}

/* Copies the value at `json` in readable form: numbers shortened, escapes decoded. Returns the
 * number of bytes read. */
static size_t json_piece(const char *json, bool quoted, char *out, size_t size)
{
    if (!quoted && (isdigit((unsigned char)*json) || *json == '-')) {
        char *end;
        double value = strtod(json, &end);
        if (end > json) {
            snprintf(out, size, "%.6g", value);
            return (size_t)(end - json);
        }
    }
    bool escaped = *json == '\\' && json[1] != '\0';
    snprintf(out, size, "%c", escaped ? json[1] : *json);
    return escaped ? 2 : 1;
}

/* A JSON object as it would be typed: {"a":1,"b":[2,3]} becomes a=1  b=[2,3]. */
static void json_text(const char *json, char *out, size_t size)
{
    size_t used = 0;
    bool quoted = false;
    int depth = 0;
    while (*json != '\0' && used + 32 < size) {
        depth += !quoted && (*json == '{' || *json == '[') ? 1 : 0;
        bool outer = !quoted && depth == 1;
        depth -= !quoted && (*json == '}' || *json == ']') ? 1 : 0;
        if (*json == '"') {
            quoted = !quoted;
            json++;
        } else if (outer && strchr("{}:, \n", *json)) {
            const char *between = *json == ':' ? "=" : *json == ',' ? "  " : "";
            used += (size_t)snprintf(out + used, size - used, "%s", between);
            json++;
        } else {
            json += json_piece(json, quoted, out + used, size - used);
            used += strlen(out + used);
        }
    }
    out[used] = '\0';
}

static void past_result_text(const stored_run *run, char *out, size_t size)
{
    if (run->error[0] != '\0') {
        snprintf(out, size, "%s", run->error);
        return;
    }
    int used = snprintf(out, size, "%s", run->status);
    const struct {
        const char *name;
        double value;
    } all[] = {{"primal", run->result.primal},
               {"dual", run->result.dual},
               {"train", run->result.train_score},
               {"test", run->result.test_score}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (isfinite(all[i].value) && used > 0 && (size_t)used < size) {
            used +=
                snprintf(out + used, size - (size_t)used, "  %s %.6g", all[i].name, all[i].value);
        }
    }
}

/* "lasso on golub, 38x3051", and for a run of the store its number and when it began. */
static void headline(const run_row *row, char *out, size_t size)
{
    const stored_run *stored = row->stored;
    if (!stored) {
        const tm_dataset *data = tm_job_train(row->job);
        snprintf(out, size, "%s on %.60s, %zux%zu", run_method(row), run_data(row),
                 tm_dataset_rows(data), tm_dataset_cols(data));
        return;
    }
    char when[32] = "";
    struct tm parts;
    time_t begun = fabs(stored->begun) < 1e11 ? (time_t)stored->begun : 0;
    if (!localtime_r(&begun, &parts) || strftime(when, sizeof when, "%F %H:%M", &parts) == 0)
        when[0] = '\0';
    snprintf(out, size, "%s on %.60s, %lldx%lld: run %lld of the store, %s", stored->method,
             stored->data, (long long)stored->n, (long long)stored->p, (long long)stored->id, when);
}

/* "tags: a b  note: text", or nothing. */
static void label_text(const run_row *row, char *out, size_t size)
{
    tm_annotation label = run_annotation(row);
    bool tags = label.tags && label.tags[0];
    snprintf(out, size, "%s%s%s%s%s", tags ? "tags: " : "", tags ? label.tags : "",
             tags && label.note ? "  " : "", label.note ? "note: " : "",
             label.note ? label.note : "");
    tm_annotation_clear(&label);
}

void run_table_details(terminal *t, rect area, const run_row *row)
{
    char text[TM_ERROR_MAX];
    rect body = rect_inside(area);
    snprintf(text, sizeof text, "%.60s", run_name(row));
    terminal_box(t, area, text, false);
    headline(row, text, sizeof text);
    int used = wrap_draw(t, body, STYLE_BOLD, text);
    if (row->stored)
        past_result_text(row->stored, text, sizeof text);
    else
        result_text(row->job, text, sizeof text);
    body = (rect){body.row + used, body.col, body.rows - used, body.cols};
    used = wrap_draw(t, body, STYLE_NORMAL, text);
    body = (rect){body.row + used, body.col, body.rows - used, body.cols};
    label_text(row, text, sizeof text);
    used = text[0] ? wrap_draw(t, body, STYLE_NORMAL, text) : 0;
    if (row->stored)
        json_text(row->stored->params, text, sizeof text);
    else
        params_text(tm_job_params(row->job), text, sizeof text);
    wrap_draw(t, (rect){body.row + used, body.col, body.rows - used, body.cols}, STYLE_VALUE, text);
}
