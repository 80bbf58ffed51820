/* Export of models in the formats of other programs. */
#ifndef MODEL_EXPORT_H
#define MODEL_EXPORT_H

#include "tamis/model.h"

typedef enum export_format { EXPORT_NONE, EXPORT_LIBSVM, EXPORT_LIBLINEAR } export_format;

/* The format implied by the ending of the path. */
export_format export_format_of(const char *path);
/* TM_EUSAGE when the format cannot hold the model. */
tm_status export_model(const tm_model *model, export_format format, const char *path,
                       tm_error *err);

#endif
