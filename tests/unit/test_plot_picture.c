/* Pictures: values on a grid in cells, on pages and as CSV; slices of three dimensions; bars. */
#include "plot_check.h"

#include "plot/file/pen.h"

enum { ROWS = 4, COLS = 6 };

/* 0 but for a strong square, a weak negative place, and a place where nothing is. */
static plot_figure *picture_figure(size_t row, size_t col)
{
    double values[ROWS * COLS] = {0};
    values[1 * COLS + 1] = values[1 * COLS + 2] = values[2 * COLS + 1] = values[2 * COLS + 2] = 2;
    values[3 * COLS + 5] = -0.1;
    values[0] = NAN;
    plot_figure *figure = plot_figure_new();
    assert_non_null(figure);
    const plot_picture picture = {
        .rows = ROWS, .cols = COLS, .values = values, .row = row, .col = col};
    assert_int_equal(plot_figure_picture(figure, &picture, NULL), TM_OK);
    return figure;
}

static plot_grid drawn(const plot_figure *figure, size_t rows, size_t cols, bool utf8)
{
    plot_grid grid = PLOT_GRID_INIT;
    assert_int_equal(plot_draw_text(figure, rows, cols, utf8, &grid, NULL), TM_OK);
    return grid;
}

CHECK(picture_letters)
{
    plot_figure *figure = picture_figure(3, 5);
    plot_figure_readout(figure, "X24: -0.1");
    char *text = as_text(figure, 8, 40, false);
    assert_string_equal(text, "           v\n"
                              "\n"
                              "   ####\n"
                              "   ####\n"
                              ">          --\n"
                              "\n"
                              " -2 Oo=- 0 .:*# 2\n"
                              " X24: -0.1\n");
    free(text);
    plot_figure_free(figure);
}

/* Every cell of the picture says which value it shows. */
CHECK(picture_places)
{
    for (int shades = 0; shades < 2; shades++)
        for (int utf8 = 0; utf8 < 2; utf8++) {
            plot_figure *figure = picture_figure(PLOT_NO_PLACE, PLOT_NO_PLACE);
            plot_figure_shades(figure, shades);
            plot_grid grid = drawn(figure, 20, 60, utf8);
            bool seen[ROWS][COLS] = {{false}};
            for (size_t r = 0; r < grid.rows; r++)
                for (size_t c = 0; c < grid.cols; c++) {
                    size_t row, col;
                    if (!plot_picture_at(&grid.frame, r, c, &row, &col))
                        continue;
                    assert_true(row < ROWS && col < COLS);
                    seen[row][col] = true;
                    const plot_cell *cell = &grid.cells[r * grid.cols + c];
                    bool strong = (row == 1 || row == 2) && (col == 1 || col == 2);
                    const int full = PLOT_SHADE + 2 * PLOT_SHADES;
                    if (shades && strong)
                        assert_true(cell->ground == full || cell->colour == full);
                    if (!shades)
                        assert_int_equal(cell->ch == (utf8 ? 0x2588 : '#'), strong);
                }
            for (size_t i = 0; i < ROWS * COLS; i++)
                assert_true(seen[i / COLS][i % COLS]);
            plot_grid_free(&grid);
            plot_figure_free(figure);
        }
}

/* A single value that is not 0 is seen however coarse the picture, at any size. */
CHECK(picture_small_sizes)
{
    enum { SIDE = 97 };
    static double values[SIDE * SIDE];
    values[50 * SIDE + 31] = -1;
    plot_figure *figure = plot_figure_new();
    const plot_picture picture = {
        .rows = SIDE, .cols = SIDE, .values = values, .row = 50, .col = 31};
    assert_int_equal(plot_figure_picture(figure, &picture, NULL), TM_OK);
    plot_figure_title(figure, "title");
    plot_figure_readout(figure, "read-out");
    for (size_t rows = 1; rows < 30; rows += rows < 8 ? 1 : 6)
        for (size_t cols = 1; cols < 90; cols += cols < 8 ? 1 : 20)
            for (int kind = 0; kind < 4; kind++) {
                plot_figure_shades(figure, kind % 2);
                plot_grid grid = drawn(figure, rows, cols, kind / 2);
                size_t marked = 0;
                for (size_t i = 0; i < rows * cols; i++) {
                    int ground = grid.cells[i].ground, colour = grid.cells[i].colour;
                    marked += ground == PLOT_SHADE || colour == PLOT_SHADE || colour == 0;
                }
                if (rows > 8 && cols > 8)
                    assert_true(marked > 0);
                plot_grid_free(&grid);
            }
    plot_figure_free(figure);
}

