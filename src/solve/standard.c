#include "solve/standard.h"

#include "base/memory.h"

#include <math.h>

double *standard_factors(const tm_dataset *data, bool intercept)
{
    size_t p = tm_dataset_cols(data);
    double n = (double)tm_dataset_rows(data), *factors = mem_array(p, sizeof *factors);
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    for (size_t j = 0; factors && j < p; j++) {
        double square = deviations[j] + (intercept ? 0 : n * means[j] * means[j]);
        factors[j] = square > 0 ? sqrt(square / n) : 1;
    }
    return factors;
}
