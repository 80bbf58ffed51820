#include "solve/structure/screening/derived.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static double *copied(const double *values, size_t n)
{
    double *to = values ? mem_array(n, sizeof *to) : NULL;
    if (to)
        memcpy(to, values, n * sizeof *to);
    return to;
}

tm_status derived_data(tm_dataset **out, const tm_dataset *data, const samples *of, tm_matrix *x,
                       double *means, double *deviations, tm_error *err)
{
    tm_dataset_parts parts = {
        .name = tm_dataset_name(data),
        .x = x,
        .response = {.y = copied(of->y, of->n), .numeric = !of->loss->binary},
        .rows = {.weights = copied(of->weights, of->n), .offset = copied(of->offset, of->n)},
        .features = {.means = means, .deviations = deviations},
        .derived = true,
    };
    *out = NULL;
    if (parts.response.y && !of->weights == !parts.rows.weights &&
        !of->offset == !parts.rows.offset)
        return tm_dataset_new(out, &parts, err);
    free(parts.response.y);
    free(parts.rows.weights);
    free(parts.rows.offset);
    free(means);
    free(deviations);
    tm_matrix_unref(x);
    return tm_fail_memory(err, "columns computed from the data's");
}
