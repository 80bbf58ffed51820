/* tm.dataset: a data set from tables of numbers and labels. */
#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/read/common/class_texts.h"
#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/objects/data/dataset.h"
#include "tamis/classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const script_dataset_extras[] = {"x", "y", "names", "name", "weights", "offset", NULL};
static const char OWNER[] = "tm.dataset";

/* Reads x = {{...}, ...} of the table at 1 column by column into a block that is pushed. */
static double *read_rows(lua_State *L, size_t *n, size_t *p)
{
    if (lua_getfield(L, 1, "x") != LUA_TTABLE)
        script_error(L, "%s: 'x' is %s; expected a list of rows {{...}, ...}", OWNER,
                     script_what_is(L, -1));
    int x = lua_gettop(L);
    *n = lua_rawlen(L, x);
    *p = lua_rawgeti(L, x, 1) == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    lua_pop(L, 1);
    if (*n == 0 || *p == 0)
        script_error(L, "%s: 'x' has no %s; expected a list of rows {{...}, ...}", OWNER,
                     *n ? "columns in its first row" : "rows");
    double *values = lua_newuserdatauv(L, *n * *p * sizeof *values, 0);
    for (size_t i = 0; i < *n; i++) {
        if (lua_rawgeti(L, x, (lua_Integer)i + 1) != LUA_TTABLE)
            script_error(L, "%s: row %zu of 'x' is %s; expected a list of numbers", OWNER, i + 1,
                         script_what_is(L, -1));
        if (lua_rawlen(L, -1) != *p)
            script_error(L, "%s: the length of row %zu of 'x' is %zu, that of the first row %zu",
                         OWNER, i + 1, (size_t)lua_rawlen(L, -1), *p);
        for (size_t j = 0; j < *p; j++) {
            if (lua_rawgeti(L, -1, (lua_Integer)j + 1) != LUA_TNUMBER)
                script_error(L, "%s: x[%zu][%zu] is %s; expected a number", OWNER, i + 1, j + 1,
                             script_what_is(L, -1));
            values[i + j * *n] = lua_tonumber(L, -1);
            if (!isfinite(values[i + j * *n]))
                script_error(L, "%s: x[%zu][%zu] is not finite", OWNER, i + 1, j + 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return values;
}

/* Reads text labels, which the list at index y owns. */
static const char **read_labels(lua_State *L, int y, size_t n)
{
    const char **labels = lua_newuserdatauv(L, n * sizeof *labels, 0);
    for (size_t i = 0; i < n; i++) {
        if (lua_rawgeti(L, y, (lua_Integer)i + 1) != LUA_TSTRING)
            script_error(L, "%s: y[%zu] is %s, but y[1] is text", OWNER, i + 1,
                         script_what_is(L, -1));
        labels[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return labels;
}

/* Reads a numeric response; NULL if it is text, and then *labels is set. */
static double *read_response(lua_State *L, size_t n, const char ***labels)
{
    if (lua_getfield(L, 1, "y") != LUA_TTABLE)
        script_error(L, "%s: 'y' is %s; expected a list of numbers or of labels", OWNER,
                     script_what_is(L, -1));
    int y = lua_gettop(L);
    if (lua_rawlen(L, y) != n)
        script_error(L, "%s: y has %zu values, x has %zu rows", OWNER, (size_t)lua_rawlen(L, y), n);
    bool text = lua_rawgeti(L, y, 1) == LUA_TSTRING;
    lua_pop(L, 1);
    if (text) {
        *labels = read_labels(L, y, n);
        return NULL;
    }
    double *values = lua_newuserdatauv(L, n * sizeof *values, 0);
    for (size_t i = 0; i < n; i++) {
        if (lua_rawgeti(L, y, (lua_Integer)i + 1) != LUA_TNUMBER)
            script_error(L, "%s: y[%zu] is %s; expected a number", OWNER, i + 1,
                         script_what_is(L, -1));
        values[i] = lua_tonumber(L, -1);
        if (!isfinite(values[i]))
            script_error(L, "%s: y[%zu] is not finite", OWNER, i + 1);
        lua_pop(L, 1);
    }
    return values;
}

/* Whether a response with two distinct values is numeric rather than two classes: two rows have two
 * values in any case, so only values that are usual for classes are taken as classes. */
static bool two_numbers(const double *y, size_t n)
{
    if (n != 2)
        return false;
    double least = fmin(y[0], y[1]), greatest = fmax(y[0], y[1]);
    return !(greatest == 1 && (least == -1 || least == 0));
}

/* Checks the list of names and leaves it on the stack; false if there is none. */
static bool check_names(lua_State *L, size_t p)
{
    int type = lua_getfield(L, 1, "names");
    if (type == LUA_TNIL)
        return false;
    if (type != LUA_TTABLE || lua_rawlen(L, -1) != p)
        script_error(L, "%s: 'names' is not a list of %zu feature names", OWNER, p);
    for (size_t j = 0; j < p; j++) {
        if (lua_rawgeti(L, -1, (lua_Integer)j + 1) != LUA_TSTRING)
            script_error(L, "%s: names[%zu] is %s; expected text", OWNER, j + 1,
                         script_what_is(L, -1));
        lua_pop(L, 1);
    }
    return true;
}

static double *copy_values(const double *values, size_t count)
{
    double *copy = mem_array(count, sizeof *copy);
    if (copy)
        memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* The names of the list on top of the stack, malloc'ed; NULL when memory ran out. */
static char **copy_names(lua_State *L, size_t p)
{
    char **names = mem_zeros(p, sizeof *names);
    for (size_t j = 0; names && j < p; j++) {
        lua_rawgeti(L, -1, (lua_Integer)j + 1);
        names[j] = text_copy(lua_tostring(L, -1));
        lua_pop(L, 1);
        if (names[j])
            continue;
        while (j-- > 0)
            free(names[j]);
        free(names);
        names = NULL;
    }
    return names;
}

/* Stores the classes of the labels in the parts, and their numbers in parts->y. */
static tm_status take_labels(tm_dataset_parts *parts, const char *const *labels, size_t n,
                             tm_error *err)
{
    class_texts classes = {0};
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < n; i++)
        if (!class_texts_set(&classes, i, labels[i], strlen(labels[i])))
            status = tm_fail_memory(err, "labels of the classes");
        else if (class_texts_count(&classes) > TM_MAX_CLASSES)
            status = tm_fail(err, TM_EUSAGE, "%s: y has more than %d distinct labels", OWNER,
                             TM_MAX_CLASSES);
    if (status == TM_OK)
        status = class_texts_finish(&classes, parts->response.y, n, parts, err);
    if (status == TM_OK && parts->response.class_count == 1)
        status = tm_fail(err, TM_EUSAGE, "%s: y has the one label '%.40s'; expected two or more",
                         OWNER, parts->response.classes[0]);
    class_texts_clear(&classes);
    return status;
}

int script_tm_dataset(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t n, p;
    const char **labels = NULL;
    if (!script_args_options(L, 1, OWNER))
        script_error(L, "%s: expected a table {x={{...}, ...}, y={...}}", OWNER);
    lua_settop(L, 1);
    script_args_keys(L, 1, OWNER, NULL, 0, script_dataset_extras);
    const char *name = script_args_text(L, 1, OWNER, "name", "data");
    const double *values = read_rows(L, &n, &p);
    const double *response = read_response(L, n, &labels);
    tm_dataset **data = script_new_dataset(L);
    bool named = check_names(L, p);
    /* From here to tm_dataset_new nothing may raise an error, as allocated memory would be
     * leaked. */
    tm_matrix *x = NULL;
    double *copy = copy_values(values, n * p);
    if (copy && tm_matrix_new_dense(&x, n, p, copy, &err) != TM_OK)
        return script_raise(L, &err);
    tm_dataset_parts parts = {.name = name, .x = x};
    parts.response.y = response ? copy_values(response, n) : mem_zeros(n, sizeof *parts.response.y);
    parts.response.numeric = response && two_numbers(response, n);
    parts.features.names = named ? copy_names(L, p) : NULL;
    lua_pop(L, 1);
    tm_status status = x && parts.response.y && (!named || parts.features.names)
                           ? TM_OK
                           : tm_fail_memory(&err, "the data set");
    if (status == TM_OK && labels)
        status = take_labels(&parts, labels, n, &err);
    if (status == TM_OK)
        status = tm_dataset_new(data, &parts, &err);
    else
        dataset_parts_free(&parts, parts.features.names ? p : 0);
    if (status != TM_OK)
        return script_raise(L, &err);
    const double *weights = script_args_rows(L, 1, OWNER, "weights", *data);
    const double *offset = script_args_rows(L, 1, OWNER, "offset", *data);
    if (weights || offset) {
        tm_dataset **own = script_new_dataset(L);
        if (tm_dataset_weigh(own, *data, weights, offset, &err) != TM_OK)
            return script_raise(L, &err);
        data = own;
    }
    return script_announce_dataset(L, *data);
}
