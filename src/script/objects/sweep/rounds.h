/* A search as rounds, each of them a sweep whose configurations follow from the rounds before. */
#ifndef SCRIPT_OBJECTS_SWEEP_ROUNDS_H
#define SCRIPT_OBJECTS_SWEEP_ROUNDS_H

#include "script/common/state.h"
#include "script/objects/sweep/args.h"
#include "tamis/sweep.h"

#define OWNER "tm.search"

/* Where things stand on the stack of script_tm_search; at SWEEP_KEPT what sweep_reader keeps. */
enum { ARGUMENTS = 1, GIVEN = 2, SWEEPS = SWEEP_KEPT + 1, TABLES, ROUNDS, BLOCKS, TOP = BLOCKS };

/* A configuration in the last round that had it. */
typedef struct search_entry {
    size_t number; /* in the order they were first tried, from 1 */
    size_t round;  /* from 1 */
    const tm_sweep_table *table;
    size_t config; /* of the table */
    double score;  /* greater is better; NaN without one */
    double nnz;
} search_entry;

typedef struct search {
    lua_State *L;
    const char *name;
    const char *along; /* the parameter whose levels the rounds have; NULL: none */
    double *levels;
    size_t rounds; /* in all; 0: not known */
    size_t eta;
    size_t total, starts, batch; /* of TPE: configurations in all, before it begins, in a round */
    search_entry *all;           /* `count` of them, a block of Lua's */
    size_t count;
    double columns, updates;
} search;

/* Memory of Lua's, zeros, that lives as long as the search. */
void *search_block(lua_State *L, size_t count, size_t size);
/* The arguments of the next round's sweep at GIVEN: the search's, without what is its own. */
void search_push_given(const search *s, size_t round);
/* The list on top takes the place of the configurations of GIVEN. */
void search_set_list(lua_State *L);
/* Runs the sweep of GIVEN to its end. */
const tm_sweep_table *search_run_round(search *s, size_t round);
/* What round `round` says of the configurations of its table: `of` has the search_entry of each. */
void search_set_scores(search *s, const tm_sweep_table *t, search_entry *const *of, size_t round);
/* For qsort: the best first; of equal ones the one with fewer features. */
int search_compare(const void *a, const void *b);
/* For qsort: those that went farthest first, of them the best. */
int search_compare_reached(const void *a, const void *b);
/* An error when the best search_entry has no score. */
void search_check_scored(const search *s, size_t round);

/* Successive halving, and the tree-structured Parzen estimator: they fill the entries. */
void search_halve(search *s);
void search_estimate(search *s);

#endif
