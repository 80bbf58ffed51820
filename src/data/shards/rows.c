/* Rows that several processes have, as one data set. */
#include "base/memory.h"
#include "base/ranks/agree.h"
#include "data/dataset_parts.h"
#include "data/matrix/shifted.h"
#include "data/ranks/row_shard.h"
#include "data/relabel.h"
#include "data/shards/moments.h"
#include "data/shards/shards.h"
#include "tamis/comm.h"

#include <stdlib.h>

/* The columns densely in memory, less `amounts` (NULL: as they are). */
static tm_status copy_rows(tm_matrix **out, const tm_matrix *x, const dataset_shift *by,
                           tm_error *err)
{
    size_t n = tm_matrix_rows(x), p = tm_matrix_cols(x);
    double *values = mem_array(n * p, sizeof *values);
    if (!values)
        return tm_fail_memory(err, "a part of the rows");
    for (size_t j = 0; j < p; j++)
        tm_matrix_column(x, j, values + j * n);
    for (size_t k = 0; by && k < by->count; k++)
        for (size_t i = 0; i < n; i++)
            values[by->features[k] * n + i] -= by->amounts[k];
    return tm_matrix_new_dense(out, n, p, values, err);
}

/* A copy, unless they are sparse, or densely in memory already. */
static tm_status store_rows(tm_matrix **out, const tm_dataset *own, tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(own);
    if (!matrix_is_plain(x) && !tm_matrix_is_sparse(x))
        return copy_rows(out, x, NULL, err);
    *out = tm_matrix_ref(x);
    return TM_OK;
}

static tm_status find_statistics(tm_dataset_parts *parts, const tm_matrix *own, const tm_comm *comm,
                                 tm_error *err)
{
    size_t p = tm_matrix_cols(own);
    free(parts->features.means);
    free(parts->features.deviations);
    parts->features.means = mem_array(p, sizeof(double));
    parts->features.deviations = mem_array(p, sizeof(double));
    bool enough = parts->features.means && parts->features.deviations;
    tm_status status =
        comm_share(comm, enough ? TM_OK : tm_fail_memory(err, "the columns' statistics"), err);
    return status == TM_OK ? shard_moments(parts->features.means, parts->features.deviations, own,
                                           NULL, comm, err)
                           : status;
}

/* A data set of these rows with everything else that `from` has. Takes the reference to `rows`,
 * which is NULL where `status` is a failure. */
static tm_status make_data(tm_dataset **out, tm_matrix *rows, const tm_dataset *from,
                           const char *sha256, const tm_comm *comm, tm_status status, tm_error *err)
{
    size_t p = tm_dataset_cols(from);
    tm_dataset_parts parts = {.name = tm_dataset_name(from),
                              .note = tm_dataset_note(from),
                              .response.numeric = !tm_dataset_is_binary(from),
                              .sha256 = sha256};
    *out = NULL;
    if (status == TM_OK)
        status = dataset_parts_copy(&parts, from, tm_dataset_weights(from), tm_dataset_offset(from),
                                    NULL, tm_dataset_rows(from), err);
    status = comm_share(comm, status, err);
    if (status == TM_OK)
        status = find_statistics(&parts, rows, comm, err);
    if (status == TM_OK)
        status = matrix_new_row_shard(&parts.x, rows, comm, err);
    else
        tm_matrix_unref(rows);
    if (status == TM_OK)
        status = tm_dataset_new(out, &parts, err);
    else
        dataset_parts_free(&parts, p);
    status = comm_share(comm, status, err);
    if (status != TM_OK) {
        tm_dataset_unref(*out);
        *out = NULL;
    }
    return status;
}

tm_status tm_dataset_share_rows(tm_dataset **out, const tm_dataset *own, const tm_comm *comm,
                                tm_error *err)
{
    shard_origin of;
    tm_matrix *rows = NULL;
    bool part = shard_find_origin(&of, own);
    *out = NULL;
    tm_status status = shard_check_rows(own, comm, err);
    if (status != TM_OK)
        return status; /* that of all processes */
    status = store_rows(&rows, own, err);
    return make_data(out, rows, own, part ? of.sha256 : NULL, comm, status, err);
}

tm_status shard_shifted_rows(tm_dataset **out, const tm_dataset *shared, const dataset_shift *by,
                             tm_error *err)
{
    const tm_matrix *x = tm_dataset_x(shared), *own = matrix_own_rows(x);
    tm_matrix *rows = NULL;
    tm_status status = tm_matrix_is_sparse(own) ? matrix_new_shifted(&rows, own, by->features,
                                                                     by->amounts, by->count, err)
                                                : copy_rows(&rows, own, by, err);
    return make_data(out, rows, shared, tm_dataset_sha256(shared), matrix_row_comm(x), status, err);
}
