/* Predictions: converts rows to the form of the training data, or rejects them. */
#include "model/places.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the features of a map; those of one column are evaluated together. */
static tm_status predict_mapped(const tm_model *model, const tm_matrix *x, double *z, tm_error *err)
{
    size_t width = tm_map_width(model->map);
    double *weights = mem_array(width, sizeof *weights);
    tm_status status = weights ? TM_OK : tm_fail_memory(err, "a prediction");
    for (size_t k = 0; status == TM_OK && k < model->nnz;) {
        size_t first = model->features[k] / width * width;
        memset(weights, 0, width * sizeof *weights);
        for (; k < model->nnz && model->features[k] - first < width; k++)
            weights[model->features[k] - first] = model->weights[k];
        status = tm_map_apply(model->map, x, first, width, weights, z, err);
    }
    free(weights);
    return status;
}

/* The predictor's own divisor of column k, after the model's. */
static double predictor_scale(const tm_model *model, size_t k)
{
    const model_column *inner = model_column_of(model->predictor, k);
    const model_column *outer = model_column_of(model, model->features[k]);
    return (inner ? inner->scale : 1) / (outer ? outer->scale : 1);
}

/* The chosen columns on the predictor's scale; those beyond the matrix are zero. */
static tm_status chosen_columns(tm_matrix **out, const tm_model *model, const tm_matrix *x,
                                tm_error *err)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x), cells;
    bool fits = !__builtin_mul_overflow(n, model->nnz, &cells);
    double *values = fits ? mem_zeros(cells, sizeof *values) : NULL;
    if (!values)
        return tm_fail_memory(err, "a prediction");
    for (size_t k = 0; k < model->nnz; k++) {
        double scale = predictor_scale(model, k), *column = values + k * n;
        if (model->features[k] >= p)
            continue;
        tm_matrix_column(x, model->features[k], column);
        for (size_t i = 0; i < n; i++)
            column[i] /= scale;
    }
    return tm_matrix_new_dense(out, n, model->nnz, values, err);
}

static tm_status predict_selected(const tm_model *model, const tm_matrix *x, double *z,
                                  tm_error *err)
{
    tm_matrix *chosen;
    if (!model->predictor)
        return tm_fail(err, TM_EUSAGE,
                       "the model of %s is a selection of features without predictions: fit it "
                       "with another refit than none, or another method on the chosen features",
                       model->method);
    if (model->nnz == 0)
        return tm_model_predict(model->predictor, x, z, err);
    tm_status status = chosen_columns(&chosen, model, x, err);
    if (status != TM_OK)
        return status;
    status = tm_model_predict(model->predictor, chosen, z, err);
    tm_matrix_unref(chosen);
    return status;
}

/* z = b + sum_k w_k x_k; columns beyond the matrix are zero. */
tm_status tm_model_predict(const tm_model *model, const tm_matrix *x, double *z, tm_error *err)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    if (p > model->p)
        return tm_fail(err, TM_EDATA, "the data have %zu features, the model was trained on %zu", p,
                       model->p);
    if (model->selection)
        return predict_selected(model, x, z, err);
    for (size_t i = 0; i < n; i++)
        z[i] = model->intercept;
    if (model->map)
        return predict_mapped(model, x, z, err);
    if (model->expansion)
        return expansion_add(model->expansion, x, z, err);
    for (size_t k = 0; k < model->nnz; k++)
        if (model->features[k] < p)
            tm_matrix_axpy(x, model->features[k], model->weights[k], z);
    return TM_OK;
}

/* ---- whether the data can be converted ----------------------------------------------------- */

static tm_status check_numbering(const tm_model *model, const tm_dataset *data, tm_error *err)
{
    tm_numbering trained = model->making.reading->numbering;
    tm_numbering own = tm_dataset_reading(data)->numbering;
    if (trained == TM_NUMBERING_NONE || own == TM_NUMBERING_NONE || trained == own)
        return TM_OK;
    int base = trained == TM_NUMBERING_FROM_1;
    return tm_fail(
        err, TM_EDATA,
        "%s: features are counted from %d, and in the training data from %d; read it with "
        "base = %d",
        tm_dataset_name(data), 1 - base, base, base);
}

