/* The table tm: a new function is a row here. */
#include "script/api/functions.h"

#include "base/text.h"
#include "script/api/lists.h"
#include "script/api/wait.h"
#include "script/common/callbacks.h"
#include "script/common/class.h"
#include "script/common/guard.h"
#include "script/common/table.h"
#include "script/lessons/lesson.h"
#include "script/objects/compare.h"
#include "script/objects/data/dataset.h"
#include "script/objects/explain.h"
#include "script/objects/load.h"
#include "script/objects/map.h"
#include "script/objects/model.h"
#include "script/objects/ovr.h"
#include "script/objects/plot/plot.h"
#include "script/objects/run.h"
#include "script/objects/sweep/args.h"
#include "script/objects/sweep/curve.h"
#include "script/objects/sweep/search.h"
#include "script/objects/sweep/stability.h"
#include "script/objects/sweep/sweep.h"
#include "script/objects/ui.h"
#include "tamis/method.h"
#include "tamis/reader.h"

#include <string.h>

/* ---- tm ------------------------------------------------------------------------------------ */

static const script_keys load_keys =
                             {"load", NULL, tm_reader_params, script_load_extras,
                              "  like              a data set or a model: the file is read as "
                              "its was\n"},
                         dataset_keys = {"dataset", NULL, NULL, script_dataset_extras, NULL},
                         sweep_keys = {"sweep", NULL, NULL, script_sweep_extras, NULL},
                         search_keys = {"search", NULL, NULL, script_search_extras, NULL},
                         stability_keys = {"stability", NULL, NULL, script_stability_extras, NULL},
                         curve_keys = {"curve", NULL, NULL, script_curve_extras, NULL},
                         map_keys = {"map", NULL, script_map_params, script_map_extras, NULL},
                         plot_keys = {"plot", NULL, script_plot_params, script_plot_extras, NULL};

