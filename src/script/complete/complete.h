/* The inside of completion: the words that may come next, and what stands before the cursor. */
#ifndef SCRIPT_COMPLETE_COMPLETE_H
#define SCRIPT_COMPLETE_COMPLETE_H

#include "script/common/class.h"

enum { COMPLETE_DEPTH = 64, COMPLETE_NAME = 128 };

/* ---- complete_words.c ---------------------------------------------------------------------- */

typedef struct complete_words {
    char **items; /* NULL-ended */
    size_t count;
    const char *prefix; /* what is there already */
    size_t length;
} complete_words;

/* before + word + after, when it goes on as the prefix asks; without memory a word is left out. */
void complete_add(complete_words *to, const char *before, const char *word, const char *after);
/* Sorted, each once, malloc'ed and ended by NULL; NULL when there are none. */
char **complete_finish(complete_words *list);
/* Functions and methods of the table tm. */
void complete_add_tm_names(complete_words *to);
/* Fields after '.', methods after ':'. */
void complete_add_members(complete_words *to, const script_class *class, char separator);
void complete_add_methods(complete_words *to);
void complete_add_metrics(complete_words *to);
void complete_add_synths(complete_words *to);
/* What help(...) knows. */
void complete_add_topics(complete_words *to);
/* Names of files; `path` is what is typed of one. */
void complete_add_files(complete_words *to, const char *path);

/* ---- complete_scan.c ----------------------------------------------------------------------- */

/* An open bracket: what stands before it, and where its last item began. */
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
/* Start of the chain of names that ends at `end`: "a.b:c". */
size_t complete_chain_start(const char *text, size_t end);
/* Reads from the text's start to the cursor; text and cursor are set, all else is zero. */
void complete_scan(complete_context *at);

/* ---- complete_args.c ----------------------------------------------------------------------- */

/* Keys of a table of arguments. */
typedef struct complete_known {
    const tm_param_info *table;
    size_t count;
    const char *const *extras;
} complete_known;

/* text[from..to) as a name; "" when it is too long for one. */
void complete_copy_name(char name[COMPLETE_NAME], const char *text, size_t from, size_t to);
/* The name of tm's function that a callee means, or of a method (":split"); NULL: neither. */
const char *complete_function(const char *callee);
/* What may stand in the braces of the innermost frame; false when that is not known. */
bool complete_arguments(const complete_context *at, complete_known *out);
/* The name in "name = " between `from` and `to`, or "". */
void complete_key(const complete_context *at, size_t from, size_t to, char key[COMPLETE_NAME]);
/* The parameter of that name, or NULL. */
const tm_param_info *complete_param(const complete_known *known, const char *key);

#endif
