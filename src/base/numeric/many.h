/* Included by files whose loops over many samples the compiler is to turn into vectors. */
#ifndef BASE_NUMERIC_MANY_H
#define BASE_NUMERIC_MANY_H

#include "base/numeric/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The library reads no floating-point exceptions, and a choice between two values becomes a vector
 * only where computing both cannot trap. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif

#endif
