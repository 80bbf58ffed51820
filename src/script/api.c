/* The global tables: tm, and the standard functions that must mind the host. */
#include "script/common/state.h"

#include "base/text.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/screen.h"
#include "tamis/synth.h"

#include <limits.h>
#include <string.h>

/* ---- lists of what there is ---------------------------------------------------------------- */

static void add_row(lua_State *L, const char *const *keys, const char *const *values, size_t count)
{
    lua_createtable(L, 0, (int)count);
    for (size_t k = 0; k < count; k++) {
        lua_pushstring(L, values[k]);
        lua_setfield(L, -2, keys[k]);
    }
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

static int list_methods(lua_State *L)
{
    static const char *const keys[] = {"id", "losses", "summary"};
    const tm_method *method;
    lua_newtable(L);
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        char losses[128];
        tm_method_losses(method, losses, sizeof losses);
        const char *values[] = {tm_method_id(method), losses, tm_method_summary(method)};
        add_row(L, keys, values, 3);
    }
    script_as_rows(L, keys, 3);
    return 1;
}

static int list_screens(lua_State *L)
{
    static const char *const keys[] = {"id", "kind", "safe", "summary"};
    size_t count;
    const tm_screen_info *screens = tm_screens(&count);
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        const char *values[] = {screens[i].id, screens[i].kind, screens[i].safe,
                                screens[i].summary};
        add_row(L, keys, values, 4);
    }
    script_as_rows(L, keys, 4);
    return 1;
}

static int list_metrics(lua_State *L)
{
    static const char *const keys[] = {"id", "data", "summary"};
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    lua_newtable(L);
    for (size_t i = 0; i < count; i++) {
        const char *values[] = {metrics[i].id, metrics[i].binary ? "two classes" : "numbers",
                                metrics[i].summary};
        add_row(L, keys, values, 3);
    }
    script_as_rows(L, keys, 3);
    return 1;
}

static int list_synths(lua_State *L)
{
    static const char *const keys[] = {"id", "summary"};
    const tm_synth_info *synth;
    lua_newtable(L);
    for (size_t i = 0; (synth = tm_synth_at(i)); i++) {
        const char *values[] = {synth->id, synth->summary};
        add_row(L, keys, values, 2);
    }
    script_as_rows(L, keys, 2);
    return 1;
}

/* ---- tm ------------------------------------------------------------------------------------ */

