/* Objects described by tables. */
#ifndef SCRIPT_COMMON_CLASS_H
#define SCRIPT_COMMON_CLASS_H

#include "script/common/state.h"

typedef struct script_member {
    const char *name;
    const char *args;   /* "(test, metric)" for a method; NULL for a field */
    const char *help;   /* one line */
    const char *type;   /* id of the class of its value, or NULL */
    lua_CFunction call; /* a method; or pushes the field of the object at index 1 */
} script_member;

/* What a method or a function may be given by name in braces. */
typedef struct script_keys {
    const char *name;                              /* of the method or function */
    const char *title;                             /* "split's", for help */
    const tm_param_info *(*params)(size_t *count); /* or NULL */
    const char *const *extras;                     /* further keys, ended by NULL; or NULL */
    const char *note;                              /* further lines of help, or NULL */
} script_keys;

/* What a background object has to tell: see callbacks.h. */
typedef struct script_news {
    bool open;  /* it was not closed */
    bool fresh; /* something happened since the last question */
    bool ended;
} script_news;

typedef struct script_class {
    const char *id;               /* "run": also the metatable's name behind "tamis." */
    const char *title;            /* "a run", for messages */
    const char *summary;          /* one line */
    const script_member *members; /* ended by a NULL name */
    lua_CFunction tostring;
    /* An object begins with a pointer to what it holds; this gives that back. */
    void (*release)(lua_State *L, void *held);
    lua_CFunction gc;     /* for objects that begin otherwise, in place of release */
    lua_CFunction length; /* or NULL */
    lua_CFunction item;   /* reads an integer key, or NULL */
    bool numbers;         /* its items are numbers: it may be given for a list of them */
    script_news (*news)(lua_State *L, int index); /* of the object there, or NULL */
    const script_keys *keys; /* of its methods, ended by a NULL name; or NULL */
} script_class;

const script_member *script_member_find(const script_class *class, const char *name);
/* Makes the class's metatable. */
void script_class_open(lua_State *L, const script_class *class);
/* A new zeroed object of that many bytes, pushed. */
void *script_object_new(lua_State *L, const script_class *class, size_t size);
/* The object at `index`, or an error that says what was expected. */
void *script_object(lua_State *L, int index, const script_class *class, const char *who);
void *script_object_test(lua_State *L, int index, const script_class *class);
/* The class of the object at `index`, or NULL. */
const script_class *script_class_of(lua_State *L, int index);
/* "a number", "a data set", ...: the value at `index` for messages. */
const char *script_what_is(lua_State *L, int index);

#endif
