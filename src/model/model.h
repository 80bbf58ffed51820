/* The inside of a fitted model, for the files that make, save and load them. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/expansion.h"

#include "tamis/model.h"

#include <math.h>
#include <stdatomic.h>

/* A column of the data that predictions read. */
typedef struct model_column {
    size_t column; /* from 0 */
    size_t origin; /* its number in the whole that the data were chosen from */
    char *name;    /* or NULL */
    double fill;   /* what a missing value became; NaN: there was none */
    double scale;  /* what the column was divided by */
} model_column;

/* What predictions need besides the weights: how the training data came to be. */
typedef struct model_making {
    tm_reading *reading; /* how they were read; never NULL */
    /* ascending; NULL: they are the features, under their names, as they were read. Of the many
     * models that a path keeps most are such */
    model_column *columns;
    size_t count;
    size_t whole;   /* columns that the data's were chosen from; 0: they are all */
    char names[65]; /* fingerprint of all names, when one that is used is of several columns */
    bool rest;      /* the class -1 is all but the class +1 */
    tm_dataset *concepts; /* of bags, as tm_making has it */
    double sigma;
    char *bags;
    bool old; /* of a file that does not tell */
} model_making;

struct tm_model {
    atomic_size_t references;
    char *method;
    double lambda, intercept;
    size_t p, nnz;
    size_t *features; /* ascending */
    double *weights;
    char **names;               /* nnz entries, NULL for a feature without a name; NULL: none has */
    tm_map *map;                /* what the features are features of; NULL: columns */
    char *loss;                 /* it was fitted with; NULL: not known, or none of the table's */
    char *labels[2];            /* of -1 and +1; both NULL for a numeric response */
    model_expansion *expansion; /* what it predicts by instead of weights; NULL */
    bool selection;             /* the weights choose features and predict nothing */
    tm_model *predictor; /* of a selection: predicts, from the chosen columns alone, or with none
                            chosen from all; NULL: nothing does */
    bool offset;         /* it was fitted to what the data's offsets leave: predictions need them */
    model_making making;
};

/* Room for nnz chosen features of p, with one reference; NULL when memory ran out. */
tm_model *model_alloc(size_t p, size_t nnz);

/* The name of the k-th chosen feature, or NULL. */
static inline const char *model_name(const tm_model *model, size_t k)
{
    return model->names ? model->names[k] : NULL;
}
/* Takes over the name of the k-th chosen feature; false when memory ran out (name NULL: before). */
bool model_take_name(tm_model *model, size_t k, char *name);

/* Learns `making` from the training data; false when memory ran out. */
bool model_learn_making(tm_model *model, const tm_dataset *data);
/* The columns that the features read, from their numbers alone, or all of a kernel; false as above.
 */
bool model_find_columns(tm_model *model);
/* Whether nothing was done to it after it was read. */
static inline bool model_column_is_as_read(const model_column *column)
{
    return column->origin == column->column && column->scale == 1 && isnan(column->fill);
}
/* Number k of the columns. Its name is the model's. */
model_column model_column_at(const tm_model *model, size_t k);
/* Makes `columns`, so that they can be changed; false when memory ran out. */
bool model_own_columns(tm_model *model);
/* Column j; NULL when predictions do not read it, or there are no `columns`. */
model_column *model_column_of(const tm_model *model, size_t j);
void model_making_free(model_making *making);

/* A model of support vectors: the rows of the data whose coef is not 0. It has no weights. */
tm_status model_new_expansion(tm_model **out, const tm_dataset *data, const char *method,
                              const kernel *of, const double *coef, double intercept,
                              tm_error *err);

/* Makes the model a selection, before anyone else has it. Takes over the predictor; NULL: none. */
void model_select(tm_model *model, tm_model *predictor);

/* Before anyone else has the model. False when memory ran out. */
bool model_set_loss(tm_model *model, const char *loss);

/* The weights of a model with another intercept, without its names; NULL when memory ran out. */
tm_model *model_with_intercept(const tm_model *model, double intercept);

#endif
