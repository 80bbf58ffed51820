#include "data/read/format/tam_file.h"

#include "base/checksum.h"
#include "base/memory.h"
#include "data/matrix/kind.h"
#include "data/read/common/format.h"
#include "data/read/format/tam_swap.h"
#include "data/write/tam_layout.h"
#include "tamis/classes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = sizeof TAM_MAGIC - 1 };

typedef struct tam_reader {
    const char *name;
    page_budget *pages;
    const uint8_t *bytes;
    tam_header header;
    tm_cancel *cancel;
    tm_read_progress *progress;
    void *payload;
} tam_reader;

static bool recognise(const input *in)
{
    return in->end - in->cur >= MAGIC && memcmp(in->cur, TAM_MAGIC, MAGIC) == 0;
}

static bool takes_path(const char *path, bool named)
{
    (void)named;
    char start[MAGIC];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    bool found = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                 read(fd, start, MAGIC) == MAGIC && memcmp(start, TAM_MAGIC, MAGIC) == 0;
    if (fd >= 0)
        close(fd);
    return found;
}

/* ---- the header ---------------------------------------------------------------------------- */

static tm_status fail_damaged(const tam_reader *r, const char *what, tm_error *err)
{
    return tm_fail(err, TM_EDATA, "%.300s: the .tam is damaged: %s; write it again", r->name, what);
}

static bool multiply(uint64_t *out, uint64_t a, uint64_t b)
{
    return !__builtin_mul_overflow(a, b, out);
}

/* The size that a section must have according to the header's numbers; false when the numbers are
 * invalid. Sections that may be empty have this size or 0. */
static bool expected_size(const tam_header *h, tam_section section, uint64_t *size, bool *optional)
{
    bool sparse = h->kind == TAM_CSC_F64 || h->kind == TAM_CSC_F32;
    bool genotypes = h->kind == TAM_GENOTYPES;
    uint64_t width = h->kind == TAM_DENSE_F32 || h->kind == TAM_CSC_F32 ? 4 : 8, cells;
    *optional = section == TAM_WEIGHTS || section == TAM_OFFSET || section == TAM_QIDS ||
                section == TAM_TRUTH;
    switch (section) {
    case TAM_Y:
    case TAM_WEIGHTS:
    case TAM_OFFSET:
    case TAM_QIDS:
        return multiply(size, 8, h->n);
    case TAM_MEANS:
    case TAM_DEVIATIONS:
    case TAM_TRUTH:
        return multiply(size, 8, h->p);
    case TAM_STARTS:
        *size = 0;
        return !sparse || (h->p < UINT64_MAX && multiply(size, 8, h->p + 1));
    case TAM_ROWS:
        *size = 0;
        return !sparse || multiply(size, 4, h->nnz);
    case TAM_VALUES:
        if (genotypes)
            return multiply(size, h->p, genotype_stride((size_t)h->n));
        return multiply(&cells, h->n, h->p) && (sparse || cells == h->nnz) &&
               multiply(size, width, h->nnz);
    case TAM_MISSING:
        *size = 0;
        return !genotypes || multiply(size, 8, h->p);
    default:
        *size = h->sections[section].size; /* validated separately */
        return section != TAM_EDGES || *size % 8 == 0;
    }
}

/* Sections must be consecutive, each starting at the next page. */
static bool sections_fit(const tam_header *h)
{
    uint64_t at = TAM_PAGE, blocks = 0;
    for (int s = 0; s < TAM_SECTIONS; s++) {
        tam_range range = h->sections[s];
        uint64_t size;
        bool optional;
        if (!expected_size(h, (tam_section)s, &size, &optional))
            return false;
        if (range.size != size && !(optional && range.size == 0))
            return false;
        if (s == TAM_SUMS && range.size != 8 * blocks)
            return false;
        if (range.start != at || range.size > h->file_size || at > h->file_size - range.size)
            return false;
        blocks += tam_blocks(range.size);
        at += (range.size + TAM_PAGE - 1) / TAM_PAGE * TAM_PAGE;
    }
    return at == h->file_size;
}

