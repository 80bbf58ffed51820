/* Solves of `svm` in tests. */
#ifndef TESTS_SVM_PROBLEM_H
#define TESTS_SVM_PROBLEM_H

#include "classes.h"

#include "tests/core_check.h"

static inline tm_solution svm_solve(const tm_dataset *data, const char *words)
{
    return method_solve("svm", data, words, NAN);
}

static inline void must_be_close(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", got, tolerance, expected);
}

static inline const char *const *svm_intercept_words(void)
{
    static const char *const words[] = {"none", "regularised", "free", NULL};
    return words;
}

#endif
