/* The inside of the script module: the script's state, and what its files offer one another. */
#ifndef SCRIPT_COMMON_STATE_H
#define SCRIPT_COMMON_STATE_H

#include "script/script.h"
#include "tamis/dataset.h"
#include "tamis/sweep.h"

#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdatomic.h>

/* A job that the script started and that has news to tell. */
typedef struct script_watched {
    tm_job *job;
    uint64_t seen; /* tm_trace_total when the callbacks were last called */
} script_watched;

struct script {
    script_host host;

    /* The script thread's own. */
    lua_State *L;
    size_t heap, heap_max; /* bytes Lua holds and may hold */
    script_watched *watched;
    size_t watched_count, watched_room;
    size_t sweeps;    /* that were started and have not been seen to end */
    size_t callbacks; /* functions given to tm.on */
    bool dispatching; /* inside a callback */
    double next_poll; /* clock_now when an idle script looks for news of its jobs */
    bool exiting;     /* os.exit was called: the chunk unwinds */
    int exit_code;

    /* Written by any thread: running code must unwind; the host must be left alone. */
    atomic_bool interrupted;
    atomic_bool abandoned;
    atomic_size_t columns; /* width of printed plots and pages; 0: not known */

    pthread_mutex_t live_lock; /* guards the sweeps that have not been freed */
    tm_sweep **live;
    size_t live_count, live_room;

    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t changed;
    struct script_chunk *first, *last;
    uint8_t *ends; /* tm_status of ticket t at ends[t - 1] */
    size_t ends_room;
    uint64_t submitted, ended; /* last ticket given out, last ticket that ended */
    bool busy;                 /* Lua code is running */
    bool lent;                 /* another thread reads the idle state */
    bool closing;
    bool finished;     /* the thread is about to return */
    tm_cancel *cancel; /* of the library call the script thread is in, or NULL */
    pthread_t thread;
};

/* ---- script.c ------------------------------------------------------------------------------ */

script *script_of(lua_State *L);
/* Raises an error when the running code must unwind. */
void script_check(lua_State *L);
bool script_must_stop(const script *self);
size_t script_columns(const script *self);
void script_print(script *self, const char *text, size_t length);
/* A token that script_interrupt sets while a library call runs; NULL when memory ran out. Nothing
 * between the two calls may raise an error. */
tm_cancel *script_cancel_begin(script *self);
void script_cancel_end(script *self, tm_cancel *token);
/* The idle state for another thread, or NULL when it is still busy after `seconds`. */
lua_State *script_borrow(script *self, double seconds);
void script_give_back(script *self);

/* ---- errors.c ------------------------------------------------------------------------------- */

/* Raises the library's message, with chunk name and line in front. Does not return. */
int script_raise(lua_State *L, const tm_error *err);
/* Calls function and arguments on the stack like lua_pcall without results; a message is left on
 * failure, with a short traceback. */
int script_call(lua_State *L, int arguments, int results);

/* ---- watch.c: jobs under way, waiting, callbacks ------------------------------------------- */

/* Room for one more watched job; raises when memory ran out. */
void script_watch_reserve(lua_State *L);
void script_watch_add(script *self, tm_job *job);
/* Forgets jobs that ended and calls the callbacks of those with news. */
void script_watch_poll(lua_State *L);
/* Keeps the sweep at `index` alive, and tells of it, until it has ended. */
void script_watch_sweep(lua_State *L, int index);
/* True when an idle script must poll. */
bool script_watch_needed(const script *self);
void script_watch_free(script *self);
/* Waits for all; false when `seconds` (negative: no limit) passed first. Raises, after cancelling
 * the jobs, when the script is interrupted. */
bool script_wait_jobs(lua_State *L, tm_job *const *jobs, size_t count, double seconds);
int script_tm_wait(lua_State *L);
int script_tm_on(lua_State *L);

/* ---- live.c: sweeps, for the host ------------------------------------------------------------ */

/* Room for one more; raises when memory ran out. */
void script_live_reserve(lua_State *L);
void script_live_add(script *self, tm_sweep *sweep);
void script_live_remove(script *self, const tm_sweep *sweep);

/* ---- class.c: objects described by tables -------------------------------------------------- */

typedef struct script_member {
    const char *name;
    const char *args;   /* "(test, metric)" for a method; NULL for a field */
    const char *help;   /* one line */
    const char *type;   /* id of the class of its value, or NULL */
    lua_CFunction call; /* a method; or pushes the field of the object at index 1 */
} script_member;

