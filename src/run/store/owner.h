/* The process to which a record belongs, so that others can tell whether it is still running. */
#ifndef RUN_STORE_OWNER_H
#define RUN_STORE_OWNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct owner {
    char host[65];
    char boot[37]; /* id of the kernel's boot, "" when unknown */
    int64_t pid;
    int64_t started; /* clock ticks from boot to the process's start, 0 when unknown */
} owner;

/* Describes the calling process. */
owner owner_self(void);
/* Whether the process is still running. A process of another host cannot be checked and counts as
 * alive. A later process with the same number does not count. */
bool owner_alive(const owner *who);

#endif