/* Missing values must not be replaced by the mean of the rows to predict. */
static tm_status check_fills(const tm_model *model, const tm_dataset *data, const size_t *places,
                             tm_error *err)
{
    const tm_reading *reading = tm_dataset_reading(data);
    const tm_making *making = tm_dataset_making(data);
    if (!reading->fills || !reading->missing[0] || reading == model->making.reading ||
        model->making.old || making->concepts)
        return TM_OK;
    for (size_t k = 0; k < model->making.count; k++) {
        model_column column = model_column_at(model, k);
        char label[96];
        if (places[k] >= tm_dataset_cols(data))
            continue;
        size_t read = making->origin ? making->origin[places[k]] : places[k];
        double fill = read < reading->count ? reading->features[read].fill : NAN;
        if (isnan(fill) || fill == column.fill)
            continue;
        tm_dataset_feature_label(data, places[k], label, sizeof label);
        return tm_fail(err, TM_EDATA,
                       "%s: missing values of %s are the mean of these rows, %.6g, and not that of "
                       "the training data; read the file like them (in Lua tm.load(file, "
                       "{like=model}))",
                       tm_dataset_name(data), label, fill);
    }
    return TM_OK;
}

static bool same_column(const tm_reading_feature *a, const tm_reading_feature *b)
{
    return a->column && b->column ? strcmp(a->column, b->column) == 0 : a->number == b->number;
}

/* Whether the column has text values in the training data, and this is not one of them. */
static bool is_unknown(const tm_reading *trained, const tm_reading_feature *feature)
{
    bool texts = false;
    for (size_t k = 0; k < trained->count; k++) {
        const tm_reading_feature *known = &trained->features[k];
        if (!known->level || !same_column(known, feature))
            continue;
        if (strcmp(known->level, feature->level) == 0)
            return false;
        texts = true;
    }
    return texts;
}

static tm_status check_texts(const tm_model *model, const tm_dataset *data, tm_error *err)
{
    const tm_reading *trained = model->making.reading, *own = tm_dataset_reading(data);
    for (size_t k = 0; trained != own && k < own->count; k++) {
        const tm_reading_feature *feature = &own->features[k];
        if (!feature->level || !is_unknown(trained, feature))
            continue;
        return tm_fail(err, TM_EDATA,
                       "%s: \"%.100s\" in column %zu%s%.100s does not occur in the "
                       "training data",
                       tm_dataset_name(data), feature->level, feature->number,
                       feature->column ? ", " : "", feature->column ? feature->column : "");
    }
    return TM_OK;
}

/* Whether the concepts used by the model are the same rows. */
static bool same_concepts(const tm_model *model, const tm_dataset *a, const tm_dataset *b)
{
    size_t m = tm_dataset_rows(a), p = tm_dataset_cols(a);
    if (a == b)
        return true;
    if (m != tm_dataset_rows(b) || p != tm_dataset_cols(b))
        return false;
    double *x = mem_array(2 * m, sizeof *x), *y = x + m;
    bool same = x != NULL;
    for (size_t j = 0; same && j < p; j++) {
        tm_matrix_column(tm_dataset_x(a), j, x);
        tm_matrix_column(tm_dataset_x(b), j, y);
        for (size_t k = 0; same && k < model->nnz; k++)
            same = x[model->features[k]] == y[model->features[k]];
    }
    free(x);
    return same;
}

static tm_status check_bags(const tm_model *model, const tm_dataset *data, tm_error *err)
{
    const model_making *trained = &model->making;
    const tm_making *own = tm_dataset_making(data);
    if (!trained->concepts && !own->concepts)
        return TM_OK;
    if (!trained->concepts)
        return tm_fail(err, TM_EDATA,
                       "%s: rows are bags, and those that the model was trained on are not",
                       tm_dataset_name(data));
    if (own->concepts && trained->sigma == own->sigma &&
        same_concepts(model, trained->concepts, own->concepts))
        return TM_OK;
    return tm_fail(err, TM_EDATA,
                   "%s: the model is of bags, by their similarity to the training instances with "
                   "sigma %.6g, and the data are not; make them with d:miles{sigma=, concepts=the "
                   "training instances}, or use tamis predict",
                   tm_dataset_name(data), trained->sigma);
}

/* Sets *divide if the columns have yet to be divided. */
static tm_status check_scales(bool *divide, const tm_model *model, const tm_dataset *data,
                              const size_t *places, tm_error *err)
{
    const double *scales = tm_dataset_making(data)->scales;
    *divide = false;
    for (size_t k = 0; k < model->making.count; k++) {
        double trained = model_column_at(model, k).scale;
        bool there = places[k] < tm_dataset_cols(data);
        double own = scales && there ? scales[places[k]] : 1;
        if (!there || trained == own)
            continue;
        char label[96];
        tm_dataset_feature_label(data, places[k], label, sizeof label);
        if (scales)
            return tm_fail(err, TM_EDATA,
                           "%s: %s was divided by %.6g, and in training by %.6g; scale it like the "
                           "training data, or leave it as it was read",
                           tm_dataset_name(data), label, own, trained);
        *divide = true;
    }
    return TM_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The columns that predictions read, at the places of the training data and on their scale. */
typedef struct alike {
    uint64_t *starts, room;
    uint32_t *rows;
    double *values, *scratch;
} alike;

static bool alike_add(alike *a, uint64_t *used, const tm_matrix *x, size_t j, double scale)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(x, j, a->scratch, &rows, &values);
    while (*used + count > a->room) {
        a->room = 2 * a->room + count;
        uint32_t *more_rows = realloc(a->rows, a->room * sizeof *more_rows);
        a->rows = more_rows ? more_rows : a->rows;
        double *more = realloc(a->values, a->room * sizeof *more);
        a->values = more ? more : a->values;
        if (!more_rows || !more)
            return false;
    }
    for (size_t e = 0; e < count; e++) {
        if (values[e] == 0)
            continue;
        a->rows[*used] = rows ? rows[e] : (uint32_t)e;
        a->values[(*used)++] = values[e] / scale;
    }
    return true;
}