static const script_function functions[] = {
    {"load", "(path, {label=, response=, missing=, format=, ...})",
     "Reads a data set in any of the formats below; \"-\" is standard input.\n"
     "label is the column of the response, by name or by number from 1; response is a file "
     "with it.\n"
     "like is a data set or a model: the file is read in the same way, and nothing is learnt "
     "from it.",
     script_tm_load, &load_keys},
    {"synth", "(generator, {n=, p=, seed=, ...})",
     "Makes a synthetic data set; tm.synths() lists the generators.", script_tm_synth, NULL},
    {"dataset", "{x={{...}, ...}, y={...}, names={...}, name=}",
     "Makes a data set of rows x and a response y: numbers, or text labels of two classes.",
     script_tm_dataset, &dataset_keys},
    {"model", "(path)", "Reads a model that model:save(path) wrote.", script_tm_model, NULL},
    {"path", "(data, method, {lambdas=100, test=, ...})",
     "Starts a run over many lambdas, from lambda_max down; it takes the method's parameters.\n"
     "run.table and run.models have one entry for each lambda.",
     script_tm_path, NULL},
    {"sweep", "{data=, method=, grid={B={2, 5}, C={1, 10}}, folds=5, metric=\"f1\", ...}",
     "Starts many runs in the background: each configuration of grid={name={values}, ...}, "
     "random={n=, name={min=, max=, log=} or {values}} or list={{name=value}, ...} on each "
     "fold.\n"
     "Splits: folds, repeats, nested, groups, stratify, or test=data; metric is one or a list; "
     "name; warm.\n"
     "metric={name=function(z, y)} and prepare=function(train), which returns a function of a "
     "data set, may be Lua functions.\n"
     "folds is a number, lists of rows, {bootstrap=}, or {subsamples=, share=, pairs=}; keep "
     "names what is kept of each run: \"predictions\", \"support\", \"model\".\n"
     "data={name=data, ...} and method={...} are axes, too, as is what is learnt from each "
     "split's training rows: scale, filter and keep, append (of extra={name=data, ...}), and "
     "rows, the share of them that is used. Other names are the method's parameters.",
     script_tm_sweep, &sweep_keys},
    {"curve", "{methods=, train=, test=, features={10, 20, 50}, debias=true, ...}",
     "Scores against the number of features, for several methods on the same data or folds. "
     "Methods with a path are searched along lambda. debias retrains on the chosen features "
     "(true, or its C).\n"
     "Waits for the runs; curve:show(), curve:save(path), print(curve). "
     "params={method={name=value}}.",
     script_tm_curve, &curve_keys},
    {"stability", "{data=, method=, subsamples=50, pairs=true, threshold=0.6, ...}",
     "How often features are chosen on samples of the rows: pairs of halves, or subsamples of "
     "a share.\n"
     "Rows with feature, name, count, frequency, stable; fields stable (features at or above "
     "the threshold), q (features chosen per sample), bound and bound_unimodal (expected "
     "number of features chosen in error), sweep. With grid= or lambdas=, a frequency is the "
     "greatest over the configurations. Waits for it.",
     script_tm_stability, &stability_keys},
    {"search", "{data=, method=, random={n=, ...}, halving={tol={0.1, 1e-4}} or tpe=true, ...}",
     "Searches for the best configuration in rounds of sweeps that depend on earlier ones. "
     "halving runs the best 1/eta (eta=3) again at each level of a parameter (rows: the share "
     "of the training rows); tpe=true or {starts=, batch=} draws where good configurations are "
     "dense. Returns rows, the best first; fields best (with params), rounds, sweeps, "
     "total_columns, total_updates. Waits for it.",
     script_tm_search, &search_keys},
    {"ovr", "(data, method, {test=, ...})",
     "Starts a run of the method for each class of the data, that class against the rest.\n"
     "ovr:wait(), ovr:scores(): macro and micro averages and a row for each class.",
     script_tm_ovr, NULL},
    {"compare", "(a, b, {folds=, ratio=})",
     "Paired tests of two lists of numbers: Student's t and Wilcoxon's signed ranks, "
     "two-sided.\n"
     "folds=K (or ratio=, test rows divided by training rows) adds the t test of Nadeau and "
     "Bengio, which allows for training rows that splits share: corrected_t, corrected_p.",
     script_tm_compare, NULL},
    {"holm", "(p)", "Holm's correction of a list of p values, one for each of several tests.",
     script_tm_holm, NULL},
    {"rank", "({name={scores}, ...}, {greater=})",
     "Mean ranks of lists of scores on the same splits, 1 for the best (greater=false: the "
     "least score), their means, and the number of splits on which each is strictly the best.",
     script_tm_rank, NULL},
    {"wait", "(run, ...)",
     "Waits for runs and sweeps, given one by one or in a list; without arguments, for all "
     "that were started. Interrupting it cancels them.",
     script_tm_wait, NULL},
    {"map", "(list, function, {name=, seed=, jobs=, fresh=, progress=})",
     "Calls function(item, place) for each item on --jobs workers and returns the list of "
     "results, a list of the messages of failed tasks by place, and the number of results that "
     "were already recorded. Each task has a Lua state of its own, with its own seed for "
     "math.random and tm: it sees what the function captures (values, functions, data sets), "
     "but no globals of the script. Results are plain values; with --store they are recorded, "
     "and reused while function, item and seed are the same (fresh=true: not). progress(done, "
     "count, failed) is called as results arrive; returning false stops the rest.",
     script_tm_map, &map_keys},
    {"on", "(event, function)",
     "Calls function(object, kind), kind \"run\" or \"sweep\": \"progress\" when it has news, "
     "\"done\" when it has ended. Calls happen while the script waits or is idle. Without a "
     "function, removes all functions of that event.",
     script_tm_on, NULL},
    {"plot", "{runs={...}, x=, y=, title=, xlog=, ylog=, xlabel=, ylabel=}",
     "A figure of runs, or of numbers: series={{x={...}, y={...}, name=, points=}, ...}.\n"
     "plot:show(), plot:save(path), print(plot).",
     script_tm_plot, &plot_keys},
    {"table", "(rows, {column, ...})",
     "A table that prints aligned; rows are tables, or objects whose fields are the columns.",
     script_tm_table, NULL},
    {"screen", "([view])",
     "The workbench's screen as text, or a view as it would look on the whole screen.",
     script_tm_screen, NULL},
    {"ui.view", "(name)", "Switches to a view.", script_ui_view, NULL},
    {"ui.request", "(name)", "Does what a key would do: \"right\", \"zoom-in\", \"split\", ...",
     script_ui_request, NULL},
    {"ui.set", "(parameter, value)",
     "Sets a parameter of the explore view's form and solves; without a value, restores the "
     "default.",
     script_ui_set, NULL},
    {"ui.command", "(name, help, function)",
     "A command of your own: :name ARGUMENT calls function(ARGUMENT); the palette lists it.",
     script_ui_command, NULL},
    {"ui.call", "(name, argument)", "Runs a command that ui.command made.", script_ui_call, NULL},
    {"ui.open", "(data)",
     "Opens this data set in the workbench; ui.data is then the data set, ui.run the run of "
     "the form's values.",
     script_ui_open, NULL},
    {"ui.bind", "(view, key, request or function)",
     "Binds a key in a view (\"all\": everywhere; \"in-plot\": in a plot) to a request or a "
     "function.\n"
     "ui.bind(\"runs\", \"Ctrl-K\", \"cancel\"); \"none\" removes the binding.",
     script_ui_bind, NULL},
    {"ui.theme", "(name or {base=name, role=colour, ...})",
     "Colours: auto, dark, light, contrast, mono, or your own \"#rrggbb\" for the roles error, "
     "good,\n"
     "warn, value, border, title, bar, selected, series1 ... series8.",
     script_ui_theme, NULL},
    {"explain", "(run, feature, screen)",
     "Two sentences on a feature (for svm a sample; of a run with a graph on number `feature` of "
     "`items` below, or on the edge {a, b}): which rule excluded it at which step, with "
     "the numbers; or that no rule did although its weight is 0. The problem is solved again with "
     "a log (by `screen`).",
     script_tm_explain, NULL},
    {"steps", "(run, screen)",
     "A row for each screening step of the run, which is solved again with a log (by "
     "`screen`): what, lambda or C, gap, radius, active, added, removed; bounds and actions by "
     "the number of the feature, or of what `item` names (sample, edge, term). `items` of the list "
     "has kind, name and features of each edge or term.",
     script_tm_steps, NULL},
    {"show",
     "{view=, run=, rule=, step=, feature=, lambda=, plane=, zoom=, side=, set={}, "
     "moment=}",
     "Shows a view beside a lesson, or in the workbench: a run, a step of it, a feature.\n"
     "plane shows the dual picture of the feature, zoom only the view's picture; set has "
     "parameters of the explore view's form; side is \"beside\" or \"below\". See "
     "docs/lessons.md.",
     script_tm_show, NULL},
    {"ask", "{question=, number= or choices= or mark=, answer=, within=, right=, wrong=, truth={}}",
     "The question of a lesson's step, whose answer is checked. truth is shown like tm.show.",
     script_tm_ask, NULL},
    {"lesson.open", "(name, step)", "Opens a lesson of 'tamis learn' in the workbench.",
     script_lesson_open, NULL},
    {"lesson.go", "(step)",
     "Goes to a step of the lesson: a number, \"next\", \"back\" or \"again\".", script_lesson_go,
     NULL},
    {"lesson.answer", "(value)",
     "Answers the step's question: a number, the number of a choice, or \"1,3\" for marked "
     "items.\n"
     "Without a value the answer is shown.",
     script_lesson_answer, NULL},
    {"methods", "()", "The methods; help(id) prints the page of one.", script_tm_methods, NULL},
    {"screens", "()", "The screening strategies, values of the parameter screen.",
     script_tm_screens, NULL},
    {"metrics", "()", "The metrics of model:score and run.score.", script_tm_metrics, NULL},
    {"synths", "()", "The generators of tm.synth.", script_tm_synths, NULL},
};

