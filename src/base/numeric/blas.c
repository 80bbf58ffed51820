#include "base/numeric/blas.h"

#include <cblas.h>
#include <pthread.h>
#include <sys/mman.h>

/* OpenBLAS's BUFFER_SIZE on 64-bit machines is at most 128 MB of address space; only the part that
 * is used becomes memory. */
static const size_t BUFFER_SIZE = ((size_t)128 << 20) + ((size_t)1 << 20);

static bool has_buffer_memory(size_t buffers)
{
    void *probe = mmap(NULL, buffers * BUFFER_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return probe != MAP_FAILED && munmap(probe, buffers * BUFFER_SIZE) == 0;
}

bool blas_ends(void)
{
    /* Threads without a buffer retry continuously, and would have taken this memory. */
    int cores = openblas_get_num_procs();
    return has_buffer_memory(cores > 1 ? (size_t)cores : 1);
}

tm_status blas_begin(tm_error *err)
{
    /* The library's only object that is not constant: it guards process-wide state. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Thread_local bool ready;
    if (ready)
        return TM_OK;
    pthread_mutex_lock(&lock);
    openblas_set_num_threads(1);
    ready = has_buffer_memory(1);
    double one = 1, square;
    if (ready) /* allocates the buffer, which OpenBLAS keeps */
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, 1, 1, 1.0, &one, 1, 0.0, &square, 1);
    pthread_mutex_unlock(&lock);
    return ready ? TM_OK : tm_fail_memory(err, "the buffer of OpenBLAS (128 MB of address space)");
}
