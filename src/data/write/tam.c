/* Writes a .tam file: one pass over the sections, column by column, in memory that does not grow
 * with the data. The header is written last, and the file appears only when it is complete. */
#include "base/checksum.h"
#include "base/memory.h"
#include "base/replace.h"
#include "base/text.h"
#include "data/file_names.h"
#include "data/matrix/kind.h"
#include "data/write/format.h"
#include "data/write/tam_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tam_writer {
    const tm_dataset *data;
    const tm_matrix *x;
    FILE *stream;
    tm_cancel *cancel;
    tam_header header;
    char *meta;
    size_t meta_size;
    uint8_t *block; /* bytes of the block being filled */
    size_t used;
    uint64_t written; /* bytes of the file so far */
    uint64_t *sums;
    uint64_t sum_count;
    double *scratch;
    bool cancelled;
} tam_writer;

/* ---- the content of the file --------------------------------------------------------------- */

const matrix_ops *const tam_kind_ops[TAM_KINDS] = {
    [TAM_DENSE_F64] = &dense_f64_ops, [TAM_DENSE_F32] = &dense_f32_ops,
    [TAM_CSC_F64] = &csc_f64_ops,     [TAM_CSC_F32] = &csc_f32_ops,
    [TAM_GENOTYPES] = &genotype_ops,
};

/* How the columns are stored: views as the matrix they refer to, other kinds as doubles. */
static tam_kind kind_of(const tm_matrix *x)
{
    const tm_matrix *whole = x->whole ? x->whole : x;
    for (tam_kind kind = 0; kind < TAM_KINDS; kind++)
        if (tam_kind_ops[kind] == whole->ops)
            return kind;
    return TAM_DENSE_F64;
}

/* A text is stored as a 32-bit length and that many bytes, which need not be UTF-8; TAM_NO_TEXT:
 * none. */
static void put_text(FILE *to, const char *text)
{
    uint32_t length = text ? (uint32_t)strlen(text) : TAM_NO_TEXT;
    fwrite(&length, sizeof length, 1, to);
    if (text)
        fwrite(text, 1, length, to);
}

static bool describe(tam_writer *w)
{
    const tm_dataset *data = w->data;
    FILE *to = open_memstream(&w->meta, &w->meta_size);
    if (!to)
        return false;
    size_t classes;
    const char *const *names = tm_dataset_class_names(data, &classes);
    uint32_t kind = tm_dataset_is_binary(data) ? TAM_BINARY : names ? TAM_CLASSES : TAM_NUMBERS;
    uint32_t flags[2] = {kind, tm_dataset_feature_name(data, 0) != NULL}, count = (uint32_t)classes;
    fwrite(flags, sizeof flags, 1, to);
    put_text(to, tm_dataset_sha256(data));
    put_text(to, tm_dataset_note(data));
    put_text(to, tm_dataset_response_name(data));
    put_text(to, tm_dataset_label(data, -1));
    put_text(to, tm_dataset_label(data, 1));
    for (size_t j = 0; flags[1] && j < tm_dataset_cols(data); j++)
        put_text(to, tm_dataset_feature_name(data, j));
    if (names)
        fwrite(&count, sizeof count, 1, to);
    for (size_t k = 0; k < classes; k++)
        put_text(to, names[k]);
    return text_stream_end(to, &w->meta);
}

