/* Parameters of the cutting-plane engine, as entries of its methods' tables: those that
 * plane_limits_of reads, and B. */
#ifndef SOLVE_FGM_PLANE_PARAMS_H
#define SOLVE_FGM_PLANE_PARAMS_H

#include "tamis/params.h"

#define PLANE_B_PARAM                                                                              \
    {                                                                                              \
        .name = "B", .type = TM_PARAM_REALS, .fallback = "10", .min = 1, .max = 1e7,               \
        .unit = "features",                                                                        \
        .help = "features chosen in each round, the least number in an answer; a list is a path",  \
        .flags = TM_PARAM_LOG | TM_PARAM_PATH | TM_PARAM_WHOLE                                     \
    }

/* `MORE`: additional help text of inner_tol. */
#define PLANE_LIMIT_PARAMS(MORE)                                                                   \
    {.name = "T",                                                                                  \
     .type = TM_PARAM_INT,                                                                         \
     .min = 1,                                                                                     \
     .max = 1e9,                                                                                   \
     .unit = "rounds",                                                                             \
     .help = "stop after this many rounds, with at most T B features",                             \
     .flags = TM_PARAM_LOG},                                                                       \
        {.name = "features",                                                                       \
         .type = TM_PARAM_INT,                                                                     \
         .min = 1,                                                                                 \
         .max = 1e9,                                                                               \
         .help = "stop when this many features (groups, of a source of groups) are chosen",        \
         .flags = TM_PARAM_LOG},                                                                   \
    {                                                                                              \
        .name = "inner_tol", .type = TM_PARAM_REAL, .fallback = "0.1", .min = 0, .max = 1,         \
        .unit = "gap",                                                                             \
        .help = "problems over the chosen features are solved to this share of the gap: small is " \
                "exact" MORE,                                                                      \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT                                \
    }

#endif
