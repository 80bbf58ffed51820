/* What the size of a model counts: its support vectors where it predicts by these and has no
 * weights of features, else the features with a weight. */
#ifndef RUN_MODEL_SIZE_H
#define RUN_MODEL_SIZE_H

#include "tamis/model.h"

#include <stdbool.h>

static inline bool model_is_of_vectors(const tm_model *model)
{
    return tm_model_nnz(model) == 0 && tm_model_support_vectors(model) > 0;
}

static inline size_t model_size(const tm_model *model)
{
    return model_is_of_vectors(model) ? tm_model_support_vectors(model) : tm_model_nnz(model);
}

/* "1 feature", "2 vectors": what it counts, for that many. */
static inline const char *model_size_noun(const tm_model *model)
{
    bool one = model_size(model) == 1;
    if (model_is_of_vectors(model))
        return one ? "vector" : "vectors";
    return one ? "feature" : "features";
}

#endif
