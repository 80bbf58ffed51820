/* Scores columns one by one. */
#include "tamis/prepare.h"

#include "base/memory.h"
#include "base/numeric/order.h"

#include <math.h>
#include <stdlib.h>

const tm_choice tm_filters[] = {
    {"correlation", "the greatest correlation with the response, whatever its sign"},
    {"t", "the greatest difference of the classes' means, by Welch's t"},
    {"auc", "the best separation of the classes by a threshold: area under the ROC curve"},
    {"variance", "the greatest variance, without using the response"},
    {NULL, NULL},
};

/* Values computed once, before any column is scored. */
typedef struct row_values {
    size_t n;
    const double *y;
    double *centred;   /* y minus its mean */
    double spread;     /* its norm */
    double *column;    /* n */
    size_t positive;   /* rows of class +1 */
    tm_cancel *cancel; /* or NULL */
} row_values;

static double correlation(const row_values *j, const tm_dataset *data, size_t col)
{
    double deviation = tm_dataset_deviations(data)[col];
    if (!(deviation > 0) || !(j->spread > 0))
        return 0;
    return fabs(tm_matrix_dot(tm_dataset_x(data), col, j->centred)) / sqrt(deviation) / j->spread;
}

static double welch(const row_values *j)
{
    double sum[2] = {0}, squares[2] = {0},
           count[2] = {(double)(j->n - j->positive), (double)j->positive};
    for (size_t i = 0; i < j->n; i++)
        sum[j->y[i] > 0] += j->column[i];
    double mean[2] = {sum[0] / count[0], sum[1] / count[1]};
    for (size_t i = 0; i < j->n; i++) {
        int c = j->y[i] > 0;
        squares[c] += (j->column[i] - mean[c]) * (j->column[i] - mean[c]);
    }
    double difference = fabs(mean[1] - mean[0]), error = 0;
    for (int c = 0; c < 2; c++)
        error += count[c] > 1 ? squares[c] / (count[c] - 1) / count[c] : 0;
    return difference > 0 ? difference / sqrt(error) : 0;
}

/* The Mann-Whitney statistic from ranks; ties get their mean rank. */
static double roc_area(const row_values *j, ranked *places)
{
    double ranks = 0, positive = (double)j->positive;
    for (size_t i = 0; i < j->n; i++)
        places[i] = (ranked){j->column[i], i};
    qsort(places, j->n, sizeof *places, order_ranked);
    for (size_t i = 0, end; i < j->n; i = end) {
        size_t ones = 0;
        for (end = i; end < j->n && places[end].value == places[i].value; end++)
            ones += j->y[places[end].place] > 0;
        ranks += (double)ones * (double)(i + 1 + end) / 2;
    }
    double area = (ranks - positive * (positive + 1) / 2) / (positive * ((double)j->n - positive));
    return fabs(area - 0.5);
}

static tm_status compute_scores(double *scores, const tm_dataset *data, tm_filter by, row_values *j,
                                tm_error *err)
{
    ranked *places = by == TM_FILTER_AUC ? mem_array(j->n, sizeof *places) : NULL;
    if (by == TM_FILTER_AUC && !places)
        return tm_fail_memory(err, "a filter of features");
    tm_status status = TM_OK;
    for (size_t col = 0; status == TM_OK && col < tm_dataset_cols(data); col++) {
        if (by == TM_FILTER_T || by == TM_FILTER_AUC)
            tm_matrix_column(tm_dataset_x(data), col, j->column);
        scores[col] = by == TM_FILTER_CORRELATION ? correlation(j, data, col)
                      : by == TM_FILTER_T         ? welch(j)
                      : by == TM_FILTER_AUC       ? roc_area(j, places)
                                                  : tm_dataset_deviations(data)[col] / (double)j->n;
        if (tm_cancel_poll(j->cancel))
            status = tm_fail(err, TM_ECANCELLED, "the filter was cancelled");
    }
    free(places);
    return status;
}

tm_status tm_filter_scores(double *scores, const tm_dataset *data, tm_filter by, tm_cancel *cancel,
                           tm_error *err)
{
    row_values j = {.n = tm_dataset_rows(data), .y = tm_dataset_y(data), .cancel = cancel};
    double mean = 0;
    if ((by == TM_FILTER_T || by == TM_FILTER_AUC) && !tm_dataset_is_binary(data))
        return tm_fail(err, TM_EUSAGE,
                       "the filter '%s' needs a response of two classes; 'correlation' takes any",
                       tm_filters[by].name);
    j.centred = mem_array(j.n, sizeof *j.centred);
    j.column = mem_array(j.n, sizeof *j.column);
    tm_status status = j.centred && j.column ? TM_OK : tm_fail_memory(err, "a filter of features");
    for (size_t i = 0; i < j.n; i++) {
        mean += j.y[i] / (double)j.n;
        j.positive += j.y[i] > 0;
    }
    for (size_t i = 0; status == TM_OK && i < j.n; i++) {
        j.centred[i] = j.y[i] - mean;
        j.spread += j.centred[i] * j.centred[i];
    }
    j.spread = sqrt(j.spread);
    if (status == TM_OK)
        status = compute_scores(scores, data, by, &j, err);
    free(j.centred);
    free(j.column);
    return status;
}

/* ---- choosing ------------------------------------------------------------------------------ */

/* The selection of columns: fills cols[keep]; `scores` and `ranked` have one element for each
 * column. */
typedef struct choice {
    size_t *cols;
    double *scores;
    ranked *order;
    size_t keep;
} choice;

static tm_status choose(const choice *c, const tm_dataset *like, tm_filter by, tm_cancel *cancel,
                        tm_error *err)
{
    tm_status status = tm_filter_scores(c->scores, like, by, cancel, err);
    if (status != TM_OK)
        return status;
    for (size_t j = 0; j < tm_dataset_cols(like); j++)
        c->order[j] = (ranked){c->scores[j], j};
    qsort(c->order, tm_dataset_cols(like), sizeof *c->order, order_ranked_descending);
    for (size_t k = 0; k < c->keep; k++)
        c->cols[k] = c->order[k].place;
    qsort(c->cols, c->keep, sizeof *c->cols, order_sizes);
    return TM_OK;
}

tm_status tm_dataset_filter(tm_dataset **out, const tm_dataset *data, tm_filter by, size_t keep,
                            const tm_dataset *like, tm_cancel *cancel, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    *out = NULL;
    like = like ? like : data;
    if (tm_dataset_cols(like) != p)
        return tm_fail(err, TM_EUSAGE, "like has %zu features, and the data have %zu",
                       tm_dataset_cols(like), p);
    if (keep < 1)
        return tm_fail(err, TM_EUSAGE, "a filter keeps at least one feature");
    keep = keep < p ? keep : p;
    size_t *cols = mem_array(keep, sizeof *cols);
    double *scores = mem_array(p, sizeof *scores);
    ranked *order = mem_array(p, sizeof *order);
    tm_status status = cols && scores && order ? TM_OK : tm_fail_memory(err, "a filter");
    if (status == TM_OK)
        status = choose(&(choice){cols, scores, order, keep}, like, by, cancel, err);
    if (status == TM_OK)
        status = tm_dataset_select_cols(out, data, cols, keep, tm_dataset_name(data), err);
    free(cols);
    free(scores);
    free(order);
    return status;
}
