/* The interface of a method, and what it receives while it solves. */
#ifndef SOLVE_COMMON_METHOD_H
#define SOLVE_COMMON_METHOD_H

#include "solve/common/params.h"
#include "solve/common/progress.h"

#include "tamis/certificate.h"
#include "tamis/method.h"
#include "tamis/solve.h"

struct normal_equations;
struct product_bounds;

/* The result of a method's solve; pointers refer to its workspace. The certificate is computed
 * elsewhere. */
typedef struct solve_answer {
    bool converged;        /* the method estimates that its gap is at most the target */
    bool stalled;          /* no further progress is possible, because of rounding or the reason in
                            * `stop` */
    tm_stop stop;          /* the reason for ending above the target, other than time or rounding */
    const double *weights; /* p, original scale */
    double intercept;
    tm_problem problem; /* the problem that tm_certify checks the answer against; for a method with
                         * its own certificate only lambda is read (NaN when it has none) */
    double B, C;        /* 0 when the method has none */
    uint64_t features;  /* total number of features; 0: p. For a feature source, its number of
                         * units */
    uint64_t held;      /* features with a nonzero weight; 0: as many as the model has nonzero
                         * weights */
    uint64_t pass;      /* columns of these features; 0: one for each feature */
    size_t active;      /* features in the working set at the end */
    uint64_t epochs;    /* epochs of this solve so far; 0: not counted */
    bool partial; /* stopped before all features were selected: not converged, whatever the gap */
} solve_answer;

/* Coming lambdas of a path, descending. */
typedef struct solve_group {
    const double *lambdas; /* count */
    size_t count;
    double target;         /* absolute gap */
    solve_answer *answers; /* count: receives those made, whose weights are valid until the next
                            * call */
} solve_group;

/* Batched certification, for methods that solve on a working set and check the other features only
 * in the certificate's pass over the data. */
typedef struct method_batch {
    /* Called after each certificate with its gap and with x_j'r of the answer for all p features
     * (centred when there is an intercept). NULL when the method has its own `certify`, which
     * computes these products itself. */
    void (*certified)(void *work, const double *products, double gap);
    /* Where the certificate may put these products: p values of the method that it reads no more
     * once they were asked for. NULL: the solver has its own. */
    double *(*products)(void *work);
    /* After solve: whether only the certificate checks the features outside the working set, so
     * that solve is called again until the certificate is met or the method has stalled. */
    bool (*needs_certificate)(const void *work);
    /* Those below may be NULL. */
    /* After solve: products below this value times f_j may be estimates; 0, NULL: none may. */
    double (*exact_from)(const void *work);
    /* Whether products with earlier vectors (product_bounds.h, with the intercept it asks for) are
     * used for its certificates, and the function that receives them, for its own passes. NULL:
     * never. */
    bool (*wants_bounds)(const void *work, bool *intercept);
    void (*take_bounds)(void *work, struct product_bounds *bounds);
    /* After update: whether the certificate of the next answer may be deferred and share a pass
     * with later ones, because the initial working set is not much larger than it would be after a
     * certificate. NULL: never. */
    bool (*can_wait)(const void *work);
    /* After update: whether solving several coming lambdas at once is expected to pay, and doing
     * so: *made is set to how many answers there are, from the first on, to be certified together;
     * the last is then the method's answer. NULL: never. */
    bool (*pays_together)(const void *work);
    tm_status (*solve_together)(void *work, const solve_group *group, solve_progress *progress,
                                size_t *made, tm_error *err);
    /* Whether the method would use the normal equations of the data (with the intercept it asks
     * for) at the coming points, and the function that receives their products. NULL: never. */
    bool (*wants_sums)(const void *work, bool *intercept);
    tm_status (*take_sums)(void *work, const struct normal_equations *sums, tm_error *err);
} method_batch;

/* An opaque workspace made by init and freed by finish. */
typedef struct method_ops {
    tm_status (*init)(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err);
    tm_status (*update)(void *work, const tm_params *params, tm_error *err);
    /* Before update: sets the weight of the penalty. NULL: the method has none. */
    void (*set_lambda)(void *work, double lambda);
    void (*warm)(void *work, const tm_model *model);
    /* Before each of the caller's solves: resets what is counted per solve. */
    void (*begin)(void *work);
    /* Solves to an absolute gap of at most `target`, starting from the last answer when `warm`. May
     * be called again with a smaller target when the certificate requires it. */
    tm_status (*solve)(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err);
    const method_batch *batch; /* NULL: the method works on all features */
    /* For a problem that tm_certify does not handle: computes the answer's certificate from the
     * data, the weights and the intercept alone, by a routine of src/model, and charges its columns
     * to `progress`. NULL: certificate_many. */
    tm_status (*certify)(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err);
    /* Builds the answer's model when it does not consist of p weights; NULL: tm_model_new of
     * answer->weights. */
    tm_status (*model)(void *work, const solve_answer *answer, tm_model **out, tm_error *err);
    double (*lambda_max)(const void *work); /* NULL: the method has none */
    double (*null_objective)(const void *work);
    void (*finish)(void *work);
    /* Of the last answer, as tm_model_levels has it; NULL: TM_NO_LEVELS. */
    size_t (*levels)(void *work);
    /* Before init: makes the data set that the method is solved and certified on, when it differs
     * from the given data but has the same columns. NULL: the given data. */
    tm_status (*data)(tm_dataset **out, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err);
} method_ops;

/* The operations that most methods define, under the names they have in each method's file. */
#define USUAL_OPS                                                                                  \
    .init = init, .update = update, .warm = warm, .begin = begin, .solve = solve,                  \
    .null_objective = null_objective, .finish = finish
/* For methods with a penalty of weight lambda. */
#define LAMBDA_OPS USUAL_OPS, .set_lambda = set_lambda, .lambda_max = lambda_max

/* Whether a solve with these parameters depends on the rows by sums of products only; and the
 * methods of which it can be said, as a list of ids. */
bool method_uses_sums(const tm_method *method, const tm_params *params);
const char *method_sums_list(char *text, size_t size);

/* Whether the parameters ask for an unpenalised intercept. */
bool method_fits_intercept(const tm_params *params);

struct tm_method {
    const char *id, *summary, *formula, *source;
    unsigned losses; /* set of supported losses (model/loss/losses.h) */
    bool measures;   /* fits multivariate measures instead of losses */
    bool hinge;      /* fits the hinge loss, which is not differentiable and has no row in the table
                      * of losses */
    bool l1;         /* solves the plain l1 problem of its only loss */
    const char *l2;  /* the method that solves the problem at alpha = 0; NULL: there is no alpha */
    bool samples;    /* screens samples instead of features */
    const param_table *params;
    const method_ops *ops;
    bool classes; /* supports any number of classes */
    bool selects; /* its weights select features and cannot predict (refit.h) */
    /* The parameters with which this method is the default for refitting its kind of response;
     * NULL: it is not. */
    const char *refit;
    unsigned sums; /* losses (model/loss/losses.h) with which its answers depend on the rows only by
                    * their weighted sums of squares and products */
    bool weighs;   /* uses the data's sample weights and offsets; other methods reject them */
};

/* The end of an init: hands over the workspace, or finishes it on failure. */
static inline tm_status method_made(void **work, void *made, void (*finish)(void *),
                                    tm_status status)
{
    *work = status == TM_OK ? made : NULL;
    if (status != TM_OK)
        finish(made);
    return status;
}

#endif
