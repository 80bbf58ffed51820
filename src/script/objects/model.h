/* Fitted models. */
#ifndef SCRIPT_OBJECTS_MODEL_H
#define SCRIPT_OBJECTS_MODEL_H

#include "script/common/class.h"
#include "tamis/probability.h"

extern const script_class script_model_class;

/* Pushes an object; a reference is taken. */
void script_push_model(lua_State *L, const tm_model *model);
tm_model *script_test_model(lua_State *L, int index); /* NULL when it is none */
/* Every metric that applies to the data, as a table that is pushed. */
void script_push_scores(lua_State *L, const tm_model *model, const tm_dataset *data);
/* What is predicted, by its name. */
typedef enum script_predicted {
    SCRIPT_SCORES,
    SCRIPT_PROBABILITIES,
    SCRIPT_CLASSES,
} script_predicted;

/* `as` of {as="score"|"probability"|"class", calibrate=data} at 3. */
script_predicted script_read_as(lua_State *L, const char *owner, script_predicted fallback);
/* With probabilities asked for there: what makes them of the model's scores. */
tm_sigmoid script_read_sigmoid(lua_State *L, const char *owner, const tm_model *model);
int script_tm_model(lua_State *L);
const tm_param_info *script_debias_params(size_t *count);
extern const char *const script_debias_extras[];

#endif
