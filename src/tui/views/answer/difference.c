#include "tui/views/answer/difference.h"

#include "tui/pins/difference.h"
#include "tui/terminal/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 160, CHANGES_SHOWN = 3, LINES = 2 * CHANGES_SHOWN + 5, WIDE = 34 };

typedef struct lines {
    char text[LINES][LINE];
    char ratio[32];  /* ratio of column products, shown beside the first line */
    int count, cols; /* cols: the width of a line on the screen */
} lines;

/* The newest pin that is not the answer itself. */
static const pin *other_pin(const explore_runs *e)
{
    size_t own = pins_find(&e->pins, e->answered);
    for (size_t i = e->pins.count; i > 0; i--)
        if (i - 1 != own)
            return &e->pins.at[i - 1];
    return NULL;
}

/* Uses two lines where one would be cut, as the first digits of a number are another number. */
static void add_change(lines *out, const parameter_change *change)
{
    char *line = out->text[out->count++];
    const char *arrows[] = {" -> ", "->"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(line, LINE, "%s %s%s%s", change->name, change->before, arrows[i], change->now);
        if ((int)strlen(line) <= out->cols)
            return;
    }
    snprintf(line, LINE, "%s", change->name);
    snprintf(out->text[out->count++], LINE, "  %s -> %s", change->before, change->now);
}

static void add_changes(lines *out, const difference *d)
{
    size_t shown = d->change_count <= CHANGES_SHOWN ? d->change_count : CHANGES_SHOWN - 1;
    for (size_t i = 0; i < shown; i++)
        add_change(out, &d->changes[i]);
    if (shown < d->change_count)
        snprintf(out->text[out->count++], LINE, "and %zu more", d->change_count - shown);
    if (d->change_count == 0)
        snprintf(out->text[out->count++], LINE, "the same parameters");
}

/* "+3 in: GENE1, GENE2, GENE3": as many names as fit in the line; a cut list ends in an
 * ellipsis. */
static void add_features(lines *out, const feature_set *set, const char *what,
                         const tm_model *model)
{
    char *line = out->text[out->count++], label[128];
    size_t used =
        (size_t)snprintf(line, LINE, "%s%zu %s", *what == 'i' ? "+" : "-", set->count, what);
    for (size_t i = 0; i < set->count && used + 1 < LINE; i++)
        used += (size_t)snprintf(line + used, LINE - used, "%s%s", i == 0 ? ": " : ", ",
                                 tm_model_feature_label(model, set->at[i], label, sizeof label));
}

static const tm_model *model_of(const tm_job *job)
{
    const tm_point *points;
    size_t count = tm_job_points(job, &points);
    return points[count - 1].solution.model;
}

static void compare(lines *out, const pin *before, const tm_job *now)
{
    difference d;
    tm_error err = TM_ERROR_INIT;
    if (difference_make(&d, before->solve, now, &err) != TM_OK)
        return;
    double ratio = difference_ratio(&d);
    snprintf(out->text[out->count++], LINE, "against %s", before->label);
    if (isfinite(ratio))
        snprintf(out->ratio, sizeof out->ratio, out->cols < WIDE ? "%.3gx" : "%.3gx its products",
                 ratio);
    add_changes(out, &d);
    if (d.comparable && d.in.count > 0)
        add_features(out, &d.in, "in", model_of(now));
    if (d.comparable && d.out.count > 0)
        add_features(out, &d.out, "out", model_of(before->solve));
    if (d.comparable && d.in.count + d.out.count == 0)
        snprintf(out->text[out->count++], LINE, "the same features");
    if (d.warm)
        snprintf(out->text[out->count++], LINE, "started warm");
    difference_free(&d);
}

int difference_draw(terminal *t, rect area, const explore_runs *e)
{
    lines found = {.cols = area.cols};
    const pin *before = other_pin(e);
    if (before && e->answered)
        compare(&found, before, e->answered);
    else if (e->pins.count > 0)
        snprintf(found.text[found.count++], LINE, "pinned as %s",
                 e->pins.at[e->pins.count - 1].label);
    int most = area.rows - 1, rows = found.count < most ? found.count : most;
    for (int i = 0; i < rows; i++)
        terminal_put(t, area.row + area.rows - rows + i, area.col, area.cols,
                     i == 0 ? STYLE_BOLD : STYLE_NORMAL, found.text[i]);
    if (rows > 0)
        terminal_put_right(t, area.row + area.rows - rows, area.col, area.cols, STYLE_BOLD,
                           found.ratio);
    return rows > 0 ? rows : 0;
}
