/* What the records of a job's screen log are about. */
#include "run/job.h"

#include <stdio.h>

size_t tm_job_screen_items(const tm_job *job)
{
    const tm_screen_item *items;
    size_t count = job->log ? tm_screen_log_items(job->log, &items) : 0;
    if (count > 0)
        return count;
    return tm_method_item(tm_job_method(job)) == TM_ITEM_SAMPLE
               ? tm_dataset_rows(tm_job_train(job))
               : tm_dataset_cols(tm_job_train(job));
}

tm_screen_item tm_job_screen_item(const tm_job *job, size_t i)
{
    const tm_screen_item *items;
    size_t count = job->log ? tm_screen_log_items(job->log, &items) : 0;
    if (i < count)
        return items[i];
    return (tm_screen_item){tm_method_item(tm_job_method(job)), (uint32_t)i, (uint32_t)i};
}

tm_item tm_job_screen_kind(const tm_job *job)
{
    tm_item first = tm_job_screen_item(job, 0).kind;
    tm_item last = tm_job_screen_item(job, tm_job_screen_items(job) - 1).kind;
    return first == last || last == TM_ITEM_TREE ? first : TM_ITEM_TERM;
}

const char *tm_job_screen_label(const tm_job *job, size_t i, char *buffer, size_t size)
{
    char from[128], to[128];
    tm_screen_item item = tm_job_screen_item(job, i);
    if (item.kind == TM_ITEM_SAMPLE) {
        snprintf(buffer, size, "row %lu", (unsigned long)item.first + 1);
        return buffer;
    }
    if (item.kind == TM_ITEM_FEATURE)
        return tm_dataset_feature_label(tm_job_train(job), item.first, buffer, size);
    const char *first = tm_dataset_feature_label(tm_job_train(job), item.first, from, sizeof from);
    const char *last = tm_dataset_feature_label(tm_job_train(job), item.last, to, sizeof to);
    if (item.kind == TM_ITEM_TREE)
        snprintf(buffer, size, "tree of %s", first);
    else
        snprintf(buffer, size, item.kind == TM_ITEM_EDGE ? "%s - %s" : "%s to %s", first, last);
    return buffer;
}
