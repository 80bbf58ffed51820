#include "solve/common/screen_log.h"
#include "solve/common/tuning.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tm_screen_log {
    size_t most, most_steps;
    tm_screen_step *steps;
    uint64_t *columns; /* column products at the start of each step */
    size_t step_count, step_room, column_room;
    tm_screen_record *records;
    size_t record_count, record_room;
    bool open; /* the last step begun was kept and accepts records */
    uint64_t missed;
    double **vectors; /* vectors of dual points; their entries together are at most twice `most` */
    size_t vector_count, vector_room, entries;
    double *factors;    /* term_count, or NULL: 1 */
    signed char *signs; /* term_count, or NULL: 0 */
    size_t term_count;
    struct {
        tm_item kind;
        size_t count;
        tm_screen_item *list; /* count, or NULL: all of this kind */
    } items;
};

const char *tm_screen_action_name(tm_screen_action action)
{
    static const char *const names[TM_SCREEN_ACTIONS] = {"kept",    "started",   "added",
                                                         "deleted", "certified", "at_limit"};
    return names[action];
}

tm_screen_log *tm_screen_log_new(size_t room)
{
    tm_screen_log *log = calloc(1, sizeof *log);
    if (log) {
        log->most = room;
        log->most_steps = room / STEPS_SHARE > STEPS_LEAST ? room / STEPS_SHARE : STEPS_LEAST;
    }
    return log;
}

void tm_screen_log_free(tm_screen_log *log)
{
    if (!log)
        return;
    for (size_t k = 0; k < log->vector_count; k++)
        free(log->vectors[k]);
    free(log->vectors);
    free(log->factors);
    free(log->signs);
    free(log->items.list);
    free(log->steps);
    free(log->columns);
    free(log->records);
    free(log);
}

size_t tm_screen_log_steps(const tm_screen_log *log, const tm_screen_step **steps)
{
    *steps = log->steps;
    return log->step_count;
}

const tm_screen_record *tm_screen_log_records(const tm_screen_log *log)
{
    return log->records;
}

uint64_t tm_screen_log_columns(const tm_screen_log *log, size_t step)
{
    return log->columns[step];
}

uint64_t tm_screen_log_missed(const tm_screen_log *log)
{
    return log->missed;
}

tm_item tm_screen_log_item(const tm_screen_log *log)
{
    return log->items.kind;
}

size_t tm_screen_log_items(const tm_screen_log *log)
{
    return log->items.count;
}

tm_screen_item tm_screen_log_at(const tm_screen_log *log, size_t i)
{
    if (log->items.list && i < log->items.count)
        return log->items.list[i];
    return (tm_screen_item){log->items.kind, (uint32_t)i, (uint32_t)i};
}

const char *tm_screen_log_label(const tm_screen_log *log, const tm_dataset *data, size_t i,
                                char *buffer, size_t size)
{
    char labels[2][64];
    tm_screen_item item = tm_screen_log_at(log, i);
    if (item.kind == TM_ITEM_FEATURE)
        return tm_dataset_feature_label(data, item.first, buffer, size);
    if (item.kind == TM_ITEM_SAMPLE || item.kind == TM_ITEM_GROUP) {
        snprintf(buffer, size, "%s %zu",
                 item.kind == TM_ITEM_SAMPLE ? "row" : tm_item_name(item.kind), i + 1);
        return buffer;
    }
    const char *first = tm_dataset_feature_label(data, item.first, labels[0], sizeof labels[0]);
    const char *last = tm_dataset_feature_label(data, item.last, labels[1], sizeof labels[1]);
    if (item.kind == TM_ITEM_TREE)
        snprintf(buffer, size, "tree of %s", first);
    else
        snprintf(buffer, size, item.kind == TM_ITEM_EDGE ? "%s - %s" : "%s to %s", first, last);
    return buffer;
}

double tm_screen_log_factor(const tm_screen_log *log, size_t j)
{
    return log->factors && j < log->term_count ? log->factors[j] : 1;
}

int tm_screen_log_sign(const tm_screen_log *log, size_t j)
{
    return log->signs && j < log->term_count ? log->signs[j] : 0;
}

/* Grows the array for one more element; false when its limit is reached or memory ran out. */
static bool reserve(void **array, size_t *room, size_t count, size_t most, size_t size)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : FIRST_ROOM;
    wanted = wanted < most ? wanted : most;
    void *larger = wanted > count ? realloc(*array, wanted * size) : NULL;
    if (!larger)
        return false;
    *array = larger;
    *room = wanted;
    return true;
}

