/* One against the rest over all classes: a job for each class, on the workers of a pool, with
 * combined results. They do not depend on the number of workers. */
#ifndef TAMIS_OVR_H
#define TAMIS_OVR_H

#include "tamis/classes.h"
#include "tamis/job.h"

typedef struct tm_ovr tm_ovr;

/* Submits a job for each class of spec->train (which has several classes; so has spec->test, or it
 * is NULL). All points of a method are solved; the last one is used. spec->name and spec->warm are
 * ignored. */
tm_status tm_ovr_start(tm_ovr **out, tm_pool *pool, const tm_job_spec *spec, tm_error *err);
void tm_ovr_free(tm_ovr *ovr); /* cancels jobs that still run */

size_t tm_ovr_count(const tm_ovr *ovr);
const char *tm_ovr_label(const tm_ovr *ovr, size_t k);
const tm_job *tm_ovr_job(const tm_ovr *ovr, size_t k);
bool tm_ovr_ended(const tm_ovr *ovr);
double tm_ovr_progress(const tm_ovr *ovr); /* 0..1 */
void tm_ovr_cancel(tm_ovr *ovr);
/* Waits until all have ended, for at most `seconds` (negative: no limit), or until `wake` (or NULL)
 * is set; true when all have ended. */
bool tm_ovr_wait(tm_ovr *ovr, double seconds, tm_cancel *wake);

/* The scores of the finished jobs on one data set; metrics have their default arguments. */
typedef struct tm_ovr_scores {
    size_t classes, metrics;
    tm_scorer *scorers;   /* metrics */
    double *values;       /* classes x metrics, class by class; NaN: undefined, or no model */
    double *macro;        /* metrics: the mean over the classes that have a value */
    double *micro;        /* metrics: over all decisions of all classes together */
    tm_confusion *tables; /* classes */
    double accuracy; /* of predicting the class with the greatest score; NaN unless all classes have
                      * a model */
} tm_ovr_scores;

/* On the training data, or on the test data when `test`. TM_EUSAGE without test data; TM_EDATA, or
 * the first failed job's error. Freed with tm_ovr_scores_clear. */
tm_status tm_ovr_score(tm_ovr_scores *out, const tm_ovr *ovr, bool test, tm_error *err);
void tm_ovr_scores_clear(tm_ovr_scores *scores);

#endif
