/* Lower bounds of problems with unpenalised features and intercepts, on data where their weights
 * are large: columns far from zero, of small scale, nearly dependent, or that separate some of the
 * rows, so that the weight grows without bound. No bound is above a value that is reached, where
 * the answer's unpenalised weights are moved to their optimum in long double. */
#include "general.h"

enum { MAX_N = 24, P = 8, MOST_MOVING = 4, SEEDS = 20 };

/* ---- data ---------------------------------------------------------------------------------- */

static void far(problem *q, tm_rng *rng)
{
    double by = (tm_rng_below(rng, 2) ? 1 : -1) * pow(10, tm_rng_range(rng, 2, 6));
    for (size_t i = 0; i < q->n; i++)
        q->x[i] += by;
}

static void small(problem *q, tm_rng *rng)
{
    double scale = pow(10, tm_rng_range(rng, -6, -2));
    for (size_t i = 0; i < q->n; i++)
        q->x[i] *= scale;
}

/* Zero but for a few rows, which it classifies correctly. */
static void separates_some(problem *q, tm_rng *rng)
{
    for (size_t i = 0; i < q->n; i++)
        q->x[i] = tm_rng_below(rng, 3) > 0 ? 0 : (q->y[i] > 0 ? 1 : -1) * (0.01 + fabs(q->x[i]));
}

/* All rows but one. */
static void separates_most(problem *q, tm_rng *rng)
{
    for (size_t i = 0; i < q->n; i++)
        q->x[i] = (q->y[i] > 0 ? 1 : -1) * (0.01 + fabs(q->x[i]));
    q->x[tm_rng_below(rng, q->n)] *= -1e-3;
}

/* But not so nearly that the second counts as dependent (1e-12), and is left out. */
static void nearly_dependent(problem *q, tm_rng *rng)
{
    double by = (1 + fabs(q->x[0])) * pow(10, tm_rng_range(rng, -9, -4));
    for (size_t i = 0; i < q->n; i++)
        q->x[i + q->n] = 3 * q->x[i] + by * q->x[i + q->n];
}

static void (*const kinds[])(problem *q, tm_rng *rng) = {far, small, separates_some, separates_most,
                                                         nearly_dependent};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Up to two of the kinds; numbers, or two classes that overlap. */
static problem make(uint64_t seed, bool two, tm_rng *rng)
{
    tm_rng_seed(rng, check_seed(seed));
    problem q = {.seed = seed, .n = 10 + tm_rng_below(rng, MAX_N - 9)};
    q.p = P;
    q.x = malloc(q.n * P * sizeof *q.x);
    q.y = malloc(q.n * sizeof *q.y);
    for (size_t k = 0; k < q.n * P; k++)
        q.x[k] = tm_rng_normal(rng);
    for (size_t i = 0; i < q.n; i++)
        q.y[i] = q.x[i] + q.x[i + 3 * q.n] + tm_rng_normal(rng);
    if (two)
        problem_make_binary(&q);
    size_t first = tm_rng_below(rng, KINDS), last = seed % KINDS;
    kinds[first < last ? first : last](&q, rng);
    if (first != last)
        kinds[first < last ? last : first](&q, rng);
    bool moved = first == 0 || last == 0, near = first == KINDS - 1 || last == KINDS - 1;
    q.kind = near ? "nearly dependent" : moved ? "far" : "near";
    return q;
}

/* ---- values that are reached ----------------------------------------------------------------- */

typedef long double (*loss_part)(long double y, long double z);

static long double squared(long double y, long double z)
{
    return (y - z) * (y - z) / 2;
}
static long double squared_slope(long double y, long double z)
{
    return z - y;
}
static long double squared_curvature(long double y, long double z)
{
    (void)y;
    (void)z;
    return 1;
}
static long double logistic(long double y, long double z)
{
    return y * z > 0 ? log1pl(expl(-y * z)) : log1pl(expl(y * z)) - y * z;
}
static long double logistic_slope(long double y, long double z)
{
    return -y / (1 + expl(y * z));
}
static long double logistic_curvature(long double y, long double z)
{
    return 1 / ((1 + expl(y * z)) * (1 + expl(-y * z)));
}
static long double hinge(long double y, long double z)
{
    return fmaxl(0, 1 - y * z);
}
static long double squared_hinge(long double y, long double z)
{
    return hinge(y, z) * hinge(y, z) / 2;
}
static long double squared_hinge_slope(long double y, long double z)
{
    return -y * hinge(y, z);
}
static long double squared_hinge_curvature(long double y, long double z)
{
    return y * z < 1;
}

