/* Matrices: every kind of storage against plain loops over the same numbers. */
#include "tests/core_check.h"

enum { DENSE, CSC, DENSE_FLOAT, CSC_FLOAT, DENSE_VIEW, CSC_VIEW, KINDS };

/* A matrix beside the numbers it was made from, which single precision holds, too. */
typedef struct sample {
    size_t n, p;
    double *columns;
    tm_matrix *kinds[KINDS];
} sample;

static tm_matrix *narrowed(tm_matrix *x)
{
    tm_error err = TM_ERROR_INIT;
    must(tm_matrix_to_float(x, &err), &err);
    return x;
}

/* The same columns as a view of a matrix in which they are in reverse, behind another column. */
static tm_matrix *viewed(const sample *s, bool sparse)
{
    double *columns = malloc(s->n * (s->p + 1) * sizeof *columns);
    size_t *cols = malloc(s->p * sizeof *cols);
    tm_error err = TM_ERROR_INIT;
    assert_non_null(columns);
    assert_non_null(cols);
    for (size_t i = 0; i < s->n; i++)
        columns[i] = 77;
    for (size_t j = 0; j < s->p; j++) {
        cols[j] = s->p - j;
        memcpy(columns + cols[j] * s->n, s->columns + j * s->n, s->n * sizeof *columns);
    }
    tm_matrix *whole = sparse ? csc_of(s->n, s->p + 1, columns) : dense_of(s->n, s->p + 1, columns);
    tm_matrix *view;
    must(tm_matrix_select_cols(&view, whole, cols, s->p, &err), &err);
    tm_matrix_unref(whole);
    free(columns);
    free(cols);
    return view;
}

/* The j-th column of every five is empty, and so is every seventh row. */
static sample sample_of(size_t n, size_t p, double density, uint64_t seed)
{
    sample s = {n, p, malloc(n * p * sizeof(double) + 1), {NULL}};
    tm_rng rng;
    assert_non_null(s.columns);
    tm_rng_seed(&rng, seed);
    fill_normal(&rng, s.columns, n * p, density);
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < n; i++)
            s.columns[i + j * n] =
                j % 5 == 4 || i % 7 == 6 ? 0 : (double)(float)s.columns[i + j * n];
    s.kinds[DENSE] = dense_of(n, p, s.columns);
    s.kinds[CSC] = csc_of(n, p, s.columns);
    s.kinds[DENSE_FLOAT] = narrowed(dense_of(n, p, s.columns));
    s.kinds[CSC_FLOAT] = narrowed(csc_of(n, p, s.columns));
    s.kinds[DENSE_VIEW] = viewed(&s, false);
    s.kinds[CSC_VIEW] = viewed(&s, true);
    return s;
}

static void sample_free(sample *s)
{
    for (int kind = 0; kind < KINDS; kind++)
        tm_matrix_unref(s->kinds[kind]);
    free(s->columns);
}

static const struct {
    size_t n, p;
    double density;
} shapes[] = {{1, 1, 1},    {1, 9, 0.5},   {9, 1, 0.5},   {7, 3, 1},     {8, 4, 1},
              {16, 8, 0.3}, {17, 6, 1},    {31, 13, 0.1}, {33, 12, 0.7}, {100, 23, 0.05},
              {65, 5, 0},   {257, 3, 0.9}, {9001, 5, 0.6}};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void for_every_shape(void (*check)(const sample *s, const tm_matrix *x, tm_rng *rng))
{
    tm_rng rng;
    tm_rng_seed(&rng, 31);
    for (size_t k = 0; k < SHAPES; k++) {
        sample s = sample_of(shapes[k].n, shapes[k].p, shapes[k].density, k + 100);
        for (int kind = 0; kind < KINDS; kind++)
            check(&s, s.kinds[kind], &rng);
        sample_free(&s);
    }
}

/* x_j'v in extended precision, and how far rounding may take any order of summation from it. */
static double plain_dot(const sample *s, size_t j, const double *v, double *slack)
{
    long double sum = 0, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        long double product = (long double)s->columns[i + j * s->n] * v[i];
        sum += product;
        size += fabsl(product);
    }
    *slack = (double)size * (double)(s->n + 1) * 0x1p-53;
    return (double)sum;
}

