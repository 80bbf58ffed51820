/* The normal equations of least squares, X'X, X'y and y'y, and certificates from them.
 *
 * With many more rows than features they hold all that the problem depends on: products with a
 * residual are X'y - X'Xw, and a certificate costs p times the number of weights instead of a pass
 * over the data. Columns and response are centred with an intercept, the response is the one less
 * the offset, and rows count by their weights. What rounding can have done to the sums is bounded
 * and counted against the certificate (docs/screening.md, section 16). */
#ifndef MODEL_CERTIFICATE_NORMAL_EQUATIONS_H
#define MODEL_CERTIFICATE_NORMAL_EQUATIONS_H

#include "model/certificate/certificate.h"

typedef struct normal_equations {
    size_t p;
    bool intercept;
    double *products; /* p x p, whole */
    double *xy;       /* p */
    double yy;
    double *means, mean, total; /* of the columns, of the response; the sum of the weights */
    double *lengths, length;    /* no less than |x_j| and |y| */
    double rounding; /* no computed sum is further than this times the two lengths from the sum */
} normal_equations;

/* Whether the matrix can be read in blocks of rows and has so many of them that the sums are small
 * beside it. */
bool normal_equations_fit(const tm_dataset *data);
/* In one pass over the data, with p/2 multiply-adds for each entry. Threads share it and change no
 * bit. TM_ENOMEM, TM_ECANCELLED. */
tm_status normal_equations_new(normal_equations **out, bool intercept, const data_pass *pass,
                               tm_error *err);
void normal_equations_free(normal_equations *sums);

/* Certifies the item's answer from the sums, products included. Returns false, and leaves the
 * result unspecified, where the sums do not suffice: the loss or the penalty is another one, or
 * rounding may have changed the gap by more than `allowed`. */
bool normal_equations_certify(const normal_equations *sums, certificate_item *item, double allowed);

#endif
