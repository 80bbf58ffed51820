/* The list widget: choosing, paging, scrolling, the mouse, searching. */
#include "tui/widgets/list.h"
#include "tui/widgets/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const rect area = {3, 10, 5, 20};

/* Rows that are shown, checked to lie one below the other in the area. */
static int shown(const list *l)
{
    size_t row;
    rect at;
    int i = 0;
    for (; list_row(l, i, &row, &at); i++) {
        assert_int_equal(row, l->top + (size_t)i);
        assert_int_equal(at.row, area.row + i);
        assert_int_equal(at.col, area.col);
        assert_int_equal(at.rows, 1);
        assert_int_equal(at.cols, area.cols);
    }
    return i;
}

static void test_choosing_stops_at_the_ends(void **state)
{
    list l = {0};
    (void)state;
    list_show(&l, area, 12);
    assert_true(list_request(&l, REQ_UP));
    assert_int_equal(l.chosen, 0);
    assert_true(list_request(&l, REQ_LAST));
    assert_int_equal(l.chosen, 11);
    assert_true(list_request(&l, REQ_DOWN));
    assert_int_equal(l.chosen, 11);
    assert_true(list_request(&l, REQ_FIRST));
    assert_int_equal(l.chosen, 0);
    assert_false(list_request(&l, REQ_LEFT));
}

static void test_pages_keep_a_row(void **state)
{
    list l = {0};
    (void)state;
    list_show(&l, area, 12);
    list_request(&l, REQ_PAGE_DOWN);
    assert_int_equal(l.chosen, 4);
    l.page = 7;
    list_request(&l, REQ_PAGE_DOWN);
    assert_int_equal(l.chosen, 11);
    list_request(&l, REQ_PAGE_UP);
    assert_int_equal(l.chosen, 4);
}

static void test_the_chosen_row_is_seen(void **state)
{
    list l = {0};
    (void)state;
    for (size_t chosen = 0; chosen < 12; chosen++) {
        list_choose(&l, (long)chosen);
        list_show(&l, area, 12);
        list_choose(&l, (long)chosen);
        list_show(&l, area, 12);
        assert_in_range(l.chosen, l.top, l.top + 4);
        assert_int_equal(shown(&l), 5);
    }
    /* A shorter list fills the area from its end. */
    list_show(&l, area, 6);
    assert_int_equal(l.chosen, 5);
    assert_int_equal(l.top, 1);
    list_show(&l, area, 2);
    assert_int_equal(l.top, 0);
    assert_int_equal(shown(&l), 2);
    list_show(&l, area, 0);
    assert_int_equal(l.chosen, 0);
    assert_int_equal(shown(&l), 0);
    assert_true(list_request(&l, REQ_LAST));
    assert_int_equal(l.chosen, 0);
}

static void test_clicks(void **state)
{
    list l = {0};
    (void)state;
    list_show(&l, area, 12);
    list_choose(&l, 7);
    list_show(&l, area, 12);
    assert_int_equal(l.top, 3);
    assert_true(list_click(&l, &(key_event){TK_CLICK, 5, 29}));
    assert_int_equal(l.chosen, 5);
    assert_false(list_click(&l, &(key_event){TK_CLICK, 5, 30}));
    assert_false(list_click(&l, &(key_event){TK_CLICK, 2, 10}));
    assert_false(list_click(&l, &(key_event){TK_CLICK, 8, 10}));
    list_show(&l, area, 2);
    assert_false(list_click(&l, &(key_event){TK_CLICK, 5, 10}));
    assert_int_equal(l.chosen, 1);
    list_hide(&l);
    assert_false(list_click(&l, &(key_event){TK_CLICK, 3, 10}));
}

static bool is_multiple(size_t row, const void *payload)
{
    return row % *(const size_t *)payload == 0;
}

static void test_search_goes_around(void **state)
{
    list l = {0};
    size_t by = 4, none = SIZE_MAX;
    (void)state;
    assert_false(list_find(&l, is_multiple, &by));
    list_show(&l, area, 10);
    list_choose(&l, 5);
    assert_true(list_find(&l, is_multiple, &by));
    assert_int_equal(l.chosen, 8);
    assert_true(list_find(&l, is_multiple, &by));
    assert_int_equal(l.chosen, 0);
    list_choose(&l, 1);
    assert_true(list_find(&l, is_multiple, &none));
    assert_int_equal(l.chosen, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choosing_stops_at_the_ends), cmocka_unit_test(test_pages_keep_a_row),
        cmocka_unit_test(test_the_chosen_row_is_seen),     cmocka_unit_test(test_clicks),
        cmocka_unit_test(test_search_goes_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
