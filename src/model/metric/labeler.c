#include "model/metric/labeler.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const measure_info measures[] = {
    {"hamming", "error", HEAD_ANY, measure_hamming_loss, measure_hamming_worst,
     measure_table_accepts},
    {"f1", "f1", HEAD_ANY, measure_fbeta_loss, measure_fbeta_worst, measure_table_accepts},
    {"fbeta@b", "fbeta", HEAD_ANY, measure_fbeta_loss, measure_fbeta_worst, measure_table_accepts},
    {"prec@k", "prec", HEAD_ASKED, measure_precision_loss, measure_precision_worst,
     measure_table_accepts},
    {"rec@k", "rec", HEAD_ASKED, measure_recall_loss, measure_recall_worst, measure_table_accepts},
    {"prbep", "prbep", HEAD_POSITIVES, measure_precision_loss, measure_precision_worst,
     measure_table_accepts},
    {"rocarea", "auc", HEAD_ANY, NULL, measure_rocarea_worst, measure_rocarea_accepts},
    {"ap", "ap", HEAD_ANY, NULL, measure_ap_worst, measure_ap_accepts},
};

enum { MEASURES = sizeof measures / sizeof measures[0] };

/* ---- names --------------------------------------------------------------------------------- */

const char *measure_id(size_t i)
{
    return i < MEASURES ? measures[i].id : NULL;
}

/* The length of the name without its argument: "prec@" of "prec@10", "f1" of "f1". */
static size_t stem_length(const char *text)
{
    size_t length = strcspn(text, "@");
    return length + (text[length] == '@');
}

static tm_status fail_name(const char *text, tm_error *err)
{
    char all[160];
    size_t used = 0;
    for (size_t i = 0; i < MEASURES && used < sizeof all; i++) {
        const char *before = i == 0 ? "" : i + 1 < MEASURES ? ", " : " or ";
        size_t stem = stem_length(measures[i].id);
        int letter = toupper((unsigned char)measures[i].id[stem]);
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%.*s%.*s", before, (int)stem,
                                 measures[i].id, letter != 0, (const char[]){(char)letter, 0});
    }
    return tm_fail(err, TM_EUSAGE,
                   "measure '%.40s': expected %s, B a number above 0 and K a number of rows or a "
                   "multiple of the +1, as in fbeta@2, prec@10 or rec@2p",
                   text, all);
}

tm_status measure_find(measure *out, const char *text, tm_error *err)
{
    tm_scorer scorer;
    char metric[64];
    size_t length = stem_length(text);
    const measure_info *info = NULL;
    for (size_t i = 0; i < MEASURES && !info; i++)
        if (stem_length(measures[i].id) == length && strncmp(text, measures[i].id, length) == 0)
            info = &measures[i];
    if (!info)
        return fail_name(text, err);
    snprintf(metric, sizeof metric, "%s%s", info->metric, text + strcspn(text, "@"));
    tm_status status = tm_scorer_find(&scorer, metric, err);
    *out = (measure){info, scorer.argument};
    return status;
}

/* ---- construction -------------------------------------------------------------------------- */

static void count_rows(labeler *l)
{
    for (size_t i = 0; i < l->n; i++)
        l->positives += l->y[i] > 0;
    l->negatives = l->n - l->positives;
    double most = (double)l->n, asked = l->measure.k.number;
    if (l->measure.k.of_positives)
        asked = floor(asked * (double)l->positives + 0.5);
    bool all = l->measure.info->head == HEAD_POSITIVES;
    bool weighted = strncmp(l->measure.info->metric, "fbeta", 5) == 0;
    l->beta2 = weighted ? l->measure.k.number * l->measure.k.number : 1;
    l->k = all ? (double)l->positives : fmin(fmax(asked, 1), most);
}

tm_status labeler_new(labeler **out, const measure *m, const double *y, size_t n, const char *name,
                      tm_error *err)
{
    *out = NULL;
    labeler *l = calloc(1, sizeof *l);
    if (!l)
        return tm_fail_memory(err, "labelings");
    *l = (labeler){.measure = *m, .y = y, .n = n};
    count_rows(l);
    l->entries = mem_array(n, sizeof *l->entries);
    l->room = mem_array(n, sizeof *l->room);
    l->rows = mem_array(n, sizeof *l->rows);
    l->u = mem_array(n, sizeof *l->u);
    l->values = mem_zeros(n, sizeof *l->values);
    l->check = mem_array(n, sizeof *l->check);
    tm_status status = l->entries && l->room && l->rows && l->u && l->values && l->check
                           ? TM_OK
                           : tm_fail_memory(err, "labelings");
    if (status == TM_OK && (l->positives == 0 || l->negatives == 0))
        status = tm_fail(err, TM_EDATA, "%s: all rows have the class %s; both classes are needed",
                         name, l->positives ? "+1" : "-1");
    if (status == TM_OK)
        *out = l;
    else
        labeler_free(l);
    return status;
}

void labeler_free(labeler *l)
{
    if (!l)
        return;
    free(l->entries);
    free(l->room);
    free(l->rows);
    free(l->u);
    free(l->values);
    free(l->check);
    free(l);
}

/* ---- the labeling found -------------------------------------------------------------------- */

labeling labeler_collect(labeler *l, double loss)
{
    labeling found = {.loss = loss, .rows = l->rows, .u = l->u};
    for (size_t i = 0; i < l->n; i++)
        if (l->values[i] != 0) {
            l->rows[found.count] = (uint32_t)i;
            l->u[found.count++] = l->values[i];
            l->values[i] = 0;
        }
    return found;
}

labeling labeler_or_truth(const labeling *found, const double *v)
{
    return labeling_value(found, v) > 0 ? *found : (labeling){.rows = found->rows, .u = found->u};
}

double labeling_value(const labeling *yhat, const double *v)
{
    double sum = 0;
    for (size_t k = 0; k < yhat->count; k++)
        sum += yhat->u[k] * v[yhat->rows[k]];
    return yhat->loss - sum;
}

/* ---- sorted rows --------------------------------------------------------------------------- */

void labeler_sort(labeler *l, const double *v)
{
    size_t at[2] = {l->positives, 0};
    for (size_t i = 0; i < l->n; i++)
        l->entries[at[l->y[i] > 0]++] = (sort_entry){sort_key(v[i]), (uint32_t)i};
    sort_entries(l->entries, l->room, l->positives);
    sort_entries(l->entries + l->positives, l->room, l->negatives);
}

labeling labeler_worst(labeler *l, const double *v)
{
    return l->measure.info->worst(l, v);
}

double labeler_greatest_loss(labeler *l)
{
    double *zero = mem_zeros(l->n, sizeof *zero);
    double loss = zero ? labeler_worst(l, zero).loss : NAN;
    free(zero);
    return loss;
}

/* ---- checking a labeling ------------------------------------------------------------------- */

static bool rows_ascend(const labeler *l, const labeling *yhat)
{
    for (size_t k = 0; k < yhat->count; k++)
        if (yhat->rows[k] >= l->n || (k > 0 && yhat->rows[k] <= yhat->rows[k - 1]))
            return false;
    return true;
}

bool labeler_accepts(labeler *l, const labeling *yhat)
{
    if (!rows_ascend(l, yhat))
        return false;
    if (yhat->count == 0 && yhat->loss == 0)
        return true;
    return l->measure.info->accepts(l, yhat, l->check);
}
