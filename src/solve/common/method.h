/* What a method is made of, and what it is handed while it solves. */
#ifndef SOLVE_COMMON_METHOD_H
#define SOLVE_COMMON_METHOD_H

#include "solve/common/params.h"
#include "solve/common/progress.h"

#include "tamis/certificate.h"
#include "tamis/method.h"
#include "tamis/solve.h"

struct normal_equations;

/* What a method answers; pointers belong to its workspace. The certificate is not its business. */
typedef struct solve_answer {
    bool converged;        /* the method believes its gap is at most the target */
    bool stalled;          /* going on is useless, by rounding or for what `stop` says */
    tm_stop stop;          /* what ended it above the target, where it is not time or rounding */
    const double *weights; /* p, original scale */
    double intercept;
    tm_problem problem; /* what tm_certify is to check the answer against; of a method with a
                           certificate of its own lambda alone is read: NaN when it has none */
    double B, C;        /* 0 when the method has none */
    uint64_t features;  /* there are in all; 0: p. Of a feature source its units: */
    uint64_t held;      /* how many of them have a weight; 0: as many as the model has weights */
    uint64_t pass;      /* their columns; 0: as many as features */
    size_t active;      /* features still worked on at the end */
    uint64_t epochs;    /* of this solve so far; 0: not counted */
    bool partial; /* stopped before all features were chosen: not converged, whatever the gap */
} solve_answer;

/* Batched certification: of a method that works on some of the features and leaves the others to
 * the certificate's pass over the data. */
typedef struct method_batch {
    /* After each certificate: its gap, and x_j'r of the answer for all p features (centred with an
     * intercept). NULL where the method has a certify of its own, which sees them. */
    void (*certified)(void *work, const double *products, double gap);
    /* After solve: whether the certificate is the method's only view of the other features, so that
     * it is called again until the certificate is met or it has stalled. */
    bool (*needs_certificate)(const void *work);
    /* Those below may be NULL. */
    /* After solve: products that are below this times f_j may be estimates; 0, NULL: none. */
    double (*exact_from)(const void *work);
    /* After update: whether the certificate of the next answer can wait for those after it, to
     * share a pass, because the set that the method begins with is not much larger than after a
     * certificate. NULL: never. */
    bool (*can_wait)(const void *work);
    /* Whether the normal equations of the data, with the intercept asked for, would serve the
     * method for the points to come; and taking their products over. NULL: never. */
    bool (*wants_sums)(const void *work, bool *intercept);
    tm_status (*take_sums)(void *work, const struct normal_equations *sums, tm_error *err);
} method_batch;

/* An opaque workspace made by init and freed by finish. */
typedef struct method_ops {
    tm_status (*init)(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err);
    tm_status (*update)(void *work, const tm_params *params, tm_error *err);
    /* Before update: the weight of the penalty. NULL: the method has none. */
    void (*set_lambda)(void *work, double lambda);
    void (*warm)(void *work, const tm_model *model);
    /* Before each solve of the caller's: what is counted per solve is set to 0. */
    void (*begin)(void *work);
    /* Solves to an absolute gap of at most `target`, from the last answer when `warm`. May
     * be called again with a smaller target when the certificate asks for it. */
    tm_status (*solve)(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err);
    const method_batch *batch; /* NULL: the method works on all features */
    /* Of a problem that tm_certify does not know: computes the answer's certificate, from the
     * data, weights and intercept alone, by a routine of src/model, and charges its columns to
     * `progress`. NULL: certificate_many. */
    tm_status (*certify)(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err);
    /* The answer's model where it is not made of p weights; NULL: tm_model_new of
     * answer->weights. */
    tm_status (*model)(void *work, const solve_answer *answer, tm_model **out, tm_error *err);
    double (*lambda_max)(const void *work); /* NULL: the method has none */
    double (*null_objective)(const void *work);
    void (*finish)(void *work);
    /* Before init: the data set that the method is solved and certified on, where that is another
     * one than the data, of the same columns. NULL: it is the data. */
    tm_status (*data)(tm_dataset **out, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err);
} method_ops;

/* What most methods have, under the names that these functions have in their files. */
#define USUAL_OPS                                                                                  \
    .init = init, .update = update, .warm = warm, .begin = begin, .solve = solve,                  \
    .null_objective = null_objective, .finish = finish
/* Of methods with a penalty of weight lambda. */
#define LAMBDA_OPS USUAL_OPS, .set_lambda = set_lambda, .lambda_max = lambda_max

/* Whether the parameters fit an intercept that no penalty holds. */
bool method_fits_intercept(const tm_params *params);

struct tm_method {
    const char *id, *summary, *formula, *source;
    unsigned losses; /* the set of losses it fits (model/loss/losses.h) */
    bool measures;   /* fits multivariate measures instead */
    bool hinge;      /* fits the hinge loss, which has a kink and no row in the table of losses */
    bool l1;         /* solves the plain l1 problem of its one loss */
    const char *l2;  /* the method that solves what alpha = 0 leaves; NULL: it has no alpha */
    bool samples;    /* screens samples instead of features */
    const param_table *params;
    const method_ops *ops;
    bool classes; /* takes any number of classes */
    bool selects; /* its weights choose features and predict nothing (refit.h) */
    /* Parameters with which it is the usual one to refit with, for its kind of response; NULL: it
     * is not. */
    const char *refit;
    bool weighs; /* uses the data's sample weights and offsets; others refuse them */
};

/* The end of an init: the workspace is handed over, or on failure finished with. */
static inline tm_status method_made(void **work, void *made, void (*finish)(void *),
                                    tm_status status)
{
    *work = status == TM_OK ? made : NULL;
    if (status != TM_OK)
        finish(made);
    return status;
}

#endif
