/* Shared by the generators of synthetic data: random features, and a response that depends on a few
 * of them. */
#ifndef DATA_SYNTH_RANDOM_PROBLEM_H
#define DATA_SYNTH_RANDOM_PROBLEM_H

#include "data/matrix/random_columns.h"
#include "tamis/dataset.h"
#include "tamis/params.h"
#include "tamis/synth.h"

/* Table rows that every generator has, and their values; `law` is not changed, nor p when there is
 * no such parameter. */
#define RANDOM_PARAMS(n_text, p_text)                                                              \
    {"n", TM_PARAM_INT, n_text, 1, 4294967294.0, NULL, "rows", NULL, 0},                           \
        {"p", TM_PARAM_INT, p_text, 1, 4294967294.0, NULL, "features", NULL, TM_PARAM_LOG},        \
        {"seed", TM_PARAM_INT, "0", 0, 9.0e15, NULL, "seed of the random numbers", NULL, 0},       \
    {                                                                                              \
        "part", TM_PARAM_CHOICE, "train", 0, 0, NULL,                                              \
            "which rows of the problem determined by the seed", random_parts, 0                    \
    }
#define RANDOM_STORAGE                                                                             \
    {                                                                                              \
        "storage", TM_PARAM_CHOICE, "auto", 0, 0, NULL, "how the features are stored",             \
            random_storages, 0                                                                     \
    }
extern const tm_choice random_parts[], random_storages[];
void random_columns_read(random_columns *columns, const tm_params *params);
struct random_problem;
/* Columns and storage: in double precision if that takes at most half of the machine's memory,
 * otherwise generated whenever needed, unless the parameter says otherwise. */
void random_problem_read(struct random_problem *problem, const tm_params *params);

/* All columns: n*p values in column-major order, malloc'ed. TM_EUSAGE when they do not fit in the
 * machine's memory, TM_ECANCELLED. */
tm_status random_columns_values(double **out, const random_columns *columns, tm_cancel *cancel,
                                tm_error *err);

/* k of p indices, ascending, drawn without replacement. */
tm_status random_places(size_t *places, size_t k, size_t p, tm_rng *rng, tm_error *err);

typedef enum random_storage { STORE_DOUBLE, STORE_FLOAT, STORE_NOT } random_storage;

/* A response computed from X truth, where truth is known before the features are drawn. */
typedef struct random_problem {
    random_columns columns;
    double *truth; /* p weights; malloc'ed */
    double noise;  /* standard deviation of the noise added to X truth */
    random_storage storage;
    bool numeric;  /* y = X truth + noise; else y = sign(X truth + noise - shift) */
    bool balanced; /* the shift is the median, so that the classes have equal sizes */
    double shift;
    uint32_t *edges; /* edges of a graph over the features, malloc'ed; or NULL */
    size_t edge_count;
} random_problem;

/* Draws the features and the response. Takes ownership of truth and edges, also on failure. */
tm_status random_problem_make(tm_dataset **out, random_problem *problem, const char *name,
                              const char *note, tm_cancel *cancel, tm_error *err);

#endif
