/* Finds the columns of a model in the data to be predicted. */
#ifndef MODEL_PLACES_H
#define MODEL_PLACES_H

#include "model/model.h"

/* The place of each column that predictions read, by its name or its number; SIZE_MAX: it is zero
 * in every row. TM_EDATA when it cannot be determined. */
tm_status model_find_places(size_t *places, const tm_model *model, const tm_dataset *data,
                            tm_error *err);

#endif
