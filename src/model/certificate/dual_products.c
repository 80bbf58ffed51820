#include "model/certificate/dual_products.h"

#include "base/cancel_grace.h"
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
    double began;            /* clock at the start */
    const size_t *shortlist; /* the columns to visit, instead of all */
    atomic_bool stopped;
    pthread_mutex_t lock; /* guards the scans' greatest values */
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

static void scan_blocks(size_t from_block, size_t to_block, void *payload)
{
    scan_job *job = payload;
    const tm_matrix *x = tm_dataset_x(job->pass->data);
    size_t p = tm_matrix_cols(x);
    double products[MAX_BLOCK], greatest[MAX_SCANS] = {0};
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
    }
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

tm_status scan_all(scan *scans, size_t count, const data_pass *pass, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(pass->data);
    bool tiles = count > 1 && tiles_fit(x);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    size_t block = tiles ? TILE_COLUMNS : block_columns(n);
    scan_job job = {.scans = scans,
                    .count = count,
                    .block = block,
                    .tiles = tiles,
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
    return stopped(&job, err);
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
    *entries = 0;
    for (size_t k = 0; k < count; k++)
        *entries += tm_matrix_column_nnz(x, shortlist[k]);
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

/* Visits all features, with the component of u that is new. */
static tm_status learn(scan *q, product_bounds *past, const data_pass *pass, tm_error *err)
{
    size_t p = tm_dataset_cols(pass->data);
    scan lesson = *q;
    double errors[MAX_BLOCK];
    lesson.u = product_bounds_next_vector(past, &lesson.all);
    tm_status status = scan_all(&lesson, 1, pass, err);
    if (status != TM_OK)
        return status;
    product_bounds_add_vector(past);
    for (size_t from = 0; from < p; from += MAX_BLOCK) {
        size_t block = p - from < MAX_BLOCK ? p - from : MAX_BLOCK;
        product_bounds_bound(past, from, block, q->all + from, errors);
        for (size_t j = from; j < from + block; j++) {
            double factor = penalty_factor(&q->penalty, j);
            if (factor > 0)
                rise_to(&q->greatest, reach_of(q, j, q->all[j]) / factor);
        }
    }
    return TM_OK;
}

tm_status scan_by_past(scan *q, product_bounds *past, double exact_from, const double *held,
                       size_t *visited, const data_pass *pass, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(pass->data);
    size_t *shortlist = product_bounds_room(past);
    bool known = product_bounds_split(past, q->u), is_new = product_bounds_is_new(past);
    q->greatest = q->skipped = 0;
    if (known) {
        uint64_t entries;
        const skip_test test = {.q = q, .exact_from = exact_from, .held = held};
        size_t count = find_shortlist(&test, past, shortlist, &entries, pass);
        double most = is_new ? MAX_APART : APART_MOST_KNOWN;
        if ((double)entries <= most * (double)tm_matrix_nnz(x)) {
            *visited = count;
            q->greatest = q->skipped = exact_from;
            return visit(q, shortlist, count, entries, pass, err);
        }
    }
    *visited = tm_matrix_cols(x);
    return is_new ? learn(q, past, pass, err) : scan_all(q, 1, pass, err);
}
