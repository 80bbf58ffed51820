/* libhdf5 is built without locks and holds state of the process: one thread at a time is in it, or
 * in a library that calls it, from opening a file to closing it. */
#ifndef DATA_READ_FORMAT_HDF5_LOCK_H
#define DATA_READ_FORMAT_HDF5_LOCK_H

void hdf5_lock(void);
void hdf5_unlock(void);

#endif
