#include "data/read/groups_text.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

tm_status groups_text_fail(const groups_text *t, size_t line, const char *line_start,
                           const char *at, const char *format, ...)
{
    char text[TM_ERROR_MAX / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t column = (size_t)(at - line_start) + 1;
    if (t->inner)
        return tm_fail(t->err, TM_EUSAGE, "parameter '%s': column %zu: %s", t->parameter,
                       column + 1, text);
    return tm_fail(t->err, TM_EDATA, "%.200s: line %zu, column %zu: %s", t->name, line, column,
                   text);
}

/* Greatest size of the text of a file. */
static const uint64_t MAX_TEXT = (uint64_t)1 << 33;

tm_status groups_text_find(const char *parameter, const char *path, const char *other,
                           tm_error *err)
{
    if (path[0] == '\0')
        return tm_fail(err, TM_EUSAGE, "parameter '%s' names no file; expected %s", parameter,
                       other);
    if (strcmp(path, "-") == 0 || access(path, F_OK) == 0 || errno != ENOENT)
        return TM_OK;
    return tm_fail(err, TM_EIO,
                   "parameter '%s' is '%.200s', and there is no such file; expected %s", parameter,
                   path, other);
}

tm_status groups_text_open(input **in, char **text, size_t *length, const char *path,
                           const char *what, tm_error *err)
{
    input_spec spec = {.path = path, .name = path, .max_bytes = MAX_TEXT};
    *in = NULL;
    *text = NULL;
    *length = 0;
    tm_status status = input_open(in, &spec, err);
    if (status == TM_OK)
        status = input_as_text(*in);
    return status == TM_OK ? input_take_all(*in, text, length, what) : status;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

static bool is_group_end(const groups_text *t, const char *at)
{
    return at == t->end || *at == '\n' || *at == '\r' || (t->inner && *at == ';');
}

bool groups_text_next(groups_text *t)
{
    while (!is_group_end(t, t->cur))
        t->cur++;
    if (t->cur == t->end)
        return false;
    bool pair = *t->cur == '\r' && t->cur + 1 < t->end && t->cur[1] == '\n';
    bool line = *t->cur != ';';
    t->cur += pair ? 2 : 1;
    if (line) {
        t->line++;
        t->line_start = t->cur;
    }
    return true;
}

static tm_status take_quoted(groups_text *t, groups_word *word)
{
    const char *open = t->cur++;
    char *to = t->room;
    word->text = to;
    word->quoted = true;
    for (;; t->cur++) {
        if (t->cur == t->end || *t->cur == '\n' || *t->cur == '\r')
            return groups_text_fail(t, t->line, t->line_start, open,
                                    "this quote is not closed on its line");
        if (*t->cur == '"' && (t->cur + 1 == t->end || t->cur[1] != '"'))
            break;
        t->cur += *t->cur == '"';
        *to++ = *t->cur;
    }
    t->cur++;
    word->length = (size_t)(to - word->text);
    if (!is_group_end(t, t->cur) && !is_blank(*t->cur))
        return groups_text_fail(t, t->line, t->line_start, t->cur,
                                "expected a blank or comma after a closing quote");
    return TM_OK;
}

static void take_bare(groups_text *t, groups_word *word)
{
    word->text = t->cur;
    while (!is_group_end(t, t->cur) && !is_blank(*t->cur))
        t->cur++;
    word->length = (size_t)(t->cur - word->text);
}

static const char *take_key(groups_text *t)
{
    static const char *const keys[] = {"weight", "name", "parent"};
    size_t left = (size_t)(t->end - t->cur);
    for (size_t k = 0; k < 3; k++) {
        size_t length = strlen(keys[k]);
        if (left > length && memcmp(t->cur, keys[k], length) == 0 && t->cur[length] == '=') {
            t->cur += length + 1;
            return keys[k];
        }
    }
    return NULL;
}

bool groups_text_word(groups_text *t, groups_word *word, tm_status *status)
{
    *status = TM_OK;
    while (!is_group_end(t, t->cur) && is_blank(*t->cur))
        t->cur++;
    if (is_group_end(t, t->cur) || (*t->cur == '#' && !t->inner))
        return false;
    *word = (groups_word){.at = t->cur, .key = take_key(t)};
    if (t->cur < t->end && *t->cur == '"')
        *status = take_quoted(t, word);
    else
        take_bare(t, word);
    if (*status == TM_OK && word->length == 0)
        *status = groups_text_fail(t, t->line, t->line_start, word->at, "nothing after '%s='",
                                   word->key ? word->key : "\"");
    return *status == TM_OK;
}

tm_status groups_text_name(const groups_text *t, const groups_word *word, name_index *names,
                           size_t *feature)
{
    const char *why, *close;
    char *name = text_part(word->text, word->length);
    if (!name)
        return tm_fail_memory(t->err, t->parameter);
    tm_status status = name_index_find(names, name, feature, &why, &close);
    if (status == TM_ENOMEM)
        status = tm_fail_memory(t->err, t->parameter);
    else if (status != TM_OK)
        status = groups_text_fail(t, t->line, t->line_start, word->at, "%s '%.60s'%s%.60s%s", why,
                                  name, close ? "; did you mean '" : "", close ? close : "",
                                  close ? "'?" : "");
    free(name);
    return status;
}

size_t groups_text_number(const char **at, const char *end, size_t p)
{
    size_t number = 0;
    const char *from = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        number = number > p ? number : 10 * number + (size_t)(**at - '0');
    bool bad = *at > from && (number == 0 || number > p);
    return bad ? SIZE_MAX : number;
}
