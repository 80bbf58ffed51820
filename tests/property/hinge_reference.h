/* The optimum of a support vector machine with hinge loss by code of its own. */
#ifndef TESTS_HINGE_REFERENCE_H
#define TESTS_HINGE_REFERENCE_H

#include "problem.h"

static inline double hinge_entry(const problem *q, size_t j, size_t i)
{
    return j < q->p ? problem_column(q, j)[i] : 1;
}

/* min 1/2 |w|^2 + C sum_i max(0, 1 - y_i x_i'w), with a feature that is 1 when `constant`:
 * coordinate ascent on its dual until both values meet. */
static inline double hinge_svm(const problem *q, double C, bool constant)
{
    size_t n = q->n, p = q->p + constant;
    double *alpha = calloc(n, sizeof *alpha), *w = calloc(p, sizeof *w), primal = 0, dual = 0;
    assert_true(alpha && w);
    for (int sweep = 0; sweep < 400000; sweep++) {
        for (size_t i = 0; i < n; i++) {
            double margin = 0, square = 0;
            for (size_t j = 0; j < p; j++) {
                margin += w[j] * hinge_entry(q, j, i);
                square += hinge_entry(q, j, i) * hinge_entry(q, j, i);
            }
            double next = square > 0 ? alpha[i] + (1 - q->y[i] * margin) / square : C;
            next = fmin(fmax(next, 0), C);
            for (size_t j = 0; j < p; j++)
                w[j] += (next - alpha[i]) * q->y[i] * hinge_entry(q, j, i);
            alpha[i] = next;
        }
        if (sweep % 50)
            continue;
        double norm = 0, loss = 0, sum = 0;
        for (size_t j = 0; j < p; j++)
            norm += w[j] * w[j];
        for (size_t i = 0; i < n; i++) {
            double margin = 0;
            for (size_t j = 0; j < p; j++)
                margin += w[j] * hinge_entry(q, j, i);
            loss += fmax(0, 1 - q->y[i] * margin);
            sum += alpha[i];
        }
        primal = norm / 2 + C * loss;
        dual = sum - norm / 2;
        if (primal - dual <= 1e-9 * (1 + primal))
            break;
    }
    free(alpha);
    free(w);
    return (primal + dual) / 2;
}

#endif