/* A place and where it is seen are the same both ways, for one slice and for all. */
CHECK(slices_both_ways)
{
    static const size_t shapes[][3] = {{4, 5, 1}, {3, 4, 5}, {7, 2, 3}, {1, 4, 4}, {5, 1, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        size_t places = shapes[i][0] * shapes[i][1] * shapes[i][2], seen = 0;
        plot_slices all = plot_slices_of(shapes[i], PLOT_NO_PLACE);
        for (size_t place = 0; place < places; place++) {
            size_t row, col;
            assert_true(plot_slices_find(&all, place, &row, &col));
            assert_true(row < all.rows && col < all.cols);
            assert_int_equal(plot_slices_at(&all, row, col), place);
            for (size_t s = 0; s < all.count; s++) {
                plot_slices one = plot_slices_of(shapes[i], s);
                if (plot_slices_find(&one, place, &row, &col)) {
                    assert_int_equal(plot_slices_at(&one, row, col), place);
                    seen++;
                }
            }
        }
        assert_int_equal(seen, places);
        for (size_t row = 0; row < all.rows; row++)
            for (size_t col = 0; col < all.cols; col++) {
                size_t place = plot_slices_at(&all, row, col);
                assert_true(place == PLOT_NO_PLACE || place < places);
            }
    }
}

CHECK(picture_csv_and_pages)
{
    plot_figure *figure = picture_figure(1, 1);
    char *text;
    assert_int_equal(plot_csv(figure, &text, NULL), TM_OK);
    assert_int_equal(strncmp(text, "row,column,value\n1,2,0\n", 23), 0);
    assert_non_null(strstr(text, "\n2,2,2\n"));
    assert_non_null(strstr(text, "\n4,6,-0.1"));
    free(text);
    assert_int_equal(plot_svg(figure, 300, 200, &text, NULL), TM_OK);
    char colour[16];
    snprintf(colour, sizeof colour, "#%06x", plot_shade(1, false));
    assert_non_null(strstr(text, colour));
    snprintf(colour, sizeof colour, "#%06x", plot_shade(-0.05, false));
    assert_non_null(strstr(text, colour));
    free(text);
    plot_figure_free(figure);
}

/* Bars end at their values, begin at 0, and there is none for a 0. */
CHECK(bars)
{
    double x[] = {1, 2, 3, 4}, y[] = {1, 0, -1, 0.5};
    plot_figure *figure = plot_figure_new();
    add(figure, "", PLOT_BARS, x, y, 4);
    plot_figure_legend(figure, false);
    plot_figure_xlim(figure, 0.5, 4.5);
    char *text = as_text(figure, 11, 20, false);
    const char *line = text;
    size_t filled[20] = {0};
    for (int row = 0; row < 9; row++) {
        size_t length = strcspn(line, "\n");
        for (size_t c = 3; c < length && c < 20; c++)
            filled[c] += line[c] == 'o';
        line += length + 1;
    }
    size_t columns = 0, tallest = 0;
    for (size_t c = 0; c < 20; c++) {
        columns += filled[c] > 0;
        tallest = filled[c] > tallest ? filled[c] : tallest;
    }
    assert_int_equal(columns, 3);
    assert_in_range(tallest, 4, 5);
    free(text);
    plot_figure_free(figure);
}

RUN_TESTS(picture_letters, picture_places, picture_small_sizes, slices_both_ways,
          picture_csv_and_pages, bars)
