/* The metric that curves and answers use, and the scores of the displayed runs by it.
 *
 * A run already has its score by the default metric. For another metric, its models are scored here
 * on request, a few in every frame, and the scores are cached. */
#ifndef TUI_PINS_SCORES_H
#define TUI_PINS_SCORES_H

#include "tamis/job.h"

enum { SCORED_RUNS = 48 }; /* more runs than charts draw */

/* The scores of a run's points that are known so far. */
typedef struct scored_run {
    tm_job *job; /* a reference */
    double *values;
    size_t count, capacity;
    unsigned long used; /* when it was last asked for */
} scored_run;

typedef struct run_scores {
    tm_scorer chosen; /* no metric: the default for the data */
    tm_dataset *usual_of;
    tm_scorer usual; /* the default for `data`, a reference */
    scored_run runs[SCORED_RUNS];
    size_t count;
    tm_scorer by; /* the metric by which `runs` were scored */
    unsigned long now;
    size_t work;  /* work left in this frame, in values processed */
    bool waiting; /* a score was requested that is not known yet */
} run_scores;

void scores_clear(run_scores *s);
/* The metric in use for these data (NULL: for two classes). */
tm_scorer scores_scorer(run_scores *s, const tm_dataset *data);
/* Selects a metric; NULL: the default for the data. TM_EUSAGE when it is unknown or does not apply
 * to the response of these data. */
tm_status scores_choose(run_scores *s, const char *name, const tm_dataset *data, tm_error *err);
/* Selects the metric `by` places after the present one among those that apply to the data. */
tm_status scores_step(run_scores *s, long by, const tm_dataset *data, tm_error *err);

/* Begins a new frame, in which at most `work` may be spent; SIZE_MAX: no limit. */
void scores_begin(run_scores *s, size_t work);
/* The score of a finished point on the run's test data; NaN if it has none or is not known yet. */
double scores_of(run_scores *s, const tm_scorer *by, const tm_job *job, size_t point);
/* Whether runs already have their score by this metric. */
bool scores_at_hand(const tm_scorer *by);

#endif
