/* Figures as character cells. */
#include "plot_check.h"

#include "plot/series.h"
#include "plot/utf8.h"

#include <float.h>

CHECK(golden_pictures)
{
    static const struct {
        const char *name;
        size_t rows, cols;
        bool utf8, gap;
    } pictures[] = {
        {"gap-8x38.txt", 8, 38, true, true},      {"gap-8x38-ascii.txt", 8, 38, false, true},
        {"gap-24x80.txt", 24, 80, true, true},    {"steps-8x38.txt", 8, 38, true, false},
        {"steps-16x60.txt", 16, 60, true, false}, {"steps-16x60-ascii.txt", 16, 60, false, false},
    };
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        plot_figure *figure = pictures[i].gap ? gap_figure() : steps_figure();
        if (pictures[i].cols == 60)
            plot_figure_cursor(figure, 3);
        char *text = as_text(figure, pictures[i].rows, pictures[i].cols, pictures[i].utf8);
        assert_golden(pictures[i].name, text);
        free(text);
        plot_figure_free(figure);
    }
}

/* Every cell holds a character of width 1, or a wide one and a 0 behind it. */
static void check_cells(const plot_grid *grid, bool utf8)
{
    for (size_t r = 0; r < grid->rows; r++)
        for (size_t c = 0; c < grid->cols; c++) {
            const plot_cell *cell = &grid->cells[r * grid->cols + c];
            if (cell->ch == 0) {
                assert_true(c > 0 && utf8_width(cell[-1].ch) == 2);
                continue;
            }
            int width = utf8_width(cell->ch);
            assert_true(cell->ch >= 0x20 && cell->ch != 0x7f && width >= 1);
            assert_true(width == 1 || (c + 1 < grid->cols && cell[1].ch == 0));
            if (!utf8)
                assert_true(cell->ch < 0x7f);
            assert_true(cell->colour >= PLOT_ROLE_CURSOR);
        }
}

static void sweep(const plot_figure *figure, size_t row_step, size_t col_step)
{
    plot_grid grid = PLOT_GRID_INIT;
    for (size_t rows = 1; rows <= 60; rows += rows < 16 ? 1 : row_step)
        for (size_t cols = 1; cols <= 200; cols += cols < 20 ? 1 : col_step)
            for (int utf8 = 0; utf8 < 2; utf8++) {
                assert_int_equal(plot_draw_text(figure, rows, cols, utf8, &grid, NULL), TM_OK);
                assert_int_equal(grid.rows, rows);
                assert_int_equal(grid.cols, cols);
                check_cells(&grid, utf8);
            }
    plot_grid_free(&grid);
}

CHECK(every_size_works)
{
    plot_figure *figure = gap_figure();
    sweep(figure, 3, 7);
    plot_figure_cursor(figure, 2.5);
    plot_figure_title(figure, "\u65e5\u672c\u8a9e e\u0301 title \U0001f600 that is long");
    plot_figure_labels(figure, "\u65f6\u95f4", "\xff\xfe broken \x1b[31m");
    add(figure, "a very long name of a series, longer than most panes are wide", PLOT_POINTS,
        (double[]){1, 2}, (double[]){1, 2}, 2);
    sweep(figure, 5, 11);
    plot_figure_free(figure);
    plot_grid grid = PLOT_GRID_INIT;
    figure = steps_figure();
    assert_int_equal(plot_draw_text(figure, 0, 10, true, &grid, NULL), TM_OK);
    assert_int_equal(plot_draw_text(figure, 10, 0, true, &grid, NULL), TM_OK);
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(plot_draw_text(figure, SIZE_MAX / 2, 8, true, &grid, &err), TM_ENOMEM);
    plot_grid_free(&grid);
    plot_figure_free(figure);
}

static const double odd[] = {0,     -1,     NAN,     INFINITY, -INFINITY, 1e-300, 1e-308, 5e-324,
                             1e308, -1e308, DBL_MAX, -DBL_MAX, 1,         1,      2};
enum { ODD = sizeof odd / sizeof odd[0] };