static const script_function functions[] = {
    {"load", "(path, {label=, response=, missing=, format=, ...})",
     "Reads a data set: LIBSVM, CSV, Matrix Market or NumPy; \"-\" is standard input.\n"
     "label is the response's column, by name or by number from 1; response a file of it.",
     script_tm_load},
    {"synth", "(generator, {n=, p=, seed=, ...})",
     "Makes a synthetic data set; tm.synths() lists the generators.", script_tm_synth},
    {"dataset", "{x={{...}, ...}, y={...}, names={...}, name=}",
     "Makes a data set of rows x and a response y: numbers, or text labels of two classes.",
     script_tm_dataset},
    {"model", "(path)", "Reads a model that model:save(path) wrote.", script_tm_model},
    {"path", "(data, method, {lambdas=100, test=, ...})",
     "Starts a run over many lambdas, from lambda_max down; it takes the method's parameters.\n"
     "run.table and run.models have one entry for each lambda.",
     script_tm_path},
    {"sweep", "{data=, method=, grid={B={2, 5}, C={1, 10}}, folds=5, metric=\"f1\", ...}",
     "Starts many runs in the background: each configuration of a grid={name={values}, ...}, a\n"
     "random={n=, name={min=, max=, log=} or {values}} or a list={{name=value}, ...} on each "
     "fold.\n"
     "folds, repeats, nested, groups, stratify, or test=data; metric is one or a list; name; "
     "warm.\n"
     "data={name=data, ...} and method={...} are axes too, and what is learnt from each split's\n"
     "training rows: scale, filter and keep, append (of extra={name=data, ...}). Other names are "
     "the\n"
     "method's parameters.",
     script_tm_sweep},
    {"curve", "{methods=, train=, test=, features={10, 20, 50}, debias=true, ...}",
     "Scores against the number of features, for several methods on the same data or folds. "
     "Methods\n"
     "with a path are searched along lambda. debias retrains on what was chosen (true, or its C).\n"
     "Waits for them; curve:show(), curve:save(path), print(curve). params={method={name=value}}.",
     script_tm_curve},
    {"ovr", "(data, method, {test=, ...})",
     "Starts a run of the method for each class of the data, that class against the rest.\n"
     "ovr:wait(), ovr:scores(): macro and micro averages and a row for each class.",
     script_tm_ovr},
    {"compare", "(a, b)",
     "Paired tests of two lists of numbers: Student's t and Wilcoxon's signed ranks, two-sided.",
     script_tm_compare},
    {"wait", "(run, ...)",
     "Waits for the runs and sweeps, given one by one or in a list; for all that were started "
     "when\n"
     "called with nothing. Interrupting it cancels them.",
     script_tm_wait},
    {"on", "(event, function)",
     "Calls the function with a run or a sweep: \"progress\" when it has news, \"done\" when it\n"
     "ended. Calls come while the script waits or is idle. Without a function: removes all of "
     "that\n"
     "event.",
     script_tm_on},
    {"plot", "{runs={...}, x=, y=, title=, xlog=, ylog=, xlabel=, ylabel=}",
     "A figure of runs, or of numbers: series={{x={...}, y={...}, name=, points=}, ...}.\n"
     "plot:show(), plot:save(path), print(plot).",
     script_tm_plot},
    {"table", "(rows, {column, ...})",
     "A table that prints aligned; rows are tables, or objects whose fields are the columns.",
     script_tm_table},
    {"screen", "([view])",
     "The workbench's screen as text, or one view as it would fill the screen.", script_tm_screen},
    {"ui.view", "(name)", "Brings a view to the front.", script_ui_view},
    {"ui.request", "(name)", "Does what a key does: \"right\", \"zoom-in\", \"split\", ...",
     script_ui_request},
    {"ui.set", "(parameter, value)",
     "Sets a parameter of the explore view's form, which solves; no value: back to the default.",
     script_ui_set},
    {"ui.command", "(name, help, function)",
     "A command of your own: :name ARGUMENT calls function(ARGUMENT); the palette lists it.",
     script_ui_command},
    {"ui.run", "(name, argument)", "Runs a command that ui.command made.", script_ui_run},
    {"ui.bind", "(view, key, request or function)",
     "What a key does in a view (\"all\": everywhere; \"in-plot\": in a plot): a request or a "
     "function.\n"
     "ui.bind(\"runs\", \"Ctrl-K\", \"cancel\"); \"none\" takes the key's meaning away.",
     script_ui_bind},
    {"ui.theme", "(name or {base=name, role=colour, ...})",
     "Colours: auto, dark, light, contrast, mono, or your own \"#rrggbb\" for the roles error, "
     "good,\n"
     "warn, value, border, title, bar, selected, series1 ... series8.",
     script_ui_theme},
    {"methods", "()", "The methods; help(id) prints the page of one.", list_methods},
    {"screens", "()", "The screening strategies, values of the parameter screen.", list_screens},
    {"metrics", "()", "The metrics of model:score and run.score.", list_metrics},
    {"synths", "()", "The generators of tm.synth.", list_synths},
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

/* Reading a name that tm does not have. */
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

/* ---- standard functions that mind the host -------------------------------------------------- */

static int base_print(lua_State *L)
{
    int count = lua_gettop(L);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&out, '\t');
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&out);
    }
    luaL_addchar(&out, '\n');
    luaL_pushresult(&out);
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    script_print(script_of(L), text, size);
    return 0;
}

/* Writes arguments from `first` on to the host. */
static void write_arguments(lua_State *L, int first)
{
    int last = lua_gettop(L);
    for (int i = first; i <= last; i++) {
        size_t size;
        const char *text = luaL_checklstring(L, i, &size);
        script_print(script_of(L), text, size);
    }
}

/* Standard output is the host's; in a workbench standard error would fall into its screen. */
static bool is_host_stream(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, "tamis.stdout");
    lua_getfield(L, LUA_REGISTRYINDEX, "tamis.stderr");
    bool host =
        lua_rawequal(L, index, -2) || (lua_rawequal(L, index, -1) && script_of(L)->host.show);
    lua_pop(L, 2);
    return host;
}

