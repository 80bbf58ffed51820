/* Constants that affect how much screening proves and what it costs, never the answer, which is
 * certified. scripts/bench tuning measures the effect of halving and doubling each
 * (docs/benchmarks.md). */
#ifndef SOLVE_STRUCTURE_SCREENING_TUNING_H
#define SOLVE_STRUCTURE_SCREENING_TUNING_H

/* Terms are proven zero when their bounds are below lambda by this fraction, which covers rounding
 * of the bounds. */
static const double SAFE_SHARE = 1e-6;
/* Rounds of propagation, and the relative narrowing of an interval that is needed to use its
 * inequalities again. More rounds: bounds that hardly change, at a pass over the edges each. */
enum { MAX_PROPAGATION = 20 };
static const double LEAST_NARROWING = 1e-3;
/* Greatest number of edges of a feature whose sums with the paths at it are used: each has as many
 * entries as the feature has edges, for every feature of those paths. */
enum { MAX_JUNCTION = 8 };

#endif
