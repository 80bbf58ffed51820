#include "model/certificate/dual_products.h"

#include "base/cancel_grace.h"
#include "base/memory.h"
#include "base/numeric/lanes.h"
#include "base/threads/parallel.h"
#include "data/matrix/pass_team.h"
#include "data/ranks/row_shard.h"
#include "data/tiles/tiles.h"
#include "model/certificate/tuning.h"
#include "model/loss/residual.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Corrects each product for the remaining sum of u, with the column's mean; constant columns, which
 * an intercept makes orthogonal to every u, count as zero. */
static inline double corrected(const scan *q, const tm_dataset *data, size_t j, double product)
{
    bool matters = !q->intercept || tm_dataset_deviations(data)[j] > 0;
    return matters ? product - tm_dataset_means(data)[j] * q->left : 0;
}

static inline double reach_of(const scan *q, size_t j, double product)
{
    bool limits = q->penalty.lower || q->penalty.upper;
    return limits ? penalty_reach(&q->penalty, j, product) : fabs(product);
}

/* fmax in place, without a call. */
static inline void rise_to(double *greatest, double value)
{
    if (value > *greatest)
        *greatest = value;
}

/* Returns the greatest |x_j'u| / f_j. */
static double scan_block(const scan *q, const tm_dataset *data, size_t from, size_t count,
                         const double *products)
{
    double greatest = 0;
    for (size_t k = 0; k < count; k++) {
        size_t j = from + k;
        double product = corrected(q, data, j, products[k]);
        double factor = penalty_factor(&q->penalty, j), reach = reach_of(q, j, product);
        if (factor > 0)
            rise_to(&greatest, reach / factor);
        if (q->all)
            q->all[j] = product;
    }
    return greatest;
}

static size_t block_columns(size_t n)
{
    size_t block = BLOCK_VALUES / n / 4 * 4;
    return block < 4 ? 4 : block < MAX_BLOCK ? block : MAX_BLOCK;
}

/* All scans over the data, shared by threads: each takes a range of blocks with its own copies of
 * the scans, whose maxima are merged at the end. A column's product does not depend on the thread
 * that computes it. */
typedef struct scan_job {
    scan *scans;
    size_t count, block;
    bool tiles; /* the vectors of a block are multiplied together */
    const data_pass *pass;
    double began;                    /* clock at the start */
    const size_t *shortlist;         /* the columns to visit, instead of all */
    byte_copy *copy;                 /* to be made, or NULL */
    atomic_bool stopped, incomplete; /* incomplete: the copy, for want of memory */
    pthread_mutex_t lock;            /* guards the scans' greatest values */
} scan_job;

/* The products of a block's columns with each vector, vector after vector. */
static void multiply_block(const scan_job *job, size_t from, size_t columns, double *products)
{
    const tm_matrix *x = tm_dataset_x(job->pass->data);
    const double *u[MAX_SCANS];
    for (size_t v = 0; v < job->count; v++)
        u[v] = job->scans[v].u;
    tiles_dot_range(x, from, columns, u, job->count, products);
}

/* Copies the columns of a block while they are in the cache. */
static void copy_block(scan_job *job, size_t from, size_t columns, double *scratch)
{
    if (scratch)
        byte_copy_take(job->copy, tm_dataset_x(job->pass->data), from, columns, scratch);
    else
        atomic_store(&job->incomplete, true);
}

