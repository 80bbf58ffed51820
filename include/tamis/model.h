/* Fitted linear models: the selected features, their weights on the original scale, the intercept,
 * and the metadata needed to predict and to name features. Immutable, reference counted. */
#ifndef TAMIS_MODEL_H
#define TAMIS_MODEL_H

#include "tamis/bags.h"
#include "tamis/dataset.h"
#include "tamis/map.h"

typedef struct tm_model tm_model;

/* Made from p weights on the original scale. `data` is the training data (names and labels are
 * copied from it); `method` is the id of the method. */
tm_status tm_model_new(tm_model **out, const tm_dataset *data, const char *method, double lambda,
                       const double *weights, double intercept, tm_error *err);
/* The parts of a model given by its selected features only. */
typedef struct tm_model_parts {
    const tm_map *map; /* the map whose features they are; NULL: the data's columns */
    const char *method;
    double lambda; /* NaN: the method has none */
    size_t count;
    const uint64_t *features; /* count, ascending */
    const double *weights;    /* count; features with weight 0 are left out */
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
size_t tm_model_cols(const tm_model *model); /* p: number of columns of the data */
/* True for a model file that does not record how the training data were read. */
bool tm_model_is_old(const tm_model *model);
/* How to read rows that are to be predicted (tm_read_options); for a model of bags, their
 * instances. NULL: not known. */
const tm_reading *tm_model_reading(const tm_model *model);
/* What is kept of the training data besides how they were read. */
typedef struct tm_model_carries {
    size_t columns, scaled; /* number of columns that predictions read, and of those that were
                             * scaled */
    size_t whole;           /* number of columns that the training data's were chosen from; 0: they
                             * are all */
    bool offset;
    bool bags; /* rows are bags */
    double sigma;
    const char *bags_column; /* NULL: a file or a list defined the bags */
} tm_model_carries;
tm_model_carries tm_model_carried(const tm_model *model);
/* The loss it was fitted with: "logistic", ...; NULL for a measure or the hinge, and when its file
 * does not record it. */
const char *tm_model_loss(const tm_model *model);
bool tm_model_is_one_vs_rest(const tm_model *model); /* -1 is every class but +1 */
const tm_map *tm_model_map(const tm_model *model);   /* the map of the features; NULL: columns */
/* For a model that predicts by support vectors, itself or by its predictor: their number, and its
 * kernel; 0 and NULL for one with weights. */
size_t tm_model_support_vectors(const tm_model *model);
const char *tm_model_kernel(const tm_model *model);
/* Whether the weights only select features and cannot predict; and the model that predicts instead,
 * from the selected columns (NULL: none, and predictions are TM_EUSAGE). */
bool tm_model_is_selection(const tm_model *model);
const tm_model *tm_model_predictor(const tm_model *model);
bool tm_model_predicts(const tm_model *model); /* whether it can predict */
size_t tm_model_nnz(const tm_model *model);    /* features with a nonzero weight */
#define TM_NO_LEVELS SIZE_MAX
/* Where edges join features: connected sets of features with the same weight, other than 0.
 * TM_NO_LEVELS for other methods, and for models read from files. */
size_t tm_model_levels(const tm_model *model);
const size_t *tm_model_features(const tm_model *model);  /* nnz indices from 0, ascending */
const double *tm_model_weights(const tm_model *model);   /* nnz weights, in the same order */
double tm_model_weight(const tm_model *model, size_t j); /* of feature j, 0 when not chosen */
bool tm_model_is_binary(const tm_model *model);
const char *tm_model_label(const tm_model *model, int sign); /* as tm_dataset_label */
/* "X17" or the feature's name; j from 0. */
const char *tm_model_feature_label(const tm_model *model, size_t j, char *buffer, size_t size);

/* z_i = x_i'w + b for the rows of x, into z[0..n-1]. Missing columns of a matrix with fewer than p
 * count as zero; a matrix with more is TM_EDATA. */
tm_status tm_model_predict(const tm_model *model, const tm_matrix *x, double *z, tm_error *err);

/* The same for the rows of a data set. If both have names for features, columns are found by
 * name in any order, and a missing one that is used is TM_EDATA; without names there must be as
 * many columns as in training, unless the file format omits zeros. Columns are scaled like those
 * of the training data. Also TM_EDATA for data that cannot be treated alike: another index base,
 * missing values replaced by means of these rows, texts that training did not have, other bags
 * or scales. */
tm_status tm_model_predict_rows(const tm_model *model, const tm_dataset *data, double *z,
                                tm_error *err);
/* The same plus the data set's offsets. A model that was fitted to data with offsets needs them:
 * TM_EDATA without. */
tm_status tm_model_predict_data(const tm_model *model, const tm_dataset *data, double *z,
                                tm_error *err);

/* The rows, one for each bag, that a model of bags predicts, computed from the instances and their
 * bags. */
tm_status tm_model_embed(tm_dataset **out, const tm_model *model, const tm_dataset *instances,
                         const tm_bags *bags, tm_error *err);

/* A versioned JSON file; a path that ends in .libsvm or .liblinear gives a model file of LIBSVM
 * (for support vectors) or LIBLINEAR (for weights), which tamis does not load again. Loading
 * validates everything: TM_EDATA tells what is wrong. */
tm_status tm_model_save(const tm_model *model, const char *path, tm_error *err);
tm_status tm_model_load(tm_model **out, const char *path, tm_error *err);
/* The same JSON as text on one line, malloc'ed and freed by the caller; `name` is used as the name
 * of the file in messages. */
tm_status tm_model_to_text(char **out, const tm_model *model, tm_error *err);
tm_status tm_model_from_text(tm_model **out, const char *text, const char *name, tm_error *err);

#endif
