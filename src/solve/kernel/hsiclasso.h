/* The HSIC lasso: declarations that its files share. */
#ifndef SOLVE_KERNEL_HSICLASSO_H
#define SOLVE_KERNEL_HSICLASSO_H

#include "tamis/params.h"

/* In the order of hsic_outputs. */
enum { HSIC_AUTO, HSIC_GAUSSIAN, HSIC_DELTA };
extern const tm_choice hsic_outputs[];

#endif
