/* A slow reference for l1 problems of any loss that shares nothing with the library: Newton's
 * method with a line search, its quadratic problems by coordinate descent, all in long double,
 * until the duality gap is rounding. */
#ifndef TESTS_EXACT_H
#define TESTS_EXACT_H

#include "problem.h"

typedef long double (*exact_part)(long double y, long double t);

/* Of a loss: l(y, z), its derivatives in z, and -l*(y, -a). */
typedef struct exact_loss {
    const char *name;
    exact_part value, slope, curvature, dual;
} exact_loss;

static inline long double exact_squared(long double y, long double z)
{
    return (y - z) * (y - z) / 2;
}

static inline long double exact_squared_slope(long double y, long double z)
{
    return z - y;
}

static inline long double exact_one(long double y, long double z)
{
    (void)y;
    (void)z;
    return 1;
}

static inline long double exact_quadratic_dual(long double y, long double a)
{
    return y * a - a * a / 2;
}

static inline long double exact_hinge(long double y, long double z)
{
    long double slack = fmaxl(0, 1 - y * z);
    return slack * slack / 2;
}

static inline long double exact_hinge_slope(long double y, long double z)
{
    return -y * fmaxl(0, 1 - y * z);
}

/* Rows at the corner count: an intercept can hold them there. */
static inline long double exact_hinge_curvature(long double y, long double z)
{
    return y * z < 1 + 1e-15L;
}

static inline long double exact_logistic(long double y, long double z)
{
    long double m = y * z;
    return m > 0 ? log1pl(expl(-m)) : log1pl(expl(m)) - m;
}

static inline long double exact_logistic_slope(long double y, long double z)
{
    return -y / (1 + expl(y * z));
}

static inline long double exact_logistic_curvature(long double y, long double z)
{
    return 1 / ((1 + expl(y * z)) * (1 + expl(-y * z)));
}

static inline long double exact_entropy(long double y, long double a)
{
    long double p = y * a;
    return p > 0 && p < 1 ? -p * logl(p) - (1 - p) * log1pl(-p) : 0;
}

static const exact_loss exact_losses[] = {
    {"squared", exact_squared, exact_squared_slope, exact_one, exact_quadratic_dual},
    {"squared_hinge", exact_hinge, exact_hinge_slope, exact_hinge_curvature, exact_quadratic_dual},
    {"logistic", exact_logistic, exact_logistic_slope, exact_logistic_curvature, exact_entropy},
};

/* Columns are x_1 .. x_p and, with an intercept, one of ones without a penalty. */
typedef struct exact {
    const exact_loss *loss;
    const problem *q;
    size_t columns;
    long double lambda;
    long double *x; /* n values a column; the features' centred when there is an intercept */
    long double *w; /* of the columns */
    long double *z; /* n: predictions */
    long double primal, gap, null_objective; /* the last of no weights and no intercept */
    /* The Newton step d, Xd, first and second derivatives at z, and sum_i h_i x_ij^2. */
    long double *d, *zd, *g, *h, *squares;
    long double *system; /* room for a linear system in the columns */
} exact;

static inline const long double *exact_column(const exact *e, size_t j)
{
    return e->x + j * e->q->n;
}

static inline long double exact_penalty(const exact *e, size_t j)
{
    return j < e->q->p ? e->lambda : 0;
}

static inline long double exact_value(const exact *e, long double t)
{
    long double sum = 0;
    for (size_t i = 0; i < e->q->n; i++)
        sum += e->loss->value(e->q->y[i], e->z[i] + t * e->zd[i]);
    for (size_t j = 0; j < e->columns; j++)
        sum += exact_penalty(e, j) * fabsl(e->w[j] + t * e->d[j]);
    return sum;
}

static inline void exact_change(exact *e, size_t j, long double by)
{
    for (size_t i = 0; i < e->q->n; i++)
        e->zd[i] += by * exact_column(e, j)[i];
    e->d[j] += by;
}

static inline long double exact_model_slope(const exact *e, size_t j)
{
    long double slope = 0;
    for (size_t i = 0; i < e->q->n; i++)
        slope += exact_column(e, j)[i] * (e->g[i] + e->h[i] * e->zd[i]);
    return slope;
}

