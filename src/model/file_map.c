/* Feature maps in model files: {"kind", "gamma" and "coef0" of poly2, "coef" and "columns" as
 * [column, rate, [values]] of gaussian_sums, else "ranges" as [column, low, high] and "sigma" of
 * gaussian, "exponent" of hik (none: 1)}. */
#include "model/file.h"

#include "base/memory.h"
#include "data/source/sum_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool file_has_map(const tm_model *model)
{
    return model->map != NULL;
}

/* The ranges of the columns that have features: [column from 1, low, high]. */
static json_t *ranges(const tm_model *model)
{
    json_t *list = json_array();
    bool written = true;
    for (size_t k = 0; written && k < model->making.count; k++) {
        size_t column = model_column_at(model, k).column;
        double low, high;
        tm_map_range(model->map, column, &low, &high);
        written = file_append(list, json_pack("[I, f, f]", (json_int_t)column + 1, low, high));
    }
    return file_done(list, written);
}

static json_t *write_values(const double *values, size_t count)
{
    json_t *list = json_array();
    bool written = true;
    for (size_t k = 0; written && k < count; k++)
        written = file_append(list, json_real(values[k]));
    return file_done(list, written);
}

static json_t *write_sums(const sum_map_parts *sums)
{
    json_t *object = json_object(), *list = json_array();
    bool written = true;
    for (size_t k = 0; written && k < sums->count; k++) {
        json_t *values = write_values(sums->centres + k * sums->n, sums->n);
        written =
            values && file_append(list, json_pack("[I, f, o]", (json_int_t)sums->columns[k] + 1,
                                                  sums->rates[k], values));
    }
    written = file_put(object, "kind", json_string("gaussian_sums")) && written;
    written = file_put(object, "coef", write_values(sums->coef, sums->n)) && written;
    written = file_put(object, "columns", list) && written;
    return file_done(object, written);
}

json_t *file_write_map(const tm_model *model)
{
    const tm_map *map = model->map;
    sum_map_parts sums;
    if (map_sums(map, &sums))
        return write_sums(&sums);
    json_t *object = json_object();
    bool poly = strcmp(tm_map_kind(map), "poly2") == 0;
    bool written = file_put(object, "kind", json_string(tm_map_kind(map)));
    if (poly)
        written = written && file_put(object, "gamma", json_real(tm_map_gamma(map))) &&
                  file_put(object, "coef0", json_real(tm_map_coef0(map)));
    else
        written = written && file_put(object, "ranges", ranges(model));
    if (isfinite(tm_map_sigma(map)))
        written = written && file_put(object, "sigma", json_real(tm_map_sigma(map)));
    if (isfinite(tm_map_exponent(map)) && tm_map_exponent(map) != 1)
        written = written && file_put(object, "exponent", json_real(tm_map_exponent(map)));
    return file_done(object, written);
}

/* Fills low and high (p each, NaN at first) from "ranges". */
static bool read_ranges(const json_t *list, size_t p, double *low, double *high)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        const json_t *least = json_array_get(row, 1), *most = json_array_get(row, 2);
        size_t j;
        if (!file_get_index(json_array_get(row, 0), p, &j) || !file_is_finite(least) ||
            !file_is_finite(most) || json_number_value(least) > json_number_value(most))
            return false;
        low[j] = json_number_value(least);
        high[j] = json_number_value(most);
    }
    return json_is_array(list);
}

