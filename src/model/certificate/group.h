/* What the certificate needs of a group penalty whose features have factors f_j. */
#ifndef MODEL_CERTIFICATE_GROUP_H
#define MODEL_CERTIFICATE_GROUP_H

#include "tamis/certificate.h"

/* sum_g f_g |(f_j v_j) for the members of g|_2. */
tm_status group_penalty_at(double *value, const tm_problem *problem, const double *v,
                           tm_error *err);
/* The least t at which products / t, all p of them, are a feasible dual point. */
tm_status group_penalty_dual(double *norm, const tm_problem *problem, const double *products,
                             tm_error *err);

#endif
