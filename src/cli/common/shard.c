#include "cli/common/shard.h"

#include "base/text.h"
#include "cli/print/messages.h"
#include "cli/print/report.h"

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

/* `whole` is the size of all columns, in memory or in the file that they are read from in place. */
static void tell_memory(size_t p, double whole, const cli_comm *comm, const cli_context *context)
{
    int size = comm->comm.size, rank = comm->comm.rank;
    size_t kept_columns = (p + (size_t)(size - rank) - 1) / (size_t)size;
    double mine[2] = {p > 0 ? whole * (double)kept_columns / (double)p : 0, resident()};
    double *all = calloc((size_t)size * 2, sizeof *all);
    int *counts = calloc((size_t)size, sizeof *counts);
    if (!all || !counts)
        abort(); /* the others wait for this rank: ending it ends them */
    for (int r = 0; r < size; r++)
        counts[r] = 2;
    comm->comm.gather(&comm->comm, mine, all, counts);
    for (int r = 0; r < size && comm->comm.rank == 0; r++) {
        char kept[32], used[32], total[32];
        report_bytes(all[2 * r], kept, sizeof kept);
        report_bytes(all[2 * r + 1], used, sizeof used);
        report_bytes(whole, total, sizeof total);
        cli_remark(context, "rank %d keeps %s of %s of columns, and has %s in memory", r, kept,
                   total, used);
    }
    free(all);
    free(counts);
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
