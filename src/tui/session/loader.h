/* Loading data on a thread of its own. */
#ifndef TUI_SESSION_LOADER_H
#define TUI_SESSION_LOADER_H

#include "tamis/dataset.h"
#include "tamis/params.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct loader loader;

/* Starts to load `path` with the reader's options (copied; NULL: the defaults), or to make the
 * built-in example when it is NULL. `wake_fd` (an eventfd) is written when there is progress or an
 * end. */
tm_status loader_start(loader **out, const char *path, const tm_params *params, uint64_t seed,
                       int wake_fd, tm_error *err);
const char *loader_name(const loader *l);
uint64_t loader_bytes(const loader *l); /* read so far */
double loader_share(const loader *l);   /* 0..1, negative: unknown */
/* True when it has ended; then *status is set, and *data (passed to the caller) or *err. */
bool loader_ended(loader *l, tm_dataset **data, tm_status *status, tm_error *err);
/* Cancels the work and releases the loader. If a read blocks, the thread may run a little longer;
 * it then cleans up itself. */
void loader_free(loader *l);

#endif
