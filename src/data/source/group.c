/* Groups of columns as units. The score of a group is the sum of its columns' scores over the
 * square of the group's weight.
 *
 * In a tree the descendants of a group have at most its sum, so that a group whose sum is too small
 * even for the least weight in its subtree excludes the whole subtree from the search (FGM remark
 * 2). Before that, the sum is bounded by |v|^2 sum |x_j|^2, which needs no product with v. */
#include "base/memory.h"
#include "data/source/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct source_group {
    double *products; /* p; NaN: not computed in this pass */
    size_t *wanted;   /* p: columns whose products are to be computed */
    size_t wanted_count;
    /* tree only: for each group the sum of its columns' squares, the least weight in its subtree,
     * and its children as a linked list */
    double *squares, *least_weights;
    size_t *first_child, *next_child; /* TM_NO_GROUP ends a list */
} source_group;

static source_group *own(const tm_source *s)
{
    return s->own;
}

static double weight_of(const tm_source *s, size_t g)
{
    return tm_groups_weight(s->groups, g, 1);
}

static size_t group_width(const tm_source *s, uint64_t unit)
{
    size_t count;
    tm_groups_members(s->groups, (size_t)unit, &count);
    return count;
}

static uint64_t group_feature(const tm_source *s, uint64_t unit, size_t k, double *factor)
{
    size_t count, j = tm_groups_members(s->groups, (size_t)unit, &count)[k];
    *factor = source_scale(s, j) / weight_of(s, (size_t)unit);
    return j;
}

/* ---- products ------------------------------------------------------------------------------ */

static void multiply_wanted(tm_source *s, source_pass *pass, size_t block, best *heap,
                            double *scratch)
{
    source_group *g = s->own;
    size_t from = block * s->block, to = from + s->block;
    (void)heap;
    (void)scratch;
    for (size_t k = from; k < to && k < g->wanted_count; k++) {
        size_t j = g->wanted[k];
        g->products[j] = source_product(s, pass, j, tm_matrix_dot(s->x, j, pass->v));
    }
}

/* Computes the requested products. */
static void fetch(tm_source *s, source_pass *pass)
{
    source_group *g = s->own;
    source_share(s, pass, (g->wanted_count + s->block - 1) / s->block, 0, multiply_wanted);
    atomic_fetch_add(&pass->columns, g->wanted_count);
    g->wanted_count = 0;
}

static void want(tm_source *s, size_t group)
{
    source_group *g = s->own;
    size_t count;
    const size_t *members = tm_groups_members(s->groups, group, &count);
    for (size_t k = 0; k < count; k++)
        if (isnan(g->products[members[k]])) {
            g->products[members[k]] = 0; /* marks it as requested, so that it is requested once */
            g->wanted[g->wanted_count++] = members[k];
        }
}

static double sum_of_squares(const tm_source *s, size_t group)
{
    size_t count;
    const size_t *members = tm_groups_members(s->groups, group, &count);
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += own(s)->products[members[k]] * own(s)->products[members[k]];
    return sum;
}

static void forget(tm_source *s)
{
    for (size_t j = 0; j < s->p; j++)
        own(s)->products[j] = NAN;
}

/* ---- groups of any kind -------------------------------------------------------------------- */

static tm_status best_groups(tm_source *s, source_pass *pass, tm_error *err)
{
    (void)err;
    forget(s);
    for (size_t g = 0; g < s->units; g++)
        want(s, g);
    fetch(s, pass);
    for (size_t g = 0; g < s->units && !source_stopped(pass); g++) {
        double weight = weight_of(s, g);
        best_offer(pass->found, g, sum_of_squares(s, g) / (weight * weight));
    }
    return TM_OK;
}

/* ---- trees --------------------------------------------------------------------------------- */

/* Whether nothing in a group's subtree can be among the best when the sum over its columns is at
 * most `sum`; with a margin for rounding. */
static bool cannot_be_best(const tm_source *s, const source_pass *pass, size_t group, double sum)
{
    double weight = own(s)->least_weights[group];
    return sum / (weight * weight) * (1 + 1e-9) < best_least(pass->found);
}

/* Walks the subtree of a top-level group, whose columns' products are available. */
static void visit(tm_source *s, source_pass *pass, size_t top)
{
    const source_group *t = s->own;
    for (size_t g = top;;) {
        double sum = sum_of_squares(s, g), weight = weight_of(s, g);
        best_offer(pass->found, g, sum / (weight * weight));
        if (t->first_child[g] != TM_NO_GROUP && !cannot_be_best(s, pass, g, sum)) {
            g = t->first_child[g];
            continue;
        }
        while (g != top && t->next_child[g] == TM_NO_GROUP)
            g = tm_groups_parent(s->groups, g);
        if (g == top || source_stopped(pass))
            return;
        g = t->next_child[g];
    }
}

