/* The data that are explored: taken over, split, loaded in the background. */
#include "tui/session/loader.h"
#include "tui/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void session_forget_data(session *s)
{
    if (s->chosen.scores)
        scores_clear(s->chosen.scores);
    tm_dataset_unref(s->data.all);
    tm_dataset_unref(s->data.train);
    tm_dataset_unref(s->data.test);
    tm_dataset_unref(s->data.source);
    session_free_classes(&s->data.classes);
    s->data.all = s->data.train = s->data.test = s->data.source = NULL;
}

void session_forget_origin(session_origin *origin)
{
    free(origin->path);
    tm_params_free(origin->reader);
    free(origin->class);
    *origin = (session_origin){.kind = ORIGIN_SCRIPT};
}

/* Splits the data into training and held-out rows; data with too few rows are explored without
 * scores. */
static tm_status split(const session *s, tm_dataset *data, tm_dataset **train, tm_dataset **test,
                       tm_error *err)
{
    tm_split how = {
        .test = SESSION_TEST_SHARE, .stratify = tm_dataset_is_binary(data), .seed = s->seed};
    tm_status status = tm_dataset_split(train, test, data, &how, err);
    if (status == TM_OK || status == TM_ENOMEM)
        return status;
    *train = tm_dataset_ref(data);
    *test = NULL;
    return TM_OK;
}

tm_status session_explore_class(session *s, tm_dataset *data, const char *label, tm_error *err)
{
    tm_dataset *all = NULL, *train = NULL, *test = NULL;
    class_choice classes = {.label = NULL};
    tm_status status = session_find_classes(&classes, data, err);
    if (!label && classes.named)
        label = classes.all.labels[0];
    if (status == TM_OK && label)
        status = tm_dataset_one_vs_rest(&all, data, label, false, err);
    else if (status == TM_OK)
        all = tm_dataset_ref(data);
    if (status == TM_OK && label && !(classes.label = strdup(label)))
        status = tm_fail_memory(err, "the class");
    if (status == TM_OK)
        status = split(s, all, &train, &test, err);
    if (status != TM_OK) {
        tm_dataset_unref(all);
        session_free_classes(&classes);
        return status;
    }
    tm_dataset *source = tm_dataset_ref(data);
    session_forget_data(s);
    session_choose_path(s, NULL);
    session_choose_study(s, NULL);
    session_forget_timed(s);
    session_choose_shape(s, "", NULL);
    s->data.source = source;
    s->data.classes = classes;
    s->data.all = all;
    s->data.train = train;
    s->data.test = test;
    s->data.generation++;
    s->data.error = (tm_error)TM_ERROR_INIT;
    return TM_OK;
}

tm_status session_explore(session *s, tm_dataset *data, tm_error *err)
{
    tm_status status = session_explore_class(s, data, NULL, err);
    if (status == TM_OK)
        session_forget_origin(&s->data.origin);
    return status;
}

tm_status session_load(session *s, const char *path, const tm_params *reader, const char *label,
                       tm_error *err)
{
    loader_free(s->data.loader);
    s->data.loader = NULL;
    s->data.error = (tm_error)TM_ERROR_INIT;
    tm_status status = TM_OK;
    session_forget_origin(&s->data.coming);
    s->data.coming.kind = path ? ORIGIN_FILE : ORIGIN_EXAMPLE;
    if (path && !(s->data.coming.path = strdup(path)))
        status = tm_fail_memory(err, "the file's name");
    if (status == TM_OK && label && !(s->data.coming.class = strdup(label)))
        status = tm_fail_memory(err, "the class");
    if (status == TM_OK && reader)
        status = tm_params_copy(&s->data.coming.reader, reader, err);
    if (status != TM_OK)
        return status;
    return loader_start(&s->data.loader, path, reader, s->seed, s->wake_fd, err);
}

double session_loading(const session *s, char *buffer, size_t size)
{
    const loader *l = s->data.loader;
    if (!l)
        return -1;
    const char *path = loader_name(l), *slash = strrchr(path, '/');
    double share = loader_share(l), bytes = (double)loader_bytes(l);
    size_t used = (size_t)snprintf(buffer, size, "loading %.80s", slash ? slash + 1 : path);
    if (bytes > 0 && used < size)
        used +=
            (size_t)snprintf(buffer + used, size - used, bytes < 1e6 ? "  %.0f kB" : "  %.1f MB",
                             bytes < 1e6 ? bytes * 1e-3 : bytes * 1e-6);
    if (share >= 0 && used < size)
        snprintf(buffer + used, size - used, "  %.0f %%", 100 * share);
    return share;
}

static void fail_loading(session *s, const tm_error *error)
{
    s->data.error = *error;
    session_note(s, LINE_ERROR, error->message);
}

unsigned session_update_loader(session *s)
{
    tm_dataset *data = NULL;
    tm_status status;
    tm_error error = TM_ERROR_INIT;
    if (!s->data.loader)
        return 0;
    if (!loader_ended(s->data.loader, &data, &status, &error))
        return NEWS_DATA;
    loader_free(s->data.loader);
    s->data.loader = NULL;
    if (status == TM_OK) {
        status = session_explore_class(s, data, s->data.coming.class, &error);
        if (status == TM_OK) {
            session_forget_origin(&s->data.origin);
            s->data.origin = s->data.coming;
            s->data.coming = (session_origin){.kind = ORIGIN_SCRIPT};
        }
        const char *note = tm_dataset_note(data);
        if (note && note[0] != '\0')
            session_note(s, LINE_NOTE, note);
        tm_dataset_unref(data);
    }
    if (status != TM_OK) {
        fail_loading(s, &error);
        return NEWS_DATA | NEWS_TEXT | NEWS_FAILED;
    }
    return NEWS_DATA | NEWS_TEXT;
}
