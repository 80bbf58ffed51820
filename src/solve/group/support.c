/* Newton's method where block coordinate descent crawls. When columns of several blocks are nearly
 * parallel, as those that overlapping groups share, weights go from one block to another, and each
 * update is as small as the longest of these columns and the weak curvature of the penalty make it:
 * the less, the more the lengths of columns differ. */
#include "solve/group/support.h"

#include "base/memory.h"
#include "solve/common/interior_point.h"
#include "solve/common/tuning.h"
#include "solve/group/model.h"
#include "solve/group/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A nonzero group: its values are first .. last-1 of the support, its length at v. */
typedef struct support_group {
    size_t first, last;
    double weight, length; /* lambda f */
} support_group;

/* Members move freely, have been set to zero, or go there with this step. */
typedef enum support_bound { FREE, ZERO, LEAVING } support_bound;

typedef struct support {
    size_t count, groups_count;
    size_t *members; /* count */
    support_group *groups;
    support_bound *bound;    /* count: at zero */
    double *gram, *matrix;   /* count x count */
    double *c;               /* count: products at v */
    double *v, *step, *pull; /* count; pull: G step */
    double *slope;           /* count: of the objective */
    double *block;
    solve_progress *progress;
} support;

static void clear(support *q)
{
    free(q->members);
    free(q->groups);
    free(q->bound);
    free(q->block);
}

/* ---- making --------------------------------------------------------------------------------- */

static double values_length(const double *v, size_t first, size_t last)
{
    double squares = 0;
    for (size_t k = first; k < last; k++)
        squares += v[k] * v[k];
    return sqrt(squares);
}

/* Adds a block's members outside of its groups that are zero, and its other groups. */
static void add_block(support *q, const group_state *s, size_t b)
{
    const tm_group_penalty *penalty = s->problem.penalty;
    size_t start = penalty->starts[b], size = group_size(s, b), before = q->count;
    const double *u = s->u + start;
    support_bound *out = q->bound; /* scratch */
    for (size_t i = 0; i < size; i++)
        out[i] = s->problem.scale[start + i] == 0 ? ZERO : FREE;
    for (size_t k = penalty->node_starts[b]; k < penalty->node_starts[b + 1]; k++) {
        const group_node *node = &penalty->nodes[k];
        if (!(values_length(u, node->from - start, node->to - start) > 0))
            for (size_t i = node->from; i < node->to; i++)
                out[i - start] = ZERO;
    }
    for (size_t i = 0; i < size; i++)
        if (out[i] == FREE)
            q->members[q->count++] = start + i;
    for (size_t k = penalty->node_starts[b]; k < penalty->node_starts[b + 1]; k++) {
        const group_node *node = &penalty->nodes[k];
        support_group *group = &q->groups[q->groups_count];
        group->first = before;
        while (group->first < q->count && q->members[group->first] < node->from)
            group->first++;
        group->last = group->first;
        while (group->last < q->count && q->members[group->last] < node->to)
            group->last++;
        group->weight = s->lambda * node->factor;
        q->groups_count += group->last > group->first;
    }
}

static bool list_support(support *q, const group_state *s)
{
    const tm_group_penalty *penalty = s->problem.penalty;
    size_t members = group_working_members(s), groups = 0;
    for (size_t k = 0; k < s->set.count; k++)
        groups +=
            penalty->node_starts[s->set.blocks[k] + 1] - penalty->node_starts[s->set.blocks[k]];
    q->members = mem_array(members, sizeof *q->members);
    q->bound = mem_array(members, sizeof *q->bound);
    q->groups = mem_array(groups, sizeof *q->groups);
    if (!q->members || !q->groups || !q->bound)
        return false;
    for (size_t k = 0; k < s->set.count; k++)
        add_block(q, s, s->set.blocks[k]);
    return q->count > 0 && q->count <= MAX_SUPPORT;
}