static void plan_sections(tam_writer *w)
{
    const tm_dataset *data = w->data;
    tam_header *header = &w->header;
    uint64_t n = header->n, p = header->p, *size[TAM_SECTIONS];
    size_t edges;
    bool sparse = w->x->sparse, genotypes = header->kind == TAM_GENOTYPES;
    bool single = header->kind == TAM_DENSE_F32 || header->kind == TAM_CSC_F32;
    for (int s = 0; s < TAM_SECTIONS; s++)
        size[s] = &header->sections[s].size;
    *size[TAM_META] = w->meta_size;
    *size[TAM_Y] = 8 * n;
    *size[TAM_WEIGHTS] = tm_dataset_weights(data) ? 8 * n : 0;
    *size[TAM_OFFSET] = tm_dataset_offset(data) ? 8 * n : 0;
    *size[TAM_QIDS] = tm_dataset_qids(data) ? 8 * n : 0;
    *size[TAM_MEANS] = *size[TAM_DEVIATIONS] = 8 * p;
    *size[TAM_TRUTH] = tm_dataset_truth(data) ? 8 * p : 0;
    *size[TAM_EDGES] = tm_dataset_edges(data, &edges) ? 8 * (uint64_t)edges : 0;
    *size[TAM_STARTS] = sparse ? 8 * (p + 1) : 0;
    *size[TAM_ROWS] = sparse ? 4 * header->nnz : 0;
    *size[TAM_VALUES] =
        genotypes ? p * genotype_stride(n) : (single ? 4 : 8) * (sparse ? header->nnz : n * p);
    *size[TAM_MISSING] = genotypes ? 8 * p : 0;
    uint64_t at = TAM_PAGE, blocks = 0;
    for (int s = 0; s < TAM_SECTIONS; s++) {
        if (s == TAM_SUMS)
            *size[s] = 8 * blocks;
        header->sections[s].start = at;
        blocks += tam_blocks(*size[s]);
        at += (*size[s] + TAM_PAGE - 1) / TAM_PAGE * TAM_PAGE;
    }
    header->file_size = at;
}

/* ---- bytes --------------------------------------------------------------------------------- */

static void end_block(tam_writer *w)
{
    if (w->used == 0)
        return;
    w->sums[w->sum_count++] = checksum64(w->block, w->used);
    fwrite(w->block, 1, w->used, w->stream);
    w->written += w->used;
    w->used = 0;
    w->cancelled = w->cancelled || tm_cancel_poll(w->cancel);
}

static bool stopped(const tam_writer *w)
{
    return w->cancelled || ferror(w->stream);
}

static void put(tam_writer *w, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0 && !stopped(w)) {
        size_t room = TAM_BLOCK - w->used, take = size < room ? size : room;
        memcpy(w->block + w->used, at, take);
        w->used += take;
        at += take;
        size -= take;
        if (w->used == TAM_BLOCK)
            end_block(w);
    }
}

/* Writes zeros up to the next page: padding between sections. */
static void pad(tam_writer *w)
{
    static const uint8_t zeros[TAM_PAGE];
    size_t rest = (size_t)(w->written % TAM_PAGE);
    if (rest > 0)
        w->written += fwrite(zeros, 1, TAM_PAGE - rest, w->stream);
}

/* ---- columns ------------------------------------------------------------------------------- */

static void put_narrow(tam_writer *w, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        float value = (float)values[k]; /* exact: it was a float */
        put(w, &value, sizeof value);
    }
}

static void put_genotypes(tam_writer *w, size_t j)
{
    const tm_matrix *whole = w->x->whole ? w->x->whole : w->x;
    size_t stride = genotype_stride(whole->n), column = w->x->cols ? w->x->cols[j] : j;
    put(w, whole->values.packed + column * stride, stride);
}

static void put_values(tam_writer *w, size_t j)
{
    const uint32_t *rows;
    const double *values;
    if (w->header.kind == TAM_GENOTYPES) {
        put_genotypes(w, j);
        return;
    }
    size_t count = tm_matrix_entries(w->x, j, w->scratch, &rows, &values);
    if (w->header.kind == TAM_DENSE_F32 || w->header.kind == TAM_CSC_F32)
        put_narrow(w, values, count);
    else
        put(w, values, count * sizeof *values);
}

