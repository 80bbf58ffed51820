/* Losses of methods that need subgradients alone: those of the table and the hinge loss, which has
 * a kink and no row in it. */
#ifndef MODEL_LOSS_MARGIN_H
#define MODEL_LOSS_MARGIN_H

#include <stdbool.h>

typedef struct margin_loss {
    double (*value)(double y, double z);
    double (*slope)(double y, double z); /* one of them where there is a kink */
    double (*dual)(double y, double a);  /* -l*(y, -a) for 0 <= y a <= 1 */
} margin_loss;

/* "hinge" or "logistic", whose slopes are within -1 .. 1. */
margin_loss margin_loss_of(const char *id);

#endif
