/* The numbers that trade work of the support vector machines, with their units; the bench part that
 * shows them is samples.
 * scripts/bench tuning tells what half and twice of each moves (docs/benchmarks.md). */
#ifndef SOLVE_SAMPLES_TUNING_H
#define SOLVE_SAMPLES_TUNING_H

enum {
    /* Steps between two looks at the gap over the live samples, which costs as much as two. */
    MAX_KERNEL_STEPS = 1000,
    /* Epochs after which all samples are looked at, whatever the estimate of the gap says. */
    MAX_EPOCHS_UNSEEN = 20,
    /* Samples: above it a factorisation costs more than epochs. */
    MAX_NEWTON = 1000,
    /* Steps in a row: each loses the samples that it takes to a bound. */
    MAX_NEWTON_STEPS = 20
};
/* Work of a factorisation for Newton steps, as a share of that of the epochs since the last ones.
 */
static const double NEWTON_SHARE = 2;
/* Share of the mean diagonal that is added to it: samples may be dependent. */
static const double NEWTON_RIDGE = 1e-12;
/* Samples that SAIV begins with, and that may join at once: a share of all, and the least. More
 * join before the ball is small enough to tell which are needed, fewer take more looks at all
 * others. */
static const double SAIV_SHARE = 0.05, SAIV_LEAST = 10;
/* Curvature of a pair of samples that are the same to rounding, as in LIBSVM. */
static const double LEAST_CURVATURE = 1e-12;
/* A look that lowers the gap by no more than to this share of the least, and does not raise the
 * dual, has not helped. */
static const double WORTHWHILE = 0.99;
/* Share of the gap seen last at which all samples are looked at again: a look costs an epoch. */
static const double LOOK_SHARE = 0.3;

/* Looks that bring nothing before rounding is taken to have stopped the descent. A look brings
 * something when the gap falls below the worthwhile share of the least, or the dual value rises by
 * this share of the null objective. */
enum { MAX_IDLE = 4 };
static const double INCREASE = 1e-15;
/* Share of |w| |z_i| that products may round by in screening: more keeps samples without need. */
static const double PRODUCT_LOST = 1e-12;

#endif
