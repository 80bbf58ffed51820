/* Tests that certify samples: over a ball that contains the optimal w, and the intercepts that are
 * best somewhere in it. */
#ifndef SOLVE_SAMPLES_SCREEN_H
#define SOLVE_SAMPLES_SCREEN_H

#include "solve/samples/work.h"

/* z_i'w is within y_i f_i -+ |z_i| radius for all w of the ball. */
typedef struct sample_ball {
    const double *f;
    double radius;
    double size;      /* |w| at its centre: products round by a share of it */
    hinge_interval b; /* all that can be best; set by svm_ball_intercepts */
} sample_ball;

/* The best intercepts of the samples of `set` for all w of the ball. */
void svm_ball_intercepts(svm_state *s, sample_ball *ball);

/* The least and the greatest z_i'w + y_i b over the ball. */
hinge_interval svm_ball_margin(const svm_state *s, const sample_ball *ball, size_t i);

/* Puts the samples of `set` whose place at the optimum is certain out of it, with what it says for
 * theta_i. Where the intercept is free theta_i must have that value already, since the classes'
 * sums stay equal. `what` is for the screen log. False when told to stop. */
bool svm_screen_ball(svm *m, const sample_ball *ball, const char *what, solve_progress *progress);

/* The ball of the optimum at C2 from theta, which is of C1 (sequential.c); its f is m->centre. */
bool svm_ball_from(svm *m, double C1, double C2, sample_ball *ball, solve_progress *progress);

/* |w| at theta, from f where it is known for all samples with a theta_i. */
double svm_size(const svm_state *s);

/* Writes to the screen log that sample i was looked at. */
void svm_log_sample(const svm_state *s, const sample_ball *ball, size_t i, tm_screen_action action,
                    solve_progress *progress);

#endif
