#include "data/read/format/plink.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/read/common/format.h"
#include "data/read/common/row_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6, MAX_FIELD = 120 };

static const char magic[3] = {0x6c, 0x1b, 0x01};

bool read_plink_is_next(const input *in)
{
    return in->end - in->cur >= (ptrdiff_t)sizeof magic &&
           memcmp(in->cur, magic, sizeof magic) == 0;
}

/* ---- the accompanying tables --------------------------------------------------------------- */

typedef struct fields {
    char text[FIELDS][MAX_FIELD + 1]; /* longer ones, such as names of long insertions, are
                                       * truncated */
    size_t count;
} fields;

static bool at_line_end(const input *in)
{
    return in->cur == in->end || *in->cur == '\n' || *in->cur == '\r';
}

/* Reads the next line that is not blank; false at the end of the input, and after a failure. */
static bool next_line(fields *row, input *in)
{
    row->count = 0;
    for (;;) {
        input_need(in);
        while (in->cur < in->end && (*in->cur == ' ' || *in->cur == '\t')) {
            in->cur++;
            input_need(in);
        }
        if (at_line_end(in)) {
            if (in->cur == in->end)
                return row->count > 0;
            if (row->count > 0)
                return true; /* the caller consumes the line end */
            input_end_line(in);
            continue;
        }
        size_t length = 0, field = row->count < FIELDS ? row->count : FIELDS - 1;
        for (; !at_line_end(in) && *in->cur != ' ' && *in->cur != '\t'; in->cur++, input_need(in))
            if (row->count < FIELDS && length < MAX_FIELD && *in->cur)
                row->text[field][length++] = *in->cur;
        if (row->count < FIELDS)
            row->text[field][length] = '\0';
        row->count++;
    }
}

static tm_status end_line(const fields *row, input *in, const char *what)
{
    if (row->count != FIELDS)
        return input_fail(in, in->line, 1, "%zu fields; a line of a %s has six", row->count, what);
    if (in->cur < in->end)
        input_end_line(in);
    return TM_OK;
}

/* NaN for the words that mean missing; the caller reports malformed text. */
static bool read_phenotype(const char *text, double *value)
{
    if (strcasecmp(text, "NA") == 0 || strcmp(text, "-9") == 0) {
        *value = NAN;
        return true;
    }
    return text_to_real(text, value) && isfinite(*value);
}

/* PLINK codes case-control phenotypes as 1 and 2, and then 0 is missing. */
static void find_missing(double *y, size_t n)
{
    bool classes = true, any = false;
    for (size_t i = 0; i < n; i++) {
        classes = classes && (isnan(y[i]) || y[i] == 0 || y[i] == 1 || y[i] == 2);
        any = any || y[i] == 2;
    }
    for (size_t i = 0; classes && any && i < n; i++)
        y[i] = y[i] == 0 ? NAN : y[i];
}

/* Reads the lines of a file into a list. */
typedef struct lines {
    input *in;
    fields row; /* fields of the last line */
    size_t room;
    tm_status status; /* of reading the last line, or of allocating space for the next */
} lines;

/* Reads the next line and makes space in *list for entry `count`. False at the end and after an
 * error. */
static bool next_of(lines *l, void *list, size_t count, size_t size, const char *what)
{
    if (l->status != TM_OK || !next_line(&l->row, l->in))
        return false;
    if (!mem_grow(list, &l->room, count, 1024, size))
        l->status = input_fail_memory(l->in, what);
    return l->status == TM_OK;
}

tm_status read_plink_fam(double **out, size_t *count, input *in)
{
    lines l = {.in = in};
    *out = NULL;
    for (*count = 0; next_of(&l, out, *count, sizeof **out, "phenotypes"); ++*count) {
        const fields *row = &l.row;
        if (row->count == FIELDS && !read_phenotype(row->text[5], &(*out)[*count]))
            return input_fail(in, in->line, 1,
                              "the phenotype \"%s\" is not a number; expected one, or -9 or NA",
                              input_quoted(row->text[5], strlen(row->text[5])).text);
        l.status = end_line(row, in, ".fam");
    }
    if (l.status == TM_OK)
        find_missing(*out, *count);
    return l.status == TM_OK ? input_status(in) : l.status;
}

/* A missing name (".") is replaced by the position. */
static char *variant_name(const fields *row)
{
    char name[3 * (MAX_FIELD + 2)];
    if (strcmp(row->text[1], ".") == 0)
        snprintf(name, sizeof name, "%s:%s_%s", row->text[0], row->text[3], row->text[4]);
    else
        snprintf(name, sizeof name, "%s_%s", row->text[1], row->text[4]);
    return text_copy(name);
}

tm_status read_plink_bim(char ***out, size_t *count, input *in)
{
    lines l = {.in = in};
    *out = NULL;
    for (*count = 0; next_of(&l, out, *count, sizeof **out, "names of variants"); ++*count) {
        l.status = end_line(&l.row, in, ".bim");
        if (l.status != TM_OK)
            return l.status;
        if (!((*out)[*count] = variant_name(&l.row)))
            return input_fail_memory(in, "names of variants");
    }
    return l.status == TM_OK ? input_status(in) : l.status;
}

/* ---- the genotypes ------------------------------------------------------------------------- */

