/* The process that reads a file with libhdf5: what it is asked, and how it answers. */
#ifndef DATA_READ_HDF5_SERVE_H
#define DATA_READ_HDF5_SERVE_H

#include "data/read/hdf5/library.h"

enum { HDF5_PATH = 512, HDF5_NAME = 64 };

/* The functions of file.h. */
typedef enum hdf5_question {
    HDF5_KIND,
    HDF5_SHAPE,
    HDF5_REALS,
    HDF5_WHOLES,
    HDF5_IS_TEXT,
    HDF5_TEXTS,
    HDF5_TEXT_ATTRIBUTE,
    HDF5_ATTRIBUTE,
    HDF5_NAME_AT,
    HDF5_SIZE,
    HDF5_REFERENCES,
} hdf5_question;

/* Opens the file, replies whether that was possible, and answers requests until the channel ends.
 * For process_start; `task` is a hdf5_task. */
void hdf5_serve(int channel, void *task);

typedef struct hdf5_request {
    hdf5_question question;
    uint64_t number; /* of an object, or of values */
    char path[HDF5_PATH], name[HDF5_NAME];
} hdf5_request;

/* `size` bytes follow: the values, or texts that end with a NUL each. */
typedef struct hdf5_reply {
    tm_status status;
    bool found;
    hdf5_object kind;
    uint64_t shape[2], count; /* of values or texts */
    int64_t wholes[2];
    char text[HDF5_PATH];
    uint64_t size;
    char message[TM_ERROR_MAX]; /* why, unless the status is TM_OK, without the file's name */
} hdf5_reply;

typedef struct hdf5_task {
    libhdf5 library; /* loaded */
    const char *path;
    const void *bytes;
    size_t size;
} hdf5_task;

#endif
