/* Watches over the processes of a run: one that is killed takes no part in what the others wait
 * for, which would then wait without end. */
#ifndef CLI_RANKS_PEERS_H
#define CLI_RANKS_PEERS_H

#include "run/store/owner.h"
#include "tamis/comm.h"
#include "tamis/error.h"

#include <pthread.h>

/* Called in the first of the processes that are left, when process `rank` was found to have ended.
 */
typedef void peers_lost(int rank, void *payload);

typedef struct peers_watch {
    int rank, size;
    owner *peers; /* NULL: not begun */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool closing, ended; /* guarded by `lock` */
    peers_lost *lost;
    void *payload;
} peers_watch;

/* Exchanges with all processes of `comm` who they are, and from then on looks several times a
 * second whether those of this host are alive. When one has died, `lost` is called and this process
 * exits.
 */
tm_status peers_watch_begin(peers_watch *watch, const tm_comm *comm, peers_lost *lost,
                            void *payload, tm_error *err);
/* The processes are about to end, one a little sooner than the other. */
void peers_watch_close(peers_watch *watch);
void peers_watch_end(peers_watch *watch);

#endif