const script_function *script_function_at(size_t i)
{
    return i < sizeof functions / sizeof *functions ? &functions[i] : NULL;
}

const script_function *script_function_find(const char *name)
{
    const script_function *function;
    for (size_t i = 0; (function = script_function_at(i)); i++)
        if (strcmp(function->name, name) == 0)
            return function;
    return NULL;
}

static const char *name_at(size_t i, const void *payload)
{
    const script_function *function = script_function_at(i);
    (void)payload;
    size_t count = sizeof functions / sizeof *functions;
    const tm_method *method = function ? NULL : tm_methods_at(i - count);
    return function ? function->name : method ? tm_method_id(method) : NULL;
}

/* Raises an error for a name that tm does not have. */
static int unknown_name(lua_State *L)
{
    const char *name = luaL_tolstring(L, 2, NULL);
    const char *close = text_closest(name, name_at, NULL);
    if (close)
        return luaL_error(L, "tm has no function '%s'; did you mean '%s'?", name, close);
    return luaL_error(L, "tm has no function '%s'; help() lists what there is", name);
}

static int show_tm(lua_State *L)
{
    lua_pushliteral(L, "tm: Tamis " SCRIPT_VERSION "; help() lists what there is");
    return 1;
}

/* Records the name of the function on top for help, and pops it. */
static void remember_function(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.functions");
    lua_insert(L, -2);
    lua_pushstring(L, name);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* Puts the value on top, which is popped, into the table below it under a name like "ui.view". */
static void set_by_name(lua_State *L, const char *name)
{
    const char *dot = strchr(name, '.');
    if (!dot) {
        lua_setfield(L, -2, name);
        return;
    }
    lua_pushlstring(L, name, (size_t)(dot - name));
    luaL_getsubtable(L, -3, lua_tostring(L, -1));
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, dot + 1);
    lua_pop(L, 3);
}

void script_functions_open(lua_State *L)
{
    const script_function *function;
    const tm_method *method;
    lua_newtable(L);
    for (size_t i = 0; (function = script_function_at(i)); i++) {
        if (strcmp(function->name, "load") == 0 || strcmp(function->name, "model") == 0)
            script_push_guarded_file(L, function->call, 1);
        else
            script_push_guarded(L, function->call, false);
        lua_pushvalue(L, -1);
        remember_function(L, function->name);
        set_by_name(L, function->name);
    }
    lua_getfield(L, -1, "ui");
    lua_createtable(L, 0, 1);
    script_push_guarded(L, script_ui_index, false);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        lua_pushlightuserdata(L, (void *)method);
        script_push_guarded(L, script_tm_method, true);
        lua_pushvalue(L, -1);
        remember_function(L, tm_method_id(method));
        lua_setfield(L, -2, tm_method_id(method));
    }
    lua_pushliteral(L, SCRIPT_VERSION);
    lua_setfield(L, -2, "version");
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, unknown_name);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, show_tm);
    lua_setfield(L, -2, "__tostring");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "tm");
    lua_setglobal(L, "tamis");
}
