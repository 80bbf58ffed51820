/* help(): pages made from the tables that also define parameters, functions and classes. */
#include "script/api/help.h"

#include "base/text.h"
#include "script/api/classes.h"
#include "script/api/functions.h"
#include "script/common/args.h"
#include "script/common/class.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/reader.h"
#include "tamis/screen.h"
#include "tamis/synth.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 2048, COLUMNS = 80 };

/* A page being printed: lines are composed of pieces and wrapped to the terminal's width. */
typedef struct page {
    script *script;
    size_t columns;
    char line[LINE_BYTES];
    size_t used;
} page;

static page page_of(lua_State *L)
{
    script *self = script_of(L);
    size_t columns = script_columns(self);
    return (page){.script = self, .columns = columns > 0 ? columns : COLUMNS};
}

/* The indentation of continuation lines of `line`: that of its last column of text. */
static size_t hang(const page *p, const char *line)
{
    size_t lead = strspn(line, " "), at = lead;
    while (line[at] && !(line[at] == ' ' && line[at + 1] == ' '))
        at++;
    size_t text = at + strspn(line + at, " ");
    if (line[at] && text <= p->columns / 2)
        return text;
    return lead >= 8 ? lead : lead + 2;
}

/* The number of bytes of `text` that fit into `columns` columns, broken at a space if possible. */
static size_t fitting(const char *text, size_t columns)
{
    size_t bytes = 0, width = 0, space = 0;
    for (; text[bytes]; bytes++) {
        width += ((unsigned char)text[bytes] & 0xc0) != 0x80; /* count each character once */
        if (width > columns)
            break;
        if (text[bytes] == ' ' && bytes > strspn(text, " "))
            space = bytes;
    }
    return !text[bytes] || text[bytes] == ' ' || space == 0 ? bytes : space;
}

static void print_line(page *p)
{
    size_t indent = hang(p, p->line), left = p->columns;
    const char *rest = p->line;
    p->line[p->used] = '\0';
    do {
        size_t part = fitting(rest, left > 20 ? left : 20);
        if (rest != p->line)
            script_print(p->script, "                                                  ",
                         indent < 50 ? indent : 50);
        script_print(p->script, rest, part);
        script_print(p->script, "\n", 1);
        rest += part;
        rest += *rest == ' ';
        left = p->columns > indent ? p->columns - indent : 1;
    } while (*rest);
    p->used = 0;
}

