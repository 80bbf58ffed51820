/* Losses for methods that only need subgradients: those of the table and the hinge loss, which is
 * not differentiable and has no row there. */
#ifndef MODEL_LOSS_MARGIN_H
#define MODEL_LOSS_MARGIN_H

#include <stdbool.h>

typedef struct margin_loss {
    double (*value)(double y, double z);
    double (*slope)(double y, double z); /* a subgradient at a kink */
    double (*dual)(double y, double a);  /* -l*(y, -a) for 0 <= y a <= 1 */
} margin_loss;

/* "hinge" or "logistic", whose derivatives are within -1 .. 1. */
margin_loss margin_loss_of(const char *id);

#endif
