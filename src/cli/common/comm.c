#include "cli/common/comm.h"

#include "cli/common/ranks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

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
    if (!out->module || out->module->begin(&out->comm) != 0) {
        out->module = NULL;
        return tm_fail(err, TM_EUSAGE, "MPI cannot be used here: it needs MPI_THREAD_SERIALIZED");
    }
    if (out->comm.rank > 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null >= 0) {
            dup2(null, STDOUT_FILENO);
            close(null);
        }
    }
    return TM_OK;
}

/* The module stays loaded, as MPI cannot be unloaded safely. */
void cli_comm_close(cli_comm *comm)
{
    if (comm->module)
        comm->module->end();
    *comm = (cli_comm){0};
}
