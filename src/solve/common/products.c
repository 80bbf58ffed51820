#include "solve/common/products.h"

#include "base/parallel.h"
#include "model/loss/residual.h"

/* A stretch of columns, shared by threads in groups of columns. */
typedef struct stretch {
    const tm_matrix *x;
    const double *v;
    double *out;
    size_t from, count;
} stretch;

/* Products are taken four columns at a time; whole groups make them independent of the threads. A
 * thread takes a few groups when it has done others: columns differ in their entries. */
enum { GROUP = 64, TOGETHER = 8 };

static void take_groups(size_t from, size_t to, void *payload)
{
    const stretch *s = payload;
    size_t first = s->from + from * GROUP;
    size_t last = to * GROUP < s->count ? s->from + to * GROUP : s->from + s->count;
    tm_matrix_dot_range(s->x, first, last - first, s->v, s->out + first);
}

/* Columns between two looks at the cancel token: some ten milliseconds when they stream from
 * memory, so that making threads costs little. */
static size_t stretch_columns(const tm_matrix *x, int threads)
{
    size_t average = (size_t)(tm_matrix_nnz(x) / tm_matrix_cols(x)) + 1;
    size_t columns = ((size_t)1 << 23) / average * (size_t)threads / GROUP * GROUP;
    return columns < GROUP ? GROUP : columns;
}

bool products_all(const tm_dataset *data, bool centred, const double *v, double *out,
                  solve_progress *progress)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    bool small = tm_matrix_nnz(x) < ((uint64_t)1 << 20);
    int threads = small ? 1 : progress->threads;
    size_t most = stretch_columns(x, threads);
    for (size_t from = 0; from < p; from += most) {
        stretch s = {x, v, out, from, p - from < most ? p - from : most};
        parallel_chunks((s.count + GROUP - 1) / GROUP, TOGETHER, threads, take_groups, &s);
        progress->columns += s.count;
        if (progress_work(progress, (uint64_t)s.count * n))
            return false;
    }
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    double sum = centred ? residual_sum(v, n) : 0;
    for (size_t j = 0; centred && j < p; j++)
        out[j] = deviations[j] > 0 ? out[j] - means[j] * sum : 0;
    return true;
}