static void check_dot(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    double *v = malloc(s->n * sizeof *v), slack;
    assert_non_null(v);
    fill_normal(rng, v, s->n, 1);
    for (size_t j = 0; j < s->p; j++) {
        double expected = plain_dot(s, j, v, &slack);
        must_be_near(tm_matrix_dot(x, j, v), expected, slack);
    }
    free(v);
}

CHECK(test_dot)
{
    for_every_shape(check_dot);
}

static void check_dot_range(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    double *v = malloc(s->n * sizeof *v), *out = malloc((s->p + 2) * sizeof *out), slack;
    assert_true(v && out);
    fill_normal(rng, v, s->n, 1);
    for (size_t from = 0; from <= s->p; from++)
        for (size_t count = 0; from + count <= s->p; count++) {
            for (size_t k = 0; k < s->p + 2; k++)
                out[k] = 12345;
            tm_matrix_dot_range(x, from, count, v, out + 1);
            for (size_t k = 0; k < count; k++) {
                double expected = plain_dot(s, from + k, v, &slack);
                must_be_near(out[k + 1], expected, slack);
            }
            assert_true(out[0] == 12345 && out[count + 1] == 12345);
        }
    free(v);
    free(out);
}

CHECK(test_dot_range)
{
    for_every_shape(check_dot_range);
}

/* A million equal terms: what additions lose does not grow with their number. */
static void check_equal_terms(const tm_matrix *x, const double *v, double value)
{
    double n = (double)tm_matrix_rows(x), out[5];
    size_t p = tm_matrix_cols(x);
    long double expected = (long double)value * v[0] * n;
    tm_matrix_dot_range(x, 0, p, v, out);
    for (size_t j = 0; j < p; j++) {
        assert_true(fabsl(out[j] / expected - 1) < 5e-14L);
        assert_true(fabsl(tm_matrix_dot(x, j, v) / expected - 1) < 5e-14L);
    }
}

CHECK(test_many_equal_terms)
{
    enum { N = 1 << 20, P = 5 };
    double *v = malloc(N * sizeof *v), *columns = malloc(N * P * sizeof *columns);
    uint8_t *packed = malloc(N / 4);
    size_t *rows = malloc(N * sizeof *rows);
    assert_true(v && columns && packed && rows);
    memset(packed, 0xaa, N / 4); /* one copy each */
    for (size_t i = 0; i < N; i++) {
        v[i] = 1.0 / 3;
        rows[i] = N - 1 - i;
    }
    for (size_t i = 0; i < N * P; i++)
        columns[i] = (double)0.7f;
    tm_error err = TM_ERROR_INIT;
    tm_matrix *x[5] = {dense_of(N, P, columns), csc_of(N, P, columns),
                       narrowed(dense_of(N, P, columns)), NULL, NULL};
    must(tm_matrix_new_genotypes(&x[3], N, 1, packed, NULL, &err), &err);
    must(tm_matrix_view_rows(&x[4], x[0], rows, N, &err), &err);
    for (int kind = 0; kind < 5; kind++) {
        check_equal_terms(x[kind], v, kind == 3 ? 1 : (double)0.7f);
        tm_matrix_unref(x[kind]);
    }
    free(v);
    free(columns);
    free(rows);
}

static void check_axpy(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    double *y = malloc(s->n * sizeof *y), *before = malloc(s->n * sizeof *y);
    assert_true(y && before);
    for (size_t j = 0; j < s->p; j++) {
        double a = tm_rng_normal(rng);
        fill_normal(rng, before, s->n, 1);
        memcpy(y, before, s->n * sizeof *y);
        tm_matrix_axpy(x, j, a, y);
        for (size_t i = 0; i < s->n; i++) {
            double term = a * s->columns[i + j * s->n];
            must_be_near(y[i], before[i] + term, (fabs(before[i]) + fabs(term)) * 0x1p-52);
        }
    }
    free(y);
    free(before);
}

