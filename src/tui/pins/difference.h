/* What distinguishes two answers: parameters, features, and what they cost. */
#ifndef TUI_PINS_DIFFERENCE_H
#define TUI_PINS_DIFFERENCE_H

#include "tamis/job.h"

enum { DIFFERENCE_VALUE = 48 };

/* A parameter that was changed; a value "-" means that it is unset or that the method does not have
 * it. */
typedef struct parameter_change {
    const char *name; /* a name of the registry */
    char before[DIFFERENCE_VALUE], now[DIFFERENCE_VALUE];
} parameter_change;

typedef struct feature_set {
    size_t *at, count; /* ascending, from 0 */
} feature_set;

typedef struct difference {
    parameter_change *changes; /* the method comes first when it was changed */
    size_t change_count;
    bool comparable;     /* both number features alike; otherwise the sets below are empty */
    feature_set in, out; /* features added and features removed */
    size_t before, now;  /* number of features of each */
    uint64_t products_before, products_now;
    bool warm; /* the newer run was warm-started, so it costs less */
} difference;

/* Compares the last answers of two runs, both of which must have one. Free the result with
 * difference_free. */
tm_status difference_make(difference *out, const tm_job *before, const tm_job *now, tm_error *err);
void difference_free(difference *d);
/* Column products of the newer run as a multiple of the older run's; NaN when that has none. */
double difference_ratio(const difference *d);

#endif