static void scan_blocks(size_t from_block, size_t to_block, void *payload)
{
    scan_job *job = payload;
    const tm_matrix *x = tm_dataset_x(job->pass->data);
    size_t p = tm_matrix_cols(x);
    double products[MAX_BLOCK], greatest[MAX_SCANS] = {0};
    double *scratch = job->copy ? mem_array(tm_matrix_rows(x), sizeof *scratch) : NULL;
    for (size_t b = from_block; b < to_block; b++) {
        size_t from = b * job->block;
        size_t columns = p - from < job->block ? p - from : job->block;
        if (cancel_grace_is_over(job->pass->cancel, job->began)) {
            atomic_store(&job->stopped, true);
            break;
        }
        if (job->tiles)
            multiply_block(job, from, columns, products);
        for (size_t v = 0; v < job->count; v++) {
            const double *found_at = job->tiles ? products + v * columns : products;
            if (!job->tiles)
                tm_matrix_dot_range(x, from, columns, job->scans[v].u, products);
            double found = scan_block(&job->scans[v], job->pass->data, from, columns, found_at);
            greatest[v] = fmax(greatest[v], found);
        }
        if (job->copy)
            copy_block(job, from, columns, scratch);
    }
    free(scratch);
    pthread_mutex_lock(&job->lock);
    for (size_t v = 0; v < job->count; v++)
        job->scans[v].greatest = fmax(job->scans[v].greatest, greatest[v]);
    pthread_mutex_unlock(&job->lock);
}

/* The sum of u over all rows. */
static double sum_of(const tm_matrix *x, const double *u)
{
    double sum = residual_sum(u, tm_matrix_rows(x));
    matrix_add_rows(x, &sum, 1);
    return sum;
}

static tm_status stopped(scan_job *job, tm_error *err)
{
    return atomic_load(&job->stopped) ? tm_fail(err, TM_ECANCELLED, "cancelled while certifying")
                                      : TM_OK;
}

/* `copy` (or NULL) is made in the same pass; *copied is set to whether it is complete. */
static tm_status scan_and_copy(scan *scans, size_t count, byte_copy *copy, bool *copied,
                               const data_pass *pass, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(pass->data);
    bool tiles = count > 1 && tiles_fit(x);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    size_t block = tiles ? TILE_COLUMNS : block_columns(n);
    scan_job job = {.scans = scans,
                    .count = count,
                    .block = block,
                    .tiles = tiles,
                    .copy = copy,
                    .pass = pass,
                    .began = clock_now()};
    for (size_t v = 0; v < count; v++) {
        scans[v].left = scans[v].intercept ? sum_of(x, scans[v].u) : 0;
        scans[v].greatest = scans[v].skipped = 0;
    }
    pthread_mutex_init(&job.lock, NULL);
    thread_team *team = pass_team(x, p * count, tm_matrix_nnz(x) * count, pass->team);
    parallel_ranges((p + block - 1) / block, team, scan_blocks, &job);
    pthread_mutex_destroy(&job.lock);
    *copied = !atomic_load(&job.incomplete) && !atomic_load(&job.stopped);
    return stopped(&job, err);
}

tm_status scan_all(scan *scans, size_t count, const data_pass *pass, tm_error *err)
{
    bool copied;
    return scan_and_copy(scans, count, NULL, &copied, pass, err);
}

/* ---- bounds from earlier products ---------------------------------------------------------- */

/* The conditions for skipping features: |x_j'u| is below exact_from times its factor, by estimates
 * in q->all with an error of at most `errors` (for the features from `first` on), and the feature
 * has no weight in `held`. */
typedef struct skip_test {
    const scan *q;
    double exact_from;
    const double *held; /* or NULL */
    const double *errors;
    size_t first;
} skip_test;

static inline bool must_visit(const skip_test *d, size_t j)
{
    double factor = penalty_factor(&d->q->penalty, j), most = d->exact_from * factor;
    return (d->held && d->held[j] != 0) ||
           (factor != 0 && !(reach_of(d->q, j, d->q->all[j]) + d->errors[j - d->first] < most));
}

/* Sets the lanes of the eight features from j on that may have to be visited to negative values,
 * without regard to sign constraints and unpenalised features. */
