#include "solve/shift.h"

#include "base/memory.h"
#include "data/ranks/row_shard.h"
#include "data/relabel.h"
#include "data/shards/shards.h"
#include "model/model.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct data_shift {
    size_t count;
    size_t *features;
    double *amounts;
    double response;
};

void data_shift_free(data_shift *shift)
{
    if (!shift)
        return;
    free(shift->features);
    free(shift->amounts);
    free(shift);
}

/* Whether values with this mean and sum of squares about it are far from zero. A constant is not:
 * centred, it has no products that could lose digits. */
static bool is_far(double mean, double squares, size_t n)
{
    return squares > 0 && fabs(mean) > FAR_MEAN * sqrt(squares / (double)n);
}

static double far_response(const tm_dataset *data)
{
    size_t n = tm_dataset_rows(data);
    const double *y = tm_dataset_y(data);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += y[i];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (y[i] - mean) * (y[i] - mean);
    return isfinite(mean) && is_far(mean, squares, n) ? mean : 0;
}

static size_t count_far(const tm_dataset *data)
{
    const double *means = tm_dataset_means(data), *squares = tm_dataset_deviations(data);
    size_t count = 0;
    for (size_t j = 0; j < tm_dataset_cols(data); j++)
        count += is_far(means[j], squares[j], matrix_all_rows(tm_dataset_x(data)));
    return count;
}

/* Finds the features that are far from zero, and their means; NULL when memory ran out. */
static data_shift *find_far(const tm_dataset *data, size_t count, double response)
{
    const double *means = tm_dataset_means(data), *squares = tm_dataset_deviations(data);
    data_shift *shift = calloc(1, sizeof *shift);
    if (!shift)
        return NULL;
    shift->response = response;
    shift->features = mem_array(count, sizeof *shift->features);
    shift->amounts = mem_array(count, sizeof *shift->amounts);
    if (!shift->features || !shift->amounts) {
        data_shift_free(shift);
        return NULL;
    }
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        if (is_far(means[j], squares[j], matrix_all_rows(tm_dataset_x(data)))) {
            shift->features[shift->count] = j;
            shift->amounts[shift->count++] = means[j];
        }
    }
    return shift;
}

tm_status data_shift_make(tm_dataset **out, data_shift **shift, const tm_dataset *data,
                          bool response, tm_error *err)
{
    size_t count = count_far(data);
    double moved = response ? far_response(data) : 0;
    *out = NULL;
    *shift = NULL;
    if (count == 0 && moved == 0) {
        *out = tm_dataset_ref(data);
        return TM_OK;
    }
    data_shift *made = find_far(data, count, moved);
    if (!made)
        return tm_fail_memory(err, "the solver");
    dataset_shift by = {made->features, made->amounts, made->count, moved};
    bool shared = matrix_row_comm(tm_dataset_x(data));
    tm_status status =
        shared ? shard_shifted_rows(out, data, &by, err) : dataset_shifted(out, data, &by, err);
    if (status == TM_OK)
        *shift = made;
    else
        data_shift_free(made);
    return status;
}

/* w'c minus what was subtracted from the response. */
static double intercept_of(const data_shift *shift, const tm_model *model)
{
    double sum = -shift->response;
    for (size_t k = 0; k < shift->count; k++)
        sum += tm_model_weight(model, shift->features[k]) * shift->amounts[k];
    return sum;
}

void data_shift_restore(const data_shift *shift, tm_model *model)
{
    model->intercept -= intercept_of(shift, model);
}

tm_model *data_shift_apply(const data_shift *shift, const tm_model *model)
{
    return model_with_intercept(model, model->intercept + intercept_of(shift, model));
}