CHECK(test_axpy)
{
    for_every_shape(check_axpy);
}

static void check_column(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    double *column = malloc(s->n * sizeof *column);
    assert_non_null(column);
    for (size_t j = 0; j < s->p; j++) {
        fill_normal(rng, column, s->n, 1); /* what was there must not show through */
        tm_matrix_column(x, j, column);
        for (size_t i = 0; i < s->n; i++)
            assert_true(column[i] == s->columns[i + j * s->n]);
    }
    free(column);
}

CHECK(test_column)
{
    for_every_shape(check_column);
}

static void check_entries(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    (void)rng;
    uint64_t total = 0;
    double *scratch = malloc((s->n ? s->n : 1) * sizeof *scratch);
    assert_non_null(scratch);
    for (size_t j = 0; j < s->p; j++) {
        const uint32_t *rows;
        const double *values;
        size_t count = tm_matrix_entries(x, j, scratch, &rows, &values), nonzero = 0;
        for (size_t k = 0; k < count; k++) {
            size_t i = rows ? rows[k] : k;
            assert_true(i < s->n && (k == 0 || !rows || rows[k] > rows[k - 1]));
            assert_true(values[k] == s->columns[i + j * s->n]);
            nonzero += values[k] != 0;
        }
        for (size_t i = 0; i < s->n; i++)
            nonzero -= s->columns[i + j * s->n] != 0;
        assert_int_equal(nonzero, 0);
        total += count;
    }
    free(scratch);
    assert_true(tm_matrix_nnz(x) == total);
    assert_int_equal(tm_matrix_rows(x), s->n);
    assert_int_equal(tm_matrix_cols(x), s->p);
}

CHECK(test_entries)
{
    for_every_shape(check_entries);
}

CHECK(test_kind_and_bytes)
{
    sample s = sample_of(100, 10, 0.2, 1);
    uint64_t nnz = tm_matrix_nnz(s.kinds[1]);
    assert_string_equal(tm_matrix_kind(s.kinds[0]), "dense");
    assert_string_equal(tm_matrix_kind(s.kinds[1]), "csc");
    assert_int_equal(tm_matrix_bytes(s.kinds[0]), 100 * 10 * 8);
    assert_int_equal(tm_matrix_bytes(s.kinds[1]), 11 * 8 + nnz * 12);
    assert_true(nnz > 50 && nnz < 400);
    assert_string_equal(tm_matrix_kind(s.kinds[DENSE_FLOAT]), "dense float");
    assert_string_equal(tm_matrix_kind(s.kinds[CSC_FLOAT]), "csc float");
    assert_int_equal(tm_matrix_bytes(s.kinds[DENSE_FLOAT]), 100 * 10 * 4);
    assert_int_equal(tm_matrix_bytes(s.kinds[CSC_FLOAT]), 11 * 8 + nnz * 8);
    for (int kind = 0; kind < KINDS; kind++)
        assert_int_equal(tm_matrix_is_sparse(s.kinds[kind]), kind % 2);
    sample_free(&s);
}

/* Row k of `selected` must be row rows[k] of the sample. */
static void check_selected(const sample *s, const tm_matrix *selected, const size_t *rows,
                           size_t count, const char *kind)
{
    double *column = malloc(count * sizeof *column + 1);
    assert_non_null(column);
    assert_int_equal(tm_matrix_rows(selected), count);
    assert_int_equal(tm_matrix_cols(selected), s->p);
    assert_string_equal(tm_matrix_kind(selected), kind);
    for (size_t j = 0; j < s->p; j++) {
        tm_matrix_column(selected, j, column);
        for (size_t k = 0; k < count; k++)
            assert_true(column[k] == s->columns[rows[k] + j * s->n]);
    }
    free(column);
}

