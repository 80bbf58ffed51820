/* Multivariate measures, all features: against the SVM they are with the Hamming loss, against each
 * other, and what their certificate makes of forged witnesses. */
#include "classes.h"
#include "hinge_reference.h"

#include "solve/multi/bundle.h"

static tm_solution solve(const classes *c, const char *words)
{
    return classes_solve(c, "svmperf", words, NULL);
}

/* ---- the l2 SVM with hinge loss ------------------------------------------------------------- */

CHECK(test_hamming_is_the_svm)
{
    for (uint64_t seed = 1; seed <= 24; seed++) {
        classes c = classes_new(seed);
        char words[80];
        double C = pow(10, (double)(seed % 4) - 2) * (double)c.q.n;
        if (strcmp(c.q.kind, "badscaled") == 0 || strcmp(c.q.kind, "offset") == 0)
            C /= 1000; /* the reference needs ever more sweeps */
        snprintf(words, sizeof words, "measure=hamming tol=1e-7 C=%.17g", C);
        tm_solution s = solve(&c, words);
        double expected = hinge_svm(&c.q, 2 * C / (double)c.q.n, false);
        assert_int_equal(s.outcome, TM_CONVERGED);
        double slack = 1e-7 * s.null_objective + 1e-8 * (1 + expected);
        if (s.primal < expected - slack || s.primal > expected + slack || s.dual > expected + slack)
            fail_msg("seed %llu (%s): primal %.12g dual %.12g, SVM %.12g", (unsigned long long)seed,
                     c.q.kind, s.primal, s.dual, expected);
        tm_solution_clear(&s);
        classes_free(&c);
    }
}

/* ---- measures against each other ------------------------------------------------------------ */

static double objective_of(const classes *c, const char *name, double C, const tm_model *model)
{
    const multi_witness nothing = {0};
    return classes_certify(c, name, c->q.p, C, model, &nothing).primal;
}

/* Every run converges; its objective at its own solution is not above that at another's, and its
 * lower bound is below all of them. */
CHECK(test_own_measure_is_best)
{
    for (uint64_t seed = 40; seed < 52; seed++) {
        classes c = classes_new(seed);
        own_measure_is_best(&c, "svmperf", 0.05 * (double)c.q.n, 1e-6, objective_of);
        classes_free(&c);
    }
}

/* ---- the certificate ----------------------------------------------------------------------- */

/* No multipliers, negative ones, too many, and labelings that are none: the bound stays below the
 * optimum. */
CHECK(test_forged_witnesses)
{
    classes c = classes_new(61);
    size_t n = c.q.n;
    double C = 0.1 * (double)n;
    tm_solution best = solve(&c, "measure=f1 tol=1e-7 C_per_row=0.1");
    uint32_t rows[64];
    double flip[64], half[64], none[64] = {0};
    double positives = 0;
    for (size_t i = 0; i < n; i++) {
        rows[i] = (uint32_t)i;
        flip[i] = 2 * c.q.y[i];
        half[i] = 1e-3 * c.q.y[i];
        positives += c.q.y[i] > 0;
    }
    assert_true(positives > 0);
    const labeling labelings[] = {{100, n, rows, flip},
                                  {100, n, rows, half},
                                  {100, n, rows, none},
                                  {100, 0, rows, flip},
                                  {1e6, n, rows, flip}};
    for (size_t k = 0; k < 5; k++)
        for (int e = -3; e <= 8; e++) {
            double alpha = e == -3 ? -C : pow(10, e - 4) * C;
            multi_witness witness = {1, &labelings[k], &alpha};
            tm_certificate found = classes_certify(&c, "f1", c.q.p, C, best.model, &witness);
            assert_true(found.dual <= best.primal + 1e-9);
            if (k > 0)
                assert_true(found.dual == 0); /* none of these is a labeling */
            assert_true(fabs(found.primal - best.primal) <= 1e-12 * (1 + fabs(best.primal)));
        }
    tm_solution_clear(&best);
    classes_free(&c);
}

/* ---- every iterate -------------------------------------------------------------------------- */

/* Delta of the labeling sign(v), of the P rows of greatest v, or of all pairs in the wrong order:
 * what w says by itself. Brute force over nothing but counts. */
