/* The registry's table holds together: every name stands for one thing. */
#include "core_check.h"

static void test_methods_have_names_of_their_own(void **state)
{
    (void)state;
    tm_error err;
    size_t count = 0;
    for (const tm_method *method; (method = tm_methods_at(count)); count++)
        assert_ptr_equal(tm_method_find(tm_method_id(method), &err), method);
    assert_true(count > 10);
}

static void test_parameters_are_listed_once(void **state)
{
    (void)state;
    const tm_method *method;
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        size_t count;
        const tm_param_info *params = tm_method_params(method, &count);
        assert_true(count > 0);
        for (size_t j = 0; j < count; j++)
            for (size_t k = 0; k < j; k++)
                if (strcmp(params[j].name, params[k].name) == 0)
                    fail_msg("%s lists %s twice", tm_method_id(method), params[j].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods_have_names_of_their_own),
        cmocka_unit_test(test_parameters_are_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