typedef struct losses {
    const char *id;
    loss_part value, slope, curvature;
} losses;
static const losses every_loss[] = {
    {"squared", squared, squared_slope, squared_curvature},
    {"logistic", logistic, logistic_slope, logistic_curvature},
    {"squared_hinge", squared_hinge, squared_hinge_slope, squared_hinge_curvature},
};

/* Predictions, and the columns along which they may move without a change of the penalty. Those of
 * the answer's unpenalised weights may be sums of numbers so large that even a long double loses
 * them: their projection onto the columns takes their place. */
typedef struct reach {
    const losses *l;
    const double *y, *weights; /* weights: or NULL */
    size_t n, count;
    long double z[MAX_N];     /* of the other weights; then with the unpenalised part */
    long double moved[MAX_N]; /* that part of the answer's, nearly */
    long double columns[MOST_MOVING][MAX_N];
    long double least; /* the least loss so far */
} reach;

static long double loss_at(const reach *r, const long double *z)
{
    long double sum = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += (r->weights ? r->weights[i] : 1) * r->l->value(r->y[i], z[i]);
    return sum;
}

/* Orthonormal columns: moves along them are moves along those given. */
static void orthogonalise(reach *r)
{
    size_t kept = 0;
    for (size_t k = 0; k < r->count; k++) {
        long double *column = r->columns[kept], before, after;
        memmove(column, r->columns[k], sizeof r->columns[k]);
        before = sqrtl(ref_dot(column, column, r->n));
        for (size_t m = 0; m < 2 * kept; m++) {
            const long double *other = r->columns[m % kept];
            long double share = ref_dot(other, column, r->n);
            for (size_t i = 0; i < r->n; i++)
                column[i] -= share * other[i];
        }
        after = sqrtl(ref_dot(column, column, r->n));
        for (size_t i = 0; i < r->n; i++)
            column[i] /= after;
        kept += after > 1e-12L * before;
    }
    r->count = kept;
}

/* Solves the count equations m x = c by elimination; the result is in c. */
static void eliminate(long double m[][MOST_MOVING], long double *c, size_t count)
{
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            long double factor = b == a ? 0 : m[b][a] / m[a][a];
            for (size_t k = 0; k < count; k++)
                m[b][k] -= factor * m[a][k];
            c[b] -= factor * c[a];
        }
    for (size_t a = 0; a < count; a++)
        c[a] /= m[a][a];
}

/* Newton's step with halvings; whether the loss decreased. */
static bool descend(reach *r)
{
    long double m[MOST_MOVING][MOST_MOVING] = {{0}}, c[MOST_MOVING] = {0}, next[MAX_N], t = 1;
    for (size_t i = 0; i < r->n; i++) {
        long double s = r->weights ? r->weights[i] : 1;
        long double slope = s * r->l->slope(r->y[i], r->z[i]);
        long double curvature = s * r->l->curvature(r->y[i], r->z[i]);
        for (size_t a = 0; a < r->count; a++) {
            c[a] -= slope * r->columns[a][i];
            for (size_t b = 0; b < r->count; b++)
                m[a][b] += curvature * r->columns[a][i] * r->columns[b][i];
        }
    }
    for (size_t a = 0; a < r->count; a++)
        m[a][a] += 1e-17L * m[a][a] + 1e-22L;
    eliminate(m, c, r->count);
    for (int halving = 0; halving < 30; halving++, t /= 2) {
        memcpy(next, r->z, sizeof next);
        for (size_t a = 0; a < r->count; a++)
            for (size_t i = 0; i < r->n; i++)
                next[i] += t * c[a] * r->columns[a][i];
        long double value = loss_at(r, next);
        if (value < r->least) {
            memcpy(r->z, next, sizeof next);
            r->least = value;
            return true;
        }
    }
    return false;
}

