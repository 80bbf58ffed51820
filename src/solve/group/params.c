/* Parameters of the group lasso. */
#include "model/loss/losses.h"
#include "solve/registry.h"

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

static const tm_param_info group_list[] = {
    LOSS_PARAM("squared"),
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
    CHECK_EVERY_PARAM,
};

const param_table group_parameters = PARAM_TABLE(group_list);
