/* Fitted models. */
#ifndef SCRIPT_OBJECTS_MODEL_H
#define SCRIPT_OBJECTS_MODEL_H

#include "script/common/class.h"

extern const script_class script_model_class;

/* Pushes an object; a reference is taken. */
void script_push_model(lua_State *L, const tm_model *model);
tm_model *script_test_model(lua_State *L, int index); /* NULL when it is none */
/* Every metric that applies to the data, as a table that is pushed. */
void script_push_scores(lua_State *L, const tm_model *model, const tm_dataset *data);
int script_tm_model(lua_State *L);
const tm_param_info *script_debias_params(size_t *count);
extern const char *const script_debias_extras[];

#endif
