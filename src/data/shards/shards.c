/* Parts of a data set for processes that have one each, and parts of columns as a whole again. */
#include "data/shards/shards.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/matrix/sharded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line of a part's note; the numbers follow it. */
static const char MARK[] = "shard: ";

bool shard_find_origin(shard_origin *out, const tm_dataset *data)
{
    char by[8] = "";
    const char *line = strstr(tm_dataset_note(data), MARK);
    *out = (shard_origin){0};
    if (!line || sscanf(line + strlen(MARK), "%7s %zu of %zu, %zu x %zu, sha256 %64s", by,
                        &out->part.number, &out->part.count, &out->n, &out->p, out->sha256) != 6)
        return false;
    out->part.rows = strcmp(by, "rows") == 0;
    return (out->part.rows || strcmp(by, "columns") == 0) && out->part.number >= 1 &&
           out->part.number <= out->part.count && strlen(out->sha256) == 64;
}

/* The note of the whole without the line of a part, and a new such line; freed by the caller. */
static char *part_note(const tm_dataset *data, const tm_part *part)
{
    char *note = NULL;
    size_t size;
    const char *old = tm_dataset_note(data);
    FILE *to = open_memstream(&note, &size);
    if (!to)
        return NULL;
    fprintf(to, "%s%s%s%s %zu of %zu, %zu x %zu, sha256 %s", old, *old ? "\n" : "", MARK,
            part->rows ? "rows" : "columns", part->number, part->count, tm_dataset_rows(data),
            tm_dataset_cols(data), tm_dataset_sha256(data));
    return text_stream_end(to, &note) ? note : NULL;
}

tm_status tm_dataset_part(tm_dataset **out, const tm_dataset *data, const tm_part *part,
                          tm_error *err)
{
    size_t all = part->rows ? tm_dataset_rows(data) : tm_dataset_cols(data), count = 0;
    *out = NULL;
    if (part->number < 1 || part->number > part->count || part->count > all)
        return tm_fail(err, TM_EUSAGE, "part %zu of %zu: %s has %zu %s", part->number, part->count,
                       tm_dataset_name(data), all, part->rows ? "rows" : "columns");
    size_t first = part->number - 1, *chosen = mem_array(all / part->count + 1, sizeof *chosen);
    char *note = part_note(data, part);
    tm_dataset *selected = NULL;
    tm_status status = chosen && note ? TM_OK : tm_fail_memory(err, "a part of the data");
    if (status == TM_OK && part->rows) {
        size_t to = all / part->count * part->number +
                    (part->number < all % part->count ? part->number : all % part->count);
        for (size_t i = all / part->count * first +
                        (first < all % part->count ? first : all % part->count);
             i < to; i++)
            chosen[count++] = i;
        status = tm_dataset_select_rows(&selected, data, chosen, count, tm_dataset_name(data), err);
    } else if (status == TM_OK) {
        for (size_t j = first; j < all; j += part->count)
            chosen[count++] = j;
        status = tm_dataset_select_cols(&selected, data, chosen, count, tm_dataset_name(data), err);
    }
    if (status == TM_OK)
        status = dataset_copy_same(out, selected, tm_dataset_weights(selected),
                                   tm_dataset_offset(selected), note, err);
    tm_dataset_unref(selected);
    free(chosen);
    free(note);
    return status;
}

bool shard_agree(const tm_comm *comm, double mine)
{
    bool same = true;
    for (int r = 0; r < comm->size; r++) {
        double theirs = mine;
        comm->broadcast(comm, &theirs, 1, r);
        same = same && theirs == mine;
    }
    return same;
}

double shard_sum(const tm_comm *comm, double mine)
{
    double sum = 0;
    for (int r = 0; r < comm->size; r++) {
        double theirs = mine;
        comm->broadcast(comm, &theirs, 1, r);
        sum += theirs;
    }
    return sum;
}

double shard_number(const shard_origin *of)
{
    return (double)(strtoull(of->sha256 + 48, NULL, 16) >> 12);
}

/* ---- columns of several processes ---------------------------------------------------------- */

