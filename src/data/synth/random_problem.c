#include "data/synth/random_problem.h"

#include "base/memory.h"
#include "base/numeric/order.h"
#include "data/matrix/generated.h"

#include <math.h>
#include <string.h>

const tm_choice random_parts[] = {
    {"train", "the rows to learn from"},
    {"test", "other rows with the same truth"},
    {NULL, NULL},
};

void random_columns_read(random_columns *columns, const tm_params *params)
{
    columns->n = (size_t)tm_params_int(params, "n");
    if (tm_params_find(params, "p", NULL)) /* other generators determine p from their shape */
        columns->p = (size_t)tm_params_int(params, "p");
    columns->seed = (uint64_t)tm_params_int(params, "seed");
    columns->test = strcmp(tm_params_text(params, "part"), "test") == 0;
}

const tm_choice random_storages[] = {
    {"auto", "double when that takes at most half of the memory, else generated"},
    {"double", "in double precision"},
    {"float", "in single precision: rounded numbers, half the memory"},
    {"generated", "not at all: generated whenever they are needed, in almost no memory"},
    {NULL, NULL},
};

void random_problem_read(random_problem *problem, const tm_params *params)
{
    random_columns *columns = &problem->columns;
    const char *storage = tm_params_text(params, "storage");
    random_columns_read(columns, params);
    double share = columns->density > 0 ? 1.5 * columns->density : 1; /* including the row
                                                                       * numbers */
    double bytes = 8.0 * share * (double)columns->n * (double)columns->p;
    bool large = bytes > mem_physical() / 2;
    problem->storage = strcmp(storage, "float") == 0           ? STORE_FLOAT
                       : strcmp(storage, "generated") == 0     ? STORE_NOT
                       : strcmp(storage, "auto") == 0 && large ? STORE_NOT
                                                               : STORE_DOUBLE;
}

/* ---- features ------------------------------------------------------------------------------ */

tm_status random_columns_values(double **out, const random_columns *columns, tm_cancel *cancel,
                                tm_error *err)
{
    size_t n = columns->n, p = columns->p, count;
    double bytes = 8.0 * (double)n * (double)p;
    if (bytes > mem_physical() || __builtin_mul_overflow(n, p, &count))
        return tm_fail(err, TM_EUSAGE,
                       "n = %zu and p = %zu need %.1f GB, this machine has %.1f GB; choose smaller "
                       "sizes",
                       n, p, bytes / 1e9, mem_physical() / 1e9);
    double *values = mem_array(count, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "synthetic data");
    for (size_t j = 0; j < p; j++) {
        if (tm_cancel_poll(cancel)) {
            free(values);
            return tm_fail(err, TM_ECANCELLED, "cancelled while making synthetic data");
        }
        random_columns_draw(columns, j, values + j * n);
    }
    *out = values;
    return TM_OK;
}

tm_status random_places(size_t *places, size_t k, size_t p, tm_rng *rng, tm_error *err)
{
    size_t *order = mem_array(p, sizeof *order);
    if (!order)
        return tm_fail_memory(err, "synthetic data");
    for (size_t j = 0; j < p; j++)
        order[j] = j;
    for (size_t i = 0; i < k; i++) {
        size_t other = i + tm_rng_below(rng, p - i);
        places[i] = order[other];
        order[other] = order[i];
    }
    free(order);
    qsort(places, k, sizeof *places, order_sizes);
    return TM_OK;
}

/* ---- the response -------------------------------------------------------------------------- */

static bool find_median(double *median, const double *y, size_t n)
{
    double *sorted = mem_array(n, sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, y, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, order_reals);
    *median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    free(sorted);
    return true;
}

static tm_status respond(double *y, const random_problem *problem, const tm_matrix *x,
                         tm_error *err)
{
    tm_rng rng;
    size_t n = problem->columns.n;
    double shift = problem->shift;
    for (size_t j = 0; j < problem->columns.p; j++)
        if (problem->truth[j] != 0)
            tm_matrix_axpy(x, j, problem->truth[j], y);
    random_stream(&rng, &problem->columns, RANDOM_NOISE);
    for (size_t i = 0; problem->noise > 0 && i < n; i++)
        y[i] += problem->noise * tm_rng_normal(&rng);
    if (problem->balanced && !find_median(&shift, y, n))
        return tm_fail_memory(err, "synthetic data");
    for (size_t i = 0; !problem->numeric && i < n; i++)
        y[i] = y[i] - shift >= 0 ? 1 : -1;
    return TM_OK;
}

