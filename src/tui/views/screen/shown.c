/* What scripts show in the screen view (tm.show), and what is searched there. */
#include "base/text.h"
#include "tui/views/screen/screen.h"

#include <string.h>

static tm_status show_step(screen_view *v, const char *value, tm_error *err)
{
    long step = (long)v->replay.count;
    if (strcmp(value, "last") != 0 &&
        (!text_to_long(value, &step) || step < 1 || (size_t)step > v->replay.count))
        return tm_fail(err, TM_EUSAGE, "tm.show: step is 1 to %zu or \"last\" here, not %.40s",
                       v->replay.count, value);
    v->playing = false;
    screen_view_go(v, (size_t)step - 1);
    return TM_OK;
}

/* Chooses an item by its number (from 1) in the current step. */
static tm_status show_feature(screen_view *v, const char *value, tm_error *err)
{
    long feature;
    bool whole = text_to_long(value, &feature);
    for (size_t i = 0; whole && i < v->replay.row_count; i++) {
        if ((long)v->replay.rows[i].feature + 1 == feature) {
            list_resize(&v->rows, v->replay.row_count);
            list_choose(&v->rows, (long)i);
            v->feature = v->replay.rows[i].feature;
            v->drawn = SIZE_MAX;
            return TM_OK;
        }
    }
    return tm_fail(err, TM_EUSAGE, "tm.show: this step did not look at %s %.40s",
                   tm_item_name(v->replay.item), value);
}

static tm_status show_lambda(screen_view *v, const char *value, tm_error *err)
{
    double lambda;
    if (!text_to_real(value, &lambda) || !(lambda > 0))
        return tm_fail(err, TM_EUSAGE, "tm.show: lambda is a number above 0, not %.40s", value);
    return study_at_lambda(v, lambda, err);
}

static tm_status show_plane(screen_view *v, bool shown, tm_error *err)
{
    if (shown && !screen_view_plane(v))
        return tm_fail(err, TM_EUSAGE,
                       "tm.show: there is no feature here whose plane could be "
                       "shown");
    v->planar = shown;
    v->drawn = SIZE_MAX;
    return TM_OK;
}

tm_status screen_view_at(void *state, app *a, const char *what, const char *value, tm_error *err)
{
    screen_view *v = state;
    (void)a;
    tm_status status = study_follow(v, err);
    if (status != TM_OK)
        return status;
    if (!v->source && strcmp(what, "reset") == 0)
        return TM_OK;
    if (!v->source)
        return tm_fail(err, TM_EUSAGE, "tm.show: the screen view has no run");
    if (strcmp(what, "reset") == 0) {
        v->zoomed = v->planar = false;
        return study_reset(v, err);
    }
    if (strcmp(what, "rule") == 0)
        return strcmp(value, screen_view_strategy_of(v)) == 0 ? TM_OK : study_by(v, value, err);
    if (strcmp(what, "zoom") == 0) {
        v->zoomed = strcmp(value, "true") == 0;
        return TM_OK;
    }
    if (v->replay.count == 0)
        return tm_fail(err, TM_EUSAGE, "tm.show: this run leaves no screen log");
    if (strcmp(what, "lambda") == 0)
        return show_lambda(v, value, err);
    if (strcmp(what, "plane") == 0)
        return show_plane(v, strcmp(value, "true") == 0, err);
    return strcmp(what, "step") == 0 ? show_step(v, value, err) : show_feature(v, value, err);
}

/* ---- searching ----------------------------------------------------------------------------- */

static bool has_wanted(size_t row, const void *payload)
{
    const screen_view *v = payload;
    char label[256];
    return strcasestr(replay_label(&v->replay, &v->replay.rows[row], label, sizeof label),
                      v->wanted);
}

static void find_next(screen_view *v)
{
    bool found = v->wanted[0] == '\0' || list_find(&v->rows, has_wanted, v);
    if (!found)
        app_message(v->app, STYLE_WARN, "this step looked at no %s with \"%s\" in its name%s",
                    tm_item_name(v->replay.item), v->wanted,
                    replay_at_certificate(&v->replay) ? "" : "; the last one (G) looked at all");
    else if (v->planar)
        screen_view_plane(v);
}

static void find(const char *text, void *payload)
{
    screen_view *v = payload;
    if (text && text[0] != '\0') {
        snprintf(v->wanted, sizeof v->wanted, "%s", text);
        find_next(v);
    }
}

bool screen_view_search(screen_view *v, int request)
{
    char question[32];
    snprintf(question, sizeof question, "%s: ", tm_item_name(v->replay.item));
    if (request == REQ_FIND)
        app_ask(v->app, question, v->wanted, find, v);
    else if (request == REQ_NEXT)
        find_next(v);
    return request == REQ_FIND || request == REQ_NEXT;
}