static tm_status check_header(tam_reader *r, size_t size, tm_error *err)
{
    tam_header *h = &r->header;
    char text[120];
    if (size < TAM_PAGE)
        return fail_damaged(r, "it ends within its header", err);
    memcpy(h, r->bytes, sizeof *h);
    if (h->endian == TAM_ENDIAN && h->version != TAM_VERSION &&
        memcmp(h->magic, TAM_MAGIC, MAGIC) == 0)
        return tm_fail(err, TM_EDATA,
                       "%.300s: the .tam has version %u, this program reads version %d", r->name,
                       (unsigned)h->version, TAM_VERSION);
    if (memcmp(h->magic, TAM_MAGIC, MAGIC) != 0 ||
        h->check != checksum64(h, offsetof(tam_header, check)))
        return fail_damaged(r, "the checksum of its header does not match", err);
    if (h->file_size != size) {
        snprintf(text, sizeof text, "it has %zu bytes, its header says %llu", size,
                 (unsigned long long)h->file_size);
        return fail_damaged(r, text, err);
    }
    if (h->kind >= TAM_KINDS || h->n == 0 || h->p == 0 || h->n > UINT32_MAX || !sections_fit(h))
        return fail_damaged(r, "its header is invalid", err);
    return TM_OK;
}

/* ---- the blocks ---------------------------------------------------------------------------- */

/* Reports progress from byte `from` to the end of the block; false when cancelled. */
static bool report_progress(const tam_reader *r, uint64_t from)
{
    if (r->progress)
        r->progress(from, (double)from / (double)r->header.file_size, r->payload);
    return !tm_cancel_poll(r->cancel);
}

static tm_status verify_blocks(const tam_reader *r, tm_error *err)
{
    const tam_header *h = &r->header;
    const tam_range *sums = &h->sections[TAM_SUMS];
    const uint64_t *sum = (const uint64_t *)(const void *)(r->bytes + sums->start);
    char text[80];
    if (checksum64(sum, (size_t)sums->size) != h->sums_check)
        return fail_damaged(r, "the checksum of its table of checksums does not match", err);
    for (int s = 0; s < TAM_SUMS; s++)
        for (uint64_t from = 0; from < h->sections[s].size; from += TAM_BLOCK) {
            uint64_t left = h->sections[s].size - from, start = h->sections[s].start + from;
            size_t size = left < TAM_BLOCK ? (size_t)left : TAM_BLOCK;
            if (!report_progress(r, start))
                return tm_fail(err, TM_ECANCELLED, "%s: cancelled while reading", r->name);
            page_budget_touch(r->pages, size);
            if (checksum64(r->bytes + start, size) == *sum++)
                continue;
            snprintf(text, sizeof text, "the checksum of bytes %llu to %llu does not match",
                     (unsigned long long)start, (unsigned long long)(start + size - 1));
            return fail_damaged(r, text, err);
        }
    return TM_OK;
}

/* Verifies that the padding between sections is zero. */
static tm_status verify_padding(const tam_reader *r, tm_error *err)
{
    const tam_header *h = &r->header;
    for (size_t at = sizeof *h; at < TAM_PAGE; at++)
        if (r->bytes[at] != 0)
            return fail_damaged(r, "there are bytes after its header", err);
    for (int s = 0; s < TAM_SECTIONS; s++) {
        uint64_t end = h->sections[s].start + h->sections[s].size;
        for (; end % TAM_PAGE != 0; end++)
            if (r->bytes[end] != 0)
                return fail_damaged(r, "there are bytes between its sections", err);
    }
    return TM_OK;
}

/* ---- the data ------------------------------------------------------------------------------ */

