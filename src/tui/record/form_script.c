#include "tui/record/form_script.h"

#include "base/replace.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the parameter describes the path, which does not affect a single solve. */
static bool is_path(const char *name)
{
    return strcmp(name, "lambdas") == 0 || strcmp(name, "lambda_min_ratio") == 0;
}

/* ---- texts --------------------------------------------------------------------------------- */

static void put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            fprintf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    fputc('"', out);
}

/* Writes a word quoted for the shell. */
static void put_word(FILE *out, const char *text)
{
    if (text[0] != '\0' && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789_-+./:=@%,") == strlen(text)) {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

/* A parameter's value as text, malloc'ed; NULL without memory. */
static char *value_text(const tm_params *params, const char *name)
{
    size_t length = tm_params_format(params, name, NULL, 0);
    char *text = malloc(length + 1);
    if (text)
        tm_params_format(params, name, text, length + 1);
    return text;
}

static void put_value(FILE *out, const tm_param_info *info, const char *text)
{
    bool list = info->type == TM_PARAM_REALS && strchr(text, ',');
    bool bare = info->type == TM_PARAM_REAL || info->type == TM_PARAM_INT ||
                info->type == TM_PARAM_BOOL || info->type == TM_PARAM_REALS;
    char *end;
    strtod(text, &end);
    if (list)
        fprintf(out, "{%s}", text);
    else if (bare && (info->type == TM_PARAM_BOOL || *end == '\0') && !strpbrk(text, "naiN"))
        fputs(text, out);
    else if (info->type == TM_PARAM_BOOL)
        fputs(text, out);
    else
        put_quoted(out, text);
}

/* ", name=value" for each parameter that was given. */
static bool put_table(FILE *out, const tm_params *params, bool path)
{
    bool whole = true, first = true;
    for (size_t i = 0; params && i < tm_params_count(params); i++) {
        const tm_param_info *info = tm_params_info(params, i);
        if (!tm_params_given(params, info->name) || (!path && is_path(info->name)))
            continue;
        char *text = value_text(params, info->name);
        whole = whole && text;
        fprintf(out, "%s%s=", first ? "" : ", ", info->name);
        put_value(out, info, text ? text : "");
        free(text);
        first = false;
    }
    return whole;
}

static bool put_options(FILE *out, const tm_params *params)
{
    bool whole = true;
    for (size_t i = 0; params && i < tm_params_count(params); i++) {
        const tm_param_info *info = tm_params_info(params, i);
        if (!tm_params_given(params, info->name) || is_path(info->name))
            continue;
        char *text = value_text(params, info->name);
        whole = whole && text;
        fprintf(out, " --");
        for (const char *c = info->name; *c != '\0'; c++)
            fputc(*c == '_' ? '-' : *c, out);
        fputc(' ', out);
        put_word(out, text ? text : "");
        free(text);
    }
    return whole;
}

/* ---- scripts ------------------------------------------------------------------------------- */

/* Writes the line that creates `d`. */
static bool put_data(FILE *out, const session *s)
{
    const session_origin *from = &s->data.origin;
    if (from->kind == ORIGIN_EXAMPLE) {
        fprintf(out, "local d = tm.synth(\"saif\", {n=100, p=2000, k=20, seed=%llu})\n",
                (unsigned long long)(s->seed & 0x7fffffff));
        return true;
    }
    if (from->kind != ORIGIN_FILE) {
        fprintf(out, "local d = d  -- the data that a script made: %s\n",
                s->data.all ? tm_dataset_name(s->data.all) : "none yet");
        return true;
    }
    fputs("local d = tm.load(", out);
    put_quoted(out, from->path);
    fputs(", {", out);
    bool whole = put_table(out, from->reader, true);
    fputs("})\n", out);
    return whole;
}

static bool put_lua(FILE *out, const session *s, const explore_runs *e)
{
    bool whole = put_data(out, s), split = e->test != NULL;
    if (s->data.classes.label) {
        fputs("d = d:one_vs_rest(", out);
        put_quoted(out, s->data.classes.label);
        fputs(")\n", out);
    }
    if (split) {
        fprintf(out, "local train, test = d:split{test=%g, stratify=%s, seed=%llu}\n",
                SESSION_TEST_SHARE, tm_dataset_is_binary(s->data.all) ? "true" : "false",
                (unsigned long long)s->seed);
    }
    fprintf(out, "local r = tm.%s(%s, {", tm_method_id(e->method), split ? "train" : "d");
    whole = put_table(out, e->params, false) && whole;
    fputs("}):wait()\nprint(r)\n", out);
    if (split)
        fputs("print(\"test\", r.model:score(test))\n", out);
    return whole;
}

static void put_class(FILE *out, const session *s)
{
    if (s->data.classes.label) {
        fputs(" --class ", out);
        put_word(out, s->data.classes.label);
    }
}

static bool put_command(FILE *out, const session *s, const explore_runs *e)
{
    fputs("tamis fit ", out);
    put_word(out, s->data.origin.path);
    fprintf(out, " --method %s", tm_method_id(e->method));
    bool whole = put_options(out, s->data.origin.reader);
    whole = put_options(out, e->params) && whole;
    put_class(out, s);
    if (e->test)
        fprintf(out, " --holdout %g", SESSION_TEST_SHARE);
    if (!tm_params_find(e->params, "seed", NULL) || !tm_params_given(e->params, "seed"))
        fprintf(out, " --seed %llu", (unsigned long long)s->seed);
    return whole;
}

tm_status form_script(const session *s, const explore_runs *e, char **lua, char **command,
                      tm_error *err)
{
    size_t size;
    *lua = *command = NULL;
    if (!s->data.all)
        return tm_fail(err, TM_EUSAGE, "there are no data yet");
    FILE *out = open_memstream(lua, &size);
    bool whole = out && put_lua(out, s, e);
    whole = out && text_stream_end(out, lua) && whole;
    if (whole && s->data.origin.kind == ORIGIN_FILE) {
        out = open_memstream(command, &size);
        whole = out && put_command(out, s, e);
        whole = out && text_stream_end(out, command) && whole;
    }
    if (whole)
        return TM_OK;
    free(*lua);
    free(*command);
    *lua = *command = NULL;
    return tm_fail_memory(err, "the script");
}

/* ---- a session ----------------------------------------------------------------------------- */

/* Writes the changes that turn a form with the values `before` (NULL: nothing is set) into this
 * one. */
static bool put_form(FILE *out, const tm_method *method, const tm_params *params,
                     const tm_params *before)
{
    bool whole = true;
    fprintf(out, "tm.ui.set(\"method\", \"%s\")\n", tm_method_id(method));
    for (size_t i = 0; i < tm_params_count(params); i++) {
        const char *name = tm_params_info(params, i)->name;
        bool known = before && tm_params_find(before, name, NULL);
        if (tm_params_given(params, name)) {
            char *text = value_text(params, name);
            whole = whole && text;
            fprintf(out, "tm.ui.set(\"%s\", ", name);
            put_quoted(out, text ? text : "");
            fputs(")\n", out);
            free(text);
        } else if (known && tm_params_given(before, name)) {
            fprintf(out, "tm.ui.set(\"%s\")\n", name);
        }
    }
    return whole;
}

/* Writes the pinned runs, which are solved and pinned again, and then the form as it is. */
static bool put_forms(FILE *out, const explore_runs *e)
{
    const tm_params *before = NULL;
    bool whole = true;
    if (e->pins.count > 0)
        fputs("tm.ui.view(\"explore\")\n", out);
    for (size_t i = 0; i < e->pins.count; i++) {
        const tm_job *job = e->pins.at[i].solve;
        const tm_params *params = tm_job_params(job);
        whole = put_form(out, tm_job_method(job), params, before) && whole;
        fputs("tm.ui.run:wait()\ntm.ui.request(\"pin\")\n", out);
        before = params;
    }
    return put_form(out, e->method, e->params, before) && whole;
}

tm_status form_script_session(const char *path, const session *s, const explore_runs *e,
                              const char *view, tm_error *err)
{
    replacement file;
    tm_status status = replace_begin(&file, path, err);
    if (status != TM_OK)
        return status;
    FILE *out = file.stream;
    fputs("-- A session of tamis. Run it with\n--     tamis --script ", out);
    put_word(out, path);
    if (s->data.origin.kind == ORIGIN_FILE) {
        fputc(' ', out);
        put_word(out, s->data.origin.path);
        put_options(out, s->data.origin.reader);
        put_class(out, s);
    }
    fprintf(out, " --seed %llu\n", (unsigned long long)s->seed);
    for (size_t i = 0; i < s->typed.count; i++)
        fprintf(out, "%s\n", s->typed.at[i]);
    bool whole = put_forms(out, e);
    if (s->chosen.scores->chosen.metric)
        fprintf(out, "tm.ui.set(\"metric\", \"%s\")\n", s->chosen.scores->chosen.name);
    fprintf(out, "tm.ui.view(\"%s\")\n", view);
    if (!whole)
        status = tm_fail_memory(err, "the session");
    return replace_end(&file, status, err);
}
