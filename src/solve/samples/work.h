/* The support vector machine with hinge loss: what its files share. */
#ifndef SOLVE_SAMPLES_WORK_H
#define SOLVE_SAMPLES_WORK_H

#include "solve/samples/state.h"

/* What a value of `screen` is made of. */
enum { SVM_SHRINKS = 1, SVM_GAP = 2, SVM_SEQUENTIAL = 4, SVM_SAIV = 8 };

extern const tm_choice svm_screens[], svm_intercepts[];

typedef struct svm {
    svm_problem problem;
    svm_state state;
    unsigned screen;          /* of the bits above */
    bool warm, begun, solved; /* begun: this solve goes on from where it stands */
    long max_iter;
    uint64_t seed;
    double null_objective;
    double C_before;  /* of the answer that theta is of */
    double intercept; /* of the answer */
    double *centre;   /* n: f at the centre of a ball */
    svm_gap gap;      /* seen last */
    uint64_t worked;  /* of state.work, when Newton steps were taken last */
} svm;

/* All return false when told to stop. */

/* Solves over the samples of `set` to the gap `target`. */
bool svm_descend(svm *m, double target, solve_progress *progress, bool *converged, bool *stalled);

/* Epochs over the live samples until a look at all is worth it. */
bool svm_go_on(svm *m, double target, solve_progress *progress);
/* Solves a set that grows, until it holds all support vectors. */
bool svm_saiv(svm *m, double target, solve_progress *progress);
/* Newton steps on the live samples between their bounds, where they are few. */
bool svm_newton(svm *m, solve_progress *progress);

#endif
