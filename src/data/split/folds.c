/* Folds for cross-validation, and random splits that keep groups of rows together.
 *
 * Both assign groups greedily, large ones first: a group goes to the part in which its classes are
 * rarest so far. Rows without groups are groups of one, for which this is equivalent to assigning
 * them in turn, class by class. */
#include "base/memory.h"
#include "data/split/row_groups.h"
#include "data/split/split.h"

#include <float.h>
#include <math.h>

/* The increase in unevenness of a part with counts[c] rows of class c when the group is added: the
 * cross term of sum_c (fraction of class c)^2. */
static double class_overlap(const row_groups *rows, const size_t *counts, size_t group)
{
    double sum = 0;
    for (size_t c = 0; c < rows->classes; c++) {
        double total = (double)rows->totals[c];
        sum += (double)counts[c] * (double)rows->counts[group * rows->classes + c] / total / total;
    }
    return sum;
}

static void add_group(const row_groups *rows, size_t *counts, size_t group)
{
    for (size_t c = 0; c < rows->classes; c++)
        counts[c] += rows->counts[group * rows->classes + c];
}

/* The fold with the least such increase, among equals the one with the fewest rows, then the first.
 * An empty fold is always chosen, so that no fold stays empty if there are enough groups. */
static size_t choose_fold(const row_groups *rows, const size_t *counts, const size_t *sizes,
                          size_t k, size_t group)
{
    size_t best = 0;
    double least = DBL_MAX;
    for (size_t f = 0; f < k; f++) {
        double value = class_overlap(rows, counts + f * rows->classes, group);
        bool wins = value < least || (value <= least && sizes[f] < sizes[best]);
        best = wins ? f : best;
        least = wins ? value : least;
    }
    return best;
}

static tm_status deal_groups(size_t *fold_of_group, const row_groups *rows, size_t k, uint64_t seed,
                             tm_error *err)
{
    size_t *order = mem_array(rows->groups, sizeof *order);
    size_t *counts = mem_zeros(k * rows->classes, sizeof *counts);
    size_t *sizes = mem_zeros(k, sizeof *sizes);
    tm_status status = TM_OK;
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    if (order && counts && sizes && row_groups_order(rows, order, &rng)) {
        for (size_t at = 0; at < rows->groups; at++) {
            size_t group = order[at];
            size_t f = choose_fold(rows, counts, sizes, k, group);
            fold_of_group[group] = f;
            add_group(rows, counts + f * rows->classes, group);
            sizes[f] += rows->sizes[group];
        }
    } else {
        status = tm_fail_memory(err, "folds");
    }
    free(order);
    free(counts);
    free(sizes);
    return status;
}

/* For rows that are their own groups: sorts them by class in a random order and assigns them in
 * turn, so that both the sizes of the folds and the classes in them differ by one row at most. */
static tm_status deal_rows(size_t *fold, const row_groups *rows, size_t n, size_t k, uint64_t seed,
                           tm_error *err)
{
    size_t *order = mem_array(n, sizeof *order);
    size_t *starts = mem_zeros(rows->classes + 1, sizeof *starts);
    tm_status status = TM_OK;
    if (order && starts) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        tm_rng_permutation(&rng, order, n);
        for (size_t c = 1; c < rows->classes; c++)
            starts[c] = starts[c - 1] + rows->totals[c - 1];
        for (size_t at = 0; at < n; at++)
            fold[order[at]] = starts[rows->class[order[at]]]++ % k;
    } else {
        status = tm_fail_memory(err, "folds");
    }
    free(order);
    free(starts);
    return status;
}

static tm_status check_folds(const tm_dataset *data, const row_groups *rows, size_t k, bool grouped,
                             tm_error *err)
{
    if (k < 2)
        return tm_fail(err, TM_EUSAGE, "k = %zu: expected two folds or more", k);
    if (k > rows->groups)
        return tm_fail(err, TM_EUSAGE, "k = %zu: %s has only %zu %s, and every fold needs one", k,
                       tm_dataset_name(data), rows->groups, grouped ? "groups" : "rows");
    return TM_OK;
}

