/* tamis info: what is in a data file. */
#include "cli/info.h"

#include "cli/commands.h"
#include "cli/common/load.h"
#include "cli/common/options.h"
#include "cli/print/json.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"
#include "tamis/facts.h"

#include <stdio.h>
#include <string.h>

enum { NAMED_FEATURES = 5, NAMED_CLASSES = 8 };

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *feature_json(const tm_dataset *data, size_t j)
{
    const char *name = tm_dataset_feature_name(data, j);
    return name ? cli_json_text(name) : json_integer((json_int_t)j + 1);
}

static cli_object class_json(const char *label, int value, size_t count)
{
    cli_object object = cli_object_new();
    cli_set_text(&object, "label", label);
    cli_set(&object, "value", json_integer(value));
    cli_set_count(&object, "count", count);
    return object;
}

static void set_classes(cli_object *object, const info_facts *facts, const tm_dataset *data)
{
    const tm_classes *named = &facts->classes;
    json_t *classes = json_array();
    for (int k = 0; k < 2 && named->count == 0; k++)
        cli_append(object, classes,
                   cli_object_take(object, class_json(tm_dataset_label(data, 2 * k - 1), 2 * k - 1,
                                                      facts->class_counts[k])));
    for (size_t k = 0; k < named->count; k++)
        cli_append(object, classes,
                   cli_object_take(object, class_json(named->labels[k], (int)named->values[k],
                                                      named->sizes[k])));
    cli_set(object, "classes", classes);
}

static cli_object response_json(const info_facts *facts, const tm_dataset *data)
{
    cli_object object = cli_object_new();
    bool classes = tm_dataset_has_classes(data);
    cli_set_text(&object, "name", tm_dataset_response_name(data));
    cli_set_text(&object, "kind", classes ? "classes" : "numeric");
    if (classes) {
        set_classes(&object, facts, data);
    } else {
        cli_set_real(&object, "min", facts->y_min);
        cli_set_real(&object, "max", facts->y_max);
        cli_set_real(&object, "mean", facts->y_mean);
        cli_set_count(&object, "distinct", facts->y_distinct);
    }
    return object;
}

static json_t *duplicates_json(cli_object *object, const info_facts *facts, const tm_dataset *data)
{
    json_t *array = json_array();
    for (size_t k = 0; k < facts->duplicate_count; k++) {
        json_t *pair = json_array();
        cli_append(object, pair, feature_json(data, facts->duplicates[k].feature));
        cli_append(object, pair, feature_json(data, facts->duplicates[k].same_as));
        cli_append(object, array, pair);
    }
    return array;
}

static json_t *constants_json(cli_object *object, const info_facts *facts, const tm_dataset *data)
{
    json_t *array = json_array();
    for (size_t k = 0; k < facts->constant_count; k++)
        cli_append(object, array, feature_json(data, facts->constants[k]));
    return array;
}

static json_t *correlations_json(cli_object *object, const info_facts *facts,
                                 const tm_dataset *data)
{
    json_t *array = json_array();
    for (size_t k = 0; k < facts->strongest_count; k++) {
        json_t *pair = json_array();
        cli_append(object, pair, feature_json(data, facts->strongest[k].feature));
        cli_append(object, pair, cli_json_real(facts->strongest[k].correlation));
        cli_append(object, array, pair);
    }
    return array;
}

/* ---- missing values ------------------------------------------------------------------------ */

/* How missing values were treated, or NULL. */
static const char *missing_text(const tm_dataset *data)
{
    const char *text = tm_dataset_reading(data)->missing;
    return text[0] ? text : NULL;
}

/* ---- warnings ------------------------------------------------------------------------------ */

