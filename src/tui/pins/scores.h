/* The metric that curves and answers are judged by, and what the runs on the screen score by it.
 *
 * A run comes with its score by the default metric. By another one its models are scored when they
 * are asked for, here, a little in every frame, and remembered. */
#ifndef TUI_PINS_SCORES_H
#define TUI_PINS_SCORES_H

#include "tamis/job.h"

enum { SCORED_RUNS = 48 }; /* more than charts draw */

/* The scores of a run's points, as far as they are known. */
typedef struct scored_run {
    tm_job *job; /* a reference */
    double *values;
    size_t count, capacity;
    unsigned long used; /* when it was last asked for */
} scored_run;

typedef struct run_scores {
    tm_scorer chosen; /* no metric: that which tells most of the data */
    tm_dataset *usual_of;
    tm_scorer usual; /* of that data set, a reference */
    scored_run runs[SCORED_RUNS];
    size_t count;
    tm_scorer by; /* what `runs` were scored by */
    unsigned long now;
    size_t work;  /* left in this frame, in numbers looked at */
    bool waiting; /* something was asked for that will be known later */
} run_scores;

void scores_clear(run_scores *s);
/* What is scored by on these data (NULL: on two classes). */
tm_scorer scores_scorer(run_scores *s, const tm_dataset *data);
/* From now on by this metric; NULL: by that which tells most of the data. TM_EUSAGE when it is
 * unknown, or needs another response than these data have. */
tm_status scores_choose(run_scores *s, const char *name, const tm_dataset *data, tm_error *err);
/* The metric `by` places behind the present one, of those that fit the data. */
tm_status scores_step(run_scores *s, long by, const tm_dataset *data, tm_error *err);

/* A new frame begins, in which so much may be worked out; SIZE_MAX: everything. */
void scores_begin(run_scores *s, size_t work);
/* The score of a finished point on the run's test data; NaN: it has none, or it is not known yet.
 */
double scores_of(run_scores *s, const tm_scorer *by, const tm_job *job, size_t point);
/* Whether runs come with their score by this metric. */
bool scores_at_hand(const tm_scorer *by);

#endif
