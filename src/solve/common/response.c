#include "solve/common/response.h"

#include "data/ranks/row_shard.h"

tm_status response_check(const tm_dataset *data, const loss *l, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    if (!l->binary)
        return TM_OK;
    if (!tm_dataset_is_binary(data))
        return tm_fail(
            err, TM_EDATA,
            "%s: the %s loss needs a response with exactly two values; this one is a number (of "
            "several classes choose one against the rest with class, or each with one-vs-rest)",
            tm_dataset_name(data), l->id);
    double counts[2] = {0, 0}; /* rows with a weight, of each class */
    for (size_t i = 0; i < n; i++)
        if (!tm_dataset_weights(data) || tm_dataset_weights(data)[i] > 0)
            counts[tm_dataset_y(data)[i] > 0]++;
    matrix_add_rows(tm_dataset_x(data), counts, 2);
    if (counts[0] > 0 && counts[1] > 0)
        return TM_OK;
    bool all = counts[0] + counts[1] == (double)matrix_all_rows(tm_dataset_x(data));
    return tm_fail(err, TM_EDATA, "%s: all rows%s are of class %s; the %s loss needs both classes",
                   tm_dataset_name(data), all ? "" : " with a weight",
                   tm_dataset_label(data, counts[1] > 0 ? 1 : -1), l->id);
}
