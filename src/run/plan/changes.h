/* The differences between two descriptions of sweeps, in words. */
#ifndef RUN_PLAN_CHANGES_H
#define RUN_PLAN_CHANGES_H

/* A text such as "C: 100 is new; folds: 10 (was 5)", with what `now` has and `before` does not.
 * Malloc'ed, owned by the caller; "" if there is no difference, NULL if memory runs out or a
 * description cannot be read. */
char *sweep_changes(const char *before, const char *now);

#endif
