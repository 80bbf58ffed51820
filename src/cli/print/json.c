#include "cli/print/json.h"

#include "base/memory.h"
#include "cli/print/json_text.h"
#include "run/params_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cli_object cli_object_new(void)
{
    json_t *json = json_object();
    return (cli_object){json, !json};
}

void cli_set(cli_object *object, const char *key, json_t *value)
{
    if (json_object_set_new(object->json, key, value) != 0)
        object->failed = true;
}

json_t *cli_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void cli_set_real(cli_object *object, const char *key, double value)
{
    if (!isnan(value))
        cli_set(object, key, cli_json_real(value));
}

void cli_set_text(cli_object *object, const char *key, const char *text)
{
    if (text)
        cli_set(object, key, cli_json_text(text));
}

void cli_set_count(cli_object *object, const char *key, uint64_t count)
{
    cli_set(object, key, json_integer((json_int_t)count));
}

void cli_set_object(cli_object *object, const char *key, cli_object inner)
{
    cli_set(object, key, cli_object_take(object, inner));
}

void cli_append(cli_object *object, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        object->failed = true;
}

json_t *cli_object_take(cli_object *outer, cli_object inner)
{
    outer->failed = outer->failed || inner.failed;
    return inner.json;
}

/* Length of the UTF-8 sequence at `s`, or 0 when there is none. */
static size_t sequence(const unsigned char *s)
{
    size_t length = s[0] < 0x80                    ? 1
                    : s[0] >= 0xC2 && s[0] <= 0xDF ? 2
                    : (s[0] & 0xF0) == 0xE0        ? 3
                    : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                   : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return length > 2 && (overlong || outside) ? 0 : length;
}

json_t *cli_json_text(const char *text)
{
    json_t *json = json_string(text);
    if (json)
        return json;
    char *clean = mem_array(strlen(text) + 1, 3);
    size_t used = 0;
    if (!clean)
        return NULL;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = sequence(s);
        memcpy(clean + used, length ? (const char *)s : "\xEF\xBF\xBD", length ? length : 3);
        used += length ? length : 3;
        s += length ? length : 1;
    }
    json = json_stringn(clean, used);
    free(clean);
    return json;
}

cli_object cli_json_params(const tm_params *params)
{
    json_t *json = params_json(params, cli_json_text);
    return (cli_object){json, !json};
}

tm_status cli_read_json(json_t **out, const char *text, tm_error *err)
{
    errno = 0;
    *out = json_loads(text, 0, NULL);
    return *out || errno != ENOMEM ? TM_OK : tm_fail_memory(err, "what was recorded");
}

tm_status cli_write_json(cli_object object, FILE *file, tm_error *err)
{
    tm_status status = TM_OK;
    if (object.failed) {
        status = tm_fail_memory(err, "the result as JSON");
    } else {
        /* A failure to write is noticed when the file is flushed. */
        if (!json_text_write(object.json, file))
            status = tm_fail_memory(err, "the result as JSON");
        fputc('\n', file);
    }
    json_decref(object.json);
    return status;
}

void cli_list_add(cli_list *list, cli_object item)
{
    cli_append(&list->object, list->items, cli_object_take(&list->object, item));
}

tm_status cli_list_write(cli_list *list, const char *key, tm_status status, tm_error *err)
{
    cli_set(&list->object, key, list->items);
    if (status == TM_OK)
        return cli_write_json(list->object, stdout, err);
    json_decref(list->object.json);
    return status;
}
