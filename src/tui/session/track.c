#include "tui/session/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void track_clear(track *t)
{
    if (t->job)
        tm_job_unref(t->job);
    free(t->features);
    free(t->places);
    *t = (track)TRACK_INIT;
}

tm_status track_follow(track *t, tm_job *job, tm_error *err)
{
    if (job == t->job)
        return TM_OK;
    track_clear(t);
    if (!job)
        return TM_OK;
    t->places = calloc(tm_dataset_cols(tm_job_train(job)), sizeof *t->places);
    if (!t->places)
        return tm_fail_memory(err, "the path's features");
    t->job = tm_job_ref(job);
    return TM_OK;
}

static tm_status add_feature(track *t, size_t feature, double weight, tm_error *err)
{
    if (t->feature_count == t->capacity) {
        size_t capacity = t->capacity == 0 ? 64 : t->capacity * 2;
        track_feature *grown = realloc(t->features, capacity * sizeof *grown);
        if (!grown)
            return tm_fail_memory(err, "the path's features");
        t->features = grown;
        t->capacity = capacity;
    }
    t->features[t->feature_count++] = (track_feature){feature, t->count, fabs(weight)};
    t->places[feature] = t->feature_count;
    return TM_OK;
}

static int compare_peaks(const void *a, const void *b)
{
    const track_feature *left = a, *right = b;
    int order = (left->peak < right->peak) - (left->peak > right->peak);
    return order != 0 ? order : (left->feature > right->feature) - (left->feature < right->feature);
}

static tm_status take_point(track *t, const tm_model *model, tm_error *err)
{
    const size_t *features = tm_model_features(model);
    const double *weights = tm_model_weights(model);
    size_t known = t->feature_count;
    if (tm_model_map(model))
        return TM_OK; /* its features are not columns of the data, which are tracked here */
    for (size_t i = 0; i < tm_model_nnz(model); i++) {
        size_t place = t->places[features[i]];
        if (place == 0) {
            tm_status status = add_feature(t, features[i], weights[i], err);
            if (status != TM_OK)
                return status;
        } else if (fabs(weights[i]) > t->features[place - 1].peak) {
            t->features[place - 1].peak = fabs(weights[i]);
        }
    }
    if (t->feature_count > known)
        qsort(t->features + known, t->feature_count - known, sizeof *t->features, compare_peaks);
    for (size_t i = known; i < t->feature_count; i++)
        t->places[t->features[i].feature] = i + 1;
    return TM_OK;
}

tm_status track_update(track *t, tm_error *err)
{
    if (!t->job)
        return TM_OK;
    size_t finished = tm_job_points(t->job, &t->points);
    while (t->count < finished) {
        tm_status status = take_point(t, t->points[t->count].solution.model, err);
        if (status != TM_OK)
            return status;
        t->count++;
    }
    return TM_OK;
}

size_t track_strongest(const track *t, size_t *places, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < t->feature_count && most > 0; i++) {
        double peak = t->features[i].peak;
        if (count == most && !(peak > t->features[places[count - 1]].peak))
            continue;
        size_t at = count < most ? count++ : count - 1;
        while (at > 0 && t->features[places[at - 1]].peak < peak) {
            places[at] = places[at - 1];
            at--;
        }
        places[at] = i;
    }
    return count;
}
