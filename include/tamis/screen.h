/* Screening rules and strategies, a table. */
#ifndef TAMIS_SCREEN_H
#define TAMIS_SCREEN_H

#include "tamis/params.h"

typedef struct tm_screen_info {
    const char *id;      /* "saif" */
    const char *kind;    /* "static", "dynamic", "incremental", ... */
    const char *summary; /* one line */
    const char *source;  /* work and section */
    const char *losses;  /* "squared", comma separated */
    const char *safe; /* "yes": never discards a feature of the optimum; "repaired": its guesses are
                            checked and mended; "no" */
} tm_screen_info;

const tm_screen_info *tm_screens(size_t *count);
const tm_screen_info *tm_screen_find(const char *id, tm_error *err);

#endif
