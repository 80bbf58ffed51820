/* What a file format offers to tm_write: one write_format in a file of its own, and one row
 * here. */
#ifndef DATA_WRITE_FORMAT_H
#define DATA_WRITE_FORMAT_H

#include "data/write/output.h"
#include "tamis/writer.h"

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

typedef struct write_format {
    tm_writer_info info; /* first: tm_writer_find hands out pointers to it */
    bool zip;            /* a zip archive */
    /* Failures of the outputs are sticky; the status is that of everything else. */
    tm_status (*write)(const write_request *request, tm_error *err);
    /* In its place, for a file that is not written from front to back: opens it itself. */
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
