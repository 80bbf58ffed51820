/* The certificate of the problems with |.|_(B), over all units of a feature source:
 *
 *     min over w, b of  1/2 |(|w_g|)_g|_(B)^2 + C sum_i l(y_i, z_i),   z = sum_g X_g w_g + b
 *
 * where w_g are the weights of unit g's columns. A method hands over its answer and a dual point,
 * never a bound: predictions, penalty and products are computed from the source, w, b and the dual
 * point alone. */
#ifndef MODEL_CERTIFICATE_FEATURE_H
#define MODEL_CERTIFICATE_FEATURE_H

#include "model/loss/loss.h"
#include "tamis/certificate.h"
#include "tamis/source.h"

typedef struct feature_problem {
    const char *loss; /* a loss for two classes */
    double B, C;      /* B is a whole number */
    bool intercept;
} feature_problem;

/* An answer, and a dual point that gives the lower bound. */
typedef struct feature_claim {
    /* The units with weights: unit k has values[starts[k] .. starts[k+1]-1]. */
    size_t count;
    const uint64_t *units;
    const size_t *starts; /* count + 1 */
    const double *values;
    double b;
    /* n dual variables a_i, of which the best multiple is used after they have been made feasible.
     * NULL: -l'(y_i, z_i) at the optimal intercept for w. */
    const double *dual;
} feature_claim;

/* The units with the greatest products with a dual point, in descending order: those that a cutting
 * plane adds next. */
typedef struct feature_units {
    tm_pick *best; /* capacity min(B, number of units) */
    size_t count;
} feature_units;

typedef struct feature_certifier feature_certifier;

/* `source` must outlive it. TM_EUSAGE for an unknown loss. */
tm_status feature_certifier_new(feature_certifier **out, tm_source *source, const char *loss,
                                tm_error *err);
void feature_certifier_free(feature_certifier *q);

/* Costs one pass over the source, charged to `scan`. No pass is needed for a dual point of zeros
 * nor, if `units` is NULL, for one that equals to the bit one of the two points stored from earlier
 * passes for the same B. The two stored points are the last one and the one with the greatest dual
 * value before it. TM_ECANCELLED when the pass was cancelled. */
tm_status feature_certify(feature_certifier *q, const feature_problem *problem,
                          const feature_claim *claim, feature_units *units, tm_scan *scan,
                          tm_certificate *out, tm_error *err);
/* The n dual variables of the last certificate. */
const double *feature_certifier_dual(const feature_certifier *q);

/* The dual value of the best multiple of the dual variables a: max over s of C sum_i -l*(y_i, -s
 * a_i) - (C s)^2 size / 2, where `size` is the squared dual norm of X'a. */
double feature_dual(const feature_problem *problem, const loss *l, const double *y, const double *a,
                    size_t n, double size);

#endif
