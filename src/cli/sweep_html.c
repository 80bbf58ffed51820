/* tamis report: a sweep as one self-contained HTML page. */
#include "cli/commands.h"
#include "cli/common/settings.h"
#include "cli/print/json.h"
#include "cli/print/messages.h"
#include "cli/print/sweep.h"

#include "base/replace.h"
#include "base/text.h"
#include "cli/common/options.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FIGURE_WIDTH = 720,
    FIGURE_HEIGHT = 400,
    MAX_BARS = 200, /* error bars of a figure; more would hide the curves */
    MAX_ALIKE = 5,  /* maximum number of failed runs listed with the same reason */
};

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;"
    "color:#222;background:#fff}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd}"
    "th{position:sticky;top:0;background:#f4f4f4}td.t,th.t{text-align:left}"
    "tr.best td{background:#e8f3e8;font-weight:bold}.wide{overflow-x:auto;max-height:40em}"
    "svg{max-width:100%;height:auto;background:#fff}";

/* ---- text ---------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
    for (; text && *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc(*text, out);
        }
}

static void put_cell(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    put_text(out, text);
    fprintf(out, "</%.2s>", tag);
}

static void put_number(FILE *out, int digits, double value)
{
    if (!isnan(value))
        fprintf(out, "<td>%.*g</td>", digits, value);
    else
        fputs("<td>&ndash;</td>", out);
}

static void put_fact(FILE *out, const char *label, const char *text)
{
    fputs("<tr>", out);
    put_cell(out, "td class=t", label);
    put_cell(out, "td class=t", text);
    fputs("</tr>\n", out);
}

/* ---- parts --------------------------------------------------------------------------------- */

static void put_data(FILE *out, const json_t *description)
{
    size_t i;
    json_t *data;
    json_array_foreach(json_object_get(description, "data"), i, data)
    {
        char text[256];
        snprintf(text, sizeof text, "%.120s: %lld x %lld, sha256 %.16s...",
                 json_string_value(json_object_get(data, "name")),
                 (long long)json_integer_value(json_object_get(data, "n")),
                 (long long)json_integer_value(json_object_get(data, "p")),
                 json_string_value(json_object_get(data, "sha256")));
        put_fact(out, "data", text);
    }
}

/* How often folds were dealt: the greatest number of a repeat. */
static void put_repeats(FILE *out, const json_t *splits)
{
    size_t i;
    char text[32];
    json_t *split;
    long long most = 0;
    json_array_foreach(splits, i, split)
    {
        long long repeat = json_integer_value(json_array_get(split, 0));
        most = repeat > most ? repeat : most;
    }
    snprintf(text, sizeof text, "%lld", most);
    if (most > 1)
        put_fact(out, "repeats", text);
}

static void put_settings(FILE *out, const json_t *description)
{
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(description, "base"), key, value)
    {
        put_fact(out, key, json_string_value(value));
    }
    static const char *const counts[] = {"folds", "nested", "seed"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char text[64];
        const char *whose = i == 0 && json_object_get(description, "held") ? ", given by their rows"
                            : i == 0 && json_object_get(description, "test") ? ", test data instead"
                                                                             : "";
        snprintf(text, sizeof text, "%lld%s",
                 (long long)json_integer_value(json_object_get(description, counts[i])), whose);
        put_fact(out, counts[i], text);
        if (i == 0)
            put_repeats(out, json_object_get(description, "splits"));
    }
}

static tm_status put_head(const tm_stored_sweep *sweep, void *payload, tm_error *err)
{
    FILE *out = payload;
    char text[160], when[64] = "";
    struct tm parts;
    time_t begun = (time_t)sweep->begun;
    json_t *description;
    tm_status status = cli_read_json(&description, sweep->description, err);
    if (status != TM_OK)
        return status;
    fputs("<h1>", out);
    put_text(out, sweep->name);
    fputs("</h1>\n<table>\n", out);
    put_fact(out, "method", sweep->method ? sweep->method : "several");
    put_data(out, description);
    put_settings(out, description);
    snprintf(text, sizeof text,
             "%s, %lld of %lld tasks, %lld failed cells, %lld that did not converge", sweep->status,
             (long long)sweep->done, (long long)sweep->tasks, (long long)sweep->failed,
             (long long)sweep->unconverged);
    put_fact(out, "status", text);
    if (gmtime_r(&begun, &parts))
        strftime(when, sizeof when, "%F %T UTC", &parts);
    if (sweep->label.tags[0])
        put_fact(out, "tags", sweep->label.tags);
    if (sweep->label.note)
        put_fact(out, "note", sweep->label.note);
    put_fact(out, "begun", when);
    put_fact(out, "tamis", sweep->version);
    fputs("</table>\n", out);
    json_decref(description);
    return TM_OK;
}

