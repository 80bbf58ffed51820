/* Constants of the solver on a Gram matrix that trade work, with their units and the parts of
 * scripts/bench that show their effect: path, single. Bounds on rounding errors are in the last
 * section: no measurement can change them. scripts/bench tuning measures the effect of halving and
 * doubling each (docs/benchmarks.md). */
#ifndef SOLVE_L1_GRAM_TUNING_H
#define SOLVE_L1_GRAM_TUNING_H

enum {
    /* Epochs before Newton steps: while signs are far from right, epochs find them faster. */
    GRAM_EPOCHS = 5,
    /* One more epoch for each of this many features: the cost of a factorisation grows with their
     * number. */
    GRAM_FEATURES_AN_EPOCH = 100,
    /* Consecutive Newton steps in the first round. Each round may take twice as many as the
     * previous one, up to the second number: with nearly dependent columns rounds do not end
     * otherwise. */
    GRAM_STEPS = 8,
    GRAM_MAX_STEPS = 1024,
    /* Features that may leave a factor of n features one by one, as a share 1 / REMOVAL_COST of n:
     * removing one costs up to 3 n^2 operations, a new factor n^3 / 3. */
    REMOVAL_COST = 9,
    /* The same for features that join: n^2 operations each. */
    JOINING_COST = 3,
    /* From a near point, rounds in which only features that violate their constraint enter, before
     * epochs over all of the set. */
    ENTERING_ROUNDS = 20,
    /* Number of features above which a factorisation costs more than epochs. */
    GRAM_MAX_NEWTON = 3000
};
/* Epochs end when the greatest change falls to this fraction of the first epoch's: Newton steps do
 * the rest. */
static const double GRAM_EPOCH_CHANGE = 1e-3;

/* ---- rounding ---------------------------------------------------------------------------------
 */

/* A column counts as dependent on the others when they leave at most this fraction of it
 * unexplained, and the product of an unpenalised feature as zero when it is at most this fraction
 * of |x_j| |y| (of it 1e-14 to 1 change no count: what is left is fitted before the certificate).
 */
static const double DEPENDENT = 1e-9;
/* Rounding error of a product with the residual, as a share of the terms that it is made of (1e-9
 * left nearly equal columns as they were). */
static const double PRODUCT_LOST = 1e-12;
/* A feature ends a move of weight among dependent ones when its share of the combination is at
 * least this large, both scaled to length 1: rounding leaves shares of up to 1e-8 (1e-9 was too
 * little in one of 13 rounds of test_l1_general; up to 1e-3 nothing changes there). */
static const double LEAST_SHARE = 1e-6;
/* A dependent column may replace another when its coefficient there is at least this large, both
 * scaled to length 1: below it the combinations of the other columns would lose digits. */
static const double LEAST_PIVOT = 1e-3;
/* Fraction of the constant term: an objective that decreases by less in a round has stopped
 * decreasing. */
static const double LEAST_DECREASE = 1e-15;

#endif