typedef struct script_class {
    const char *id;               /* "run": also the metatable's name behind "tamis." */
    const char *title;            /* "a run", for messages */
    const char *summary;          /* one line */
    const script_member *members; /* ended by a NULL name */
    lua_CFunction tostring;
    lua_CFunction gc;
    lua_CFunction length; /* or NULL */
    lua_CFunction item;   /* reads an integer key, or NULL */
} script_class;

const script_class *script_class_at(size_t i); /* NULL past the end */
const script_class *script_class_find(const char *id);
const script_member *script_member_find(const script_class *class, const char *name);
/* Makes the metatables of all classes. */
void script_class_open(lua_State *L);
/* A new zeroed object of that many bytes, pushed. */
void *script_object_new(lua_State *L, const script_class *class, size_t size);
/* The object at `index`, or an error that says what was expected. */
void *script_object(lua_State *L, int index, const script_class *class, const char *who);
void *script_object_test(lua_State *L, int index, const script_class *class);
/* The class of the object at `index`, or NULL. */
const script_class *script_class_of(lua_State *L, int index);

extern const script_class script_dataset_class, script_run_class, script_trace_class,
    script_series_class, script_model_class, script_plot_class, script_sweep_class,
    script_ovr_class;

/* ---- args.c: arguments --------------------------------------------------------------------- */

/* "a number", "a data set", ...: the value at `index` for messages. */
const char *script_what_is(lua_State *L, int index);
/* Parameters read from the table at `index` (nothing or nil: the defaults), pushed as an object
 * that frees them. Keys in `extras` (ended by NULL, or NULL) are the caller's to read. */
tm_params *script_args_params(lua_State *L, int index, const char *owner,
                              const tm_param_info *table, size_t count, const char *const *extras);
/* Raises for a key of the table at `index` that is neither in `table` nor in `extras`. */
void script_args_keys(lua_State *L, int index, const char *owner, const tm_param_info *table,
                      size_t count, const char *const *extras);
/* Field `key` of the table at `index` as text, number or flag; the fallback when it is nil. Text
 * lives as long as the table holds it. */
const char *script_args_text(lua_State *L, int index, const char *owner, const char *key,
                             const char *fallback);
bool script_args_bool(lua_State *L, int index, const char *owner, const char *key, bool fallback);
/* Numbers of the array (or series) on top of the stack, which is popped: *count doubles in a
 * block that is pushed instead. `what` names it in messages ("y"). */
double *script_args_numbers(lua_State *L, const char *owner, const char *what, size_t *count);
/* The list `key` of the table at `index`, a number for each row of the data, in memory that stays
 * on the stack; NULL when there is none. */
double *script_args_rows(lua_State *L, int index, const char *owner, const char *key,
                         const tm_dataset *data);
