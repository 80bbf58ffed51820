/* Where the data to be predicted have the columns of a model. */
#ifndef MODEL_PLACES_H
#define MODEL_PLACES_H

#include "model/model.h"

/* The place of each column that predictions read, by its name or its number; SIZE_MAX: it is zero
 * in every row. TM_EDATA when it is not known. */
tm_status model_find_places(size_t *places, const tm_model *model, const tm_dataset *data,
                            tm_error *err);

#endif
