/* The registry's table holds together: every name stands for one thing. */
#include "tests/core_check.h"

#include "model/loss/losses.h"
#include "solve/common/method.h"

CHECK(test_methods_have_names_of_their_own)
{
    tm_error err;
    size_t count = 0;
    for (const tm_method *method; (method = tm_methods_at(count)); count++)
        assert_ptr_equal(tm_method_find(tm_method_id(method), &err), method);
    assert_true(count > 10);
}

CHECK(test_parameters_are_listed_once)
{
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

/* The values of `loss` are the losses that the method fits, and a method without it has one. */
CHECK(test_losses_are_those_of_the_parameter)
{
    const tm_method *method;
    for (size_t i = 0; (method = tm_methods_at(i)); i++) {
        const tm_choice *choices = NULL;
        unsigned named = 0;
        size_t count;
        const tm_param_info *params = tm_method_params(method, &count);
        for (size_t k = 0; k < count; k++)
            if (strcmp(params[k].name, "loss") == 0)
                choices = params[k].choices;
        for (; choices && choices->name; choices++)
            if (loss_find(choices->name, NULL))
                named |= loss_bit(loss_find(choices->name, NULL));
        if (method->measures || (method->hinge && !named))
            assert_int_equal(method->losses, 0);
        else if (named)
            assert_int_equal(method->losses, named);
        else
            assert_non_null(loss_only(method->losses));
    }
}

CHECK(test_losses_are_named)
{
    static const text_case known[] = {
        {"lasso", "squared"},
        {"sdca", "squared, logistic, squared_hinge"},
        {"ufomkl", "hinge, logistic"},
        {"fgm", "squared_hinge, logistic"},
        {"bmrm", "hamming, f1, fbeta@b, prec@k, rec@k, prbep, rocarea, ap"}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char text[128];
        tm_method_losses(tm_method_find(known[k].text, NULL), text, sizeof text);
        assert_string_equal(text, known[k].want);
    }
}

RUN_TESTS(test_methods_have_names_of_their_own, test_parameters_are_listed_once,
          test_losses_are_those_of_the_parameter, test_losses_are_named)
