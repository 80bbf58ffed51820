/* What tells two descriptions of sweeps apart, for people. */
#ifndef RUN_PLAN_CHANGES_H
#define RUN_PLAN_CHANGES_H

/* Such as "C: 100 is new; folds: 10 (was 5)": what `now` has and `before` does not. Malloc'ed and
 * the caller's; "" when it is nothing, NULL without memory or when one cannot be read. */
char *sweep_changes(const char *before, const char *now);

#endif
