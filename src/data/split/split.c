/* Random splits of a data set's rows into training and test parts. */
#include "data/split/split.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows that are split together: all rows in a plain split, one class in a stratified one. */
typedef struct stratum {
    size_t *rows;
    size_t count;
    size_t test; /* how many of them go to the test part */
} stratum;

static size_t clamp_count(double wanted, size_t least, size_t most)
{
    size_t count = (size_t)fmax(0.0, round(wanted));
    return count < least ? least : count > most ? most : count;
}

/* The test rows of the strata: rounded fractions, such that both parts get a row of every stratum
 * of at least two. A stratum with one row stays in the training part, which would otherwise lack
 * the class. */
static void share_out(stratum *strata, size_t count, double test)
{
    for (size_t s = 0; s < count; s++) {
        stratum *of = &strata[s];
        bool pair = of->count >= 2;
        of->test = pair ? clamp_count(test * (double)of->count, 1, of->count - 1) : 0;
    }
}

static void shuffle(size_t *rows, size_t count, tm_rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = tm_rng_below(rng, i);
        size_t row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
}

static size_t class_of(const tm_dataset *data, size_t i, size_t classes)
{
    double y = tm_dataset_y(data)[i];
    if (classes == 1)
        return 0;
    return tm_dataset_is_binary(data) ? y >= 0 : (size_t)y - 1;
}

/* Sorts the rows into `order`, stratum by stratum. */
static void find_strata(stratum *strata, size_t count, size_t *order, const tm_dataset *data)
{
    size_t n = tm_dataset_rows(data);
    for (size_t i = 0; i < n; i++)
        strata[class_of(data, i, count)].count++;
    for (size_t s = 0, at = 0; s < count; at += strata[s++].count)
        strata[s].rows = order + at;
    for (size_t s = 0; s < count; s++)
        strata[s].count = 0;
    for (size_t i = 0; i < n; i++) {
        stratum *of = &strata[class_of(data, i, count)];
        of->rows[of->count++] = i;
    }
}

/* Marks the rows of the test part; returns how many there are. */
static size_t choose_test(unsigned char *in_test, size_t *order, stratum *strata, size_t count,
                          const tm_dataset *data, double test, uint64_t seed)
{
    find_strata(strata, count, order, data);
    share_out(strata, count, test);
    tm_rng rng;
    tm_rng_seed(&rng, seed);
    size_t total = 0;
    for (size_t s = 0; s < count; s++) {
        shuffle(strata[s].rows, strata[s].count, &rng);
        for (size_t k = 0; k < strata[s].test; k++)
            in_test[strata[s].rows[k]] = 1;
        total += strata[s].test;
    }
    return total;
}

/* One part, with its rows in the original order. `rows` has space for all rows. */
static tm_status select_part(tm_dataset **out, const tm_dataset *data, const unsigned char *in_test,
                             unsigned char part, size_t *rows, tm_error *err)
{
    const char *name = tm_dataset_name(data);
    size_t size = strlen(name) + sizeof " train";
    char *part_name = malloc(size);
    if (!part_name)
        return tm_fail_memory(err, "name of a part");
    snprintf(part_name, size, "%s %s", name, part ? "test" : "train");
    size_t count = 0;
    for (size_t i = 0; i < tm_dataset_rows(data); i++)
        if (in_test[i] == part)
            rows[count++] = i;
    tm_status status = tm_dataset_select_rows(out, data, rows, count, part_name, err);
    free(part_name);
    return status;
}

tm_status split_by_marks(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                         const unsigned char *in_test, tm_error *err)
{
    *train_out = *test_out = NULL;
    size_t *rows = mem_array(tm_dataset_rows(data), sizeof *rows);
    if (!rows)
        return tm_fail_memory(err, "rows of a split");
    tm_status status = select_part(train_out, data, in_test, 0, rows, err);
    if (status == TM_OK)
        status = select_part(test_out, data, in_test, 1, rows, err);
    if (status != TM_OK) {
        tm_dataset_unref(*train_out);
        *train_out = NULL;
    }
    free(rows);
    return status;
}

tm_status tm_dataset_split(tm_dataset **train_out, tm_dataset **test_out, const tm_dataset *data,
                           const tm_split *how, tm_error *err)
{
    *train_out = *test_out = NULL;
    if (!(how->test > 0.0 && how->test < 1.0))
        return tm_fail(err, TM_EUSAGE,
                       "test = %g: expected a share of the rows, above 0 and below 1", how->test);
    if (how->groups)
        return split_groups(train_out, test_out, data, how, err);
    if (tm_dataset_rows(data) < 2)
        return tm_fail(err, TM_EUSAGE, "%s has one row; a split needs two or more",
                       tm_dataset_name(data));
    tm_status status = TM_OK;
    size_t n = tm_dataset_rows(data);
    size_t named, count = 1;
    if (how->stratify && tm_dataset_class_names(data, &named))
        count = named;
    else if (how->stratify && tm_dataset_is_binary(data))
        count = 2;
    stratum *strata = mem_zeros(count, sizeof *strata);
    size_t *order = mem_array(n, sizeof *order);
    unsigned char *in_test = mem_zeros(n, sizeof *in_test);
    if (!strata || !order || !in_test) {
        status = tm_fail_memory(err, "rows of a split");
    } else if (choose_test(in_test, order, strata, count, data, how->test, how->seed) == 0) {
        status = tm_fail(err, TM_EUSAGE,
                         "%s: no class has two rows, so a stratified split leaves the test part "
                         "empty; split without stratify",
                         tm_dataset_name(data));
    } else {
        status = split_by_marks(train_out, test_out, data, in_test, err);
    }
    free(strata);
    free(order);
    free(in_test);
    return status;
}
