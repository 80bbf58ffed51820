#include "cli/common/shard.h"

#include "base/text.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"
#include "data/matrix/sharded.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool given(const tm_params *params, const char *name)
{
    return tm_params_find(params, name, NULL) && tm_params_given(params, name);
}

/* Sets one thread, so that all ranks compute in the same order, and refuses limits that depend on a
 * clock. */
static tm_status keep_in_step(tm_params *params, tm_error *err)
{
    if (given(params, "max_seconds"))
        return tm_fail(err, TM_EUSAGE,
                       "'--max-seconds' is not for '--shard-columns': the processes would stop at "
                       "different steps");
    if (given(params, "threads") && tm_params_int(params, "threads") > 1)
        return tm_fail(err, TM_EUSAGE,
                       "'--threads' is not for '--shard-columns': start more processes instead");
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

void shard_tell_traffic(const tm_dataset *data, const cli_comm *comm, const cli_context *context)
{
    size_t size = (size_t)comm->comm.size, p = tm_dataset_cols(data);
    matrix_traffic traffic = matrix_shard_traffic(tm_dataset_x(data));
    double mine[3] = {(double)traffic.product_bytes, (double)traffic.column_bytes, resident()};
    double *all = collect(&comm->comm, mine, 3);
    double passes = (double)traffic.products / (double)p;
    for (size_t r = 0; r < size && comm->comm.rank == 0; r++) {
        char products[32], columns[32], used[32];
        double others = (double)(p - (p + size - r - 1) / size);
        report_bytes(all[3 * r], products, sizeof products);
        report_bytes(all[3 * r + 1], columns, sizeof columns);
        report_bytes(all[3 * r + 2], used, sizeof used);
        cli_remark(context,
                   "rank %zu received %s of products, %.2f times 8 bytes for each of the others' "
                   "columns in %.2f passes, and %s in %llu columns; it has %s in memory",
                   r, products, all[3 * r] / (8 * others * passes), passes, columns,
                   (unsigned long long)traffic.columns, used);
    }
    free(all);
}

tm_status shard_columns(tm_dataset **data, tm_params *params, const cli_comm *comm,
                        const cli_context *context, tm_error *err)
{
    tm_dataset *shard;
    double whole = (double)tm_matrix_bytes(tm_dataset_x(*data));
    tm_status status = keep_in_step(params, err);
    if (status == TM_OK)
        status = tm_dataset_shard(&shard, *data, &comm->comm, err);
    if (status != TM_OK)
        return status;
    tm_dataset_unref(*data);
    *data = shard;
    malloc_trim(0); /* return the memory of the whole matrix to the system */
    tell_memory(tm_dataset_cols(shard), whole, comm, context);
    return TM_OK;
}
