/* The options of HDF5 files, as rows of tm_reader_params. */
#ifndef DATA_READ_HDF5_HDF5_H
#define DATA_READ_HDF5_HDF5_H

#include "tamis/params.h"

#define HDF5_OPTIONS READ_TEXT("layer", "AnnData: the layer that is read, or raw; X otherwise"),

#endif
