/* Fitted linear models: the chosen features, their weights on the original scale, the intercept,
 * and enough about the data to predict and to name things. Immutable, reference counted. */
#ifndef TAMIS_MODEL_H
#define TAMIS_MODEL_H

#include "tamis/bags.h"
#include "tamis/dataset.h"
#include "tamis/map.h"

typedef struct tm_model tm_model;

/* From p weights on the original scale. `data` is what it was trained on (names and labels are
 * kept from it); `method` is the id of the method. */
tm_status tm_model_new(tm_model **out, const tm_dataset *data, const char *method, double lambda,
                       const double *weights, double intercept, tm_error *err);
/* What a model is made of that knows only some of the features. */
typedef struct tm_model_parts {
    const tm_map *map; /* what they are features of; NULL: the data's columns */
    const char *method;
    double lambda; /* NaN: the method has none */
    size_t count;
    const uint64_t *features; /* count, ascending */
    const double *weights;    /* count; features with a weight of 0 are left out */
    double intercept;
} tm_model_parts;
/* The same from parts, which are copied. */
tm_status tm_model_new_features(tm_model **out, const tm_dataset *data, const tm_model_parts *parts,
                                tm_error *err);
tm_model *tm_model_ref(const tm_model *model);
void tm_model_unref(tm_model *model);

const char *tm_model_method(const tm_model *model);
double tm_model_lambda(const tm_model *model); /* NaN: the method has none */
double tm_model_intercept(const tm_model *model);
size_t tm_model_cols(const tm_model *model); /* p: columns of the data */
/* Of a model file that does not tell how the training data were read. */
bool tm_model_is_old(const tm_model *model);
/* What rows to be predicted are read like (tm_read_options); of a model of bags their instances.
 * NULL: it is not known. */
const tm_reading *tm_model_reading(const tm_model *model);
/* What is kept of the training data besides their reading. */
typedef struct tm_model_carries {
    size_t columns, scaled; /* that predictions read, and that were divided by something */
    size_t whole;           /* columns that the training data's were chosen from; 0: they are all */
    bool offset;
    bool bags; /* rows are bags */
    double sigma;
    const char *bags_column; /* NULL: a file or a list told the bags */
} tm_model_carries;
tm_model_carries tm_model_carried(const tm_model *model);
/* What it was fitted with: "logistic", ...; NULL of a measure or the hinge, and when its file does
 * not tell. */
const char *tm_model_loss(const tm_model *model);
bool tm_model_is_one_vs_rest(const tm_model *model); /* -1 is every class but +1 */
const tm_map *tm_model_map(const tm_model *model);   /* features are of it; NULL: columns */
/* Of a model that predicts by support vectors, itself or by its predictor, how many there are, and
 * its kernel; 0 and NULL of one with weights. */
size_t tm_model_support_vectors(const tm_model *model);
const char *tm_model_kernel(const tm_model *model);
/* Of a model whose weights choose features and predict nothing: that it is one, and the model of
 * the chosen columns alone that predicts for it (NULL: none, and predictions are TM_EUSAGE). */
bool tm_model_is_selection(const tm_model *model);
const tm_model *tm_model_predictor(const tm_model *model);
bool tm_model_predicts(const tm_model *model);           /* whether it has predictions */
size_t tm_model_nnz(const tm_model *model);              /* features with a nonzero weight */
const size_t *tm_model_features(const tm_model *model);  /* nnz indices from 0, ascending */
const double *tm_model_weights(const tm_model *model);   /* nnz weights, in the same order */
double tm_model_weight(const tm_model *model, size_t j); /* of feature j, 0 when not chosen */
bool tm_model_is_binary(const tm_model *model);
const char *tm_model_label(const tm_model *model, int sign); /* as tm_dataset_label */
/* "X17" or the feature's name; j from 0. */
const char *tm_model_feature_label(const tm_model *model, size_t j, char *buffer, size_t size);

/* z_i = x_i'w + b for the rows of x, into z[0..n-1]. A matrix with fewer columns than p is read as
 * if the missing ones were zero; one with more is TM_EDATA. */
tm_status tm_model_predict(const tm_model *model, const tm_matrix *x, double *z, tm_error *err);

/* The same for the rows of a data set. Where both have names for features they are found by them,
 * whatever their order, and one that is used and not there is TM_EDATA; without names there must be
 * as many columns as in training, unless the file leaves out zeros. Columns are divided as those of
 * the training data were. TM_EDATA too for data that cannot be made alike: another index base,
 * fills learnt from these rows, texts that training did not have, other bags or scales. */
tm_status tm_model_predict_rows(const tm_model *model, const tm_dataset *data, double *z,
                                tm_error *err);
/* The same, and the data set's offsets are added. A model that was fitted to data with offsets
 * needs them: TM_EDATA without. */
tm_status tm_model_predict_data(const tm_model *model, const tm_dataset *data, double *z,
                                tm_error *err);

/* The rows of bags that a model of bags predicts, from the instances and their bags. */
tm_status tm_model_embed(tm_dataset **out, const tm_model *model, const tm_dataset *instances,
                         const tm_bags *bags, tm_error *err);

/* A versioned JSON file of its own; to a path that ends in .libsvm or .liblinear a model file of
 * LIBSVM (of support vectors) or LIBLINEAR (of weights), which tamis does not load again. Loading
 * checks it all: TM_EDATA names what is wrong. */
tm_status tm_model_save(const tm_model *model, const char *path, tm_error *err);
tm_status tm_model_load(tm_model **out, const char *path, tm_error *err);
/* The same JSON as text on one line, malloc'ed and the caller's; `name` stands for the file in
 * messages. */
tm_status tm_model_to_text(char **out, const tm_model *model, tm_error *err);
tm_status tm_model_from_text(tm_model **out, const char *text, const char *name, tm_error *err);

#endif