static void put_titles(FILE *out, const tm_sweep_table *t)
{
    fputs("<tr><th>number</th>", out);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++)
        put_cell(out, "th", tm_sweep_table_axis(t, a));
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++) {
        put_cell(out, "th", tm_sweep_table_metric(t, m));
        put_cell(out, "th", "se");
    }
    fputs("<th>lambda</th><th>features</th><th>worst gap</th><th>seconds</th><th>splits</th>"
          "<th>not converged</th></tr>\n",
          out);
}

static void put_config(FILE *out, const tm_sweep_table *t, size_t config, bool best)
{
    tm_sweep_mean mean = {0};
    fprintf(out, "<tr%s><td>%zu</td>", best ? " class=best" : "", config + 1);
    for (size_t a = 0; a < tm_sweep_table_axes(t); a++) {
        char shown[TEXT_SHOWN];
        put_cell(out, "td", text_shown(tm_sweep_table_value(t, config, a), "-", shown));
    }
    for (size_t m = 0; m < tm_sweep_table_metrics(t); m++) {
        tm_sweep_summary(t, tm_sweep_table_metric(t, m), config, &mean, NULL);
        put_number(out, 5, mean.mean);
        put_number(out, 2, mean.count > 1 ? mean.se : NAN);
    }
    tm_sweep_summary(t, "lambda", config, &mean, NULL);
    put_number(out, 4, mean.mean);
    tm_sweep_summary(t, "nnz", config, &mean, NULL);
    put_number(out, 4, mean.mean);
    tm_sweep_summary(t, "gap", config, &mean, NULL);
    put_number(out, 2, mean.max);
    tm_sweep_summary(t, "seconds", config, &mean, NULL);
    put_number(out, 3, mean.mean);
    fprintf(out, "<td>%zu</td><td>%zu</td></tr>\n", mean.count, tm_sweep_unconverged(t, config));
}

static void put_best(FILE *out, const tm_sweep_table *t)
{
    static const char *const titles[] = {"best mean", "sparsest within one standard error"};
    size_t config;
    if (tm_sweep_best(t, NULL, false, &config, NULL) != TM_OK)
        return;
    fprintf(out, "<h2>Best by ");
    put_text(out, tm_sweep_table_metric(t, 0));
    fputs("</h2>\n", out);
    for (int one_se = 0; one_se < 2; one_se++) {
        fprintf(out, "<p>%s</p>\n<table>\n", titles[one_se]);
        put_titles(out, t);
        if (tm_sweep_best(t, NULL, one_se, &config, NULL) == TM_OK)
            put_config(out, t, config, false);
        fputs("</table>\n", out);
    }
}

static void put_nested(FILE *out, const tm_sweep_table *t)
{
    tm_sweep_outer *outer;
    size_t count;
    if (tm_sweep_nested(t, NULL, false, &outer, &count, NULL) != TM_OK)
        return;
    fputs("<h2>Outer folds</h2>\n<p>What the inner folds chose, and its score on the rows they had "
          "not "
          "seen.</p>\n<table>\n<tr><th>repeat</th><th>fold</th><th>configuration</th>",
          out);
    put_cell(out, "th", tm_sweep_table_metric(t, 0));
    fputs("</tr>\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<tr><td>%d</td><td>%d</td><td>%zu</td>", outer[i].split.repeat,
                outer[i].split.outer, outer[i].config + 1);
        put_number(out, 5, outer[i].score);
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
    tm_sweep_mean mean = tm_sweep_outer_mean(outer, count);
    if (mean.count > 0)
        fprintf(out, "<p>mean %.5g, standard deviation %.3g over %zu outer folds</p>\n", mean.mean,
                mean.sd, mean.count);
    else
        fputs("<p>no outer fold has a score</p>\n", out);
    free(outer);
}

