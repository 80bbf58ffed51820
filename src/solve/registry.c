/* The table of methods. A method is one entry here and one file beside it; command-line options,
 * Lua functions, forms, completion and the reference are all made from this table. */
#include "solve/registry.h"

#include "base/text.h"
#include "screen/rules.h"

#include "tamis/source.h"

#include <math.h>
#include <string.h>

/* Parameters that most methods have: when to stop, and what is fitted. */
#define STOP_PARAMS                                                                                \
    {.name = "tol",                                                                                \
     .type = TM_PARAM_REAL,                                                                        \
     .fallback = "1e-6",                                                                           \
     .min = 0,                                                                                     \
     .max = 1,                                                                                     \
     .unit = "null objective",                                                                     \
     .help = "stop when the duality gap is at most this times the null model's objective",         \
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},                                                   \
        {.name = "max_iter",                                                                       \
         .type = TM_PARAM_INT,                                                                     \
         .fallback = "100000",                                                                     \
         .min = 0,                                                                                 \
         .max = 1e15,                                                                              \
         .unit = "epochs",                                                                         \
         .help = "stop after this many epochs for one lambda, converged or not",                   \
         .flags = TM_PARAM_LOG | TM_PARAM_EXPERT},                                                 \
        {.name = "max_seconds",                                                                    \
         .type = TM_PARAM_REAL,                                                                    \
         .min = 0,                                                                                 \
         .max = 1e9,                                                                               \
         .unit = "s",                                                                              \
         .help = "stop after this much running time for one lambda, converged or not",             \
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

#define SCALE_PARAMS                                                                               \
    {.name = "standardize",                                                                        \
     .type = TM_PARAM_BOOL,                                                                        \
     .fallback = "false",                                                                          \
     .help = "penalise as if features had standard deviation 1 (root mean square without an "      \
             "intercept); weights are returned on the original scale"},                            \
    {                                                                                              \
        .name = "warm", .type = TM_PARAM_BOOL, .fallback = "true",                                 \
        .help = "start each point of a path from the answer before it"                             \
    }

/* Of methods that choose features and shrink their weights. */
#define DEBIAS_PARAM                                                                               \
    {                                                                                              \
        .name = "debias", .type = TM_PARAM_REAL, .min = 0, .max = 1e12,                            \
        .help = "retrain on the chosen features, min 1/2 |w|^2 + C loss, with this C",             \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG                                                  \
    }
#define COMMON_PARAMS STOP_PARAMS, INTERCEPT_PARAM, SCALE_PARAMS

#define SCREEN_PARAM                                                                               \
    {                                                                                              \
        .name = "screen", .type = TM_PARAM_CHOICE, .fallback = "auto",                             \
        .help = "strategy that keeps inactive features out of the work", .choices = screen_choices \
    }

/* Parameters of methods with a penalty of weight lambda. */
#define LAMBDA_PARAMS LAMBDA_PARAMS_WITH(0)
#define LAMBDA_PARAMS_WITH(flag)                                                                   \
    {.name = "lambda",                                                                             \
     .type = TM_PARAM_REALS,                                                                       \
     .min = 0,                                                                                     \
     .max = INFINITY,                                                                              \
     .help = "weight of the penalty; a list is a path",                                            \
     .flags = TM_PARAM_LOG | TM_PARAM_PATH | (flag)},                                                              \
        {.name = "lambda_ratio",                                                                   \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "0.1",                                                                        \
         .min = 0,                                                                                 \
         .max = 1e6,                                                                               \
         .unit = "lambda_max",                                                                     \
         .help = "lambda as a share of lambda_max",                                                \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},                                               \
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

static const tm_param_info l1_params[] = {
    LAMBDA_PARAMS_WITH(TM_PARAM_ZERO),
    COMMON_PARAMS,
    SCREEN_PARAM,
    DEBIAS_PARAM,
    {.name = "shrink",
     .type = TM_PARAM_BOOL,
     .fallback = "false",
     .help = "shrinking on top of screen none, safe, dpp, edpp or vi"},
    {.name = "config",
     .type = TM_PARAM_CHOICE,
     .help = "a configuration of VI's tables 2 and 3: screen, warm and shrink in one word",
     .choices = screen_config_choices,
     .flags = TM_PARAM_EXPERT},
    {.name = "alpha",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1,
     .help = "elastic net: share of the penalty that is |w_j|, the rest is w_j^2 / 2; above 0"},
    {.name = "factors",
     .type = TM_PARAM_VECTOR,
     .min = 0,
     .max = INFINITY,
     .help = "penalty factors of the features, as they are: 0 not penalised, inf left out"},
    {.name = "positive",
     .type = TM_PARAM_BOOL,
     .fallback = "false",
     .help = "weights of at least 0 only"},
    {.name = "lower",
     .type = TM_PARAM_VECTOR,
     .min = -INFINITY,
     .max = 0,
     .help = "least values that the weights may have, on the original scale"},
    {.name = "upper",
     .type = TM_PARAM_VECTOR,
     .min = 0,
     .max = INFINITY,
     .help = "greatest values that the weights may have, on the original scale"},
    {.name = "max_deviance",
     .type = TM_PARAM_REAL,
     .min = 0,
     .max = 1,
     .help = "a path ends where this share of the null model's loss is explained",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_EXPERT},
    {.name = "max_features",
     .type = TM_PARAM_INT,
     .min = 1,
     .max = 1e15,
     .help = "a path ends where this many features have a weight",
     .flags = TM_PARAM_EXPERT},
    {.name = "check_every",
     .type = TM_PARAM_INT,
     .fallback = "10",
     .min = 1,
     .max = 1e6,
     .unit = "epochs",
     .help = "epochs between two computations of the duality gap",
     .flags = TM_PARAM_EXPERT},
    {.name = "add_rate",
     .type = TM_PARAM_REAL,
     .fallback = "2",
     .min = 0,
     .max = 1e6,
     .help = "saif: c in the number of features an ADD may recruit, c log((md+mx)/lambda) log p",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},
    {.name = "add_slack",
     .type = TM_PARAM_REAL,
     .fallback = "4",
     .min = 0,
     .max = 1e6,
     .help = "saif: zeta, the share of that number that may still rival a recruited feature",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},
};

/* Parameters of the methods for multivariate measures. */
#define MULTI_PARAMS                                                                               \
    {.name = "measure",                                                                            \
     .type = TM_PARAM_TEXT,                                                                        \
     .fallback = "f1",                                                                             \
     .help = "what is optimised: hamming, f1, prec@K, rec@K (K rows, or a multiple of the +1 "     \
             "like 2p), prbep or rocarea"},                                                        \
        {.name = "C",                                                                              \
         .type = TM_PARAM_REALS,                                                                   \
         .min = 0,                                                                                 \
         .max = INFINITY,                                                                          \
         .help = "weight of the risk; a list is a path",                                           \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_PATH},                               \
        {.name = "C_per_row",                                                                      \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "0.1",                                                                        \
         .min = 0,                                                                                 \
         .max = 1e12,                                                                              \
         .unit = "rows",                                                                           \
         .help = "C as a multiple of the number of rows, when C is not given",                     \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},                                               \
        {.name = "tol",                                                                            \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "1e-3",                                                                       \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .unit = "null objective",                                                                 \
         .help = "stop when the gap is at most this times the objective without weights",          \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},                                               \
        {.name = "max_iter",                                                                       \
         .type = TM_PARAM_INT,                                                                     \
         .fallback = "10000",                                                                      \
         .min = 0,                                                                                 \
         .max = 1e15,                                                                              \
         .unit = "labelings",                                                                      \
         .help = "stop after this many labelings for one point, converged or not",                 \
         .flags = TM_PARAM_LOG | TM_PARAM_EXPERT},                                                 \
        {.name = "max_seconds",                                                                    \
         .type = TM_PARAM_REAL,                                                                    \
         .min = 0,                                                                                 \
         .max = 1e9,                                                                               \
         .unit = "s",                                                                              \
         .help = "stop after this much running time for one point, converged or not",              \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},                             \
        {.name = "threads",                                                                        \
         .type = TM_PARAM_INT,                                                                     \
         .fallback = "1",                                                                          \
         .min = 1,                                                                                 \
         .max = 256,                                                                               \
         .help = "threads that share passes over the data (tamis fit: as many as --jobs); "        \
                 "the result is the same to the bit",                                              \
         .flags = TM_PARAM_EXPERT},                                                                \
    {                                                                                              \
        .name = "warm", .type = TM_PARAM_BOOL, .fallback = "true",                                 \
        .help = "keep the labelings that were met from one point of a path to the next"            \
    }

static const tm_param_info svmperf_params[] = {MULTI_PARAMS};

static const tm_choice loss_choices[] = {
    {"squared", "1/2 (y - z)^2, for numbers"},
    {"logistic", "log(1 + exp(-y z)), for two classes"},
    {"squared_hinge", "1/2 max(0, 1 - y z)^2, for two classes"},
    {NULL, NULL},
};

static const tm_choice group_weight_choices[] = {
    {"sqrt", "the square root of the group's size"},
    {"one", "1"},
    {NULL, NULL},
};

static const tm_choice overlap_choices[] = {
    {"duplicate", "each group has values of its own, which add up to the weights"},
    {"nested", "groups of a tree share their features' weights"},
    {NULL, NULL},
};

static const tm_choice group_solver_choices[] = {
    {"auto", "the fastest: active"},
    {"active", "block coordinate descent on a working set, screened by the duality gap"},
    {"bcd", "block coordinate descent over all groups"},
    {"fista", "accelerated proximal gradient over all groups"},
    {NULL, NULL},
};

static const tm_param_info group_params[] = {
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "squared",
     .help = "loss that is summed over the rows",
     .choices = loss_choices},
    {.name = "groups",
     .type = TM_PARAM_TEXT,
     .fallback = "1",
     .help = "size of consecutive groups, a file of groups, or \"[1-3; 4 5 weight=2]\"",
     .flags = TM_PARAM_GROUPS},
    LAMBDA_PARAMS,
    COMMON_PARAMS,
    DEBIAS_PARAM,
    {.name = "group_weights",
     .type = TM_PARAM_CHOICE,
     .fallback = "sqrt",
     .help = "factor f_g of groups that are given no weight",
     .choices = group_weight_choices},
    {.name = "overlap",
     .type = TM_PARAM_CHOICE,
     .fallback = "duplicate",
     .help = "what features in several groups mean",
     .choices = overlap_choices},
    {.name = "solver",
     .type = TM_PARAM_CHOICE,
     .fallback = "auto",
     .help = "how the problem is solved",
     .choices = group_solver_choices},
    {.name = "check_every",
     .type = TM_PARAM_INT,
     .fallback = "10",
     .min = 1,
     .max = 1e6,
     .unit = "epochs",
     .help = "epochs between two computations of the duality gap",
     .flags = TM_PARAM_EXPERT},
};

