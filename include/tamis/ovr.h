/* One against the rest over all classes, as one piece of work: a job for each class, on the workers
 * of a pool, with what they found together. What is found does not depend on the number of workers.
 */
#ifndef TAMIS_OVR_H
#define TAMIS_OVR_H

#include "tamis/classes.h"
#include "tamis/job.h"

typedef struct tm_ovr tm_ovr;

/* Submits a job for each class of spec->train (several classes; spec->test too, or NULL). A
 * method's points are all solved; the last one counts. spec->name and warm are not read. */
tm_status tm_ovr_start(tm_ovr **out, tm_pool *pool, const tm_job_spec *spec, tm_error *err);
void tm_ovr_free(tm_ovr *ovr); /* cancels what still runs */

size_t tm_ovr_count(const tm_ovr *ovr);
const char *tm_ovr_label(const tm_ovr *ovr, size_t k);
const tm_job *tm_ovr_job(const tm_ovr *ovr, size_t k);
bool tm_ovr_ended(const tm_ovr *ovr);
double tm_ovr_progress(const tm_ovr *ovr); /* 0..1 */
void tm_ovr_cancel(tm_ovr *ovr);
/* Waits until all ended, or for so many seconds (negative: any), or until `wake` (or NULL) is set;
 * whether all ended. */
bool tm_ovr_wait(tm_ovr *ovr, double seconds, tm_cancel *wake);

/* What the ended jobs give on one data set, metrics with their usual arguments. */
typedef struct tm_ovr_scores {
    size_t classes, metrics;
    tm_scorer *scorers;   /* metrics */
    double *values;       /* classes x metrics, class after class; NaN: undefined, or no model */
    double *macro;        /* metrics: the mean over the classes that have a value */
    double *micro;        /* metrics: of all decisions of all classes together */
    tm_confusion *tables; /* classes */
    double
        accuracy; /* of the class with the greatest score, among all; NaN unless all have a model */
} tm_ovr_scores;

/* On the training data, or the test data when `test`. TM_EUSAGE without test data; TM_EDATA, or the
 * first failed job's error. Freed with tm_ovr_scores_clear. */
tm_status tm_ovr_score(tm_ovr_scores *out, const tm_ovr *ovr, bool test, tm_error *err);
void tm_ovr_scores_clear(tm_ovr_scores *scores);

#endif