static bool allocate(support *q)
{
    size_t m = q->count;
    double *at = q->block = mem_array(2 * m * m + 5 * m, sizeof *at);
    if (!at)
        return false;
    memset(q->bound, 0, m * sizeof *q->bound);
    q->gram = at;
    q->matrix = q->gram + m * m;
    q->c = q->matrix + m * m;
    q->v = q->c + m;
    q->step = q->v + m;
    q->pull = q->step + m;
    q->slope = q->pull + m;
    return true;
}

/* The Gram matrix and the products; false when the run must stop. */
static bool compute(support *q, const group_state *s)
{
    size_t m = q->count;
    for (size_t k = 0; k < m; k++) {
        size_t member = q->members[k];
        double *column = s->model->column;
        group_weighted_column(s, member, column);
        for (size_t l = 0; l <= k; l++)
            q->gram[k * m + l] = q->gram[l * m + k] =
                s->problem.scale[q->members[l]] *
                tm_matrix_dot(s->problem.x, s->problem.features[q->members[l]], column);
        q->gram[k * m + k] += group_least_curvature(s, member);
        q->c[k] = group_model_product(s, member);
        q->v[k] = s->u[member];
        q->progress->columns += k + 2;
        if (progress_work(q->progress, (k + 2) * s->problem.n))
            return false;
    }
    return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static void find_slope(support *q)
{
    for (size_t k = 0; k < q->count; k++)
        q->slope[k] = -q->c[k];
    for (size_t g = 0; g < q->groups_count; g++) {
        support_group *group = &q->groups[g];
        group->length = values_length(q->v, group->first, group->last);
        for (size_t k = group->first; group->length > 0 && k < group->last; k++)
            q->slope[k] += group->weight * q->v[k] / group->length;
    }
}

/* The Hessian, with ones on the diagonal for members that do not move freely. */
static void find_hessian(support *q)
{
    size_t m = q->count;
    memcpy(q->matrix, q->gram, m * m * sizeof *q->matrix);
    for (size_t k = 0; k < m; k++)
        q->matrix[k * m + k] *= 1 + SUPPORT_RIDGE;
    for (size_t g = 0; g < q->groups_count; g++) {
        const support_group *group = &q->groups[g];
        double by = group->length > 0 ? group->weight / group->length : 0;
        for (size_t k = group->first; k < group->last && by > 0; k++) {
            q->matrix[k * m + k] += by;
            for (size_t l = group->first; l < group->last; l++)
                q->matrix[k * m + l] -= by * (q->v[k] / group->length) * (q->v[l] / group->length);
        }
    }
    for (size_t k = 0; k < m; k++)
        for (size_t l = 0; l < m; l++)
            if (q->bound[k] != FREE || q->bound[l] != FREE)
                q->matrix[k * m + l] = k == l;
}

/* The Newton step of the members that are free; those on the way to zero go there. False when the
 * Hessian is indefinite by rounding or the run must stop. */
static bool find_step(support *q)
{
    size_t m = q->count;
    for (size_t k = 0; k < m; k++) {
        q->step[k] = q->bound[k] == FREE ? -q->slope[k] : 0;
        for (size_t l = 0; l < m && q->bound[k] == FREE; l++)
            if (q->bound[l] == LEAVING)
                q->step[k] += q->gram[k * m + l] * q->v[l];
    }
    find_hessian(q);
    if (progress_work(q->progress, m * m * (m / 3 + 2)) || !normal_factorise(q->matrix, m))
        return false;
    normal_solve(q->matrix, m, q->step);
    for (size_t k = 0; k < m; k++)
        if (q->bound[k] == LEAVING)
            q->step[k] = -q->v[k];
    for (size_t k = 0; k < m; k++) {
        q->pull[k] = 0;
        for (size_t l = 0; l < m; l++)
            q->pull[k] += q->gram[k * m + l] * q->step[l];
    }
    return true;
}

/* The change of the objective for a step of length t. */
static double change_after(const support *q, double t)
{
    double sum = 0;
    for (size_t k = 0; k < q->count; k++)
        sum += t * q->step[k] * (t * q->pull[k] / 2 - q->c[k]);
    for (size_t g = 0; g < q->groups_count; g++) {
        const support_group *group = &q->groups[g];
        double squares = 0;
        for (size_t k = group->first; k < group->last; k++) {
            double value = q->v[k] + t * q->step[k];
            squares += value * value;
        }
        sum += group->weight * (sqrt(squares) - group->length);
    }
    return sum;
}

static void move(support *q, double t)
{
    for (size_t k = 0; k < q->count; k++) {
        q->c[k] -= t * q->pull[k];
        q->v[k] += t * q->step[k];
    }
}

/* The group of free members that the step leads past zero first; NULL: none. */
static const support_group *first_crossing(const support *q)
{
    const support_group *found = NULL;
    double first = 1;
    for (size_t g = 0; g < q->groups_count; g++) {
        const support_group *group = &q->groups[g];
        double along = 0, squares = group->length * group->length;
        bool is_free = squares > 0;
        for (size_t k = group->first; k < group->last; k++) {
            along -= q->v[k] * q->step[k];
            is_free = is_free && q->bound[k] == FREE;
        }
        if (is_free && along > 0 && squares <= first * along) {
            first = squares / along;
            found = group;
        }
    }
    return found;
}

static void replace(support *q, support_bound from, support_bound to)
{
    for (size_t k = 0; k < q->count; k++)
        if (q->bound[k] == from)
            q->bound[k] = to;
}

/* Sets groups that the step leads past zero to zero, one after another until the objective falls;
 * the others move as that permits. False, without a change, when it does not fall. */
static bool drop_groups(support *q)
{
    for (const support_group *drop; (drop = first_crossing(q));) {
        for (size_t k = drop->first; k < drop->last; k++)
            q->bound[k] = LEAVING;
        if (!find_step(q))
            break;
        if (!(change_after(q, 1) < 0))
            continue;
        move(q, 1);
        for (size_t k = 0; k < q->count; k++)
            if (q->bound[k] == LEAVING)
                q->v[k] = 0;
        replace(q, LEAVING, ZERO);
        return true;
    }
    replace(q, LEAVING, FREE);
    return false;
}

/* The longest of 1, 1/2, 1/4, ... with sufficient decrease but for rounding errors; 0: none. *last:
 * whether the decrease that is left is rounding error. */
static double find_length(const support *q, bool *last)
{
    double predicted = 0, lost = 0, t = 1;
    for (size_t k = 0; k < q->count; k++)
        predicted += q->slope[k] * q->step[k];
    for (size_t g = 0; g < q->groups_count; g++)
        lost += ROUNDING * q->groups[g].weight * q->groups[g].length;
    *last = !(-predicted > SUPPORT_CHANGE * lost);
    for (int half = 0; half < HALVINGS; half++, t /= 2)
        if (change_after(q, t) <= SUFFICIENT * t * predicted + lost)
            return t;
    return 0;
}

static void minimise(support *q)
{
    bool last = false;
    for (int step = 0; step < SUPPORT_STEPS && !last; step++) {
        find_slope(q);
        if (!find_step(q))
            return;
        if (first_crossing(q)) {
            if (drop_groups(q))
                continue;
            if (!find_step(q))
                return;
        }
        double length = find_length(q, &last);
        if (length == 0)
            return;
        move(q, length);
    }
}

bool group_support_minimise(group_state *s, double *values, solve_progress *progress)
{
    support q = {.progress = progress};
    bool made = list_support(&q, s) && allocate(&q) && compute(&q, s);
    if (made) {
        minimise(&q);
        for (size_t k = 0, at = 0, next = 0; k < s->set.count; k++) {
            size_t b = s->set.blocks[k], end = s->problem.penalty->starts[b + 1];
            for (size_t m = s->problem.penalty->starts[b]; m < end; m++, at++)
                values[at] = next < q.count && q.members[next] == m ? q.v[next++] : s->u[m];
        }
    }
    clear(&q);
    return made;
}
