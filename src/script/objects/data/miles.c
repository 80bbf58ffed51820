/* d:miles: the embedding of bags. */
#include "script/objects/data/miles.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/folder.h"
#include "script/objects/data/dataset.h"
#include "script/objects/data/split.h"
#include "tamis/bags.h"

#include <unistd.h>

static const char OWNER[] = "miles";
static const tm_param_info params_table[] = {
    {.name = "sigma",
     .type = TM_PARAM_REAL,
     .min = 0,
     .max = 1e300,
     .help = "width of the similarity",
     .flags = TM_PARAM_MIN_OPEN},
};
static const char *const extras[] = {"bags", "concepts", NULL};

/* Finds the bags from field `bags` of the table at 2; sets *column if it is a column of the
 * data. */
static tm_status find_bags(lua_State *L, tm_bags *bags, tm_dataset **rest, const tm_dataset *data,
                           const char **column, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    int type = lua_getfield(L, 2, "bags");
    *column = NULL;
    if (type == LUA_TTABLE) {
        const size_t *of = script_args_row_groups(L, 2, OWNER, "bags", n);
        double *ids = lua_newuserdatauv(L, n * sizeof *ids, 0);
        for (size_t i = 0; i < n; i++)
            ids[i] = (double)of[i];
        return tm_bags_from_ids(bags, ids, n, err);
    }
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
        script_error(L, "%s: bags is %s; expected a column, a file or a list", OWNER,
                     script_what_is(L, -1));
    const char *text = lua_tostring(L, -1);
    script_check_words(L, text);
    if (type == LUA_TSTRING && access(text, R_OK) == 0)
        return tm_bags_read(bags, text, n, err);
    *column = text;
    return tm_bags_from_column(bags, rest, data, text, err);
}

/* The instances that become features: those of `concepts` without the column of the bags, or the
 * data's own. */
static tm_status find_concepts(tm_dataset **out, const tm_dataset *given, const tm_dataset *own,
                               const char *column, tm_error *err)
{
    tm_bags unused;
    if (!given || !column) {
        *out = tm_dataset_ref(given ? given : own);
        return TM_OK;
    }
    tm_status status = tm_bags_from_column(&unused, out, given, column, err);
    tm_bags_clear(&unused);
    return status;
}

int script_data_miles(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    tm_bags bags = TM_BAGS_INIT;
    const char *column;
    lua_settop(L, 2);
    const tm_dataset *data = script_check_dataset(L, 1, OWNER), *given = NULL;
    const tm_params *params = script_args_params(L, 2, OWNER, params_table, 1, extras);
    if (!lua_istable(L, 2) || !tm_params_has(params, "sigma"))
        script_error(L, "%s: expected {bags=, sigma=}", OWNER);
    if (lua_getfield(L, 2, "concepts") != LUA_TNIL)
        given = script_check_dataset(L, -1, "concepts");
    /* Objects of the script own intermediate results, so that errors do not leak them. */
    tm_dataset **rest = script_new_dataset(L), **concepts = script_new_dataset(L),
               **out = script_new_dataset(L);
    tm_status status = find_bags(L, &bags, rest, data, &column, &err);
    const tm_dataset *instances = *rest ? *rest : data;
    if (status == TM_OK)
        status = find_concepts(concepts, given, instances, column, &err);
    if (status == TM_OK)
        status = tm_dataset_miles(out, instances, &bags, *concepts, tm_params_real(params, "sigma"),
                                  &err);
    tm_bags_clear(&bags);
    if (status != TM_OK)
        return script_raise(L, &err);
    script_push_dataset(L, *out);
    return 1;
}
