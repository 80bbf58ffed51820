/* `svm`: min 1/2 |w|^2 + C sum_i s_i max(0, 1 - y_i z_i), solved in its dual. */
#include "solve/samples/screen.h"

#include "base/memory.h"
#include "model/model.h"
#include "solve/registry.h"

#include <math.h>
#include <string.h>

const tm_choice svm_screens[] = {
    {"none", "all samples, every epoch"},
    {"shrink",
     "samples at their bounds are skipped until near the end, as in LIBLINEAR and LIBSVM"},
    {"gap", "samples certified by the gap's ball are removed, at every evaluation of the gap"},
    {"sequential", "the same, from the previous answer of a path"},
    {"saiv",
     "starts with few samples; adds the worst of the others (REC), removes certified ones (SCR)"},
    {"auto", "the fastest combination known: shrink, gap and sequential"},
    {NULL, NULL},
};

/* In the order of the choices. */
static const unsigned screen_bits[] = {0,
                                       SVM_SHRINKS,
                                       SVM_GAP,
                                       SVM_SEQUENTIAL,
                                       SVM_SAIV | SVM_GAP,
                                       SVM_SHRINKS | SVM_GAP | SVM_SEQUENTIAL};

static bool is_linear(const svm *m)
{
    return m->problem.of.kernel.kind == KERNEL_LINEAR;
}

static void finish(void *work)
{
    svm *m = work;
    svm_state_clear(&m->state);
    free(m->centre);
    svm_problem_clear(&m->problem);
    free(m);
}

static tm_status prepare(svm *m, const tm_dataset *data, const tm_params *params, tm_error *err)
{
    tm_status status = svm_problem_make(&m->problem, data, params, err);
    if (status != TM_OK)
        return status;
    svm_problem_set(&m->problem, 1);
    m->centre = mem_array(m->problem.n, sizeof *m->centre);
    if (!m->centre)
        return tm_fail_memory(err, "the solver");
    m->cache_bytes = 1e6 * tm_params_real(params, "cache");
    return svm_state_make(&m->state, &m->problem, m->cache_bytes, err);
}

static tm_status init(void **work, const tm_dataset *data, const tm_params *params,
                      solve_progress *progress, tm_error *err)
{
    (void)progress;
    svm *m = calloc(1, sizeof *m);
    *work = NULL;
    if (!m)
        return tm_fail_memory(err, "the solver");
    m->seed = (uint64_t)tm_params_int(params, "seed");
    return method_made(work, m, finish, prepare(m, data, params, err));
}

static tm_status update(void *work, const tm_params *params, tm_error *err)
{
    svm *m = work;
    size_t count;
    (void)err;
    svm_problem_set(&m->problem, tm_params_reals(params, "C", &count)[0]);
    m->null_objective = svm_problem_null(&m->problem, m->state.room);
    m->screen = screen_bits[tm_params_choice(params, "screen")];
    m->warm = tm_params_bool(params, "warm");
    m->max_iter = tm_params_int(params, "max_iter");
    return TM_OK;
}

/* ---- the starting point of a solve --------------------------------------------------------- */

/* Weights alone do not determine the dual point: samples within their margin are assumed to be at
 * their bound. */
static void warm(void *work, const tm_model *model)
{
    svm *m = work;
    const svm_problem *q = &m->problem;
    double *z = m->state.value;
    m->solved = tm_model_predict(model, tm_dataset_x(q->data), z, NULL) == TM_OK;
    for (size_t i = 0; m->solved && i < q->n; i++)
        m->state.theta[i] = q->c[i] - svm_y(&m->state, i) * z[i] > 0 ? q->u[i] : 0;
    m->C_before = q->C;
}

static void begin(void *work)
{
    svm *m = work;
    m->begun = m->promised = false;
    m->state.counts.epochs = 0;
    tm_rng_seed(&m->state.rng, m->seed); /* the same orders at every point */
}

/* The dual point for another C: with a free intercept a multiple, which keeps the sums over the
 * classes equal; otherwise samples at their bound stay there, and the others keep their value. */
static void take_theta(svm *m)
{
    svm_problem *q = &m->problem;
    svm_state *s = &m->state;
    double ratio = q->C / m->C_before;
    bool multiple = q->of.intercept == HINGE_FREE;
    for (size_t i = 0; i < q->n; i++) {
        bool at_bound = s->theta[i] >= m->C_before * q->weight[i];
        s->theta[i] = multiple ? ratio * s->theta[i] : at_bound ? q->u[i] : s->theta[i];
    }
    hinge_feasible(&q->of, s->theta, s->theta);
}

/* Starts from the previous answer, without the samples that it certifies. */
static bool start_from_answer(svm *m, solve_progress *progress)
{
    sample_ball ball;
    bool tests = (m->screen & SVM_SEQUENTIAL) && m->C_before != m->problem.C;
    if (tests && !svm_ball_from(m, m->C_before, m->problem.C, &ball, progress))
        return false;
    take_theta(m);
    svm_state_fill(&m->state);
    if (m->screen & SVM_SAIV)
        return true;
    svm_log_start(m, "all samples", progress);
    if (!svm_state_refresh(&m->state, progress))
        return false;
    if (!tests)
        return true;
    svm_ball_intercepts(&m->state, &ball);
    return svm_screen_ball(
        m, &ball, "sequential: samples certified by the ball from the previous answer", progress);
}

