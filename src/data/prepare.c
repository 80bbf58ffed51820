/* Operations on data whose parameters are learnt from the training rows. */
#include "tamis/prepare.h"
#include "data/dataset_parts.h"
#include "data/relabel.h"

const tm_choice tm_scalings[] = {
    {"standard", "divided by its standard deviation; zeros stay zeros, the intercept centres"},
    {"maxabs", "divided by its largest absolute value"},
    {"norm", "divided by its Euclidean length"},
    {NULL, NULL},
};

/* The same choices, preceded by "none". */
static const tm_choice scale_choices[] = {
    {"none", "left as they are"},
    {"standard", "divided by their standard deviation on the training rows"},
    {"maxabs", "divided by their largest absolute value on the training rows"},
    {"norm", "divided by their Euclidean length on the training rows"},
    {NULL, NULL},
};
static const tm_choice filter_choices[] = {
    {"none", "all features"},
    {"correlation", "those with the greatest correlation with the response, whatever its sign"},
    {"t", "those whose classes differ most, by Welch's t"},
    {"auc", "those that separate the classes best, by the area under the ROC curve"},
    {"variance", "those with the greatest variance"},
    {NULL, NULL},
};

static const tm_param_info table[] = {
    {"scale", TM_PARAM_CHOICE, "none", 0, 0, NULL, "divisor of the columns", scale_choices, 0},
    {"filter", TM_PARAM_CHOICE, "none", 0, 0, NULL,
     "which features are kept, scored one by one on the training rows", filter_choices, 0},
    {"keep", TM_PARAM_INT, "100", 1, 1e15, NULL, "how many features the filter keeps", NULL, 0},
    {"rows", TM_PARAM_REAL, "1", 0, 1, NULL,
     "share of each split's training rows to train on; a greater share contains a smaller one",
     NULL, TM_PARAM_MIN_OPEN},
};

const tm_param_info *tm_prepare_params(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

/* The result of the steps so far; each step replaces that of the previous one. */
typedef struct pair {
    tm_dataset *train, *test;
} pair;

static void replace(tm_dataset **old, tm_dataset *new)
{
    tm_dataset_unref(*old);
    *old = new;
}

static tm_status append_rows(pair *p, const tm_dataset *more, tm_error *err)
{
    tm_dataset *both;
    const tm_dataset *list[] = {p->train, more};
    tm_status status = tm_dataset_append(&both, list, 2, tm_dataset_name(p->train), err);
    if (status != TM_OK)
        return status;
    if (dataset_same_classes(p->train, both)) {
        replace(&p->train, both);
        return TM_OK;
    }
    tm_dataset_unref(both);
    return tm_fail(err, TM_EUSAGE,
                   "%.200s has classes that the rows to be scored on cannot have; "
                   "append them to the data, or leave them out",
                   tm_dataset_name(more));
}

/* Replaces the former parts by those that a step has made, unless it failed. */
static tm_status take(pair *p, tm_status status, tm_dataset *train, tm_dataset *test)
{
    if (status != TM_OK) {
        tm_dataset_unref(train);
        return status;
    }
    replace(&p->train, train);
    replace(&p->test, test);
    return TM_OK;
}

static tm_status filter(pair *p, const tm_params *params, tm_cancel *cancel, tm_error *err)
{
    tm_dataset *train = NULL, *test = NULL;
    tm_filter by = (tm_filter)(tm_params_choice(params, "filter") - 1); /* minus one, because 0 is
                                                                         * "none" */
    size_t keep = (size_t)tm_params_int(params, "keep");
    tm_status status = tm_dataset_filter(&train, p->train, by, keep, NULL, cancel, err);
    if (status == TM_OK && p->test)
        status = tm_dataset_filter(&test, p->test, by, keep, p->train, cancel, err);
    return take(p, status, train, test);
}

static tm_status scale(pair *p, tm_scaling how, tm_error *err)
{
    tm_dataset *train = NULL, *test = NULL;
    tm_status status = tm_dataset_scale(&train, p->train, how, NULL, err);
    if (status == TM_OK && p->test)
        status = tm_dataset_scale(&test, p->test, how, p->train, err);
    return take(p, status, train, test);
}

tm_status dataset_prepare(tm_dataset *out[2], const tm_dataset *const rows[2],
                          const tm_params *params, const tm_dataset *append, tm_cancel *cancel,
                          tm_error *err)
{
    int how = tm_params_choice(params, "scale") - 1; /* minus one, for "none" */
    pair p = {tm_dataset_ref(rows[0]), rows[1] ? tm_dataset_ref(rows[1]) : NULL};
    tm_status status = append ? append_rows(&p, append, err) : TM_OK;
    if (status == TM_OK && tm_params_choice(params, "filter") > 0)
        status = filter(&p, params, cancel, err);
    if (status == TM_OK && how >= 0)
        status = scale(&p, (tm_scaling)how, err);
    if (status != TM_OK) {
        tm_dataset_unref(p.train);
        tm_dataset_unref(p.test);
        p = (pair){NULL, NULL};
    }
    out[0] = p.train;
    out[1] = p.test;
    return status;
}

tm_status tm_prepare(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *train,
                     const tm_dataset *test, const tm_params *params, const tm_dataset *append,
                     tm_error *err)
{
    tm_dataset *out[2];
    const tm_dataset *const rows[2] = {train, test};
    tm_status status = dataset_prepare(out, rows, params, append, NULL, err);
    *train_out = out[0];
    *test_out = out[1];
    return status;
}