static const tm_choice losses_of_fgm[] = {
    {"squared_hinge", "support vector machine"},
    {"logistic", "logistic regression"},
    {NULL, NULL},
};

static const tm_choice masters_of_fgm[] = {
    {"auto", "the fastest one for the loss"},
    {"support", "proximal gradient over all chosen features, with the norm itself"},
    {"apg", "proximal gradient over the groups of each round (FGM algorithm 4)"},
    {"scd", "smoothing coordinate descent in the dual (MSLR); logistic without an intercept"},
    {"simplemkl", "reduced gradients in the groups' weights: the slow baseline of both papers"},
    {NULL, NULL},
};

static const tm_choice kernels_of_source[] = {
    {"gaussian", "exp(-(t - u)^2 / (2 sigma^2)), t and u in 0..1 by the column's range"},
    {"chi2", "2 t u / (t + u)"},
    {NULL, NULL},
};

/* Parameters of the methods that generate features. */
#define FGM_PARAMS                                                                                 \
    {.name = "B",                                                                                  \
     .type = TM_PARAM_REALS,                                                                       \
     .fallback = "10",                                                                             \
     .min = 1,                                                                                     \
     .max = 1e7,                                                                                   \
     .unit = "features",                                                                           \
     .help = "features chosen in each round, the least there will be; a list is a path",           \
     .flags = TM_PARAM_LOG | TM_PARAM_PATH | TM_PARAM_WHOLE},                                      \
        {.name = "C",                                                                              \
         .type = TM_PARAM_REALS,                                                                   \
         .fallback = "10",                                                                         \
         .min = 0,                                                                                 \
         .max = 1e12,                                                                              \
         .help = "weight of the loss; a list is a path",                                           \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_PATH},                               \
        {.name = "T",                                                                              \
         .type = TM_PARAM_INT,                                                                     \
         .min = 1,                                                                                 \
         .max = 1e9,                                                                               \
         .unit = "rounds",                                                                         \
         .help = "stop after this many rounds, with at most T B features",                         \
         .flags = TM_PARAM_LOG},                                                                   \
        {.name = "features",                                                                       \
         .type = TM_PARAM_INT,                                                                     \
         .min = 1,                                                                                 \
         .max = 1e9,                                                                               \
         .help = "stop when this many features (groups, of a source of groups) are chosen",        \
         .flags = TM_PARAM_LOG},                                                                   \
        {.name = "change",                                                                         \
         .type = TM_PARAM_REAL,                                                                    \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .unit = "null objective",                                                                 \
         .help = "stop when a round lowers the objective by at most this share of the null "       \
                 "model's",                                                                        \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},                             \
        {.name = "inner_tol",                                                                      \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "0.1",                                                                        \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .unit = "gap",                                                                            \
         .help = "master problems are solved to this share of the gap: small is exact",            \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},                             \
        {.name = "source",                                                                         \
         .type = TM_PARAM_CHOICE,                                                                  \
         .fallback = "columns",                                                                    \
         .help = "where features come from",                                                       \
         .choices = tm_source_choices},                                                            \
        {.name = "groups",                                                                         \
         .type = TM_PARAM_TEXT,                                                                    \
         .help = "source groups and tree: a number of columns, a file, or [1-3; 4 5]",             \
         .flags = TM_PARAM_GROUPS},                                                                \
        {.name = "gamma",                                                                          \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "1",                                                                          \
         .min = 0,                                                                                 \
         .max = 1e12,                                                                              \
         .help = "source poly2: of the kernel (gamma x'z + coef0)^2",                              \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},                             \
        {.name = "coef0",                                                                          \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "1",                                                                          \
         .min = 0,                                                                                 \
         .max = 1e12,                                                                              \
         .help = "source poly2: of the kernel (gamma x'z + coef0)^2",                              \
         .flags = TM_PARAM_EXPERT},                                                                \
        {.name = "kernel",                                                                         \
         .type = TM_PARAM_CHOICE,                                                                  \
         .fallback = "gaussian",                                                                   \
         .help = "source additive: the kernel of each column",                                     \
         .choices = kernels_of_source,                                                             \
         .flags = TM_PARAM_EXPERT},                                                                \
    {                                                                                              \
        .name = "sigma", .type = TM_PARAM_REAL, .fallback = "0.5", .min = 0.05, .max = 1e6,        \
        .unit = "range", .help = "source additive: width of the gaussian kernel",                  \
        .flags = TM_PARAM_LOG | TM_PARAM_EXPERT                                                    \
    }

