/* The setup that a thread needs before it calls OpenBLAS. */
#ifndef BASE_NUMERIC_BLAS_H
#define BASE_NUMERIC_BLAS_H

#include "tamis/error.h"

#include <stdbool.h>

/* Limits OpenBLAS to one thread, a setting of the process: systems here are small, its idle threads
 * spin, and workers already share the cores. Also checks that there is memory for the buffer that
 * OpenBLAS allocates: if there is none it retries without end, so that TM_ENOMEM is returned here
 * instead. */
tm_status blas_begin(tm_error *err);

/* False when threads that OpenBLAS started when it was loaded, about one for each core, may be
 * retrying the allocation of their buffers without end: exit, which waits for them, would not
 * return. */
bool blas_ends(void);

#endif
