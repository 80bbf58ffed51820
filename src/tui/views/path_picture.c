/* The path view's alternative display: the weights at the cursor as a picture. */
#include "tui/views/path.h"

#include <string.h>

bool path_view_shows_picture(const path_view *v)
{
    if (v->track.count == 0 || path_view_shows_rounds(v))
        return false;
    if (v->arranged != ARRANGED_BY_RUN)
        return v->arranged == ARRANGED_PICTURE;
    const tm_params *params = tm_job_params(v->track.job);
    return app_session(v->app)->chosen.shape ||
           (tm_params_find(params, "graph", NULL) && tm_params_has(params, "graph"));
}

void path_picture_arrange(path_view *v)
{
    v->arranged = path_view_shows_picture(v) ? ARRANGED_LINES : ARRANGED_PICTURE;
    v->in_plot = false;
    v->stale = true;
}

static tm_status follow(path_view *v, tm_error *err)
{
    const tm_solution *now = &v->track.points[path_view_cursor_point(v)].solution;
    return picture_follow(&v->picture, v->track.job, now->model, app_session(v->app)->chosen.shape,
                          err);
}

void path_picture_draw(path_view *v, terminal *t, const path_areas *areas)
{
    tm_error err = TM_ERROR_INIT;
    char title[192], what[96];
    if (follow(v, &err) != TM_OK) {
        terminal_put(t, areas->plot.row, areas->plot.col, areas->plot.cols, STYLE_ERROR,
                     err.message);
        return;
    }
    picture_title(&v->picture, what, sizeof what);
    snprintf(title, sizeof title, "%s: %.40s", what, tm_job_name(v->track.job));
    path_view_draw_plot(v, t, areas->plot, title);
    if (areas->list.rows > 0) {
        terminal_box(t, areas->list,
                     v->picture.layout.groups  ? "groups, the strongest first"
                     : v->picture.layout.graph ? "levels, the strongest first"
                                               : "features, the strongest first",
                     false);
        picture_draw_levels(&v->picture, t, rect_inside(areas->list));
    }
}

bool path_picture_request(path_view *v, int request, const key_event *key)
{
    if (picture_mouse(&v->picture, request, key))
        return true;
    switch (request) {
    case REQ_PLOT:
        v->in_plot = true;
        return true;
    case REQ_BACK:
        v->in_plot = false;
        return true;
    case REQ_SAVE:
        if (!v->in_plot)
            return false; /* moves by features, as in the list */
        app_save(v->app, "save the picture as: ", "picture.png", pane_save, &v->picture.pane);
        return true;
    case REQ_UP:
    case REQ_DOWN:
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
    case REQ_FIRST:
    case REQ_LAST:
    case REQ_NEXT:
    case REQ_PREVIOUS:
    case REQ_ALONE:
        return picture_request(&v->picture, request, v->in_plot);
    default:
        return v->in_plot && picture_request(&v->picture, request, true);
    }
}
