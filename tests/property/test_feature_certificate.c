/* The certificate of problems with |.|_(B) believes nothing it is handed: whatever the dual point,
 * its bound is below the optimum, and what it remembers of a point is of no use to another. */
#include "fgm_problem.h"

#include "model/certificate/feature.h"

typedef struct fixture {
    problem q;
    tm_dataset *data;
    tm_source *source;
    feature_problem of;
    feature_certifier *certifier;
    double optimum; /* the primal value of a fit, which is not below the optimum */
    double null;    /* the objective without features and intercept */
} fixture;

static fixture fixture_new(uint64_t seed)
{
    tm_error err = TM_ERROR_INIT;
    bool logistic = seed % 2 == 1, intercept = seed % 3 != 0;
    fixture f = {.q = tame_problem(seed)};
    f.data = problem_dataset_of(&f.q, false);
    f.of = (feature_problem){logistic ? "logistic" : "squared_hinge", 2, 1.5, intercept};
    char words[200];
    snprintf(words, sizeof words, "loss=%s intercept=%s B=2 C=1.5 tol=1e-8", f.of.loss,
             intercept ? "true" : "false");
    f.optimum = value_with("fgm", f.data, words);
    f.null = 1.5 * (double)f.q.n * (logistic ? log(2) : 0.5);
    tm_source_spec spec = {.kind = "columns", .intercept = intercept};
    if (tm_source_new(&f.source, f.data, &spec, &err) != TM_OK ||
        feature_certifier_new(&f.certifier, f.source, f.of.loss, &err) != TM_OK)
        fail_msg("%s", err.message);
    return f;
}

static void fixture_free(fixture *f)
{
    feature_certifier_free(f->certifier);
    tm_source_free(f->source);
    tm_dataset_unref(f->data);
    problem_free(&f->q);
}

/* Of the model without weights and intercept; the columns that were passed over go to *columns. */
static tm_certificate certify(const fixture *f, const double *dual, uint64_t *columns)
{
    tm_error err = TM_ERROR_INIT;
    const size_t starts[] = {0};
    feature_claim claim = {.starts = starts, .dual = dual};
    tm_scan scan = {.threads = 1};
    tm_certificate out;
    if (feature_certify(f->certifier, &f->of, &claim, NULL, &scan, &out, &err) != TM_OK)
        fail_msg("%s", err.message);
    *columns = scan.columns;
    assert_true(fabs(out.primal - f->null) <= 1e-12 * f->null);
    assert_true(out.gap == out.primal - out.dual);
    return out;
}

enum { KINDS = 7 };

/* Dual points of which most are infeasible. */
static void fill(const fixture *f, tm_rng *rng, int kind, double *a)
{
    double scale = pow(10, tm_rng_range(rng, -4, 4));
    for (size_t i = 0; i < f->q.n; i++) {
        double size = tm_rng_uniform(rng), y = f->q.y[i];
        double values[KINDS] = {
            scale * tm_rng_normal(rng),               /* of any sign */
            -scale * y * size,                        /* all of the wrong sign */
            y > 0 ? scale * size : 0,                 /* all on one class */
            y * size,                                 /* sums to something */
            tm_rng_below(rng, 4) ? y * size : NAN,    /* no numbers among them */
            tm_rng_below(rng, 4) ? y * size : y / 0., /* infinite ones */
            y * 1e300,                                /* whose squares are */
        };
        a[i] = values[kind];
    }
}

static void test_bogus_points(void **state)
{
    (void)state;
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(4));
    for (uint64_t seed = 1; seed <= 24; seed++) {
        fixture f = fixture_new(seed);
        double *a = calloc(f.q.n, sizeof *a);
        for (int round = 0; round < 10 * KINDS; round++) {
            uint64_t columns;
            fill(&f, &rng, round % KINDS, a);
            tm_certificate c = certify(&f, a, &columns);
            if (!(c.dual <= f.optimum * (1 + 1e-9)) || !(c.dual >= 0))
                fail_msg("problem %d, kind %d: dual %.17g, optimum %.17g", (int)seed, round % KINDS,
                         c.dual, f.optimum);
        }
        free(a);
        fixture_free(&f);
    }
}

/* Zeros bound by zero, at no cost. */
static void test_zeros(void **state)
{
    (void)state;
    fixture f = fixture_new(7);
    uint64_t columns;
    double *a = calloc(f.q.n, sizeof *a);
    assert_true(certify(&f, a, &columns).dual == 0);
    assert_int_equal(columns, 0);
    free(a);
    fixture_free(&f);
}

/* The same point again costs no pass and has the same value to the bit; one that was changed since
 * is passed over, and proves what it proves to one who has seen no other. */
static void test_changed_points(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        fixture f = fixture_new(seed), fresh = fixture_new(seed);
        uint64_t columns;
        double first = certify(&f, NULL, &columns).dual;
        assert_int_equal(columns, f.q.p);
        double *a = malloc(f.q.n * sizeof *a);
        memcpy(a, feature_certifier_dual(f.certifier), f.q.n * sizeof *a);
        assert_true(certify(&f, a, &columns).dual == first);
        assert_int_equal(columns, 0);
        for (size_t i = 0; i < f.q.n; i += 2) {
            a[i] *= 1 + 1e-3 * (double)(i + 1);
            double changed = certify(&f, a, &columns).dual;
            /* In other rounds one sample may be all of its class, whose sum is that of the other:
             * then the point is the same. */
            assert_true(columns == f.q.p || (!check_committed() && columns == 0));
            assert_true(changed <= f.optimum * (1 + 1e-9));
            assert_true(changed == certify(&fresh, a, &columns).dual);
        }
        f.of.B = 1; /* products are known for one B alone */
        certify(&f, a, &columns);
        assert_int_equal(columns, f.q.p);
        free(a);
        fixture_free(&f);
        fixture_free(&fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bogus_points),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_changed_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
