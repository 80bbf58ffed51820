/* The normal equations of least squares, X'X, X'y and y'y, and certificates from them.
 *
 * With many more rows than features they are a compact form of all that the problem depends on:
 * products with a residual are X'y - X'Xw, and a certificate costs p times the number of weights
 * instead of a pass over the data. Columns and response are centred with an intercept, the offset
 * is subtracted from the response, and rows are weighted. The rounding errors of the sums are
 * bounded and included in the certificate (docs/screening.md, section 16). */
#ifndef MODEL_CERTIFICATE_NORMAL_EQUATIONS_H
#define MODEL_CERTIFICATE_NORMAL_EQUATIONS_H

#include "model/certificate/certificate.h"

typedef struct normal_equations {
    size_t p;
    bool intercept;
    double *products; /* p x p, both triangles */
    double *xy;       /* p */
    double yy;
    double *means, mean, total; /* of the columns; of the response; sum of the weights */
    double *lengths, length;    /* upper bounds of |x_j| and |y| */
    double rounding; /* error bound of every computed sum, relative to the product of the two
                      * lengths */
} normal_equations;

/* Whether the matrix can be read in blocks of rows and has so many rows that the sums are small
 * compared with it. */
bool normal_equations_fit(const tm_dataset *data);
/* Computed in one pass over the data, with p/2 multiply-adds for each entry. Threads share it
 * without changing a bit. TM_ENOMEM, TM_ECANCELLED. */
tm_status normal_equations_new(normal_equations **out, bool intercept, const data_pass *pass,
                               tm_error *err);
void normal_equations_free(normal_equations *sums);

/* Certifies the item's answer, and computes its products, from the sums. Returns false, with the
 * result unspecified, when the sums do not suffice: for another loss or penalty, or when rounding
 * errors may have changed the gap by more than `allowed`. */
bool normal_equations_certify(const normal_equations *sums, certificate_item *item, double allowed);

#endif