void screen_log_items(solve_progress *p, tm_item item, size_t count, const tm_screen_item *list)
{
    tm_screen_log *log = p->monitor.log;
    if (!log || log->step_count > 0)
        return;
    free(log->items.list);
    log->items.kind = item;
    log->items.count = count;
    log->items.list = list && count > 0 ? mem_array(count, sizeof *list) : NULL;
    if (log->items.list)
        memcpy(log->items.list, list, count * sizeof *list);
    else if (list && count > 0) /* without names there are no records */
        log->most = log->most_steps = 0;
}

tm_screen_step screen_log_step(const char *what, size_t active)
{
    return (tm_screen_step){.what = what,
                            .primal = NAN,
                            .dual = NAN,
                            .gap = NAN,
                            .radius = NAN,
                            .delta = 1,
                            .active = active};
}

void screen_log_begin(solve_progress *p, const tm_screen_step *step)
{
    tm_screen_log *log = p->monitor.log;
    if (!log)
        return;
    void *steps = log->steps, *columns = log->columns;
    log->open =
        reserve(&steps, &log->step_room, log->step_count, log->most_steps, sizeof *log->steps) &&
        reserve(&columns, &log->column_room, log->step_count, log->most_steps,
                sizeof *log->columns);
    log->steps = steps;
    log->columns = columns;
    log->missed += !log->open;
    if (!log->open)
        return;
    log->columns[log->step_count] = p->columns;
    tm_screen_step *begun = &log->steps[log->step_count++];
    *begun = *step;
    begun->lambda = p->lambda;
    begun->C = p->C;
    begun->point = p->point;
    begun->count = 0;
    begun->first = log->record_count;
}

double *screen_log_vector(solve_progress *p, size_t n)
{
    tm_screen_log *log = p->monitor.log;
    size_t most = log ? 2 * log->most : 0;
    if (!log || n > most - log->entries)
        return NULL;
    void *vectors = log->vectors;
    bool room =
        reserve(&vectors, &log->vector_room, log->vector_count, SIZE_MAX, sizeof *log->vectors);
    log->vectors = vectors;
    double *vector = room ? mem_array(n, sizeof *vector) : NULL;
    if (!vector)
        return NULL;
    log->vectors[log->vector_count++] = vector;
    log->entries += n;
    return vector;
}

void screen_log_terms(solve_progress *p, const double *factors, const double *lower,
                      const double *upper, size_t count)
{
    tm_screen_log *log = p->monitor.log;
    if (!log || log->term_count > 0)
        return;
    log->factors = factors ? mem_array(count, sizeof *factors) : NULL;
    log->signs = lower && upper ? mem_array(count, sizeof *log->signs) : NULL;
    if (log->factors)
        memcpy(log->factors, factors, count * sizeof *factors);
    for (size_t j = 0; log->signs && j < count; j++)
        log->signs[j] = (signed char)((lower[j] == 0) - (upper[j] == 0));
    log->term_count = count;
}

void screen_log_feature(solve_progress *p, size_t feature, double bound, tm_screen_action action)
{
    tm_screen_log *log = p->monitor.log;
    if (!log)
        return;
    size_t most = action == TM_SCREEN_KEPT ? log->most / 2 : log->most;
    tm_screen_step *step = log->open ? &log->steps[log->step_count - 1] : NULL;
    if (step) {
        step->added += action == TM_SCREEN_STARTED || action == TM_SCREEN_ADDED;
        step->removed += action == TM_SCREEN_DELETED || action == TM_SCREEN_CERTIFIED ||
                         action == TM_SCREEN_AT_LIMIT;
    }
    void *records = log->records;
    bool kept =
        step && reserve(&records, &log->record_room, log->record_count, most, sizeof *log->records);
    log->records = records;
    log->missed += !kept;
    if (!kept)
        return;
    log->records[log->record_count++] =
        (tm_screen_record){.bound = bound, .feature = (uint32_t)feature, .action = action};
    step->count++;
}

void screen_log_active(solve_progress *p, size_t active)
{
    tm_screen_log *log = p->monitor.log;
    if (log && log->open)
        log->steps[log->step_count - 1].active = active;
}
