/* Cut pursuit with safe screening: before the first round of a lambda, and after every round whose
 * gap is small enough for more, terms are proven zero from the present point and its gap, and the
 * solve goes on with the smaller problem that is left, which is screened in turn. At the end its
 * answer is certified on all features, and the whole problem is solved further if needed: whatever
 * screening has done, the certificate is that of the whole problem.
 *
 * A smaller problem is made only when the work it is expected to save is more than its own. */
#ifndef SOLVE_STRUCTURE_SCREENED_H
#define SOLVE_STRUCTURE_SCREENED_H

#include "solve/structure/cut_pursuit.h"
#include "solve/structure/screening/bounds.h"

typedef struct screened screened;

/* The whole problem, whose terms are edges. What it points to must outlive the workspace. */
typedef struct screened_problem {
    const tm_dataset *data;
    const char *loss;
    const graph_terms *terms;
    graph_certifier *certifier;
    cut_pursuit *cut;
} screened_problem;

tm_status screened_new(screened **out, const screened_problem *whole, tm_error *err);
void screened_free(screened *s);

typedef struct screened_options {
    bounds_kind kind;
    bool dynamic;  /* also during the solve */
    bool always;   /* also where it costs more than it saves */
    term_log *log; /* NULL: none */
} screened_options;
void screened_update(screened *s, const screened_options *options);

/* As cut_pursuit_solve. */
tm_status screened_solve(screened *s, double lambda, double target, size_t max_rounds,
                         solve_progress *progress, structure_end *end, tm_error *err);
/* Features that were left apart at the end of the last solve: neither proven equal to others nor
 * proven 0. */
size_t screened_left(const screened *s);

#endif
