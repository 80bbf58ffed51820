#include "cli/manual/man.h"

#include "cli/common/options.h"
#include "cli/print/describe.h"
#include "script/api/classes.h"
#include "script/api/functions.h"
#include "tamis/method.h"
#include "tamis/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------- */

/* Writes `length` bytes for troff: hyphens are written as minus signs, so that text can be copied
 * from the page, and lines that begin like a request are escaped. */
static void put(const char *text, size_t length, bool begins_line)
{
    if (begins_line && length && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else
            putchar(text[i]);
}

static void put_text(const char *text)
{
    put(text, strlen(text), true);
}

/* Indented lines, and lines between such lines, keep their form; the others are filled. */
static void put_lines(const char *text)
{
    bool fixed = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool indented = length > 0 && text[0] == ' ';
        if (indented != fixed)
            puts(indented ? ".nf" : ".fi");
        fixed = indented;
        if (length == 0)
            puts(".PP");
        else {
            put(text, length, true);
            putchar('\n');
        }
        text += length;
        text += *text == '\n';
    }
    if (fixed)
        puts(".fi");
}

static void put_title(const char *name, char section, const char *summary)
{
    char upper[64];
    snprintf(upper, sizeof upper, "%s", name);
    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    printf(".TH \"%s\" %c \"\" \"tamis %s\" \"Tamis manual\"\n", upper, section, TAMIS_VERSION);
    fputs(".SH NAME\n", stdout);
    put_text(name);
    fputs(" \\- ", stdout);
    put_text(summary);
    putchar('\n');
}

static void put_choices(const tm_choice *choices)
{
    puts(".RS");
    for (const tm_choice *c = choices; c->name; c++) {
        fputs(".TP\n.B ", stdout);
        put_text(c->name);
        putchar('\n');
        put_text(c->help && c->help[0] ? c->help : "");
        putchar('\n');
    }
    puts(".RE");
}

static bool explained(const tm_choice *choices)
{
    for (const tm_choice *c = choices; c && c->name; c++)
        if (c->help && c->help[0])
            return true;
    return false;
}

/* ---- a subcommand -------------------------------------------------------------------------- */

