#include "tui/pins/pins.h"

#include <stdio.h>
#include <string.h>

static void drop(tm_job **job)
{
    if (*job)
        tm_job_unref(*job);
    *job = NULL;
}

static void drop_ghost(pins *p, size_t i)
{
    drop(&p->ghosts[i]);
    p->ghost_count--;
    memmove(&p->ghosts[i], &p->ghosts[i + 1], (p->ghost_count - i) * sizeof p->ghosts[0]);
}

void pins_remove(pins *p, size_t i)
{
    drop(&p->at[i].solve);
    drop(&p->at[i].path);
    p->count--;
    memmove(&p->at[i], &p->at[i + 1], (p->count - i) * sizeof p->at[0]);
}

void pins_clear(pins *p)
{
    while (p->count > 0)
        pins_remove(p, p->count - 1);
    while (p->ghost_count > 0)
        drop_ghost(p, p->ghost_count - 1);
    p->named = 0;
}

size_t pins_find(const pins *p, const tm_job *job)
{
    for (size_t i = 0; job && i < p->count; i++)
        if (p->at[i].solve == job || p->at[i].path == job)
            return i;
    return PINS_MAX;
}

tm_status pins_add(pins *p, const tm_job *solve, const tm_job *path, const char *name, pin **added,
                   tm_error *err)
{
    if (p->count == PINS_MAX)
        return tm_fail(err, TM_EUSAGE, "%d runs are pinned already; U takes the last pin off",
                       PINS_MAX);
    pin *kept = &p->at[p->count++];
    *kept = (pin){.solve = tm_job_ref(solve), .path = path ? tm_job_ref(path) : NULL};
    snprintf(kept->label, sizeof kept->label, "%c %.40s", (int)('A' + p->named % 26), name);
    p->named++;
    *added = kept;
    for (size_t i = p->ghost_count; i > 0; i--)
        if (p->ghosts[i - 1] == solve)
            drop_ghost(p, i - 1);
    return TM_OK;
}

void pins_set_path(pins *p, const tm_job *solve, const tm_job *path)
{
    size_t i = pins_find(p, solve);
    if (i < PINS_MAX && !p->at[i].path)
        p->at[i].path = tm_job_ref(path);
}

void pins_fade(pins *p, const tm_job *solve)
{
    if (pins_find(p, solve) < PINS_MAX)
        return;
    if (p->ghost_count == GHOSTS_MAX)
        drop_ghost(p, GHOSTS_MAX - 1);
    memmove(&p->ghosts[1], &p->ghosts[0], p->ghost_count * sizeof p->ghosts[0]);
    p->ghosts[0] = tm_job_ref(solve);
    p->ghost_count++;
}
