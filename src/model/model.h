/* The internals of a fitted model, for the files that create, save and load them. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/expansion.h"

#include "tamis/model.h"

#include <math.h>
#include <stdatomic.h>

/* A column of the data that predictions read. */
typedef struct model_column {
    size_t column; /* from 0 */
    size_t origin; /* its number in the data set that these columns were chosen from */
    char *name;    /* or NULL */
    double fill;   /* the replacement of missing values; NaN: there were none */
    double scale;  /* divisor of the column */
} model_column;

/* What predictions need besides the weights: how the training data were made. */
typedef struct model_making {
    tm_reading *reading; /* how the data were read; never NULL */
    /* ascending; NULL: they are the features, with their names, unchanged since reading. Most of
     * the many models of a path are such */
    model_column *columns;
    size_t count;
    size_t whole;         /* number of columns that the data's columns were chosen from; 0: they are
                           * all */
    char names[65];       /* fingerprint of all names, when a name that is used belongs to several
                           * columns */
    bool rest;            /* the class -1 is every class but +1 */
    tm_dataset *concepts; /* for bags, as in tm_making */
    double sigma;
    char *bags;
    bool old;    /* from a file that does not record it */
    bool pruned; /* `reading` is from a file, and has no other features than predictions need */
} model_making;

struct tm_model {
    atomic_size_t references;
    char *method;
    double lambda, intercept;
    size_t p, nnz, levels; /* levels: as tm_model_levels has it */
    size_t *features;      /* ascending */
    double *weights;
    char **names;               /* nnz entries, NULL for a feature without a name; NULL: no feature
                                 * has one */
    tm_map *map;                /* the map that the features belong to; NULL: features are
                                 * columns */
    char *loss;                 /* the loss it was fitted with; NULL: not known, or not in the
                                 * table */
    char *labels[2];            /* of -1 and +1; both NULL for a numeric response */
    model_expansion *expansion; /* used for predictions instead of weights; or NULL */
    bool selection;             /* the weights select features and cannot predict */
    tm_model *predictor; /* for a selection: the model that predicts, from the chosen columns, or
                          * from all if none is chosen; NULL: there is none */
    bool offset;         /* it was fitted with the data's offsets: predictions need them */
    model_making making;
};

/* Allocates nnz chosen features of p, with one reference; NULL when memory ran out. */
tm_model *model_alloc(size_t p, size_t nnz);

/* The name of the k-th chosen feature, or NULL. */
static inline const char *model_name(const tm_model *model, size_t k)
{
    return model->names ? model->names[k] : NULL;
}
/* Takes ownership of the name of the k-th chosen feature; false when memory ran out (name NULL:
 * before the call). */
bool model_take_name(tm_model *model, size_t k, char *name);

/* Sets `making` from the training data; false when memory ran out. */
bool model_learn_making(tm_model *model, const tm_dataset *data);
/* Finds the columns that the features read, from their numbers, or all for a kernel; false when
 * memory ran out. */
bool model_find_columns(tm_model *model);
/* Whether the column is unchanged since it was read. */
static inline bool model_column_is_as_read(const model_column *column)
{
    return column->origin == column->column && column->scale == 1 && isnan(column->fill);
}
/* Column number k. Its name is owned by the model. */
model_column model_column_at(const tm_model *model, size_t k);
/* Allocates `columns`, so that they can be changed; false when memory ran out. */
bool model_own_columns(tm_model *model);
/* Column j; NULL when predictions do not read it, or there are no `columns`. */
model_column *model_column_of(const tm_model *model, size_t j);
void model_making_free(model_making *making);

/* A model of support vectors: the rows of the data with nonzero coef. It has no weights. */
tm_status model_new_expansion(tm_model **out, const tm_dataset *data, const char *method,
                              const kernel *of, const double *coef, double intercept,
                              tm_error *err);

/* Makes the model a selection; only before it is shared. Takes ownership of the predictor; NULL:
 * none. */
void model_select(tm_model *model, tm_model *predictor);

/* Only before the model is shared. False when memory ran out. */
bool model_set_loss(tm_model *model, const char *loss);

/* A copy of the weights with another intercept, without names; NULL when memory ran out. */
tm_model *model_with_intercept(const tm_model *model, double intercept);

#endif
