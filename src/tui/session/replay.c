#include "tui/session/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void replay_close(replay *r)
{
    if (r->job)
        tm_job_unref(r->job);
    free(r->places);
    free(r->rows);
    free(r->after);
    *r = (replay){0};
}

static replay_place place_after(const tm_screen_record *record, replay_place before)
{
    switch ((tm_screen_action)record->action) {
    case TM_SCREEN_STARTED:
    case TM_SCREEN_ADDED:
        return PLACE_ACTIVE;
    case TM_SCREEN_DELETED:
        return PLACE_WAITING;
    case TM_SCREEN_CERTIFIED:
        return PLACE_OUT;
    case TM_SCREEN_AT_LIMIT:
        return PLACE_LIMIT;
    default:
        return before;
    }
}

/* A certificate holds at one path point only; at each new point the state starts over. */
static bool starts_over(const replay *r, size_t step)
{
    return step == 0 || r->steps[step].point != r->steps[step - 1].point;
}

static void play_step(replay *r, size_t step)
{
    if (starts_over(r, step)) {
        memset(r->places, PLACE_WAITING, r->p);
        r->now = (replay_counts){.at[PLACE_WAITING] = r->p};
    }
    const tm_screen_record *record = r->records + r->steps[step].first;
    for (size_t i = 0; i < r->steps[step].count; i++, record++) {
        unsigned char *place = &r->places[record->feature];
        replay_place next = place_after(record, (replay_place)*place);
        r->now.at[*place]--;
        r->now.at[next]++;
        *place = (unsigned char)next;
    }
}

const char *replay_label(const replay *r, const tm_screen_record *record, char *buffer, size_t size)
{
    return tm_screen_log_label(r->log, tm_job_train(r->job), record->feature, buffer, size);
}

tm_status replay_open(replay *r, tm_job *job, tm_error *err)
{
    const tm_screen_log *log = tm_job_screen_log(job);
    replay_close(r);
    r->job = tm_job_ref(job);
    r->log = log;
    r->item = log ? tm_screen_log_item(log) : TM_ITEM_FEATURE;
    r->p = log ? tm_screen_log_items(log) : 0;
    r->count = log ? tm_screen_log_steps(log, &r->steps) : 0;
    r->records = log ? tm_screen_log_records(log) : NULL;
    r->places = calloc(r->p > 0 ? r->p : 1, 1);
    r->after = calloc(r->count > 0 ? r->count : 1, sizeof *r->after);
    r->at = SIZE_MAX;
    if (!r->places || !r->after) {
        replay_close(r);
        return tm_fail_memory(err, "the screen view");
    }
    for (size_t k = 0; k < r->count; k++) {
        play_step(r, k);
        r->after[k] = r->now;
    }
    return r->count > 0 ? replay_go(r, 0, err) : TM_OK;
}

static int compare_bounds(const void *a, const void *b)
{
    const tm_screen_record *left = a, *right = b;
    double left_bound = isnan(left->bound) ? -1 : left->bound; /* not examined: sorted last */
    double right_bound = isnan(right->bound) ? -1 : right->bound;
    if (left_bound != right_bound)
        return left_bound < right_bound ? 1 : -1;
    return (left->feature > right->feature) - (left->feature < right->feature);
}

static int compare_records(const void *a, const void *b)
{
    const tm_screen_record *left = a, *right = b;
    bool left_kept = left->action == TM_SCREEN_KEPT, right_kept = right->action == TM_SCREEN_KEPT;
    if (left_kept != right_kept)
        return left_kept ? 1 : -1;
    return compare_bounds(a, b);
}

bool replay_at_certificate(const replay *r)
{
    return r->count > 0 && strncmp(r->steps[r->at].what, "the certificate", 15) == 0;
}

static tm_status take_rows(replay *r, tm_error *err)
{
    size_t count = r->steps[r->at].count;
    tm_screen_record *rows = malloc((count > 0 ? count : 1) * sizeof *rows);
    if (!rows)
        return tm_fail_memory(err, "the screen view");
    if (count > 0) {
        memcpy(rows, r->records + r->steps[r->at].first, count * sizeof *rows);
        /* A certificate excludes nearly all features, so those that it keeps are listed first. */
        qsort(rows, count, sizeof *rows,
              replay_at_certificate(r) ? compare_bounds : compare_records);
    }
    free(r->rows);
    r->rows = rows;
    r->row_count = count;
    return TM_OK;
}

size_t replay_step_at(const replay *r, uint64_t columns, uint64_t active)
{
    const tm_screen_log *log = tm_job_screen_log(r->job);
    size_t at = r->count - 1;
    while (at > 0 && tm_screen_log_columns(log, at) > columns)
        at--;
    for (size_t k = at + 1; k-- > 0;) {
        if (r->steps[k].active == active)
            return k;
        if (tm_screen_log_columns(log, k) < columns)
            break;
    }
    return at;
}

tm_status replay_go(replay *r, size_t step, tm_error *err)
{
    if (r->count == 0)
        return TM_OK;
    step = step < r->count ? step : r->count - 1;
    if (step == r->at)
        return TM_OK;
    /* Going forward continues from the present step, going back starts from the beginning:
     * replaying a log is cheap compared with a solve. */
    size_t from = r->at != SIZE_MAX && step > r->at ? r->at + 1 : 0;
    for (size_t k = from; k <= step; k++)
        play_step(r, k);
    r->at = step;
    return take_rows(r, err);
}
