/* Stability selection (Meinshausen and Buhlmann 2010; complementary pairs: Shah and Samworth 2013).
 * The samples are the splits of a sweep that keeps supports, so the sweep handles workers, the run
 * store and interrupts. */
#include "script/objects/sweep/stability.h"

#include "script/common/args.h"
#include "script/common/errors.h"
#include "script/common/table.h"
#include "script/common/values.h"
#include "script/objects/data/dataset.h"
#include "script/objects/sweep/read.h"
#include "script/objects/sweep/sweep.h"
#include "tamis/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OWNER "tm.stability"

/* Stack positions of script_tm_stability. */
enum { ARGUMENTS = 1, GIVEN, SWEEP, TABLE, BLOCK, ROWS };

const char *const script_stability_extras[] = {
    "data",   "method",    "grid",     "random", "list", "subsamples", "share",
    "pairs",  "threshold", "stratify", "name",   "warm", "seed",       "fresh",
    "params", "filter",    "metric",   "scale",  "tags", "note",       NULL};

/* The counts behind the frequencies, and the resulting quantities. */
typedef struct counts {
    size_t p, samples, failed;
    size_t *of_config; /* p: number of samples in which the present configuration chose the
                        * feature */
    size_t *most;      /* p: the greatest of these over the configurations */
    size_t *seen;      /* p: the last sample (from 1) in which any configuration chose it */
    double chosen;     /* number of features chosen in any configuration, summed over samples */
    bool pairs;
    double threshold;
} counts;

/* ---- the sweep ----------------------------------------------------------------------------- */

static void check_keys(lua_State *L)
{
    tm_error err = TM_ERROR_INIT;
    size_t count = 0;
    const tm_param_info *table = NULL;
    if (!script_args_options(L, ARGUMENTS, OWNER))
        script_error(L, "%s: expected a table {data=, method=, ...}", OWNER);
    if (lua_getfield(L, ARGUMENTS, "method") == LUA_TSTRING) {
        const tm_method *method = tm_method_find(lua_tostring(L, -1), &err);
        if (!method)
            script_raise(L, &err);
        table = tm_method_params(method, &count);
    } else {
        script_error(L, "%s: 'method' is %s; expected the name of a method", OWNER,
                     script_what_is(L, -1));
    }
    lua_pop(L, 1);
    script_args_keys(L, ARGUMENTS, OWNER, table, count, script_stability_extras);
    lua_getfield(L, ARGUMENTS, "data");
    script_check_dataset(L, -1, OWNER);
    lua_pop(L, 1);
}

static double read_threshold(lua_State *L)
{
    double threshold = 0.6;
    if (lua_getfield(L, ARGUMENTS, "threshold") != LUA_TNIL) {
        int number;
        threshold = lua_tonumberx(L, -1, &number);
        if (!number || !(threshold > 0.5 && threshold <= 1))
            script_error(L, "%s: threshold is %s; expected a number above 0.5 and at most 1", OWNER,
                         luaL_tolstring(L, -1, NULL));
    }
    lua_pop(L, 1);
    return threshold;
}

/* Moves a field of the sweep's arguments into its folds, both on the stack. */
static void move_field(lua_State *L, int folds, const char *key)
{
    lua_getfield(L, GIVEN, key);
    lua_setfield(L, folds, key);
    lua_pushnil(L);
    lua_setfield(L, GIVEN, key);
}

static void set_default(lua_State *L, int table, const char *key)
{
    if (lua_getfield(L, table, key) == LUA_TNIL) {
        lua_pushvalue(L, -2);
        lua_setfield(L, table, key);
    }
    lua_pop(L, 2);
}

