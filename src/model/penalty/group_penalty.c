#include "model/penalty/group_penalty.h"

#include "base/memory.h"
#include "base/numeric/soft_threshold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- construction ---------------------------------------------------------------------------- */

void tm_group_penalty_free(tm_group_penalty *q)
{
    if (!q)
        return;
    free(q->starts);
    free(q->features);
    free(q->node_starts);
    free(q->nodes);
    free(q);
}

static double factor_of(const tm_groups *groups, size_t g, bool by_size)
{
    size_t size;
    tm_groups_members(groups, g, &size);
    return tm_groups_weight(groups, g, by_size ? sqrt((double)size) : 1);
}

/* Makes every group a block with its own values. */
static void fill_apart(tm_group_penalty *q, const tm_groups *groups, bool by_size)
{
    size_t at = 0;
    for (size_t g = 0; g < q->blocks; g++) {
        size_t count;
        const size_t *members = tm_groups_members(groups, g, &count);
        q->starts[g] = at;
        q->node_starts[g] = g;
        q->nodes[g] = (group_node){at, at + count, factor_of(groups, g, by_size)};
        memcpy(q->features + at, members, count * sizeof *members);
        at += count;
    }
    q->starts[q->blocks] = at;
    q->node_starts[q->blocks] = q->blocks;
}

/* A tree as lists of children; a walk visits each group after its descendants. */
typedef struct tree {
    const tm_groups *groups;
    size_t *first, *next; /* a group's first child, and its next sibling */
    size_t *path, *entry; /* of the walk: the groups from the root down, and where their members
                           * begin */
    bool *taken;          /* p: the feature has been placed */
} tree;

static bool tree_new(tree *t, const tm_groups *groups)
{
    size_t count = tm_groups_count(groups);
    *t = (tree){.groups = groups,
                .first = mem_array(count, sizeof *t->first),
                .next = mem_array(count, sizeof *t->next),
                .path = mem_array(count, sizeof *t->path),
                .entry = mem_array(count, sizeof *t->entry),
                .taken = mem_zeros(tm_groups_features(groups), sizeof *t->taken)};
    if (!t->first || !t->next || !t->path || !t->entry || !t->taken)
        return false;
    for (size_t g = 0; g < count; g++)
        t->first[g] = t->next[g] = TM_NO_GROUP;
    for (size_t g = count; g-- > 0;) {
        size_t parent = tm_groups_parent(groups, g);
        if (parent == TM_NO_GROUP)
            continue;
        t->next[g] = t->first[parent];
        t->first[parent] = g;
    }
    return true;
}

static void tree_free(tree *t)
{
    free(t->first);
    free(t->next);
    free(t->path);
    free(t->entry);
    free(t->taken);
}

/* Closes group g: its features that are in no inner group are placed after those of the inner
 * ones. */
static void close_group(tm_group_penalty *q, tree *t, size_t g, size_t entry, size_t *at,
                        double factor, size_t *node)
{
    size_t count;
    const size_t *members = tm_groups_members(t->groups, g, &count);
    for (size_t i = 0; i < count; i++) {
        if (t->taken[members[i]])
            continue;
        t->taken[members[i]] = true;
        q->features[(*at)++] = members[i];
    }
    q->nodes[(*node)++] = (group_node){entry, *at, factor};
}

/* Adds the group `top` and all its descendants as one block. */
static void add_block(tm_group_penalty *q, tree *t, size_t top, bool by_size, size_t *at,
                      size_t *node)
{
    size_t depth = 0;
    t->path[0] = top;
    t->entry[0] = *at;
    for (;;) {
        size_t g = t->path[depth], child = t->first[g];
        if (child != TM_NO_GROUP) {
            t->first[g] = t->next[child];
            t->path[++depth] = child;
            t->entry[depth] = *at;
            continue;
        }
        close_group(q, t, g, t->entry[depth], at, factor_of(t->groups, g, by_size), node);
        if (depth-- == 0)
            return;
    }
}

static bool fill_nested(tm_group_penalty *q, const tm_groups *groups, bool by_size)
{
    tree t;
    bool made = tree_new(&t, groups);
    size_t at = 0, node = 0;
    q->blocks = 0;
    for (size_t g = 0; made && g < tm_groups_count(groups); g++) {
        if (tm_groups_parent(groups, g) != TM_NO_GROUP)
            continue;
        q->starts[q->blocks] = at;
        q->node_starts[q->blocks++] = node;
        add_block(q, &t, g, by_size, &at, &node);
    }
    q->starts[q->blocks] = q->members = at;
    q->node_starts[q->blocks] = node;
    tree_free(&t);
    return made;
}

tm_status tm_group_penalty_new(tm_group_penalty **out, const tm_groups *groups, bool by_size,
                               bool nested, tm_error *err)
{
    *out = NULL;
    if (nested && !tm_groups_is_tree(groups))
        return tm_fail(err, TM_EUSAGE,
                       "the groups are not a tree: two of them share features and neither contains "
                       "the other; overlapping groups need overlap=duplicate");
    tm_group_penalty *q = calloc(1, sizeof *q);
    if (!q)
        return tm_fail_memory(err, "the penalty");
    q->p = tm_groups_features(groups);
    q->blocks = tm_groups_count(groups);
    for (size_t g = 0; g < q->blocks; g++) {
        size_t count;
        tm_groups_members(groups, g, &count);
        q->members += count;
    }
    q->starts = mem_array(q->blocks + 1, sizeof *q->starts);
    q->features = mem_array(q->members, sizeof *q->features);
    q->node_starts = mem_array(q->blocks + 1, sizeof *q->node_starts);
    q->nodes = mem_array(q->blocks, sizeof *q->nodes);
    bool made = q->starts && q->features && q->node_starts && q->nodes;
    if (made && nested)
        made = fill_nested(q, groups, by_size);
    else if (made)
        fill_apart(q, groups, by_size);
    if (!made) {
        tm_group_penalty_free(q);
        return tm_fail_memory(err, "the penalty");
    }
    *out = q;
    return TM_OK;
}

