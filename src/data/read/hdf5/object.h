/* What can be at a path of an HDF5 file. */
#ifndef DATA_READ_HDF5_OBJECT_H
#define DATA_READ_HDF5_OBJECT_H

typedef enum hdf5_object { HDF5_NONE, HDF5_GROUP, HDF5_DATASET, HDF5_OTHER } hdf5_object;

#endif