static long double least_loss(reach *r)
{
    orthogonalise(r);
    for (size_t k = 0; k < r->count; k++) {
        long double share = ref_dot(r->columns[k], r->moved, r->n);
        for (size_t i = 0; i < r->n; i++)
            r->z[i] += share * r->columns[k][i];
    }
    r->least = loss_at(r, r->z);
    for (int step = 0; step < 200 && descend(r); step++)
        continue;
    return r->least;
}

static const losses *loss_named(const char *id)
{
    for (size_t k = 0; k < sizeof every_loss / sizeof *every_loss; k++)
        if (strcmp(every_loss[k].id, id) == 0)
            return &every_loss[k];
    fail_msg("no loss %s", id);
    return NULL;
}

/* The predictions of an answer whose first `moving` features are unpenalised: those below `from`
 * stay. Columns are taken without what an intercept, or the feature before, makes up for, which is
 * exact: so they are far from dependent. */
static reach reach_of(const problem *q, const char *loss, const double *weights, bool intercept,
                      const tm_solution *s, size_t from, size_t moving)
{
    reach r = {.l = loss_named(loss), .y = q->y, .weights = weights, .n = q->n};
    for (size_t i = 0; i < q->n; i++) {
        *(intercept ? &r.moved[i] : &r.z[i]) += tm_model_intercept(s->model);
        for (size_t j = 0; j < q->p; j++)
            *(j >= from && j < moving ? &r.moved[i] : &r.z[i]) +=
                (long double)tm_model_weight(s->model, j) * problem_column(q, j)[i];
        r.columns[0][i] = 1;
    }
    r.count = intercept;
    for (size_t j = from; j < moving; j++) {
        const double *x = problem_column(q, j);
        bool near = j == 1 && from == 0 && strcmp(q->kind, "nearly dependent") == 0;
        for (size_t i = 0; i < q->n; i++)
            r.columns[r.count][i] = (long double)x[i] -
                                    (near ? 3 * (long double)problem_column(q, 0)[i] : 0) -
                                    (intercept && !near ? x[0] : 0);
        r.count++;
    }
    return r;
}

/* Rounding is allowed for: that of sums of n terms, and of products with penalised columns. */
static void must_be_below(const tm_solution *s, long double reached, long double products,
                          const char *what, uint64_t seed)
{
    long double size = fabsl(s->null_objective) + fabsl(s->primal) + 0.1L * products;
    if (!(s->dual <= reached + 2e-14L * size))
        fail_msg("%s, problem %d: lower bound %.17g above %.17Lg, which is reached (by %Lg of %Lg)",
                 what, (int)seed, s->dual, reached, s->dual - reached, size);
}

/* sum_i |l'(z_i)| sum_j |w_j x_ij| */
static long double size_of_products(const reach *r, const problem *q, const tm_solution *s)
{
    long double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        for (size_t j = 0; j < q->p; j++)
            sum += fabsl(r->l->slope(q->y[i], r->z[i]) * tm_model_weight(s->model, j) *
                         problem_column(q, j)[i]);
    return sum;
}

/* ---- the l1 methods ---------------------------------------------------------------------------
 */