/* Generates all columns: starts[j + 1] is set to the number of nonzero entries up to column j, and
 * the entries are stored if arrays for them are given. */
static tm_status draw_entries(const random_columns *columns, double *column, uint64_t *starts,
                              uint32_t *rows, double *values, tm_cancel *cancel)
{
    uint64_t count = 0;
    starts[0] = 0;
    for (size_t j = 0; j < columns->p; j++) {
        if (tm_cancel_poll(cancel))
            return TM_ECANCELLED;
        random_columns_draw(columns, j, column);
        for (size_t i = 0; i < columns->n; i++) {
            if (column[i] == 0)
                continue;
            if (rows) {
                rows[count] = (uint32_t)i;
                values[count] = column[i];
            }
            count++;
        }
        starts[j + 1] = count;
    }
    return TM_OK;
}

/* The nonzero entries: counted first, and generated again when their number is known. */
static tm_status make_sparse(tm_matrix **out, const random_columns *columns, tm_cancel *cancel,
                             tm_error *err)
{
    uint32_t *rows = NULL;
    double *values = NULL, *column = mem_array(columns->n, sizeof *column);
    uint64_t *starts = mem_array(columns->p + 1, sizeof *starts);
    tm_status status = TM_ENOMEM;
    if (column && starts)
        status = draw_entries(columns, column, starts, NULL, NULL, cancel);
    if (status == TM_OK) {
        rows = mem_array((size_t)starts[columns->p], sizeof *rows);
        values = mem_array((size_t)starts[columns->p], sizeof *values);
        status = rows && values ? draw_entries(columns, column, starts, rows, values, cancel)
                                : TM_ENOMEM;
    }
    free(column);
    if (status == TM_OK)
        return tm_matrix_new_csc(out, columns->n, columns->p, starts, rows, values, err);
    free(starts);
    free(rows);
    free(values);
    return status == TM_ENOMEM ? tm_fail_memory(err, "synthetic data")
                               : tm_fail(err, status, "cancelled while making synthetic data");
}

static tm_status make_matrix(tm_matrix **out, const random_problem *problem, tm_cancel *cancel,
                             tm_error *err)
{
    const random_columns *columns = &problem->columns;
    if (problem->storage == STORE_NOT)
        return matrix_new_generated(out, columns, err);
    if (columns->density > 0 && problem->storage == STORE_DOUBLE)
        return make_sparse(out, columns, cancel, err);
    double *values;
    tm_status status = random_columns_values(&values, columns, cancel, err);
    if (status == TM_OK)
        status = tm_matrix_new_dense(out, columns->n, columns->p, values, err);
    return status == TM_OK && problem->storage == STORE_FLOAT ? tm_matrix_to_float(*out, err)
                                                              : status;
}

static tm_status make_parts(tm_dataset_parts *parts, const random_problem *problem,
                            tm_cancel *cancel, tm_error *err)
{
    const random_columns *columns = &problem->columns;
    tm_status status = make_matrix(&parts->x, problem, cancel, err);
    if (status != TM_OK)
        return status;
    parts->response.y = mem_zeros(columns->n, sizeof *parts->response.y);
    return parts->response.y ? respond(parts->response.y, problem, parts->x, err)
                             : tm_fail_memory(err, "synthetic data");
}

tm_status random_problem_make(tm_dataset **out, random_problem *problem, const char *name,
                              const char *note, tm_cancel *cancel, tm_error *err)
{
    tm_dataset_parts parts = {.name = name, .note = note, .response.numeric = problem->numeric};
    tm_status status = make_parts(&parts, problem, cancel, err);
    parts.features.truth = problem->truth;
    parts.features.edges = problem->edges;
    parts.features.edge_count = problem->edge_count;
    problem->truth = NULL;
    problem->edges = NULL;
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    tm_matrix_unref(parts.x);
    free(parts.response.y);
    free(parts.features.truth);
    free(parts.features.edges);
    return status;
}
