/* Ticks, numbers and the palette. */
#include "plot_check.h"

#include "plot/axes.h"
#include "plot/path.h"

#include <float.h>
#include <locale.h>

static void assert_number(double value, const char *expected)
{
    char text[32];
    plot_number(value, text, sizeof text);
    assert_string_equal(text, expected);
}

CHECK(numbers_are_short)
{
    assert_number(0, "0");
    assert_number(-0.0, "0");
    assert_number(1, "1");
    assert_number(0.25, "0.25");
    assert_number(-0.5, "-0.5");
    assert_number(0.1 + 0.2, "0.3");
    assert_number(1e-3, "1e-3");
    assert_number(0.01, "0.01");
    assert_number(5000, "5000");
    assert_number(7129, "7129");
    assert_number(123457, "123457");
    assert_number(500000, "5e5");
    assert_number(1e-300, "1e-300");
    assert_number(-2.5e-7, "-2.5e-7");
    assert_number(4.94065645841247e-324, "4.94066e-324");
    assert_number(DBL_MAX, "1.79769e308");
    assert_number(999999.9, "1e6");
    assert_number(NAN, "nan");
    assert_number(INFINITY, "inf");
    assert_number(-INFINITY, "-inf");
}

CHECK(numbers_fit_any_buffer)
{
    for (size_t size = 1; size < 12; size++) {
        char text[16];
        memset(text, 'x', sizeof text);
        plot_number(-1.23456e-100, text, size);
        assert_true(strlen(text) < size);
        assert_int_equal(text[size], 'x');
    }
}

/* The decimal point is a point even where the locale's sign is another; needs such a locale. */
CHECK(numbers_ignore_the_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found)
        skip();
    double x = 0.5, y = 1.25;
    plot_figure *figure = plot_figure_new();
    add(figure, "a", PLOT_LINE, &x, &y, 1);
    char *csv, *svg;
    assert_int_equal(plot_csv(figure, &csv, NULL), TM_OK);
    assert_int_equal(plot_svg(figure, 300, 200, &svg, NULL), TM_OK);
    setlocale(LC_ALL, "C");
    char *plain;
    assert_int_equal(plot_svg(figure, 300, 200, &plain, NULL), TM_OK);
    assert_string_equal(csv, "series,x,y\na,0.5,1.25\n");
    assert_string_equal(svg, plain);
    free(csv);
    free(svg);
    free(plain);
    plot_figure_free(figure);
}

