#include "run/table/kept.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <string.h>

/* The header of the bytes. It is followed by the predictions, the features of the support, and the
 * NUL-terminated text of the model; a part that was not kept is empty. */
typedef struct kept_head {
    uint64_t mark, keep, predictions, support, text;
} kept_head;

struct tm_kept {
    atomic_size_t references;
    size_t size; /* size of the header and everything after it */
    kept_head head;
    uint64_t words[];
};

static const uint64_t MARK = 0x314b4d54; /* "TMK1" */

const tm_choice tm_sweep_keeps[] = {
    {"predictions", "the value of each row that is scored on"},
    {"support", "the features of the model"},
    {"model", "the model"},
    {NULL, NULL},
};

/* The size that the header implies; 0: it is invalid. */
static size_t size_of(const kept_head *head)
{
    const size_t most = PTRDIFF_MAX / 32;
    if (head->mark != MARK || head->predictions > most || head->support > most || head->text > most)
        return 0;
    return sizeof *head + 8 * (head->predictions + head->support) + head->text;
}

static tm_kept *new_kept(const kept_head *head)
{
    size_t size = size_of(head);
    tm_kept *kept = malloc(sizeof *kept + size);
    if (!kept)
        return NULL;
    atomic_init(&kept->references, 1);
    kept->size = size;
    kept->head = *head;
    return kept;
}

static const char *text_of(const tm_kept *kept)
{
    return (const char *)(kept->words + kept->head.predictions + kept->head.support);
}

/* The column of the data that corresponds to column j of the training rows, which a filter may have
 * chosen. */
static size_t column_in_data(const kept_cell *cell, size_t j)
{
    const size_t *chosen = tm_dataset_making(cell->train)->origin;
    const size_t *all = tm_dataset_making(cell->data)->origin;
    size_t p = tm_dataset_cols(cell->data);
    if (tm_model_map(cell->model) || tm_dataset_cols(cell->train) == p || !chosen)
        return j;
    for (size_t k = 0; all && k < p; k++)
        if (all[k] == chosen[j])
            return k;
    return chosen[j];
}

tm_status kept_make(tm_kept **out, unsigned keep, const kept_cell *cell, tm_error *err)
{
    char *text = NULL;
    const tm_model *model = cell->model;
    tm_status status = keep & TM_KEEP_MODEL ? tm_model_to_text(&text, model, err) : TM_OK;
    *out = NULL;
    if (status != TM_OK)
        return status;
    const kept_head head = {
        .mark = MARK,
        .keep = keep,
        .predictions = keep & TM_KEEP_PREDICTIONS ? tm_dataset_rows(cell->rows) : 0,
        .support = keep & TM_KEEP_SUPPORT ? tm_model_nnz(model) : 0,
        .text = text ? strlen(text) + 1 : 0,
    };
    tm_kept *kept = new_kept(&head);
    if (!kept)
        status = tm_fail_memory(err, "what a sweep keeps");
    if (kept && keep & TM_KEEP_PREDICTIONS)
        status = tm_model_predict_data(model, cell->rows, (double *)(void *)kept->words, err);
    if (kept && status == TM_OK) {
        for (size_t k = 0; k < head.support; k++)
            kept->words[head.predictions + k] = column_in_data(cell, tm_model_features(model)[k]);
        if (text)
            memcpy(kept->words + head.predictions + head.support, text, head.text);
        *out = kept;
    } else {
        kept_unref(kept);
    }
    free(text);
    return status;
}

tm_kept *kept_from_bytes(const void *bytes, size_t size)
{
    kept_head head;
    if (!bytes || size < sizeof head)
        return NULL;
    memcpy(&head, bytes, sizeof head);
    const char *all = bytes;
    if (size_of(&head) != size || (head.text > 0 && all[size - 1] != '\0'))
        return NULL;
    tm_kept *kept = new_kept(&head);
    if (kept)
        memcpy(kept->words, all + sizeof head, size - sizeof head);
    return kept;
}

const void *kept_bytes(const tm_kept *kept, size_t *size)
{
    *size = kept->size;
    return &kept->head;
}

const tm_kept *kept_ref(const tm_kept *kept)
{
    if (kept)
        atomic_fetch_add(&((tm_kept *)(uintptr_t)kept)->references, 1);
    return kept;
}

void kept_unref(const tm_kept *kept)
{
    tm_kept *own = (tm_kept *)(uintptr_t)kept;
    if (own && atomic_fetch_sub(&own->references, 1) == 1)
        free(own);
}

const double *tm_kept_predictions(const tm_kept *kept, size_t *count)
{
    *count = kept->head.predictions;
    return kept->head.keep & TM_KEEP_PREDICTIONS ? (const double *)(const void *)kept->words : NULL;
}

const uint64_t *tm_kept_support(const tm_kept *kept, size_t *count)
{
    *count = kept->head.support;
    return kept->head.keep & TM_KEEP_SUPPORT ? kept->words + kept->head.predictions : NULL;
}

tm_status tm_kept_model(tm_model **out, const tm_kept *kept, tm_error *err)
{
    *out = NULL;
    if (kept->head.text == 0)
        return TM_OK;
    return tm_model_from_text(out, text_of(kept), "a kept model", err);
}