/* file:write(...); upvalue 1 is the method it replaces. */
static int stream_write(lua_State *L)
{
    if (is_host_stream(L, 1)) {
        write_arguments(L, 2);
        lua_settop(L, 1);
        return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* io.write(...): the current output's write; upvalue 1 is io.output. */
static int io_write(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 0, 1);
    lua_getfield(L, -1, "write");
    lua_insert(L, 1);
    lua_insert(L, 2);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* os.exit(code): ends this script, not the program that runs it. */
static int os_exit_script(lua_State *L)
{
    script *self = script_of(L);
    lua_Integer code = 0;
    if (lua_isboolean(L, 1))
        code = lua_toboolean(L, 1) ? 0 : 1;
    else
        code = luaL_optinteger(L, 1, 0);
    if (code < 0 || code > INT_MAX)
        code = 1;
    self->exiting = true;
    self->exit_code = (int)code;
    script_check(L);
    return 0;
}

/* The message handler of xpcall; upvalue 1 is the script's. An interrupt raised by the hook would
 * run it with hooks off, where nothing could stop it. */
static int guarded_handler(lua_State *L)
{
    if (script_must_stop(script_of(L)))
        return 1;
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

/* Stack: function, handler, true, results; or an error's value on top. */
static int end_xpcall(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - 2;
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

static int base_xpcall(lua_State *L)
{
    int arguments = lua_gettop(L) - 2;
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, guarded_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    return end_xpcall(L, lua_pcallk(L, arguments, LUA_MULTRET, 2, 0, end_xpcall), 0);
}

static int no_hooks(lua_State *L)
{
    return luaL_error(L, "debug.sethook is not available: the hook serves to interrupt scripts");
}

static void warn(void *payload, const char *message, int more)
{
    script *self = payload;
    script_print(self, message, strlen(message));
    if (!more)
        script_print(self, "\n", 1);
}

static void replace(lua_State *L, const char *table, const char *name, lua_CFunction function)
{
    lua_getglobal(L, table);
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static void open_streams(lua_State *L)
{
    lua_getglobal(L, "io");
    lua_getfield(L, -1, "stdout");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.stdout");
    lua_getfield(L, -1, "stderr");
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.stderr");
    lua_getfield(L, -1, "output");
    lua_pushcclosure(L, io_write, 1);
    lua_setfield(L, -2, "write");
    luaL_getmetatable(L, LUA_FILEHANDLE);
    lua_getfield(L, -1, "__index");
    lua_getfield(L, -1, "write");
    lua_pushcclosure(L, stream_write, 1);
    lua_setfield(L, -2, "write");
    lua_pop(L, 3);
    /* The workbench's own keyboard is no file to read from. */
    if (script_of(L)->host.show &&
        luaL_dostring(L, "io.input('/dev/null') io.stdin = io.input()") != LUA_OK)
        lua_error(L);
}

/* Remembers the name of the function on top for help, and pops it. */
static void remember_function(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "tamis.functions");
    lua_insert(L, -2);
    lua_pushstring(L, name);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

void script_api_open(lua_State *L)
{
    const script_function *function;
    const tm_method *method;
    lua_newtable(L);
    lua_newtable(L);
    for (size_t i = 0; (function = script_function_at(i)); i++) {
        bool ui = strncmp(function->name, "ui.", 3) == 0;
        lua_pushcfunction(L, function->call);
        lua_pushvalue(L, -1);
        remember_function(L, function->name);
        lua_setfield(L, ui ? -2 : -3, function->name + (ui ? 3 : 0));
    }
    lua_setfield(L, -2, "ui");
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        lua_pushlightuserdata(L, (void *)method);
        lua_pushcclosure(L, script_tm_method, 1);
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
    lua_pushcfunction(L, script_help);
    lua_setglobal(L, "help");
    lua_pushcfunction(L, base_print);
    lua_setglobal(L, "print");
    lua_pushcfunction(L, base_xpcall);
    lua_setglobal(L, "xpcall");
    lua_newtable(L);
    lua_setglobal(L, "arg");
    lua_pushliteral(L, "interrupted"); /* kept, so that raising it takes no memory */
    lua_setfield(L, LUA_REGISTRYINDEX, "tamis.interrupted");
    replace(L, "os", "exit", os_exit_script);
    replace(L, "debug", "sethook", no_hooks);
    open_streams(L);
    lua_setwarnf(L, warn, script_of(L));
}
