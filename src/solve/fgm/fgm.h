/* The inner problem of `fgm` and `mslr`: the loss, C, and a solver of the master problem, chosen
 * from a table.
 *
 * Master problems over the planes h = 1..t (FGM eq. 30)
 *
 *     min over w_1..w_t, b of  1/2 (sum_h |w_h|)^2 + C sum_i l(y_i, (sum_h X_h w_h)_i + b)
 *
 * or, for solvers with `unions`, over all units in any plane: 1/2 |w|_(B)^2 + ..., whose optimum
 * lies between that of the former and that of the whole problem. */
#ifndef SOLVE_FGM_FGM_H
#define SOLVE_FGM_FGM_H

#include "solve/fgm/cutting_plane.h"

#include "model/certificate/feature.h"
#include "model/loss/loss.h"

typedef struct fgm_inner fgm_inner;

typedef struct fgm_master {
    const char *id;
    bool unions;
    bool intercepts; /* also solves problems with an intercept */
    unsigned losses; /* the set of losses it supports */
    /* Makes an empty workspace. */
    tm_status (*init)(void **work, const fgm_inner *inner, tm_error *err);
    /* Solves the master problem; planes may have been added, removed or split since the last
     * call. */
    tm_status (*solve)(void *work, fgm_inner *inner, cutting_plane *cp, double target,
                       solve_progress *progress, tm_error *err);
    void (*finish)(void *work);
} fgm_master;

/* The solvers of the master problem, one row each: id, help. `auto` is the first. */
#define FGM_MASTERS(X)                                                                             \
    X(support, "proximal gradient over all chosen features, with the norm itself")                 \
    X(apg, "proximal gradient over the groups of each round (FGM algorithm 4)")                    \
    X(scd, "smoothing coordinate descent in the dual (MSLR); logistic without an intercept")       \
    X(simplemkl, "reduced gradients in the groups' weights: the slow baseline of both papers")

#define ROW(id, help) extern const fgm_master fgm_##id;
FGM_MASTERS(ROW)
#undef ROW

struct fgm_inner {
    feature_problem problem;
    const loss *l;
    const double *y;
    size_t n;
    uint64_t iterations_left; /* iterations of the master problem left for this point: max_iter */
    const fgm_master *master;
    void *work;
    feature_certifier *certifier;
    double *dual; /* n: the dual point of the best lower bound; zero before there is one */
    /* buffers for the certificate's weights, by unit */
    uint64_t *units;
    size_t *starts;
    size_t unit_room;
};

extern const inner_ops fgm_ops_unions, fgm_ops_planes;

/* The certificate of the engine's answer with the dual point of its best lower bound. */
tm_status fgm_certify(fgm_inner *inner, const cutting_plane *cp, solve_progress *progress,
                      tm_certificate *out, tm_error *err);

/* z = sum of the cached columns times `weights`, and products[k] = column_k'v for all cached
 * columns. */
void fgm_predict(const cutting_plane *cp, const double *weights, double *z);
void fgm_products(const cutting_plane *cp, const double *v, double *products);
/* Computes a_i = -l'(y_i, z_i + b) and returns C sum_i l(y_i, z_i + b). With an intercept b is
 * optimised, starting at *b. */
double fgm_loss(const fgm_inner *inner, const double *z, double *b, double *a);
/* The difference of the loss's gradients between two points, times the step between them, from its
 * slopes: `a` is the first point's, and `b` the intercept of the second. For a step so short that
 * the loss is quadratic along it this is the curvature times the step's square. */
double fgm_curvature(const fgm_inner *inner, const double *a, const double *from, const double *to,
                     double b);

#endif
