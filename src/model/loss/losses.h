/* The list of losses, one row each; everything else about a loss is in its own file. */
#ifndef MODEL_LOSS_LOSSES_H
#define MODEL_LOSS_LOSSES_H

#include "model/loss/loss.h"
#include "tamis/params.h"

/* id, bit, formula, the responses it is for */
#define LOSSES(X)                                                                                  \
    X(squared, SQUARED, "1/2 (y - z)^2", "for numbers")                                            \
    X(logistic, LOGISTIC, "log(1 + exp(-y z))", "for two classes")                                 \
    X(squared_hinge, SQUARED_HINGE, "1/2 max(0, 1 - y z)^2", "for two classes")

enum {
#define ROW(id, bit, ...) LOSS_INDEX_##bit,
    LOSSES(ROW)
#undef ROW
        LOSS_COUNT
};

/* Sets of losses: those that a method or a solver supports. */
enum {
#define ROW(id, bit, ...) LOSS_##bit = 1 << LOSS_INDEX_##bit,
    LOSSES(ROW)
#undef ROW
        LOSS_ALL = (1 << LOSS_COUNT) - 1
};

#define ROW(id, ...) extern const loss loss_##id;
LOSSES(ROW)
#undef ROW

/* For parameters with all losses as values; terminated by {NULL, NULL}. */
extern const tm_choice loss_choices[LOSS_COUNT + 1];

/* The i-th loss, NULL past the end, and the set that contains only it. */
const loss *loss_at(size_t i);
unsigned loss_bit(const loss *l);
/* The set with the loss of this id, 0 when there is none. */
unsigned loss_bit_of(const char *id);
/* The loss of a set with one element, NULL for other sets. */
const loss *loss_only(unsigned set);

/* Writes their ids, "squared,logistic", to `text`, which is returned. */
const char *loss_list(unsigned set, char *text, size_t size);

/* The default loss for two classes, or for numbers. */
const loss *loss_usual(bool binary);

#endif
