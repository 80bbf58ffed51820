/* Which process a record belongs to, so that others can tell whether it still lives. */
#ifndef RUN_STORE_OWNER_H
#define RUN_STORE_OWNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct owner {
    char host[65];
    char boot[37]; /* of the kernel's start, "" when unknown */
    int64_t pid;
    int64_t started; /* clock ticks from boot to the process's start, 0 when unknown */
} owner;

/* The calling process. */
owner owner_self(void);
/* Whether that process still runs. Of another host nothing can be known: it counts as alive. A
 * number that was given to a later process does not count. */
bool owner_alive(const owner *who);

#endif