static inline void find_doubts(lane_bits *out, const skip_test *d, size_t j)
{
    const double *factors = d->q->penalty.factors;
    lanes most = *(const lanes *)(d->q->all + j), limit = (lanes){0} + d->exact_from;
    lanes_drop_signs(&most);
    most += *(const lanes *)(d->errors + (j - d->first));
    if (factors)
        limit *= *(const lanes *)(factors + j);
    lanes_room(out, &most, &limit);
    if (d->held)
        *out |= -((lane_bits) * (const lanes *)(d->held + j) & MAGNITUDE);
}

/* Lists, in order, the features from d->first to before `to` that must be visited; returns how
 * many. */
PER_MACHINE static size_t list_uncertain(const skip_test *d, size_t to, size_t *list)
{
    size_t count = 0, j = d->first;
    for (; j + MANY <= to; j += MANY) {
        lane_bits bits[MANY / LANES];
        for (size_t k = 0; k < MANY / LANES; k++)
            find_doubts(&bits[k], d, j + k * LANES);
        for (uint32_t left = lanes_negative(bits); left; left &= left - 1) {
            list[count] = j + (size_t)__builtin_ctz(left);
            count += must_visit(d, list[count]);
        }
    }
    for (; j < to; j++)
        if (must_visit(d, j))
            list[count++] = j;
    return count;
}

/* A list whose parts are made by several threads, each in the room of its own features. */
typedef struct list_job {
    skip_test test; /* without errors and first */
    const product_bounds *past;
    size_t p, parts, *shortlist;
    size_t counts[MAX_LIST_PARTS];
} list_job;

/* Where a part begins: with a whole block. */
static size_t part_start(const list_job *job, size_t part)
{
    size_t blocks = (job->p + MAX_BLOCK - 1) / MAX_BLOCK;
    size_t start = blocks * part / job->parts * MAX_BLOCK;
    return start < job->p ? start : job->p;
}

static void list_part(size_t part, void *payload)
{
    list_job *job = payload;
    size_t first = part_start(job, part), last = part_start(job, part + 1), count = 0;
    double errors[MAX_BLOCK];
    for (size_t from = first; from < last; from += MAX_BLOCK) {
        size_t block = last - from < MAX_BLOCK ? last - from : MAX_BLOCK;
        product_bounds_bound(job->past, from, block, job->test.q->all + from, errors);
        skip_test d = job->test;
        d.errors = errors;
        d.first = from;
        count += list_uncertain(&d, from + block, job->shortlist + first + count);
    }
    job->counts[part] = count;
}

static uint64_t entries_of(const tm_matrix *x, const size_t *shortlist, size_t count)
{
    uint64_t entries = 0;
    for (size_t k = 0; k < count; k++)
        entries += tm_matrix_column_nnz(x, shortlist[k]);
    return entries;
}

/* Lists in `shortlist`, in order, the features that must be visited; *entries is set to their
 * number of entries. The estimates of the others are in q->all. */
static size_t find_shortlist(const skip_test *test, const product_bounds *past, size_t *shortlist,
                             uint64_t *entries, const data_pass *pass)
{
    const tm_matrix *x = tm_dataset_x(pass->data);
    list_job job = {
        .test = *test, .past = past, .p = tm_matrix_cols(x), .shortlist = shortlist, .parts = 1};
    if (job.p >= LIST_SHARED_FROM)
        job.parts = (size_t)team_threads(pass->team);
    job.parts = job.parts < MAX_LIST_PARTS ? job.parts : MAX_LIST_PARTS;
    team_run(pass->team, job.parts, list_part, &job);
    size_t count = job.counts[0];
    for (size_t part = 1; part < job.parts; part++) {
        memmove(shortlist + count, shortlist + part_start(&job, part),
                job.counts[part] * sizeof *shortlist);
        count += job.counts[part];
    }
    *entries = entries_of(x, shortlist, count);
    return count;
}

