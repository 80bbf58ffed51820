#include "solve/l1/tall/sparse_rows.h"

#include "base/numeric/lanes.h"
#include "data/tiles/tiles.h"

void sparse_rows_add(const sparse_rows *rows, const double *weights, double *z, size_t stride)
{
    const double *values;
    const uint32_t *columns;
    for (size_t i = 0; i < rows->count; i++) {
        lanes sum = {0};
        size_t count = row_copy_row(rows->of, rows->from + i, &values, &columns);
        for (size_t k = 0; k < count; k++)
            sum += values[k] * *(const lanes *)(weights + (size_t)columns[k] * TILE_VECTORS);
        for (size_t v = 0; v < TILE_VECTORS; v++)
            z[v * stride + i] += sum[v];
    }
}

void sparse_rows_dot(const sparse_rows *rows, const double *u, size_t stride, double *sums)
{
    const double *values;
    const uint32_t *columns;
    for (size_t i = 0; i < rows->count; i++) {
        size_t count = row_copy_row(rows->of, rows->from + i, &values, &columns);
        for (size_t k = 0; k < count; k++)
            for (size_t v = 0; v < TILE_VECTORS; v++)
                sums[((size_t)columns[k] * TILE_VECTORS + v) * LANES] +=
                    values[k] * u[v * stride + i];
    }
}

void sparse_rows_products(const sparse_rows *rows, const double *h, double *triangle)
{
    const double *values;
    const uint32_t *columns;
    size_t p = rows->of->p, width = p + 1;
    for (size_t i = 0; i < rows->count; i++) {
        size_t count = row_copy_row(rows->of, rows->from + i, &values, &columns);
        for (size_t k = 0; k <= count; k++) { /* columns are in ascending order, and p is last */
            double scaled = h[i] * (k < count ? values[k] : 1);
            double *column = triangle + (k < count ? columns[k] : p) * width;
            for (size_t m = 0; m < k + (k < count); m++)
                column[columns[m]] += scaled * values[m];
        }
        triangle[p * width + p] += h[i];
    }
}

void sparse_rows_squares(const sparse_rows *rows, double weight, const double *means,
                         double *squares)
{
    const double *values;
    const uint32_t *columns;
    double all = weight * (double)rows->count;
    for (size_t j = 0; means && j < rows->of->p; j++)
        squares[j] += all * means[j] * means[j];
    for (size_t i = 0; i < rows->count; i++) {
        size_t count = row_copy_row(rows->of, rows->from + i, &values, &columns);
        for (size_t k = 0; k < count; k++) {
            double mean = means ? means[columns[k]] : 0;
            squares[columns[k]] += weight * values[k] * (values[k] - 2 * mean);
        }
    }
}
