#include "cli/ranks/shard.h"

#include "base/ranks/agree.h"
#include "base/text.h"
#include "cli/common/load.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"
#include "data/ranks/row_shard.h"
#include "data/ranks/sharded.h"
#include "data/shards/shards.h"
#include "solve/common/method.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool given(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) && tm_params_given(params, name);
}

/* Sets one thread, so that all ranks compute in the same order. */
static tm_status keep_in_step(tm_params *params, const char *option, tm_error *err)
{
    if (given(params, "threads") && tm_params_int(params, "threads") > 1)
        return tm_fail(err, TM_EUSAGE,
                       "'--threads' is not for '--%s': start more processes instead", option);
    return tm_params_find(params, "threads", NULL) ? tm_params_set_int(params, "threads", 1, err)
                                                   : TM_OK;
}

/* The resident memory of the process in bytes; 0 if it cannot be read. */
static double resident(void)
{
    char line[128] = "";
    long pages;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    bool got = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    char *second = got ? strchr(line, ' ') : NULL;
    if (second)
        second[1 + strcspn(second + 1, " ")] = '\0';
    return second && text_to_long(second + 1, &pages)
               ? (double)pages * (double)sysconf(_SC_PAGESIZE)
               : 0;
}

/* All ranks' values, `count` of each; freed by the caller. */
static double *collect(const tm_comm *comm, const double *mine, size_t count)
{
    size_t size = (size_t)comm->size;
    double *all = calloc(size * count, sizeof *all);
    int *counts = calloc(size, sizeof *counts);
    if (!all || !counts)
        abort(); /* the others wait for this rank: ending it ends them */
    for (size_t r = 0; r < size; r++)
        counts[r] = (int)count;
    comm->gather(comm, mine, all, counts);
    free(counts);
    return all;
}

/* `whole` is the size of all columns, in memory or in the file that they are read from in place. */
static void tell_memory(size_t p, double whole, const cli_comm *comm, const cli_context *context)
{
    size_t size = (size_t)comm->comm.size, rank = (size_t)comm->comm.rank;
    size_t kept_columns = (p + size - rank - 1) / size;
    double mine[2] = {p > 0 ? whole * (double)kept_columns / (double)p : 0, resident()};
    double *all = collect(&comm->comm, mine, 2);
    for (size_t r = 0; r < size && rank == 0; r++) {
        char kept[32], used[32], total[32];
        report_bytes(all[2 * r], kept, sizeof kept);
        report_bytes(all[2 * r + 1], used, sizeof used);
        report_bytes(whole, total, sizeof total);
        cli_remark(context, "rank %zu keeps %s of %s of columns, and has %s in memory", r, kept,
                   total, used);
    }
    free(all);
}

static double bytes_received(const cli_comm *comm)
{
    return (double)(comm->received * sizeof(double));
}

/* Sums cost each rank all others' numbers. No way to add vectors of N processes sends less than
 * 2 (N - 1) / N of a vector to each. Sums that are made one at a time, and what else the processes
 * tell each other, are in the whole. */
static void tell_sums(const tm_dataset *data, const cli_comm *comm, const cli_context *context)
{
    double size = comm->comm.size, summed = (double)matrix_summed(tm_dataset_x(data));
    double received = 8 * summed * (size - 1);
    double mine[2] = {resident(), bytes_received(comm)}, *all = collect(&comm->comm, mine, 2);
    char bytes[32], used[32], whole[32];
    report_bytes(received, bytes, sizeof bytes);
    if (comm->comm.rank == 0)
        cli_remark(context, "each rank received %s for %.0f sums, %.2f times the least", bytes,
                   summed, size / 2);
    for (size_t r = 0; r < (size_t)comm->comm.size && comm->comm.rank == 0; r++) {
        report_bytes(all[2 * r], used, sizeof used);
        report_bytes(all[2 * r + 1], whole, sizeof whole);
        cli_remark(context, "rank %zu has %s in memory, and received %s in all", r, used, whole);
    }
    free(all);
}