/* Gathers `width` bytes, a multiple of 8, for each of the p columns, in their order. */
static bool gather_columns(const tm_comm *comm, const void *own, size_t width, size_t p, void *out)
{
    size_t size = (size_t)comm->size, words = width / sizeof(double);
    int *counts = mem_array(size, sizeof *counts);
    double *all = mem_array(p * words, sizeof *all);
    bool enough = counts && all;
    for (size_t r = 0; enough && r < size; r++)
        counts[r] = (int)((p + size - 1 - r) / size * words);
    if (enough)
        comm->gather(comm, own, all, counts);
    const char *next = (const char *)all;
    for (size_t r = 0; enough && r < size; r++)
        for (size_t j = r; j < p; j += size, next += width)
            memcpy((char *)out + j * width, next, width);
    free(counts);
    free(all);
    return enough;
}

static bool gather_names(tm_dataset_parts *parts, const tm_dataset *own, const tm_comm *comm,
                         size_t p)
{
    enum { WIDTH = 512 };
    size_t mine = tm_dataset_cols(own);
    char *sent = mem_zeros(mine, WIDTH), *all = mem_array(p, WIDTH);
    bool enough = sent && all && (parts->features.names = mem_zeros(p, sizeof(char *)));
    for (size_t k = 0; enough && k < mine; k++)
        snprintf(sent + k * WIDTH, WIDTH, "%s", tm_dataset_feature_name(own, k));
    enough = enough && gather_columns(comm, sent, WIDTH, p, all);
    for (size_t j = 0; enough && j < p; j++)
        enough = (parts->features.names[j] = text_copy(all + j * WIDTH)) != NULL;
    free(sent);
    free(all);
    return enough;
}

/* Whether all ranks have parts of the same data, each that of its number. */
static tm_status check_parts(const shard_origin *of, const tm_dataset *own, const tm_comm *comm,
                             tm_error *err)
{
    size_t size = (size_t)comm->size;
    bool fits =
        !of->part.rows && of->part.count == size && of->part.number == (size_t)comm->rank + 1;
    bool same = shard_agree(comm, fits ? shard_number(of) : -1);
    return fits && same
               ? TM_OK
               : tm_fail(err, TM_EDATA,
                         "%s: %zu processes need the %zu parts of one data set, divided by columns",
                         tm_dataset_name(own), size, size);
}

tm_status tm_dataset_join(tm_dataset **out, const tm_dataset *own, const tm_comm *comm,
                          tm_error *err)
{
    shard_origin of;
    *out = NULL;
    shard_find_origin(&of, own);
    tm_status status = check_parts(&of, own, comm, err);
    if (status != TM_OK)
        return status;
    tm_dataset_parts parts = {.name = tm_dataset_name(own),
                              .response.numeric = !tm_dataset_is_binary(own),
                              .sha256 = of.sha256};
    status = dataset_parts_copy(&parts, own, tm_dataset_weights(own), tm_dataset_offset(own), NULL,
                                tm_dataset_rows(own), err);
    if (status == TM_OK)
        status = matrix_join_shards(&parts.x, tm_matrix_ref(tm_dataset_x(own)), of.p, comm, err);
    text_list_free(parts.features.names, tm_dataset_cols(own));
    free(parts.features.truth);
    free(parts.features.edges);
    parts.features = (tm_feature_facts){0};
    dataset_making_free(&parts.making);
    parts.making = (tm_making){0};
    if (status == TM_OK) {
        parts.features.means = mem_array(of.p, sizeof(double));
        parts.features.deviations = mem_array(of.p, sizeof(double));
        bool enough = parts.features.means && parts.features.deviations &&
                      gather_columns(comm, tm_dataset_means(own), sizeof(double), of.p,
                                     parts.features.means) &&
                      gather_columns(comm, tm_dataset_deviations(own), sizeof(double), of.p,
                                     parts.features.deviations) &&
                      (!tm_dataset_feature_name(own, 0) || gather_names(&parts, own, comm, of.p));
        status = enough ? TM_OK : tm_fail_memory(err, "the parts of the data");
    }
    if (status == TM_OK)
        return tm_dataset_new(out, &parts, err);
    dataset_parts_free(&parts, of.p);
    return status;
}
