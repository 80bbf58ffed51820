/* Fuzz target: the HDF5 reader: libhdf5's answers are judged, and libhdf5 itself is run. */
#include "fuzz_reader.h"

#include <dlfcn.h>
#include <hdf5.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What libhdf5 keeps of damaged files is its own; what the reader has opened it has to close. */
static void check_closed(void)
{
    ssize_t (*count)(hid_t, unsigned) = NULL;
    void *library = dlopen(HDF5_SONAME, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, "H5Fget_obj_count") : NULL;
    memcpy(&count, &found, sizeof found);
    if (found && count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
        abort();
    if (library)
        dlclose(library);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(bytes, size, "hdf5", "label", "kind");
    fuzz_read(bytes, size, "hdf5", "label", "1");
    check_closed();
    return 0;
}