static void say(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(page *p, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (const char *c = text; *c; c++)
        if (*c == '\n')
            print_line(p);
        else if (p->used + 1 < sizeof p->line)
            p->line[p->used++] = *c;
}

/* ---- parameters ---------------------------------------------------------------------------- */

static void say_range(page *p, const tm_param_info *info)
{
    char low[40], high[40];
    bool number = info->type == TM_PARAM_REAL || info->type == TM_PARAM_INT ||
                  info->type == TM_PARAM_REALS || info->type == TM_PARAM_VECTOR;
    text_from_real(info->min, low, sizeof low);
    text_from_real(info->max, high, sizeof high);
    const char *at_least = info->flags & TM_PARAM_MIN_OPEN ? ">" : ">=";
    if (number && isfinite(info->min))
        say(p, " %s %s", at_least, low);
    if (number && isfinite(info->max))
        say(p, "%s <= %s", isfinite(info->min) ? "," : "", high);
    if (info->unit)
        say(p, " [%s]", info->unit);
}

static void say_param(page *p, const tm_param_info *info)
{
    static const char *const types[] = {
        [TM_PARAM_REAL] = "number",
        [TM_PARAM_INT] = "whole number",
        [TM_PARAM_BOOL] = "true/false",
        [TM_PARAM_CHOICE] = "choice",
        [TM_PARAM_TEXT] = "text",
        [TM_PARAM_REALS] = "numbers",
        [TM_PARAM_VECTOR] = "number, list, table by name, or file",
    };
    say(p, "  %-17s %s", info->name, types[info->type]);
    say_range(p, info);
    if (info->fallback)
        say(p, ", default %s", info->fallback);
    say(p, "\n                    %s\n", info->help);
    for (const tm_choice *c = info->choices; c && c->name; c++)
        say(p, "                    \"%s\"%*s %s\n", c->name, (int)(10 - strnlen(c->name, 10)), "",
            c->help ? c->help : "");
}

static void say_params(page *p, const tm_param_info *table, size_t count)
{
    if (count > 0)
        say(p, "\nparameters\n");
    for (size_t i = 0; i < count; i++)
        say_param(p, &table[i]);
}

/* ---- pages --------------------------------------------------------------------------------- */

static void overview(page *p)
{
    const script_function *function;
    const tm_method *method;
    const script_class *class;
    say(p,
        "Tamis %s. Everything is in the table tm (also: tamis).\n\n"
        "  d = tm.load(\"data.svm.xz\")                     read a data set\n"
        "  train, test = d:split{test=0.3, seed=1}        split it\n"
        "  r = tm.lasso(train, {lambda_ratio=0.05, test=test})   start a run\n"
        "  r:wait(); print(r); print(r.model:top(10))     wait, look at the answer\n"
        "  tm.plot{runs={r}, y=\"gap\"}:show()              see how it got there\n",
        SCRIPT_VERSION);
    say(p, "\nfunctions, help(tm.load) or help(\"load\") prints a page\n");
    for (size_t i = 0; (function = script_function_at(i)); i++)
        say(p, "  tm.%s%s\n", function->name, function->args);
    say(p, "\nmethods, each a function tm.METHOD(data, {parameters}) that starts a run\n");
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        say(p, "  %-12s %s\n", tm_method_id(method), tm_method_summary(method));
    say(p, "\nobjects, help(object) or help(\"run\") lists their fields and methods\n");
    for (size_t i = 0; (class = script_class_at(i)); i++)
        say(p, "  %-12s %s\n", class->id, class->summary);
}

static void function_page(page *p, const script_function *function)
{
    size_t count;
    say(p, "tm.%s%s\n%s\n", function->name, function->args, function->help);
    if (function->keys && function->keys->params) {
        const tm_param_info *table = function->keys->params(&count);
        say_params(p, table, count);
    }
}

static void method_page(page *p, const tm_method *method)
{
    size_t count;
    const tm_param_info *table = tm_method_params(method, &count);
    char losses[128];
    say(p, "tm.%s(data, {parameter=value, ...})   starts a run and returns it\n%s\n\n  %s\n\n",
        tm_method_id(method), tm_method_summary(method), tm_method_formula(method));
    tm_method_losses(method, losses, sizeof losses);
    say(p, "losses  %s\nsource  %s\n", losses, tm_method_source(method));
    say_params(p, table, count);
    say(p,
        "  %-17s a data set to score on\n  %-17s the run's name in plots and lists\n"
        "  %-17s a model, or a run, to start from\n",
        "test", "name", "from");
}

static void class_page(page *p, const script_class *class)
{
    say(p, "%s: %s\n", class->id, class->summary);
    for (int methods = 0; methods < 2; methods++)
        for (const script_member *m = class->members; m->name; m++) {
            char usage[96];
            if ((m->args != NULL) != methods)
                continue;
            snprintf(usage, sizeof usage, "%s%s%s", methods ? ":" : ".", m->name,
                     methods ? m->args : "");
            say(p, "  %-20s %s\n", usage, m->help);
        }
    for (const script_keys *keys = class->keys; keys && keys->name; keys++) {
        size_t count = 0;
        const tm_param_info *table = keys->params ? keys->params(&count) : NULL;
        if (!table)
            continue;
        say(p, "\n%s", keys->title);
        say_params(p, table, count);
        say(p, "%s", keys->note ? keys->note : "");
    }
}

static bool screen_page(page *p, const char *name)
{
    char losses[100];
    size_t count;
    const tm_screen_info *screens = tm_screens(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(screens[i].id, name) == 0) {
            say(p, "screen=\"%s\": %s\nkind %s, losses %s, %s\nsource  %s\n", name,
                screens[i].summary, screens[i].kind,
                tm_screen_losses(&screens[i], losses, sizeof losses),
                strcmp(screens[i].safe, "no") != 0
                    ? "safe"
                    : "not safe: it may discard features of the answer",
                screens[i].source);
            return true;
        }
    return false;
}

static bool metric_page(page *p, const char *name)
{
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(metrics[i].id, name) == 0) {
            say(p, "metric \"%s\": %s\nfor %s; %s is better\n", name, metrics[i].summary,
                metrics[i].binary ? "two classes" : "any response",
                metrics[i].greater_is_better ? "greater" : "less");
            return true;
        }
    return false;
}