static bool read_kernel_map(tm_map **out, const json_t *object, const char *kind, size_t p,
                            const char **wrong)
{
    if (!file_fits(4.0 * sizeof(double) * (double)p, wrong)) /* low and high, and the map's own */
        return false;
    double *low = mem_array(p, sizeof *low), *high = mem_array(p, sizeof *high);
    bool hik = strcmp(kind, "hik") == 0;
    const json_t *given = json_object_get(object, hik ? "exponent" : "sigma");
    double shape = hik && !given ? 1 : json_number_value(given);
    bool read = low && high;
    for (size_t j = 0; read && j < p; j++)
        low[j] = high[j] = NAN;
    *wrong = "needs 'ranges' as [column, low, high], 'sigma' above 0 for gaussian, and 'exponent' "
             "above 0, if any, for hik";
    read = read && read_ranges(json_object_get(object, "ranges"), p, low, high) &&
           (shape > 0 || (!hik && strcmp(kind, "gaussian") != 0));
    if (read && tm_map_new_kernel(out, kind, p, low, high, shape, NULL) != TM_OK) {
        *wrong = "is of no known kind: poly2, hik, gaussian, chi2, gaussian_sums";
        read = false;
    }
    free(low);
    free(high);
    return read;
}

static bool read_values(const json_t *list, size_t count, double *out)
{
    for (size_t k = 0; k < count; k++) {
        const json_t *value = json_array_get(list, k);
        if (!file_is_finite(value))
            return false;
        out[k] = json_number_value(value);
    }
    return json_array_size(list) == count;
}

static bool read_sums(tm_map **out, const json_t *object, size_t p, const char **wrong)
{
    const json_t *coef = json_object_get(object, "coef"),
                 *list = json_object_get(object, "columns");
    size_t n = json_array_size(coef), count = json_array_size(list), cells;
    bool fits = !__builtin_mul_overflow(n, count, &cells) &&
                !__builtin_add_overflow(cells, n + count, &cells);
    double *values = fits ? mem_array(cells, sizeof *values) : NULL;
    size_t *columns = mem_array(count, sizeof *columns);
    *wrong = "needs 'coef' as numbers and 'columns' as [column, rate of at least 0, [a value for "
             "each of coef]], ascending";
    bool read = values && columns && json_is_array(list) && read_values(coef, n, values);
    double *rates = read ? values + n : NULL, *centres = read ? rates + count : NULL;
    for (size_t k = 0; read && k < count; k++) {
        const json_t *row = json_array_get(list, k);
        read = file_get_index(json_array_get(row, 0), p, &columns[k]) &&
               (k == 0 || columns[k] > columns[k - 1]) && file_is_finite(json_array_get(row, 1)) &&
               json_number_value(json_array_get(row, 1)) >= 0 &&
               read_values(json_array_get(row, 2), n, centres + k * n);
        rates[k] = json_number_value(json_array_get(row, 1));
    }
    const sum_map_parts parts = {p, n, values, count, columns, rates, centres};
    read = read && map_new_sums(out, &parts, NULL) == TM_OK;
    free(values);
    free(columns);
    return read;
}

bool file_read_map(tm_model *model, const json_t *object, const char **wrong)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    const json_t *gamma = json_object_get(object, "gamma");
    const json_t *coef0 = json_object_get(object, "coef0");
    *wrong = "has no 'kind'";
    if (!kind)
        return false;
    if (strcmp(kind, "gaussian_sums") == 0)
        return read_sums(&model->map, object, model->p, wrong);
    if (strcmp(kind, "poly2") != 0)
        return read_kernel_map(&model->map, object, kind, model->p, wrong);
    *wrong = "needs 'gamma' above 0 and 'coef0' of at least 0";
    return file_is_finite(gamma) && json_number_value(gamma) > 0 && file_is_finite(coef0) &&
           json_number_value(coef0) >= 0 &&
           tm_map_new_poly2(&model->map, model->p, json_number_value(gamma),
                            json_number_value(coef0), NULL) == TM_OK;
}

bool file_map_has_column(const tm_map *map, size_t j)
{
    sum_map_parts sums;
    double low = 0, high = 0;
    if (!map_sums(map, &sums)) {
        if (tm_map_width(map) > 1)
            tm_map_range(map, j, &low, &high);
        return !isnan(low) && !isnan(high);
    }
    for (size_t k = 0; k < sums.count; k++)
        if (sums.columns[k] == j)
            return true;
    return false;
}