static void scan_apart(size_t from, size_t to, void *payload)
{
    scan_job *job = payload;
    const scan *q = job->scans;
    for (size_t k = from; k < to && !atomic_load(&job->stopped); k++) {
        size_t j = job->shortlist[k];
        q->all[j] =
            corrected(q, job->pass->data, j, tm_matrix_dot(tm_dataset_x(job->pass->data), j, q->u));
        if (k % 64 == 0 && cancel_grace_is_over(job->pass->cancel, job->began))
            atomic_store(&job->stopped, true);
    }
}

static tm_status visit(scan *q, const size_t *shortlist, size_t count, uint64_t entries,
                       const data_pass *pass, tm_error *err)
{
    scan_job job = {
        .scans = q, .count = 1, .pass = pass, .began = clock_now(), .shortlist = shortlist};
    const tm_matrix *x = tm_dataset_x(pass->data);
    q->left = q->intercept ? sum_of(x, q->u) : 0;
    parallel_ranges(count, pass_team(x, count, entries, pass->team), scan_apart, &job);
    for (size_t k = 0; k < count; k++) {
        size_t j = shortlist[k];
        double factor = penalty_factor(&q->penalty, j);
        if (factor > 0)
            rise_to(&q->greatest, reach_of(q, j, q->all[j]) / factor);
    }
    return stopped(&job, err);
}

/* The greatest |x_j'u| / f_j, where the products in q->all are known up to rounding. */
static void estimate_all(scan *q, const product_bounds *past, size_t p)
{
    double errors[MAX_BLOCK];
    for (size_t from = 0; from < p; from += MAX_BLOCK) {
        size_t block = p - from < MAX_BLOCK ? p - from : MAX_BLOCK;
        product_bounds_bound(past, from, block, q->all + from, errors);
        for (size_t j = from; j < from + block; j++) {
            double factor = penalty_factor(&q->penalty, j);
            if (factor > 0)
                rise_to(&q->greatest, reach_of(q, j, q->all[j]) / factor);
        }
    }
}

/* Visits all features, with the component of u that is new. */
static tm_status learn(scan *q, product_bounds *past, const data_pass *pass, tm_error *err)
{
    scan lesson = *q;
    bool copied;
    byte_copy *copy = product_bounds_begin_copy(past);
    lesson.u = product_bounds_next_vector(past, &lesson.all);
    tm_status status = scan_and_copy(&lesson, 1, copy, &copied, pass, err);
    product_bounds_end_copy(past, copy, copy && copied);
    if (status != TM_OK)
        return status;
    product_bounds_add_vector(past);
    estimate_all(q, past, tm_dataset_cols(pass->data));
    return TM_OK;
}

/* ---- with a copy in bytes ------------------------------------------------------------------ */

/* Work on a copy's columns that threads share. */
typedef struct rounded_job {
    const skip_test *test;
    product_bounds *past;
    size_t *shortlist;
} rounded_job;

static void refine_range(size_t from, size_t to, void *payload)
{
    const rounded_job *job = payload;
    skip_test d = *job->test;
    for (size_t k = from; k < to; k++) {
        double error;
        size_t j = d.first = job->shortlist[k];
        if (k + 2 < to)
            product_bounds_prefetch(job->past, job->shortlist[k + 2]);
        product_bounds_refine(job->past, j, &d.q->all[j], &error);
        d.errors = &error;
        if (!must_visit(&d, j))
            job->shortlist[k] = SIZE_MAX;
    }
}

/* Removes from the list the features whose products with the copy show that they need not be
 * visited; returns how many are left. */
static size_t refine(const skip_test *test, product_bounds *past, size_t *shortlist, size_t count,
                     const data_pass *pass)
{
    const tm_matrix *x = tm_dataset_x(pass->data);
    rounded_job job = {test, past, shortlist};
    product_bounds_round_rest(past);
    uint64_t entries = (uint64_t)count * tm_matrix_rows(x);
    thread_team *team = pass_team(x, count, entries / BYTE_WORK, pass->team);
    parallel_ranges(count, team, refine_range, &job);
    size_t left = 0;
    for (size_t k = 0; k < count; k++)
        if (shortlist[k] != SIZE_MAX)
            shortlist[left++] = shortlist[k];
    return left;
}

