#include "model/export.h"

#include "base/memory.h"
#include "base/replace.h"
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const endings[] = {
    [EXPORT_NONE] = "", [EXPORT_LIBSVM] = ".libsvm", [EXPORT_LIBLINEAR] = ".liblinear"};

export_format export_format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (int k = EXPORT_LIBSVM; ending && k <= EXPORT_LIBLINEAR; k++)
        if (strcmp(ending, endings[k]) == 0)
            return (export_format)k;
    return EXPORT_NONE;
}

static bool is_whole(const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    return *text && !*end && errno == 0 && labs(value) < 1000000000;
}

/* Both formats need integers for classes: the labels if they are integers, else 1 and -1. */
static void write_labels(FILE *out, const tm_model *model)
{
    bool whole = is_whole(model->labels[0]) && is_whole(model->labels[1]);
    fprintf(out, "label %s %s\n", whole ? model->labels[1] : "1", whole ? model->labels[0] : "-1");
}

/* The number of column 0 in the file that LIBSVM's programs predict from: as in the training file.
 * LIBLINEAR's programs refuse a feature 0, so that its models always count from 1. */
static size_t first_number(const tm_model *model)
{
    return model->making.reading->numbering == TM_NUMBERING_FROM_0 ? 0 : 1;
}

static void write_vectors(FILE *out, const tm_model *model, bool positive)
{
    const model_expansion *e = model->expansion;
    size_t first = first_number(model);
    for (size_t i = 0; i < e->rows.rows.n; i++) {
        const double *values;
        const uint32_t *columns;
        size_t count = row_copy_row(&e->rows.rows, i, &values, &columns);
        if ((e->coef[i] > 0) != positive)
            continue;
        fprintf(out, "%.17g", e->coef[i]);
        for (size_t k = 0; k < count; k++)
            if (values[k] != 0)
                fprintf(out, " %zu:%.17g", (columns ? (size_t)columns[k] : k) + first, values[k]);
        fputs(" \n", out);
    }
}

/* Weights are one vector of the linear kernel, with the coefficient 1. */
static void write_weights(FILE *out, const tm_model *model)
{
    fprintf(out, "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho %.17g\n",
            -model->intercept);
    write_labels(out, model);
    fputs("nr_sv 1 0\nSV\n1", out);
    for (size_t k = 0; k < model->nnz; k++)
        fprintf(out, " %zu:%.17g", (size_t)model->features[k] + first_number(model),
                model->weights[k]);
    fputs(" \n", out);
}

static void write_libsvm(FILE *out, const tm_model *model)
{
    const model_expansion *e = model->expansion;
    const kernel *of = &e->rows.of;
    size_t count = e->rows.rows.n, positives = 0;
    for (size_t i = 0; i < count; i++)
        positives += e->coef[i] > 0;
    static const char *const kinds[] = {"linear", "rbf", "polynomial"}; /* indexed by kernel_kind */
    fprintf(out, "svm_type c_svc\nkernel_type %s\n", kinds[of->kind]);
    if (of->kind == KERNEL_POLY)
        fprintf(out, "degree %d\ncoef0 %.17g\n", of->degree, of->coef0);
    if (of->kind != KERNEL_LINEAR)
        fprintf(out, "gamma %.17g\n", of->gamma);
    fprintf(out, "nr_class 2\ntotal_sv %zu\nrho %.17g\n", count, -model->intercept);
    write_labels(out, model);
    fprintf(out, "nr_sv %zu %zu\nSV\n", positives, count - positives);
    write_vectors(out, model, true);
    write_vectors(out, model, false);
}

/* An intercept is the weight of an additional last feature, whose value LIBLINEAR sets to its bias
 * of 1. */
static void write_liblinear(FILE *out, const tm_model *model)
{
    bool biased = model->intercept != 0;
    fputs("solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\n", out);
    write_labels(out, model);
    fprintf(out, "nr_feature %zu\nbias %d\nw\n", model->p, biased ? 1 : -1);
    for (size_t j = 0, k = 0; j < model->p; j++) {
        bool held = k < model->nnz && model->features[k] == j;
        fprintf(out, "%.17g \n", held ? model->weights[k++] : 0);
    }
    if (biased)
        fprintf(out, "%.17g \n", model->intercept);
}

static void write_model(FILE *out, const tm_model *model, export_format format)
{
    if (format == EXPORT_LIBLINEAR)
        write_liblinear(out, model);
    else if (model->expansion)
        write_libsvm(out, model);
    else
        write_weights(out, model);
}

/* What neither format can hold: a file without it would predict something else. NULL: nothing. */
static const char *beyond_formats(const tm_model *model)
{
    const model_making *making = &model->making;
    if (!model->labels[0])
        return "a model that predicts a number: it is of two classes";
    if (model->map)
        return "features that are made of columns";
    if (model->selection)
        return model->predictor ? "a selection of features with a model of its own that predicts"
                                : "a selection of features, which does not predict";
    if (model->offset)
        return "a model that needs offsets";
    if (making->concepts)
        return "a model of bags";
    for (size_t k = 0; k < making->count && making->columns; k++)
        if (making->columns[k].scale != 1)
            return "a model of scaled columns";
    return making->whole > 0 ? "a model of columns that were chosen from others" : NULL;
}

static tm_status check(const tm_model *model, export_format format, const char *path, tm_error *err)
{
    const char *beyond = beyond_formats(model);
    if (beyond)
        return tm_fail(err, TM_EUSAGE,
                       "%s: the format cannot hold %s; save the model as JSON (any other ending)",
                       path, beyond);
    if (format == EXPORT_LIBLINEAR && model->expansion)
        return tm_fail(err, TM_EUSAGE,
                       "%s: a model with support vectors is a LIBSVM model; give the file the "
                       "ending %s",
                       path, endings[EXPORT_LIBSVM]);
    return TM_OK;
}

tm_status export_model(const tm_model *model, export_format format, const char *path, tm_error *err)
{
    replacement file;
    tm_status status = check(model, format, path, err);
    if (status == TM_OK)
        status = replace_begin(&file, path, err);
    if (status != TM_OK)
        return status;
    write_model(file.stream, model, format);
    return replace_end(&file, TM_OK, err);
}
