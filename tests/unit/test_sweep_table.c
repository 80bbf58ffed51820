/* What tables of results say: the best configuration, the sparsest beside it, curves and clouds.
 * The tables are filled by hand. */
#include "tests/core_check.h"

#include "run/table/table.h"
#include "tamis/sweep_table.h"

static void set(tm_sweep_table *t, size_t config, size_t split, double score, double nnz)
{
    tm_sweep_cell cell = {TM_CELL_CONVERGED, 1, 1, 1, 0, nnz, 1, 1, 1, &score, NULL, NULL};
    sweep_table_set(t, config, split, &cell);
}

static void the_best_and_the_sparsest(void **state)
{
    static const char *const axis[] = {"B"}, *const value[] = {"1", "2", "3"};
    static const char *const metric[] = {"accuracy"};
    const tm_sweep_split splits[] = {{1, 1, 0}, {1, 2, 0}, {1, 3, 0}};
    tm_error err = TM_ERROR_INIT;
    tm_sweep_table *t;
    tm_sweep_mean mean;
    size_t best;
    (void)state;
    const sweep_table_shape shape = {"t",    axis, 1,    value, 3,    metric, 1,
                                     splits, 3,    NULL, false, NULL, 0};
    must(sweep_table_new(&t, &shape, &err), &err);
    must_refuse(tm_sweep_best(t, NULL, false, &best, &err), TM_EDATA, &err, "no finished");
    const double scores[3][3] = {{0.70, 0.80, 0.81}, {0.75, 0.85, 0.80}, {0.70, 0.90, 0.83}};
    for (size_t c = 0; c < 3; c++)
        for (size_t s = 0; s < 3; s++)
            set(t, c, s, scores[c][s], (double)(10 * (c + 1)));
    must(tm_sweep_summary(t, "accuracy", 2, &mean, &err), &err);
    assert_true(fabs(mean.mean - 0.81) < 1e-15);
    assert_true(fabs(mean.sd - sqrt((0.11 * 0.11 + 0.09 * 0.09 + 0.02 * 0.02) / 2)) < 1e-15);
    assert_true(fabs(mean.se - mean.sd / sqrt(3)) < 1e-15);
    must(tm_sweep_best(t, "accuracy", false, &best, &err), &err);
    assert_int_equal(best, 2);
    /* The first one, at 0.77, is within 0.81 - 0.0586 = 0.751, with the fewest features. */
    must(tm_sweep_best(t, NULL, true, &best, &err), &err);
    assert_int_equal(best, 0);
    must_refuse(tm_sweep_best(t, "acuracy", false, &best, &err), TM_EUSAGE, &err,
                "did you mean 'accuracy'");
    must_refuse(tm_sweep_best(t, "nnz", false, &best, &err), TM_EUSAGE, &err, "no metric");
    tm_sweep_table_free(t);
}

static tm_sweep_curve *curves_of(const tm_sweep_table *t, const char *x, size_t *count)
{
    tm_error err = TM_ERROR_INIT;
    tm_sweep_curve *curves;
    must(tm_sweep_curves(t, x, "accuracy", &curves, count, &err), &err);
    return curves;
}

/* Of a grid a curve for each value of what the x axis is not; of drawn settings one cloud for each
 * method. */
static void curves_and_clouds(void **state)
{
    enum { DRAWN = 3000 };
    static const char *const axis[] = {"C", "T", "method"}, *const metric[] = {"accuracy"};
    static const bool along[] = {true, false, false};
    static char texts[2 * DRAWN][24];
    static const char *value[3 * DRAWN];
    const tm_sweep_split split = {1, 1, 0};
    tm_error err = TM_ERROR_INIT;
    tm_sweep_table *t;
    size_t count, points = 0;
    (void)state;
    for (int drawn = 0; drawn < 2; drawn++) {
        size_t configs = drawn ? DRAWN : 12;
        for (size_t c = 0; c < configs; c++) {
            snprintf(texts[2 * c], sizeof texts[0], "%zu", drawn ? configs - c : c % 4);
            snprintf(texts[2 * c + 1], sizeof texts[0], "%zu", drawn ? c : c / 4);
            value[3 * c] = texts[2 * c];
            value[3 * c + 1] = texts[2 * c + 1];
            value[3 * c + 2] = c % 3 == 2 && drawn ? "mslr" : "fgm";
        }
        const sweep_table_shape shape = {"t",    axis, 3,     value, configs, metric, 1,
                                         &split, 1,    along, false, NULL,    0};
        must(sweep_table_new(&t, &shape, &err), &err);
        for (size_t c = 0; c < configs; c++)
            set(t, c, 0, 0.5 + (double)c * 1e-5, 2);
        tm_sweep_curve *curves = curves_of(t, "C", &count);
        assert_int_equal(count, drawn ? 2 : 3);
        assert_string_equal(curves[1].name, drawn ? "mslr" : "T=1 fgm");
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(curves[i].cloud, drawn);
            assert_int_equal(curves[i].count, drawn ? (i ? DRAWN / 3 : 2 * DRAWN / 3) : 4);
            for (size_t k = 1; k < curves[i].count; k++)
                assert_true(curves[i].x[k] > curves[i].x[k - 1]);
            points += curves[i].count;
        }
        tm_sweep_curves_free(curves, count);
        tm_sweep_table_free(t);
    }
    assert_int_equal(points, 12 + DRAWN);
}

RUN_TESTS(the_best_and_the_sparsest, curves_and_clouds)