/* Whatever the values, limits and axes, the figure is drawn. */
CHECK(odd_values_are_drawn)
{
    for (int axes = 0; axes < 4; axes++)
        for (size_t i = 0; i < ODD; i++)
            for (size_t j = 0; j < ODD; j++) {
                plot_figure *figure = plot_figure_new();
                plot_figure_log(figure, axes & 1, axes & 2);
                plot_figure_xlim(figure, odd[j], odd[i]);
                plot_figure_ylim(figure, odd[i], odd[(i + j) % ODD]);
                plot_figure_floor(figure, odd[j]);
                add(figure, "line", PLOT_LINE, odd, odd + i, ODD - i);
                add(figure, "step", PLOT_STEP, odd + j, odd, ODD - j);
                add(figure, "points", PLOT_POINTS, odd, odd, ODD);
                add(figure, "level", PLOT_LEVEL, NULL, odd + i, 1);
                free(as_text(figure, 12, 50, true));
                free(as_text(figure, 5, 20, false));
                char *svg;
                assert_int_equal(plot_svg(figure, 200, 120, &svg, NULL), TM_OK);
                assert_null(strstr(svg, "nan"));
                assert_null(strstr(svg, "inf\""));
                free(svg);
                plot_figure_cursor(figure, odd[i]);
                free(as_text(figure, 12, 50, true));
                assert_int_equal(plot_svg(figure, 200, 120, &svg, NULL), TM_OK);
                free(svg);
                plot_figure_free(figure);
            }
}

static size_t cells_of(const plot_grid *grid, int colour, size_t first_row, size_t last_row)
{
    size_t count = 0;
    for (size_t i = first_row * grid->cols; i < (last_row + 1) * grid->cols; i++)
        count += grid->cells[i].colour == colour && grid->cells[i].ch != ' ';
    return count;
}

/* A gap of 0, below 0, NaN: at the floor, which is labelled as such. */
CHECK(floored_values_are_never_hidden)
{
    static const double hidden[] = {0, -1e-12, NAN, -INFINITY};
    for (size_t i = 0; i < 4; i++) {
        plot_figure *figure = plot_figure_new();
        plot_figure_log(figure, false, true);
        plot_figure_legend(figure, false);
        double x[] = {0, 1}, high[] = {1, 1}, low[] = {hidden[i], hidden[i]};
        add(figure, "", PLOT_LINE, x, high, 2);
        add(figure, "", PLOT_LINE, x, low, 2);
        plot_grid grid = PLOT_GRID_INIT;
        assert_int_equal(plot_draw_text(figure, 12, 40, true, &grid, NULL), TM_OK);
        assert_true(cells_of(&grid, 1, 9, 9) > 30); /* the row above the axis */
        assert_int_equal(cells_of(&grid, 1, 0, 8), 0);
        assert_true(cells_of(&grid, 0, 0, 3) > 30);
        plot_grid_free(&grid);
        char *text = as_text(figure, 12, 40, false);
        assert_non_null(strstr(text, "<=0.1"));
        free(text);
        plot_figure_floor(figure, 1e-6);
        must_show(figure, 12, 40, "\u22641e-6", NULL);
        plot_figure_free(figure);
    }
}

/* The default floor is a power of ten, about a decade below the least value. */
CHECK(the_floor_is_round)
{
    plot_figure *figure = plot_figure_new();
    plot_figure_log(figure, false, true);
    add(figure, "gap", PLOT_LINE, (double[]){0, 1, 2}, (double[]){1, 4.2e-9, 0}, 3);
    must_show(figure, 16, 60, "\u22641e-9\u2524", NULL);
    plot_figure_free(figure);
}

/* A tiny positive gap lies where it is when no floor is set, and at the floor when one is. */
CHECK(tiny_values)
{
    plot_figure *figure = plot_figure_new();
    plot_figure_log(figure, false, true);
    add(figure, "gap", PLOT_LINE, (double[]){0, 1}, (double[]){1, 1e-300}, 2);
    must_show(figure, 16, 60, "1e-280", "\u2264");
    plot_figure_floor(figure, 1e-10);
    must_show(figure, 16, 60, "\u22641e-10", "1e-280");
    plot_figure_free(figure);
}