size_t tm_group_penalty_blocks(const tm_group_penalty *q)
{
    return q->blocks;
}

size_t tm_group_penalty_members(const tm_group_penalty *q)
{
    return q->members;
}

const size_t *tm_group_penalty_features(const tm_group_penalty *q)
{
    return q->features;
}

void tm_group_penalty_weights(const tm_group_penalty *q, const double *v, double *w)
{
    memset(w, 0, q->p * sizeof *w);
    for (size_t m = 0; m < q->members; m++)
        w[q->features[m]] += v[m];
}

size_t group_most(const tm_group_penalty *q)
{
    size_t most = 0;
    for (size_t b = 0; b < q->blocks; b++)
        if (q->starts[b + 1] - q->starts[b] > most)
            most = q->starts[b + 1] - q->starts[b];
    return most;
}

/* ---- one block ------------------------------------------------------------------------------- */

static double length_of(const double *v, size_t count)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += v[i] * v[i];
    return sqrt(squares);
}

/* The length of a single value is its absolute value, exactly. */
static double node_length(const group_node *node, size_t start, const double *v)
{
    size_t count = node->to - node->from;
    return count == 1 ? fabs(v[node->from - start]) : length_of(v + (node->from - start), count);
}

static void shrink(const group_node *node, size_t start, double t, double *v)
{
    double length = node_length(node, start, v), most = t * node->factor;
    double *at = v + (node->from - start);
    size_t count = node->to - node->from;
    if (count == 1)
        at[0] = soft_threshold(at[0], most);
    else if (length <= most)
        memset(at, 0, count * sizeof *at);
    else
        for (size_t i = 0; i < count; i++)
            at[i] *= 1 - most / length;
}

double group_value(const tm_group_penalty *q, size_t b, const double *v)
{
    double sum = 0;
    for (size_t k = q->node_starts[b]; k < q->node_starts[b + 1]; k++)
        sum += q->nodes[k].factor * node_length(&q->nodes[k], q->starts[b], v);
    return sum;
}

void group_prox(const tm_group_penalty *q, size_t b, double t, double *v)
{
    for (size_t k = q->node_starts[b]; k < q->node_starts[b + 1]; k++)
        shrink(&q->nodes[k], q->starts[b], t, v);
}

double group_excess_within(const tm_group_penalty *q, size_t b, double t, const double *c,
                           double radius, double *room)
{
    size_t start = q->starts[b], outer = q->node_starts[b + 1] - 1;
    const double *left = c;
    if (outer > q->node_starts[b]) {
        memcpy(room, c, (q->starts[b + 1] - start) * sizeof *room);
        for (size_t k = q->node_starts[b]; k < outer; k++)
            shrink(&q->nodes[k], start, t, room);
        left = room;
    }
    double length = node_length(&q->nodes[outer], start, left) + radius;
    return length > 0 ? length / (t * q->nodes[outer].factor) : 0;
}

double group_excess(const tm_group_penalty *q, size_t b, double t, const double *c, double *room)
{
    return group_excess_within(q, b, t, c, 0, room);
}

double group_dual_norm(const tm_group_penalty *q, size_t b, const double *c, double known,
                       double *room)
{
    size_t outer = q->node_starts[b + 1] - 1;
    double high = node_length(&q->nodes[outer], q->starts[b], c) / q->nodes[outer].factor;
    if (high <= known || outer == q->node_starts[b])
        return fmax(high, known);
    if (known > 0 && group_excess(q, b, known, c, room) <= 1)
        return known;
    /* The excess decreases as t grows. `high` stays within the ball. */
    double low = known;
    for (int step = 0; step < 200; step++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (group_excess(q, b, middle, c, room) <= 1)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* ---- all blocks ------------------------------------------------------------------------------ */

static double feature_factor(const tm_problem *problem, size_t j)
{
    return problem->factors ? problem->factors[j] : 1;
}

tm_status group_penalty_at(double *value, const tm_problem *problem, const double *v, tm_error *err)
{
    const tm_group_penalty *q = problem->groups;
    double *scaled = mem_array(group_most(q), sizeof *scaled);
    if (!scaled)
        return tm_fail_memory(err, "the certificate");
    *value = 0;
    for (size_t b = 0; b < q->blocks; b++) {
        for (size_t m = q->starts[b]; m < q->starts[b + 1]; m++)
            scaled[m - q->starts[b]] = v[m] * feature_factor(problem, q->features[m]);
        *value += group_value(q, b, scaled);
    }
    free(scaled);
    return TM_OK;
}

tm_status group_penalty_dual(double *norm, const tm_problem *problem, const double *products,
                             tm_error *err)
{
    const tm_group_penalty *q = problem->groups;
    size_t most = group_most(q);
    double *room = mem_array(2 * most, sizeof *room);
    if (!room)
        return tm_fail_memory(err, "the certificate");
    *norm = 0;
    for (size_t b = 0; b < q->blocks; b++) {
        for (size_t m = q->starts[b]; m < q->starts[b + 1]; m++) {
            size_t j = q->features[m];
            room[m - q->starts[b]] = products[j] / feature_factor(problem, j);
        }
        *norm = group_dual_norm(q, b, room, *norm, room + most);
    }
    free(room);
    return TM_OK;
}