static void check_select_rows(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    size_t counts[] = {0, 1, s->n, 3 * s->n + 2}, *rows = malloc((3 * s->n + 2) * sizeof *rows);
    tm_error err = TM_ERROR_INIT;
    assert_non_null(rows);
    for (size_t c = 0; c < 4; c++) {
        tm_matrix *selected;
        for (size_t k = 0; k < counts[c]; k++)
            rows[k] = tm_rng_below(rng, s->n);
        must(tm_matrix_select_rows(&selected, x, rows, counts[c], &err), &err);
        check_selected(s, selected, rows, counts[c], tm_matrix_kind(x));
        tm_matrix_unref(selected);
    }
    rows[0] = s->n;
    tm_matrix *none = (tm_matrix *)&none;
    char what[64];
    snprintf(what, sizeof what, "row %zu selected, but there are %zu", s->n + 1, s->n);
    must_refuse(tm_matrix_select_rows(&none, x, rows, 1, &err), TM_EUSAGE, &err, what);
    assert_null(none);
    free(rows);
}

CHECK(test_select_rows)
{
    for_every_shape(check_select_rows);
}

/* A selection stands on its own: the matrix it came from may go. */
CHECK(test_references)
{
    sample s = sample_of(20, 4, 0.5, 9);
    const size_t rows[] = {19, 0, 19};
    tm_error err = TM_ERROR_INIT;
    for (int kind = 0; kind < KINDS; kind++) {
        const char *name = tm_matrix_kind(s.kinds[kind]);
        tm_matrix *selected, *second = tm_matrix_ref(s.kinds[kind]);
        assert_ptr_equal(second, s.kinds[kind]);
        must(tm_matrix_select_rows(&selected, second, rows, 3, &err), &err);
        tm_matrix_unref(second);
        assert_int_equal(tm_matrix_rows(s.kinds[kind]), 20);
        tm_matrix_unref(s.kinds[kind]);
        s.kinds[kind] = NULL;
        check_selected(&s, selected, rows, 3, name);
        tm_matrix_unref(selected);
    }
    sample_free(&s);
}

/* Single precision is widened before anything is added, so that the bits are those of doubles. */
CHECK(test_floats_are_bits_of_doubles)
{
    for (size_t k = 0; k < SHAPES; k++) {
        sample s = sample_of(shapes[k].n, shapes[k].p, shapes[k].density, k + 7);
        double *v = malloc(s.n * sizeof *v), *out = malloc(2 * s.p * sizeof *out);
        tm_rng rng;
        assert_non_null(v);
        assert_non_null(out);
        tm_rng_seed(&rng, k);
        fill_normal(&rng, v, s.n, 1);
        for (int kind = DENSE; kind <= CSC; kind++) {
            const tm_matrix *wide = s.kinds[kind], *narrow = s.kinds[kind + 2];
            tm_matrix_dot_range(wide, 0, s.p, v, out);
            tm_matrix_dot_range(narrow, 0, s.p, v, out + s.p);
            assert_memory_equal(out, out + s.p, s.p * sizeof *out);
            for (size_t j = 0; j < s.p; j++)
                assert_true(tm_matrix_dot(wide, j, v) == tm_matrix_dot(narrow, j, v));
        }
        free(v);
        free(out);
        sample_free(&s);
    }
}

CHECK(test_floats_have_a_range)
{
    tm_error err = TM_ERROR_INIT;
    tm_matrix *x = dense_of(2, 1, (const double[]){1, 1e39});
    must_refuse(tm_matrix_to_float(x, &err), TM_EDATA, &err, "1e+39 is out of the range");
    assert_string_equal(tm_matrix_kind(x), "dense");
    tm_matrix_unref(x);
}

/* ---- genotypes ----------------------------------------------------------------------------- */

static const double copies[4] = {2, NAN, 1, 0};