static void ask(const general *g, const char *strategy, const char *tol, double lambda)
{
    static const char *const loss_ids[] = {"squared", "logistic", "squared_hinge"};
    char words[80], what[200];
    tm_solution s;
    tm_error err = TM_ERROR_INIT;
    int m = strcmp(g->method, "lasso") == 0 ? 0 : strcmp(g->method, "l1logistic") == 0 ? 1 : 2;
    tm_dataset *data = general_dataset(g);
    snprintf(words, sizeof words, "tol=%s screen=%s max_iter=300", tol, strategy);
    snprintf(what, sizeof what, "%s %s intercept=%d alpha=%g weights=%d limits=%d", g->method,
             words, g->intercept, g->alpha, g->weights != NULL, g->lower != NULL);
    tm_status status = general_try(g, data, words, lambda, &s, &err);
    tm_dataset_unref(data);
    if (status == TM_EDATA) /* the columns separate all rows */
        return;
    if (status != TM_OK)
        fail_msg("%s: %s", what, err.message);
    size_t from = g->lower ? 1 : 0;
    reach r = reach_of(g->q, loss_ids[m], g->weights, g->intercept, &s, from, 2);
    long double penalty = 0;
    for (size_t j = 0; j < P; j++) {
        long double w = tm_model_weight(s.model, j);
        penalty +=
            general_factor(g, j) * lambda * (g->alpha * fabsl(w) + (1 - g->alpha) * w * w / 2);
    }
    must_be_below(&s, least_loss(&r) + penalty, 0, what, g->q->seed);
    tm_solution_clear(&s);
}

/* The first feature may be bounded by 0, where its weight is not so large that it matters. */
CHECK(features)
{
    static const char *const methods[] = {"lasso", "l1logistic", "l1svm"};
    static const char *const strategies[] = {"auto", "gap", "saif", "none"};
    static const char *const tols[] = {"1e-3", "1e-6", "1e-9", "1e-12"};
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (size_t m = 0; m < 3; m++) {
            tm_rng rng;
            problem q = make(seed, m > 0, &rng);
            double weights[MAX_N], factors[P] = {0, 0, 1, 1, 0.5, 2, 1, 1}, lower[P] = {0};
            for (size_t j = 1; j < P; j++)
                lower[j] = -INFINITY;
            for (size_t i = 0; i < q.n; i++)
                weights[i] = tm_rng_range(&rng, 0.5, 2);
            general g = {.q = &q,
                         .method = methods[m],
                         .intercept = tm_rng_below(&rng, 2),
                         .alpha = tm_rng_below(&rng, 2) ? 1 : 0.6,
                         .weights = tm_rng_below(&rng, 2) ? weights : NULL,
                         .factors = factors};
            double lambda = pow(10, tm_rng_range(&rng, -2, 1));
            if (strcmp(q.kind, "near") == 0 && tm_rng_below(&rng, 2))
                g.lower = lower;
            for (size_t k = 0; k < 4; k++)
                ask(&g, strategies[k], tols[(k + seed) % 4], lambda);
            problem_free(&q);
        }
}

/* ---- intercepts, and what other penalties leave free ------------------------------------------
 */