static void put_columns(tam_writer *w, tam_section section)
{
    const uint32_t *rows;
    const double *values;
    const tm_matrix *whole = w->x->whole ? w->x->whole : w->x;
    uint64_t start = 0;
    if (section == TAM_STARTS)
        put(w, &start, sizeof start);
    for (size_t j = 0; j < w->x->p && !stopped(w); j++) {
        if (section == TAM_VALUES) {
            put_values(w, j);
        } else if (section == TAM_MISSING) {
            put(w, &whole->missing[w->x->cols ? w->x->cols[j] : j], sizeof *whole->missing);
        } else {
            size_t count = tm_matrix_entries(w->x, j, w->scratch, &rows, &values);
            start += count;
            if (section == TAM_STARTS)
                put(w, &start, sizeof start);
            else
                put(w, rows, count * sizeof *rows);
        }
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

static void put_section(tam_writer *w, tam_section section)
{
    size_t edges;
    size_t size = (size_t)w->header.sections[section].size;
    const tm_dataset *data = w->data;
    const void *whole = section == TAM_META         ? (const void *)w->meta
                        : section == TAM_Y          ? tm_dataset_y(data)
                        : section == TAM_WEIGHTS    ? tm_dataset_weights(data)
                        : section == TAM_OFFSET     ? tm_dataset_offset(data)
                        : section == TAM_QIDS       ? tm_dataset_qids(data)
                        : section == TAM_MEANS      ? tm_dataset_means(data)
                        : section == TAM_DEVIATIONS ? tm_dataset_deviations(data)
                        : section == TAM_TRUTH      ? tm_dataset_truth(data)
                        : section == TAM_EDGES      ? (const void *)tm_dataset_edges(data, &edges)
                                                    : NULL;
    if (whole)
        put(w, whole, size);
    else if (size > 0)
        put_columns(w, section);
    end_block(w);
    pad(w);
}

static tm_status write_file(tam_writer *w, const char *path, tm_error *err)
{
    static const uint8_t page[TAM_PAGE];
    tam_header *header = &w->header;
    size_t sums = (size_t)header->sections[TAM_SUMS].size;
    w->written = fwrite(page, 1, TAM_PAGE, w->stream);
    for (int s = 0; s < TAM_SUMS && !stopped(w); s++)
        put_section(w, (tam_section)s);
    header->sums_check = checksum64(w->sums, sums);
    w->written += fwrite(w->sums, 1, sums, w->stream);
    pad(w);
    header->check = checksum64(header, offsetof(tam_header, check));
    if (w->cancelled)
        return tm_fail(err, TM_ECANCELLED, "%s: cancelled while writing", path);
    if (fseek(w->stream, 0, SEEK_SET) != 0)
        return tm_fail(err, TM_EIO, "%s: cannot be written: %s; a .tam needs a regular file", path,
                       strerror(errno));
    fwrite(header, sizeof *header, 1, w->stream);
    return TM_OK;
}

static bool prepare(tam_writer *w)
{
    tam_header *header = &w->header;
    memcpy(header->magic, TAM_MAGIC, sizeof header->magic);
    header->version = TAM_VERSION;
    header->endian = TAM_ENDIAN;
    header->kind = kind_of(w->x);
    header->n = w->x->n;
    header->p = w->x->p;
    header->nnz = w->x->nnz;
    w->block = malloc(TAM_BLOCK);
    w->scratch = mem_array(w->x->n, sizeof *w->scratch);
    if (!w->block || !w->scratch || !describe(w))
        return false;
    plan_sections(w);
    w->sums = mem_zeros((size_t)header->sections[TAM_SUMS].size, 1);
    return w->sums != NULL;
}

static tm_status write_tam(const tm_dataset *data, const char *path, tm_cancel *cancel,
                           tm_error *err)
{
    tam_writer w = {.data = data, .x = tm_dataset_x(data), .cancel = cancel};
    replacement file;
    if (file_compression_of(path) != FILE_PLAIN)
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: a .tam is read in place and cannot be compressed; name a .tam, or "
                       "another format",
                       path);
    if (strcmp(path, "-") == 0)
        return tm_fail(err, TM_EUSAGE, "a .tam needs a file: it is not written in one go");
    tm_status status =
        prepare(&w) ? replace_begin(&file, path, err) : tm_fail_memory(err, "the writer of a .tam");
    if (status == TM_OK) {
        w.stream = file.stream;
        status = replace_end(&file, write_file(&w, path, err), err);
    }
    free(w.meta);
    free(w.block);
    free(w.scratch);
    free(w.sums);
    return status;
}

const write_format write_format_tam = {
    .info =
        {
            .id = "tam",
            .summary = "Tamis's column store: checked when it is read, and read in place",
            .extensions = ".tam",
            .text_labels = true,
            .names = true,
            .notes = true,
        },
    .write_file = write_tam,
};