static bool synth_page(page *p, const char *name)
{
    const tm_synth_info *synth;
    for (size_t i = 0; (synth = tm_synth_at(i)); i++)
        if (strcmp(synth->id, name) == 0) {
            say(p, "tm.synth(\"%s\", {parameter=value, ...}): %s\nsource  %s\n", name,
                synth->summary, synth->source);
            say_params(p, synth->params, synth->param_count);
            return true;
        }
    return false;
}

/* Prints fields and methods of that name, of any class. */
static bool member_page(page *p, const char *name)
{
    const script_class *class;
    bool found = false;
    for (size_t i = 0; (class = script_class_at(i)); i++) {
        const script_member *m = script_member_find(class, name);
        if (m)
            say(p, "%s%s%s%s: %s\n", class->id, m->args ? ":" : ".", name, m->args ? m->args : "",
                m->help);
        found |= m != NULL;
    }
    return found;
}

/* Prints the parameter of that name, of any method. */
static bool param_page(page *p, const char *name)
{
    const tm_method *method;
    bool found = false;
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        size_t count;
        const tm_param_info *table = tm_method_params(method, &count);
        for (size_t k = 0; k < count; k++)
            if (strcmp(table[k].name, name) == 0) {
                say(p, "parameter of tm.%s\n", tm_method_id(method));
                say_param(p, &table[k]);
                found = true;
            }
    }
    return found;
}

static const tm_method *method_named(const char *name)
{
    const tm_method *method;
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        if (strcmp(tm_method_id(method), name) == 0)
            return method;
    return NULL;
}

/* Enumerates the topics of help("..."), to find the closest name. */
static const char *topic_at(size_t i, const void *payload)
{
    (void)payload;
    size_t count = 0;
    const script_function *function;
    const tm_method *method;
    const script_class *class;
    for (size_t k = 0; (function = script_function_at(k)); k++)
        if (count++ == i)
            return function->name;
    for (size_t k = 0; (method = tm_methods_at(k)); k++)
        if (count++ == i)
            return tm_method_id(method);
    for (size_t k = 0; (class = script_class_at(k)); k++) {
        if (count++ == i)
            return class->id;
        for (const script_member *m = class->members; m->name; m++)
            if (count++ == i)
                return m->name;
    }
    size_t screens, metrics;
    const tm_screen_info *screen = tm_screens(&screens);
    const tm_metric *metric = tm_metrics(&metrics);
    if (i < count + screens)
        return screen[i - count].id;
    return i < count + screens + metrics ? metric[i - count - screens].id : NULL;
}

static int name_page(lua_State *L, const char *name)
{
    page p = page_of(L);
    if (strncmp(name, "tm.", 3) == 0)
        name += 3;
    const script_function *function = script_function_find(name);
    const tm_method *method = method_named(name);
    const script_class *class = script_class_find(name);
    bool found = function || method || class;
    if (function)
        function_page(&p, function);
    if (method)
        method_page(&p, method);
    if (class)
        class_page(&p, class);
    found |= screen_page(&p, name);
    found |= metric_page(&p, name);
    found |= synth_page(&p, name);
    found |= member_page(&p, name);
    found |= param_page(&p, name);
    if (found)
        return 0;
    const char *close = text_closest(name, topic_at, NULL);
    if (close)
        return script_error(L, "help: nothing is called '%.60s'; did you mean '%s'?", name, close);
    return script_error(L, "help: nothing is called '%.60s'; help() is an overview", name);
}

int script_help(lua_State *L)
{
    page p = page_of(L);
    lua_settop(L, 1);
    lua_getglobal(L, "tm");
    const script_class *class = script_class_of(L, 1);
    if (lua_isnil(L, 1) || lua_rawequal(L, 1, 2)) {
        overview(&p);
    } else if (class) {
        class_page(&p, class);
    } else if (lua_type(L, 1) == LUA_TSTRING) {
        return name_page(L, lua_tostring(L, 1));
    } else {
        lua_getfield(L, LUA_REGISTRYINDEX, "tamis.functions");
        lua_pushvalue(L, 1);
        if (lua_rawget(L, -2) == LUA_TSTRING)
            return name_page(L, lua_tostring(L, -1));
        if (lua_rawequal(L, 1, -1))
            return 0;
        say(&p, "%s: no page; help() is an overview\n", script_what_is(L, 1));
    }
    return 0;
}