void shard_tell_traffic(const tm_dataset *data, const cli_comm *comm, const cli_context *context)
{
    if (matrix_row_comm(tm_dataset_x(data))) {
        tell_sums(data, comm, context);
        return;
    }
    size_t size = (size_t)comm->comm.size, p = tm_dataset_cols(data);
    matrix_traffic traffic = matrix_shard_traffic(tm_dataset_x(data));
    double mine[4] = {(double)traffic.product_bytes, (double)traffic.column_bytes,
                      bytes_received(comm), resident()};
    double *all = collect(&comm->comm, mine, 4);
    double passes = (double)traffic.products / (double)p;
    for (size_t r = 0; r < size && comm->comm.rank == 0; r++) {
        char products[32], columns[32], whole[32], used[32];
        double others = (double)(p - (p + size - r - 1) / size);
        report_bytes(all[4 * r], products, sizeof products);
        report_bytes(all[4 * r + 1], columns, sizeof columns);
        report_bytes(all[4 * r + 2], whole, sizeof whole);
        report_bytes(all[4 * r + 3], used, sizeof used);
        cli_remark(context,
                   "rank %zu received %s of products, %.2f times 8 bytes for each of the others' "
                   "columns in %.2f passes, and %s in %llu columns; %s in all; it has %s in memory",
                   r, products, all[4 * r] / (8 * others * passes), passes, columns,
                   (unsigned long long)traffic.columns, whole, used);
    }
    free(all);
}

/* ---- loading ------------------------------------------------------------------------------- */

char *shard_file(const char *path, size_t number, size_t count)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path), size = strlen(path) + 48;
    char *file = malloc(size);
    if (file)
        snprintf(file, size, "%.*s.%zuof%zu%s", (int)stem, path, number, count, dot ? dot : "");
    return file;
}

tm_status shard_load(tm_dataset **out, const char *path, const tm_params *params,
                     const cli_comm *comm, const cli_context *context, tm_error *err)
{
    size_t size = (size_t)comm->comm.size;
    if (!comm->module)
        return cli_load(out, path, params, context, err);
    char *own = shard_file(path, (size_t)comm->comm.rank + 1, size);
    if (!own)
        return tm_fail_memory(err, "the name of a file");
    bool divided = access(path, F_OK) != 0 && access(own, F_OK) == 0;
    tm_status status = cli_load(out, divided ? own : path, params, context, err);
    free(own);
    return status;
}

bool shard_is_part(const tm_dataset *data)
{
    shard_origin of;
    return shard_find_origin(&of, data);
}

/* All processes read one file, or each of them its part: the same in all. */
static tm_status agree_on_files(const tm_comm *comm, const tm_dataset *data, bool divided,
                                tm_status status, tm_error *err)
{
    status = comm_share(comm, status, err);
    if (status == TM_OK && !comm_agree(comm, divided))
        status = tm_fail(err, TM_EDATA,
                         "%s: some processes have read a part of the data, and others the whole",
                         tm_dataset_name(data));
    return status;
}

/* ---- columns ------------------------------------------------------------------------------- */

static tm_status fail_other_part(const tm_dataset *data, const shard_origin *of, tm_error *err)
{
    return tm_fail(err, TM_EUSAGE, "%s has some of the %s of a data set: use '--shard-%s'",
                   tm_dataset_name(data), of->part.rows ? "rows" : "columns",
                   of->part.rows ? "rows" : "columns");
}

static tm_status take_columns(tm_dataset **data, tm_params *params, const cli_comm *comm,
                              const cli_context *context, tm_error *err)
{
    tm_dataset *shard;
    double whole = (double)tm_matrix_bytes(tm_dataset_x(*data));
    shard_origin of;
    bool divided = shard_find_origin(&of, *data);
    tm_status status = keep_in_step(params, "shard-columns", err);
    if (status == TM_OK && divided && of.part.rows)
        status = fail_other_part(*data, &of, err);
    status = agree_on_files(&comm->comm, *data, divided, status, err);
    if (status == TM_OK)
        status = divided ? tm_dataset_join(&shard, *data, &comm->comm, err)
                         : tm_dataset_shard(&shard, *data, &comm->comm, err);
    if (divided && status == TM_OK)
        whole *= (double)of.p / (double)tm_dataset_cols(*data);
    if (status != TM_OK)
        return status;
    tm_dataset_unref(*data);
    *data = shard;
    malloc_trim(0); /* return the memory of the whole matrix to the system */
    tell_memory(tm_dataset_cols(shard), whole, comm, context);
    return TM_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static tm_status check_method(const shard_fit *fit, tm_error *err)
{
    char list[128];
    if (method_uses_sums(fit->method, fit->params) || fit->method->l1)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE,
                   "'--shard-rows' is for l1logistic, l1svm and the squared loss of %s, where sums "
                   "stand for the rows; use '--shard-columns'",
                   method_sums_list(list, sizeof list));
}