/* The leading digits as an integer: 2.5e-7 gives 25. Independent of how ticks are made. */
static long leading(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.11e", fabs(value));
    long digits = 0;
    bool tail = false;
    char kept[20];
    size_t used = 0;
    for (const char *c = text; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            kept[used++] = *c;
    while (used > 1 && kept[used - 1] == '0')
        used--;
    for (size_t i = 0; i < used && !tail; i++)
        digits = digits * 10 + (kept[i] - '0');
    return digits;
}

static void check_ticks(double low, double high, bool logarithmic, size_t most)
{
    double ticks[80];
    for (size_t i = 0; i < 80; i++)
        ticks[i] = NAN;
    size_t count = plot_ticks(low, high, logarithmic, most, ticks);
    assert_true(count <= most);
    assert_true(isnan(ticks[most]));
    double least = fmin(low, high), greatest = fmax(low, high);
    for (size_t i = 0; i < count; i++) {
        assert_true(ticks[i] >= least && ticks[i] <= greatest);
        assert_true(i == 0 || ticks[i] > ticks[i - 1]);
    }
}

/* An axis of counts has no tick between them, whatever the room. */
static void counts_have_whole_ticks(void **state)
{
    double x[4] = {1, 2, 3, 4};
    tm_error err = TM_ERROR_INIT;
    (void)state;
    for (size_t most = 2; most < 40; most++) {
        plot_figure *figure = plot_figure_new();
        plot_tick ticks[PLOT_TICKS_MAX];
        assert_int_equal(
            plot_figure_add(figure, &(plot_curve){"n", PLOT_LINE, x, x, 4, 0}, NULL, &err), TM_OK);
        plot_view view = plot_view_fit(figure);
        size_t count = plot_axis_ticks(&view.x, most, ticks);
        assert_true(count >= 1 && count <= 4);
        for (size_t i = 0; i < count; i++)
            assert_null(strchr(ticks[i].label, '.'));
        double halves[2] = {1, 3.5}; /* one fraction among them, and it is no axis of counts */
        assert_int_equal(plot_figure_add(figure,
                                         &(plot_curve){"f", PLOT_LINE, halves, halves, 2, 1}, NULL,
                                         &err),
                         TM_OK);
        view = plot_view_fit(figure);
        size_t all = plot_axis_ticks(&view.x, most, ticks);
        assert_true(most < 13 || all > 4);
        plot_figure_whole(figure, true, false); /* unless that is said */
        view = plot_view_fit(figure);
        count = plot_axis_ticks(&view.x, most, ticks);
        assert_true(count >= 1 && count <= 4);
        plot_figure_free(figure);
    }
}

static double random_unit(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

CHECK(ticks_lie_inside_and_ascend)
{
    uint64_t seed = 20140;
    for (int i = 0; i < 20000; i++) {
        double a = (random_unit(&seed) - 0.5) * pow(10, random_unit(&seed) * 40 - 20);
        double b = random_unit(&seed) < 0.3
                       ? a * (1 + random_unit(&seed) * 1e-6)
                       : (random_unit(&seed) - 0.5) * pow(10, random_unit(&seed) * 40 - 20);
        size_t most = (size_t)(random_unit(&seed) * 20);
        check_ticks(a, b, false, most);
        check_ticks(fabs(a), fabs(b), true, most);
    }
}

CHECK(ticks_survive_extremes)
{
    static const double ends[] = {-DBL_MAX, -1, -1e-308, -5e-324, 0,     5e-324, 1e-308,
                                  1e-300,   1,  1e15,    1e17,    1e300, 1e308,  DBL_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (size_t j = 0; j < sizeof ends / sizeof ends[0]; j++)
            for (size_t most = 0; most < 9; most++) {
                check_ticks(ends[i], ends[j], false, most);
                check_ticks(ends[i], ends[j], true, most);
            }
    double ticks[4];
    assert_int_equal(plot_ticks(NAN, 1, false, 4, ticks), 0);
    assert_int_equal(plot_ticks(0, INFINITY, false, 4, ticks), 0);
    assert_int_equal(plot_ticks(0, 1, true, 4, ticks), 0);
    assert_int_equal(plot_ticks(2, 2, false, 4, ticks), 0);
}

CHECK(linear_ticks_are_round)
{
    uint64_t seed = 7;
    for (int i = 0; i < 5000; i++) {
        double low = (random_unit(&seed) - 0.5) * 2e3;
        double high = low + pow(10, random_unit(&seed) * 8 - 4);
        size_t most = 3 + (size_t)(random_unit(&seed) * 10);
        double ticks[16];
        size_t count = plot_ticks(low, high, false, most, ticks);
        /* Five steps of 1-2-2.5-5 are at most a factor 2.5 apart: never fewer than a third. */
        assert_true(count >= 1 && count * 3 >= most - 2);
        for (size_t k = 1; k < count; k++) {
            double step = (ticks[count - 1] - ticks[0]) / (double)(count - 1);
            assert_true(fabs(ticks[k] - ticks[k - 1] - step) <= 1e-9 * step + 1e-12);
        }
        if (count >= 2 && ticks[0] != 0) {
            double step = (ticks[count - 1] - ticks[0]) / (double)(count - 1);
            char text[40];
            snprintf(text, sizeof text, "%.5e", step);
            double mantissa =
                strtod(text, NULL) / pow(10, (int)strtol(strchr(text, 'e') + 1, NULL, 10));
            assert_true(fabs(mantissa - 1) < 1e-4 || fabs(mantissa - 2) < 1e-4 ||
                        fabs(mantissa - 2.5) < 1e-4 || fabs(mantissa - 5) < 1e-4);
        }
    }
}

CHECK(log_ticks_are_one_two_or_five)
{
    uint64_t seed = 3;
    for (int i = 0; i < 5000; i++) {
        double low = pow(10, random_unit(&seed) * 600 - 300);
        double high = low * pow(10, 1 + random_unit(&seed) * 7);
        double ticks[16];
        size_t count = plot_ticks(low, high, true, 2 + (size_t)(random_unit(&seed) * 10), ticks);
        assert_true(count >= 1);
        for (size_t k = 0; k < count; k++) {
            long digits = leading(ticks[k]);
            assert_true(digits == 1 || digits == 2 || digits == 5);
        }
    }
}

static void assert_ticks(double low, double high, bool logarithmic, size_t most,
                         const double *expected, size_t count)
{
    double ticks[16];
    assert_int_equal(plot_ticks(low, high, logarithmic, most, ticks), count);
    for (size_t i = 0; i < count; i++)
        assert_true(ticks[i] == expected[i]);
}

CHECK(known_ticks)
{
    assert_ticks(0, 1, false, 5, (double[]){0, 0.25, 0.5, 0.75, 1}, 5);
    assert_ticks(0, 1, false, 6, (double[]){0, 0.2, 0.4, 0.6, 0.8, 1}, 6);
    assert_ticks(1, 0, false, 3, (double[]){0, 0.5, 1}, 3);
    assert_ticks(-1, 1, false, 3, (double[]){-1, 0, 1}, 3);
    assert_ticks(1e-3, 1, true, 4, (double[]){1e-3, 1e-2, 1e-1, 1}, 4);
    assert_ticks(1e-9, 10, true, 3, (double[]){1e-8, 1e-4, 1}, 3);
    assert_ticks(1, 10, true, 4, (double[]){1, 2, 5, 10}, 4);
    assert_ticks(3, 4, true, 3, (double[]){3, 3.5, 4}, 3);
}

static double luminance(const plot_colour *colour)
{
    const double parts[] = {colour->red / 255.0, colour->green / 255.0, colour->blue / 255.0};
    const double weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weights[i] *
               (parts[i] <= 0.03928 ? parts[i] / 12.92 : pow((parts[i] + 0.055) / 1.055, 2.4));
    return sum;
}

/* WCAG 2's contrast for graphics, 3:1, on both white and black. */
CHECK(palette_stands_out)
{
    const int hues = 8;
    assert_int_equal(plot_palette_size(), 8 * hues); /* shapes twice, then letters */
    for (int i = 0; i < plot_palette_size(); i++) {
        const plot_colour *colour = plot_palette(i);
        double light = luminance(colour);
        assert_true(1.05 / (light + 0.05) >= 3);
        assert_true((light + 0.05) / 0.05 >= 3);
        assert_in_range(colour->ansi16, 1, 6);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(plot_palette(j)->mark, colour->mark);
            assert_int_not_equal(plot_palette(j)->ascii, colour->ascii);
            if (i < hues)
                assert_int_not_equal(plot_palette(j)->xterm256, colour->xterm256);
        }
    }
    assert_ptr_equal(plot_palette(8 * hues), plot_palette(0));
    assert_ptr_equal(plot_palette(-1), plot_palette(8 * hues - 1));
}

static void count_move(void *context, double x, double y)
{
    (void)x;
    (void)y;
    ++*(size_t *)context;
}

/* A long series is left within a few thousand points, and nothing of it is handed out. */
CHECK(drawing_stops_when_it_is_cancelled)
{
    enum { POINTS = 200000 };
    tm_error err = TM_ERROR_INIT;
    tm_cancel *cancel = tm_cancel_new();
    plot_figure *figure = plot_figure_new();
    double *x = malloc(POINTS * sizeof *x);
    assert_non_null(x);
    assert_non_null(cancel);
    for (size_t i = 0; i < POINTS; i++)
        x[i] = (double)i;
    plot_curve curve = {"", PLOT_POINTS, x, x, POINTS, -1};
    assert_int_equal(plot_figure_add(figure, &curve, NULL, &err), TM_OK);
    plot_figure_cancel(figure, cancel);
    plot_view view = plot_view_fit(figure);
    plot_series series = {.name = (char[]){""}, .mark = PLOT_POINTS, .x = x, .y = x};
    series.count = POINTS;
    size_t moves = 0;
    const plot_sink sink = {&moves, count_move, count_move};
    plot_path_points(&series, &view, &sink);
    assert_int_equal(moves, POINTS);
    tm_cancel_set(cancel);
    moves = 0;
    plot_path_points(&series, &view, &sink);
    assert_true(moves < 10000);
    plot_path_lines(&series, &view, POINTS, &sink);
    assert_true(moves < 20000);
    assert_true(plot_path_count(&series, &view, POINTS) < 10000);
    plot_grid grid = PLOT_GRID_INIT;
    char *text = NULL;
    assert_int_equal(plot_draw_text(figure, 20, 60, true, &grid, &err), TM_ECANCELLED);
    assert_int_equal(plot_csv(figure, &text, &err), TM_ECANCELLED);
    assert_int_equal(plot_svg(figure, 600, 400, &text, &err), TM_ECANCELLED);
    assert_null(text);
    plot_grid_free(&grid);
    plot_figure_free(figure);
    tm_cancel_free(cancel);
    free(x);
}

static bool has_tick(const plot_axis *axis, const char *label, double at)
{
    plot_tick ticks[PLOT_TICKS_MAX];
    size_t count = plot_axis_ticks(axis, 6, ticks);
    for (size_t i = 0; i < count; i++)
        if (strcmp(ticks[i].label, label) == 0 && ticks[i].at == at)
            return true;
    return false;
}

/* What is infinite lies at an end that says so, beyond all that is finite, in text and in files. */
CHECK(infinite_values_are_marked)
{
    const double x[] = {1, 2, 3, 4}, y[] = {1, INFINITY, -INFINITY, 2}, finite[] = {1, 3, 4, 2};
    for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
        tm_error err = TM_ERROR_INIT;
        plot_figure *figure = plot_figure_new();
        plot_grid grid = PLOT_GRID_INIT;
        char *svg = NULL;
        plot_figure_log(figure, false, logarithmic);
        add(figure, "a", PLOT_POINTS, x, finite, 4);
        plot_view view = plot_view_fit(figure);
        assert_false(has_tick(&view.y, "inf", 1));
        add(figure, "b", PLOT_POINTS, x, y, 4);
        view = plot_view_fit(figure);
        assert_true(has_tick(&view.y, "inf", 1));
        assert_int_equal(has_tick(&view.y, "-inf", 0), !logarithmic); /* else at the floor */
        assert_false(has_tick(&view.x, "inf", 1));
        assert_true(plot_axis_place(&view.y, 4) < 0.95);
        assert_true(plot_axis_place(&view.y, 1) > 0.05);
        assert_int_equal(plot_draw_text(figure, 12, 40, true, &grid, &err), TM_OK);
        assert_int_equal(plot_svg(figure, 600, 400, &svg, &err), TM_OK);
        assert_non_null(strstr(svg, ">inf<"));
        free(svg);
        plot_grid_free(&grid);
        plot_figure_free(figure);
    }
}

RUN_TESTS(infinite_values_are_marked, drawing_stops_when_it_is_cancelled, counts_have_whole_ticks,
          numbers_are_short, numbers_fit_any_buffer, numbers_ignore_the_locale,
          ticks_lie_inside_and_ascend, ticks_survive_extremes, linear_ticks_are_round,
          log_ticks_are_one_two_or_five, known_ticks, palette_stands_out)