static json_t *warnings_json(const tm_dataset *data)
{
    tm_warnings found;
    json_t *list = json_array();
    tm_dataset_warnings(&found, data);
    for (size_t k = 0; k < found.count; k++)
        if (json_array_append_new(list, cli_json_text(found.text[k])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static void print_warnings(const tm_dataset *data)
{
    tm_warnings found;
    tm_dataset_warnings(&found, data);
    for (size_t k = 0; k < found.count; k++)
        report_line("warning", "%s", found.text[k]);
}

static tm_status print_json(const info_facts *facts, const tm_dataset *data, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(data);
    cli_object object = cli_object_new(), values = cli_object_new(), spread = cli_object_new();
    cli_set_text(&object, "name", tm_dataset_name(data));
    cli_set_count(&object, "n", tm_dataset_rows(data));
    cli_set_count(&object, "p", tm_dataset_cols(data));
    cli_set_count(&object, "nnz", tm_matrix_nnz(x));
    cli_set_real(&object, "density", facts->density);
    cli_set_text(&object, "kind", tm_matrix_kind(x));
    cli_set_count(&object, "bytes", tm_matrix_bytes(x));
    cli_set(&object, "mapped", json_boolean(tm_matrix_is_mapped(x)));
    cli_set_text(&object, "sha256", tm_dataset_sha256(data));
    cli_set_object(&object, "response", response_json(facts, data));
    cli_set_real(&values, "min", facts->x_min);
    cli_set_real(&values, "max", facts->x_max);
    cli_set_object(&object, "values", values);
    cli_set_real(&spread, "min", facts->deviation_min);
    cli_set_real(&spread, "max", facts->deviation_max);
    cli_set_object(&object, "deviations", spread);
    cli_set(&object, "constant", constants_json(&object, facts, data));
    cli_set(&object, "duplicates", duplicates_json(&object, facts, data));
    cli_set(&object, "correlations", correlations_json(&object, facts, data));
    cli_set_text(&object, "missing", missing_text(data));
    cli_set(&object, "unscaled", json_boolean(facts->unscaled));
    cli_set(&object, "warnings", warnings_json(data));
    cli_set_text(&object, "notes", tm_dataset_note(data));
    return cli_write_json(object, stdout, err);
}

/* ---- the page ------------------------------------------------------------------------------ */

/* "3 classes: bird in 2 rows, cat in 3, dog in 3" */
static void print_classes(const tm_classes *classes, const char *name)
{
    char text[TM_ERROR_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "%.80s%s%zu classes:", name ? name : "",
                                   name ? ", " : "", classes->count);
    for (size_t k = 0; k < classes->count && k < NAMED_CLASSES; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %.40s in %zu%s", k ? "," : "",
                                 classes->labels[k], classes->sizes[k],
                                 k                       ? ""
                                 : classes->sizes[k] > 1 ? " rows"
                                                         : " row");
    report_line("response", "%s%s", text, classes->count > NAMED_CLASSES ? ", ..." : "");
}

static void print_response(const info_facts *facts, const tm_dataset *data)
{
    const char *name = tm_dataset_response_name(data);
    if (tm_dataset_is_binary(data))
        report_line("response", "%s%stwo classes: %.60s (-1) in %zu row%s, %.60s (+1) in %zu row%s",
                    name ? name : "", name ? ", " : "", tm_dataset_label(data, -1),
                    facts->class_counts[0], report_plural(facts->class_counts[0]),
                    tm_dataset_label(data, 1), facts->class_counts[1],
                    report_plural(facts->class_counts[1]));
    else if (facts->classes.count > 0)
        print_classes(&facts->classes, name);
    else
        report_line("response", "%s%snumbers from %.6g to %.6g, mean %.6g, %zu distinct",
                    name ? name : "", name ? ", " : "", facts->y_min, facts->y_max, facts->y_mean,
                    facts->y_distinct);
    if (!tm_dataset_is_binary(data) && facts->y_distinct == 1)
        report_line("", "there is one value alone: nothing can be learned from it");
}

static void print_name(const char *before, const tm_dataset *data, size_t j)
{
    char label[80];
    fputs(before, stdout);
    report_text(tm_dataset_feature_label(data, j, label, sizeof label));
}

static void print_constants(const info_facts *facts, const tm_dataset *data)
{
    report_label("constant");
    printf("%zu column%s", facts->constant_count, report_plural(facts->constant_count));
    for (size_t k = 0; k < facts->constant_count && k < NAMED_FEATURES; k++)
        print_name(k ? ", " : ": ", data, facts->constants[k]);
    printf("%s\n", facts->constant_count > NAMED_FEATURES ? ", ..." : "");
}

static void print_duplicates(const info_facts *facts, const tm_dataset *data)
{
    report_label("duplicates");
    printf("%zu column%s", facts->duplicate_count, report_plural(facts->duplicate_count));
    for (size_t k = 0; k < facts->duplicate_count && k < NAMED_FEATURES; k++) {
        print_name(k ? ", " : ": ", data, facts->duplicates[k].feature);
        print_name(" = ", data, facts->duplicates[k].same_as);
    }
    printf("%s\n", facts->duplicate_count > NAMED_FEATURES ? ", ..." : "");
}

static void print_correlations(const info_facts *facts, const tm_dataset *data)
{
    if (facts->strongest_count == 0)
        return;
    report_label("correlated");
    for (size_t k = 0; k < facts->strongest_count; k++) {
        print_name(k ? ", " : "with the response: ", data, facts->strongest[k].feature);
        printf(" %+.3f", facts->strongest[k].correlation);
    }
    printf("\n");
}

/* Prints all notes except the one about missing values, which has a line of its own. */
static void print_notes(const tm_dataset *data)
{
    char missing[sizeof(tm_reading) + 16];
    int size = snprintf(missing, sizeof missing, "missing: %s", tm_dataset_reading(data)->missing);
    for (const char *note = tm_dataset_note(data); *note; note += *note == '\n') {
        int length = (int)strcspn(note, "\n");
        if (length != size || strncmp(note, missing, (size_t)size) != 0)
            report_line("note", "%.*s", length, note);
        note += length;
    }
}

static void print_page(const info_facts *facts, const tm_dataset *data,
                       const cli_terminal *terminal)
{
    const tm_matrix *x = tm_dataset_x(data);
    char bytes[32];
    report_bytes((double)tm_matrix_bytes(x), bytes, sizeof bytes);
    report_heading(terminal, tm_dataset_name(data));
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    report_line("size", "%zu row%s x %zu feature%s", n, report_plural(n), p, report_plural(p));
    report_line("storage", "%s, %llu entries (density %.4g), %s%s", tm_matrix_kind(x),
                (unsigned long long)tm_matrix_nnz(x), facts->density, bytes,
                tm_matrix_is_mapped(x) ? " read in place from the file" : "");
    print_response(facts, data);
    report_line("values", "from %.6g to %.6g", facts->x_min, facts->x_max);
    if (facts->constant_count < tm_dataset_cols(data))
        report_line("deviations", "of columns from %.4g to %.4g", facts->deviation_min,
                    facts->deviation_max);
    print_constants(facts, data);
    print_duplicates(facts, data);
    report_line("missing", "%s", missing_text(data) ? missing_text(data) : "none");
    print_correlations(facts, data);
    if (facts->unscaled)
        report_line("scale", "deviations differ by a factor of %.2g: consider --standardize true",
                    facts->deviation_max / facts->deviation_min);
    print_warnings(data);
    print_notes(data);
    report_line("sha256", "%s", tm_dataset_sha256(data));
}

/* ---- the command line ---------------------------------------------------------------------- */

static int describe(const tm_dataset *data, bool json, const cli_context *context)
{
    info_facts facts;
    tm_error err;
    tm_status status = info_find(&facts, data, &err);
    if (status == TM_OK && json) {
        status = print_json(&facts, data, &err);
    } else if (status == TM_OK) {
        cli_terminal terminal = cli_terminal_find(context);
        print_page(&facts, data, &terminal);
    }
    info_clear(&facts);
    return status == TM_OK ? cli_finish("info", CLI_DONE) : cli_fail("info", &err);
}

int cli_info(cli_context *context, int argc, char **argv)
{
    bool json = false;
    const cli_option options[] = {{"json", NULL, "print one JSON object", &json, NULL}};
    cli_syntax syntax = {
        .command = "info",
        .no_store = true,
        .usage = "info FILE [OPTION...]",
        .summary = "Describes a data file ('-': standard input): sizes, response, range and scale "
                   "of the columns, constant columns and exact duplicates; of a model's file what "
                   "it carries for predictions.",
        .options = options,
        .option_count = 1,
        .params_title = {"data options"},
    };
    cli_arguments arguments;
    tm_dataset *data = NULL;
    tm_error err;
    int result;
    if (cli_reader_params_new(&syntax.params[0], &err) != TM_OK) {
        result = cli_fail("info", &err);
        goto done;
    }
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &result))
        goto done;
    if (arguments.count != 1)
        result = cli_usage("info", "name one data file: tamis info FILE");
    else if (info_is_model(arguments.words[0]))
        result = info_model(arguments.words[0], json, context);
    else if (cli_load(&data, arguments.words[0], syntax.params[0], context, &err) != TM_OK)
        result = cli_fail("info", &err);
    else
        result = describe(data, json, context);
done:
    tm_dataset_unref(data);
    tm_params_free(syntax.params[0]);
    return result;
}
