/* The tree-structured Parzen estimator: configurations that are likely to be good. */
#include "tamis/sweep_search.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/plan/grid.h"
#include "run/plan/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t tm_halving_left(size_t count, size_t eta, size_t rounds)
{
    for (size_t r = 0; r < rounds && count > 1; r++)
        count = count / eta > 1 ? count / eta : 1;
    return count;
}

/* ---- places on an axis --------------------------------------------------------------------- */

/* The place of a value: for a range a number from 0 to 1, for choices their index; NaN for a value
 * that is neither. */
static double place_of(const tm_sweep_axis *axis, const char *text)
{
    double value;
    for (size_t k = 0; text && k < axis->count; k++)
        if (strcmp(text, axis->values[k]) == 0)
            return (double)k;
    if (axis->count > 0 || !text || !text_to_real(text, &value))
        return NAN;
    return sweep_axis_place(axis, value);
}

/* ---- densities ----------------------------------------------------------------------------- */

/* Places on one axis, ascending, and the width of the kernel at each. */
typedef struct density {
    double *at, *width;
    size_t count;
    size_t choices; /* number of choices; 0: a range */
} density;

static int compare_reals(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Each kernel is as wide as the gap to its farther neighbour, within limits; the ends count as
 * neighbours. */
static void set_widths(density *d)
{
    double least = 1.0 / (double)(d->count < 99 ? d->count + 1 : 100);
    for (size_t k = 0; k < d->count; k++) {
        double left = d->at[k] - (k > 0 ? d->at[k - 1] : 0);
        double right = (k + 1 < d->count ? d->at[k + 1] : 1) - d->at[k];
        d->width[k] = fmin(fmax(fmax(left, right), least), 1);
    }
}

static double normal_below(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

/* A normal density truncated to [0, 1]. */
static double kernel(double x, double at, double width)
{
    double inside = normal_below((1 - at) / width) - normal_below(-at / width);
    double z = (x - at) / width;
    return exp(-0.5 * z * z) / (sqrt(2 * M_PI) * width * inside);
}

/* Includes a uniform component, so that nothing is excluded. */
static double density_at(const density *d, double x)
{
    double sum = d->choices > 0 ? 1 / (double)d->choices : 1;
    for (size_t k = 0; k < d->count; k++)
        sum += d->choices > 0 ? d->at[k] == x : kernel(x, d->at[k], d->width[k]);
    return sum / (double)(d->count + 1);
}

static double draw_from(const density *d, tm_rng *rng)
{
    size_t k = tm_rng_below(rng, d->count + 1);
    if (k == d->count)
        return d->choices > 0 ? (double)tm_rng_below(rng, d->choices) : tm_rng_uniform(rng);
    for (int i = 0; d->choices == 0 && i < PROPOSE_RETRIES; i++) {
        double x = d->at[k] + d->width[k] * tm_rng_normal(rng);
        if (x >= 0 && x < 1)
            return x;
    }
    return d->at[k];
}

/* ---- what was tried ------------------------------------------------------------------------ */

typedef struct proposer {
    const tm_sweep_axis *axes;
    size_t axis_count;
    tm_rng rng;
    char **rows; /* configurations tried, then proposed: count x axis_count; the proposed ones are
                  * owned */
    size_t tried, count;
    size_t *order; /* indices of those tried, the best first */
    size_t good;
    density *near, *far; /* by axis */
} proposer;

/* Sorts by score, the best first, ties in order, those without a score last. There are few of
 * them. */
static void set_order(proposer *p, const double *scores)
{
    for (size_t i = 0; i < p->tried; i++) {
        size_t at = i;
        for (; at > 0 && !isnan(scores[i]); at--) {
            double before = scores[p->order[at - 1]];
            if (before >= scores[i])
                break;
            p->order[at] = p->order[at - 1];
        }
        p->order[at] = i;
    }
    p->good = (size_t)ceil(PROPOSE_GOOD * (double)p->tried);
}

static void add_place(const proposer *p, density *to, size_t row, size_t axis)
{
    double place = place_of(&p->axes[axis], p->rows[row * p->axis_count + axis]);
    if (!isnan(place))
        to->at[to->count++] = place;
}

/* Fills the densities. Proposals without a score yet count as bad, so that others are proposed. */
static void fill(proposer *p)
{
    for (size_t a = 0; a < p->axis_count; a++) {
        density *near = &p->near[a], *far = &p->far[a];
        near->count = far->count = 0;
        near->choices = far->choices = p->axes[a].count;
        for (size_t i = 0; i < p->count; i++) {
            size_t row = i < p->tried ? p->order[i] : i;
            add_place(p, i < p->good ? near : far, row, a);
        }
        qsort(near->at, near->count, sizeof *near->at, compare_reals);
        qsort(far->at, far->count, sizeof *far->at, compare_reals);
        set_widths(near);
        set_widths(far);
    }
}

/* ---- proposals ----------------------------------------------------------------------------- */

static double choose_place(proposer *p, size_t axis)
{
    double best = 0, most = -INFINITY;
    for (int i = 0; i < PROPOSE_DRAWS; i++) {
        double x = draw_from(&p->near[axis], &p->rng);
        double ratio = density_at(&p->near[axis], x) / density_at(&p->far[axis], x);
        if (!(ratio > most))
            continue;
        most = ratio;
        best = x;
    }
    return best;
}

static bool is_new(const proposer *p, char *const *row)
{
    for (size_t i = 0; i < p->count; i++) {
        bool same = true;
        for (size_t a = 0; same && a < p->axis_count; a++) {
            const char *other = p->rows[i * p->axis_count + a];
            same = other && strcmp(other, row[a]) == 0;
        }
        if (same)
            return false;
    }
    return true;
}

static void clear_row(char **row, size_t count)
{
    for (size_t a = 0; a < count; a++) {
        free(row[a]);
        row[a] = NULL;
    }
}

/* Proposes one more configuration; TM_OK without one if every draw had been tried before. Later
 * draws are from the whole axes. */
static tm_status propose(proposer *p, tm_error *err)
{
    char **row = p->rows + p->count * p->axis_count;
    fill(p);
    for (int i = 0; i < PROPOSE_RETRIES; i++) {
        for (size_t a = 0; a < p->axis_count; a++) {
            const tm_sweep_axis *axis = &p->axes[a];
            double place = i < PROPOSE_RETRIES / 2 ? choose_place(p, a)
                           : axis->count > 0       ? (double)tm_rng_below(&p->rng, axis->count)
                                                   : tm_rng_uniform(&p->rng);
            row[a] = axis->count > 0 ? text_copy(axis->values[(size_t)place])
                                     : sweep_axis_text(axis, place);
            if (!row[a]) {
                clear_row(row, p->axis_count);
                return tm_fail_memory(err, "a search");
            }
        }
        if (is_new(p, row)) {
            p->count++;
            return TM_OK;
        }
        clear_row(row, p->axis_count);
    }
    return TM_OK;
}

static tm_status make_room(proposer *p, size_t count, tm_error *err)
{
    size_t room = p->tried + count;
    p->rows = mem_zeros(room * p->axis_count, sizeof *p->rows);
    p->order = mem_array(p->tried + 1, sizeof *p->order);
    p->near = mem_zeros(2 * p->axis_count, sizeof *p->near);
    bool enough = p->rows && p->order && p->near;
    p->far = enough ? p->near + p->axis_count : NULL;
    for (size_t a = 0; enough && a < 2 * p->axis_count; a++) {
        p->near[a].at = mem_array(2 * room, sizeof *p->near[a].at);
        enough = p->near[a].at;
        p->near[a].width = enough ? p->near[a].at + room : NULL;
    }
    return enough ? TM_OK : tm_fail_memory(err, "a search");
}

/* Passes the proposals to the caller. */
static tm_status hand_over(proposer *p, char ***out, size_t *made, tm_error *err)
{
    size_t values = (p->count - p->tried) * p->axis_count;
    *out = mem_array(values, sizeof **out);
    if (!*out)
        return tm_fail_memory(err, "a search");
    memcpy(*out, p->rows + p->tried * p->axis_count, values * sizeof **out);
    *made = p->count - p->tried;
    p->count = p->tried;
    return TM_OK;
}

static void clear(proposer *p)
{
    for (size_t i = p->tried * p->axis_count; p->rows && i < p->count * p->axis_count; i++)
        free(p->rows[i]);
    for (size_t a = 0; p->near && a < 2 * p->axis_count; a++)
        free(p->near[a].at);
    free(p->near);
    free(p->rows);
    free(p->order);
}

tm_status tm_sweep_propose(char ***out, size_t *made, const tm_sweep_tried *tried, size_t count,
                           uint64_t seed, tm_error *err)
{
    proposer p = {.axes = tried->axes,
                  .axis_count = tried->axis_count,
                  .tried = tried->count,
                  .count = tried->count};
    *out = NULL;
    *made = 0;
    for (size_t a = 0; a < p.axis_count; a++)
        if (sweep_axis_check(&p.axes[a], err) != TM_OK)
            return TM_EUSAGE;
    tm_rng_seed(&p.rng, seed);
    tm_status status = make_room(&p, count, err);
    if (status == TM_OK) {
        for (size_t i = 0; i < p.tried * p.axis_count; i++)
            p.rows[i] = (char *)tried->values[i]; /* not changed, not freed */
        set_order(&p, tried->scores);
    }
    for (size_t k = 0; status == TM_OK && k < count; k++)
        status = propose(&p, err);
    if (status == TM_OK)
        status = hand_over(&p, out, made, err);
    clear(&p);
    return status;
}
