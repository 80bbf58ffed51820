#include "data/split/row_groups.h"

#include "base/memory.h"

#include <string.h>

typedef struct row_key {
    size_t row;
    size_t id;
    double value;
} row_key;

static int compare_ids(const void *a, const void *b)
{
    const row_key *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static int compare_values(const void *a, const void *b)
{
    const row_key *left = a, *right = b;
    return (left->value > right->value) - (left->value < right->value);
}

/* Numbers the distinct ids, or values, in ascending order; returns how many there are. */
static size_t number_keys(size_t *number, row_key *keys, size_t n,
                          int (*compare)(const void *, const void *))
{
    size_t distinct = 0;
    qsort(keys, n, sizeof *keys, compare);
    for (size_t k = 0; k < n; k++) {
        distinct += k == 0 || compare(&keys[k - 1], &keys[k]) != 0;
        number[keys[k].row] = distinct - 1;
    }
    return distinct;
}

static bool allocate_counts(row_groups *found)
{
    size_t cells;
    if (__builtin_mul_overflow(found->groups, found->classes, &cells))
        return false;
    found->counts = mem_zeros(cells, sizeof *found->counts);
    found->sizes = mem_zeros(found->groups, sizeof *found->sizes);
    found->totals = mem_zeros(found->classes, sizeof *found->totals);
    return found->counts && found->sizes && found->totals;
}

static bool number_rows(row_groups *found, const tm_dataset *data, const size_t *ids, bool by_class)
{
    size_t n = tm_dataset_rows(data);
    row_key *keys = mem_array(n, sizeof *keys);
    found->group = mem_array(n, sizeof *found->group);
    found->class = mem_zeros(n, sizeof *found->class);
    bool made = keys && found->group && found->class;
    if (!made)
        goto done;
    for (size_t i = 0; i < n; i++)
        keys[i] = (row_key){i, ids ? ids[i] : i, tm_dataset_y(data)[i]};
    found->groups = number_keys(found->group, keys, n, compare_ids);
    found->classes = by_class ? number_keys(found->class, keys, n, compare_values) : 1;
    if (found->classes > ROW_GROUPS_CLASSES) {
        found->classes = 1;
        memset(found->class, 0, n * sizeof *found->class);
    }
done:
    free(keys);
    return made;
}

tm_status row_groups_find(row_groups *out, const tm_dataset *data, const size_t *ids, bool by_class,
                          tm_error *err)
{
    *out = (row_groups){0};
    if (!number_rows(out, data, ids, by_class) || !allocate_counts(out)) {
        row_groups_clear(out);
        return tm_fail_memory(err, "groups of the rows");
    }
    for (size_t i = 0; i < tm_dataset_rows(data); i++) {
        out->counts[out->group[i] * out->classes + out->class[i]]++;
        out->sizes[out->group[i]]++;
        out->totals[out->class[i]]++;
    }
    return TM_OK;
}

void row_groups_clear(row_groups *found)
{
    free(found->group);
    free(found->class);
    free(found->counts);
    free(found->sizes);
    free(found->totals);
    *found = (row_groups){0};
}

/* Counting sort by size, which keeps the random order among equals. */
static void sort_by_size(size_t *order, const size_t *shuffled, size_t *starts, size_t most,
                         const row_groups *found)
{
    for (size_t g = 0; g < found->groups; g++)
        starts[most - found->sizes[g] + 1]++;
    for (size_t s = 1; s <= most; s++)
        starts[s] += starts[s - 1];
    for (size_t k = 0; k < found->groups; k++)
        order[starts[most - found->sizes[shuffled[k]]]++] = shuffled[k];
}

bool row_groups_order(const row_groups *found, size_t *order, tm_rng *rng)
{
    size_t most = 0;
    for (size_t g = 0; g < found->groups; g++)
        most = found->sizes[g] > most ? found->sizes[g] : most;
    size_t *shuffled = mem_array(found->groups, sizeof *shuffled);
    size_t *starts = mem_zeros(most + 1, sizeof *starts);
    bool enough = shuffled && starts;
    if (enough) {
        tm_rng_permutation(rng, shuffled, found->groups);
        sort_by_size(order, shuffled, starts, most, found);
    }
    free(shuffled);
    free(starts);
    return enough;
}
