#include "cli/info.h"

#include "base/memory.h"
#include "base/numeric/order.h"
#include "tamis/facts.h"

#include <math.h>
#include <string.h>

static const double SCALE_SPREAD = 100;

void info_clear(info_facts *facts)
{
    free(facts->constants);
    free(facts->duplicates);
    tm_classes_clear(&facts->classes);
    *facts = (info_facts){0};
}

/* ---- columns ------------------------------------------------------------------------------- */

typedef struct fingerprint {
    uint64_t hash;
    size_t feature;
} fingerprint;

static int by_hash(const void *a, const void *b)
{
    const fingerprint *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static int by_feature(const void *a, const void *b)
{
    size_t x = ((const info_pair *)a)->feature, y = ((const info_pair *)b)->feature;
    return (x > y) - (x < y);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

/* Range, nonzeros and fingerprint of column j; stored zeros are treated like zeros that are not
 * stored. */
static uint64_t look_at(info_facts *facts, const tm_matrix *x, size_t j, double *scratch,
                        uint64_t *nonzero)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(x, j, scratch, &rows, &values);
    uint64_t hash = 0;
    if (count < tm_matrix_rows(x)) {
        facts->x_min = fmin(facts->x_min, 0);
        facts->x_max = fmax(facts->x_max, 0);
    }
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        facts->x_min = fmin(facts->x_min, values[k]);
        facts->x_max = fmax(facts->x_max, values[k]);
        if (values[k] == 0)
            continue;
        memcpy(&bits, &values[k], sizeof bits);
        hash = mix(mix(hash, rows ? rows[k] : k), bits);
        ++*nonzero;
    }
    return hash;
}

/* The index of the next nonzero entry of a column from k on. */
static size_t skip_zeros(const double *values, size_t k, size_t count)
{
    while (k < count && values[k] == 0)
        k++;
    return k;
}

/* `scratch` has room for two columns. */
static bool same_column(const tm_matrix *x, size_t a, size_t b, double *scratch)
{
    const uint32_t *rows_a, *rows_b;
    const double *values_a, *values_b;
    size_t count_a = tm_matrix_entries(x, a, scratch, &rows_a, &values_a);
    size_t count_b = tm_matrix_entries(x, b, scratch + tm_matrix_rows(x), &rows_b, &values_b);
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        i = skip_zeros(values_a, i, count_a);
        k = skip_zeros(values_b, k, count_b);
        if (i == count_a || k == count_b)
            return i == count_a && k == count_b;
        if ((rows_a ? rows_a[i] : i) != (rows_b ? rows_b[k] : k) || values_a[i] != values_b[k])
            return false;
    }
}

/* Columns with equal fingerprints are compared exactly with the first of their run. */
static tm_status find_duplicates(info_facts *facts, const tm_matrix *x, fingerprint *prints,
                                 size_t count, double *scratch, tm_error *err)
{
    facts->duplicates = mem_array(count, sizeof *facts->duplicates);
    if (!facts->duplicates)
        return tm_fail_memory(err, "the columns");
    qsort(prints, count, sizeof *prints, by_hash);
    for (size_t i = 1, run = 0; i < count; i++) {
        if (prints[i].hash != prints[run].hash)
            run = i;
        else if (same_column(x, prints[i].feature, prints[run].feature, scratch))
            facts->duplicates[facts->duplicate_count++] =
                (info_pair){prints[i].feature, prints[run].feature};
    }
    qsort(facts->duplicates, facts->duplicate_count, sizeof *facts->duplicates, by_feature);
    return TM_OK;
}