CHECK(nothing_to_draw_is_said)
{
    plot_figure *figure = plot_figure_new();
    must_show(figure, 8, 38, "no data yet", NULL);
    add(figure, "empty", PLOT_LINE, NULL, NULL, 0);
    must_show(figure, 8, 38, "no data yet", NULL);
    add(figure, "one", PLOT_LINE, (double[]){1}, (double[]){1}, 1);
    must_show(figure, 8, 38, "\u25b2", "no data"); /* a point alone is seen */
    plot_figure_xlim(figure, 5, 6);
    must_show(figure, 8, 38, "nothing in this range", NULL);
    plot_figure_free(figure);
}

/* The line from (0,0) to (10,10) enters a view of [4,6] x [0,10] at its left edge at a height of
 * 4/10 and leaves at 6/10. */
CHECK(lines_are_clipped_where_they_leave)
{
    plot_figure *figure = plot_figure_new();
    plot_figure_legend(figure, false);
    add(figure, "", PLOT_LINE, (double[]){0, 10}, (double[]){0, 10}, 2);
    plot_figure_xlim(figure, 4, 6);
    plot_figure_ylim(figure, 0, 10);
    plot_grid grid = PLOT_GRID_INIT;
    assert_int_equal(plot_draw_text(figure, 12, 42, false, &grid, NULL), TM_OK);
    /* Rows 0..9 hold the plot: 10 at the top, 0 in row 9. */
    for (size_t r = 0; r < 10; r++)
        assert_int_equal(cells_of(&grid, 0, r, r) > 0, r >= 4 && r <= 5);
    plot_grid_free(&grid);
    plot_figure_free(figure);
}

CHECK(reversed_limits_mirror)
{
    plot_figure *figure = plot_figure_new();
    plot_figure_legend(figure, false);
    double x[] = {0, 0.2, 1}, y[] = {0, 1, 0.5};
    add(figure, "", PLOT_POINTS, x, y, 3);
    plot_figure_ylim(figure, 0, 1);
    plot_grid plain = PLOT_GRID_INIT, mirrored = PLOT_GRID_INIT;
    plot_figure_xlim(figure, 0, 1);
    assert_int_equal(plot_draw_text(figure, 2, 51, false, &plain, NULL), TM_OK);
    plot_figure_xlim(figure, 1, 0);
    assert_int_equal(plot_draw_text(figure, 2, 51, false, &mirrored, NULL), TM_OK);
    for (size_t r = 0; r < 2; r++)
        for (size_t c = 0; c < 51; c++)
            assert_int_equal(plain.cells[r * 51 + c].ch, mirrored.cells[r * 51 + 50 - c].ch);
    plot_grid_free(&plain);
    plot_grid_free(&mirrored);
    plot_figure_free(figure);
}

/* A step keeps its value until the next point: nothing is drawn between the two levels but the
 * upright at x = 5. */
CHECK(steps_hold)
{
    plot_figure *figure = plot_figure_new();
    plot_figure_legend(figure, false);
    add(figure, "", PLOT_STEP, (double[]){0, 5, 10}, (double[]){0, 10, 10}, 3);
    plot_figure_ylim(figure, 0, 10);
    plot_grid grid = PLOT_GRID_INIT;
    assert_int_equal(plot_draw_text(figure, 2, 21, false, &grid, NULL), TM_OK);
    for (size_t c = 0; c < 21; c++) {
        assert_int_equal(grid.cells[c].ch != ' ', c >= 10);
        assert_int_equal(grid.cells[21 + c].ch != ' ', c <= 10);
    }
    plot_grid_free(&grid);
    plot_figure_free(figure);
}

