/* The sweeps that can be shown: those that the script runs or has run, and those of the store. */
#ifndef TUI_VIEWS_SWEEPS_LIST_H
#define TUI_VIEWS_SWEEPS_LIST_H

#include "script/script.h"
#include "tamis/store.h"
#include "tamis/sweep.h"

typedef struct sweep_entry {
    int64_t id;             /* id in the store; 0: in no store */
    const void *handle;     /* identifies a running sweep, never dereferenced; NULL: it has been
                             * freed */
    char *name;             /* owned */
    char status[16];        /* "running", "done", ... */
    bool running;           /* it runs, in this program or in another one */
    tm_sweep_progress last; /* the newest progress of this program's sweep */
    tm_sweep_table *table;  /* owned; NULL: not read yet */
    size_t taken;           /* number of cells that were done when the table was read */
    double read_at;         /* clock of the last reading from the store */
} sweep_entry;

typedef struct sweep_list {
    tm_store *store;  /* borrowed, or NULL */
    sweep_entry **at; /* the store's, then this program's, oldest first; the address of each is
                       * stable */
    size_t count, capacity;
    bool lost;   /* memory ran out: the list is shorter */
    bool listed; /* the store has been listed */
} sweep_list;

void sweep_list_free(sweep_list *list);
/* Updates the script's sweeps. With `stored`, also lists the sweeps of the store, once. True when
 * something has changed. */
bool sweep_list_update(sweep_list *list, script *from, bool stored, tm_error *err);
/* Reads the table of a sweep of the store, and again from time to time while another process works
 * on it. True when there is a new one. */
bool sweep_list_read(sweep_list *list, sweep_entry *entry, tm_error *err);
/* Pauses or resumes a sweep of this program; false: it is not this program's. */
bool sweep_list_pause(script *from, const sweep_entry *entry);

#endif
