/* What a file format offers to tm_write: one function each, listed in write.c. */
#ifndef DATA_WRITE_FORMAT_H
#define DATA_WRITE_FORMAT_H

#include "data/write/output.h"
#include "tamis/dataset.h"

typedef struct write_request {
    const tm_dataset *data;
    output *out;
    output *response;  /* file of the response, for formats that keep it apart; else NULL */
    double classes[2]; /* the numbers that stand for the classes -1 and +1 */
    double *scratch;   /* room for a column */
} write_request;

/* The response of row i as a number. */
static inline double write_response(const write_request *request, size_t i)
{
    double y = tm_dataset_y(request->data)[i];
    return tm_dataset_is_binary(request->data) ? request->classes[y > 0] : y;
}

/* Failures of the outputs are sticky; the status is that of everything else. */
typedef tm_status write_function(const write_request *request, tm_error *err);

/* Its file is not written from front to back, and so it opens it itself. */
tm_status write_tam(const tm_dataset *data, const char *path, tm_cancel *cancel, tm_error *err);

write_function write_libsvm, write_csv, write_tsv, write_mtx, write_npy, write_npz;

#endif
