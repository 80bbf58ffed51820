/* The registry of methods: a table from which everything else is derived. */
#ifndef TAMIS_METHOD_H
#define TAMIS_METHOD_H

#include "tamis/item.h"
#include "tamis/params.h"

typedef struct tm_method tm_method;

const tm_method *tm_methods_at(size_t i); /* i-th method, NULL past the end */
/* NULL and an error naming the closest known method when there is no such id. */
const tm_method *tm_method_find(const char *id, tm_error *err);

const char *tm_method_id(const tm_method *method);
const char *tm_method_summary(const tm_method *method); /* one line */
const char *tm_method_source(const tm_method *method);  /* work and section */
/* The items that it screens, which `active` and `screened` of its events and solutions count. The
 * records of a screen log are of these, too, unless the log says otherwise. */
tm_item tm_method_item(const tm_method *method);
/* Writes the names of the losses or measures that it fits to `text`, comma separated: 128 bytes
 * suffice. */
void tm_method_losses(const tm_method *method, char *text, size_t size);
const char *tm_method_formula(const tm_method *method); /* the problem it solves, one line */
const tm_param_info *tm_method_params(const tm_method *method, size_t *count);

/* The method's parameters at their defaults; freed with tm_params_free. */
tm_status tm_method_params_new(tm_params **out, const tm_method *method, tm_error *err);
/* Replaces an elastic net with alpha = 0 by the l2 method of its loss with C = 1 / lambda, in both
 * arguments. Anything else is unchanged. TM_EUSAGE: a parameter that the other method lacks, or no
 * lambda. Every job does this itself. */
tm_status tm_method_at_alpha_0(const tm_method **method, tm_params **params, tm_error *err);
/* Whether this replacement applies. */
bool tm_method_has_alpha_0(const tm_method *method, const tm_params *params);
/* A remark about it: `method` is the method that runs. */
void tm_method_alpha_0_text(const tm_method *method, char *text, size_t size);

#endif
