#include "tui/choices.h"

#include "script/lessons/rows.h"
#include "tui/commands.h"
#include "tui/export.h"

#include <stdio.h>
#include <string.h>

/* Adds command "x" to the palette as ":x" with its help. */
static void add_command(palette *p, const palette_choice *choice, const char *name,
                        const char *help)
{
    char title[160];
    snprintf(title, sizeof title, ":%s  %s", name, help);
    palette_add(p, choice, title, "");
}

static void add_requests(palette *p, const key_row *row)
{
    for (; row->request != REQ_NONE; row++) {
        palette_choice choice = {PALETTE_REQUEST, row->request, ""};
        char key[32];
        if (!row->help || row->request == REQ_PALETTE || row->request == REQ_BACK)
            continue;
        keyboard_key_name(row->keys[0], key, sizeof key);
        palette_add(p, &choice, row->help, key);
    }
}

static void add_commands(palette *p, const app *a)
{
    const char *help;
    for (size_t i = 0; (help = command_help(i)) != NULL; i++) {
        palette_choice choice = {PALETTE_COMMAND, 0, ""};
        snprintf(choice.line, sizeof choice.line, ":%s%s", command_name(i),
                 command_has_argument(i) ? " " : "");
        add_command(p, &choice, command_name(i), help);
    }
    for (size_t i = 0; i < a->keymap.command_count; i++) {
        const user_command *c = &a->keymap.commands[i];
        palette_choice choice = {PALETTE_USER, (int)i, ""};
        if (c->help[0] != '\0')
            add_command(p, &choice, c->name, c->help);
    }
}

/* Adds the other methods and the parameters of the form's method. */
static void add_form(palette *p, const explore_runs *e)
{
    const tm_method *method;
    char title[160];
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        palette_choice choice = {PALETTE_COMMAND, 0, ""};
        snprintf(choice.line, sizeof choice.line, ":set method %s", tm_method_id(method));
        snprintf(title, sizeof title, "method %s  %s", tm_method_id(method),
                 tm_method_summary(method));
        palette_add(p, &choice, title, "");
    }
    for (size_t i = 0; i < tm_params_count(e->params); i++) {
        const tm_param_info *info = tm_params_info(e->params, i);
        palette_choice choice = {PALETTE_COMMAND, 0, ""};
        snprintf(choice.line, sizeof choice.line, ":set %s ", info->name);
        snprintf(title, sizeof title, "parameter %s  %s", info->name, info->help);
        palette_add(p, &choice, title, "");
    }
}

/* Adds the metrics that apply to the response being explored. */
static void add_metrics(palette *p, const explore_runs *e)
{
    size_t count;
    char title[160];
    const tm_metric *all = tm_metrics(&count);
    for (size_t i = 0; i < count; i++) {
        tm_scorer usual = tm_scorer_usual(&all[i]);
        palette_choice choice = {PALETTE_COMMAND, 0, ""};
        if (e->train && all[i].binary != tm_dataset_is_binary(e->train))
            continue;
        snprintf(choice.line, sizeof choice.line, ":set metric %s", usual.name);
        snprintf(title, sizeof title, "metric %s  %s", usual.name, all[i].summary);
        palette_add(p, &choice, title, "");
    }
}

static void add_exports(palette *p)
{
    char title[160];
    for (size_t i = 0; export_name(i); i++) {
        palette_choice choice = {PALETTE_COMMAND, 0, ""};
        snprintf(choice.line, sizeof choice.line, ":export %s", export_name(i));
        snprintf(title, sizeof title, "export %s  %s", export_name(i), export_help(i));
        palette_add(p, &choice, title, "");
    }
}

static void add_lessons(palette *p)
{
    char title[160], text[120];
    for (size_t i = 0; i < lesson_count; i++) {
        palette_choice choice = {PALETTE_COMMAND, 0, ""};
        snprintf(choice.line, sizeof choice.line, ":lesson %s", lesson_rows[i].name);
        snprintf(title, sizeof title, "lesson %s  %s", lesson_rows[i].name,
                 lesson_title(lesson_rows[i].text, text, sizeof text));
        palette_add(p, &choice, title, "");
    }
}

palette *choices_open(const app *a)
{
    palette *p = palette_new();
    if (!p)
        return NULL;
    add_requests(p, a->keymap.rows[app_context(a)]);
    add_requests(p, keys_general);
    add_commands(p, a);
    add_form(p, &a->explore_runs);
    add_metrics(p, &a->explore_runs);
    add_exports(p);
    add_lessons(p);
    return p;
}
