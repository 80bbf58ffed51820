/* Makes HDF5 files whose dataset X is elsewhere; run in the project's folder:
 * h5cc -o make_outside tests/data/make_outside.c && ./make_outside */
#include <hdf5.h>

static hid_t create(const char *path)
{
    return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

int main(void)
{
    hsize_t size[2] = {4, 2};
    hid_t file = create("tests/data/outside_link.h5"), space = H5Screate_simple(2, size, NULL);
    H5Lcreate_external("plain.h5", "X", file, "X", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);

    file = create("tests/data/outside_raw.h5");
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(how, "tests/data/plain.h5", 0, 64);
    H5Dclose(H5Dcreate2(file, "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Fclose(file);

    file = create("tests/data/outside_virtual.h5");
    how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(how, space, "plain.h5", "X", space);
    H5Dclose(H5Dcreate2(file, "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    return H5Fclose(file) < 0;
}
