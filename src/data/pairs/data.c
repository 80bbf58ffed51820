#include "data/pairs/data.h"

#include "base/memory.h"

#include <math.h>

/* 1 / (sqrt(2) sigma deviation) of the response; 0: it is constant. */
static double response_factor(const double *y, size_t n, double sigma)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (y[i] - mean) * (y[i] - mean);
    double deviation = sqrt(squares / (double)n);
    return deviation > 0 ? 1 / (PAIR_SCALE * sigma * deviation) : 0;
}

/* Computes one block's triangle of the Gaussian kernel, with its row sums. */
static void gaussian_block(const double *y, const size_t *order, size_t m, double factor,
                           double *sums, double *triangle)
{
    for (size_t i = 0; i < m; i++)
        sums[i] = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++, triangle++) {
            double d = (y[order[i]] - y[order[j]]) * factor;
            *triangle = exp(-d * d);
            sums[i] += *triangle;
            if (j > i)
                sums[j] += *triangle;
        }
}

/* The same for the delta kernel. The rows of a class sum to 1. */
static void delta_block(const double *y, const size_t *order, size_t m, double *sums,
                        double *triangle)
{
    for (size_t i = 0; i < m; i++) {
        size_t alike = 0;
        for (size_t j = 0; j < m; j++)
            alike += y[order[i]] == y[order[j]];
        sums[i] = 1;
        for (size_t j = i; j < m; j++)
            *triangle++ = y[order[i]] == y[order[j]] ? 1 / (double)alike : 0;
    }
}

static double *make_response(const tm_dataset *data, const pair_layout *layout,
                             const pair_spec *spec)
{
    const double *y = tm_dataset_y(data);
    double factor = response_factor(y, layout->n, spec->output_sigma), squares = 0;
    double *response = mem_array(layout->rows, sizeof *response), *at = response;
    double *sums = mem_array(layout->n, sizeof *sums);
    for (size_t b = 0; response && sums && b < layout->blocks; b++) {
        const size_t *order = layout->order + layout->starts[b];
        size_t m = layout->starts[b + 1] - layout->starts[b];
        if (spec->output == PAIR_DELTA)
            delta_block(y, order, m, sums, at);
        else
            gaussian_block(y, order, m, factor, sums, at);
        pair_centre(at, m, sums, 1);
        at += pair_count(m);
    }
    for (size_t r = 0; response && sums && r < layout->rows; r++)
        squares += response[r] * response[r];
    for (size_t r = 0; spec->terms.unit_norm && squares > 0 && r < layout->rows; r++)
        response[r] /= sqrt(squares);
    if (!sums) {
        free(response);
        response = NULL;
    }
    free(sums);
    return response;
}

tm_status pair_data_new(tm_dataset **out, const tm_dataset *data, const pair_spec *spec,
                        tm_error *err)
{
    pair_layout layout;
    size_t p = tm_dataset_cols(data);
    tm_dataset_parts parts = {.name = tm_dataset_name(data), .derived = true};
    *out = NULL;
    tm_status status =
        pair_layout_make(&layout, tm_dataset_rows(data), spec->block, spec->seed, err);
    if (status != TM_OK)
        return status;
    pair_statistics statistics = {mem_array(p, sizeof(double)), mem_array(p, sizeof(double))};
    double *response = make_response(data, &layout, spec);
    pair_terms terms = spec->terms;
    terms.response = response;
    if (response && statistics.means && statistics.deviations)
        status = pair_columns_new(&parts.x, &statistics, data, &layout, &terms, err);
    else
        status = tm_fail_memory(err, "the pairs of samples");
    pair_layout_clear(&layout);
    if (status != TM_OK) {
        free(response);
        free(statistics.means);
        free(statistics.deviations);
        return status;
    }
    parts.response.y = response;
    parts.response.numeric = true;
    parts.features.means = statistics.means;
    parts.features.deviations = statistics.deviations;
    return tm_dataset_new(out, &parts, err);
}
