#include "run/sweep/extend.h"

#include "base/memory.h"
#include "run/plan/changes.h"
#include "run/store/reuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Another sweep, and the number of cells reused from it. */
typedef struct source {
    int64_t id;
    size_t cells;
} source;

typedef struct sources {
    source *all;
    size_t count, cells;
} sources;

static tm_status add(sources *from, int64_t id, size_t cells, tm_error *err)
{
    size_t i = from->count;
    from->cells += cells;
    while (i > 0 && from->all[i - 1].id != id)
        i--;
    if (i > 0) {
        from->all[i - 1].cells += cells;
        return TM_OK;
    }
    source *moved = realloc(from->all, (from->count + 1) * sizeof *moved);
    if (!moved)
        return tm_fail_memory(err, "a sweep");
    from->all = moved;
    from->all[from->count++] = (source){id, cells};
    return TM_OK;
}

/* Whether the task belongs to this process and has not been started anywhere. */
static bool is_fresh(const tm_sweep *s, size_t task)
{
    const tm_sweep_cell *first = tm_sweep_table_cell(s->table, sweep_chain_of(s, task)->configs[0],
                                                     task / s->plan.chain_count);
    return s->tasks.states[task] == SWEEP_TASK_OPEN && first->status == TM_CELL_OPEN;
}

static tm_status find_sources(tm_sweep *s, sources *from, tm_error *err)
{
    tm_status status = TM_OK;
    for (size_t t = 0; status == TM_OK && t < s->tasks.count; t++) {
        size_t cells;
        int64_t id;
        if (!is_fresh(s, t))
            continue;
        status = store_reuse_count(s->record.store, &(store_task){s->record.id, t, &s->plan},
                                   &cells, &id, err);
        if (status == TM_OK && cells > 0)
            status = add(from, id, cells, err);
    }
    return status;
}

/* ---- what is said of it -------------------------------------------------------------------- */

typedef struct teller {
    tm_sweep *sweep;
    size_t cells; /* number of cells found */
} teller;

static tm_status tell(const tm_stored_sweep *before, void *payload, tm_error *err)
{
    const teller *q = payload;
    tm_sweep *s = q->sweep;
    char *changes = sweep_changes(before->description, s->plan.description);
    size_t rest = s->cells.count - s->cells.done - q->cells;
    const char *what = changes && *changes ? changes : "nothing else differs";
    int used =
        q->cells > 0
            ? asprintf(&s->record.extends,
                       "extends sweep s%lld: %zu of %zu runs are there, %zu to do (%s)",
                       (long long)before->id, q->cells + s->cells.done, s->cells.count, rest, what)
            : asprintf(&s->record.extends, "shares no run with sweep s%lld of the same name (%s)",
                       (long long)before->id, what);
    free(changes);
    if (used >= 0)
        return TM_OK;
    s->record.extends = NULL;
    return tm_fail_memory(err, "a sweep");
}

/* Chooses the sweep from which most cells are reused; if there is none, the last one of the same
 * name, provided this sweep was named and has no results yet. */
static tm_status choose(tm_sweep *s, const sources *from, int64_t *id, tm_error *err)
{
    size_t most = 0;
    *id = 0;
    for (size_t i = 0; i < from->count; i++)
        if (from->all[i].cells > most) {
            most = from->all[i].cells;
            *id = from->all[i].id;
        }
    if (*id > 0 || s->cells.done > 0 || strcmp(s->table->name, "sweep") == 0)
        return TM_OK;
    return store_sweep_named(s->record.store, s->table->name, s->record.id, id, err);
}

/* Notes that sweeps with functions of the caller reuse nothing, as the functions are known only by
 * their keys. */
static tm_status tell_functions(tm_sweep *s, tm_error *err)
{
    int64_t id = 0;
    tm_status status = TM_OK;
    if (s->cells.done == 0)
        status = store_sweep_named(s->record.store, s->table->name, s->record.id, &id, err);
    if (status != TM_OK || id == 0)
        return status;
    if (asprintf(&s->record.extends,
                 "takes no run from sweep s%lld of the same name: it has functions of its own",
                 (long long)id) >= 0)
        return TM_OK;
    s->record.extends = NULL;
    return tm_fail_memory(err, "a sweep");
}

tm_status sweep_extend(tm_sweep *s, tm_error *err)
{
    sources from = {0};
    int64_t id = 0;
    bool others = false;
    tm_status status = TM_OK;
    if (s->plan.hooks && strcmp(s->table->name, "sweep") != 0)
        status = tell_functions(s, err);
    if (s->plan.contents.points)
        status = store_sweep_others(s->record.store, s->record.id, &others, err);
    if (status == TM_OK && others)
        status = find_sources(s, &from, err);
    if (status == TM_OK && others)
        status = choose(s, &from, &id, err);
    s->record.reuses = from.cells > 0;
    if (status == TM_OK && id > 0)
        status = tm_store_each_sweep(s->record.store, id, tell, &(teller){s, from.cells}, err);
    free(from.all);
    return status;
}
