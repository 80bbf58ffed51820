/* The dual of a support vector machine while it is solved:
 *
 *     max over 0 <= theta_i <= u_i of  sum_i c_i theta_i - 1/2 |w|^2,   w = sum_i theta_i z_i,
 *
 * z_i = y_i phi(x_i), with sum_i y_i theta_i = 0 when the intercept is free; a regularised
 * intercept is a constant feature. Each sample is in one of the sets of `sample_place`; a space
 * (below) keeps w, or the products with it, up to date. */
#ifndef SOLVE_SAMPLES_STATE_H
#define SOLVE_SAMPLES_STATE_H

#include "model/certificate/hinge.h"
#include "solve/common/method.h"
#include "tamis/rng.h"

/* Fixed by init, except C and what depends on it. */
typedef struct svm_problem {
    tm_dataset *data;
    size_t n, p;
    double *weight, *c, *u; /* n: s_i times the class's weight; 1 - y_i o_i; C weight_i */
    double *self, *length;  /* n: |z_i|^2 and its square root */
    double C;
    hinge_problem of; /* as the certificate uses it */
    kernel_rows rows;
} svm_problem;

/* The place of a sample: in `set`; outside with theta_i = 0, certified or not yet added to a
 * growing set; outside with theta_i = u_i, certified. */
typedef enum sample_place { SAMPLE_WORKED, SAMPLE_OUT, SAMPLE_BOUND } sample_place;

struct svm_space;
struct kernel_cache;

/* Work done so far. */
typedef struct svm_counts {
    long epochs;
    uint64_t owed; /* see svm_charge */
    uint64_t work; /* multiplications of all epochs */
} svm_counts;

/* From the previous epoch: samples at a bound are shrunk when their derivative is outside. */
typedef struct svm_limits {
    double low, high;
} svm_limits;

/* Which samples an epoch skips. */
typedef struct svm_pace {
    unsigned char *rest;   /* n: epochs before a sample is visited again */
    unsigned char *length; /* n: epochs it was skipped before the last visit */
    double gain;           /* mean increase of the dual by a step of the previous epoch */
} svm_pace;

typedef struct svm_state {
    svm_problem *problem;
    const struct svm_space *space;
    double *theta;
    unsigned char *place;       /* n */
    size_t *set;                /* n: the samples of the working set, live ones first */
    size_t count, live;         /* size of the set; the samples beyond the first `live` are shrunk:
                                 * skipped until near the end */
    double *w, w0;              /* p: in the linear space; w0 of the constant feature */
    double *f;                  /* n: x_i'w of the samples of `set`, as far as known */
    struct kernel_cache *cache; /* in the kernel space */
    double dual;                /* in the kernel space: the objective at theta */
    double *room, *value;       /* 3 n, n: scratch */
    size_t *order;              /* n */
    svm_limits shrink;
    svm_pace pace; /* in the linear space */
    tm_rng rng;
    svm_counts counts;
    bool no_memory;
} svm_state;

/* How steps are made and what they cost: with explicit weights, or with rows of the kernel. All
 * return false when the run must stop. */
typedef struct svm_space {
    /* Computes f_i for `count` samples. */
    bool (*products)(svm_state *s, const size_t *which, size_t count, solve_progress *progress);
    /* theta_i += d. */
    bool (*step)(svm_state *s, size_t i, double d, solve_progress *progress);
    /* About one step for each live sample; `shrink`: samples at their bounds are left out when
     * their derivatives permit it. *estimate approximates the gap over the live samples. */
    bool (*epoch)(svm_state *s, bool shrink, double *estimate, solve_progress *progress);
    /* Shrinks live samples by their present products and the limits of the previous epoch; NULL:
     * only epochs do. */
    void (*settle)(svm_state *s);
} svm_space;

extern const svm_space linear_space, kernel_space;

/* Whether f is kept up to date for all of `set`, so that evaluating the gap costs no products. */
static inline bool svm_keeps_products(const svm_state *s)
{
    return s->space == &kernel_space;
}

static inline double svm_y(const svm_state *s, size_t i)
{
    return s->problem->of.of.y[i];
}

/* The derivative of the dual in theta_i, without a free intercept. */
static inline double svm_slope(const svm_state *s, size_t i)
{
    return s->problem->c[i] - svm_y(s, i) * s->f[i];
}

/* Charges multiplications with entries of rows, converted to column products. */
static inline void svm_charge(svm_state *s, uint64_t work, solve_progress *progress)
{
    uint64_t entries = s->problem->rows.entries ? s->problem->rows.entries : 1;
    s->counts.owed += work;
    uint64_t whole = (uint64_t)((double)s->counts.owed * (double)s->problem->p / (double)entries);
    progress->columns += whole;
    s->counts.owed -= (uint64_t)((double)whole * (double)entries / (double)s->problem->p);
}

tm_status svm_problem_make(svm_problem *q, const tm_dataset *data, const tm_params *params,
                           tm_error *err);
void svm_problem_clear(svm_problem *q);
/* Sets the bounds for another C. */
void svm_problem_set(svm_problem *q, double C);
/* The objective at w = 0. */
double svm_problem_null(const svm_problem *q, double *room);

tm_status svm_state_make(svm_state *s, svm_problem *q, double cache_bytes, tm_error *err);
void svm_state_clear(svm_state *s);

/* Puts every sample into `set`. */
void svm_state_fill(svm_state *s);
/* Moves the sample at `at` of `set` to another place. */
void svm_state_move(svm_state *s, size_t at, sample_place place);
/* Adds a sample that was out; its f_i is not known yet. */
void svm_state_add(svm_state *s, size_t i);
/* Makes all of `set` live again, and computes their products. */
bool svm_state_unshrink(svm_state *s, solve_progress *progress);
/* Recomputes w, or f of `set`, from theta alone; f is 0 elsewhere. */
bool svm_state_refresh(svm_state *s, solve_progress *progress);

/* The gap of the problem over `set` and the samples at their bound. */
typedef struct svm_gap {
    double gap, dual;
    hinge_interval b; /* contains the optimal b for w; 0 .. 0 when b is not free */
} svm_gap;

/* The intercepts that are optimal for products f of the samples of `set`. */
hinge_interval svm_state_intercepts(svm_state *s, const double *f);
/* Computes the gap; makes all samples live again and computes their products. Returns false when
 * the run must stop. */
bool svm_state_find_gap(svm_state *s, svm_gap *at, solve_progress *progress);

#endif