#define MASTER_PARAM                                                                               \
    {                                                                                              \
        .name = "master", .type = TM_PARAM_CHOICE, .fallback = "auto",                             \
        .help = "solver of the problem over the features chosen so far",                           \
        .choices = masters_of_fgm, .flags = TM_PARAM_EXPERT                                        \
    }

static const tm_param_info fgm_params[] = {
    FGM_PARAMS,
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "squared_hinge",
     .help = "loss of a sample",
     .choices = losses_of_fgm},
    MASTER_PARAM,
    COMMON_PARAMS,
    DEBIAS_PARAM,
};

/* Weight of the loss in methods with an l2 penalty. */
#define C_PARAM                                                                                    \
    {                                                                                              \
        .name = "C", .type = TM_PARAM_REALS, .fallback = "1", .min = 0, .max = INFINITY,           \
        .help = "weight of the loss against the l2 penalty; a list is a path",                     \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_PATH                                  \
    }
#define FEATURES_PARAM                                                                             \
    {                                                                                              \
        .name = "features", .type = TM_PARAM_REALS, .fallback = "10", .min = 1, .max = 1e12,       \
        .help = "number of features to choose; a list is a path",                                  \
        .flags = TM_PARAM_LOG | TM_PARAM_PATH | TM_PARAM_WHOLE                                     \
    }

