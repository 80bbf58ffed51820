/* tests/data/make_mat.c: writes mat/v73_matio_sparse.mat, a sparse matrix in version 7.3, with
 * matio: cc make_mat.c -lmatio && ./a.out mat/v73_matio_sparse.mat */
#include <matio.h>

int main(int argc, char **argv)
{
    size_t of_x[] = {4, 3}, of_y[] = {4, 1};
    double values[] = {1, 4, 2, 3, 5.5}, y[] = {1, 2, 2.5, 4};
    mat_uint32_t rows[] = {0, 2, 1, 0, 3}, starts[] = {0, 2, 3, 5};
    mat_sparse_t sparse = {5, rows, 5, starts, 4, 5, values};
    mat_t *file = argc > 1 ? Mat_CreateVer(argv[1], NULL, MAT_FT_MAT73) : NULL;
    if (!file)
        return 1;
    matvar_t *v =
        Mat_VarCreate("X", MAT_C_SPARSE, MAT_T_DOUBLE, 2, of_x, &sparse, MAT_F_DONT_COPY_DATA);
    Mat_VarWrite(file, v, MAT_COMPRESSION_NONE);
    Mat_VarFree(v);
    v = Mat_VarCreate("y", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, of_y, y, 0);
    Mat_VarWrite(file, v, MAT_COMPRESSION_NONE);
    Mat_VarFree(v);
    return Mat_Close(file);
}
