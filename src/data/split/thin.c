/* Selects a fraction of the rows such that a greater fraction contains a smaller one. */
#include "base/memory.h"
#include "tamis/dataset.h"

#include <math.h>
#include <stdlib.h>

/* Takes the first rows of the order, the fraction of each class; returns how many. */
static size_t take(bool *taken, const tm_dataset *data, const size_t *order, double share)
{
    size_t n = tm_dataset_rows(data), named, count = 0;
    const double *y = tm_dataset_y(data);
    tm_dataset_class_names(data, &named);
    size_t classes = tm_dataset_is_binary(data) ? 2 : named > 0 ? named : 1;
    for (size_t c = 0; c < classes; c++) {
        size_t size = 0, used = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < n; k++) {
                size_t i = order[k];
                bool here = classes == 1 || (named > 0 ? (size_t)y[i] == c + 1 : (y[i] > 0) == c);
                if (here && pass == 0)
                    size++;
                /* 0.3 of 10 is 3, despite rounding of the product. */
                else if (here && (double)used < share * (double)size * (1 - 1e-12)) {
                    taken[i] = true;
                    used++;
                }
            }
        count += used;
    }
    return count;
}

tm_status tm_dataset_thin(tm_dataset **out, const tm_dataset *data, double share, tm_error *err)
{
    size_t n = tm_dataset_rows(data), count = 0;
    tm_rng rng;
    *out = NULL;
    if (!(share > 0 && share <= 1))
        return tm_fail(err, TM_EUSAGE,
                       "the share of the rows is %g; expected a number above 0 and at most 1",
                       share);
    if (share == 1) {
        *out = tm_dataset_ref(data);
        return TM_OK;
    }
    size_t *order = mem_array(n, sizeof *order);
    bool *taken = mem_zeros(n, sizeof *taken);
    tm_status status = order && taken ? TM_OK : tm_fail_memory(err, "rows");
    if (status == TM_OK) {
        tm_rng_seed(&rng, n);
        tm_rng_permutation(&rng, order, n);
        take(taken, data, order, share);
        for (size_t i = 0; i < n; i++)
            if (taken[i])
                order[count++] = i;
        status = tm_dataset_select_rows(out, data, order, count, tm_dataset_name(data), err);
    }
    free(order);
    free(taken);
    return status;
}
