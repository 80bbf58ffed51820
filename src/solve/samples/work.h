/* The support vector machine with hinge loss: declarations that its files share. */
#ifndef SOLVE_SAMPLES_WORK_H
#define SOLVE_SAMPLES_WORK_H

#include "solve/samples/state.h"

/* The bits that a value of `screen` consists of. */
enum { SVM_SHRINKS = 1, SVM_GAP = 2, SVM_SEQUENTIAL = 4, SVM_SAIV = 8 };

extern const tm_choice svm_screens[], svm_intercepts[];

typedef struct svm {
    svm_problem problem;
    svm_state state;
    unsigned screen;          /* of the bits above */
    bool warm, begun, solved; /* begun: this solve continues from the present state */
    long max_iter;
    uint64_t seed;
    double null_objective;
    double C_before;    /* C of the answer that theta belongs to */
    double intercept;   /* of the answer */
    double cache_bytes; /* for rows of the kernel */
    double *centre;     /* n: f at the centre of a ball */
    svm_gap gap;        /* the last one computed */
    uint64_t worked;    /* state.work at the last Newton steps */
    bool promised;      /* the last epochs ended because they estimated that the target was met */
} svm;

/* All return false when the run must stop. */

/* Solves over the samples of `set` to the gap `target`. */
bool svm_descend(svm *m, double target, solve_progress *progress, bool *converged, bool *stalled);

/* Runs epochs over the live samples until evaluating the gap over all is worthwhile. */
bool svm_go_on(svm *m, double target, solve_progress *progress);
/* Solves on a growing set until it holds all support vectors. */
bool svm_saiv(svm *m, double target, solve_progress *progress);
/* Newton steps on the live samples between their bounds, if they are few. */
bool svm_newton(svm *m, solve_progress *progress);

#endif