static const tm_param_info ridge_params[] = {C_PARAM, COMMON_PARAMS};

static const tm_param_info rfe_params[] = {
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "squared_hinge",
     .help = "loss that is summed over the rows",
     .choices = loss_choices},
    FEATURES_PARAM,
    {.name = "drop",
     .type = TM_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 0.9,
     .unit = "features",
     .help = "share of the features that goes in a round, one at least"},
    C_PARAM,
    COMMON_PARAMS,
};

static const tm_param_info gomp_params[] = {
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "logistic",
     .help = "loss that is summed over the rows",
     .choices = loss_choices},
    FEATURES_PARAM,
    C_PARAM,
    COMMON_PARAMS,
};

static const tm_param_info mslr_params[] = {FGM_PARAMS, MASTER_PARAM, DEBIAS_PARAM, STOP_PARAMS,
                                            SCALE_PARAMS};

static const tm_param_info fsmulti_params[] = {
    {.name = "B",
     .type = TM_PARAM_REALS,
     .fallback = "10",
     .min = 1,
     .max = 1e7,
     .unit = "features",
     .help = "features chosen in each round, the least there will be; a list is a path",
     .flags = TM_PARAM_LOG | TM_PARAM_PATH | TM_PARAM_WHOLE},
    MULTI_PARAMS,
    {.name = "T",
     .type = TM_PARAM_INT,
     .min = 1,
     .max = 1e6,
     .unit = "rounds",
     .help = "choose features at most this many times, converged or not"},
    {.name = "features",
     .type = TM_PARAM_INT,
     .min = 1,
     .max = 1e9,
     .help = "stop when this many features have been chosen"},
    {.name = "inner_tol",
     .type = TM_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 1,
     .unit = "gap",
     .help = "share of the gap to which the problem over the chosen features is solved",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},
};

