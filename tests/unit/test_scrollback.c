/* The scrollback keeps lines as they were printed, and not more than it should. */
#include "tests/check.h"

#include "tui/prompt/scrollback.h"

#include <stdio.h>
#include <string.h>

static void add(scrollback *sb, line_kind kind, const char *text)
{
    scrollback_add(sb, kind, text, strlen(text));
}

static void expect(const scrollback *sb, uint64_t number, line_kind kind, const char *text)
{
    size_t length;
    line_kind found;
    assert_string_equal(scrollback_line(sb, number, &length, &found), text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(found, kind);
}

CHECK(test_pieces_become_lines)
{
    scrollback *sb = scrollback_new(10);
    assert_non_null(sb);
    add(sb, LINE_OUTPUT, "one");
    add(sb, LINE_OUTPUT, " and more\n\ntwo");
    add(sb, LINE_ERROR, "in between\n");
    add(sb, LINE_OUTPUT, "three\n");
    assert_int_equal(scrollback_end(sb), 5);
    expect(sb, 0, LINE_OUTPUT, "one and more");
    expect(sb, 1, LINE_OUTPUT, "");
    expect(sb, 2, LINE_OUTPUT, "two");
    expect(sb, 3, LINE_ERROR, "in between");
    expect(sb, 4, LINE_OUTPUT, "three");
    scrollback_free(sb);
}

CHECK(test_the_oldest_go)
{
    scrollback *sb = scrollback_new(3);
    assert_non_null(sb);
    for (int i = 0; i < 100; i++) {
        char text[16];
        snprintf(text, sizeof text, "line %d\n", i);
        add(sb, LINE_OUTPUT, text);
    }
    assert_int_equal(scrollback_first(sb), 97);
    assert_int_equal(scrollback_end(sb), 100);
    expect(sb, 97, LINE_OUTPUT, "line 97");
    expect(sb, 99, LINE_OUTPUT, "line 99");
    scrollback_free(sb);
}

/* A line without an end is broken into several, none of them huge, and no byte is lost. */
CHECK(test_an_endless_line)
{
    scrollback *sb = scrollback_new(1000);
    assert_non_null(sb);
    char piece[1000];
    memset(piece, 'x', sizeof piece);
    for (int i = 0; i < 200; i++)
        scrollback_add(sb, LINE_OUTPUT, piece, sizeof piece);
    size_t total = 0;
    for (uint64_t i = scrollback_first(sb); i < scrollback_end(sb); i++) {
        size_t length;
        line_kind kind;
        scrollback_line(sb, i, &length, &kind);
        assert_in_range(length, 1, 20000);
        total += length;
    }
    assert_int_equal(total, 200 * sizeof piece);
    scrollback_free(sb);
}

RUN_TESTS(test_pieces_become_lines, test_the_oldest_go, test_an_endless_line)
