/* What shim.c has for the calls in calls.c. */
#ifndef FAULTS_SHIM_H
#define FAULTS_SHIM_H

#include <errno.h>
#include <stdbool.h>

typedef enum { MEMORY, READ, WRITE, MAP, THREAD, STORE, KINDS } kind;

/* The shim's own calls do not count. */
extern _Thread_local bool shim_inside;
/* jansson's parser asserts that it has memory. */
extern _Thread_local bool shim_parsing;

/* Whether the call of `function`, which is the caller, is to fail. */
bool shim_fails(kind what, const char *function);
/* Adds the places of this process to the list, where one is asked for. */
void shim_list_places(void);
/* The next definition of a function. */
void *shim_next(const char *name);

/* Defines a function that fails as said, and otherwise calls the real one. */
#define WRAP(KIND, TYPE, NAME, DECLARED, PASSED, FAILURE)                                          \
    TYPE NAME DECLARED;                                                                            \
    TYPE NAME DECLARED                                                                             \
    {                                                                                              \
        static TYPE(*_Atomic real) DECLARED;                                                       \
        if (!real)                                                                                 \
            real = (TYPE(*) DECLARED)shim_next(#NAME);                                             \
        if (shim_fails(KIND, #NAME))                                                               \
            do {                                                                                   \
                FAILURE;                                                                           \
            } while (0);                                                                           \
        return real PASSED;                                                                        \
    }

#define NO(VALUE, REASON)                                                                          \
    do {                                                                                           \
        errno = REASON;                                                                            \
        return VALUE;                                                                              \
    } while (0)

#endif
