/* The profile of a data set against what is known of it, dense and sparse. */
#include "tui/session/profile.h"

#include "tests/check.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { N = 6, P = 7 };

static const double y[N] = {1, 2, 3, 4, 5, 6};
/* Column by column: constant; y; -2y + 1 (r = -1); 0/1 pattern; the same; far from zero; zeros. */
static const double x[P][N] = {
    {7, 7, 7, 7, 7, 7}, {1, 2, 3, 4, 5, 6}, {-1, -3, -5, -7, -9, -11},
    {0, 1, 0, 0, 1, 0}, {0, 1, 0, 0, 1, 0}, {1e6 + 1, 1e6 - 1, 1e6 + 1, 1e6 - 1, 1e6 + 1, 1e6 - 1},
    {0, 0, 0, 0, 0, 0},
};

static tm_matrix *sparse(void)
{
    uint64_t *starts = calloc(P + 1, sizeof *starts);
    uint32_t *rows = calloc(N * P, sizeof *rows);
    double *values = calloc(N * P, sizeof *values);
    tm_matrix *out = NULL;
    uint64_t used = 0;
    for (size_t j = 0; j < P; j++) {
        for (uint32_t i = 0; i < N; i++) {
            if (x[j][i] != 0) {
                rows[used] = i;
                values[used++] = x[j][i];
            }
        }
        starts[j + 1] = used;
    }
    assert_int_equal(tm_matrix_new_csc(&out, N, P, starts, rows, values, NULL), TM_OK);
    return out;
}

static tm_matrix *dense(void)
{
    double *values = malloc(sizeof x);
    tm_matrix *out = NULL;
    memcpy(values, x, sizeof x);
    assert_int_equal(tm_matrix_new_dense(&out, N, P, values, NULL), TM_OK);
    return out;
}

static tm_dataset *dataset(tm_matrix *matrix)
{
    tm_dataset *out = NULL;
    tm_dataset_parts parts = {.name = "small", .x = matrix, .response.y = malloc(sizeof y)};
    memcpy(parts.response.y, y, sizeof y);
    assert_int_equal(tm_dataset_new(&out, &parts, NULL), TM_OK);
    return out;
}

/* Pearson's r by its definition. */
static double pearson(const double *a, const double *b)
{
    double ma = 0, mb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t i = 0; i < N; i++) {
        ma += a[i] / N;
        mb += b[i] / N;
    }
    for (size_t i = 0; i < N; i++) {
        saa += (a[i] - ma) * (a[i] - ma);
        sbb += (b[i] - mb) * (b[i] - mb);
        sab += (a[i] - ma) * (b[i] - mb);
    }
    return saa > 0 ? sab / sqrt(saa * sbb) : 0;
}

static void check(const profile *found)
{
    static const size_t twins[P] = {0, 1, 2, 3, 3, 5, 6};
    uint64_t nonzeros = 0;
    assert_int_equal(found->p, P);
    assert_int_equal(found->constants, 2);
    assert_int_equal(found->duplicates, 1);
    for (size_t j = 0; j < P; j++) {
        assert_true(fabs(found->correlations[j] - pearson(x[j], y)) < 1e-9);
        assert_int_equal(found->twins[j], twins[j]);
        for (size_t i = 0; i < N; i++)
            nonzeros += x[j][i] != 0;
    }
    assert_int_equal(found->nonzeros, nonzeros);
    bool seen[P] = {false};
    for (size_t k = 0; k < P; k++) {
        assert_false(seen[found->order[k]]);
        seen[found->order[k]] = true;
        if (k > 0) {
            assert_true(fabs(found->correlations[found->order[k - 1]]) >=
                        fabs(found->correlations[found->order[k]]));
        }
    }
}

static void finds_what_is_there(void **state)
{
    tm_dataset *sets[] = {dataset(dense()), dataset(sparse())};
    (void)state;
    for (int k = 0; k < 2; k++) {
        profiler *work = NULL;
        const profile *found = NULL;
        tm_error err = TM_ERROR_INIT;
        struct pollfd wake = {.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .events = POLLIN};
        assert_int_equal(profiler_start(&work, sets[k], wake.fd, &err), TM_OK);
        tm_dataset_unref(sets[k]); /* it keeps a reference */
        assert_int_equal(poll(&wake, 1, 60000), 1);
        assert_true(profiler_ended(work, &found, &err));
        assert_non_null(found);
        check(found);
        profiler_free(work);
        close(wake.fd);
    }
}

/* Given up at once, it leaves nothing behind (the sanitizers look). */
CHECK(can_be_given_up)
{
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    for (int k = 0; k < 20; k++) {
        profiler *work = NULL;
        tm_dataset *data = dataset(dense());
        assert_int_equal(profiler_start(&work, data, wake, NULL), TM_OK);
        tm_dataset_unref(data);
        profiler_free(work);
    }
    profiler_free(NULL);
    close(wake);
}

RUN_TESTS(finds_what_is_there, can_be_given_up)
