/* The parts of a data set that are kept when its matrix is replaced. */
#ifndef DATA_DATASET_PARTS_H
#define DATA_DATASET_PARTS_H

#include "tamis/cancel.h"
#include "tamis/dataset.h"
#include "tamis/params.h"

/* Copies everything except the matrix, for the given rows (NULL: all), with these weights and
 * offsets. `parts` holds what was copied also on failure. */
tm_status dataset_parts_copy(tm_dataset_parts *parts, const tm_dataset *data, const double *weights,
                             const double *offset, const size_t *rows, size_t count, tm_error *err);
/* A data set with the same matrix, and these weights, offsets and note. */
tm_status dataset_copy_same(tm_dataset **out, const tm_dataset *data, const double *weights,
                            const double *offset, const char *note, tm_error *err);
/* Copies only the names of the classes. */
tm_status dataset_parts_copy_classes(tm_dataset_parts *parts, const tm_dataset *data,
                                     tm_error *err);
/* Frees the response and the names of its classes. */
void dataset_parts_drop_response(tm_dataset_parts *parts);
/* Copies the record of operations on `data`; `cols` selects `count` columns, NULL: all. */
tm_status dataset_making_copy(tm_making *making, const tm_dataset *data, const size_t *cols,
                              size_t count, tm_error *err);
void dataset_making_free(tm_making *making);
/* The name of a feature, or "X" and its number from 1. */
const char *dataset_parts_label(const tm_dataset_parts *parts, size_t j, char *buffer, size_t size);
/* Validates dimensions, weights and the ranges of numbers, detects the two classes of a response,
 * and computes the statistics of the columns. *scratch: n values, freed by the caller, also on
 * failure. */
tm_status dataset_parts_check(tm_dataset_parts *parts, const char *name, double **scratch,
                              tm_error *err);
/* Frees what the parts own; `features` is the length of the list of names. */
void dataset_parts_free(tm_dataset_parts *parts, size_t features);
/* tm_prepare for the training rows and the test rows; ends with TM_ECANCELLED when `cancel` (or
 * NULL) is set. */
tm_status dataset_prepare(tm_dataset *out[2], const tm_dataset *const rows[2],
                          const tm_params *params, const tm_dataset *append, tm_cancel *cancel,
                          tm_error *err);

#endif