static const tm_param_info reweighted_params[] = {
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "logistic",
     .help = "loss that is summed over the rows",
     .choices = loss_choices},
    LAMBDA_PARAMS,
    {.name = "rounds",
     .type = TM_PARAM_INT,
     .fallback = "4",
     .min = 1,
     .max = 1000,
     .help = "l1 problems for one lambda, the first of which has all factors 1"},
    {.name = "epsilon",
     .type = TM_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 1e12,
     .unit = "weights",
     .help = "weights much smaller than this are penalised in full, larger ones less",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},
    COMMON_PARAMS,
    DEBIAS_PARAM,
};

static const tm_param_info sdca_params[] = {
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "logistic",
     .help = "loss that is summed over the rows",
     .choices = loss_choices},
    LAMBDA_PARAMS,
    {.name = "alpha",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1,
     .help = "elastic net: share of the penalty that is |w_j|, the rest is w_j^2 / 2",
     .flags = TM_PARAM_MIN_OPEN},
    {.name = "seed",
     .type = TM_PARAM_INT,
     .fallback = "1",
     .min = 0,
     .max = 9007199254740992.0,
     .help = "seed of the order in which samples are taken"},
    COMMON_PARAMS,
    DEBIAS_PARAM,
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const tm_method methods[] = {
    {.id = "lasso",
     .summary = "least squares with an l1 penalty",
     .formula = "min 1/2 |y - Xw - b|^2 + lambda sum_j |w_j|",
     .source = "SAIF chapter 2",
     .losses = "squared",
     .params = l1_params,
     .param_count = COUNT(l1_params),
     .ops = &lasso_ops,
     .weighs = true},
    {.id = "l1logistic",
     .summary = "logistic regression with an l1 penalty",
     .formula = "min sum_i log(1 + exp(-y_i (x_i'w + b))) + lambda sum_j |w_j|",
     .source = "SAIF 2.4.2; baseline of FGM and MSLR",
     .losses = "logistic",
     .params = l1_params,
     .param_count = COUNT(l1_params),
     .ops = &l1logistic_ops,
     .weighs = true},
    {.id = "l1svm",
     .summary = "support vector machine with squared hinge loss and an l1 penalty",
     .formula = "min 1/2 sum_i max(0, 1 - y_i (x_i'w + b))^2 + lambda sum_j |w_j|",
     .source = "VI section 2; baseline of FGM",
     .losses = "squared_hinge",
     .params = l1_params,
     .param_count = COUNT(l1_params),
     .ops = &l1svm_ops,
     .weighs = true},
    {.id = "fsmulti",
     .summary = "feature selection for a multivariate measure: at least B features, the most "
                "informative first",
     .formula =
         "min 1/2 |w|_(B)^2 + C/n max over yhat of [Delta(yhat, y) - sum_i (y_i - yhat_i) x_i'w]",
     .source = "FSM algorithms 1 and 2 (Mao and Tsang 2013)",
     .losses = "hamming, f1, prec@k, rec@k, prbep, rocarea",
     .params = fsmulti_params,
     .param_count = COUNT(fsmulti_params),
     .ops = &fsmulti_ops},
    {.id = "svmperf",
     .summary = "support vector machine for a multivariate measure, with all features",
     .formula =
         "min 1/2 |w|^2 + C/n max over yhat of [Delta(yhat, y) - sum_i (y_i - yhat_i) x_i'w]",
     .source = "FSM section 2 (Joachims 2005)",
     .losses = "hamming, f1, prec@k, rec@k, prbep, rocarea",
     .params = svmperf_params,
     .param_count = COUNT(svmperf_params),
     .ops = &svmperf_ops},
    {.id = "bmrm",
     .summary = "bundle method for a multivariate measure with an l1 penalty",
     .formula = "min |w|_1 + C/n max over yhat of [Delta(yhat, y) - sum_i (y_i - yhat_i) x_i'w]",
     .source = "Teo et al. 2010; baseline of FSM section 8",
     .losses = "hamming, f1, prec@k, rec@k, prbep, rocarea",
     .params = svmperf_params,
     .param_count = COUNT(svmperf_params),
     .ops = &bmrm_ops},
    {.id = "grouplasso",
     .summary = "a loss with a penalty that selects whole groups of features",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda sum_g f_g |w_g|_2",
     .source = "FGM 2.2, 2.3; baseline of FGM 8.6",
     .losses = "squared, logistic, squared_hinge",
     .params = group_params,
     .param_count = COUNT(group_params),
     .ops = &grouplasso_ops,
     .weighs = true},
    {.id = "fgm",
     .summary = "feature generating machine: at least B features, the most informative first",
     .formula = "min 1/2 |w|_(B)^2 + C sum_i l(y_i, x_i'w + b), |.|_(B) the B-support norm",
     .source = "FGM (Tan, Tsang and Wang 2014)",
     .losses = "squared_hinge, logistic",
     .params = fgm_params,
     .param_count = COUNT(fgm_params),
     .ops = &fgm_ops},
    {.id = "reweighted",
     .summary = "l1 problems in a row, each penalising less what was large in the one before",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda sum_j epsilon/(|w_j before| + epsilon) |w_j|",
     .source = "Candes, Wakin, Boyd 2008; baseline of MSLR",
     .losses = "squared, logistic, squared_hinge",
     .params = reweighted_params,
     .param_count = COUNT(reweighted_params),
     .ops = &reweighted_ops},
    {.id = "sdca",
     .summary = "proximal stochastic dual coordinate ascent for l1 and elastic net penalties",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda sum_j (alpha |w_j| + (1-alpha) w_j^2/2)",
     .source = "Shalev-Shwartz and Zhang 2014; baseline of FGM",
     .losses = "squared, logistic, squared_hinge",
     .params = sdca_params,
     .param_count = COUNT(sdca_params),
     .ops = &sdca_ops},
    {.id = "ridge",
     .summary = "least squares with an l2 penalty, all features",
     .formula = "min 1/2 |w|^2 + C/2 |y - Xw - b|^2",
     .source = "baseline",
     .losses = "squared",
     .params = ridge_params,
     .param_count = COUNT(ridge_params),
     .ops = &ridge_ops,
     .weighs = true},
    {.id = "logistic",
     .summary = "logistic regression with an l2 penalty, all features",
     .formula = "min 1/2 |w|^2 + C sum_i log(1 + exp(-y_i (x_i'w + b)))",
     .source = "baseline of FGM and MSLR",
     .losses = "logistic",
     .params = ridge_params,
     .param_count = COUNT(ridge_params),
     .ops = &logistic_ops,
     .weighs = true},
    {.id = "svm_l2",
     .summary = "support vector machine with squared hinge loss and an l2 penalty, all features",
     .formula = "min 1/2 |w|^2 + C/2 sum_i max(0, 1 - y_i (x_i'w + b))^2",
     .source = "baseline of FGM",
     .losses = "squared_hinge",
     .params = ridge_params,
     .param_count = COUNT(ridge_params),
     .ops = &svm_l2_ops,
     .weighs = true},
    {.id = "rfe",
     .summary =
         "recursive feature elimination: the features with the least weights go, round by round",
     .formula = "min 1/2 |w|^2 + C sum_i l(y_i, x_i'w + b) over the features that are left",
     .source = "Guyon et al. 2002; baseline of FGM, MSLR and FSM",
     .losses = "squared, logistic, squared_hinge",
     .params = rfe_params,
     .param_count = COUNT(rfe_params),
     .ops = &rfe_ops,
     .weighs = true},
    {.id = "gomp",
     .summary =
         "orthogonal matching pursuit: the most useful feature joins, and all are fitted anew",
     .formula = "min 1/2 |w|^2 + C sum_i l(y_i, x_i'w + b) over the features chosen so far",
     .source = "Lozano et al. 2011; baseline of MSLR",
     .losses = "squared, logistic, squared_hinge",
     .params = gomp_params,
     .param_count = COUNT(gomp_params),
     .ops = &gomp_ops,
     .weighs = true},
    {.id = "mslr",
     .summary = "minimax sparse logistic regression: at least B features, no intercept",
     .formula = "min 1/2 |w|_(B)^2 + C sum_i log(1 + exp(-y_i x_i'w)), |.|_(B) the B-support norm",
     .source = "MSLR (Tan, Tsang and Wang 2013)",
     .losses = "logistic",
     .params = mslr_params,
     .param_count = COUNT(mslr_params),
     .ops = &mslr_ops},
};