tm_status tm_dataset_folds(size_t *fold, const tm_dataset *data, size_t k, bool stratify,
                           const size_t *groups, uint64_t seed, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    row_groups rows;
    tm_status status = row_groups_find(&rows, data, groups, stratify, err);
    if (status == TM_OK)
        status = check_folds(data, &rows, k, groups != NULL, err);
    if (status == TM_OK && !groups)
        status = deal_rows(fold, &rows, n, k, seed, err);
    if (status == TM_OK && groups) {
        size_t *fold_of_group = mem_array(rows.groups, sizeof *fold_of_group);
        status = fold_of_group ? deal_groups(fold_of_group, &rows, k, seed, err)
                               : tm_fail_memory(err, "folds");
        for (size_t i = 0; status == TM_OK && i < n; i++)
            fold[i] = fold_of_group[rows.group[i]];
        free(fold_of_group);
    }
    row_groups_clear(&rows);
    return status;
}

/* ---- splits that keep groups together ------------------------------------------------------ */

/* The distance of a test part from the wanted fraction of every class, when it has counts[c] rows
 * of class c plus (sign 1) or minus those of `group`. */
static double distance(const row_groups *rows, const size_t *counts, size_t group, double sign,
                       double test)
{
    double sum = 0;
    for (size_t c = 0; c < rows->classes; c++) {
        double more = sign * (double)rows->counts[group * rows->classes + c];
        double share = ((double)counts[c] + more) / (double)rows->totals[c];
        sum += (share - test) * (share - test);
    }
    return sum;
}

/* Goes through the groups in random order: each is put in the test part if that brings the part
 * nearer to its fraction. Both parts get at least one group, the one that does least harm. */
static void choose_groups(unsigned char *in_test, const row_groups *rows, const size_t *order,
                          size_t *counts, double test)
{
    size_t chosen = 0, best = order[0];
    double least = DBL_MAX;
    for (size_t k = 0; k < rows->groups; k++)
        if (distance(rows, counts, order[k], 1, test) < distance(rows, counts, order[k], 0, test)) {
            in_test[order[k]] = 1;
            add_group(rows, counts, order[k]);
            chosen++;
        }
    if (chosen > 0 && chosen < rows->groups)
        return;
    for (size_t k = 0; k < rows->groups; k++) {
        double value = distance(rows, counts, order[k], chosen ? -1 : 1, test);
        best = value < least ? order[k] : best;
        least = fmin(value, least);
    }
    in_test[best] ^= 1;
}

static tm_status assign_groups(unsigned char *in_test, const row_groups *rows, double test,
                               uint64_t seed, tm_error *err)
{
    size_t *order = mem_array(rows->groups, sizeof *order);
    size_t *counts = mem_zeros(rows->classes, sizeof *counts);
    tm_status status = TM_OK;
    if (order && counts) {
        tm_rng rng;
        tm_rng_seed(&rng, seed);
        tm_rng_permutation(&rng, order, rows->groups);
        choose_groups(in_test, rows, order, counts, test);
    } else {
        status = tm_fail_memory(err, "groups of a split");
    }
    free(order);
    free(counts);
    return status;
}

/* Marks the rows of the test part. */
static tm_status mark_groups(unsigned char *in_test, const row_groups *rows, size_t n, double test,
                             uint64_t seed, tm_error *err)
{
    unsigned char *chosen = mem_zeros(rows->groups, sizeof *chosen);
    tm_status status = chosen ? assign_groups(chosen, rows, test, seed, err)
                              : tm_fail_memory(err, "groups of a split");
    for (size_t i = 0; status == TM_OK && i < n; i++)
        in_test[i] = chosen[rows->group[i]];
    free(chosen);
    return status;
}

tm_status split_groups(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                       const tm_split *how, tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    row_groups rows;
    tm_status status = row_groups_find(&rows, data, how->groups, how->stratify, err);
    if (status == TM_OK && rows.groups < 2)
        status = tm_fail(err, TM_EUSAGE, "%s is a single group; a split needs two or more",
                         tm_dataset_name(data));
    unsigned char *in_test = mem_zeros(n, sizeof *in_test);
    if (status == TM_OK)
        status = in_test ? mark_groups(in_test, &rows, n, how->test, how->seed, err)
                         : tm_fail_memory(err, "rows of a split");
    if (status == TM_OK)
        status = split_by_marks(train_out, test_out, data, in_test, err);
    free(in_test);
    row_groups_clear(&rows);
    return status;
}