typedef struct family {
    const char *method, *loss, *words;
    bool in_C; /* |w|^2 / 2 + C sum l, with C = 1; else sum l + lambda sum_j |w_j+1 - w_j| or 0 */
} family;
static const family families[] = {
    {"ridge", "squared", "C=1 standardize=false", true},
    {"logistic", "logistic", "C=1 standardize=false", true},
    {"svm_l2", "squared_hinge", "C=1 standardize=false", true},
    {"fgm", "squared_hinge", "C=1 B=8 standardize=false loss=squared_hinge intercept=true", true},
    {"fgm", "logistic", "C=1 B=8 standardize=false loss=logistic intercept=true", true},
    {"genlasso", "squared", "loss=squared", false},
    {"genlasso", "logistic", "loss=logistic", false},
    {"grouplasso", "logistic", "loss=logistic groups=2 standardize=false", false},
    {"grouplasso", "squared_hinge", "loss=squared_hinge groups=2 standardize=false", false},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* Columns far from zero, so that the intercept is large. */
static problem far_problem(uint64_t seed, bool two)
{
    tm_rng rng;
    problem q = make(seed, two, &rng);
    for (size_t j = 0; j < P; j++) {
        double by = pow(10, tm_rng_range(&rng, 0, 4));
        for (size_t i = 0; i < q.n; i++)
            problem_column(&q, j)[i] += by;
    }
    return q;
}

static long double penalty_of(const family *f, double lambda, const tm_solution *s)
{
    long double sum = 0;
    for (size_t j = 0; j < P; j++) {
        long double w = tm_model_weight(s->model, j);
        if (f->in_C)
            sum += w * w / 2;
        else if (j > 0)
            sum += lambda * fabsl(w - tm_model_weight(s->model, j - 1));
    }
    return sum;
}

static void ask_family(const family *f, const problem *q, double lambda, const char *tol)
{
    bool two = strcmp(f->loss, "squared") != 0, genlasso = strcmp(f->method, "genlasso") == 0;
    char words[160];
    tm_solution s = TM_SOLUTION_INIT;
    tm_error err = TM_ERROR_INIT;
    tm_dataset *data = problem_dataset_of(q, !two);
    snprintf(words, sizeof words, "tol=%s max_iter=300 %s", tol, f->words);
    tm_params *params = method_params(f->method, words);
    tm_solver *solver = NULL;
    /* Groups without a penalty: all features are free. */
    lambda = f->in_C || genlasso ? lambda : 0;
    tm_status status = f->in_C ? TM_OK : tm_params_set_real(params, "lambda", lambda, &err);
    if (status == TM_OK)
        status = tm_solver_new(&solver, tm_method_find(f->method, NULL), data, params, NULL, &err);
    if (status == TM_OK)
        status = tm_solver_update(solver, params, &err);
    if (status == TM_OK)
        status = tm_solver_solve(solver, &s, &err);
    tm_solver_free(solver);
    tm_params_free(params);
    tm_dataset_unref(data);
    if (status == TM_EDATA)
        return;
    if (status != TM_OK)
        fail_msg("%s %s: %s", f->method, words, err.message);
    reach r = reach_of(q, f->loss, NULL, true, &s, 0, 0);
    for (size_t i = 0; genlasso && i < q->n; i++)
        for (size_t j = 0; j < P; j++)
            r.columns[1][i] += (long double)problem_column(q, j)[i] - problem_column(q, j)[0];
    r.count += genlasso;
    long double reached = least_loss(&r) + penalty_of(f, lambda, &s);
    must_be_below(&s, reached, size_of_products(&r, q, &s), f->method, q->seed);
    tm_solution_clear(&s);
}

CHECK(intercepts)
{
    static const char *const tols[] = {"1e-4", "1e-8"};
    for (uint64_t seed = 0; seed < SEEDS / 2; seed++)
        for (size_t k = 0; k < FAMILIES; k++) {
            problem q = far_problem(seed, strcmp(families[k].loss, "squared") != 0);
            ask_family(&families[k], &q, pow(10, (double)(seed % 4) - 2), tols[seed % 2]);
            problem_free(&q);
        }
}

/* One row is fitted perfectly: the gap asked for is 0, and that of the answer is rounding. */
CHECK(perfect_fits_of_groups_end)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        tm_rng rng;
        tm_rng_seed(&rng, check_seed(3000 + seed));
        problem q = {.seed = seed, .kind = "one row", .n = 1, .p = P};
        double x[P], y = tm_rng_normal(&rng), weight = 1.5, offset = 0.3 * tm_rng_normal(&rng);
        for (size_t j = 0; j < P; j++)
            x[j] = tm_rng_normal(&rng);
        q.x = x;
        q.y = &y;
        general g = {.q = &q, .method = "lasso", .weights = &weight, .offset = &offset};
        tm_dataset *data = general_dataset(&g);
        tm_solution s;
        tm_error err = TM_ERROR_INIT;
        tm_params *params = method_params("grouplasso", seed % 2 ? "groups=2 tol=1e-9"
                                                                 : "groups=1 solver=bcd tol=1e-9");
        if (solve_once("grouplasso", params, data, 0, &s, &err) != TM_OK)
            fail_msg("%s", err.message);
        assert_true(fabs(s.gap) <= 1e-14 && s.primal <= 1e-14);
        tm_solution_clear(&s);
        tm_dataset_unref(data);
    }
}

RUN_TESTS(features, intercepts, perfect_fits_of_groups_end)
