/* Parameters of `svm`. */
#include "solve/registry.h"
#include "solve/samples/work.h"

const tm_choice svm_intercepts[] = {
    {"none", "none, as liblinear -B -1"},
    {"regularised", "the weight of a feature that is 1, as liblinear -B 1"},
    {"free", "not penalised, as LIBSVM"},
    {NULL, NULL},
};

static const tm_param_info svm_list[] = {
    C_PARAM,
    {.name = "screen",
     .type = TM_PARAM_CHOICE,
     .fallback = "auto",
     .help = "which samples are worked on",
     .choices = svm_screens},
    {.name = "intercept",
     .type = TM_PARAM_CHOICE,
     .fallback = "none",
     .help = "intercept of the predictions",
     .choices = svm_intercepts},
    {.name = "weight_positive",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1e12,
     .help = "what a row of class +1 counts against one of -1",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},
    {.name = "balance",
     .type = TM_PARAM_BOOL,
     .fallback = "false",
     .help = "let both classes count the same, however many rows they have"},
    {.name = "cache",
     .type = TM_PARAM_REAL,
     .fallback = "200",
     .min = 0,
     .max = 1e9,
     .unit = "MB",
     .help = "memory for rows of the kernel, where steps are made with them",
     .flags = TM_PARAM_LOG | TM_PARAM_EXPERT},
    {.name = "seed",
     .type = TM_PARAM_INT,
     .fallback = "1",
     .min = 0,
     .max = 1e15,
     .help = "of the order in which samples are gone over",
     .flags = TM_PARAM_EXPERT},
    STOP_PARAMS,
    {.name = "warm",
     .type = TM_PARAM_BOOL,
     .fallback = "true",
     .help = "start each point of a path from the answer before it"},
};

const param_table svm_parameters = PARAM_TABLE(svm_list);