/* Sets GIVEN to the arguments of the sweep. Returns whether the samples are pairs. */
static bool push_given(lua_State *L)
{
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, ARGUMENTS);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_settable(L, GIVEN);
    }
    lua_pushnil(L);
    lua_setfield(L, GIVEN, "threshold");
    lua_newtable(L);
    int folds = lua_gettop(L);
    move_field(L, folds, "subsamples");
    move_field(L, folds, "share");
    move_field(L, folds, "pairs");
    lua_pushinteger(L, 50);
    set_default(L, folds, "subsamples");
    bool share = lua_getfield(L, folds, "share") != LUA_TNIL;
    lua_pop(L, 1);
    lua_pushboolean(L, !share);
    set_default(L, folds, "pairs");
    lua_getfield(L, folds, "pairs");
    bool pairs = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_setfield(L, GIVEN, "folds");
    lua_pushliteral(L, "support");
    lua_setfield(L, GIVEN, "keep");
    lua_pushliteral(L, "stability");
    set_default(L, GIVEN, "name");
    return pairs;
}

/* ---- counting ------------------------------------------------------------------------------ */

static bool sample_failed(const tm_sweep_table *t, size_t split)
{
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        if (!tm_sweep_table_cell(t, c, split)->kept)
            return true;
    return false;
}

static void count_support(counts *of, const tm_kept *kept)
{
    size_t count;
    const uint64_t *features = tm_kept_support(kept, &count);
    for (size_t k = 0; k < count; k++)
        if (features[k] < of->p)
            of->of_config[features[k]]++;
}

/* A feature that several configurations chose on one sample counts once. */
static void count_sample(counts *of, const tm_sweep_table *t, size_t split)
{
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        size_t count;
        const uint64_t *features = tm_kept_support(tm_sweep_table_cell(t, c, split)->kept, &count);
        for (size_t k = 0; k < count; k++) {
            size_t j = features[k];
            if (j >= of->p || of->seen[j] == split + 1)
                continue;
            of->seen[j] = split + 1;
            of->chosen++;
        }
    }
}

static void count_all(counts *of, const tm_sweep_table *t)
{
    size_t splits = tm_sweep_table_splits(t);
    for (size_t s = 0; s < splits; s++) {
        if (sample_failed(t, s)) {
            of->failed++;
            continue;
        }
        of->samples++;
        count_sample(of, t, s);
    }
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++) {
        memset(of->of_config, 0, of->p * sizeof *of->of_config);
        for (size_t s = 0; s < splits; s++)
            if (!sample_failed(t, s))
                count_support(of, tm_sweep_table_cell(t, c, s)->kept);
        for (size_t j = 0; j < of->p; j++)
            if (of->of_config[j] > of->most[j])
                of->most[j] = of->of_config[j];
    }
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* Theorem 1 of Meinshausen and Buhlmann: a bound on the expected number of features chosen in
 * error. */
static double worst_case(const counts *of, double q)
{
    return q * q / ((2 * of->threshold - 1) * (double)of->p);
}

/* Theorem 2 of Shah and Samworth, for pairs and unimodal frequencies; NaN where it does not apply.
 * Frequencies are multiples of 1/(2B), so the threshold may be rounded up to such a multiple. */
static double unimodal(const counts *of, double q)
{
    double pairs = (double)(of->samples / 2), theta = q / (double)of->p;
    double tau = ceil(2 * pairs * of->threshold - 1e-9) / (2 * pairs);
    double least = 0.5 + fmin(theta * theta, 1 / (2 * pairs) + 0.75 * theta * theta);
    if (!of->pairs || of->failed > 0 || theta > 1 / sqrt(3) || tau <= least || tau > 1)
        return NAN;
    double constant = tau <= 0.75 ? 1 / (2 * (2 * tau - 1 - 1 / (2 * pairs)))
                                  : 4 * (1 - tau + 1 / (2 * pairs)) / (1 + 1 / pairs);
    return constant * q * q / (double)of->p;
}

/* ---- the result ---------------------------------------------------------------------------- */

typedef struct entry {
    size_t feature, count;
} entry;

