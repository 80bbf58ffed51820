/* Two classes, y = sign(Xw - b), with k weights at random places. */
#ifndef DATA_SYNTH_SIGN_PROBLEM_H
#define DATA_SYNTH_SIGN_PROBLEM_H

#include "data/synth/random_problem.h"

/* The row of the parameter k, which sign_problem_make reads. */
#define SIGN_PROBLEM_K(text)                                                                       \
    {                                                                                              \
        "k", TM_PARAM_INT, text, 0, 4294967294.0, NULL, "features that decide the response", NULL, \
            0                                                                                      \
    }

typedef struct sign_problem {
    const char *id; /* id of the generator */
    /* Draws the weights in ascending order of their indices; `value` is the field below. */
    void (*draw)(double *weights, size_t k, double value, tm_rng *rng);
    const char *parameter; /* the parameter whose value the remark states */
    double value;
    double shift;   /* b */
    double density; /* of the features; 0: all entries */
} sign_problem;

tm_status sign_problem_make(tm_dataset **out, const sign_problem *kind, const tm_params *params,
                            tm_cancel *cancel, tm_error *err);

#endif
