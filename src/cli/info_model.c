/* The contents of a model's file that its predictions use. */
#include "cli/info.h"

#include "cli/print/json.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"
#include "tamis/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool info_is_model(const char *path)
{
    char start[64] = "";
    FILE *file = strcmp(path, "-") != 0 ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    size_t size = fread(start, 1, sizeof start - 1, file), used = 0;
    fclose(file);
    start[size] = '\0';
    /* `{"tamis":"model"`, with blanks or without */
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \t\r\n", start[i]))
            start[used++] = start[i];
    start[used] = '\0';
    return strncmp(start, "{\"tamis\":\"model\"", 16) == 0;
}

/* The number of text columns, and of all their values. */
static size_t count_texts(const tm_reading *reading, size_t *levels)
{
    size_t columns = 0, before = 0;
    *levels = 0;
    for (size_t k = 0; k < reading->count; k++) {
        if (!reading->features[k].level)
            continue;
        columns += columns == 0 || reading->features[k].number != before;
        before = reading->features[k].number;
        ++*levels;
    }
    return columns;
}

static void print_reading(const tm_reading *reading)
{
    size_t levels, texts = count_texts(reading, &levels);
    const tm_reading_file *file = &reading->file;
    if (file->format)
        report_line("read as", "%s", file->format);
    for (size_t i = 0; i < file->count; i += 2)
        report_line("", "%.60s = %.200s", file->options[i], file->options[i + 1]);
    if (reading->numbering)
        report_line("base", "features are counted from %d",
                    reading->numbering == TM_NUMBERING_FROM_1);
    if (file->response)
        report_line("response", "\"%.100s\"", file->response);
    if (texts > 0)
        report_line("texts", "%zu column%s with %zu value%s; others are refused", texts,
                    report_plural(texts), levels, report_plural(levels));
    if (reading->fills)
        report_line("missing", "become the means of the training data");
}

static void print_classes(const tm_model *model)
{
    if (tm_model_is_binary(model))
        report_line("classes", "%.60s (-1), %.60s (+1)%s", tm_model_label(model, -1),
                    tm_model_label(model, 1),
                    tm_model_is_one_vs_rest(model) ? ", one against the rest" : "");
}

/* A model of support vectors has no weights, and a map's features are not columns. */
static void print_size(const tm_model *model)
{
    const char *method = tm_model_method(model);
    const tm_map *map = tm_model_map(model);
    if (map)
        report_line("model", "%s, %zu of %llu features made of columns have a weight", method,
                    tm_model_nnz(model), (unsigned long long)tm_map_features(map));
    else if (tm_model_kernel(model) && !tm_model_is_selection(model))
        report_line("model", "%s, of %zu columns", method, tm_model_cols(model));
    else
        report_line("model", "%s, %zu of %zu columns have a weight", method, tm_model_nnz(model),
                    tm_model_cols(model));
}

static void print_page(const tm_model *model, const char *path, const cli_context *context)
{
    cli_terminal terminal = cli_terminal_find(context);
    tm_model_carries carries = tm_model_carried(model);
    report_heading(&terminal, path);
    print_size(model);
    report_model_kind(model);
    if (isfinite(tm_model_lambda(model)))
        report_line("lambda", "%.6g", tm_model_lambda(model));
    if (tm_model_map(model))
        report_line("map", "%s, of %zu columns", tm_map_kind(tm_model_map(model)), carries.columns);
    print_classes(model);
    if (carries.offset)
        report_line("offset", "predictions need the offsets of the rows");
    if (carries.whole > 0)
        report_line("chosen", "from %zu columns", carries.whole);
    if (carries.scaled > 0)
        report_line("scaled", "%zu columns are divided as in training", carries.scaled);
    if (carries.bags)
        report_line("bags", "by similarity with sigma %.6g; told by %.100s", carries.sigma,
                    carries.bags_column ? carries.bags_column : "a file");
    if (tm_model_reading(model))
        print_reading(tm_model_reading(model));
    else
        report_line("reading", "not told: the file is of an earlier tamis");
}

static int print_json(const tm_model *model, tm_error *err)
{
    tm_model_carries carries = tm_model_carried(model);
    const tm_reading *reading = tm_model_reading(model);
    cli_object object = cli_object_new();
    size_t levels;
    cli_set_text(&object, "method", tm_model_method(model));
    cli_set_real(&object, "lambda", tm_model_lambda(model));
    cli_set_count(&object, "nnz", tm_model_nnz(model));
    cli_set_count(&object, "p", tm_model_cols(model));
    if (tm_model_is_selection(model))
        cli_set(&object, "selection", json_true());
    if (tm_model_predictor(model))
        cli_set_text(&object, "predictor", tm_model_method(tm_model_predictor(model)));
    if (tm_model_kernel(model)) {
        cli_set_text(&object, "kernel", tm_model_kernel(model));
        cli_set_count(&object, "support_vectors", tm_model_support_vectors(model));
    }
    if (tm_model_map(model))
        cli_set_text(&object, "map", tm_map_kind(tm_model_map(model)));
    cli_set(&object, "offset", json_boolean(carries.offset));
    cli_set(&object, "bags", json_boolean(carries.bags));
    cli_set_count(&object, "scaled", carries.scaled);
    if (reading) {
        cli_set_text(&object, "format", reading->file.format);
        cli_set_count(&object, "texts", count_texts(reading, &levels));
        cli_set(&object, "fills", json_boolean(reading->fills));
    }
    if (reading && reading->numbering)
        cli_set_count(&object, "base", reading->numbering == TM_NUMBERING_FROM_1);
    return cli_write_json(object, stdout, err) == TM_OK ? CLI_DONE : cli_fail("info", err);
}

int info_model(const char *path, bool json, const cli_context *context)
{
    tm_error err;
    tm_model *model;
    int result = CLI_DONE;
    if (tm_model_load(&model, path, &err) != TM_OK)
        return cli_fail("info", &err);
    if (json)
        result = print_json(model, &err);
    else
        print_page(model, path, context);
    tm_model_unref(model);
    return result == CLI_DONE ? cli_finish("info", CLI_DONE) : result;
}
