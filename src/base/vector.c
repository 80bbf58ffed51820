#include "base/vector.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------- */

void vector_free(tm_vector *vector)
{
    for (size_t i = 0; vector->names && i < vector->count; i++)
        free(vector->names[i]);
    free(vector->names);
    free(vector->values);
    *vector = (tm_vector){0};
}

tm_status vector_copy(tm_vector *out, const tm_vector *from, tm_error *err)
{
    *out = (tm_vector){.count = from->count};
    if (from->count == 0)
        return TM_OK;
    out->values = mem_array(from->count, sizeof *out->values);
    out->names = from->names ? mem_zeros(from->count, sizeof *out->names) : NULL;
    bool copied = out->values && (out->names || !from->names);
    for (size_t i = 0; copied && i < from->count; i++) {
        out->values[i] = from->values[i];
        if (from->names)
            copied = (out->names[i] = text_copy(from->names[i])) != NULL;
    }
    if (copied)
        return TM_OK;
    vector_free(out);
    return tm_fail_memory(err, "parameters");
}

/* ---- construction -------------------------------------------------------------------------- */

typedef struct growing {
    tm_vector vector;
    size_t room;
} growing;

static bool grow(growing *g, bool named)
{
    tm_vector *v = &g->vector;
    size_t room = g->room ? 2 * g->room : 16;
    double *values = realloc(v->values, room * sizeof *values);
    if (!values)
        return false;
    v->values = values;
    if (named) {
        char **names = realloc(v->names, room * sizeof *names);
        if (!names)
            return false;
        v->names = names;
    }
    g->room = room;
    return true;
}

/* Takes ownership of `name`, also on failure; NULL for a number without a name. */
static bool append(growing *g, char *name, double value)
{
    tm_vector *v = &g->vector;
    if (v->count == g->room && !grow(g, name != NULL)) {
        free(name);
        return false;
    }
    if (name)
        v->names[v->count] = name;
    v->values[v->count++] = value;
    return true;
}

/* ---- words --------------------------------------------------------------------------------- */

/* "1,0,3"; false when an item is not a number. */
static bool read_numbers(growing *g, char *text, tm_status *status, tm_error *err)
{
    for (char *rest = text; rest;) {
        double value;
        if (!text_to_real(strsep(&rest, ","), &value))
            return false;
        if (!append(g, NULL, value)) {
            *status = tm_fail_memory(err, "parameters");
            return true;
        }
    }
    return true;
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* "NAME=2,OTHER=0"; false when an item does not have this form. */
static bool read_pairs(growing *g, char *text, tm_status *status, tm_error *err)
{
    for (char *rest = text; rest;) {
        char *item = strsep(&rest, ","), *equals = strrchr(item, '=');
        double value;
        if (!equals || !text_to_real(equals + 1, &value))
            return false;
        *equals = '\0';
        char *name = text_copy(trimmed(item));
        if (!name || !append(g, name, value)) {
            *status = tm_fail_memory(err, "parameters");
            return true;
        }
    }
    return true;
}

/* ---- files --------------------------------------------------------------------------------- */

/* A number, or a name followed by a number. */
static tm_status read_line(growing *g, const char *path, size_t number, char *line, tm_error *err)
{
    double value;
    char *text = trimmed(line), *last = text + strlen(text), *name = NULL;
    while (last > text && !isspace((unsigned char)last[-1]))
        last--;
    if (!text_to_real(last, &value))
        return tm_fail(err, TM_EUSAGE,
                       "%s, line %zu: '%.60s'; expected a number, or a name and a number", path,
                       number, text);
    if (g->vector.count > 0 && (!g->vector.names) != (last == text))
        return tm_fail(err, TM_EUSAGE,
                       "%s, line %zu: '%.60s'; either every line has a name or none has", path,
                       number, text);
    if (last > text) {
        last[-1] = '\0';
        name = text_copy(trimmed(text));
    }
    if ((last > text && !name) || !append(g, name, value))
        return tm_fail_memory(err, "parameters");
    return TM_OK;
}

static tm_status read_stream(growing *g, const char *path, FILE *stream, tm_error *err)
{
    char *line = NULL;
    size_t room = 0, number = 0;
    tm_status status = TM_OK;
    while (status == TM_OK && getline(&line, &room, stream) >= 0) {
        number++;
        const char *text = line + strspn(line, " \t\r\n");
        if (*text != '\0' && *text != '#')
            status = read_line(g, path, number, line, err);
    }
    free(line);
    if (status == TM_OK && ferror(stream))
        return tm_fail(err, TM_EIO, "cannot read '%.300s': %s", path, strerror(errno));
    if (status == TM_OK && g->vector.count == 0)
        return tm_fail(err, TM_EUSAGE, "%s has no numbers", path);
    return status;
}

static tm_status read_file(growing *g, const char *what, const char *path, tm_error *err)
{
    FILE *stream = fopen(path, "r");
    if (!stream)
        return tm_fail(err, TM_EUSAGE,
                       "parameter '%s' is '%.200s'; expected a number, a list of numbers, "
                       "NAME=NUMBER pairs or a file of them, and as a file: %s",
                       what, path, strerror(errno));
    tm_status status = read_stream(g, path, stream, err);
    fclose(stream);
    return status;
}

tm_status vector_read(tm_vector *out, const char *what, const char *text, tm_error *err)
{
    growing g = {0};
    tm_status status = TM_OK;
    *out = (tm_vector){0};
    char *numbers = text_copy(text), *pairs = text_copy(text);
    if (!numbers || !pairs) {
        status = tm_fail_memory(err, "parameters");
    } else if (!read_numbers(&g, numbers, &status, err)) {
        vector_free(&g.vector);
        g = (growing){0};
        if (!read_pairs(&g, pairs, &status, err)) {
            vector_free(&g.vector);
            g = (growing){0};
            status = read_file(&g, what, text, err);
        }
    }
    free(numbers);
    free(pairs);
    if (status != TM_OK)
        vector_free(&g.vector);
    *out = g.vector;
    return status;
}

/* ---- text ---------------------------------------------------------------------------------- */

size_t vector_format(const tm_vector *vector, char *buffer, size_t size)
{
    size_t used = 0;
    if (size)
        buffer[0] = '\0';
    for (size_t i = 0; i < vector->count; i++) {
        char number[64];
        text_from_real(vector->values[i], number, sizeof number);
        used += (size_t)snprintf(used < size ? buffer + used : NULL, used < size ? size - used : 0,
                                 "%s%s%s%s", i ? "," : "", vector->names ? vector->names[i] : "",
                                 vector->names ? "=" : "", number);
    }
    return used;
}
