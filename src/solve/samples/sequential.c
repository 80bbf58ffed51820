/* Sequential screening: from the answer at C1 to a ball around the optimum at C2.
 *
 * The optimality conditions of both give (w2 - k w1)'(w1 - w2) >= 0 with k = C2 / C1, for any b: w2
 * lies in the ball whose diameter is the segment from w1 to k w1. An inexact w1 is within the
 * square root of its gap of the exact one; this moves the centre by (1 + k)/2 and enlarges the
 * radius by |k - 1|/2 times that distance. */
#include "solve/samples/screen.h"

#include <math.h>

bool svm_ball_from(svm *m, double C1, double C2, sample_ball *ball, solve_progress *progress)
{
    svm_state *s = &m->state;
    double k = C2 / C1;
    svm_problem_set(&m->problem, C1);
    svm_state_fill(s);
    bool going = svm_state_refresh(s, progress) && svm_state_find_gap(s, &m->gap, progress);
    double size = going ? svm_size(s) : 0;
    svm_problem_set(&m->problem, C2);
    for (size_t i = 0; going && i < m->problem.n; i++)
        m->centre[i] = (1 + k) / 2 * s->f[i];
    *ball = (sample_ball){.f = m->centre,
                          .radius = fabs(k - 1) / 2 * size + fmax(1, k) * sqrt(fmax(m->gap.gap, 0)),
                          .size = (1 + k) / 2 * size};
    return going;
}