/* Lists the runs without a result, grouped by reason. */
static void put_failed(FILE *out, const tm_sweep_table *t)
{
    const char *before = NULL;
    size_t failed, same = 0;
    tm_sweep_table_done(t, &failed);
    if (failed == 0)
        return;
    fputs("<h2>Failed runs</h2>\n<table>\n<tr><th>configuration</th><th>repeat</th><th>fold</th>"
          "<th>inner</th><th class=t>reason</th></tr>\n",
          out);
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        for (size_t s = 0; s < tm_sweep_table_splits(t); s++) {
            const tm_sweep_cell *cell = tm_sweep_table_cell(t, c, s);
            const tm_sweep_split *split = tm_sweep_table_split(t, s);
            if (cell->status != TM_CELL_FAILED)
                continue;
            const char *why = cell->error ? cell->error : "";
            same = before && strcmp(before, why) == 0 ? same + 1 : 0;
            before = why;
            if (same >= MAX_ALIKE)
                continue;
            fprintf(out, "<tr><td>%zu</td><td>%d</td><td>%d</td><td>%d</td>", c + 1, split->repeat,
                    split->outer, split->inner);
            put_cell(out, "td class=t", why);
            fputs("</tr>\n", out);
        }
    fprintf(out, "</table>\n<p>%zu in all</p>\n", failed);
}

static void put_table(FILE *out, const tm_sweep_table *t)
{
    size_t best = SIZE_MAX;
    tm_sweep_best(t, NULL, false, &best, NULL);
    fputs("<h2>Configurations</h2>\n<div class=wide><table>\n", out);
    put_titles(out, t);
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        put_config(out, t, c, c == best);
    fputs("</table></div>\n", out);
}

/* ---- figures ------------------------------------------------------------------------------- */

static tm_status add_curves(plot_figure *figure, const tm_sweep_curve *curves, size_t count,
                            tm_error *err)
{
    tm_status status = TM_OK;
    size_t points = 0;
    for (size_t i = 0; i < count; i++)
        points += curves[i].count;
    for (size_t i = 0; status == TM_OK && i < count; i++) {
        const tm_sweep_curve *curve = &curves[i];
        plot_mark mark = curve->cloud ? PLOT_POINTS : PLOT_LINE;
        size_t at = 0;
        status = plot_figure_add(
            figure, &(plot_curve){curve->name, mark, curve->x, curve->y, curve->count, (int)i}, &at,
            err);
        if (status == TM_OK && points <= MAX_BARS)
            status = plot_figure_spread(figure, at, curve->se, err);
    }
    return status;
}

static bool spans_decades(const tm_sweep_curve *curves, size_t count)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].count; k++) {
            low = fmin(low, curves[i].x[k]);
            high = fmax(high, curves[i].x[k]);
        }
    return low > 0 && high >= 30 * low;
}

static tm_status put_figure(FILE *out, const tm_sweep_table *t, const char *x, const char *y,
                            tm_error *err)
{
    tm_sweep_curve *curves;
    size_t count;
    char *svg = NULL, title[160];
    tm_status status = tm_sweep_curves(t, x, y, &curves, &count, err);
    if (status != TM_OK)
        return status;
    plot_figure *figure = plot_figure_new();
    if (!figure)
        status = tm_fail_memory(err, "a figure");
    if (status == TM_OK) {
        const char *name = strcmp(x, "nnz") == 0 ? "features" : x;
        snprintf(title, sizeof title, "%.60s by %.60s", y, name);
        plot_figure_title(figure, title);
        plot_figure_labels(figure, name, y);
        plot_figure_log(figure, spans_decades(curves, count), false);
        plot_figure_legend(figure, count > 1);
        status = add_curves(figure, curves, count, err);
    }
    if (status == TM_OK)
        status = plot_svg(figure, FIGURE_WIDTH, FIGURE_HEIGHT, &svg, err);
    if (status == TM_OK) {
        const char *start = strstr(svg, "<svg");
        fprintf(out, "<p>%s</p>\n", start ? start : svg);
    }
    free(svg);
    plot_figure_free(figure);
    tm_sweep_curves_free(curves, count);
    return status;
}

