/* Included by files with loops over many samples that the compiler is to vectorise. */
#ifndef BASE_NUMERIC_MANY_H
#define BASE_NUMERIC_MANY_H

#include "base/numeric/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The library reads no floating-point exceptions, and selecting between two values is only
 * vectorised when computing both cannot trap. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-trapping-math")
#endif

#endif
