/* The sweeps that can be looked at: those that the script runs or has run, and those of the store.
 */
#ifndef TUI_VIEWS_SWEEPS_LIST_H
#define TUI_VIEWS_SWEEPS_LIST_H

#include "script/script.h"
#include "tamis/store.h"
#include "tamis/sweep.h"

typedef struct sweep_entry {
    int64_t id;             /* in the store; 0: it is in none */
    const void *handle;     /* of a running sweep, never looked into; NULL: it has been freed */
    char *name;             /* its own */
    char status[16];        /* "running", "done", ... */
    bool running;           /* in this program or in another one */
    tm_sweep_progress last; /* of this program's, the newest */
    tm_sweep_table *table;  /* its own; NULL: not read yet */
    size_t taken;           /* cells that were done when the table was taken */
    double read_at;         /* clock of the last look at the store */
} sweep_entry;

typedef struct sweep_list {
    tm_store *store;  /* borrowed, or NULL */
    sweep_entry **at; /* the store's, then this program's, oldest first; each stays where it is */
    size_t count, capacity;
    bool lost;   /* memory ran out: the list is shorter */
    bool listed; /* the store was asked */
} sweep_list;

void sweep_list_free(sweep_list *list);
/* Takes in what the script's sweeps have found. With `stored` the sweeps of the store are listed,
 * once. True when something has changed. */
bool sweep_list_update(sweep_list *list, script *from, bool stored, tm_error *err);
/* Reads the table of a sweep of the store, and again from time to time while another process works
 * on it. True when there is a new one. */
bool sweep_list_read(sweep_list *list, sweep_entry *entry, tm_error *err);
/* Pauses a sweep of this program, or lets it go on; false: it is not this program's. */
bool sweep_list_pause(script *from, const sweep_entry *entry);

#endif
