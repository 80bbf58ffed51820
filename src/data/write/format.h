/* The interface of a file format for tm_write: one write_format in its own file, and one row
 * here. */
#ifndef DATA_WRITE_FORMAT_H
#define DATA_WRITE_FORMAT_H

#include "data/write/output.h"
#include "tamis/writer.h"

typedef struct write_request {
    const tm_dataset *data;
    output *out;
    output *response;  /* file of the response, for formats with a separate one; else NULL */
    double classes[2]; /* the numbers used for the classes -1 and +1 */
    double *scratch;   /* scratch for a column */
} write_request;

/* The response of row i as a number. */
static inline double write_response(const write_request *request, size_t i)
{
    double y = tm_dataset_y(request->data)[i];
    return tm_dataset_is_binary(request->data) ? request->classes[y > 0] : y;
}

typedef struct write_format {
    tm_writer_info info; /* must be first: tm_writer_find returns pointers to it */
    bool zip;            /* the file is a zip archive */
    /* Failures of the outputs are sticky; the status covers everything else. */
    tm_status (*write)(const write_request *request, tm_error *err);
    /* Used instead, for a file that is not written sequentially: opens the file itself. */
    tm_status (*write_file)(const tm_dataset *data, const char *path, tm_cancel *cancel,
                            tm_error *err);
} write_format;

/* The formats, in the order in which they are listed: `write_format_ID`. */
#define WRITE_FORMATS(ROW)                                                                         \
    ROW(libsvm)                                                                                    \
    ROW(csv)                                                                                       \
    ROW(tsv)                                                                                       \
    ROW(mtx)                                                                                       \
    ROW(npy)                                                                                       \
    ROW(npz)                                                                                       \
    ROW(tam)

#define WRITE_FORMAT_EXTERN(id) extern const write_format write_format_##id;
WRITE_FORMATS(WRITE_FORMAT_EXTERN)

#endif
