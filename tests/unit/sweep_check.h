/* A small sweep, and what its tables must agree in. */
#ifndef SWEEP_CHECK_H
#define SWEEP_CHECK_H

#include "tests/core_check.h"

#include "tamis/sweep.h"

#include <unistd.h>

typedef struct fixture {
    char folder[64], path[96], other[96];
    tm_dataset *data;
} fixture;

/* y = x_1 - 2 x_2 + noise; with `twice` the second half of the rows repeats the first. */
static inline tm_dataset *random_data(size_t n, size_t p, double noise, bool twice, uint64_t seed)
{
    tm_dataset *data = linear_data(n, p, 1, -2, noise, seed), *repeated;
    tm_error err = TM_ERROR_INIT;
    if (!twice)
        return data;
    size_t *rows = malloc(n * sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < n; i++)
        rows[i] = i % (n / 2);
    must(tm_dataset_select_rows(&repeated, data, rows, n, "here", &err), &err);
    tm_dataset_unref(data);
    free(rows);
    return repeated;
}

static inline int begin(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->folder, "/tmp/tamis-sweep-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/a.db", f->folder);
    snprintf(f->other, sizeof f->other, "%s/b.db", f->folder);
    f->data = random_data(40, 12, 0.5, false, 1);
    *state = f;
    return 0;
}

static inline int end(void **state)
{
    fixture *f = *state;
    char command[128];
    tm_dataset_unref(f->data);
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

static const char *const axes[] = {"lambda_ratio", "screen"};
static const char *const values[] = {"0.5", "none", "0.1", "none", "0.2", "gap", "0.05", "gap"};
static const char *const metrics[] = {"r2", "mse"};

static inline tm_sweep_spec spec_of(tm_dataset *const *data)
{
    tm_sweep_spec spec = TM_SWEEP_SPEC_INIT;
    spec.name = "test";
    spec.method = "lasso";
    spec.axes = axes;
    spec.axis_count = 2;
    spec.values = values;
    spec.config_count = 4;
    spec.inputs.data = (const tm_dataset *const *)data;
    spec.inputs.data_count = 1;
    spec.splits.folds = 4;
    spec.splits.seed = 7;
    spec.metrics = metrics;
    spec.metric_count = 2;
    return spec;
}

/* The table of a sweep that is waited for. */
static inline tm_sweep_table *table_of(const tm_sweep_spec *spec, tm_sweep_progress *progress)
{
    tm_error err = TM_ERROR_INIT;
    tm_sweep *sweep;
    must(tm_sweep_start(&sweep, spec, &err), &err);
    assert_true(tm_sweep_wait(sweep, -1));
    tm_sweep_progress p = tm_sweep_get_progress(sweep);
    assert_int_equal(p.state, TM_SWEEP_DONE);
    tm_sweep_table *table = tm_sweep_snapshot(sweep);
    assert_non_null(table);
    if (progress)
        *progress = p;
    tm_sweep_free(sweep);
    return table;
}

static inline bool same_bits(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Everything but the times, to the bit. */
static inline void assert_same_cell(const tm_sweep_cell *a, const tm_sweep_cell *b,
                                    size_t metric_count)
{
    assert_int_equal(a->status, b->status);
    assert_true(same_bits(a->lambda, b->lambda));
    assert_true(same_bits(a->primal, b->primal) && same_bits(a->dual, b->dual));
    assert_true(same_bits(a->gap, b->gap) && same_bits(a->nnz, b->nnz));
    assert_true(same_bits(a->columns, b->columns) && same_bits(a->updates, b->updates));
    for (size_t m = 0; m < metric_count; m++)
        assert_true(same_bits(a->scores[m], b->scores[m]));
}

static inline void assert_same_table(const tm_sweep_table *a, const tm_sweep_table *b)
{
    assert_int_equal(tm_sweep_table_configs(a), tm_sweep_table_configs(b));
    assert_int_equal(tm_sweep_table_splits(a), tm_sweep_table_splits(b));
    for (size_t c = 0; c < tm_sweep_table_configs(a); c++)
        for (size_t s = 0; s < tm_sweep_table_splits(a); s++) {
            assert_int_not_equal(tm_sweep_table_cell(a, c, s)->status, TM_CELL_OPEN);
            assert_same_cell(tm_sweep_table_cell(a, c, s), tm_sweep_table_cell(b, c, s),
                             tm_sweep_table_metrics(a));
        }
}

#endif