/* The quadratic model's best change of coordinate j while the others stay; its size. */
static inline long double exact_coordinate(exact *e, size_t j)
{
    long double square = e->squares[j], at = e->w[j] + e->d[j];
    if (square == 0)
        return 0;
    long double target = at - exact_model_slope(e, j) / square;
    long double most = exact_penalty(e, j) / square;
    long double next = target > most ? target - most : target < -most ? target + most : 0;
    exact_change(e, j, next - at);
    return fabsl(next - at) * sqrtl(square);
}

/* Gauss-Jordan with pivots from the diagonal; unknowns whose pivot is rounding stay 0. `m`: count
 * rows of count + 1, the solution in the last column. */
static inline void exact_eliminate(long double *m, size_t count)
{
    size_t wide = count + 1;
    for (size_t a = 0; a < count; a++) {
        long double pivot = m[a * wide + a];
        if (!(pivot > 1e-15L))
            continue;
        for (size_t b = 0; b < count; b++) {
            long double factor = m[b * wide + a] / pivot;
            for (size_t k = a; b != a && k < wide; k++)
                m[b * wide + k] -= factor * m[a * wide + k];
        }
    }
    for (size_t a = 0; a < count; a++) {
        long double pivot = m[a * wide + a];
        m[a * wide + count] = pivot > 1e-15L ? m[a * wide + count] / pivot : 0;
    }
}

/* The model's minimum over the columns that are not zero, with their signs; as far as the first of
 * them that would change its sign, which becomes zero. */
static inline void exact_jump(exact *e)
{
    size_t count = 0, set[64], first = SIZE_MAX;
    for (size_t j = 0; j < e->columns; j++)
        if (e->squares[j] > 0 && (j == e->q->p || e->w[j] + e->d[j] != 0)) {
            if (count == 64)
                return;
            set[count++] = j;
        }
    long double *m = e->system, step[64], t = 1;
    for (size_t a = 0; a < count; a++) {
        long double at = e->w[set[a]] + e->d[set[a]], size = sqrtl(e->squares[set[a]]);
        for (size_t b = 0; b < count; b++) {
            long double sum = 0;
            for (size_t i = 0; i < e->q->n; i++)
                sum += e->h[i] * exact_column(e, set[a])[i] * exact_column(e, set[b])[i];
            m[a * (count + 1) + b] = sum / (size * sqrtl(e->squares[set[b]]));
        }
        m[a * (count + 1) + count] =
            -(exact_model_slope(e, set[a]) + copysignl(exact_penalty(e, set[a]), at)) / size;
    }
    exact_eliminate(m, count);
    for (size_t a = 0; a < count; a++) {
        long double at = e->w[set[a]] + e->d[set[a]];
        long double by = m[a * (count + 1) + count] / sqrtl(e->squares[set[a]]);
        step[a] = by;
        if (set[a] < e->q->p && at * (at + by) < 0 && -at / by < t) {
            t = -at / by;
            first = set[a];
        }
    }
    for (size_t a = 0; a < count; a++)
        exact_change(e, set[a], set[a] == first ? -(e->w[first] + e->d[first]) : t * step[a]);
}

static inline void exact_step(exact *e)
{
    static const long double LEAST = 1e-7L; /* rows of no curvature do not make a step endless */
    for (size_t i = 0; i < e->q->n; i++) {
        e->g[i] = e->loss->slope(e->q->y[i], e->z[i]);
        e->h[i] = fmaxl(e->loss->curvature(e->q->y[i], e->z[i]), LEAST);
        e->zd[i] = 0;
    }
    for (size_t j = 0; j < e->columns; j++) {
        e->d[j] = e->squares[j] = 0;
        for (size_t i = 0; i < e->q->n; i++)
            e->squares[j] += e->h[i] * exact_column(e, j)[i] * exact_column(e, j)[i];
    }
    long double first = 0, greatest = 1;
    for (int sweep = 0; sweep < 200 && greatest > 1e-6L * first; sweep++) {
        greatest = 0;
        for (size_t j = 0; j < e->columns; j++)
            greatest = fmaxl(greatest, exact_coordinate(e, j));
        first = fmaxl(first, greatest);
        exact_jump(e);
    }
    long double t = 1, here = exact_value(e, 0);
    while (t > 1e-9L && !(exact_value(e, t) <= here))
        t /= 2;
    for (size_t i = 0; i < e->q->n; i++)
        e->z[i] += t * e->zd[i];
    for (size_t j = 0; j < e->columns; j++)
        e->w[j] += t * e->d[j];
}

