/* The table of screening rules and strategies. */
#ifndef TAMIS_SCREEN_H
#define TAMIS_SCREEN_H

#include "tamis/params.h"

typedef struct tm_screen_info {
    const char *id;      /* "saif" */
    const char *kind;    /* "static", "dynamic", "incremental", ... */
    const char *summary; /* one line */
    const char *source;  /* work and section */
    unsigned losses;     /* supported losses, as bits: tm_screen_losses */
    const char *safe; /* "yes": never discards a feature of the optimum; "repaired": its predictions
                       * are checked and corrected; "no" */
} tm_screen_info;

const tm_screen_info *tm_screens(size_t *count);
const tm_screen_info *tm_screen_find(const char *id, tm_error *err);
/* Whether it supports the loss with this id. */
bool tm_screen_fits(const tm_screen_info *info, const char *loss_id);
/* Writes the losses as text, "squared,logistic", to `text`, which is returned. */
const char *tm_screen_losses(const tm_screen_info *info, char *text, size_t size);

#endif