tm_status read_plink_bed(uint8_t **out, size_t n, size_t p, input *in)
{
    size_t stride = n / 4 + (n % 4 > 0), size, used = 0, room = 0;
    *out = NULL;
    in->cur += sizeof magic;
    if (__builtin_mul_overflow(p, stride, &size) || (double)size > mem_physical())
        return input_fail_memory(in, "genotypes");
    /* Memory grows with the bytes read, not with the sizes that the other files state. */
    for (;;) {
        if (in->cur == in->end)
            input_fill(in, 1);
        size_t take = (size_t)(in->end - in->cur);
        if (take == 0)
            break;
        if (used + take > size)
            return input_fail_whole(in,
                                    "the file continues after the genotypes of %zu samples and %zu "
                                    "variants that the .fam and .bim have",
                                    n, p);
        if (used + take > room) {
            room = 2 * (used + take) < size ? 2 * (used + take) : size;
            uint8_t *grown = realloc(*out, room);
            if (!grown)
                return input_fail_memory(in, "genotypes");
            *out = grown;
        }
        memcpy(*out + used, in->cur, take);
        used += take;
        in->cur = in->end;
    }
    if (input_status(in) != TM_OK)
        return input_status(in);
    if (used < size)
        return input_fail_whole(in,
                                "the file ends after %zu of the %zu bytes of genotypes of %zu "
                                "samples and %zu variants",
                                used, size, n, p);
    return TM_OK;
}

/* ---- the three files ----------------------------------------------------------------------- */

typedef struct plink {
    const read_request *request;
    input *in;
    double *y;
    char **names;
    uint8_t *packed;
    size_t n, p;
} plink;

/* Opens the accompanying file with another extension than .bed, and reads it. */
static tm_status open_beside(input **out, const plink *k, const char *ending, tm_error *err)
{
    const char *path = k->request->path;
    size_t length = path ? strlen(path) : 0;
    if (length < 4 || strcasecmp(path + length - 4, ".bed") != 0)
        return tm_fail(err, TM_EDATA,
                       "%.300s: genotypes need the .bim and .fam beside the .bed; name a file that "
                       "ends in .bed",
                       input_name(k->in));
    char *name = text_copy(path);
    if (!name)
        return tm_fail_memory(err, "a file name");
    memcpy(name + length - 4, ending, 4);
    input_spec spec = *k->request->spec;
    spec.path = name;
    spec.name = name;
    spec.bytes = NULL;
    tm_status status = input_open(out, &spec, err);
    free(name);
    if (status == TM_OK && input_as_text(*out) != TM_OK) {
        status = input_status(*out);
        input_close(*out);
    }
    return status;
}

static tm_status read_tables(plink *k, tm_error *err)
{
    input *in;
    tm_status status = open_beside(&in, k, ".fam", err);
    if (status != TM_OK)
        return status;
    status = read_plink_fam(&k->y, &k->n, in);
    if (status == TM_OK && k->n == 0)
        status = input_fail_whole(in, "no samples");
    input_close(in);
    if (status == TM_OK)
        status = open_beside(&in, k, ".bim", err);
    if (status != TM_OK)
        return status;
    status = read_plink_bim(&k->names, &k->p, in);
    if (status == TM_OK && k->p == 0)
        status = input_fail_whole(in, "no variants");
    input_close(in);
    return status;
}

/* Missing genotypes and phenotypes (NaN) are left to read_treat_missing. */
static tm_status finish(plink *k, read_result *result, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    uint8_t *packed = k->packed;
    k->packed = NULL;
    tm_status status = tm_matrix_new_genotypes(&parts->x, k->n, k->p, packed, NULL, err);
    if (status != TM_OK)
        return status;
    parts->features.names = k->names;
    k->names = NULL;
    if (!k->request->response_apart) {
        parts->response.y = k->y;
        k->y = NULL;
        result->complete = true;
    }
    snprintf(result->note, sizeof result->note,
             "format: PLINK 1, copies of the first allele of the .bim%s",
             k->request->response_apart ? "" : "\nresponse: the phenotypes of the .fam");
    return TM_OK;
}

static tm_status read_plink(read_result *result, input *in, const read_request *request,
                            tm_error *err)
{
    plink k = {.request = request, .in = in};
    if (request->label || request->features > 0)
        return tm_fail(err, TM_EUSAGE,
                       "%.300s: %s is for tables; the response of genotypes is in the .fam, or in "
                       "a file of its own",
                       input_name(in), request->label ? "label" : "columns");
    input_fill(in, sizeof magic);
    if (!read_plink_is_next(in))
        return input_fail_whole(in, "not a PLINK 1 .bed in the order of variants");
    tm_status status = read_tables(&k, err);
    if (status == TM_OK)
        status = read_plink_bed(&k.packed, k.n, k.p, in);
    if (status == TM_OK)
        status = finish(&k, result, err);
    text_list_free(k.names, k.p);
    free(k.y);
    free(k.packed);
    return status;
}

/* ---- the format ---------------------------------------------------------------------------- */

static const char *const extensions[] = {".bed", NULL};

const read_format read_format_plink = {
    .info = {"plink",
             "PLINK 1 genotypes: .bed, with the .bim and .fam beside it; kept at 2 bits each"},
    .title = "PLINK",
    .extensions = extensions,
    .recognise = read_plink_is_next,
    .read = read_plink,
};