/* A spike of one point in a million is kept by the reduction to columns. */
CHECK(spikes_survive_decimation)
{
    size_t count = 1000000;
    double *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y);
    assert_non_null(x);
    assert_non_null(y);
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)i;
        y[i] = i == 333333 ? 1 : i == 666666 ? -1 : 0;
    }
    plot_figure *figure = plot_figure_new();
    plot_figure_legend(figure, false);
    add(figure, "", PLOT_LINE, x, y, count);
    plot_grid grid = PLOT_GRID_INIT;
    assert_int_equal(plot_draw_text(figure, 30, 100, true, &grid, NULL), TM_OK);
    assert_true(cells_of(&grid, 0, 0, 1) >= 1);
    assert_true(cells_of(&grid, 0, 26, 27) >= 1);
    plot_grid_free(&grid);
    char *svg;
    assert_int_equal(plot_svg(figure, 720, 450, &svg, NULL), TM_OK);
    assert_true(strlen(svg) < 200000);
    free(svg);
    add(figure, "cloud", PLOT_POINTS, x, x, count);
    assert_int_equal(plot_svg(figure, 720, 450, &svg, NULL), TM_OK);
    assert_true(strlen(svg) < 1000000);
    free(svg);
    free(x);
    free(y);
    plot_figure_free(figure);
}

CHECK(cursor_reads_the_data)
{
    plot_figure *figure = steps_figure();
    plot_figure_cursor(figure, 3.9); /* the step of x=2 is in force */
    char *text = as_text(figure, 10, 60, false);
    assert_non_null(strstr(text, "x=3.9  o gap 300  ^ saif 20"));
    free(text);
    plot_figure_cursor(figure, -1); /* before every step: nothing to read */
    text = as_text(figure, 10, 60, false);
    assert_non_null(strstr(text, "x=-1\n"));
    free(text);
    plot_figure_free(figure);
    figure = gap_figure();
    plot_figure_cursor(figure, 2.9); /* lines: the nearest point, not something between */
    text = as_text(figure, 10, 60, false);
    assert_non_null(strstr(text, "o none 0.3  ^ saif 1e-3  # tol 1e-4"));
    free(text);
    text = as_text(figure, 10, 30, false); /* narrow: markers stand for the names */
    assert_non_null(strstr(text, "x=2.9  o 0.3  ^ 1e-3  # 1e-4\n"));
    free(text);
    text = as_text(figure, 10, 20, false); /* narrower: a second row, and nothing is cut */
    assert_non_null(strstr(text, "x=2.9  o 0.3  ^ 1e-3\n# 1e-4"));
    free(text);
    text = as_text(figure, 5, 20, false); /* without room for one: what is left out is shown */
    assert_non_null(strstr(text, "x=2.9 o 0.3 ^ 1e-3~\n"));
    free(text);
    plot_figure_free(figure);
}

/* Without colour each series still has its own marker, in the legend and on its line. */
CHECK(markers_tell_series_apart)
{
    plot_figure *figure = plot_figure_new();
    double x[100], y[100];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 100; i++) {
            x[i] = i;
            y[i] = 5; /* all on one line */
        }
        char name[] = {(char)('p' + s), 0};
        add(figure, name, PLOT_LINE, x, y, 100);
    }
    for (int utf8 = 0; utf8 < 2; utf8++) {
        plot_grid grid = PLOT_GRID_INIT;
        assert_int_equal(plot_draw_text(figure, 20, 60, utf8, &grid, NULL), TM_OK);
        for (int s = 0; s < 4; s++) {
            uint32_t mark = utf8 ? plot_palette(s)->mark : (uint32_t)plot_palette(s)->ascii;
            size_t seen = 0;
            for (size_t i = 0; i < 20 * 60; i++)
                seen += grid.cells[i].ch == mark && grid.cells[i].colour == s;
            assert_true(seen >= 2);
        }
        plot_grid_free(&grid);
    }
    plot_figure_free(figure);
}

CHECK(colours_are_escapes_alone)
{
    plot_figure *figure = gap_figure();
    plot_grid grid = PLOT_GRID_INIT;
    assert_int_equal(plot_draw_text(figure, 12, 50, true, &grid, NULL), TM_OK);
    char *plain;
    assert_int_equal(plot_grid_text(&grid, PLOT_MONO, &plain, NULL), TM_OK);
    assert_null(strchr(plain, '\033'));
    for (plot_colours colours = PLOT_ANSI16; colours <= PLOT_TRUECOLOUR; colours++) {
        char *text;
        assert_int_equal(plot_grid_text(&grid, colours, &text, NULL), TM_OK);
        char *to = text;
        for (const char *from = text; *from;) {
            if (*from == '\033') {
                from = strchr(from, 'm') + 1;
                continue;
            }
            *to++ = *from++;
        }
        *to = 0;
        assert_string_equal(text, plain);
        free(text);
    }
    free(plain);
    plot_grid_free(&grid);
    plot_figure_free(figure);
}

