/* `hsiclasso`: min 1/2 |L - sum_k a_k K_k|_F^2 + lambda sum_k a_k, a >= 0, over centred kernels K_k
 * of the features and L of the output. It is the nonnegative lasso on a data set whose rows are
 * pairs of samples and whose columns are computed on demand; the lasso's solver and certificate
 * apply to it unchanged. */
#include "solve/kernel/hsiclasso.h"

#include "base/memory.h"
#include "data/pairs/data.h"
#include "solve/l1/l1.h"
#include "solve/registry.h"

typedef struct hsiclasso {
    void *lasso;
    tm_params *params; /* the lasso's parameters */
} hsiclasso;

static void finish(void *work)
{
    hsiclasso *h = work;
    if (h->lasso)
        lasso_ops.finish(h->lasso);
    tm_params_free(h->params);
    free(h);
}

static tm_status make_data(tm_dataset **out, const tm_dataset *data, const tm_params *params,
                           solve_progress *progress, tm_error *err)
{
    int output = tm_params_choice(params, "output");
    bool delta = output == HSIC_AUTO ? tm_dataset_has_classes(data) : output == HSIC_DELTA;
    const pair_spec spec = {
        .terms = {.sigma = tm_params_real(params, "sigma"),
                  .unit_norm = tm_params_bool(params, "unit_norm"),
                  .team = progress->team,
                  .cancel = progress->monitor.cancel},
        .output = delta ? PAIR_DELTA : PAIR_GAUSSIAN,
        .output_sigma = tm_params_real(params, "output_sigma"),
        .block = (size_t)tm_params_int(params, "block"),
        .seed = (uint64_t)tm_params_int(params, "seed"),
    };
    if (spec.block == 1)
        return tm_fail(err, TM_EUSAGE,
                       "hsiclasso: block is 1, and a sample alone is compared with none; expected "
                       "at least 2, or 0 for all with all");
    /* The pass computes lengths and products with the response together, and is counted when the
     * solver asks for the latter. */
    return pair_data_new(out, data, &spec, err);
}

/* Copies the parameters that both methods have under the same name. */
static tm_status take_common(hsiclasso *h, const tm_params *params, tm_error *err)
{
    static const char *const names[] = {"screen", "max_iter", "warm"};
    tm_status status = TM_OK;
    char text[64];
    for (size_t k = 0; status == TM_OK && k < sizeof names / sizeof *names; k++) {
        tm_params_format(params, names[k], text, sizeof text);
        status = tm_params_set_text(h->params, names[k], text, err);
    }
    return status;
}

/* Fits no intercept, since all columns are centred. */
static tm_status make_params(hsiclasso *h, const tm_params *params, tm_error *err)
{
    tm_status status =
        tm_params_new(&h->params, "hsiclasso", l1_parameters.list, l1_parameters.count, err);
    if (status == TM_OK)
        status = tm_params_set_bool(h->params, "positive", true, err);
    if (status == TM_OK)
        status = tm_params_set_bool(h->params, "intercept", false, err);
    return status == TM_OK ? take_common(h, params, err) : status;
}

static tm_status init(void **work, const tm_dataset *pairs, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    hsiclasso *h = calloc(1, sizeof *h);
    tm_status status = h ? make_params(h, params, err) : tm_fail_memory(err, "the solver");
    *work = NULL;
    if (status == TM_OK)
        status = lasso_ops.init(&h->lasso, pairs, h->params, progress, err);
    return h ? method_made(work, h, finish, status) : status;
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    hsiclasso *h = work;
    tm_status status = take_common(h, params, err);
    return status == TM_OK ? lasso_ops.update(h->lasso, h->params, err) : status;
}

/* ---- the lasso's operations ---------------------------------------------------------------- */

static void set_lambda(void *work, double lambda)
{
    lasso_ops.set_lambda(((hsiclasso *)work)->lasso, lambda);
}

static void warm(void *work, const tm_model *model)
{
    lasso_ops.warm(((hsiclasso *)work)->lasso, model);
}

static void begin(void *work)
{
    lasso_ops.begin(((hsiclasso *)work)->lasso);
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    return lasso_ops.solve(((hsiclasso *)work)->lasso, progress, target, answer, err);
}

static double lambda_max(const void *work)
{
    return lasso_ops.lambda_max(((const hsiclasso *)work)->lasso);
}

static double null_objective(const void *work)
{
    return lasso_ops.null_objective(((const hsiclasso *)work)->lasso);
}

static void certified(void *work, const double *products, double gap)
{
    l1_batch.certified(((hsiclasso *)work)->lasso, products, gap);
}

static bool needs_certificate(const void *work)
{
    return l1_batch.needs_certificate(((const hsiclasso *)work)->lasso);
}

static double exact_from(const void *work)
{
    return l1_batch.exact_from(((const hsiclasso *)work)->lasso);
}

static bool wants_bounds(const void *work, bool *intercept)
{
    return l1_batch.wants_bounds(((const hsiclasso *)work)->lasso, intercept);
}

static void take_bounds(void *work, struct product_bounds *bounds)
{
    l1_batch.take_bounds(((hsiclasso *)work)->lasso, bounds);
}

/* No can_wait: a pass shared by several points would compute each column once for each point
 * anyway, and computing columns is what costs. */
static const method_batch batch = {.certified = certified,
                                   .needs_certificate = needs_certificate,
                                   .exact_from = exact_from,
                                   .wants_bounds = wants_bounds,
                                   .take_bounds = take_bounds};

const method_ops hsiclasso_ops = {.data = make_data, LAMBDA_OPS, .batch = &batch};
