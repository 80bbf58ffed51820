/* Parameters shared by several methods, as entries of their tables. */
#ifndef SOLVE_COMMON_PARAMS_H
#define SOLVE_COMMON_PARAMS_H

#include "data/graph.h"
#include "tamis/params.h"

#include <math.h>

/* A method's parameters. */
typedef struct param_table {
    const tm_param_info *list;
    size_t count;
} param_table;

#define PARAM_TABLE(list)                                                                          \
    {                                                                                              \
        list, sizeof(list) / sizeof(list)[0]                                                       \
    }

/* Parameters of most methods: stopping criteria, and the intercept. */
#define STOP_PARAMS STOP_PARAMS_OF("1e-6", "100000", "epochs", "lambda")
#define STOP_PARAMS_OF(usual_tol, usual_most, steps, point)                                        \
    {.name = "tol",                                                                                \
     .type = TM_PARAM_REAL,                                                                        \
     .fallback = usual_tol,                                                                        \
     .min = 0,                                                                                     \
     .max = 1,                                                                                     \
     .unit = "null objective",                                                                     \
     .help = "stop when the duality gap is at most this times the null model's objective",         \
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},                                                   \
        {.name = "max_iter",                                                                       \
         .type = TM_PARAM_INT,                                                                     \
         .fallback = usual_most,                                                                   \
         .min = 0,                                                                                 \
         .max = 1e15,                                                                              \
         .unit = steps,                                                                            \
         .help = "stop after this many " steps " for one " point ", converged or not",             \
         .flags = TM_PARAM_LOG | TM_PARAM_EXPERT},                                                 \
        {.name = "max_seconds",                                                                    \
         .type = TM_PARAM_REAL,                                                                    \
         .min = 0,                                                                                 \
         .max = 1e9,                                                                               \
         .unit = "s",                                                                              \
         .help = "stop after this much running time for one " point ", converged or not",          \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},                             \
    {                                                                                              \
        .name = "threads", .type = TM_PARAM_INT, .fallback = "1", .min = 1, .max = 256,            \
        .help = "threads that share passes over the data (tamis fit: as many as --jobs); the "     \
                "result is the same to the bit",                                                   \
        .flags = TM_PARAM_EXPERT                                                                   \
    }

#define INTERCEPT_PARAM                                                                            \
    {                                                                                              \
        .name = "intercept", .type = TM_PARAM_BOOL, .fallback = "true",                            \
        .help = "fit an intercept, which is never penalised"                                       \
    }

#define WARM_PARAM                                                                                 \
    {                                                                                              \
        .name = "warm", .type = TM_PARAM_BOOL, .fallback = "true",                                 \
        .help = "start each point of a path from the previous answer"                              \
    }

#define SCALE_PARAMS                                                                               \
    {.name = "standardize",                                                                        \
     .type = TM_PARAM_BOOL,                                                                        \
     .fallback = "false",                                                                          \
     .help = "penalise as if features had standard deviation 1 (root mean square without an "      \
             "intercept); weights are returned on the original scale"},                            \
        WARM_PARAM

/* For methods that select features and shrink their weights. */
#define DEBIAS_PARAM                                                                               \
    {                                                                                              \
        .name = "debias", .type = TM_PARAM_REAL, .min = 0, .max = 1e12,                            \
        .help = "retrain on the chosen features, min 1/2 |w|^2 + C loss, with this C",             \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG                                                  \
    }
#define COMMON_PARAMS STOP_PARAMS, INTERCEPT_PARAM, SCALE_PARAMS

/* For methods that support every loss; needs model/loss/losses.h. */
#define LOSS_PARAM(usual)                                                                          \
    {                                                                                              \
        .name = "loss", .type = TM_PARAM_CHOICE, .fallback = usual,                                \
        .help = "loss that is summed over the rows", .choices = loss_choices                       \
    }

/* For paths that add features one after the other. */
#define MAX_FEATURES_PARAM                                                                         \
    {                                                                                              \
        .name = "max_features", .type = TM_PARAM_INT, .min = 1, .max = 1e15,                       \
        .help = "a path ends where this many features have a weight", .flags = TM_PARAM_EXPERT     \
    }

/* For methods that count epochs. */
#define CHECK_EVERY_PARAM                                                                          \
    {                                                                                              \
        .name = "check_every", .type = TM_PARAM_INT, .fallback = "10", .min = 1, .max = 1e6,       \
        .unit = "epochs", .help = "epochs between two computations of the duality gap",            \
        .flags = TM_PARAM_EXPERT                                                                   \
    }

/* For methods that process samples one at a time. */
#define SAMPLE_SEED_PARAM                                                                          \
    {                                                                                              \
        .name = "seed", .type = TM_PARAM_INT, .fallback = "1", .min = 0,                           \
        .max = 9007199254740992.0, .help = "seed of the order in which samples are visited"        \
    }

/* For methods with a penalty over the edges of a graph (tamis/graph.h). */
#define GRAPH_PARAM                                                                                \
    {                                                                                              \
        .name = "graph", .type = TM_PARAM_TEXT, .fallback = "auto",                                \
        .help = "which features are joined: chain, grid:64x48, trend:2, data, a file of edges, "   \
                "parents:FILE, rows:FILE or \"[1 2; 2 3 0.5]\"",                                   \
        .choices = graph_words, .flags = TM_PARAM_GRAPH                                            \
    }

/* Parameters of methods with a penalty of weight lambda. */
#define LAMBDA_PARAMS LAMBDA_PARAMS_WITH(0)
#define LAMBDA_PARAMS_WITH(flag)                                                                   \
    {.name = "lambda",                                                                             \
     .type = TM_PARAM_REALS,                                                                       \
     .min = 0,                                                                                     \
     .max = INFINITY,                                                                              \
     .help = "weight of the penalty; a list is a path",                                            \
     .flags = TM_PARAM_LOG | TM_PARAM_PATH | TM_PARAM_DOWN | (flag)},                              \
        {.name = "lambda_ratio",                                                                   \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "0.1",                                                                        \
         .min = 0,                                                                                 \
         .max = 1e6,                                                                               \
         .unit = "lambda_max",                                                                     \
         .help = "lambda as a share of lambda_max",                                                \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_WARM | TM_PARAM_DOWN},               \
        {.name = "lambdas",                                                                        \
         .type = TM_PARAM_INT,                                                                     \
         .min = 1,                                                                                 \
         .max = 100000,                                                                            \
         .help = "a path of this many values, geometric from lambda_max down"},                    \
    {                                                                                              \
        .name = "lambda_min_ratio", .type = TM_PARAM_REAL, .fallback = "0.01", .min = 0, .max = 1, \
        .unit = "lambda_max", .help = "the least lambda of a path",                                \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG                                                  \
    }

/* The weight of the loss, in methods with an l2 penalty. */
#define C_PARAM                                                                                    \
    {                                                                                              \
        .name = "C", .type = TM_PARAM_REALS, .fallback = "1", .min = 0, .max = INFINITY,           \
        .help = "weight of the loss against the l2 penalty; a list is a path",                     \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_PATH                                  \
    }

#endif
