/* The kinds of objects, one row each. */
#ifndef SCRIPT_API_CLASSES_H
#define SCRIPT_API_CLASSES_H

#include "script/common/class.h"

const script_class *script_class_at(size_t i); /* NULL past the end */
const script_class *script_class_find(const char *id);
/* The keys that a method of that name takes, of whatever class; NULL: none are known. */
const script_keys *script_method_keys(const char *method);
/* Makes the metatables of all classes. */
void script_classes_open(lua_State *L);

#endif