typedef struct kept_rows {
    double entries, bytes; /* of the rank's rows, in memory or in the file they are read from */
} kept_rows;

/* Replaces *data by the rank's own rows, unless these are all that it has read. */
static tm_status take_own_rows(tm_dataset **data, kept_rows *kept, const cli_comm *comm,
                               tm_error *err)
{
    double bytes = (double)tm_matrix_bytes(tm_dataset_x(*data)), n = (double)tm_dataset_rows(*data);
    size_t size = (size_t)comm->comm.size, rank = (size_t)comm->comm.rank;
    shard_origin of;
    tm_part part = {true, rank + 1, size};
    tm_dataset *own = NULL;
    bool divided = shard_find_origin(&of, *data);
    tm_status status = divided && !of.part.rows ? fail_other_part(*data, &of, err) : TM_OK;
    if (status == TM_OK && divided && (of.part.count != size || of.part.number != rank + 1))
        status = tm_fail(err, TM_EDATA, "%s is part %zu of %zu, and this is process %zu of %zu",
                         tm_dataset_name(*data), of.part.number, of.part.count, rank + 1, size);
    if (status == TM_OK && !divided)
        status = tm_dataset_part(&own, *data, &part, err);
    status = agree_on_files(&comm->comm, *data, divided, status, err);
    if (status == TM_OK && own) {
        tm_dataset_unref(*data);
        *data = own;
    } else {
        tm_dataset_unref(own);
    }
    const tm_matrix *x = tm_dataset_x(*data);
    *kept = (kept_rows){(double)tm_matrix_nnz(x), bytes * (double)tm_matrix_rows(x) / n};
    return status;
}

/* Of what each rank keeps, and the entries of the whole. `sent`: bytes that each has sent so far.
 */
static void tell_rows(shard_size *whole, const kept_rows *own, double sent, const cli_comm *comm,
                      const cli_context *context)
{
    double mine[3] = {own->entries, own->bytes, resident()};
    double *all = collect(&comm->comm, mine, 3);
    for (size_t r = 0; r < (size_t)comm->comm.size; r++) {
        char kept[32], used[32], told[96] = "", bytes[32];
        whole->nnz += (uint64_t)all[3 * r];
        report_bytes(all[3 * r + 1], kept, sizeof kept);
        report_bytes(all[3 * r + 2], used, sizeof used);
        report_bytes(sent, bytes, sizeof bytes);
        if (sent > 0)
            snprintf(told, sizeof told, ", and sent %s, its sums of products", bytes);
        if (comm->comm.rank == 0)
            cli_remark(context, "rank %zu keeps %s of rows, has %s in memory%s", r, kept, used,
                       told);
    }
    free(all);
}

static tm_status take_rows(tm_dataset **data, shard_size *whole, const shard_fit *fit,
                           const cli_comm *comm, const cli_context *context, tm_error *err)
{
    tm_dataset *shared;
    kept_rows own;
    tm_status status = check_method(fit, err);
    whole->condensed = status == TM_OK && method_uses_sums(fit->method, fit->params);
    if (status == TM_OK && !whole->condensed)
        status = keep_in_step(fit->params, "shard-rows", err);
    status = comm_share(&comm->comm, status, err);
    if (status == TM_OK)
        status = take_own_rows(data, &own, comm, err);
    if (status == TM_OK)
        status = whole->condensed ? tm_dataset_condense(&shared, *data, &comm->comm, &whole->n, err)
                                  : tm_dataset_share_rows(&shared, *data, &comm->comm, err);
    if (status != TM_OK)
        return status;
    double p = (double)tm_dataset_cols(shared);
    if (!whole->condensed)
        whole->n = matrix_all_rows(tm_dataset_x(shared));
    tell_rows(whole, &own, whole->condensed ? 4 * (p + 2) * (p + 3) : 0, comm, context);
    tm_dataset_unref(*data);
    *data = shared;
    malloc_trim(0);
    return TM_OK;
}

tm_status shard_data(tm_dataset **data, shard_size *whole, const shard_fit *fit,
                     const cli_comm *comm, const cli_context *context, tm_error *err)
{
    return !comm->module ? TM_OK
           : fit->rows   ? take_rows(data, whole, fit, comm, context, err)
                         : take_columns(data, fit->params, comm, context, err);
}
