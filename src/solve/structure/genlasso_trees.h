/* Fused problems on forests as l1 problems (SAIF theorem 11): the difference across each edge is a
 * feature whose column is the sum over the subtree below it, and the level of each tree is an
 * unpenalised feature. They are solved by SAIF and, where its coordinate steps crawl, from there by
 * `auto`; sums are never stored (data/sums/summed.h). */
#ifndef SOLVE_STRUCTURE_GENLASSO_TREES_H
#define SOLVE_STRUCTURE_GENLASSO_TREES_H

#include "model/certificate/graph.h"
#include "solve/common/method.h"

typedef struct tree_lasso tree_lasso;

typedef struct tree_options {
    const graph_terms *terms; /* the edges of a forest, without penalties of single features */
    const samples *of;
    long max_iter;
    bool warm;
} tree_options;

tm_status tree_new(tree_lasso **out, const tm_dataset *data, const tree_options *options,
                   solve_progress *progress, tm_error *err);
void tree_free(tree_lasso *t);
tm_status tree_update(tree_lasso *t, long max_iter, bool warm, double lambda, tm_error *err);
void tree_begin(tree_lasso *t);
tm_status tree_start(tree_lasso *t, const double *w, double b, tm_error *err);
/* The answer's weights are those of the original features; its `problem` is not set. */
tm_status tree_solve(tree_lasso *t, solve_progress *progress, double target, solve_answer *answer,
                     tm_error *err);
/* Called after each certificate, with the products q of the features and the gap. */
void tree_certified(tree_lasso *t, const double *q, double gap);
const double *tree_weights(const tree_lasso *t);

#endif