static tm_status best_tree(tm_source *s, source_pass *pass, tm_error *err)
{
    double squares = 0;
    (void)err;
    forget(s);
    for (size_t i = 0; i < s->n; i++)
        squares += pass->v[i] * pass->v[i];
    for (size_t g = 0; g < s->units && !source_stopped(pass); g++) {
        bool root = tm_groups_parent(s->groups, g) == TM_NO_GROUP;
        if (!root || cannot_be_best(s, pass, g, squares * own(s)->squares[g]))
            continue;
        want(s, g);
        fetch(s, pass);
        visit(s, pass, g);
    }
    return TM_OK;
}

/* The squared norms with which columns are scored: centred when vectors sum to zero, since x_j'v
 * does not change then. */
static double column_squares(const tm_source *s, size_t j)
{
    double deviations = tm_dataset_deviations(s->data)[j], mean = tm_dataset_means(s->data)[j];
    double squares = s->intercept ? deviations : deviations + (double)s->n * mean * mean;
    return squares * source_scale(s, j) * source_scale(s, j);
}

static tm_status plant(tm_source *s, tm_error *err)
{
    source_group *t = s->own;
    size_t count = tm_groups_count(s->groups);
    t->squares = mem_zeros(count, sizeof *t->squares);
    t->least_weights = mem_array(count, sizeof *t->least_weights);
    t->first_child = mem_array(count, sizeof *t->first_child);
    t->next_child = mem_array(count, sizeof *t->next_child);
    if (!t->squares || !t->least_weights || !t->first_child || !t->next_child)
        return tm_fail_memory(err, "the tree of groups");
    for (size_t g = 0; g < count; g++) {
        size_t members;
        const size_t *list = tm_groups_members(s->groups, g, &members);
        t->first_child[g] = t->next_child[g] = TM_NO_GROUP;
        t->least_weights[g] = weight_of(s, g);
        for (size_t k = 0; k < members; k++)
            t->squares[g] += column_squares(s, list[k]);
    }
    for (size_t g = count; g-- > 0;) {
        size_t parent = tm_groups_parent(s->groups, g);
        if (parent != TM_NO_GROUP) {
            t->next_child[g] = t->first_child[parent];
            t->first_child[parent] = g;
        }
        /* Propagates a lesser weight to all ancestors. */
        for (; parent != TM_NO_GROUP && t->least_weights[parent] > weight_of(s, g);
             parent = tm_groups_parent(s->groups, parent))
            t->least_weights[parent] = weight_of(s, g);
    }
    return TM_OK;
}

static tm_status init(tm_source *s, const tm_source_spec *spec, tm_error *err)
{
    if (!spec->groups)
        return tm_fail(err, TM_EUSAGE, "source %s needs groups", spec->kind);
    s->groups = tm_groups_ref(spec->groups);
    s->units = tm_groups_count(s->groups);
    source_group *g = s->own = calloc(1, sizeof *g);
    if (!g)
        return tm_fail_memory(err, "the groups");
    g->products = mem_array(s->p, sizeof *g->products);
    g->wanted = mem_array(s->p, sizeof *g->wanted);
    return g->products && g->wanted ? TM_OK : tm_fail_memory(err, "the groups");
}

static tm_status init_tree(tm_source *s, const tm_source_spec *spec, tm_error *err)
{
    if (spec->groups && !tm_groups_is_tree(spec->groups))
        return tm_fail(
            err, TM_EUSAGE,
            "source tree needs groups that form a tree: any two are disjoint or one lies "
            "within the other; source groups takes any");
    tm_status status = init(s, spec, err);
    return status == TM_OK ? plant(s, err) : status;
}

static void clear(void *own)
{
    source_group *group = own;
    free(group->products);
    free(group->wanted);
    free(group->squares);
    free(group->least_weights);
    free(group->first_child);
    free(group->next_child);
    free(group);
}

const source_kind source_groups = {.width = group_width,
                                   .feature = group_feature,
                                   .best = best_groups,
                                   .init = init,
                                   .clear = clear};
const source_kind source_tree = {.width = group_width,
                                 .feature = group_feature,
                                 .best = best_tree,
                                 .init = init_tree,
                                 .clear = clear};
