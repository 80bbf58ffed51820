#include "cli/print/json_text.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Strings, whole numbers, true, false and null. */
static bool write_plain(const json_t *json, FILE *file)
{
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    if (text)
        fputs(text, file);
    free(text);
    return text != NULL;
}

/* A real without point or exponent would be read as a whole number. */
static void write_real(double value, FILE *file)
{
    char text[TEXT_EXACT];
    fputs(text_exact(value, text), file);
    if (!strpbrk(text, ".e"))
        fputs(".0", file);
}

static bool write_key(const char *key, FILE *file)
{
    json_t *text = json_string(key);
    bool written = text && write_plain(text, file);
    json_decref(text);
    return written;
}

static bool write_array(const json_t *json, FILE *file)
{
    bool written = true;
    fputc('[', file);
    for (size_t i = 0; written && i < json_array_size(json); i++) {
        fputs(i > 0 ? ", " : "", file);
        written = json_text_write(json_array_get(json, i), file);
    }
    fputc(']', file);
    return written;
}

static bool write_object(const json_t *json, FILE *file)
{
    json_t *object = json_incref((json_t *)json); /* its iterators take no constant */
    bool written = true, first = true;
    const char *key;
    json_t *value;
    fputc('{', file);
    json_object_foreach(object, key, value)
    {
        fputs(first ? "" : ", ", file);
        first = false;
        written = written && write_key(key, file);
        fputs(": ", file);
        written = written && json_text_write(value, file);
    }
    fputc('}', file);
    json_decref(object);
    return written;
}

bool json_text_write(const json_t *json, FILE *file)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return write_object(json, file);
    case JSON_ARRAY:
        return write_array(json, file);
    case JSON_REAL:
        write_real(json_real_value(json), file);
        return true;
    default:
        return write_plain(json, file);
    }
}
