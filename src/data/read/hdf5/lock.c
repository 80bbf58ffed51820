#include "data/read/hdf5/lock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void hdf5_lock(void)
{
    pthread_mutex_lock(&lock);
}

void hdf5_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
