/* Typed parameters described by a table.
 *
 * Methods, data generators and readers each describe their parameters once, in a table of
 * tm_param_info. Validation, defaults, command-line options, Lua arguments, completion, forms and
 * reference pages are all derived from the table; parameters are listed nowhere else. */
#ifndef TAMIS_PARAMS_H
#define TAMIS_PARAMS_H

#include "tamis/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum tm_param_type {
    TM_PARAM_REAL,   /* one double */
    TM_PARAM_INT,    /* one integer, held as a long */
    TM_PARAM_BOOL,   /* true or false */
    TM_PARAM_CHOICE, /* one of a fixed list of words */
    TM_PARAM_TEXT,   /* any text */
    TM_PARAM_REALS,  /* one or more doubles: "0.5" or "0.5,0.1" */
    TM_PARAM_VECTOR, /* a double for each item (feature or row), see tm_vector */
} tm_param_type;

/* One number for every item, a number for each in order, or numbers for some items by name. */
typedef struct tm_vector {
    size_t count; /* number of values; 0: unset. A single value without a name applies to every
                   * item */
    double *values;
    char **names; /* `count` names of items, where others keep the parameter's default; NULL: in
                   * order */
} tm_vector;

enum {
    TM_PARAM_MIN_OPEN = 1, /* the value must be above min, not equal to it */
    TM_PARAM_LOG = 2,      /* steps on a logarithmic scale in forms */
    TM_PARAM_EXPERT = 4,   /* forms show it after the others */
    TM_PARAM_PATH = 8,     /* REALS: a list of values makes up a path, with a point for each
                            * value */
    TM_PARAM_GROUPS =
        16,              /* a TEXT for tm_groups_parse; scripts may give a table of lists instead */
    TM_PARAM_ZERO = 32,  /* lambda: 0 is allowed too, the problem without a penalty */
    TM_PARAM_WHOLE = 64, /* REALS: only integers */
    TM_PARAM_GRAPH = 128, /* a TEXT for tm_graph_parse; scripts may give a table of edges instead */
    TM_PARAM_DOWN = 256,  /* a path proceeds from its greatest value down, not up */
    TM_PARAM_WARM = 512,  /* REAL: one value of a path's parameter; with several values each can be
                           * solved from the previous answer */
};

typedef struct tm_choice {
    const char *name;
    const char *help; /* one line */
} tm_choice;

typedef struct tm_param_info {
    const char *name;
    tm_param_type type;
    const char *fallback;     /* the default as text; NULL: unset unless given */
    double min, max;          /* REAL, INT and each value of REALS and VECTOR, where an infinite
                               * limit permits that infinity; ignored for other types */
    const char *unit;         /* "s", "lambda_max", ... or NULL */
    const char *help;         /* one line */
    const tm_choice *choices; /* CHOICE: terminated by {NULL, NULL}; TEXT: words that it can be, or
                               * begin with up to a colon, or NULL */
    unsigned flags;
} tm_param_info;

typedef struct tm_params tm_params;

/* A set of parameters at their defaults. `table` must outlive it. `owner` names the owner of the
 * parameters in messages ("lasso"). The caller frees it with tm_params_free. */
tm_status tm_params_new(tm_params **out, const char *owner, const tm_param_info *table,
                        size_t count, tm_error *err);
tm_status tm_params_copy(tm_params **out, const tm_params *from, tm_error *err);
void tm_params_free(tm_params *params);

size_t tm_params_count(const tm_params *params);
const tm_param_info *tm_params_info(const tm_params *params, size_t i);
/* The table row of `name`, or NULL and an error that names the closest known parameter. */
const tm_param_info *tm_params_find(const tm_params *params, const char *name, tm_error *err);

/* Setters validate name, type and range: TM_EUSAGE tells what is allowed. */
tm_status tm_params_set_text(tm_params *params, const char *name, const char *text, tm_error *err);
tm_status tm_params_set_real(tm_params *params, const char *name, double value, tm_error *err);
tm_status tm_params_set_int(tm_params *params, const char *name, long value, tm_error *err);
tm_status tm_params_set_bool(tm_params *params, const char *name, bool value, tm_error *err);
tm_status tm_params_set_reals(tm_params *params, const char *name, const double *values,
                              size_t count, tm_error *err);
/* The vector is copied. */
tm_status tm_params_set_vector(tm_params *params, const char *name, const tm_vector *vector,
                               tm_error *err);
/* Restores the default. */
tm_status tm_params_unset(tm_params *params, const char *name, tm_error *err);

/* Getters: `name` must be in the table and of that type (asserted). An unset REAL or INT reads as
 * NaN or 0; check tm_params_has first. */
bool tm_params_has(const tm_params *params, const char *name);   /* set, or has a default */
bool tm_params_given(const tm_params *params, const char *name); /* set by the caller */
double tm_params_real(const tm_params *params, const char *name);
long tm_params_int(const tm_params *params, const char *name);
bool tm_params_bool(const tm_params *params, const char *name);
const char *tm_params_text(const tm_params *params, const char *name); /* CHOICE or TEXT */
const double *tm_params_reals(const tm_params *params, const char *name, size_t *count);
/* The index of a CHOICE's value among its choices. */
int tm_params_choice(const tm_params *params, const char *name);
/* Valid until the parameter changes. */
tm_vector tm_params_vector(const tm_params *params, const char *name);
/* The value as text that tm_params_set_text reads back, written to `buffer`; returns its length
 * like snprintf. An unset parameter gives the empty text. */
size_t tm_params_format(const tm_params *params, const char *name, char *buffer, size_t size);
/* The same for display: a vector or list of more than a few numbers is replaced by their number. */
size_t tm_params_summary(const tm_params *params, const char *name, char *buffer, size_t size);

#endif
