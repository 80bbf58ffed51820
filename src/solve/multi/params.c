/* Parameters of the methods for multivariate measures. */
#include "solve/fgm/plane_params.h"
#include "solve/registry.h"

#define MULTI_PARAMS                                                                               \
    {.name = "measure",                                                                            \
     .type = TM_PARAM_TEXT,                                                                        \
     .fallback = "f1",                                                                             \
     .help = "what is optimised: hamming, f1, fbeta@B, prec@K, rec@K (K rows, or a multiple of "   \
             "the +1 like 2p), prbep, rocarea or ap"},                                             \
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
        STOP_PARAMS_OF("1e-3", "10000", "labelings", "point"),                                     \
    {                                                                                              \
        .name = "warm", .type = TM_PARAM_BOOL, .fallback = "true",                                 \
        .help = "keep the labelings found from one point of a path to the next"                    \
    }

static const tm_param_info svmperf_list[] = {MULTI_PARAMS};

const param_table svmperf_parameters = PARAM_TABLE(svmperf_list);

static const tm_param_info fsmulti_list[] = {
    PLANE_B_PARAM,
    MULTI_PARAMS,
    PLANE_LIMIT_PARAMS("; 0.6 where neither T nor features is given"),
};

const param_table fsmulti_parameters = PARAM_TABLE(fsmulti_list);