/* Finds the features most correlated with the response, in one pass. */
static tm_status find_strongest(info_facts *facts, const tm_dataset *data, tm_error *err)
{
    size_t p = tm_dataset_cols(data);
    if (tm_dataset_has_classes(data) && !tm_dataset_is_binary(data))
        return TM_OK;
    double *all = mem_array(p, sizeof *all);
    tm_status status = all ? tm_dataset_correlations(all, data, NULL, err)
                           : tm_fail_memory(err, "the correlations with the response");
    for (size_t j = 0; status == TM_OK && j < p; j++) {
        size_t k = facts->strongest_count;
        while (k > 0 && fabs(all[j]) > fabs(facts->strongest[k - 1].correlation))
            k--;
        if (k == INFO_STRONGEST || all[j] == 0)
            continue;
        facts->strongest_count += facts->strongest_count < INFO_STRONGEST;
        memmove(facts->strongest + k + 1, facts->strongest + k,
                (facts->strongest_count - k - 1) * sizeof *facts->strongest);
        facts->strongest[k] = (info_strong){j, all[j]};
    }
    free(all);
    return status;
}

bool info_deviations(const tm_dataset *data, double *least, double *greatest)
{
    const double *squares = tm_dataset_deviations(data);
    double n = (double)tm_dataset_rows(data);
    *least = *greatest = NAN;
    for (size_t j = 0; j < tm_dataset_cols(data); j++) {
        double deviation = sqrt(squares[j] / n);
        if (squares[j] > 0) {
            *least = fmin(*least, deviation);
            *greatest = fmax(*greatest, deviation);
        }
    }
    return *greatest > SCALE_SPREAD * *least;
}

static tm_status find_columns(info_facts *facts, const tm_dataset *data, tm_error *err)
{
    tm_status status = TM_OK;
    const tm_matrix *x = tm_dataset_x(data);
    const double *squares = tm_dataset_deviations(data);
    size_t p = tm_dataset_cols(data), varying = 0;
    uint64_t nonzero = 0;
    fingerprint *prints = mem_array(p, sizeof *prints);
    facts->constants = mem_array(p, sizeof *facts->constants);
    double *scratch = mem_array(tm_dataset_rows(data), 2 * sizeof *scratch);
    if (!prints || !facts->constants || !scratch) {
        status = tm_fail_memory(err, "the columns");
        goto done;
    }
    facts->x_min = INFINITY;
    facts->x_max = -INFINITY;
    for (size_t j = 0; j < p; j++) {
        uint64_t hash = look_at(facts, x, j, scratch, &nonzero);
        if (squares[j] > 0)
            prints[varying++] = (fingerprint){hash, j};
        else
            facts->constants[facts->constant_count++] = j;
    }
    facts->density = (double)nonzero / ((double)tm_dataset_rows(data) * (double)p);
    status = find_duplicates(facts, x, prints, varying, scratch, err);
done:
    free(prints);
    free(scratch);
    return status;
}

/* ---- the response -------------------------------------------------------------------------- */

static tm_status find_response(info_facts *facts, const tm_dataset *data, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    double *sorted = mem_array(n, sizeof *sorted);
    if (!sorted)
        return tm_fail_memory(err, "the response");
    memcpy(sorted, tm_dataset_y(data), n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, order_reals);
    for (size_t i = 0; i < n; i++) {
        facts->y_distinct += i == 0 || sorted[i] != sorted[i - 1];
        facts->y_mean += sorted[i] / (double)n;
        facts->class_counts[sorted[i] > 0]++;
    }
    facts->y_min = sorted[0];
    facts->y_max = sorted[n - 1];
    free(sorted);
    return TM_OK;
}

tm_status info_find(info_facts *facts, const tm_dataset *data, tm_error *err)
{
    *facts = (info_facts){0};
    facts->unscaled = info_deviations(data, &facts->deviation_min, &facts->deviation_max);
    tm_status status = find_response(facts, data, err);
    if (status == TM_OK && tm_dataset_has_classes(data) && !tm_dataset_is_binary(data))
        status = tm_classes_find(&facts->classes, data, err);
    if (status == TM_OK)
        status = find_strongest(facts, data, err);
    return status == TM_OK ? find_columns(facts, data, err) : status;
}
