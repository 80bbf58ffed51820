/* What the tests of figures share. */
#ifndef TESTS_PLOT_CHECK_H
#define TESTS_PLOT_CHECK_H

#include "tests/check.h"

#include "plot/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* fontconfig keeps what it has read of the system's fonts until the process ends. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}

static inline void add(plot_figure *figure, const char *name, plot_mark mark, const double *x,
                       const double *y, size_t count)
{
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(
        plot_figure_add(figure, &(plot_curve){name, mark, x, y, count, -1}, NULL, &err), TM_OK);
}

/* Two descending gaps on a log axis, one of them to exactly zero, and the tolerance. */
static inline plot_figure *gap_figure(void)
{
    plot_figure *figure = plot_figure_new();
    assert_non_null(figure);
    plot_figure_title(figure, "duality gap");
    plot_figure_labels(figure, "time", "gap");
    plot_figure_log(figure, false, true);
    double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    double slow[] = {10, 3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3};
    double fast[] = {10, 0.5, 0.02, 1e-3, 1e-5, 0};
    double tolerance = 1e-4;
    add(figure, "none", PLOT_LINE, x, slow, 9);
    add(figure, "saif", PLOT_LINE, x, fast, 6);
    add(figure, "tol", PLOT_LEVEL, NULL, &tolerance, 1);
    return figure;
}

/* Steps on linear axes. */
static inline plot_figure *steps_figure(void)
{
    plot_figure *figure = plot_figure_new();
    assert_non_null(figure);
    plot_figure_title(figure, "active set");
    plot_figure_labels(figure, "time", "features");
    double x[] = {0, 1, 2, 4, 8}, shrink[] = {1000, 600, 300, 100, 40}, grow[] = {0, 5, 20, 35, 40};
    add(figure, "gap", PLOT_STEP, x, shrink, 5);
    add(figure, "saif", PLOT_STEP, x, grow, 5);
    return figure;
}

/* The figure as plain text; freed by the caller. */
static inline char *as_text(const plot_figure *figure, size_t rows, size_t cols, bool utf8)
{
    plot_grid grid = PLOT_GRID_INIT;
    tm_error err = TM_ERROR_INIT;
    char *text;
    assert_int_equal(plot_draw_text(figure, rows, cols, utf8, &grid, &err), TM_OK);
    assert_int_equal(plot_grid_text(&grid, PLOT_MONO, &text, &err), TM_OK);
    plot_grid_free(&grid);
    return text;
}

/* The figure as UTF-8 text of that size must have `has` in it, and not `lacks`; either may be null.
 */
static inline void must_show(const plot_figure *figure, size_t rows, size_t cols, const char *has,
                             const char *lacks)
{
    char *text = as_text(figure, rows, cols, true);
    if ((has && !strstr(text, has)) || (lacks && strstr(text, lacks)))
        fail_msg("expected \"%s\" and not \"%s\" in\n%s", has ? has : "", lacks ? lacks : "", text);
    free(text);
}

static inline char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

/* Compares with tests/unit/golden/<name>, a picture that was looked at before it was kept. After a
 * wanted change TAMIS_UPDATE_GOLDEN=1 rewrites it: look at the difference before committing. */
static inline void assert_golden(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "tests/unit/golden/%s", name);
    if (getenv("TAMIS_UPDATE_GOLDEN")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
    }
    char *golden = read_whole(path);
    if (!golden || strcmp(golden, text) != 0)
        print_error("%s differs; now:\n%s\n", path, text);
    assert_non_null(golden);
    assert_string_equal(text, golden);
    free(golden);
}

#endif
