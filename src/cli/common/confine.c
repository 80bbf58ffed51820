#include "cli/common/confine.h"

#include "base/memory.h"
#include "cli/common/settings.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_MB = 1000 }; /* default of --max-output */

/* Lowers the soft limit; SIGXFSZ is ignored so that a write fails instead. */
static void lower(int what, double bytes)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    if (limit.rlim_cur != RLIM_INFINITY && (double)limit.rlim_cur <= bytes)
        return;
    limit.rlim_cur = (rlim_t)bytes;
    setrlimit(what, &limit);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* The bytes of private memory that the process has now. */
static double data_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}
#endif

void cli_confine(const cli_context *context)
{
    struct stat about;
    const char *store = cli_store(context);
    double output = context->sandbox_output > 0 ? context->sandbox_output : OUTPUT_MB,
           kept = store && stat(store, &about) == 0 ? (double)about.st_size : 0;
    signal(SIGXFSZ, SIG_IGN);
    lower(RLIMIT_FSIZE, output * 1e6 + kept);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    double memory = context->sandbox_memory * 1e6;
    lower(RLIMIT_DATA, data_bytes() + (memory > 0 ? memory : mem_physical() / 2));
#endif
}
