/* Tests that certify samples: over a ball that contains the optimal w, and over the intercepts that
 * are optimal for some w in it. */
#ifndef SOLVE_SAMPLES_SCREEN_H
#define SOLVE_SAMPLES_SCREEN_H

#include "solve/samples/work.h"

/* For all w of the ball, z_i'w differs from y_i f_i by at most |z_i| times `radius`. */
typedef struct sample_ball {
    const double *f;
    double radius;
    double size;      /* |w| at its centre, to which the rounding errors of products are relative */
    hinge_interval b; /* all that can be optimal; set by svm_ball_intercepts */
} sample_ball;

/* Computes the intercepts that are optimal on `set` for any w of the ball. */
void svm_ball_intercepts(svm_state *s, sample_ball *ball);

/* The least and the greatest z_i'w + y_i b over the ball. */
hinge_interval svm_ball_margin(const svm_state *s, const sample_ball *ball, size_t i);

/* Removes from `set` the samples whose place at the optimum is certain, and sets their theta_i
 * accordingly. With a free intercept theta_i must have that value already, because the sums over
 * the classes must stay equal. `what` is for the screen log. Returns false when the run must
 * stop. */
bool svm_screen_ball(svm *m, const sample_ball *ball, const char *what, solve_progress *progress);

/* The ball around the optimum at C2, given theta at C1 (sequential.c); its f is m->centre. */
bool svm_ball_from(svm *m, double C1, double C2, sample_ball *ball, solve_progress *progress);

/* |w| at theta, from f where it is known for all samples with a nonzero theta_i. */
double svm_size(const svm_state *s);

/* In the screen log: begins a step; says that the samples of `set` are worked on; tests all of them
 * at the dual point of the certificate, as the last step (TM_ENOMEM when that fails); records that
 * sample i was tested. */
void svm_log_begin(const svm *m, const svm_gap *at, double radius, const char *what,
                   solve_progress *progress);
void svm_log_start(const svm *m, const char *what, solve_progress *progress);
tm_status svm_log_certificate(svm *m, solve_progress *progress, tm_error *err);
void svm_log_sample(const svm_state *s, const sample_ball *ball, size_t i, tm_screen_action action,
                    solve_progress *progress);

#endif
