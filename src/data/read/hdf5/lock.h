/* libhdf5 is built without locks and has global state: only one thread at a time may use it, or a
 * library that calls it, from opening a file to closing it. */
#ifndef DATA_READ_HDF5_LOCK_H
#define DATA_READ_HDF5_LOCK_H

void hdf5_lock(void);
void hdf5_unlock(void);

#endif