/* n x p genotypes, a share of them missing, and the values that stand for them. */
static sample genotypes_of(size_t n, size_t p, double missing, uint64_t seed)
{
    sample s = {n, p, malloc(n * p * sizeof(double) + 1), {NULL}};
    size_t stride = (n + 3) / 4;
    uint8_t *packed = calloc(p ? p : 1, stride);
    tm_error err = TM_ERROR_INIT;
    tm_rng rng;
    assert_non_null(s.columns);
    assert_non_null(packed);
    tm_rng_seed(&rng, seed);
    for (size_t j = 0; j < p; j++) {
        double sum = 0, known = 0;
        for (size_t i = 0; i < n; i++) {
            static const unsigned codes[3] = {0, 2, 3};
            bool lost = j % 2 && tm_rng_uniform(&rng) < missing;
            unsigned code = lost ? 1 : codes[tm_rng_below(&rng, 3)];
            packed[j * stride + i / 4] |= (uint8_t)(code << 2 * (i % 4));
            s.columns[i + j * n] = copies[code];
            sum += lost ? 0 : copies[code];
            known += !lost;
        }
        for (size_t i = 0; i < n; i++)
            if (isnan(s.columns[i + j * n]))
                s.columns[i + j * n] = known > 0 ? sum / known : 0;
    }
    must(tm_matrix_new_genotypes(&s.kinds[0], n, p, packed, NULL, &err), &err);
    s.kinds[1] = dense_of(n, p, s.columns);
    return s;
}

CHECK(test_genotypes)
{
    static const double shares[] = {0, 0.2, 1};
    static void (*const checks[])(const sample *s, const tm_matrix *x, tm_rng *rng) = {
        check_dot, check_dot_range, check_axpy, check_column, check_entries, check_select_rows};
    tm_rng rng;
    tm_rng_seed(&rng, 5);
    for (size_t k = 0; k < SHAPES; k++)
        for (size_t m = 0; m < 3; m++) {
            sample s = genotypes_of(shapes[k].n, shapes[k].p, shares[m], k);
            for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++)
                checks[c](&s, s.kinds[0], &rng);
            /* Bit for bit the products of the doubles. */
            double *v = malloc(s.n * sizeof *v);
            assert_non_null(v);
            fill_normal(&rng, v, s.n, 1);
            for (size_t j = 0; j < s.p; j++)
                assert_true(tm_matrix_dot(s.kinds[0], j, v) == tm_matrix_dot(s.kinds[1], j, v));
            free(v);
            assert_int_equal(tm_matrix_bytes(s.kinds[0]), s.p * ((s.n + 3) / 4 + 8));
            sample_free(&s);
        }
}

/* ---- views --------------------------------------------------------------------------------- */

CHECK(test_views_of_views)
{
    sample s = sample_of(20, 6, 0.5, 3);
    tm_error err = TM_ERROR_INIT;
    tm_matrix *first, *second, *none = (tm_matrix *)&none;
    double ours[20];
    must(tm_matrix_select_cols(&first, s.kinds[CSC], (const size_t[]){5, 0, 3, 3}, 4, &err), &err);
    must(tm_matrix_select_cols(&second, first, (const size_t[]){2, 0}, 2, &err), &err);
    tm_matrix_unref(first);
    assert_int_equal(tm_matrix_cols(second), 2);
    tm_matrix_column(second, 0, ours);
    assert_memory_equal(ours, s.columns + 3 * 20, sizeof ours);
    tm_matrix_column(second, 1, ours);
    assert_memory_equal(ours, s.columns + 5 * 20, sizeof ours);
    must_refuse(tm_matrix_select_cols(&none, second, (const size_t[]){2}, 1, &err), TM_EUSAGE, &err,
                "column 3 selected, but there are 2");
    tm_matrix_unref(second);
    sample_free(&s);
}