static bool start(svm *m, double target, solve_progress *progress)
{
    if (m->begun)
        return true;
    if (m->solved && m->warm) {
        m->begun = start_from_answer(m, progress);
    } else {
        memset(m->state.theta, 0, m->problem.n * sizeof *m->state.theta);
        svm_state_fill(&m->state);
        if (!(m->screen & SVM_SAIV))
            svm_log_start(m, "all samples", progress);
        m->begun = svm_state_refresh(&m->state, progress);
    }
    return m->begun && (!(m->screen & SVM_SAIV) || svm_saiv(m, target, progress));
}

/* ---- answers ------------------------------------------------------------------------------- */

/* Computes the weights from theta alone. */
static void take_weights(svm *m)
{
    svm_problem *q = &m->problem;
    svm_state *s = &m->state;
    memset(s->w, 0, q->p * sizeof *s->w);
    s->w0 = 0;
    for (size_t i = 0; i < q->n; i++) {
        double a = svm_y(s, i) * s->theta[i];
        if (a != 0 && is_linear(m))
            kernel_rows_axpy(&q->rows, i, a, s->w);
        s->w0 += q->of.intercept == HINGE_REGULARISED ? a : 0;
    }
}

/* A free intercept is optimal for the products of the set; with kernels other than the linear one,
 * for the products as stored. */
static void take_intercept(svm *m)
{
    svm_problem *q = &m->problem;
    svm_state *s = &m->state;
    m->intercept = s->w0;
    if (q->of.intercept != HINGE_FREE)
        return;
    m->intercept = m->gap.b.best;
    if (!is_linear(m))
        return;
    for (size_t i = 0; i < q->n; i++)
        s->value[i] = kernel_rows_dot(&q->rows, i, s->w);
    m->intercept = hinge_intercepts(&q->of.of, NULL, q->n, 0, s->value, s->room).best;
}

static uint64_t count_held(const svm *m)
{
    uint64_t held = 0;
    for (size_t i = 0; i < m->problem.n; i++)
        held += m->state.theta[i] > 0;
    return held;
}

static tm_status solve(void *work, solve_progress *progress, double target, solve_answer *answer,
                       tm_error *err)
{
    svm *m = work;
    bool converged = false, stalled = false;
    progress->lambda = NAN;
    progress->C = m->problem.C;
    if (start(m, target, progress))
        svm_descend(m, target, progress, &converged, &stalled);
    if (m->state.no_memory)
        return tm_fail_memory(err, "rows of the kernel");
    take_weights(m);
    take_intercept(m);
    m->solved = true;
    m->C_before = m->problem.C;
    *answer =
        (solve_answer){.converged = converged,
                       .stalled = stalled || m->state.counts.epochs >= m->max_iter,
                       .stop = m->state.counts.epochs >= m->max_iter ? TM_STOP_ITER : TM_STOP_NONE,
                       .weights = is_linear(m) ? m->state.w : NULL,
                       .intercept = m->intercept,
                       .problem = {.lambda = NAN},
                       .C = m->problem.C,
                       .features = m->problem.n,
                       .held = count_held(m),
                       .pass = m->problem.p,
                       .active = m->state.count,
                       .epochs = (uint64_t)m->state.counts.epochs};
    return TM_OK;
}

static tm_status certify(void *work, solve_progress *progress, const solve_answer *answer,
                         tm_certificate *certificate, tm_error *err)
{
    svm *m = work;
    hinge_claim claim = {answer->weights, answer->intercept, m->state.theta};
    hinge_pass pass = {0, progress->team, progress->monitor.cancel};
    tm_status status =
        certificate_hinge(certificate, m->problem.data, &m->problem.of, &claim, &pass, err);
    progress->columns += pass.columns;
    return status == TM_OK ? svm_log_certificate(m, progress, err) : status;
}

static tm_status make_model(void *work, const solve_answer *answer, tm_model **out, tm_error *err)
{
    svm *m = work;
    svm_state *s = &m->state;
    const tm_dataset *data = m->problem.data;
    if (is_linear(m))
        return tm_model_new(out, data, "svm", NAN, answer->weights, answer->intercept, err);
    hinge_feasible(&m->problem.of, s->theta, s->value);
    for (size_t i = 0; i < m->problem.n; i++)
        s->value[i] *= svm_y(s, i);
    return model_new_expansion(out, data, "svm", &m->problem.of.kernel, s->value, answer->intercept,
                               err);
}

static double null_objective(const void *work)
{
    return ((const svm *)work)->null_objective;
}

const method_ops svm_ops = {init,
                            update,
                            .warm = warm,
                            .begin = begin,
                            .solve = solve,
                            .certify = certify,
                            .model = make_model,
                            .null_objective = null_objective,
                            .finish = finish};
