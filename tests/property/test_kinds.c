/* Every method gives the same certified answer however the data are stored. */
#include "any_method.h"

enum { N = 48, P = 70, KINDS = 7 };

/* Copies of an allele, mostly none, so that every kind of storage holds them exactly. */
static void draw(double *values, uint8_t *packed, uint64_t seed)
{
    tm_rng rng;
    tm_rng_seed(&rng, check_seed(seed));
    for (size_t j = 0; j < P; j++)
        for (size_t i = 0; i < N; i++) {
            static const unsigned codes[3] = {3, 2, 0};
            unsigned copies = tm_rng_uniform(&rng) < 0.7 ? 0 : 1 + (unsigned)tm_rng_below(&rng, 2);
            values[i + j * N] = copies;
            packed[j * (N / 4) + i / 4] |= (uint8_t)(codes[copies] << 2 * (i % 4));
        }
}

static tm_matrix *view_of(tm_matrix *whole)
{
    tm_error err;
    tm_matrix *view;
    size_t cols[P];
    for (size_t j = 0; j < P; j++)
        cols[j] = j;
    must(tm_matrix_select_cols(&view, whole, cols, P, &err), &err);
    tm_matrix_unref(whole);
    return view;
}

static tm_matrix *narrowed(tm_matrix *x)
{
    tm_error err;
    must(tm_matrix_to_float(x, &err), &err);
    return x;
}

static void make_kinds(tm_dataset *kinds[KINDS], uint64_t seed)
{
    double *values = malloc(N * P * sizeof *values);
    uint8_t *packed = calloc(P, N / 4);
    tm_error err;
    assert_non_null(values);
    assert_non_null(packed);
    draw(values, packed, seed);
    tm_matrix *x[KINDS] = {dense_of(N, P, values),           csc_of(N, P, values),
                           narrowed(dense_of(N, P, values)), narrowed(csc_of(N, P, values)),
                           view_of(dense_of(N, P, values)),  view_of(csc_of(N, P, values))};
    must(tm_matrix_new_genotypes(&x[6], N, P, packed, NULL, &err), &err);
    for (int k = 0; k < KINDS; k++) {
        tm_dataset_parts parts = {.name = tm_matrix_kind(x[k]), .x = x[k]};
        parts.response.y = malloc(N * sizeof *parts.response.y);
        assert_non_null(parts.response.y);
        for (size_t i = 0; i < N; i++)
            parts.response.y[i] =
                values[i] + values[i + 5 * N] - values[i + 9 * N] + sin((double)i) > 0.4 ? 1 : -1;
        must(tm_dataset_new(&kinds[k], &parts, &err), &err);
    }
    free(values);
}

/* The optimum lies between dual and primal: two answers to one problem overlap. */
static bool check_method(const tm_method *method, tm_dataset *const kinds[KINDS],
                         const char *screen)
{
    double tol;
    tm_solution plain, other;
    /* The last problem of this one depends on how far the ones before it were solved. */
    bool follows = strcmp(tm_method_id(method), "reweighted") == 0;
    if (!solve(&plain, method, kinds[0], screen, &tol))
        return false;
    for (int k = 1; k < KINDS; k++) {
        assert_true(solve(&other, method, kinds[k], screen, &tol));
        double slack = (follows ? 1e-5 : 1e-9) * fabs(plain.null_objective);
        if (other.outcome != plain.outcome || other.primal < plain.dual - slack ||
            plain.primal < other.dual - slack ||
            (other.outcome == TM_CONVERGED && other.gap > 1.001 * tol * other.null_objective))
            fail_msg("%s, screen %s, %s: primal %.12g dual %.12g, dense: primal %.12g dual %.12g",
                     tm_method_id(method), screen ? screen : "-", tm_dataset_name(kinds[k]),
                     other.primal, other.dual, plain.primal, plain.dual);
        tm_solution_clear(&other);
    }
    tm_solution_clear(&plain);
    return true;
}

CHECK(every_method_takes_every_kind)
{
    tm_dataset *kinds[KINDS];
    const tm_method *method;
    size_t solved = 0;
    make_kinds(kinds, 11);
    for (size_t m = 0; (method = tm_methods_at(m)); m++) {
        const tm_choice *screens = screens_of(method);
        if (!screens)
            solved += check_method(method, kinds, NULL);
        for (; screens && screens->name; screens++)
            solved += check_method(method, kinds, screens->name);
    }
    assert_true(solved >= 12);
    for (int k = 0; k < KINDS; k++)
        tm_dataset_unref(kinds[k]);
}

/* Equal content has one fingerprint; the statistics are the same numbers. */
CHECK(the_content_is_the_same)
{
    tm_dataset *kinds[KINDS];
    make_kinds(kinds, 12);
    for (int k = 0; k < KINDS; k++) {
        assert_string_equal(tm_dataset_sha256(kinds[k]), tm_dataset_sha256(kinds[0]));
        for (size_t j = 0; j < P; j++) {
            assert_true(fabs(tm_dataset_means(kinds[k])[j] - tm_dataset_means(kinds[0])[j]) <
                        1e-14);
            double ours = tm_dataset_deviations(kinds[k])[j];
            assert_true(fabs(ours - tm_dataset_deviations(kinds[0])[j]) < 1e-12 * (ours + 1));
        }
    }
    for (int k = 0; k < KINDS; k++)
        tm_dataset_unref(kinds[k]);
}

RUN_TESTS(every_method_takes_every_kind, the_content_is_the_same)
