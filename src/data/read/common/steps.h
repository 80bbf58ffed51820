/* The steps of tm_read that have files of their own. */
#ifndef DATA_READ_COMMON_STEPS_H
#define DATA_READ_COMMON_STEPS_H

#include "data/read/common/format.h"

/* In the order of tm_readers. */
enum { LIBSVM, CSV, MTX, NPY, NPZ, MAT, PLINK, TAM, READERS };

const char *read_format_id(int format);

/* Finds the format from the text at the window's start. */
tm_status read_detect(int *format, input *in);

/* The response and the width, where the format has left them open, and a response in a file of its
 * own. LIBSVM and CSV take care of both themselves, unless the response is a file. */
tm_status read_complete(read_result *result, const input_spec *spec, const read_request *request,
                        const tm_params *params, tm_error *err);

/* The features' names, from a file of their own. Names beside the data that nobody asked for must
 * not stand in the way. */
tm_status read_find_names(read_result *result, const input_spec *spec, const tm_params *params,
                          tm_error *err);

#endif
