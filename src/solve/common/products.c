#include "solve/common/products.h"

#include "base/threads/parallel.h"
#include "data/matrix/pass_team.h"
#include "data/ranks/row_shard.h"
#include "model/loss/residual.h"
#include "solve/common/tuning.h"

/* Columns between two checks of the cancel token: about ten milliseconds of columns that stream
 * from memory, so that waking threads costs comparatively little. */
static size_t stretch_columns(const tm_matrix *x, const thread_team *team)
{
    size_t average = (size_t)(tm_matrix_nnz(x) / tm_matrix_cols(x)) + 1;
    size_t columns = ((size_t)1 << 23) / average * (size_t)team_threads(team) / GROUP * GROUP;
    return columns < GROUP ? GROUP : columns;
}

typedef struct stretch {
    void (*take)(size_t from, size_t to, void *payload);
    void *payload;
    size_t from, count, group;
} stretch;

static void take_groups(size_t from, size_t to, void *payload)
{
    const stretch *s = payload;
    size_t last = to * s->group < s->count ? to * s->group : s->count;
    s->take(s->from + from * s->group, s->from + last, s->payload);
}

bool products_pass(const tm_matrix *x, size_t count, size_t group,
                   void (*take)(size_t from, size_t to, void *payload), void *payload,
                   solve_progress *progress)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    uint64_t entries = p ? tm_matrix_nnz(x) / p * count : 0;
    thread_team *team = pass_team(x, count, entries, progress->team);
    size_t most = stretch_columns(x, team);
    for (size_t from = 0; from < count; from += most) {
        stretch s = {take, payload, from, count - from < most ? count - from : most, group};
        parallel_chunks((s.count + group - 1) / group, TOGETHER, team, take_groups, &s);
        progress->columns += s.count;
        if (progress_work(progress, (uint64_t)s.count * n))
            return false;
    }
    return true;
}

typedef struct whole_pass {
    const tm_matrix *x;
    const double *v;
    double *out;
} whole_pass;

static void take_columns(size_t from, size_t to, void *payload)
{
    const whole_pass *pass = payload;
    tm_matrix_dot_range(pass->x, from, to - from, pass->v, pass->out + from);
}

bool products_uncentred(const tm_matrix *x, const double *v, double *out, solve_progress *progress)
{
    whole_pass pass = {x, v, out};
    if (tm_matrix_is_joint(x)) {
        take_columns(0, tm_matrix_cols(x), &pass);
        progress->columns += tm_matrix_cols(x);
        /* Processes that share rows must all be stopped by the same pass. */
        bool shared = matrix_row_comm(x);
        return !progress_work(progress,
                              shared ? matrix_all_rows(x) * tm_matrix_cols(x) : tm_matrix_nnz(x));
    }
    return products_pass(x, tm_matrix_cols(x), GROUP, take_columns, &pass, progress);
}

bool products_all(const tm_dataset *data, bool centred, const double *v, double *out,
                  solve_progress *progress)
{
    const tm_matrix *x = tm_dataset_x(data);
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    if (!products_uncentred(x, v, out, progress))
        return false;
    const double *means = tm_dataset_means(data), *deviations = tm_dataset_deviations(data);
    double sum = centred ? residual_sum(v, n) : 0;
    for (size_t j = 0; centred && j < p; j++)
        out[j] = deviations[j] > 0 ? out[j] - means[j] * sum : 0;
    return true;
}
