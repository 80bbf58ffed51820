#include "cli/ranks/comm.h"

#include "base/cancel_grace.h"
#include "base/cancel_time.h"
#include "base/clock.h"
#include "base/ranks/agree.h"
#include "cli/common/ranks.h"
#include "run/job.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* So many numbers, passes are made of that, are gathered with a word of each process: the signal
 * that it has got, and its time. */
enum { WITH_A_WORD = 1 << 13, WORD = 2 };

/* Opens the module beside the program in a build, or where it is installed. MPI finds its own
 * plugins only if its symbols are global. */
static void *open_module(void)
{
    char path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    char *slash = NULL;
    if (length > 0) {
        path[length] = '\0';
        slash = strrchr(path, '/');
    }
    if (slash) {
        strcpy(slash, "/../mpi/libtamis-mpi.so");
        void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (handle)
            return handle;
    }
    return dlopen(MPI_MODULE_DIR "/libtamis-mpi.so", RTLD_NOW | RTLD_GLOBAL);
}

/* ---- signals and the time ------------------------------------------------------------------ */

/* The job, which the main thread may be about to name. */
static tm_job *find_job(cli_comm *c)
{
    const struct timespec moment = {0, 1000000};
    tm_job *job;
    while (!(job = atomic_load(&c->job)))
        nanosleep(&moment, NULL);
    return job;
}

static void stop_job(cli_comm *c, int signal)
{
    atomic_store(&c->stopped, signal);
    tm_job *job = find_job(c);
    cancel_keep_step(job->cancel);
    tm_job_cancel(job);
}

void cli_comm_count_time(cli_comm *comm)
{
    comm->began = clock_now();
}

/* What a process says with its numbers. */
static void write_word(const cli_comm *c, double *word)
{
    word[0] = atomic_load(&c->asked);
    word[1] = c->began > 0 ? clock_now() - c->began : 0;
}

static void read_words(cli_comm *c, int signal, double seconds)
{
    if (c->began > 0)
        cancel_tell_time(find_job(c)->cancel, seconds);
    if (signal > 0)
        stop_job(c, signal);
}

static void gather(const tm_comm *comm, const double *mine, double *all, const int *counts)
{
    cli_comm *c = comm->payload;
    size_t size = (size_t)comm->size, own = (size_t)counts[comm->rank], total = 0;
    for (size_t r = 0; r < size; r++)
        total += (size_t)counts[r];
    c->received += total - own;
    if (total > WITH_A_WORD) {
        c->plain.gather(&c->plain, mine, all, counts);
        return;
    }
    c->received += WORD * (size - 1);
    for (size_t r = 0; r < size; r++)
        c->counts[r] = counts[r] + WORD;
    memcpy(c->mine, mine, own * sizeof *mine);
    write_word(c, c->mine + own);
    c->plain.gather(&c->plain, c->mine, c->all, c->counts);
    const double *next = c->all, seconds = c->all[counts[0] + 1];
    int signal = 0;
    for (size_t r = 0; r < size; r++) {
        memcpy(all, next, (size_t)counts[r] * sizeof *all);
        all += counts[r];
        next += counts[r];
        signal = *next > signal ? (int)*next : signal;
        next += WORD;
    }
    read_words(c, signal, seconds);
}

static void broadcast(const tm_comm *comm, double *values, size_t count, int root)
{
    cli_comm *c = comm->payload;
    c->received += root == comm->rank ? 0 : count;
    c->plain.broadcast(&c->plain, values, count, root);
}

void cli_comm_stop(cli_comm *comm, int signal)
{
    atomic_store(&comm->asked, signal);
}

/* ---- opening ------------------------------------------------------------------------------- */

/* The communication that the library gets. */
static tm_status make_comm(cli_comm *c, tm_error *err)
{
    size_t size = (size_t)c->plain.size;
    c->mine = malloc((WITH_A_WORD + WORD) * sizeof *c->mine);
    c->all = malloc((WITH_A_WORD + WORD * size) * sizeof *c->all);
    c->counts = malloc(size * sizeof *c->counts);
    c->comm = (tm_comm){c->plain.rank, c->plain.size, gather, broadcast, c};
    bool enough = c->mine && c->all && c->counts;
    return comm_share(&c->comm, enough ? TM_OK : tm_fail_memory(err, "the processes"), err);
}

tm_status cli_comm_open(cli_comm *out, tm_error *err)
{
    *out = (cli_comm){0};
    cli_ranks ranks = cli_ranks_find();
    if (ranks.count < 2)
        return tm_fail(err, TM_EUSAGE,
                       "'--shard-columns' and '--shard-rows' are for several processes: mpirun -n "
                       "N tamis fit ...");
    out->handle = open_module();
    if (!out->handle)
        return tm_fail(err, TM_EUSAGE,
                       "tamis was built without MPI, or MPI cannot be loaded: %.300s", dlerror());
    out->module = dlsym(out->handle, "tamis_mpi");
    if (!out->module || out->module->begin(&out->plain) != 0) {
        out->module = NULL;
        return tm_fail(err, TM_EUSAGE, "MPI cannot be used here: it needs MPI_THREAD_SERIALIZED");
    }
    if (out->plain.rank > 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null >= 0) {
            dup2(null, STDOUT_FILENO);
            close(null);
        }
    }
    return make_comm(out, err);
}

tm_status cli_comm_watch(cli_comm *comm, peers_lost *lost, void *payload, tm_error *err)
{
    return peers_watch_begin(&comm->watch, &comm->comm, lost, payload, err);
}

/* The module stays loaded, as MPI cannot be unloaded safely. */
void cli_comm_close(cli_comm *comm, bool failed)
{
    peers_watch_close(&comm->watch);
    if (comm->module)
        comm->module->end(failed);
    peers_watch_end(&comm->watch);
    free(comm->mine);
    free(comm->all);
    free(comm->counts);
    *comm = (cli_comm){0};
}
