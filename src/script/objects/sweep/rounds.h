/* A search as rounds; each is a sweep whose configurations depend on the previous rounds. */
#ifndef SCRIPT_OBJECTS_SWEEP_ROUNDS_H
#define SCRIPT_OBJECTS_SWEEP_ROUNDS_H

#include "script/common/state.h"
#include "script/objects/sweep/args.h"
#include "tamis/sweep.h"

#define OWNER "tm.search"

/* Stack positions of script_tm_search; SWEEP_KEPT is that of what sweep_reader keeps. */
enum { ARGUMENTS = 1, GIVEN = 2, SWEEPS = SWEEP_KEPT + 1, TABLES, ROUNDS, BLOCKS, TOP = BLOCKS };

/* A configuration, as of the last round that contained it. */
typedef struct search_entry {
    size_t number; /* number in the order of the first trial, from 1 */
    size_t round;  /* from 1 */
    const tm_sweep_table *table;
    size_t config; /* index in the round's table */
    double score;  /* greater is better; NaN without one */
    double nnz;
} search_entry;

typedef struct search {
    lua_State *L;
    const char *name;
    const char *along; /* the parameter whose levels the rounds have; NULL: none */
    double *levels;
    size_t rounds; /* number of rounds; 0: not known */
    size_t eta;
    size_t total, starts, batch; /* for TPE: number of configurations in all, of random ones at the
                                  * start, and per round */
    search_entry *all;           /* `count` entries, in a Lua block */
    size_t count;
    double columns, updates;
} search;

/* A zeroed Lua block that lives as long as the search. */
void *search_block(lua_State *L, size_t count, size_t size);
/* Sets GIVEN to the arguments of the next round's sweep: those of the search, without its own. */
void search_push_given(const search *s, size_t round);
/* Replaces the configurations of GIVEN by the list on top. */
void search_set_list(lua_State *L);
/* Runs the sweep described at GIVEN to its end. */
const tm_sweep_table *search_run_round(search *s, size_t round);
/* Sets the scores of round `round`; `of` has the search_entry of each configuration of its
 * table. */
void search_set_scores(search *s, const tm_sweep_table *t, search_entry *const *of, size_t round);
/* For qsort: the best first; ties by fewer features. */
int search_compare(const void *a, const void *b);
/* For qsort: entries of the latest rounds first, and among those the best. */
int search_compare_reached(const void *a, const void *b);
/* Raises an error if the best search_entry has no score. */
void search_check_scored(const search *s, size_t round);

/* Successive halving, and the tree-structured Parzen estimator: they fill the entries. */
void search_halve(search *s);
void search_estimate(search *s);

#endif
