/* The features of a path as CSV (RFC 4180), for other programs. */
#ifndef TUI_SESSION_FEATURES_CSV_H
#define TUI_SESSION_FEATURES_CSV_H

#include "tui/session/track.h"

#include <stdio.h>

/* Writes a header, then one line per feature in the order of entry: its name, its column (from
 * 1), the lambda where it entered, that as a share of lambda_max, and its weight at point `at`.
 * `marks` has p values: the features to write; NULL: those with a weight at that point. Returns
 * how many. */
size_t features_csv(const track *t, size_t at, const unsigned char *marks, FILE *out);

#endif
