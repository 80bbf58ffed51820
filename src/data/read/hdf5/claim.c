/* What datasets of damaged HDF5 files claim to hold. libhdf5 makes memory of it, and fills it with
 * zeros, before it finds that it cannot be read: a file of 2 kB with values of gigabytes each took
 * 8 s. */
#ifdef HDF5_SONAME

#include "data/read/hdf5/library.h"

/* Bytes that any dataset may claim, and any chunk. */
static const double SMALL_CLAIM = 1 << 25;
/* Beyond, so many for each stored byte: deflate packs 1,032 into one at most, others pack zeros
 * more. */
static const double MOST_PACKED = 1e5;
/* Beyond, chunks of so many times the dataset: one that is to grow may have a chunk for more. */
static const double MOST_AHEAD = 16;

/* The values of a chunk; 0: there are none. */
static double chunk_of(libhdf5 *f, hid_t dataset)
{
    hsize_t sizes[H5S_MAX_RANK];
    hid_t made = f->h.H5Dget_create_plist(dataset);
    double values = made >= 0 && f->h.H5Pget_layout(made) == H5D_CHUNKED;
    int dimensions = values > 0 ? f->h.H5Pget_chunk(made, H5S_MAX_RANK, sizes) : 0;
    for (int k = 0; k < dimensions; k++)
        values *= (double)sizes[k];
    if (made >= 0)
        f->h.H5Pclose(made);
    return values;
}

bool libhdf5_can_hold(libhdf5 *f, hid_t dataset, hid_t type, uint64_t count)
{
    uint64_t stored = f->h.H5Dget_storage_size(dataset);
    double size = (double)f->h.H5Tget_size(type), bytes = size * (double)count;
    double chunk = size * chunk_of(f, dataset);
    return (chunk <= SMALL_CLAIM || chunk <= MOST_AHEAD * bytes) &&
           (bytes <= SMALL_CLAIM ||
            (stored <= f->heap.size && bytes <= MOST_PACKED * (double)stored));
}

#endif