/* A copy of a section, NULL when it is empty; *enough is set to false when memory ran out. */
static void *copy_section(const tam_reader *r, tam_section section, bool *enough)
{
    tam_range range = r->header.sections[section];
    if (range.size == 0)
        return NULL;
    void *copy = malloc((size_t)range.size);
    *enough = *enough && copy;
    if (copy)
        memcpy(copy, r->bytes + range.start, (size_t)range.size);
    page_budget_release(r->pages, (size_t)range.start, (size_t)(range.start + range.size));
    return copy;
}

static tm_status copy_arrays(const tam_reader *r, tm_dataset_parts *parts, tm_error *err)
{
    bool enough = true;
    parts->response.y = copy_section(r, TAM_Y, &enough);
    parts->rows.weights = copy_section(r, TAM_WEIGHTS, &enough);
    parts->rows.offset = copy_section(r, TAM_OFFSET, &enough);
    parts->rows.qids = copy_section(r, TAM_QIDS, &enough);
    parts->features.means = copy_section(r, TAM_MEANS, &enough);
    parts->features.deviations = copy_section(r, TAM_DEVIATIONS, &enough);
    parts->features.truth = copy_section(r, TAM_TRUTH, &enough);
    parts->features.edges = copy_section(r, TAM_EDGES, &enough);
    parts->features.edge_count = (size_t)(r->header.sections[TAM_EDGES].size / 8);
    for (size_t e = 0; enough && e < 2 * parts->features.edge_count; e++)
        if (parts->features.edges[e] >= r->header.p)
            return fail_damaged(r, "an edge has a feature that does not exist", err);
    return enough ? TM_OK : tm_fail_memory(err, "a data set");
}

/* The rest of the description, and whether it was valid so far. */
typedef struct texts {
    const uint8_t *at, *end;
    bool broken, exhausted; /* exhausted: memory ran out */
} texts;

static bool take(texts *from, void *out, size_t size)
{
    if ((size_t)(from->end - from->at) < size)
        from->broken = true;
    if (from->broken)
        return false;
    memcpy(out, from->at, size);
    from->at += size;
    return true;
}

/* The next text, malloc'ed; NULL when there is none. */
static char *take_text(texts *from)
{
    uint32_t length;
    if (!take(from, &length, sizeof length) || length == TAM_NO_TEXT)
        return NULL;
    if ((size_t)(from->end - from->at) < length || memchr(from->at, 0, length)) {
        from->broken = true;
        return NULL;
    }
    char *text = malloc((size_t)length + 1);
    if (text) {
        memcpy(text, from->at, length);
        text[length] = '\0';
    }
    from->exhausted = from->exhausted || !text;
    from->at += length;
    return text;
}

static void keep_text(char *out, size_t size, texts *from)
{
    char *text = take_text(from);
    snprintf(out, size, "%s", text ? text : "");
    free(text);
}

static void take_names(tm_dataset_parts *parts, size_t p, texts *from)
{
    parts->features.names = mem_zeros(p, sizeof *parts->features.names);
    from->exhausted = from->exhausted || !parts->features.names;
    for (size_t j = 0; !from->exhausted && j < p && !from->broken; j++) {
        parts->features.names[j] = take_text(from);
        from->broken = from->broken || !parts->features.names[j];
    }
}

static void take_class_names(tm_dataset_parts *parts, texts *from)
{
    uint32_t count = 0;
    take(from, &count, sizeof count);
    from->broken = from->broken || count == 0 || count == 2 || count > TM_MAX_CLASSES;
    if (from->broken)
        return;
    parts->response.classes = mem_zeros(count, sizeof *parts->response.classes);
    parts->response.class_count = parts->response.classes ? count : 0;
    from->exhausted = from->exhausted || !parts->response.classes;
    for (size_t k = 0; !from->exhausted && k < count && !from->broken; k++) {
        parts->response.classes[k] = take_text(from);
        from->broken = from->broken || !parts->response.classes[k];
    }
}

/* The rest of the line of `note` that begins with `mark`; NULL: there is none. */
static const char *find_line(const char *note, const char *mark)
{
    for (const char *at = note; *at; at += *at == '\n') {
        if (strncmp(at, mark, strlen(mark)) == 0)
            return at + strlen(mark);
        at += strcspn(at, "\n");
    }
    return NULL;
}