/* lua_groups.c: the table of groups on top of the stack becomes the text of tm_groups_parse. */
void script_args_groups(lua_State *L, const char *owner);
/* Optional table of options at `index`; an error for any other type. */
bool script_args_options(lua_State *L, int index, const char *owner);
/* Sets `seed` to the host's when the table has one and the script gave none. */
void script_args_seed(lua_State *L, tm_params *params);
int script_args_error(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- the objects --------------------------------------------------------------------------- */

/* Push an object; a reference is taken. */
void script_push_dataset(lua_State *L, const tm_dataset *data);
/* A data set object that is pushed empty, to be filled by the library. */
tm_dataset **script_new_dataset(lua_State *L);
/* Tells the host of a data set that is on top of the stack, and returns 1. */
int script_announce_dataset(lua_State *L, tm_dataset *data);
void script_push_run(lua_State *L, const tm_job *job);
void script_push_model(lua_State *L, const tm_model *model);
void script_push_trace(lua_State *L, const tm_job *job);
tm_dataset *script_check_dataset(lua_State *L, int index, const char *who);
tm_job *script_test_run(lua_State *L, int index); /* NULL when it is none */
tm_job *script_check_run(lua_State *L, int index, const char *who);
tm_model *script_test_model(lua_State *L, int index);

/* A number that may be undefined: NaN is pushed as nil. */
void script_push_real(lua_State *L, double value);
/* Sets field `key` of the table on top, unless the value is NaN. */
void script_set_real(lua_State *L, const char *key, double value);
void script_set_count(lua_State *L, const char *key, uint64_t value);

/* Every metric that applies to the data, as a table that is pushed. */
void script_push_scores(lua_State *L, const tm_model *model, const tm_dataset *data);

int script_tm_load(lua_State *L);
int script_tm_synth(lua_State *L);
int script_tm_dataset(lua_State *L);
int script_tm_model(lua_State *L);
int script_tm_path(lua_State *L);
/* A method's own function: upvalue 1 is the tm_method as light userdata. */
int script_tm_method(lua_State *L);
extern const char *const script_run_extras[]; /* arguments of a run that are no parameters */
int script_tm_sweep(lua_State *L);
int script_tm_ovr(lua_State *L);
int script_data_one_vs_rest(lua_State *L);
int script_data_classes(lua_State *L);
int script_data_miles(lua_State *L);
int script_tm_compare(lua_State *L);
int script_tm_curve(lua_State *L);
extern const char *const script_curve_extras[];
/* The sweep at `index`, or an error. */
tm_sweep *script_check_sweep(lua_State *L, int index);
/* The sweep at `index`, or NULL when it is none (or was closed). */
tm_sweep *script_test_sweep(lua_State *L, int index);
/* What the callbacks last knew of it: runs that were finished. */
size_t *script_sweep_seen(lua_State *L, int index);
/* Waits until it has ended or the deadline (clock_now) has passed, and tells of trouble with the
 * store. Cancels it, and raises, when the script is interrupted. False when the deadline came
 * first. */
bool script_sweep_wait(lua_State *L, tm_sweep *sweep, double deadline);
/* A snapshot of the sweep at `index`, pushed as an object that frees it. */
const tm_sweep_table *script_sweep_snapshot(lua_State *L, int index);
int script_tm_plot(lua_State *L);
const tm_param_info *script_debias_params(size_t *count);
extern const char *const script_debias_extras[];
const tm_param_info *script_plot_params(size_t *count);
extern const char *const script_plot_extras[];
const tm_param_info *script_split_params(size_t *count);
const tm_param_info *script_folds_params(size_t *count);
extern const char *const script_split_extras[]; /* "groups" */
/* The list `groups` of the table at `index` as ids, one a row, in a block that is pushed; NULL when
 * there is none. Equal numbers or texts are one group, numbered by first appearance. */
const size_t *script_args_row_groups(lua_State *L, int index, const char *owner, size_t n);
int script_data_split(lua_State *L);
int script_data_folds(lua_State *L);
const tm_param_info *script_scale_params(size_t *count);
const tm_param_info *script_filter_params(size_t *count);
extern const char *const script_select_extras[], *const script_scale_extras[];
int script_data_select(lua_State *L);
int script_data_scale(lua_State *L);
int script_data_filter(lua_State *L);
int script_data_append(lua_State *L);
extern const char *const script_dataset_extras[];

/* ---- lua_ui.c: the workbench ---------------------------------------------------------------- */

int script_tm_screen(lua_State *L);
int script_ui_view(lua_State *L);
int script_ui_request(lua_State *L);
int script_ui_set(lua_State *L);
int script_ui_command(lua_State *L);
int script_ui_run(lua_State *L);
int script_ui_bind(lua_State *L);
int script_ui_theme(lua_State *L);

/* ---- lua_sweep_read.c: members of a sweep ---------------------------------------------------- */

int script_sweep_table(lua_State *L);
int script_sweep_cells(lua_State *L);
int script_sweep_best(lua_State *L);
int script_sweep_nested(lua_State *L);
int script_sweep_scores(lua_State *L);
int script_sweep_curve(lua_State *L);

/* ---- lua_sweep_args.c ---------------------------------------------------------------------- */

/* Starts a sweep from the table at index 1; index 3 is overwritten. */
void script_sweep_start(lua_State *L, tm_sweep **out);
/* Keys of tm.sweep's table that are no parameters of a method. */
extern const char *const script_sweep_extras[];

/* ---- table.c: tables of text --------------------------------------------------------------- */

/* Gives the table on top a metatable that prints it: as columns, or as a short list. */
void script_as_rows(lua_State *L, const char *const *columns, size_t count);
void script_as_list(lua_State *L);
int script_tm_table(lua_State *L);
/* The value at `index` as the prompt shows it, pushed as text. */
void script_push_shown(lua_State *L, int index);

/* ---- api.c: the global tables -------------------------------------------------------------- */

typedef struct script_function {
    const char *name;
    const char *args; /* "(path, {options})" */
    const char *help; /* lines */
    lua_CFunction call;
} script_function;

const script_function *script_function_at(size_t i); /* of tm; NULL past the end */
const script_function *script_function_find(const char *name);
void script_api_open(lua_State *L);

/* ---- help.c -------------------------------------------------------------------------------- */

int script_help(lua_State *L);

#endif
