/* Keys out of bytes: terminfo's sequences, the common ones, broken and unfinished ones. */
#include "tests/check.h"

#include "tui/shell/keys.h"
#include "tui/terminal/keyboard.h"
#include "tui/views/table.h"

#include <locale.h>
#include <string.h>

#include <curses.h>
#include <term.h>

static int set_up(void **state)
{
    int found;
    setlocale(LC_CTYPE, "C.UTF-8");
    if (setupterm("xterm-256color", 1, &found) != OK)
        return 1;
    *state = keyboard_new();
    return *state == NULL;
}

static int tear_down(void **state)
{
    keyboard_free(*state);
    return del_curterm(cur_term) != OK;
}

/* The bytes must be one key, whole. */
static void expect(keyboard *k, const char *bytes, int code)
{
    key_event key;
    size_t taken = keyboard_decode(k, bytes, strlen(bytes), true, &key);
    assert_int_equal(taken, strlen(bytes));
    assert_int_equal(key.code, code);
}

static void test_keys(void **state)
{
    expect(*state, "a", 'a');
    expect(*state, "\r", TK_ENTER);
    expect(*state, "\b", TK_BACKSPACE);
    expect(*state, "\177", TK_BACKSPACE);
    expect(*state, "\303\251", 0xe9);
    expect(*state, "\033[A", TK_UP);
    expect(*state, "\033OA", TK_UP);
    expect(*state, "\033[1;2C", TK_SHIFT_RIGHT);
    expect(*state, "\033[5~", TK_PAGE_UP);
    expect(*state, "\033[3~", TK_DELETE);
    expect(*state, "\033[Z", TK_BACKTAB);
    expect(*state, "\033OP", TK_F1);
    expect(*state, "\033[[A", TK_F1);
    expect(*state, "\033[24~", TK_F12);
    expect(*state, "\033x", TK_ALT + 'x');
    expect(*state, "\033", TK_ESC);
    expect(*state, "\033[999;999;999;999;999~", TK_NONE);
}

static void test_mouse(void **state)
{
    key_event key;
    const char *bytes = "\033[<0;12;34M";
    assert_int_equal(keyboard_decode(*state, bytes, strlen(bytes), false, &key), strlen(bytes));
    assert_int_equal(key.code, TK_CLICK);
    assert_int_equal(key.col, 11);
    assert_int_equal(key.row, 33);
    expect(*state, "\033[<0;12;34m", TK_RELEASE);
    expect(*state, "\033[<32;12;34M", TK_DRAG);
    expect(*state, "\033[<2;12;34m", TK_NONE); /* another button */
    expect(*state, "\033[<64;1;1M", TK_WHEEL_UP);
}

static void test_unfinished(void **state)
{
    static const char *const beginnings[] = {"\033",       "\033[", "\033[1;",  "\033O",
                                             "\033[<0;12", "\303",  "\346\274", "\033\303"};
    key_event key;
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        size_t length = strlen(beginnings[i]);
        assert_int_equal(keyboard_decode(*state, beginnings[i], length, false, &key), 0);
        /* When nothing follows, something is taken: the queue never stands still. */
        assert_true(keyboard_decode(*state, beginnings[i], length, true, &key) > 0);
    }
    assert_int_equal(keyboard_decode(*state, "", 0, true, &key), 0);
}

/* Any bytes are taken in the end, and never more than there are. */
static void test_any_bytes(void **state)
{
    uint32_t random = 1;
    for (int round = 0; round < 20000; round++) {
        char bytes[24];
        size_t length = 1 + (size_t)round % sizeof bytes;
        for (size_t i = 0; i < length; i++) {
            random = random * 1664525u + 1013904223u;
            bytes[i] =
                i == 0 && round % 2 == 0 ? '\033' : "\033[O<;019mMA~\303\251x"[random >> 24 & 15];
        }
        key_event key;
        size_t taken = keyboard_decode(*state, bytes, length, true, &key);
        assert_in_range(taken, 1, length);
        size_t early = keyboard_decode(*state, bytes, length, false, &key);
        assert_true(early == 0 || early <= length);
    }
}

/* Every key of the tables has a name, so that no line of a help page is empty. */
CHECK(test_names)
{
    const key_row *rows[CONTEXT_COUNT + 1] = {
        [CONTEXT_PLOT] = keys_plot, [CONTEXT_PAGER] = keys_pager, [CONTEXT_COUNT] = keys_general};
    for (int i = 0; i < VIEW_COUNT; i++)
        rows[i] = view_table[i]->keys;
    for (int i = 0; i <= CONTEXT_COUNT; i++) {
        assert_true(rows[i]->request != REQ_NONE);
        for (const key_row *row = rows[i]; row->request != REQ_NONE; row++) {
            for (int k = 0; k < KEYS_A_ROW && row->keys[k] != 0; k++) {
                char name[32];
                keyboard_key_name(row->keys[k], name, sizeof name);
                assert_true(strlen(name) > 0);
            }
            assert_true(row->keys[0] != 0);
        }
    }
}

RUN_TESTS_WITH(set_up, tear_down, test_keys, test_mouse, test_unfinished, test_any_bytes,
               test_names)