/* The file has no fields for the facts that the original reader found. They are recovered from the
 * lines of its remarks. */
static void take_reading(tm_reading *reading, const char *note)
{
    const char *libsvm = find_line(note, "format: LIBSVM"), *missing = find_line(note, "missing: ");
    if (libsvm)
        reading->numbering = strncmp(libsvm, ", features counted from 0", 25) == 0
                                 ? TM_NUMBERING_FROM_0
                                 : TM_NUMBERING_FROM_1;
    if (missing)
        snprintf(reading->missing, sizeof reading->missing, "%.*s", (int)strcspn(missing, "\n"),
                 missing);
}

static tm_status read_meta(const tam_reader *r, read_result *result, tm_error *err)
{
    tm_dataset_parts *parts = &result->parts;
    tam_range range = r->header.sections[TAM_META];
    texts from = {r->bytes + range.start, r->bytes + range.start + range.size, false, false};
    uint32_t flags[2] = {0, 0};
    take(&from, flags, sizeof flags);
    keep_text(result->sha256, sizeof result->sha256, &from);
    keep_text(result->note, sizeof result->note, &from);
    parts->response.numeric = flags[0] != TAM_BINARY;
    take_reading(parts->reading, result->note);
    parts->response.name = take_text(&from);
    for (int k = 0; k < 2; k++)
        parts->response.labels[k] = take_text(&from);
    if (flags[1])
        take_names(parts, (size_t)r->header.p, &from);
    if (flags[0] == TAM_CLASSES)
        take_class_names(parts, &from);
    if (from.exhausted)
        return tm_fail_memory(err, "a data set");
    bool labels = parts->response.labels[0] && parts->response.labels[1],
         none = !parts->response.labels[0] && !parts->response.labels[1];
    if (from.broken || from.at != from.end || flags[0] > TAM_CLASSES ||
        (parts->response.numeric ? !none : !labels) || strlen(result->sha256) != 64)
        return fail_damaged(r, "its description is invalid", err);
    return TM_OK;
}

/* Two classes are -1 and 1 in the file, more are 1, 2, ... */
static tm_status check_classes(const tam_reader *r, const tm_dataset_parts *parts, tm_error *err)
{
    double most = (double)parts->response.class_count;
    for (size_t i = 0; parts->response.classes && i < r->header.n; i++)
        if (!(parts->response.y[i] >= 1 && parts->response.y[i] <= most &&
              parts->response.y[i] == floor(parts->response.y[i])))
            return fail_damaged(r, "a class has no name", err);
    for (size_t i = 0; !parts->response.numeric && i < r->header.n; i++)
        if (parts->response.y[i] != 1 && parts->response.y[i] != -1)
            return fail_damaged(r, "a class is neither -1 nor 1", err);
    return TM_OK;
}

/* A matrix that refers to the bytes in place and keeps them. */
static tm_status make_matrix(tam_reader *r, tm_matrix **out, tm_error *err)
{
    const tam_header *h = &r->header;
    tm_matrix *m = matrix_new(tam_kind_ops[h->kind], (size_t)h->n, (size_t)h->p);
    bool enough = true;
    if (m)
        m->missing = copy_section(r, TAM_MISSING, &enough);
    if (!m || !enough) {
        free(m);
        return tm_fail_memory(err, "a matrix");
    }
    /* Not written to: all kinds only read their values. */
    uint8_t *bytes = (uint8_t *)(uintptr_t)r->bytes;
    m->sparse = h->sections[TAM_STARTS].size > 0;
    m->nnz = h->nnz;
    m->bytes = (size_t)h->file_size;
    m->values.packed = bytes + h->sections[TAM_VALUES].start;
    m->starts = m->sparse ? (void *)(bytes + h->sections[TAM_STARTS].start) : NULL;
    m->rows = m->sparse ? (void *)(bytes + h->sections[TAM_ROWS].start) : NULL;
    m->pages = r->pages;
    r->pages = NULL;
    *out = m;
    if (!m->sparse)
        return TM_OK;
    tm_error refused = TM_ERROR_INIT;
    if (m->starts[m->p] != m->nnz || csc_check(m->n, m->p, m->starts, m->rows, &refused) != TM_OK)
        return fail_damaged(r, "its columns are invalid", err);
    return TM_OK;
}