static tm_status make_alike(tm_matrix **out, const tm_model *model, const tm_dataset *data,
                            const size_t *places, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(data);
    const double *scales = tm_dataset_making(data)->scales;
    size_t n = tm_matrix_rows(x), p = model->p;
    alike a = {.starts = mem_zeros(p + 1, sizeof *a.starts),
               .room = n,
               .rows = mem_array(n, sizeof *a.rows),
               .values = mem_array(n, sizeof *a.values),
               .scratch = mem_array(n, sizeof *a.scratch)};
    uint64_t used = 0;
    size_t next = 0; /* starts are filled up to here */
    bool made = a.starts && a.rows && a.values && a.scratch;
    for (size_t k = 0; made && k < model->making.count; k++) {
        model_column column = model_column_at(model, k);
        for (; next <= column.column; next++)
            a.starts[next] = used;
        if (places[k] < tm_matrix_cols(x))
            made = alike_add(&a, &used, x, places[k], scales ? 1 : column.scale);
    }
    for (; made && next <= p; next++)
        a.starts[next] = used;
    free(a.scratch);
    if (made)
        return tm_matrix_new_csc(out, n, p, a.starts, a.rows, a.values, err);
    free(a.starts);
    free(a.rows);
    free(a.values);
    return tm_fail_memory(err, "a prediction");
}

static tm_status predict_at(const tm_model *model, const tm_dataset *data, const size_t *places,
                            double *z, tm_error *err)
{
    bool divide, moved = false;
    tm_matrix *x;
    tm_status status = check_scales(&divide, model, data, places, err);
    for (size_t k = 0; k < model->making.count; k++)
        moved |= places[k] != model_column_at(model, k).column;
    if (status != TM_OK)
        return status;
    if (!divide && !moved && tm_dataset_cols(data) <= model->p)
        return tm_model_predict(model, tm_dataset_x(data), z, err);
    status = make_alike(&x, model, data, places, err);
    if (status == TM_OK) {
        status = tm_model_predict(model, x, z, err);
        tm_matrix_unref(x);
    }
    return status;
}

tm_status tm_model_predict_rows(const tm_model *model, const tm_dataset *data, double *z,
                                tm_error *err)
{
    size_t *places = mem_array(model->making.count, sizeof *places);
    tm_status status = places ? TM_OK : tm_fail_memory(err, "a prediction");
    if (status == TM_OK)
        status = check_bags(model, data, err);
    if (status == TM_OK)
        status = check_numbering(model, data, err);
    if (status == TM_OK)
        status = model_find_places(places, model, data, err);
    if (status == TM_OK)
        status = check_fills(model, data, places, err);
    if (status == TM_OK)
        status = check_texts(model, data, err);
    if (status == TM_OK)
        status = predict_at(model, data, places, z, err);
    free(places);
    return status;
}

tm_status tm_model_predict_data(const tm_model *model, const tm_dataset *data, double *z,
                                tm_error *err)
{
    const double *offset = tm_dataset_offset(data);
    if (model->offset && !tm_dataset_has_offset(data))
        return tm_fail(err, TM_EDATA,
                       "%s: the model was fitted with offsets, and these data have none; say where "
                       "they are (--offset COLUMN or FILE; in Lua d:weigh{offset={...}})",
                       tm_dataset_name(data));
    tm_status status = tm_model_predict_rows(model, data, z, err);
    for (size_t i = 0; status == TM_OK && offset && i < tm_dataset_rows(data); i++)
        z[i] += offset[i];
    return status;
}

tm_status tm_model_embed(tm_dataset **out, const tm_model *model, const tm_dataset *instances,
                         const tm_bags *bags, tm_error *err)
{
    const model_making *making = &model->making;
    *out = NULL;
    if (!making->concepts)
        return tm_fail(err, TM_EUSAGE, "the model is not of bags");
    return tm_dataset_miles(out, instances, bags, making->concepts, making->sigma, err);
}
