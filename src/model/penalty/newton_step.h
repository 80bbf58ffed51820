/* Newton steps over an orthonormal basis of the unpenalised columns. */
#ifndef MODEL_PENALTY_NEWTON_STEP_H
#define MODEL_PENALTY_NEWTON_STEP_H

#include "model/loss/samples.h"

#include "tamis/cancel.h"

typedef struct unpenalised unpenalised;

#define INTERCEPT ((size_t)-1)

/* The iterate with the least gradient of a fit so far. Near a kink of the squared hinge, steps
 * below the loss's rounding error may cycle. */
typedef struct best_point {
    double slope, b;
    double *z; /* n */
    double *w; /* count */
} best_point;

/* An orthonormal basis of the columns whose weights are not at a limit. */
typedef struct orthonormal {
    size_t rank;
    size_t *moving;  /* rank: the index among the features, or INTERCEPT */
    double *columns; /* n x rank */
    double *factor;  /* room x room: the features' columns = columns * factor, upper triangular */
} orthonormal;

struct unpenalised {
    const tm_dataset *data;
    samples of;
    bool intercept;
    const tm_cancel *cancel; /* or NULL */
    double began;            /* clock */
    bool stopped;            /* the last fit was cancelled */
    size_t count;
    size_t *features;      /* count */
    double *lower, *upper; /* count */
    bool *held;            /* count: at a limit, not in the basis */
    orthonormal basis;
    double *hessian;       /* room x room */
    double *step, *change; /* room */
    double *trial, *along; /* n */
    best_point best;
};

/* More columns than rows, those of other processes included, cannot be independent; space for one
 * more, which is tested for dependence. */
static inline size_t unpenalised_room(const unpenalised *part)
{
    return (part->count < part->of.all ? part->count : part->of.all) + 1;
}

/* Whether the fit is cancelled. */
bool newton_must_stop(unpenalised *part);
double newton_weighted_dot(const samples *of, const double *u, const double *v);
/* Columns that depend on earlier ones are left out: their weights stay, and the others
 * compensate. */
void newton_make_basis(unpenalised *part);
/* step = basis'a; returns its greatest absolute entry. */
double newton_slope(unpenalised *part, const double *a);
/* The same from the columns themselves, with twice the digits: the basis of nearly dependent
 * columns is orthogonal to what is orthogonal to them only up to rounding errors of their lengths.
 */
void newton_exact_slope(unpenalised *part, const double *a);
/* Converts the gradient to the change of the weights and of the predictions; false when the Hessian
 * is singular or the fit is cancelled. */
bool newton_direction(unpenalised *part, const double *z);
/* Takes a step as far as the limits and the loss permit; true when a limit was reached, whose
 * feature is then held at it. *share is the fraction of the step taken. */
bool newton_step(unpenalised *part, double *w, double *b, double *z, const double *a,
                 double *share);

#endif
