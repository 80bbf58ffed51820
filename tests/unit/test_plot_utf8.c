/* Decoding and column widths, without the locale. */
#include "plot_check.h"

#include "plot/utf8.h"

CHECK(known_widths)
{
    static const struct {
        const char *text;
        size_t columns;
    } known[] = {
        {"", 0},
        {"gap", 3},
        {"\u00e9", 1},           /* e acute in one */
        {"e\u0301", 1},          /* e and a combining acute */
        {"\u65e5\u672c", 4},     /* two ideographs */
        {"\uff21", 2},           /* full-width A */
        {"\uff71", 1},           /* half-width katakana */
        {"\uac00", 2},           /* a Hangul syllable */
        {"\U0001f600", 2},       /* an emoji */
        {"\u200b", 0},           /* zero width space */
        {"\u03bb\u2264", 2},     /* lambda, less or equal */
        {"\u28ff\u25cf", 2},     /* Braille, black circle */
        {"\xff", 1},             /* malformed: one replacement */
        {"\xc3(", 2},            /* cut sequence, then a letter */
        {"\xc0\xaf", 2},         /* overlong */
        {"\xed\xa0\x80", 3},     /* surrogate */
        {"\xf4\x90\x80\x80", 4}, /* beyond the last code point */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(utf8_columns(known[i].text), known[i].columns);
}

CHECK(code_points_round_trip)
{
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        char bytes[5] = {0};
        size_t length = utf8_put(code, bytes);
        const char *at = bytes;
        assert_int_equal(utf8_next(&at), code);
        assert_ptr_equal(at, bytes + length);
        int width = utf8_width(code);
        assert_true(width >= 0 && width <= 2);
    }
}

/* Any bytes end, in replacement characters at worst. */
CHECK(any_bytes_decode)
{
    uint64_t seed = 5;
    for (int round = 0; round < 20000; round++) {
        char text[12];
        for (size_t i = 0; i < sizeof text - 1; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[i] = (char)(seed >> 56);
        }
        text[sizeof text - 1] = 0;
        size_t steps = 0;
        for (const char *at = text; utf8_next(&at); steps++)
            assert_true(at <= text + strlen(text));
        assert_true(steps <= strlen(text));
    }
}

CHECK(controls_are_not_shown)
{
    assert_int_equal(utf8_printable(0x1b), 0xfffd);
    assert_int_equal(utf8_printable('\n'), 0xfffd);
    assert_int_equal(utf8_printable(0x9b), 0xfffd);
    assert_int_equal(utf8_printable(0x7f), 0xfffd);
    assert_int_equal(utf8_printable(0xffff), 0xfffd);
    assert_int_equal(utf8_printable('a'), 'a');
    assert_int_equal(utf8_printable(0x3bb), 0x3bb);
}

/* A wide title is cut at a whole character, with an ellipsis, and fills no more than the row. */
CHECK(wide_titles_are_cut)
{
    plot_figure *figure = plot_figure_new();
    plot_figure_title(figure, "\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e");
    plot_grid grid = PLOT_GRID_INIT;
    assert_int_equal(plot_draw_text(figure, 8, 8, true, &grid, NULL), TM_OK);
    assert_int_equal(grid.cells[0].ch, 0x65e5);
    assert_int_equal(grid.cells[1].ch, 0);
    assert_int_equal(grid.cells[4].ch, 0x8a9e);
    assert_int_equal(grid.cells[6].ch, 0x2026);
    assert_int_equal(plot_draw_text(figure, 8, 8, false, &grid, NULL), TM_OK);
    for (size_t c = 0; c < 6; c++)
        assert_int_equal(grid.cells[c].ch, '?');
    plot_grid_free(&grid);
    plot_figure_free(figure);
}

RUN_TESTS(known_widths, code_points_round_trip, any_bytes_decode, controls_are_not_shown,
          wide_titles_are_cut)