/* Converts a file of the other byte order to one in memory. */
static tm_status turn_pages(tam_reader *r, tm_error *err)
{
    size_t size = page_budget_size(r->pages);
    uint8_t *turned;
    tm_status status = tam_swap(&turned, page_budget_bytes(r->pages), size, r->name, err);
    page_budget_close(r->pages);
    r->pages = NULL;
    return status == TM_OK ? page_budget_of_memory(&r->pages, turned, size, err) : status;
}

static tm_status read_pages(tam_reader *r, read_result *result, tm_error *err)
{
    tm_status status = TM_OK;
    if (tam_is_swapped(page_budget_bytes(r->pages), page_budget_size(r->pages)))
        status = turn_pages(r, err);
    if (status != TM_OK)
        return status;
    r->bytes = page_budget_bytes(r->pages);
    status = check_header(r, page_budget_size(r->pages), err);
    if (status == TM_OK)
        status = verify_blocks(r, err);
    if (status == TM_OK)
        status = verify_padding(r, err);
    if (status == TM_OK)
        status = copy_arrays(r, &result->parts, err);
    if (status == TM_OK)
        status = make_matrix(r, &result->parts.x, err);
    if (status == TM_OK)
        status = read_meta(r, result, err);
    if (status == TM_OK)
        status = check_classes(r, &result->parts, err);
    result->complete = true;
    page_budget_close(r->pages);
    return status;
}

/* ---- the source of the bytes --------------------------------------------------------------- */

static size_t choose_budget(uint64_t resident, uint64_t size)
{
    double half = mem_physical() / 2;
    if (resident > 0)
        return (size_t)resident;
    return (double)size > half ? (size_t)half : 0;
}

/* Maps the file. All blocks are verified before the call returns. */
static tm_status read_path(read_result *result, const read_request *request, tm_error *err)
{
    const input_spec *spec = request->spec;
    uint64_t resident = (uint64_t)tm_params_int(request->params, "resident");
    struct stat about;
    tam_reader r = {.name = spec->name,
                    .cancel = spec->cancel,
                    .progress = spec->progress,
                    .payload = spec->payload};
    int fd = open(spec->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0 || about.st_size <= 0) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        return tm_fail(err, TM_EIO, "%s: cannot be opened: %s", spec->name, strerror(reason));
    }
    size_t size = (size_t)about.st_size;
    tm_status status =
        page_budget_open(&r.pages, fd, size, choose_budget(resident, size), r.name, err);
    close(fd);
    return status == TM_OK ? read_pages(&r, result, err) : status;
}

static tm_status read_tam(read_result *result, input *in, const read_request *request,
                          tm_error *err)
{
    char *bytes;
    size_t size;
    (void)request;
    tam_reader r = {.name = input_name(in)};
    tm_status status = input_take_all(in, &bytes, &size, "the file");
    if (status == TM_OK)
        status = page_budget_of_memory(&r.pages, bytes, size, err);
    else
        free(bytes);
    return status == TM_OK ? read_pages(&r, result, err) : status;
}

/* ---- the format ---------------------------------------------------------------------------- */

static const char *const extensions[] = {".tam", NULL};

const read_format read_format_tam = {
    .info = {"tam",
             "Tamis's own column store: verified, and read in place, so it may exceed the memory"},
    .title = "Tamis's column store",
    .extensions = extensions,
    .fixed = true,
    .recognise = recognise,
    .takes_path = takes_path,
    .read = read_tam,
    .read_path = read_path,
};
