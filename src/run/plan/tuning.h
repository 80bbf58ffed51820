/* The constants of searches; scripts/bench search compares their results with random draws. */
#ifndef RUN_PLAN_TUNING_H
#define RUN_PLAN_TUNING_H

/* The share of configurations that count as good. A smaller share follows the best ones closely and
 * is misled by noise, a larger one is close to random search: between 0.1 and 0.25 the best scores
 * on three data sets vary no more than between seeds. */
static const double PROPOSE_GOOD = 0.2;
/* Number of draws from which the one with the best ratio of densities is proposed: more exploit,
 * fewer explore; 64 is no better. */
enum { PROPOSE_DRAWS = 24 };
/* Number of draws in sequence that had all been tried before, after which nothing is proposed. */
enum { PROPOSE_RETRIES = 100 };

#endif
