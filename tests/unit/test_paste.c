/* Pasted text between its marks, however the terminal's bytes are cut. */
#include "tests/check.h"

#include "tui/paste.h"

#include <stdlib.h>
#include <string.h>

/* Feeds the bytes in two pieces, as the loop does: what is not taken comes again with the next. */
static char *pasted(const char *bytes, size_t length, size_t cut, size_t *behind)
{
    app_paste paste;
    char queue[256];
    size_t count = 0;
    bool ended = false;
    paste_begin(&paste);
    for (int piece = 0; piece < 2; piece++) {
        size_t from = piece ? cut : 0, size = piece ? length - cut : cut;
        memcpy(queue + count, bytes + from, size);
        count += size;
        if (!ended) {
            size_t taken = paste_take(&paste, queue, count, &ended);
            memmove(queue, queue + taken, count - taken);
            count -= taken;
        }
    }
    assert_true(ended);
    assert_true(paste.open);
    *behind = count;
    char *text = paste_end(&paste);
    assert_false(paste.open);
    return text;
}

CHECK(test_any_cut_gives_the_same_text)
{
    static const char bytes[] =
        "for i = 1, 2 do\r  print(i)\r\nend\x01\x1b[A\n\n" KEYBOARD_PASTE_END "q";
    size_t length = sizeof bytes - 1, behind;
    for (size_t cut = 0; cut <= length; cut++) {
        char *text = pasted(bytes, length, cut, &behind);
        assert_string_equal(text, "for i = 1, 2 do\n  print(i)\nend[A");
        assert_int_equal(behind, 1);
        free(text);
    }
}

CHECK(test_nothing_and_too_much)
{
    app_paste paste;
    bool ended;
    size_t size = 1 << 20;
    char *block = malloc(size);
    assert_non_null(block);
    memset(block, 'x', size);
    paste_begin(&paste);
    assert_int_equal(paste_take(&paste, KEYBOARD_PASTE_END, 6, &ended), 6);
    assert_true(ended);
    assert_null(paste_end(&paste));
    paste_begin(&paste);
    for (int i = 0; i < 40; i++)
        assert_int_equal(paste_take(&paste, block, size, &ended), size);
    assert_true(paste.cut && paste.length <= 1 << 24);
    free(paste_end(&paste));
    free(block);
}

RUN_TESTS(test_any_cut_gives_the_same_text, test_nothing_and_too_much)
