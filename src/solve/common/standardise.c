#include "solve/common/standardise.h"

#include "base/memory.h"
#include "data/ranks/row_shard.h"
#include "data/shards/moments.h"
#include "model/loss/residual.h"

#include <math.h>
#include <stdlib.h>

static double total_weight(const tm_dataset *data)
{
    const double *weights = tm_dataset_weights(data);
    size_t n = tm_dataset_rows(data);
    double total = weights ? residual_sum(weights, n) : (double)n;
    matrix_add_rows(tm_dataset_x(data), &total, 1);
    return total;
}

static void weighted_column(const double *weights, double total, bool intercept,
                            const double *column, size_t n, double *mean, double *square)
{
    double sum = 0, squares = 0, first = NAN;
    bool constant = true;
    for (size_t i = 0; i < n; i++) {
        if (weights[i] == 0)
            continue;
        first = isnan(first) ? column[i] : first;
        constant = constant && column[i] == first;
        sum += weights[i] * column[i];
    }
    *mean = constant ? first : sum / total;
    double centre = intercept ? *mean : 0;
    for (size_t i = 0; i < n; i++)
        squares += weights[i] * (column[i] - centre) * (column[i] - centre);
    *square = squares;
}

/* Of rows that several processes have. */
static bool shared_columns(const tm_dataset *data, bool intercept, double *means, double *squares)
{
    const tm_matrix *x = tm_dataset_x(data);
    const double *weights = tm_dataset_weights(data);
    if (shard_moments(means, squares, matrix_own_rows(x), weights, matrix_row_comm(x), NULL) !=
        TM_OK)
        return false;
    double total = total_weight(data);
    for (size_t j = 0; !intercept && j < tm_dataset_cols(data); j++)
        squares[j] += total * means[j] * means[j];
    return true;
}

bool standard_columns(const tm_dataset *data, bool intercept, double *means, double *squares)
{
    if (matrix_row_comm(tm_dataset_x(data)))
        return shared_columns(data, intercept, means, squares);
    size_t n = tm_dataset_rows(data), p = tm_dataset_cols(data);
    const double *weights = tm_dataset_weights(data);
    double total = total_weight(data);
    double *column = mem_array(weights ? n : 0, sizeof *column);
    for (size_t j = 0; column && j < p; j++) {
        if (weights) {
            tm_matrix_column(tm_dataset_x(data), j, column);
            weighted_column(weights, total, intercept, column, n, &means[j], &squares[j]);
            continue;
        }
        double mean = tm_dataset_means(data)[j];
        if (means)
            means[j] = mean;
        squares[j] = tm_dataset_deviations(data)[j];
        squares[j] += intercept ? 0 : total * mean * mean;
    }
    free(column);
    return column != NULL;
}

double *standard_factors(const tm_dataset *data, bool intercept)
{
    size_t p = tm_dataset_cols(data);
    double total = total_weight(data);
    double *means = mem_array(p, sizeof *means), *factors = mem_array(p, sizeof *factors);
    bool good = means && factors && standard_columns(data, intercept, means, factors);
    for (size_t j = 0; good && j < p; j++)
        factors[j] = factors[j] > 0 ? sqrt(factors[j] / total) : 1;
    free(means);
    if (good)
        return factors;
    free(factors);
    return NULL;
}
