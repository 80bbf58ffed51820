/* The inner level of a multivariate measure's problem (001 algorithm 1): groups of columns are
 * given,
 *
 *     min over w_1 .. w_T of  1/2 (sum_t |w_t|)^2 + C R(w),     w = sum_t w_t,
 *
 * R is replaced by the labelings found so far, each a plane below it, and the small problem over
 * them (qcqp.h) gives the next weights; or, over all sets of B columns, with |w|_(B) in place of
 * the sum of norms (support_qp.h). Planes are valid for any groups and any C, so they are kept. */
#ifndef SOLVE_MULTI_BUNDLE_H
#define SOLVE_MULTI_BUNDLE_H

#include "model/certificate/multi.h"
#include "solve/common/progress.h"

/* The source of the columns; the bundle numbers them from 0. */
typedef struct bundle_columns {
    const void *owner;
    /* out[k] = column (from + k)'v; several threads may call it at once. */
    void (*dots)(const void *owner, size_t from, size_t count, const double *v, double *out);
    /* z += a (column k) */
    void (*axpy)(const void *owner, size_t k, double a, double *z);
} bundle_columns;

/* A reference-counted labeling. */
typedef struct shared_labeling {
    size_t references;
    labeling value;
    double *u;
    uint32_t *rows;
} shared_labeling;

typedef struct bundle_plane {
    shared_labeling *yhat;
    double *a;    /* capacity column_room: 1/n sum_i u_i x_i on the columns */
    double alpha; /* multiplier in the last small problem */
    double slack; /* its multiplier there, over all sets of columns; 0: none yet */
    int idle;     /* small problems since alpha was last positive */
} bundle_plane;

typedef struct bundle_group {
    size_t *columns, count; /* NULL: all */
    double *Q;              /* plane_room x plane_room: inner products of the planes' a on the
                             * group */
    double mu;              /* multiplier in the last small problem */
    bool inactive;          /* left out of the small problems until it is violated */
    int idle;               /* small problems since mu was last positive */
} bundle_group;

/* Weights of all columns and values derived from them. */
typedef struct bundle_point {
    double *weights; /* column_count */
    double *v;       /* n: their scores */
    double norm;     /* sum_t |w_t| of a decomposition of the weights into parts w_t */
} bundle_point;

/* The part of the small problem's solution that belongs to the columns. When B is positive the
 * norm is |.|_(B), over all sets of B columns, and there are no groups if there are more columns
 * than B. */
typedef struct bundle_dual {
    size_t B;
    double *sum;    /* column_count: c = sum_k alpha_k a_k */
    double *shares; /* column_count: m, where the weights are m_j c_j */
    /* The rest of the small problem's solution over all sets (support_qp_point), a warm start for
     * the next one when C and B are unchanged. */
    double *from_zero, *from_one; /* column_count: multipliers of m_j >= 0 and m_j <= 1; 0: none */
    double rest, nu, theta, C;
    bool rounded; /* rounding in the small problems ended the last bundle_solve */
} bundle_dual;

typedef struct bundle {
    labeler *labeler; /* not owned */
    bundle_columns from;
    size_t n;
    double C;
    size_t column_count, column_room;
    bundle_plane *planes;
    size_t plane_count, plane_room;
    bundle_group *groups;
    size_t group_count, group_room;
    bundle_point best;   /* the answer: the best weights so far */
    bundle_point trial;  /* of the last small problem */
    bundle_dual dual;    /* of the last small problem */
    double *v, *u;       /* n */
    double upper, lower; /* of the inner problem; upper is the objective at `best` */
    size_t planes_most;  /* limit on the planes that bundle_solve adds; decremented */
} bundle;

tm_status bundle_init(bundle *b, labeler *l, size_t n, const bundle_columns *from, tm_error *err);
void bundle_free(bundle *b);

/* Sets the number of columns to `count`, at least as many as before; new ones have weight 0. */
tm_status bundle_set_columns(bundle *b, size_t count, solve_progress *progress, tm_error *err);
/* Removes columns and groups; planes stay. */
void bundle_clear_columns(bundle *b);
/* Removes planes and weights. */
void bundle_forget(bundle *b);
/* Adds a group; `columns` is copied (NULL: all `count` columns). */
tm_status bundle_add_group(bundle *b, const size_t *columns, size_t count, tm_error *err);

/* From now on, until columns are added: uses the norm |.|_(B) over the present columns. */
tm_status bundle_take_all(bundle *b, size_t B, tm_error *err);

/* Computes the scores of weights over the columns, into b->v. */
void bundle_predict(bundle *b, const double *weights, solve_progress *progress);
/* Adds the worst labeling at b->v as a plane unless it is one already; *risk is R there. */
tm_status bundle_add_worst(bundle *b, double *risk, solve_progress *progress, tm_error *err);

/* Removes planes whose alpha has been at most `above_zero` of the total in more than
 * `most_idle` small problems. */
void bundle_drop_idle(bundle *b, double above_zero, int most_idle);

/* Solves the inner problem, starting from the best weights so far, whatever groups and C they were
 * found for, until upper - lower <= target, the run must stop, rounding hides what more planes
 * would bring, or planes_most is used up. Needs at least one group. Emits a check event after each
 * plane, with the inner gap and, from the report, the bounds of the outer problem and `seen`
 * columns out of `all`. NULL: the inner problem is the whole one. */
typedef struct bundle_report {
    double upper, lower;
    size_t seen, all;
} bundle_report;
tm_status bundle_solve(bundle *b, double target, const bundle_report *report,
                       solve_progress *progress, tm_error *err);

/* Owned data from which a lower bound can be recomputed. */
typedef struct bundle_witness {
    size_t count;
    shared_labeling **held;
    labeling *labelings;
    double *alpha;
} bundle_witness;

/* Stores the planes with their multipliers of the last small problem; frees the previous contents
 * of *out. */
tm_status bundle_take_witness(const bundle *b, bundle_witness *out, tm_error *err);
void bundle_witness_free(bundle_witness *w);

/* Writes sum_k alpha_k u_k / n to s (n); returns sum_k alpha_k Delta_k / n. */
double bundle_combine(const bundle *b, double *s);
double bundle_multiplier_sum(const bundle *b);

#endif
