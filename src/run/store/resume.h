/* Paths that go on from a store where an earlier run of the same problem was stopped. */
#ifndef RUN_STORE_RESUME_H
#define RUN_STORE_RESUME_H

#include "tamis/store.h"

/* What a store has of a path that did not come to its end. */
typedef struct store_rest {
    int64_t id;       /* its number; 0: there is no such run */
    tm_point *points; /* those that are not solved again: converged, from the first lambda on */
    size_t count;
    tm_model *warm; /* where the next one starts: the model recorded last; or NULL */
} store_rest;

/* Finds the newest run with the spec's method, data, test data and parameters (but for the number
 * of threads) that was interrupted or cancelled and has points. Of these all are taken but the
 * last, and those after one that has not converged: the last one is solved again from its own
 * model, which costs little and tells what a record does not, whether the path ends there for one.
 */
tm_status store_find_rest(tm_store *store, const tm_job_spec *spec, store_rest *out, tm_error *err);
void store_rest_clear(store_rest *rest);

/* Instead of tm_store_begin: the run `id` is now this process's and goes on with the job, whose
 * first points are the rest's. */
tm_status store_continue(tm_store *store, int64_t id, const tm_job *job, size_t count,
                         tm_error *err);

#endif