const tm_method *tm_methods_at(size_t i)
{
    return i < COUNT(methods) ? &methods[i] : NULL;
}

static const char *id_at(size_t i, const void *payload)
{
    (void)payload;
    return i < COUNT(methods) ? methods[i].id : NULL;
}

const tm_method *tm_method_find(const char *id, tm_error *err)
{
    for (size_t i = 0; i < COUNT(methods); i++)
        if (strcmp(methods[i].id, id) == 0)
            return &methods[i];
    const char *close = text_closest(id, id_at, NULL);
    tm_fail(err, TM_EUSAGE, "no method '%.100s'%s%s%s", id, close ? "; did you mean '" : "",
            close ? close : "", close ? "'?" : "; `tamis methods` lists them");
    return NULL;
}

const char *tm_method_id(const tm_method *method)
{
    return method->id;
}

const char *tm_method_summary(const tm_method *method)
{
    return method->summary;
}

const char *tm_method_source(const tm_method *method)
{
    return method->source;
}

const char *tm_method_losses(const tm_method *method)
{
    return method->losses;
}

const char *tm_method_formula(const tm_method *method)
{
    return method->formula;
}

const tm_param_info *tm_method_params(const tm_method *method, size_t *count)
{
    *count = method->param_count;
    return method->params;
}

tm_status tm_method_params_new(tm_params **out, const tm_method *method, tm_error *err)
{
    return tm_params_new(out, method->id, method->params, method->param_count, err);
}
