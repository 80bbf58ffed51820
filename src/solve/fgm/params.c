/* Parameters of the methods that generate features. */
#include "solve/fgm/fgm.h"
#include "solve/fgm/plane_params.h"
#include "solve/registry.h"

#include "tamis/source.h"

static const tm_choice losses_of_fgm[] = {
    {"squared_hinge", "support vector machine"},
    {"logistic", "logistic regression"},
    {NULL, NULL},
};

#define ROW(id, help) {#id, help},
static const tm_choice masters_of_fgm[] = {{"auto", "the fastest one for the loss"},
                                           FGM_MASTERS(ROW){NULL, NULL}};
#undef ROW

static const tm_choice kernels_of_source[] = {
    {"gaussian", "exp(-(t - u)^2 / (2 sigma^2)), t and u in 0..1 by the column's range"},
    {"chi2", "2 t u / (t + u)"},
    {NULL, NULL},
};

#define FGM_PARAMS                                                                                 \
    PLANE_B_PARAM,                                                                                 \
        {.name = "C",                                                                              \
         .type = TM_PARAM_REALS,                                                                   \
         .fallback = "10",                                                                         \
         .min = 0,                                                                                 \
         .max = 1e12,                                                                              \
         .help = "weight of the loss; a list is a path",                                           \
         .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_PATH},                               \
        PLANE_LIMIT_PARAMS(""),                                                                    \
        {.name = "change",                                                                         \
         .type = TM_PARAM_REAL,                                                                    \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .unit = "null objective",                                                                 \
         .help = "stop when a round lowers the objective by at most this share of the null "       \
                 "model's",                                                                        \
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
        {.name = "exponent",                                                                       \
         .type = TM_PARAM_REAL,                                                                    \
         .fallback = "1",                                                                          \
         .min = 0.01,                                                                              \
         .max = 100,                                                                               \
         .help = "source hik: a of the kernel min(t^a, u^a), t and u in 0..1 by the column's "     \
                 "range",                                                                          \
         .flags = TM_PARAM_LOG | TM_PARAM_EXPERT},                                                 \
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

static const tm_param_info fgm_list[] = {
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

const param_table fgm_parameters = PARAM_TABLE(fgm_list);

static const tm_param_info mslr_list[] = {FGM_PARAMS, MASTER_PARAM, DEBIAS_PARAM, STOP_PARAMS,
                                          SCALE_PARAMS};

const param_table mslr_parameters = PARAM_TABLE(mslr_list);
