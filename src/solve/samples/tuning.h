/* Constants of the support vector machines that trade work, with their units. scripts/bench tuning
 * measures the effect of halving and doubling each on small problems (docs/benchmarks.md). The
 * figures below are column products on the problems of the bench part "samples", to a gap of 1e-5:
 * digits, images, and 4,000 rows of text with C = 0.1, 1 and 10. */
#ifndef SOLVE_SAMPLES_TUNING_H
#define SOLVE_SAMPLES_TUNING_H

enum {
    /* Steps between two evaluations of the gap over the live samples, which costs as much as two
     * steps. */
    MAX_KERNEL_STEPS = 1000,
    /* Epochs after which all samples are checked, whatever the estimate of the gap says. 10: up to
     * 12 % more (text, C = 10); 40: 6 % less to 2 % more, for saiv up to 24 % more. */
    MAX_EPOCHS_UNSEEN = 20,
    /* Number of samples above which a factorisation costs more than epochs. */
    MAX_NEWTON = 1000,
    /* Steps in a row: each removes the samples that reach a bound. Half: 5 % more on small problems
     * solved to 1e-12; twice: no change. */
    MAX_NEWTON_STEPS = 20
};
/* Steps with explicit weights: a sample whose step gains less than this fraction of the mean gain
 * of the previous epoch rests for one epoch, then for three, at most for seven. On text with C = 10
 * and tol = 1e-6 visits are 0.4 of those without rests. 0.01: up to 16 % more (text, C = 10); 0.04:
 * 14 % less to 1 % more. With at most three epochs of rest: up to 24 % more. */
static const double SMALL_GAIN = 0.02;
/* Samples ahead of the present one whose scalars and whose rows are requested, and the greatest
 * number of entries of a row that are. */
enum { MAX_PACE = 7, AHEAD_FAR = 8, AHEAD_NEAR = 3, AHEAD_ENTRIES = 64 };
/* Work of a factorisation for Newton steps, as a multiple of that of the epochs since the last
 * ones. 1.5: the same, but 45 % more steps on small problems solved to 1e-12; 4: 37 % more on
 * images. */
static const double NEWTON_SHARE = 2;
/* Added to the diagonal, as a fraction of its mean: samples may be dependent. */
static const double NEWTON_RIDGE = 1e-12;
/* Initial samples of SAIV, and samples that may be added at once: a fraction of all, and the
 * minimum. More: samples are added before the ball is small enough to tell which are needed; fewer:
 * more checks of all others. On small problems half changes nothing and twice takes 28 % fewer
 * steps. */
static const double SAIV_SHARE = 0.05, SAIV_LEAST = 10;
/* Curvature used for a pair of samples that are equal up to rounding, as in LIBSVM. */
static const double LEAST_CURVATURE = 1e-12;
/* An evaluation of the gap shows no progress when it does not reach this fraction of the least gap
 * and the dual has not increased. */
static const double WORTHWHILE = 0.99;
/* All samples are checked again at this fraction of the last gap over all: a check costs an
 * epoch. 0.075: 3 % less to 27 % more; 0.3: 2 % to 16 % more. */
static const double LOOK_SHARE = 0.15;

/* Evaluations without progress before rounding is taken to have stopped the descent. Progress is a
 * gap below the worthwhile fraction of the least, or an increase of the dual by this fraction of
 * the null objective. */
enum { MAX_IDLE = 4 };
static const double INCREASE = 1e-15;
/* Rounding error of products in screening, relative to |w| |z_i|: more keeps samples
 * unnecessarily. */
static const double PRODUCT_LOST = 1e-12;

#endif
