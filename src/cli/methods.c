/* tamis methods: the registry as a page, as JSON, and for the reference. */
#include "cli/commands.h"
#include "cli/common/options.h"
#include "cli/print/describe.h"
#include "cli/print/json.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"
#include "cli/reference.h"
#include "tamis/method.h"

#include <stdio.h>

/* ---- JSON ---------------------------------------------------------------------------------- */

static void set_range(cli_object *object, const tm_param_info *info)
{
    if (info->type != TM_PARAM_REAL && info->type != TM_PARAM_INT && info->type != TM_PARAM_REALS &&
        info->type != TM_PARAM_VECTOR)
        return;
    cli_set_real(object, "min", info->min);
    cli_set_real(object, "max", info->max);
    if (info->flags & TM_PARAM_MIN_OPEN)
        cli_set(object, "min_open", json_true());
}

static json_t *choices_json(cli_object *object, const tm_choice *choices)
{
    json_t *array = json_array();
    for (const tm_choice *c = choices; c->name; c++) {
        cli_object choice = cli_object_new();
        cli_set_text(&choice, "name", c->name);
        cli_set_text(&choice, "help", c->help);
        cli_append(object, array, cli_object_take(object, choice));
    }
    return array;
}

static json_t *param_json(cli_object *outer, const tm_param_info *info)
{
    cli_object object = cli_object_new();
    cli_set_text(&object, "name", info->name);
    cli_set_text(&object, "type", describe_type(info));
    cli_set_text(&object, "default", info->fallback);
    set_range(&object, info);
    cli_set_text(&object, "unit", info->unit);
    cli_set_text(&object, "help", info->help);
    if (info->type == TM_PARAM_CHOICE)
        cli_set(&object, "choices", choices_json(&object, info->choices));
    return cli_object_take(outer, object);
}

static cli_object method_json(const tm_method *method)
{
    size_t count;
    const tm_param_info *table = tm_method_params(method, &count);
    cli_object object = cli_object_new();
    json_t *params = json_array();
    char losses[128];
    cli_set_text(&object, "id", tm_method_id(method));
    cli_set_text(&object, "summary", tm_method_summary(method));
    cli_set_text(&object, "formula", tm_method_formula(method));
    tm_method_losses(method, losses, sizeof losses);
    cli_set_text(&object, "losses", losses);
    cli_set_text(&object, "source", tm_method_source(method));
    for (size_t i = 0; i < count; i++)
        cli_append(&object, params, param_json(&object, &table[i]));
    cli_set(&object, "params", params);
    return object;
}

static cli_object methods_json(void)
{
    cli_object object = cli_object_new();
    json_t *array = json_array();
    for (size_t i = 0; tm_methods_at(i); i++)
        cli_append(&object, array, cli_object_take(&object, method_json(tm_methods_at(i))));
    cli_set(&object, "methods", array);
    return object;
}

/* ---- pages --------------------------------------------------------------------------------- */

static void print_list(const cli_terminal *terminal)
{
    report_heading(terminal, "method        what it is");
    for (size_t i = 0; tm_methods_at(i); i++) {
        const tm_method *method = tm_methods_at(i);
        printf("%-13s ", tm_method_id(method));
        report_wrapped(tm_method_summary(method), 14, 14);
    }
    printf("\n'tamis methods M' explains one, 'tamis fit FILE --method M' runs it.\n");
}

static void print_choices(const tm_choice *choices)
{
    for (const tm_choice *c = choices; c->name; c++) {
        printf("      %-14s ", c->name);
        report_wrapped(c->help, 21, 21);
    }
}

static void print_wrapped(const char *label, const char *text)
{
    report_label(label);
    report_wrapped(text, 14, 14);
}

static void print_method(const tm_method *method, const cli_terminal *terminal)
{
    size_t count;
    const tm_param_info *table = tm_method_params(method, &count);
    char losses[128];
    report_heading(terminal, tm_method_id(method));
    print_wrapped("what", tm_method_summary(method));
    print_wrapped("problem", tm_method_formula(method));
    tm_method_losses(method, losses, sizeof losses);
    print_wrapped("losses", losses);
    print_wrapped("source", tm_method_source(method));
    putchar('\n');
    report_heading(terminal, "parameters");
    for (size_t i = 0; i < count; i++) {
        char limits[256], text[1024];
        describe_limits(&table[i], limits, sizeof limits);
        snprintf(text, sizeof text, "%s%s", table[i].help, limits);
        printf("  %-17s %-18s ", table[i].name, describe_type(&table[i]));
        report_wrapped(text, 39, 39);
        if (table[i].choices)
            print_choices(table[i].choices);
    }
}

/* ---- the command line ---------------------------------------------------------------------- */

static int show(const tm_method *method, bool json, const cli_context *context)
{
    tm_error err;
    cli_terminal terminal = cli_terminal_find(context);
    if (json &&
        cli_write_json(method ? method_json(method) : methods_json(), stdout, &err) != TM_OK)
        return cli_fail("methods", &err);
    if (!json && method)
        print_method(method, &terminal);
    if (!json && !method)
        print_list(&terminal);
    return cli_finish("methods", CLI_DONE);
}

int cli_methods(cli_context *context, int argc, char **argv)
{
    bool json = false, markdown = false;
    const cli_option options[] = {
        {"json", NULL, "print one JSON object", &json, NULL},
        {"markdown", NULL, "print the reference of everything that has parameters", &markdown,
         NULL},
    };
    const cli_syntax syntax = {
        .command = "methods",
        .no_store = true,
        .usage = "methods [M] [OPTION...]",
        .summary = "Lists the methods, or explains one with its parameters.",
        .options = options,
        .option_count = 2,
    };
    cli_arguments arguments;
    int done;
    tm_error err;
    if (!cli_begin(&syntax, context, argc, argv, &arguments, &done))
        return done;
    if (arguments.count > 1)
        return cli_usage("methods", "one method at a time, not '%.100s' too", arguments.words[1]);
    if (markdown && (json || arguments.count))
        return cli_usage("methods", "'--markdown' prints the whole reference: give it alone");
    if (markdown) {
        reference_print(context);
        return cli_finish("methods", CLI_DONE);
    }
    const tm_method *method = NULL;
    if (arguments.count) {
        method = tm_method_find(arguments.words[0], &err);
        if (!method)
            return cli_fail("methods", &err);
    }
    return show(method, json, context);
}
