/* Parameters of the methods with an l2 penalty. */
#include "model/loss/losses.h"
#include "solve/registry.h"

#define FEATURES_PARAM                                                                             \
    {                                                                                              \
        .name = "features", .type = TM_PARAM_REALS, .fallback = "10", .min = 1, .max = 1e12,       \
        .help = "number of features to choose; a list is a path",                                  \
        .flags = TM_PARAM_LOG | TM_PARAM_PATH | TM_PARAM_WHOLE                                     \
    }

static const tm_param_info ridge_list[] = {C_PARAM, COMMON_PARAMS};

const param_table ridge_parameters = PARAM_TABLE(ridge_list);

static const tm_param_info rfe_list[] = {
    LOSS_PARAM("squared_hinge"),
    FEATURES_PARAM,
    {.name = "drop",
     .type = TM_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 0.9,
     .unit = "features",
     .help = "share of the features removed in a round, at least one"},
    C_PARAM,
    COMMON_PARAMS,
};

const param_table rfe_parameters = PARAM_TABLE(rfe_list);

static const tm_param_info gomp_list[] = {
    LOSS_PARAM("logistic"),
    FEATURES_PARAM,
    C_PARAM,
    COMMON_PARAMS,
};

const param_table gomp_parameters = PARAM_TABLE(gomp_list);