static double own_loss(const char *name, const double *y, const double *v, size_t n)
{
    double tp = 0, fp = 0, positives = 0, swapped = 0;
    for (size_t i = 0; i < n; i++) {
        tp += y[i] > 0 && v[i] > 0;
        fp += y[i] < 0 && v[i] > 0;
        positives += y[i] > 0;
        for (size_t k = 0; k < n; k++)
            swapped += y[i] > 0 && y[k] < 0 && v[i] <= v[k];
    }
    if (strcmp(name, "f1") == 0)
        return 100 * (1 - 2 * tp / (positives + tp + fp));
    if (strcmp(name, "hamming") == 0)
        return 2 * (positives - tp + fp);
    return 100 * swapped / (positives * ((double)n - positives));
}

static void dots(const void *owner, size_t from, size_t count, const double *v, double *out)
{
    const problem *q = owner;
    for (size_t k = 0; k < count; k++) {
        out[k] = 0;
        for (size_t i = 0; i < q->n; i++)
            out[k] += problem_column(q, from + k)[i] * v[i];
    }
}

static void axpy(const void *owner, size_t k, double a, double *z)
{
    const problem *q = owner;
    for (size_t i = 0; i < q->n; i++)
        z[i] += a * problem_column(q, k)[i];
}

/* Steps of one plane each: at the trial of every small problem and at the best weights n R(w) is at
 * least Delta of w's own predictions, the upper bound does not rise, and no bound passes the other.
 */
CHECK(test_every_iterate)
{
    static const char *const bounded[] = {"f1", "hamming", "rocarea"};
    for (uint64_t seed = 80; seed < 92; seed++) {
        classes c = classes_new(seed);
        measure m;
        labeler *l;
        bundle b;
        const char *name = bounded[seed % 3];
        const bundle_columns from = {&c.q, dots, axpy};
        solve_progress progress = {.deadline = INFINITY};
        double before = INFINITY, lower = -INFINITY, size = 0;
        assert_int_equal(measure_find(&m, name, NULL), TM_OK);
        assert_int_equal(labeler_new(&l, &m, c.q.y, c.q.n, "here", NULL), TM_OK);
        assert_int_equal(bundle_init(&b, l, c.q.n, &from, NULL), TM_OK);
        b.C = 0.3 * (double)c.q.n;
        assert_int_equal(bundle_set_columns(&b, c.q.p, &progress, NULL), TM_OK);
        assert_int_equal(bundle_add_group(&b, NULL, c.q.p, NULL), TM_OK);
        for (int step = 0; step < 25; step++) {
            b.planes_most = 1;
            assert_int_equal(bundle_solve(&b, 0, NULL, &progress, NULL), TM_OK);
            const double *scores[] = {b.trial.v, b.best.v};
            for (size_t k = 0; k < 2; k++) {
                labeling worst = labeler_worst(l, scores[k]);
                double risk = fmax(labeling_value(&worst, scores[k]), 0);
                double loss = own_loss(name, c.q.y, scores[k], c.q.n);
                if (risk < loss - 1e-9 * (1 + loss))
                    fail_msg("seed %llu, %s, step %d: n R = %.12g, Delta = %.12g",
                             (unsigned long long)seed, name, step, risk, loss);
            }
            lower = fmax(lower, b.lower);
            /* Rounding is relative to the terms, which cancel where the optimum is nearly 0. */
            size = fmax(size, fabs(b.upper));
            assert_true(b.upper <= before + 1e-13 * size && lower <= b.upper + 1e-12 * size);
            before = b.upper;
        }
        bundle_free(&b);
        labeler_free(l);
        classes_free(&c);
    }
}

/* ---- paths, starts, limits ------------------------------------------------------------------ */

CHECK(test_limits)
{
    classes c = classes_new(70);
    tm_solution full = solve(&c, "measure=f1 tol=1e-8"),
                few = solve(&c, "measure=f1 tol=1e-8 max_iter=2");
    tm_solution none = solve(&c, "measure=f1 tol=1e-8 max_iter=0");
    assert_int_equal(full.outcome, TM_CONVERGED);
    assert_int_equal(few.outcome, TM_MAX_ITER);
    assert_int_equal(none.outcome, TM_MAX_ITER);
    assert_int_equal(few.updates, 2);
    assert_true(fabs(none.primal - none.null_objective) <= 1e-12 * (1 + fabs(none.null_objective)));
    assert_true(few.dual <= full.primal + 1e-9 && few.primal >= full.dual - 1e-9);
    tm_solution_clear(&full);
    tm_solution_clear(&few);
    tm_solution_clear(&none);
    classes_free(&c);
}

RUN_TESTS(test_hamming_is_the_svm, test_own_measure_is_best, test_forged_witnesses,
          test_every_iterate, test_limits)