/* `payload` is the section of the previous row. */
static void put_row(const cli_option_row *row, void *payload)
{
    const char **section = payload;
    if (!*section || strcmp(*section, row->section) != 0) {
        fputs(".SS ", stdout);
        printf("%c", toupper((unsigned char)row->section[0]));
        put_text(row->section + 1);
        putchar('\n');
    }
    *section = row->section;
    bool listed = explained(row->choices);
    fputs(".TP\n\\fB\\-\\-", stdout);
    put_text(row->name);
    fputs("\\fR", stdout);
    if (row->value[0]) {
        fputs(" \\fI", stdout);
        put_text(listed && !row->open ? "WORD" : row->value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    put_text(row->help);
    put(row->limits, strlen(row->limits), false);
    putchar('\n');
    if (listed)
        put_choices(row->choices);
}

static void put_statuses(void)
{
    static const char *const statuses[][2] = {
        {"0", "it is done"},
        {"1", "the data or the run failed; the message says why"},
        {"2", "wrong usage"},
        {"128+N", "ended by signal N: 130 by Ctrl\\-C, 143 by SIGTERM"},
    };
    puts(".SH EXIT STATUS");
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        printf(".TP\n.B %s\n%s\n", statuses[i][0], statuses[i][1]);
}

static void put_see_also(const man_topic *topic)
{
    puts(".SH SEE ALSO");
    if (topic->name)
        puts(".BR tamis (1),");
    for (const man_entry *e = topic->entries; e->name; e++)
        if (!topic->name || strcmp(topic->name, e->name) != 0) {
            fputs(".BR tamis\\-", stdout);
            put_text(e->name);
            puts(" (1),");
        }
    puts(".BR tamis\\-lua (7)");
}

void man_command_page(const cli_syntax *syntax, const cli_context *context, void *payload)
{
    const man_topic *topic = payload;
    const char *section = NULL;
    char name[64];
    snprintf(name, sizeof name, "tamis%s%s", topic->name ? "-" : "",
             topic->name ? topic->name : "");
    put_title(name, '1', topic->summary);
    fputs(".SH SYNOPSIS\n.B tamis\n", stdout);
    put_text(syntax->usage);
    puts("\n.SH DESCRIPTION");
    put_lines(syntax->summary);
    puts(".SH OPTIONS\nNames may be written with \\- or _, values as \\fB\\-\\-name value\\fR or "
         "\\fB\\-\\-name=value\\fR.");
    cli_each_option(syntax, context, put_row, &section);
    put_statuses();
    put_see_also(topic);
}

/* ---- Lua ----------------------------------------------------------------------------------- */

static void put_params(const tm_param_info *table, size_t count)
{
    if (count > 0)
        puts(".RS");
    for (size_t i = 0; i < count; i++) {
        char limits[256];
        fputs(".TP\n.I ", stdout);
        put_text(table[i].name);
        putchar('\n');
        put_text(table[i].help);
        describe_limits(&table[i], limits, sizeof limits);
        put(limits, strlen(limits), false);
        putchar('\n');
        if (explained(table[i].choices))
            put_choices(table[i].choices);
    }
    if (count > 0)
        puts(".RE");
}

static void put_heading(const char *before, const char *name, const char *args)
{
    fputs(".TP\n.B ", stdout);
    put_text(before);
    put(name, strlen(name), false);
    put(args, strlen(args), false);
    putchar('\n');
}

static void put_functions(void)
{
    const script_function *function;
    puts(".SH FUNCTIONS");
    for (size_t i = 0; (function = script_function_at(i)); i++) {
        size_t count = 0;
        const tm_param_info *table =
            function->keys && function->keys->params ? function->keys->params(&count) : NULL;
        put_heading("tm.", function->name, function->args);
        put_lines(function->help);
        put_params(table, count);
    }
}

static void put_methods(void)
{
    const tm_method *method;
    puts(".SH METHODS\nEach is a function that starts a run on data and returns it. "
         "\\fBtamis methods M\\fR and, in Lua, \\fBhelp(\"M\")\\fR explain one with all its "
         "parameters.");
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        put_heading("tm.", tm_method_id(method), "(data, {parameter=value, ...})");
        put_text(tm_method_summary(method));
        fputs(": ", stdout);
        put(tm_method_formula(method), strlen(tm_method_formula(method)), false);
        putchar('\n');
    }
}

static void put_members(const script_class *class)
{
    for (const script_member *m = class->members; m->name; m++) {
        put_heading(m->args ? ":" : ".", m->name, m->args ? m->args : "");
        put_text(m->help);
        putchar('\n');
    }
    for (const script_keys *keys = class->keys; keys && keys->name; keys++) {
        size_t count = 0;
        const tm_param_info *table = keys->params ? keys->params(&count) : NULL;
        if (count == 0)
            continue;
        puts(".PP");
        put_text(keys->title);
        puts(" parameters:");
        put_params(table, count);
    }
}

void man_lua_page(void)
{
    const script_class *class;
    put_title("tamis-lua", '7', "the Lua functions and objects of tamis");
    puts(".SH DESCRIPTION\nScripts for \\fBtamis run\\fR, chunks for \\fBtamis eval\\fR and the "
         "prompt of the "
         "workbench are Lua 5.4 with the global table \\fBtm\\fR (also \\fBtamis\\fR). Functions "
         "take parameters by name in braces; \\fBhelp()\\fR, \\fBhelp(tm.load)\\fR and "
         "\\fBhelp(object)\\fR print the pages below.");
    put_functions();
    put_methods();
    puts(".SH OBJECTS");
    for (size_t i = 0; (class = script_class_at(i)); i++) {
        fputs(".SS ", stdout);
        put_text(class->id);
        putchar('\n');
        put_text(class->summary);
        putchar('\n');
        put_members(class);
    }
    puts(".SH SEE ALSO\n.BR tamis (1),\n.BR tamis\\-run (1)");
}
