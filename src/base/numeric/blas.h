/* Setup required before a thread calls OpenBLAS. */
#ifndef BASE_NUMERIC_BLAS_H
#define BASE_NUMERIC_BLAS_H

#include "tamis/error.h"

#include <stdbool.h>

/* One thread for OpenBLAS, whose count belongs to the process: systems here are small, its idle
 * threads spin, and workers share the cores already. And room for the buffer that it will ask for:
 * when there is none OpenBLAS asks again without end, so TM_ENOMEM is told here. */
tm_status blas_begin(tm_error *err);

/* False when threads that OpenBLAS made as it was loaded, about one for each core, may be asking
 * for their buffers without end: exit, which waits for them, would not end. */
bool blas_ends(void);

#endif
