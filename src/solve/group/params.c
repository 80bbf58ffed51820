/* Parameters of the group lasso. */
#include "model/loss/losses.h"
#include "solve/registry.h"

static const tm_choice group_weight_choices[] = {
    {"sqrt", "the square root of the group's size"},
    {"one", "1"},
    {NULL, NULL},
};

static const tm_choice overlap_choices[] = {
    {"duplicate", "each group has its own values, whose sums are the weights"},
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
     .help = "factor f_g of groups without a given weight",
     .choices = group_weight_choices},
    {.name = "overlap",
     .type = TM_PARAM_CHOICE,
     .fallback = "duplicate",
     .help = "how features in several groups are treated",
     .choices = overlap_choices},
    {.name = "solver",
     .type = TM_PARAM_CHOICE,
     .fallback = "auto",
     .help = "how the problem is solved",
     .choices = group_solver_choices},
    CHECK_EVERY_PARAM,
};

const param_table group_parameters = PARAM_TABLE(group_list);

static const tm_choice ufomkl_losses[] = {
    {"hinge", "max(0, 1 - y z)"},
    {"logistic", "log(1 + exp(-y z))"},
    {NULL, NULL},
};

static const tm_param_info ufomkl_list[] = {
    {.name = "loss",
     .type = TM_PARAM_CHOICE,
     .fallback = "hinge",
     .help = "loss that is summed over the rows",
     .choices = ufomkl_losses},
    {.name = "groups",
     .type = TM_PARAM_TEXT,
     .fallback = "1",
     .help =
         "the kernels: size of consecutive groups, a file of groups, or \"[1-3; 4 5 weight=2]\"",
     .flags = TM_PARAM_GROUPS},
    LAMBDA_PARAMS,
    {.name = "alpha",
     .type = TM_PARAM_REAL,
     .fallback = "0.5",
     .min = 0.01,
     .max = 0.999,
     .help = "share of the penalty that is |w|_(2,1), the rest is |w|_(2,r)^2 / 2"},
    {.name = "q",
     .type = TM_PARAM_REAL,
     .min = 2,
     .max = 1000,
     .help = "1/r + 1/q = 1; twice the logarithm of the number of groups when not given",
     .flags = TM_PARAM_EXPERT},
    SAMPLE_SEED_PARAM,
    STOP_PARAMS_OF("1e-3", "1000", "epochs", "lambda"),
    {.name = "standardize",
     .type = TM_PARAM_BOOL,
     .fallback = "false",
     .help = "penalise as if features had root mean square 1; weights are returned on the original "
             "scale"},
    DEBIAS_PARAM,
};

const param_table ufomkl_parameters = PARAM_TABLE(ufomkl_list);
