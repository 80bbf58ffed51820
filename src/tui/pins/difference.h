/* What distinguishes two answers: parameters, features, and what they cost. */
#ifndef TUI_PINS_DIFFERENCE_H
#define TUI_PINS_DIFFERENCE_H

#include "tamis/job.h"

enum { DIFFERENCE_VALUE = 48 };

/* A parameter that was changed; "-": it has no value, or the method knows it not. */
typedef struct parameter_change {
    const char *name; /* of the registry */
    char before[DIFFERENCE_VALUE], now[DIFFERENCE_VALUE];
} parameter_change;

typedef struct feature_set {
    size_t *at, count; /* ascending, from 0 */
} feature_set;

typedef struct difference {
    parameter_change *changes; /* the method first, when it is another one */
    size_t change_count;
    bool comparable;     /* both count the same features: else the sets below are empty */
    feature_set in, out; /* features that are new, and those that are gone */
    size_t before, now;  /* features of either */
    uint64_t products_before, products_now;
    bool warm; /* the newer one started from an answer, so that it costs less */
} difference;

/* Between the last answers of two runs that have one. Free it with difference_free. */
tm_status difference_make(difference *out, const tm_job *before, const tm_job *now, tm_error *err);
void difference_free(difference *d);
/* Column products of the newer one as a multiple of the older one's; NaN when that has none. */
double difference_ratio(const difference *d);

#endif
