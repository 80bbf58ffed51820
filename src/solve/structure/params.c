/* Parameters of the generalised lasso. */
#include "model/loss/losses.h"
#include "solve/registry.h"

static const tm_choice genlasso_screens[] = {
    {"none", "no screening: a path's rounds cost less"},
    {"bounds", "bounds of each feature's products, propagated along the graph"},
    {"transform", "the same, and bounds of the sums over subtrees attached by one edge"},
    {"paths",
     "the same, and bounds of the sums along paths between features of three edges or more"},
    {"saif", "differences across the edges of a graph without cycles, added and deleted by SAIF"},
    {NULL, NULL},
};

static const tm_param_info genlasso_list[] = {
    LOSS_PARAM("squared"),
    GRAPH_PARAM,
    {.name = "l1_ratio",
     .type = TM_PARAM_REAL,
     .fallback = "0",
     .min = 0,
     .max = 1e6,
     .help = "weight of each feature's own |w_j| relative to the graph's terms"},
    {.name = "screen",
     .type = TM_PARAM_CHOICE,
     .fallback = "none",
     .help = "terms of a graph that are proven zero before and while each lambda is solved",
     .choices = genlasso_screens},
    {.name = "dynamic",
     .type = TM_PARAM_BOOL,
     .fallback = "true",
     .help = "screen also while a lambda is solved, from the gap reached; false: only before"},
    {.name = "always",
     .type = TM_PARAM_BOOL,
     .fallback = "false",
     .help = "screen, and solve the smaller problem, also where that costs more than it saves"},
    LAMBDA_PARAMS,
    STOP_PARAMS,
    INTERCEPT_PARAM,
    WARM_PARAM,
};

const param_table genlasso_parameters = PARAM_TABLE(genlasso_list);