/* Every call on both gives the same bits; the entries of the view are those of its columns. */
static void same_matrix(const tm_matrix *view, const tm_matrix *copy, tm_rng *rng)
{
    size_t n = tm_matrix_rows(copy), p = tm_matrix_cols(copy);
    assert_int_equal(tm_matrix_rows(view), n);
    assert_int_equal(tm_matrix_cols(view), p);
    assert_int_equal(tm_matrix_is_sparse(view), tm_matrix_is_sparse(copy));
    double *v = malloc((5 * n + 2 * p) * sizeof *v), *a = v + n, *b = a + n, *scratch = b + n,
           *spread = scratch + n, *products = spread + n;
    assert_non_null(v);
    fill_normal(rng, v, n, 1);
    tm_matrix_dot_range(view, 0, p, v, products);
    tm_matrix_dot_range(copy, 0, p, v, products + p);
    assert_memory_equal(products, products + p, p * sizeof *v);
    uint64_t total = 0;
    for (size_t j = 0; j < p; j++) {
        const uint32_t *rows;
        const double *values;
        double ours = tm_matrix_dot(view, j, v), theirs = tm_matrix_dot(copy, j, v);
        assert_memory_equal(&ours, &theirs, sizeof ours);
        memcpy(a, v, n * sizeof *a);
        memcpy(b, v, n * sizeof *b);
        tm_matrix_axpy(view, j, 0.3, a);
        tm_matrix_axpy(copy, j, 0.3, b);
        assert_memory_equal(a, b, n * sizeof *a);
        tm_matrix_column(view, j, a);
        tm_matrix_column(copy, j, b);
        assert_memory_equal(a, b, n * sizeof *a);
        size_t count = tm_matrix_entries(view, j, scratch, &rows, &values);
        memset(spread, 0, n * sizeof *spread);
        for (size_t k = 0; k < count; k++) {
            assert_true(!rows || k == 0 || rows[k] > rows[k - 1]);
            spread[rows ? rows[k] : k] = values[k];
        }
        assert_memory_equal(spread, b, n * sizeof *b);
        total += count;
    }
    assert_int_equal(total, tm_matrix_nnz(view));
    free(v);
}

/* A view of these rows, and one of some rows and columns of that view, against copies of copies. */
static void check_row_view(const tm_matrix *x, const size_t *rows, size_t count, tm_rng *rng)
{
    tm_matrix *view, *copy, *inner, *inner_copy, *narrow, *narrow_copy;
    tm_error err = TM_ERROR_INIT;
    must(tm_matrix_view_rows(&view, x, rows, count, &err), &err);
    must(tm_matrix_select_rows(&copy, x, rows, count, &err), &err);
    same_matrix(view, copy, rng);
    size_t half = (count + 1) / 2, *odd = malloc(half * sizeof *odd);
    assert_non_null(odd);
    for (size_t k = 0; k < half; k++)
        odd[k] = 2 * k;
    must(tm_matrix_view_rows(&inner, view, odd, half, &err), &err);
    must(tm_matrix_select_rows(&inner_copy, view, odd, half, &err), &err);
    tm_matrix_unref(view); /* views hold on to what they need */
    same_matrix(inner, inner_copy, rng);
    const size_t cols[] = {tm_matrix_cols(x) - 1, 0};
    must(tm_matrix_select_cols(&narrow, inner, cols, 2, &err), &err);
    must(tm_matrix_select_cols(&narrow_copy, inner_copy, cols, 2, &err), &err);
    same_matrix(narrow, narrow_copy, rng);
    tm_matrix_unref(narrow);
    tm_matrix_unref(narrow_copy);
    tm_matrix_unref(inner);
    tm_matrix_unref(inner_copy);
    tm_matrix_unref(copy);
    free(odd);
}

static void check_row_views(const sample *s, const tm_matrix *x, tm_rng *rng)
{
    size_t *rows = malloc(s->n * sizeof *rows), count = 0;
    assert_non_null(rows);
    for (size_t i = s->n / 3; i < s->n; i++)
        rows[count++] = i;
    check_row_view(x, rows, count, rng); /* neighbours */
    count = 0;
    for (size_t i = 0; i < s->n; i++)
        if (tm_rng_uniform(rng) < 0.7 || i + 1 == s->n)
            rows[count++] = i;
    check_row_view(x, rows, count, rng); /* ascending */
    for (size_t k = 0; k < s->n; k++)
        rows[k] = tm_rng_below(rng, s->n);
    check_row_view(x, rows, s->n, rng); /* any order, some twice */
    tm_matrix *none = (tm_matrix *)&none;
    tm_error err = TM_ERROR_INIT;
    rows[0] = s->n;
    assert_int_equal(tm_matrix_view_rows(&none, x, rows, 1, &err), TM_EUSAGE);
    assert_null(none);
    free(rows);
}

