/* The certificate of the problems with |.|_(B), over all units of a feature source:
 *
 *     min over w, b of  1/2 |(|w_g|)_g|_(B)^2 + C sum_i l(y_i, z_i),   z = sum_g X_g w_g + b
 *
 * w_g being the weights of unit g's columns. From the source, w and b alone: predictions are made
 * anew, the dual point comes from the residual at the intercept that is best for w. */
#ifndef MODEL_CERTIFICATE_FEATURE_H
#define MODEL_CERTIFICATE_FEATURE_H

#include "model/loss/loss.h"
#include "tamis/certificate.h"
#include "tamis/source.h"

typedef struct feature_problem {
    const char *loss; /* of two classes */
    double B, C;      /* B whole */
    bool intercept;
} feature_problem;

/* The units that have weights: unit k's are values[starts[k] .. starts[k+1]-1]. */
typedef struct feature_weights {
    size_t count;
    const uint64_t *units;
    const size_t *starts; /* count + 1 */
    const double *values;
} feature_weights;

/* `dual` is the value of a dual feasible point, so it is below the optimum of the whole problem.
 * The B best units for it are written to best[0 .. *best_count-1] (room for B): those that a
 * cutting plane takes next. Costs one pass over the source. TM_ECANCELLED when the scan was
 * cancelled. */
tm_status certificate_features(tm_certificate *out, tm_source *source,
                               const feature_problem *problem, const feature_weights *w, double b,
                               tm_scan *scan, tm_pick *best, size_t *best_count, tm_error *err);

/* The dual value of the best multiple of the dual variables a: max over s of
 * C sum_i -l*(y_i, -s a_i) - (C s)^2 size / 2, `size` being the square of the dual norm of X'a. */
double feature_dual(const feature_problem *problem, const loss *l, const double *y, const double *a,
                    size_t n, double size);

#endif