CHECK(series_take_free_colours)
{
    plot_figure *figure = plot_figure_new();
    size_t index = 99;
    double one = 1;
    assert_int_equal(
        plot_figure_add(figure, &(plot_curve){"a", PLOT_LINE, &one, &one, 1, 1}, &index, NULL),
        TM_OK);
    assert_int_equal(index, 0);
    add(figure, "b", PLOT_LINE, &one, &one, 1);
    add(figure, "c", PLOT_LINE, &one, &one, 1);
    assert_int_equal(figure->series[1].colour, 0);
    assert_int_equal(figure->series[2].colour, 2);
    assert_int_equal(plot_figure_series(figure), 3);
    tm_error err = TM_ERROR_INIT;
    assert_int_equal(
        plot_figure_add(figure, &(plot_curve){"d", PLOT_LINE, NULL, &one, 1, -1}, NULL, &err),
        TM_EUSAGE);
    assert_true(err.message[0] != 0);
    plot_figure_clear(figure);
    assert_int_equal(plot_figure_series(figure), 0);
    plot_figure_free(figure);
    plot_figure_free(NULL);
}

/* In the smallest plot that has room for two rows of data every series is named, and the legend
 * takes no cell from the data: those of a figure without one are all there, one below the other. */
CHECK(small_plots_name_their_series)
{
    static const char *const names[] = {"none", "gap", "saif", "tolerance"};
    for (size_t rows = 6; rows <= 12; rows++) {
        for (int utf8 = 0; utf8 < 2; utf8++) {
            plot_figure *figure = plot_figure_new();
            for (int s = 0; s < 4; s++) {
                double x[300], y[300];
                for (int i = 0; i < 300; i++) {
                    x[i] = i;
                    y[i] = (i * 37 + s * 11) % 100; /* no corner is free */
                }
                add(figure, names[s], PLOT_LINE, x, y, 300);
            }
            char *text = as_text(figure, rows, 26, utf8);
            for (int s = 0; s < 4; s++) {
                char start[4] = {names[s][0], names[s][1], names[s][2], '\0'};
                assert_non_null(strstr(text, rows > 6 ? start : ""));
            }
            free(text);
            plot_figure_free(figure);
        }
    }
}

/* Two series that ask for one colour do not share it, nor its marker, while there are others; what
 * stands behind does. */
CHECK(no_two_series_look_alike)
{
    plot_figure *figure = plot_figure_new();
    double x = 1, y = 1;
    for (int s = 0; s < plot_palette_size(); s++) {
        plot_curve curve = {"s", PLOT_POINTS, &x, &y, 1, 3};
        assert_int_equal(plot_figure_add(figure, &curve, NULL, NULL), TM_OK);
    }
    for (int s = 0; s < plot_palette_size(); s++)
        for (int k = 0; k < s; k++)
            assert_ptr_not_equal(plot_palette(figure->series[k].colour),
                                 plot_palette(figure->series[s].colour));
    assert_int_equal(figure->series[0].colour, 3);
    plot_curve behind = {NULL, PLOT_POINTS, &x, &y, 1, PLOT_FAINT};
    assert_int_equal(plot_figure_add(figure, &behind, NULL, NULL), TM_OK);
    assert_int_equal(figure->series[plot_palette_size()].colour, PLOT_FAINT);
    assert_int_equal(plot_figure_named(figure), plot_palette_size());
    plot_figure_free(figure);
}

RUN_TESTS(golden_pictures, every_size_works, odd_values_are_drawn, floored_values_are_never_hidden,
          the_floor_is_round, tiny_values, nothing_to_draw_is_said,
          lines_are_clipped_where_they_leave, reversed_limits_mirror, steps_hold,
          spikes_survive_decimation, cursor_reads_the_data, markers_tell_series_apart,
          colours_are_escapes_alone, series_take_free_colours, small_plots_name_their_series,
          no_two_series_look_alike)
