/* The inside of a fitted model, for the files that make, save and load them. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/expansion.h"

#include "tamis/model.h"

#include <stdatomic.h>

struct tm_model {
    atomic_size_t references;
    char *method;
    double lambda, intercept;
    size_t p, nnz;
    size_t *features; /* ascending */
    double *weights;
    char **names;               /* nnz entries, NULL for a feature without a name */
    tm_map *map;                /* what the features are features of; NULL: columns */
    char *labels[2];            /* of -1 and +1; both NULL for a numeric response */
    model_expansion *expansion; /* what it predicts by instead of weights; NULL */
    bool offset; /* it was fitted to what the data's offsets leave: predictions need them */
};

/* Room for nnz chosen features of p, with one reference; NULL when memory ran out. */
tm_model *model_alloc(size_t p, size_t nnz);

/* A model of support vectors: the rows of the data whose coef is not 0. It has no weights. */
tm_status model_new_expansion(tm_model **out, const tm_dataset *data, const char *method,
                              const kernel *of, const double *coef, double intercept,
                              tm_error *err);

/* The weights of a model with another intercept, without its names; NULL when memory ran out. */
tm_model *model_with_intercept(const tm_model *model, double intercept);

#endif
