/* Fitted models. */
#ifndef SCRIPT_OBJECTS_MODEL_H
#define SCRIPT_OBJECTS_MODEL_H

#include "script/common/class.h"
#include "tamis/probability.h"

extern const script_class script_model_class;

/* Pushes an object, which takes a reference. */
void script_push_model(lua_State *L, const tm_model *model);
tm_model *script_test_model(lua_State *L, int index); /* NULL if it is not a model */
double script_model_levels(const tm_model *model);    /* NaN: it has none */
/* Pushes a table of all metrics that apply to the data. */
void script_push_scores(lua_State *L, const tm_model *model, const tm_dataset *data);
/* The kind of prediction. */
typedef enum script_predicted {
    SCRIPT_SCORES,
    SCRIPT_PROBABILITIES,
    SCRIPT_CLASSES,
} script_predicted;

/* Reads `as` of {as="score"|"probability"|"class", calibrate=data} at 3. */
script_predicted script_read_as(lua_State *L, const char *owner, script_predicted fallback);
/* If probabilities are requested there: the sigmoid that computes them from the model's scores. */
tm_sigmoid script_read_sigmoid(lua_State *L, const char *owner, const tm_model *model);
int script_tm_model(lua_State *L);
const tm_param_info *script_debias_params(size_t *count);
extern const char *const script_debias_extras[];

#endif
