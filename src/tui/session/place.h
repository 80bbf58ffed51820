/* Where a point lies along its path: at a share of lambda_max, at a B or C, or at a number of
 * features. */
#ifndef TUI_SESSION_PLACE_H
#define TUI_SESSION_PLACE_H

#include "tamis/job.h"

typedef enum place_kind { PLACE_LAMBDA, PLACE_B, PLACE_C, PLACE_FEATURES } place_kind;

/* The facts that determine a point's place, whatever its origin. */
typedef struct place_facts {
    double lambda, lambda_max, B, C; /* NaN if unknown */
    double features;
} place_facts;

/* The quantity that varies along a path, judged by its first and last point. */
place_kind place_kind_between(const place_facts *first, const place_facts *last);
double place_at(place_kind kind, const place_facts *at);

place_facts place_facts_of(const tm_solution *solution);
/* The same for an array of points; lambda if there are none. */
place_kind place_kind_of(const tm_point *points, size_t count);
double place_value(place_kind kind, const tm_solution *solution);
/* "lambda/max", "B", "C", "features". */
const char *place_label(place_kind kind);

#endif
