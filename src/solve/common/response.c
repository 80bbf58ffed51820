#include "solve/common/response.h"

tm_status response_check(const tm_dataset *data, const loss *l, tm_error *err)
{
    size_t positive = 0, n = tm_dataset_rows(data);
    if (!l->binary)
        return TM_OK;
    if (!tm_dataset_is_binary(data))
        return tm_fail(
            err, TM_EDATA,
            "%s: the %s loss needs a response with exactly two values; this one is a number (of "
            "several classes choose one against the rest with class, or each with one-vs-rest)",
            tm_dataset_name(data), l->id);
    size_t counted = 0;
    for (size_t i = 0; i < n; i++) {
        bool counts = !tm_dataset_weights(data) || tm_dataset_weights(data)[i] > 0;
        counted += counts;
        positive += counts && tm_dataset_y(data)[i] > 0;
    }
    if (positive > 0 && positive < counted)
        return TM_OK;
    return tm_fail(err, TM_EDATA, "%s: all rows%s are of class %s; the %s loss needs both classes",
                   tm_dataset_name(data), counted < n ? " with a weight" : "",
                   tm_dataset_label(data, positive > 0 ? 1 : -1), l->id);
}
