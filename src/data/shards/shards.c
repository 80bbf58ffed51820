/* Parts of a data set for processes that have one each, and parts of columns as a whole again. */
#include "data/shards/shards.h"

#include "base/memory.h"
#include "base/ranks/agree.h"
#include "base/text.h"
#include "data/dataset_parts.h"
#include "data/ranks/sharded.h"

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

double shard_number(const shard_origin *of)
{
    return (double)(strtoull(of->sha256 + 48, NULL, 16) >> 12);
}

tm_status shard_check_rows(const tm_dataset *own, const tm_comm *comm, tm_error *err)
{
    shard_origin of;
    bool part = shard_find_origin(&of, own);
    bool same = comm_agree(comm, (double)tm_dataset_cols(own));
    if (comm_agree(comm, part ? shard_number(&of) : -1) && same)
        return TM_OK;
    return tm_fail(err, TM_EDATA, "%s: the %d processes have rows of different data sets",
                   tm_dataset_name(own), comm->size);
}

/* ---- columns of several processes ---------------------------------------------------------- */

/* Joins a number for each of the columns, in the order of all p. `room` is for those of one
 * process, (p - 1) / size + 1 at most. */
static void join_numbers(const tm_comm *comm, const double *own, size_t p, double *room,
                         double *out)
{
    size_t size = (size_t)comm->size;
    for (size_t r = 0; r < size; r++) {
        size_t count = (p + size - 1 - r) / size;
        if (r == (size_t)comm->rank)
            memcpy(room, own, count * sizeof *room);
        comm->broadcast(comm, room, count, (int)r);
        for (size_t k = 0; k < count; k++)
            out[k * size + r] = room[k];
    }
}

static size_t words(size_t bytes)
{
    return (bytes + sizeof(double) - 1) / sizeof(double);
}

/* The bytes of the names of the process's own columns, each with its end. */
static size_t names_bytes(const tm_dataset *own)
{
    size_t bytes = 0;
    for (size_t k = 0; k < tm_dataset_cols(own); k++)
        bytes += strlen(tm_dataset_feature_name(own, k)) + 1;
    return bytes;
}

static void write_names(const tm_dataset *own, char *out)
{
    for (size_t k = 0; k < tm_dataset_cols(own); k++)
        out = stpcpy(out, tm_dataset_feature_name(own, k)) + 1;
}

/* The names of the columns of rank `root`, one after the other. */
static tm_status receive_names(char **names, const tm_dataset *own, const tm_comm *comm,
                               size_t root, tm_error *err)
{
    bool mine = root == (size_t)comm->rank;
    double bytes = mine ? (double)names_bytes(own) : 0;
    comm->broadcast(comm, &bytes, 1, (int)root);
    double *sent = mem_zeros(words((size_t)bytes), sizeof *sent);
    tm_status status = comm_share(comm, sent ? TM_OK : tm_fail_memory(err, "names"), err);
    if (status != TM_OK)
        free(sent);
    *names = status == TM_OK ? (char *)sent : NULL;
    if (status != TM_OK)
        return status;
    if (mine)
        write_names(own, *names);
    comm->broadcast(comm, sent, words((size_t)bytes), (int)root);
    return TM_OK;
}

/* In every process, or in none. */
static tm_status join_names(tm_dataset_parts *parts, const tm_dataset *own, const tm_comm *comm,
                            size_t p, tm_error *err)
{
    size_t size = (size_t)comm->size;
    bool named = tm_dataset_feature_name(own, 0);
    if (!comm_agree(comm, named))
        return tm_fail(err, TM_EDATA, "%s: not all of the parts have names of features",
                       tm_dataset_name(own));
    if (!named)
        return TM_OK;
    parts->features.names = mem_zeros(p, sizeof(char *));
    tm_status status =
        comm_share(comm, parts->features.names ? TM_OK : tm_fail_memory(err, "names"), err);
    for (size_t r = 0; status == TM_OK && r < size; r++) {
        char *names = NULL;
        bool enough = true;
        status = receive_names(&names, own, comm, r, err);
        const char *next = names;
        for (size_t j = r; status == TM_OK && enough && j < p; j += size) {
            enough = (parts->features.names[j] = text_copy(next)) != NULL;
            next += strlen(next) + 1;
        }
        free(names);
        if (status == TM_OK)
            status = comm_share(comm, enough ? TM_OK : tm_fail_memory(err, "names"), err);
    }
    return status;
}

/* Means and deviations of all columns. */
static tm_status join_statistics(tm_dataset_parts *parts, const tm_dataset *own,
                                 const tm_comm *comm, size_t p, tm_error *err)
{
    double *room = mem_array((p - 1) / (size_t)comm->size + 1, sizeof *room);
    parts->features.means = mem_array(p, sizeof(double));
    parts->features.deviations = mem_array(p, sizeof(double));
    bool enough = room && parts->features.means && parts->features.deviations;
    tm_status status =
        comm_share(comm, enough ? TM_OK : tm_fail_memory(err, "the columns' statistics"), err);
    if (status == TM_OK) {
        join_numbers(comm, tm_dataset_means(own), p, room, parts->features.means);
        join_numbers(comm, tm_dataset_deviations(own), p, room, parts->features.deviations);
    }
    free(room);
    return status;
}

/* Whether all ranks have parts of the same data, each that of its number. */
static tm_status check_parts(const shard_origin *of, const tm_dataset *own, const tm_comm *comm,
                             tm_error *err)
{
    size_t size = (size_t)comm->size;
    bool fits =
        !of->part.rows && of->part.count == size && of->part.number == (size_t)comm->rank + 1;
    bool same = comm_agree(comm, fits ? shard_number(of) : -1);
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
    status = comm_share(comm, status, err);
    if (status == TM_OK)
        status = matrix_join_shards(&parts.x, tm_matrix_ref(tm_dataset_x(own)), of.p, comm, err);
    text_list_free(parts.features.names, tm_dataset_cols(own));
    free(parts.features.truth);
    free(parts.features.edges);
    parts.features = (tm_feature_facts){0};
    dataset_making_free(&parts.making);
    parts.making = (tm_making){0};
    if (status == TM_OK)
        status = join_statistics(&parts, own, comm, of.p, err);
    if (status == TM_OK)
        status = join_names(&parts, own, comm, of.p, err);
    if (status == TM_OK)
        status = tm_dataset_new(out, &parts, err);
    else
        dataset_parts_free(&parts, of.p);
    status = comm_share(comm, status, err);
    if (status != TM_OK) {
        tm_dataset_unref(*out);
        *out = NULL;
    }
    return status;
}