static int by_count(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

static bool is_stable(const counts *of, size_t count)
{
    return (double)count >= of->threshold * (double)of->samples - 1e-9;
}

static void push_row(lua_State *L, const counts *of, const tm_dataset *data, const entry *e)
{
    char buffer[128];
    lua_createtable(L, 0, 5);
    script_set_count(L, "feature", e->feature + 1);
    lua_pushstring(L, tm_dataset_feature_label(data, e->feature, buffer, sizeof buffer));
    lua_setfield(L, -2, "name");
    script_set_count(L, "count", e->count);
    script_set_real(L, "frequency", (double)e->count / (double)of->samples);
    lua_pushboolean(L, is_stable(of, e->count));
    lua_setfield(L, -2, "stable");
}

/* Sets ROWS to the rows of features that were ever chosen, the most frequent first. */
static void push_rows(lua_State *L, const counts *of, const tm_dataset *data)
{
    static const char *const columns[] = {"feature", "name", "count", "frequency", "stable"};
    entry *order = lua_newuserdatauv(L, (of->p + 1) * sizeof *order, 0);
    size_t n = 0, stable = 0;
    for (size_t j = 0; j < of->p; j++)
        if (of->most[j] > 0)
            order[n++] = (entry){j, of->most[j]};
    qsort(order, n, sizeof *order, by_count);
    lua_createtable(L, (int)n, 8);
    lua_newtable(L);
    for (size_t k = 0; k < n; k++) {
        push_row(L, of, data, &order[k]);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        if (!is_stable(of, order[k].count))
            continue;
        lua_pushinteger(L, (lua_Integer)order[k].feature + 1);
        lua_rawseti(L, -2, (lua_Integer)++stable);
    }
    script_as_list(L);
    lua_setfield(L, -2, "stable");
    lua_replace(L, ROWS);
    lua_settop(L, ROWS);
    script_as_rows(L, columns, sizeof columns / sizeof *columns);
}

static void set_facts(lua_State *L, const counts *of)
{
    double q = of->chosen / (double)of->samples;
    script_set_count(L, "samples", of->samples);
    script_set_count(L, "failed", of->failed);
    script_set_count(L, "p", of->p);
    script_set_real(L, "threshold", of->threshold);
    script_set_real(L, "q", q);
    script_set_real(L, "bound", worst_case(of, q));
    script_set_real(L, "bound_unimodal", unimodal(of, q));
    lua_pushvalue(L, SWEEP);
    lua_setfield(L, -2, "sweep");
}

static void tell_failed(lua_State *L, const counts *of, const tm_sweep_table *t)
{
    const char *why = "?";
    for (size_t c = 0; c < tm_sweep_table_configs(t); c++)
        for (size_t s = 0; s < tm_sweep_table_splits(t); s++)
            if (tm_sweep_table_cell(t, c, s)->error)
                why = tm_sweep_table_cell(t, c, s)->error;
    if (of->samples == 0)
        script_error(L, "%s: no sample has a result: %s", OWNER, why);
    script_remark(script_of(L), false, "%s: %zu of %zu samples failed and are left out: %s", OWNER,
                  of->failed, of->failed + of->samples, why);
}

int script_tm_stability(lua_State *L)
{
    lua_settop(L, ARGUMENTS);
    check_keys(L);
    counts of = {.threshold = read_threshold(L), .pairs = push_given(L)};
    lua_pushcfunction(L, script_tm_sweep);
    lua_pushvalue(L, GIVEN);
    lua_call(L, 1, 1);
    script_sweep_wait(L, script_check_sweep(L, SWEEP), INFINITY);
    lua_getfield(L, GIVEN, "data");
    const tm_dataset *data = script_check_dataset(L, -1, OWNER);
    lua_pop(L, 1); /* the arguments keep it alive */
    const tm_sweep_table *t = script_sweep_snapshot(L, SWEEP);
    of.p = tm_dataset_cols(data);
    size_t *block = lua_newuserdatauv(L, (3 * of.p + 1) * sizeof *block, 0);
    memset(block, 0, (3 * of.p + 1) * sizeof *block);
    of.of_config = block;
    of.most = block + of.p;
    of.seen = block + 2 * of.p;
    count_all(&of, t);
    if (of.failed > 0)
        tell_failed(L, &of, t);
    lua_settop(L, BLOCK);
    lua_pushnil(L);
    push_rows(L, &of, data);
    set_facts(L, &of);
    return 1;
}