/* Sums to zero what does so but for rounding. Of two classes the greater sum shrinks, so that no
 * a_i leaves the conjugate's domain. */
static inline void exact_balance(const exact *e, long double *a)
{
    long double sums[2] = {0, 0};
    if (e->loss->slope == exact_squared_slope) {
        ref_centre(a, e->q->n);
        return;
    }
    for (size_t i = 0; i < e->q->n; i++)
        sums[e->q->y[i] > 0] += fabsl(a[i]);
    for (size_t i = 0; i < e->q->n; i++)
        a[i] *= fminl(1, sums[e->q->y[i] < 0] / sums[e->q->y[i] > 0]);
}

/* Primal and dual value, the dual variables scaled into their constraints. */
static inline void exact_measure(exact *e)
{
    long double *a = e->g, greatest = e->lambda, dual = 0;
    for (size_t i = 0; i < e->q->n; i++)
        a[i] = -e->loss->slope(e->q->y[i], e->z[i]);
    if (e->columns > e->q->p)
        exact_balance(e, a);
    for (size_t j = 0; j < e->q->p; j++)
        greatest = fmaxl(greatest, fabsl(ref_dot(exact_column(e, j), a, e->q->n)));
    for (size_t i = 0; i < e->q->n; i++)
        dual += e->loss->dual(e->q->y[i], a[i] * (e->lambda / greatest));
    e->primal = exact_value(e, 0);
    e->gap = e->primal - dual;
}

static inline long double *exact_room(size_t count)
{
    long double *room = calloc(count, sizeof *room);
    assert_non_null(room);
    return room;
}

/* Mostly to a relative gap of 1e-15; what is compared allows for the gap that is left where
 * logistic losses of nearly separable classes crawl. Fails where it is above 1e-10. */
static inline exact exact_solve(const problem *q, const char *loss, bool intercept, double lambda)
{
    exact e = {.q = q, .columns = q->p + intercept, .lambda = lambda};
    for (size_t k = 0; k < sizeof exact_losses / sizeof exact_losses[0]; k++)
        if (strcmp(exact_losses[k].name, loss) == 0)
            e.loss = &exact_losses[k];
    assert_non_null(e.loss);
    e.x = ref_columns(q, intercept, 1);
    for (size_t i = 0; i < q->n; i++)
        e.x[q->p * q->n + i] = 1;
    long double **const rooms[] = {&e.w, &e.d, &e.squares},
                        **const rows[] = {&e.z, &e.zd, &e.g, &e.h};
    for (size_t k = 0; k < 3; k++)
        *rooms[k] = exact_room(e.columns);
    for (size_t k = 0; k < 4; k++)
        *rows[k] = exact_room(q->n);
    e.system = exact_room(64 * 65);
    e.null_objective = exact_value(&e, 0);
    e.gap = e.null_objective;
    for (int step = 0; step < (check_committed() ? 500 : 5000) && e.gap > 1e-15L * e.null_objective;
         step++) {
        exact_step(&e);
        memset(e.d, 0, e.columns * sizeof *e.d);
        memset(e.zd, 0, q->n * sizeof *e.zd);
        exact_measure(&e);
    }
    if (!(fabsl(e.gap) <= 1e-10L * e.null_objective))
        fail_msg("the reference of problem %llu (%s), loss %s, has a gap of %Lg of %Lg",
                 (unsigned long long)q->seed, q->kind, loss, e.gap, e.null_objective);
    return e;
}

static inline void exact_free(exact *e)
{
    free(e->x);
    free(e->w);
    free(e->z);
    free(e->d);
    free(e->zd);
    free(e->g);
    free(e->h);
    free(e->squares);
    free(e->system);
}

#endif
