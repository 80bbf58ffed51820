/* The agreement of each feature's kernel with two classes, sample by sample:
 *
 *     Z_mi = y~_m (K_i y~)_m,   y~ = H y,  K_i = H G_i H,  H = I - 1 1'/n,
 *
 * where G_i is the Gaussian kernel exp(-(x_mi - x_li)^2 / (2 sigma^2 v_i)) and v_i the feature's
 * variance. The sum of a column is y'K_i y, the HSIC of the classes and the feature. */
#ifndef DATA_PAIRS_ALIGNMENT_H
#define DATA_PAIRS_ALIGNMENT_H

#include "base/threads/team.h"

#include "tamis/cancel.h"
#include "tamis/dataset.h"

typedef struct alignment_spec {
    double sigma;    /* in standard deviations */
    double most;     /* Z is kept in memory up to this many bytes, and otherwise in a temporary
                      * file */
    bool by_samples; /* Z is stored sample by sample */
    thread_team *team;
    const tm_cancel *cancel;
} alignment_spec;

typedef struct alignment {
    size_t n, p;
    tm_matrix *z; /* n x p; by samples the transpose, p x n */
    bool by_samples;
    double *y;    /* n: y~ */
    double *rate; /* p: 1 / (sqrt(2) sigma deviation); 0: the feature is constant, Z_i = 0 */
    double *mean; /* p: the mean of G_i y~, which is subtracted in K_i y~ */
} alignment;

/* For two classes, y = +-1: computes one feature after the other, each once. TM_ECANCELLED,
 * TM_EIO. */
tm_status alignment_make(alignment *out, const tm_dataset *data, const alignment_spec *spec,
                         tm_error *err);
void alignment_clear(alignment *a);

#endif