CHECK(test_row_views)
{
    for_every_shape(check_row_views);
    /* Nothing is copied: a view is smaller than its rows. */
    sample s = sample_of(100, 23, 0.5, 4);
    const size_t rows[] = {3, 4, 90};
    for (int kind = DENSE; kind <= CSC_FLOAT; kind++) {
        tm_matrix *view;
        tm_error err = TM_ERROR_INIT;
        must(tm_matrix_view_rows(&view, s.kinds[kind], rows, 3, &err), &err);
        assert_string_equal(tm_matrix_kind(view), "row view");
        assert_true(tm_matrix_bytes(view) <= (100 + 3) * 4);
        tm_matrix_unref(view);
    }
    sample_free(&s);
}

/* ---- malformed sparse matrices ------------------------------------------------------------- */

static void check_malformed(size_t n, size_t p, const uint64_t *starts, const uint32_t *rows,
                            size_t entries, const char *what)
{
    tm_matrix *x = (tm_matrix *)&x;
    tm_error err = TM_ERROR_INIT;
    double *values = calloc(entries + 1, sizeof *values);
    assert_non_null(values);
    tm_status status = tm_matrix_new_csc(&x, n, p, copy_of(starts, (p + 1) * sizeof *starts),
                                         copy_of(rows, entries * sizeof *rows), values, &err);
    must_refuse(status, TM_EDATA, &err, what);
    assert_null(x);
}

CHECK(test_malformed_csc)
{
    const uint32_t rows[] = {0, 2, 1};
    check_malformed(3, 2, (uint64_t[]){1, 2, 3}, rows, 3, "must start at 0");
    check_malformed(3, 2, (uint64_t[]){0, 2, 1}, rows, 3, "column 2 ends before it starts");
    check_malformed(3, 1, (uint64_t[]){0, 3}, rows, 3, "column 1 are not ascending");
    check_malformed(3, 2, (uint64_t[]){0, 1, 3}, rows, 3, "column 2 are not ascending");
    check_malformed(2, 2, (uint64_t[]){0, 2, 3}, rows, 3, "column 1 are not ascending below 2");
    check_malformed(3, 1, (uint64_t[]){0, 2}, (uint32_t[]){1, 1}, 2, "not ascending");
    check_malformed(3, 1, (uint64_t[]){0, 1}, (uint32_t[]){UINT32_MAX}, 1, "not ascending");
    check_malformed(0, 1, (uint64_t[]){0, 1}, (uint32_t[]){0}, 1, "not ascending below 0");
}

/* The last start says how long the arrays are: nothing beyond it may be read, whatever the others
 * say. */
CHECK(test_starts_beyond_the_arrays)
{
    const uint32_t rows[] = {0, 1, 2};
    check_malformed(1000, 2, (uint64_t[]){0, 900, 3}, rows, 3, "column 2 ends before it starts");
    check_malformed(9, 2, (uint64_t[]){0, UINT64_MAX, 3}, rows, 3, "ends before it starts");
    check_malformed(9, 3, (uint64_t[]){0, 1u << 30, 2, 3}, rows, 3, "ends before it starts");
}

CHECK(test_empty_csc)
{
    const double columns[6] = {0};
    const double v[3] = {1, 2, 3};
    tm_matrix *x = csc_of(3, 2, columns);
    double y[3] = {4, 5, 6};
    assert_true(tm_matrix_nnz(x) == 0 && tm_matrix_dot(x, 1, v) == 0);
    tm_matrix_axpy(x, 0, 9, y);
    assert_true(y[0] == 4 && y[1] == 5 && y[2] == 6);
    tm_matrix_unref(x);
    tm_matrix_unref(NULL);
}

RUN_TESTS(test_dot, test_dot_range, test_axpy, test_column, test_entries, test_kind_and_bytes,
          test_select_rows, test_row_views, test_references, test_malformed_csc,
          test_starts_beyond_the_arrays, test_empty_csc, test_floats_are_bits_of_doubles,
          test_floats_have_a_range, test_genotypes, test_views_of_views, test_many_equal_terms)