/* Whether the axis can be drawn: all its values are numbers, and at least two differ. */
static bool is_drawn(const tm_sweep_table *t, size_t axis)
{
    double first = NAN, value;
    bool differ = false;
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        const char *text = tm_sweep_table_value(t, c, axis);
        if (!text || !text_to_real(text, &value))
            return false;
        differ = differ || (c > 0 && value != first);
        first = value;
    }
    return differ;
}

static tm_status put_figures(FILE *out, const tm_sweep_table *t, tm_error *err)
{
    tm_status status = TM_OK;
    fputs("<h2>Figures</h2>\n", out);
    for (size_t m = 0; status == TM_OK && m < tm_sweep_table_metrics(t); m++) {
        const char *metric = tm_sweep_table_metric(t, m);
        status = put_figure(out, t, "nnz", metric, err);
        for (size_t a = 0; status == TM_OK && a < tm_sweep_table_axes(t); a++)
            if (is_drawn(t, a))
                status = put_figure(out, t, tm_sweep_table_axis(t, a), metric, err);
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static tm_status put_page(FILE *out, tm_store *store, int64_t id, const tm_sweep_table *t,
                          tm_error *err)
{
    fputs("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<title>", out);
    put_text(out, tm_sweep_table_name(t));
    fprintf(out, "</title>\n<style>%s</style>\n", style);
    tm_status status = tm_store_each_sweep(store, id, put_head, out, err);
    if (status != TM_OK)
        return status;
    put_best(out, t);
    put_nested(out, t);
    status = put_figures(out, t, err);
    put_table(out, t);
    put_failed(out, t);
    fputs("</html>\n", out);
    return status;
}

tm_status sweep_write_html(tm_store *store, int64_t id, const char *path, tm_error *err)
{
    tm_sweep_table *t;
    replacement file;
    tm_status status = tm_store_sweep_table(store, id, &t, err);
    if (status != TM_OK)
        return status;
    if (strcmp(path, "-") == 0) {
        status = put_page(stdout, store, id, t, err);
    } else {
        status = replace_begin(&file, path, err);
        if (status == TM_OK)
            status = replace_end(&file, put_page(file.stream, store, id, t, err), err);
    }
    tm_sweep_table_free(t);
    return status;
}

/* Parses "s3" or 3 as the number of a sweep. */
static bool read_id(const char *text, int64_t *id)
{
    long number;
    if (!text_to_long(text + (text[0] == 's'), &number) || number < 1)
        return false;
    *id = number;
    return true;
}

int cli_report(cli_context *context, int argc, char **argv)
{
    const char *out = "-";
    const cli_option options[] = {
        {"out", "FILE", "write the page to this file and not to standard output", NULL, &out}};
    const cli_syntax syntax = {
        .command = "report",
        .usage = "report SWEEP [-o FILE.html] [OPTION...]",
        .summary = "A sweep of the run store as one HTML page with tables and figures, which needs "
                   "no other file. 'tamis runs sweeps' lists them.",
        .options = options,
        .option_count = 1,
    };
    cli_arguments arguments;
    int done;
    tm_error err;
    tm_store *store;
    int64_t id;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (arguments.count != 1 || !read_id(arguments.words[0], &id))
        return cli_usage("report", "name one sweep: tamis report s3 -o page.html");
    const char *store_path = cli_store(context);
    bool usual = !store_path || strcmp(store_path, "default") == 0;
    tm_status status = tm_store_open(&store, usual ? NULL : store_path, TM_STORE_READ, &err);
    if (status == TM_OK) {
        status = sweep_write_html(store, id, out, &err);
        tm_store_close(store);
    }
    return status == TM_OK ? cli_finish("report", CLI_DONE) : cli_fail("report", &err);
}
