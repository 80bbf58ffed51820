/* Parameters of `hsiclasso` and `kernelfs`. */
#include "screen/rules.h"
#include "solve/kernel/hsiclasso.h"
#include "solve/kernel/kernelfs.h"
#include "solve/registry.h"

const tm_choice hsic_outputs[] = {
    {"auto", "delta for classes, gaussian for numbers"},
    {"gaussian", "exp(-(y_i - y_j)^2 / (2 output_sigma^2)) of standardised responses"},
    {"delta", "1/n_c for two samples of one class of n_c, 0 for others"},
    {NULL, NULL},
};

#define SIGMA_PARAM                                                                                \
    {                                                                                              \
        .name = "sigma", .type = TM_PARAM_REAL, .fallback = "1", .min = 0, .max = 1e6,             \
        .unit = "deviations",                                                                      \
        .help = "width of the features' Gaussian kernels, on standardised values",                 \
        .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG                                                  \
    }

static const tm_param_info hsic_list[] = {
    LAMBDA_PARAMS,
    STOP_PARAMS,
    {.name = "screen",
     .type = TM_PARAM_CHOICE,
     .fallback = "auto",
     .help = "strategy that leaves inactive features out",
     .choices = screen_choices},
    WARM_PARAM,
    SIGMA_PARAM,
    {.name = "output",
     .type = TM_PARAM_CHOICE,
     .fallback = "auto",
     .help = "kernel of the response",
     .choices = hsic_outputs},
    {.name = "output_sigma",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1e6,
     .unit = "deviations",
     .help = "width of a Gaussian kernel of the response",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG},
    {.name = "unit_norm",
     .type = TM_PARAM_BOOL,
     .fallback = "false",
     .help = "divide each centred kernel by its length, so that all features are penalised alike"},
    {.name = "refit",
     .type = TM_PARAM_TEXT,
     .fallback = "auto",
     .help = "what predicts from the chosen features: auto (svm kernel=rbf for two classes, ridge "
             "for numbers), none, or a method with its parameters (\"l1svm lambda_ratio=0.01\")"},
    {.name = "block",
     .type = TM_PARAM_INT,
     .fallback = "0",
     .min = 0,
     .max = 1e9,
     .unit = "samples",
     .help = "an approximation: samples are divided into blocks of this size and compared only "
             "within them (at least 2); 0: all with all",
     .flags = TM_PARAM_EXPERT},
    {.name = "seed",
     .type = TM_PARAM_INT,
     .fallback = "1",
     .min = 0,
     .max = 1e15,
     .help = "of the blocks",
     .flags = TM_PARAM_EXPERT},
    MAX_FEATURES_PARAM,
};

const param_table hsiclasso_parameters = PARAM_TABLE(hsic_list);

/* ---- kernelfs ------------------------------------------------------------------------------ */

const tm_choice kernelfs_solvers[] = {
    {"exact", "an interior point method on growing sets of features, to the requested gap"},
    {"dual_averaging", "SAIF algorithm 4: a step a sample, for its curves"},
    {NULL, NULL},
};

static const tm_param_info kernelfs_list[] = {
    LAMBDA_PARAMS,
    {.name = "lambda2",
     .type = TM_PARAM_REAL,
     .min = 0,
     .max = INFINITY,
     .help = "weight of the squared differences along the graph",
     .flags = TM_PARAM_LOG},
    {.name = "lambda2_ratio",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1e12,
     .unit = "(lambda_max/n)^2",
     .help = "lambda2 as a multiple of its natural unit, which grows as lambda_max squared",
     .flags = TM_PARAM_LOG},
    GRAPH_PARAM,
    STOP_PARAMS_OF("1e-6", "1000", "rounds", "lambda"),
    WARM_PARAM,
    SIGMA_PARAM,
    {.name = "solver",
     .type = TM_PARAM_CHOICE,
     .fallback = "exact",
     .help = "the solver; the gap is certified in the same way",
     .choices = kernelfs_solvers},
    {.name = "gamma",
     .type = TM_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .max = 1e12,
     .unit = "G/(sqrt(2) D)",
     .help = "dual averaging: the weight of |a|^2 in its steps; more: shorter steps",
     .flags = TM_PARAM_MIN_OPEN | TM_PARAM_LOG | TM_PARAM_EXPERT},
    {.name = "memory",
     .type = TM_PARAM_REAL,
     .fallback = "1000",
     .min = 0,
     .max = 1e12,
     .unit = "MB",
     .help = "the kernels' n x p table is in a temporary file when it is larger than this",
     .flags = TM_PARAM_EXPERT},
    SAMPLE_SEED_PARAM,
    MAX_FEATURES_PARAM,
};

const param_table kernelfs_parameters = PARAM_TABLE(kernelfs_list);
