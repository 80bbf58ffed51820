/* tm.compare: paired tests. */
#include "script/objects/compare.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "tamis/compare.h"

int script_tm_compare(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    tm_comparison found;
    size_t n, m;
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    const double *a = script_args_numbers(L, "tm.compare", "a", &n);
    lua_pushvalue(L, 2);
    const double *b = script_args_numbers(L, "tm.compare", "b", &m);
    if (n != m)
        script_error(L, "tm.compare: the lists have %zu and %zu numbers; pairs are needed", n, m);
    if (tm_compare_paired(&found, a, b, n, &err) != TM_OK)
        return script_raise(L, &err);
    lua_createtable(L, 0, 8);
    script_set_count(L, "n", n);
    script_set_real(L, "mean_difference", found.mean_difference);
    script_set_real(L, "t", found.t);
    script_set_real(L, "t_p", found.t_p);
    script_set_real(L, "wilcoxon", found.wilcoxon);
    script_set_real(L, "wilcoxon_p", found.wilcoxon_p);
    lua_pushboolean(L, found.exact);
    lua_setfield(L, -2, "exact");
    script_as_list(L);
    return 1;
}