static void multiply_range(size_t from, size_t to, void *payload)
{
    product_bounds_multiply(((const rounded_job *)payload)->past, from, to - from);
}

/* Adds the remainder as a vector with products of the copy; without room for it, the remainder
 * apart from the vectors with products of the data, in place of all others. */
static void learn_rounded(const scan *q, product_bounds *past, const data_pass *pass)
{
    const tm_matrix *x = tm_dataset_x(pass->data);
    rounded_job job = {NULL, past, NULL};
    size_t p = tm_matrix_cols(x);
    if (product_bounds_is_full(past)) {
        product_bounds_drop_rounded(past);
        product_bounds_split(past, q->u);
    }
    product_bounds_round_rest(past);
    parallel_ranges(p, pass_team(x, p, tm_matrix_nnz(x) / BYTE_WORK, pass->team), multiply_range,
                    &job);
    product_bounds_add_rounded(past);
    product_bounds_split(past, q->u);
}

/* The columns that cost as much as `count` columns of the copy. */
static size_t as_columns(size_t count)
{
    return (count + BYTE_SHARE - 1) / BYTE_SHARE;
}

/* Lists the features to visit by products with the copy; false when there are too many for
 * that. */
static bool list_by_copy(const skip_test *test, product_bounds *past, size_t *shortlist,
                         size_t *count, uint64_t *entries, size_t *visited, const data_pass *pass)
{
    double whole = (double)tm_matrix_nnz(tm_dataset_x(pass->data));
    if (product_bounds_wants_rounded(past, *count)) {
        learn_rounded(test->q, past, pass);
        *visited += as_columns(tm_dataset_cols(pass->data));
        *count = find_shortlist(test, past, shortlist, entries, pass);
        return (double)*entries <= MAX_VISITED * whole;
    }
    *visited += as_columns(*count);
    *count = refine(test, past, shortlist, *count, pass);
    *entries = entries_of(tm_dataset_x(pass->data), shortlist, *count);
    return (double)*entries <= MAX_VISITED * whole;
}

/* Lists the features to visit; false when a pass over all of them is preferred. */
static bool list_visits(const skip_test *test, product_bounds *past, size_t *shortlist,
                        size_t *count, uint64_t *entries, size_t *visited, const data_pass *pass)
{
    bool is_new = product_bounds_is_new(past);
    double whole = (double)tm_matrix_nnz(tm_dataset_x(pass->data));
    *count = find_shortlist(test, past, shortlist, entries, pass);
    if (product_bounds_has_copy(past) && is_new)
        return list_by_copy(test, past, shortlist, count, entries, visited, pass);
    return (double)*entries <= (is_new ? MAX_APART : APART_MOST_KNOWN) * whole;
}

tm_status scan_by_past(scan *q, product_bounds *past, double exact_from, const double *held,
                       size_t *visited, const data_pass *pass, tm_error *err)
{
    size_t *shortlist = product_bounds_room(past), count;
    uint64_t entries;
    const skip_test test = {.q = q, .exact_from = exact_from, .held = held};
    *visited = 0;
    q->greatest = q->skipped = 0;
    if (product_bounds_split(past, q->u) &&
        list_visits(&test, past, shortlist, &count, &entries, visited, pass)) {
        *visited += count;
        q->greatest = q->skipped = exact_from;
        return visit(q, shortlist, count, entries, pass, err);
    }
    if (product_bounds_has_rounded(past)) {
        product_bounds_drop_rounded(past);
        product_bounds_split(past, q->u);
    }
    *visited += tm_dataset_cols(pass->data);
    return product_bounds_is_new(past) ? learn(q, past, pass, err) : scan_all(q, 1, pass, err);
}
