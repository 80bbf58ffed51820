/* The support vector machine with hinge loss: what its files share. */
#ifndef SOLVE_SAMPLES_SVM_H
#define SOLVE_SAMPLES_SVM_H

#include "solve/samples/state.h"

typedef enum svm_screen { SVM_NONE, SVM_SHRINK, SVM_AUTO } svm_screen;

extern const tm_choice svm_screens[], svm_intercepts[];

typedef struct svm {
    svm_problem problem;
    svm_state state;
    svm_screen screen;
    bool warm, begun, solved; /* begun: this solve goes on from where it stands */
    long max_iter;
    uint64_t seed;
    double null_objective;
    double C_before;  /* of the answer that theta is of */
    double intercept; /* of the answer */
    svm_gap gap;      /* seen last */
    uint64_t worked;  /* of state.work, when Newton steps were taken last */
} svm;

/* Solves over the samples of `set` to the gap `target`; with `dynamic` samples are certified on the
 * way. False when told to stop. */
bool svm_descend(svm *m, double target, solve_progress *progress, bool *converged, bool *stalled);

/* Newton steps on the live samples between their bounds, where they are few. False when told to
 * stop. */
bool svm_newton(svm *m, solve_progress *progress);

#endif
