/* Objects described by tables. */
#ifndef SCRIPT_COMMON_CLASS_H
#define SCRIPT_COMMON_CLASS_H

#include "script/common/state.h"

typedef struct script_member {
    const char *name;
    const char *args;   /* "(test, metric)" for a method; NULL for a field */
    const char *help;   /* one line */
    const char *type;   /* id of the class of its value, or NULL */
    lua_CFunction call; /* the method; or a function that pushes the field of the object at index
                         * 1 */
} script_member;

/* The named arguments of a method or function, given in braces. */
typedef struct script_keys {
    const char *name;                              /* name of the method or function */
    const char *title;                             /* "split's", for help */
    const tm_param_info *(*params)(size_t *count); /* or NULL */
    const char *const *extras;                     /* further keys, ended by NULL; or NULL */
    const char *note;                              /* further lines of help, or NULL */
} script_keys;

/* The state of a background object for notification: see callbacks.h. */
typedef struct script_news {
    bool open;  /* it has not been closed */
    bool fresh; /* something has happened since the last query */
    bool ended;
} script_news;

typedef struct script_class {
    const char *id;               /* "run": also the metatable's name after "tamis." */
    const char *title;            /* "a run", for messages */
    const char *summary;          /* one line */
    const script_member *members; /* ended by a NULL name */
    lua_CFunction tostring;
    /* An object begins with a pointer to what it holds; this releases it. */
    void (*release)(lua_State *L, void *held);
    lua_CFunction gc;     /* used instead of release for objects with another layout */
    lua_CFunction length; /* or NULL */
    lua_CFunction item;   /* reads an integer key, or NULL */
    bool numbers;         /* its items are numbers: it may be used as a list of numbers */
    script_news (*news)(lua_State *L, int index); /* notification state of the object at index, or
                                                   * NULL */
    const script_keys *keys; /* named arguments of its methods, ended by a NULL name; or NULL */
} script_class;

const script_member *script_member_find(const script_class *class, const char *name);
/* Makes the class's metatable. */
void script_class_open(lua_State *L, const script_class *class);
/* Pushes a new zeroed object of `size` bytes. */
void *script_object_new(lua_State *L, const script_class *class, size_t size);
/* The object at `index`; raises an error that says what was expected if it is something else. */
void *script_object(lua_State *L, int index, const script_class *class, const char *who);
void *script_object_test(lua_State *L, int index, const script_class *class);
/* The class of the object at `index`, or NULL. */
const script_class *script_class_of(lua_State *L, int index);
/* Describes the value at `index` for messages: "a number", "a data set", ... */
const char *script_what_is(lua_State *L, int index);

#endif
