/* The internals of completion: the candidates, and the text before the cursor. */
#ifndef SCRIPT_COMPLETE_COMPLETE_H
#define SCRIPT_COMPLETE_COMPLETE_H

#include "script/common/class.h"

enum { COMPLETE_DEPTH = 64, COMPLETE_NAME = 128 };

/* ---- complete_words.c ---------------------------------------------------------------------- */

typedef struct complete_words {
    char **items; /* NULL-ended */
    size_t count;
    const char *prefix; /* the text typed so far */
    size_t length;
} complete_words;

/* Adds before + word + after if it begins with the prefix; if memory runs out, the word is
 * omitted. */
void complete_add(complete_words *to, const char *before, const char *word, const char *after);
/* The words sorted without duplicates, malloc'ed and ended by NULL; NULL if there are none. */
char **complete_finish(complete_words *list);
/* Adds the functions and methods of the table tm. */
void complete_add_tm_names(complete_words *to);
/* Adds fields after '.', methods after ':'. */
void complete_add_members(complete_words *to, const script_class *class, char separator);
void complete_add_methods(complete_words *to);
void complete_add_metrics(complete_words *to);
void complete_add_synths(complete_words *to);
/* Adds the topics of help(...). */
void complete_add_topics(complete_words *to);
/* Adds names of files; `text` is the part typed so far, whose path begins at `from`. */
void complete_add_files(complete_words *to, const char *text, size_t from);

/* ---- complete_scan.c ----------------------------------------------------------------------- */

/* An open bracket: the text before it, and the start of its last item. */
typedef struct complete_frame {
    char bracket;
    size_t open;
    size_t callee, callee_end; /* "tm.lasso" before it; empty when callee == callee_end */
    size_t commas;
    size_t item;
} complete_frame;

typedef struct complete_context {
    const char *text;
    size_t cursor;
    complete_frame frames[COMPLETE_DEPTH];
    size_t depth;
    bool in_string, in_comment;
    bool long_string;
    size_t string; /* first character inside the quotes */
} complete_context;

bool complete_is_word(char c);
/* The start of the chain of names ("a.b:c") that ends at `end`. */
size_t complete_chain_start(const char *text, size_t end);
/* Scans from the start of the text to the cursor. On entry text and cursor are set, all other
 * members are zero. */
void complete_scan(complete_context *at);

/* ---- complete_args.c ----------------------------------------------------------------------- */

/* The known keys of a table of arguments. */
typedef struct complete_known {
    const tm_param_info *table;
    size_t count;
    const char *const *extras;
} complete_known;

/* Copies text[from..to) as a name; "" if it is too long. */
void complete_copy_name(char name[COMPLETE_NAME], const char *text, size_t from, size_t to);
/* The name of the function of tm, or of the method (":split"), that a callee denotes; NULL:
 * neither. */
const char *complete_function(const char *callee);
/* The keys allowed in the braces of the innermost frame; false if they are not known. */
bool complete_arguments(const complete_context *at, complete_known *out);
/* Copies the name in "name = " between `from` and `to`, or "". */
void complete_key(const complete_context *at, size_t from, size_t to, char key[COMPLETE_NAME]);
/* The parameter of that name, or NULL. */
const tm_param_info *complete_param(const complete_known *known, const char *key);

#endif
