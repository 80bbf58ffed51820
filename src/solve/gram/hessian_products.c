/* The products of the features, row by row: the contributions of rows whose weights have changed
 * are added to the existing products. Threads share the triangle by columns; dense rows are
 * multiplied with BLAS in blocks. */
#include "base/threads/parallel.h"
#include "solve/gram/hessian_parts.h"
#include "solve/gram/tuning.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* The entries of a row while its products are added. */
typedef struct sparse_row {
    const uint16_t *places;
    const double *values;
    double *raw;
    size_t capacity;
} sparse_row;

/* Adds scale times the products of entries a .. a+3 with entries from .. to-1: four columns in one
 * loop, since rows are short and the end of a loop costs as much as several iterations. */
static void add_four(const sparse_row *r, double scale, size_t a, size_t from, size_t to)
{
    double *c0 = r->raw + r->places[a] * r->capacity, *c1 = r->raw + r->places[a + 1] * r->capacity;
    double *c2 = r->raw + r->places[a + 2] * r->capacity,
           *c3 = r->raw + r->places[a + 3] * r->capacity;
    double s0 = scale * r->values[a], s1 = scale * r->values[a + 1];
    double s2 = scale * r->values[a + 2], s3 = scale * r->values[a + 3];
    for (size_t b = from; b < to; b++) {
        size_t place = r->places[b];
        double value = r->values[b];
        c0[place] += s0 * value;
        c1[place] += s1 * value;
        c2[place] += s2 * value;
        c3[place] += s3 * value;
    }
}

static void add_one(const sparse_row *r, double scale, size_t a, size_t from, size_t to)
{
    double *column = r->raw + r->places[a] * r->capacity, scaled = scale * r->values[a];
    for (size_t b = from; b < to; b++)
        column[r->places[b]] += scaled * r->values[b];
}

/* Adds the products of entries first .. last-1 with those entries from .. to-1 that are not before
 * them. */
static void add_products(const sparse_row *r, double scale, size_t first, size_t last, size_t from,
                         size_t to)
{
    size_t a = first;
    for (; a + 4 <= last; a += 4) {
        size_t begin = from > a + 4 ? from : a + 4;
        for (size_t k = a; from < a + 4 && k < a + 4; k++)
            add_one(r, scale, k, k > from ? k : from, a + 4);
        add_four(r, scale, a, begin, to);
    }
    for (; a < last; a++)
        add_one(r, scale, a, a > from ? a : from, to);
}

/* Adds to the products of row i with the features at places `first` .. last-1: `change` to those
 * that exist, `weight` to those of new features. */
static void add_sparse_row(hessian *h, size_t i, double weight, size_t first, size_t last)
{
    const set_rows *rows = &h->sparse;
    uint64_t start = rows->starts[i];
    sparse_row r = {rows->places + start, rows->values + start, h->raw, h->capacity};
    size_t count = rows->starts[i + 1] - start, old = count, begin = 0, end = count;
    double change = h->column[i];
    while (old > 0 && r.places[old - 1] >= h->made)
        old--;
    while (begin < count && r.places[begin] < first)
        begin++;
    while (end > begin && r.places[end - 1] >= last)
        end--;
    if (change != 0 && begin < old)
        add_products(&r, change, begin, end < old ? end : old, 0, old);
    if (weight != 0 && old < count)
        add_products(&r, weight, begin, end, old, count);
}

/* Threads share the products by columns of the triangle, so that none waits for another and each
 * sum is added in the order of the rows, independent of the number of threads. */
typedef struct sparse_share {
    hessian *h;
    const double *weights; /* n: the new weights; their change is in h->column */
    const size_t *starts;  /* start of each share, and the end of the last */
} sparse_share;

static void add_share(size_t from, size_t to, void *payload)
{
    const sparse_share *s = payload;
    for (size_t k = from; k < to; k++)
        for (size_t i = 0; i < s->h->n; i++)
            add_sparse_row(s->h, i, s->weights[i], s->starts[k], s->starts[k + 1]);
}

/* Divides the columns into shares of about equal work: the number of a column's pairs is estimated
 * as its entries times the average number of a row's entries from there on, as if columns were
 * independent. */
static void find_shares(const hessian *h, size_t *starts, size_t shares)
{
    double total = 0, behind = (double)h->entries, done = 0;
    for (size_t k = 0; k < h->count; k++) {
        total += (double)h->lengths[k] * behind;
        behind -= (double)h->lengths[k];
    }
    behind = (double)h->entries;
    size_t share = 0;
    for (size_t k = 0; k < h->count; k++) {
        while (share < shares && done >= total * (double)share / (double)shares)
            starts[share++] = k;
        done += (double)h->lengths[k] * behind;
        behind -= (double)h->lengths[k];
    }
    while (share <= shares)
        starts[share++] = h->count;
}

/* Adds the products of all rows for their new weights; h->column has the changes. */
static void add_sparse_rows(hessian *h, const double *weights, thread_team *team)
{
    size_t starts[MAX_SHARES + 1];
    size_t threads = (size_t)team_threads(team);
    size_t shares = threads < MAX_SHARES ? threads : MAX_SHARES;
    if (h->work < SHARE_FROM)
        shares = 1;
    find_shares(h, starts, shares);
    sparse_share job = {h, weights, starts};
    parallel_ranges(shares, team, add_share, &job);
}

/* ---- dense rows ---------------------------------------------------------------------------- */

/* Rows that are multiplied together: the products of the features at places from .. to-1 with all
 * those before `to` get `sign` times those of the rows, each multiplied by a root. */
typedef struct row_block {
    hessian *h;
    double sign;
    size_t from, to;
    int length;
    size_t rows[BLAS_ROWS]; /* ascending */
    double roots[BLAS_ROWS];
} row_block;

static void read_rows(const hessian *h, size_t k, size_t from, size_t count, double *out)
{
    if (h->columns.copies)
        memcpy(out, h->columns.copies + k * h->n + from, count * sizeof *out);
    else
        tm_matrix_part(h->columns.x, h->features[k], from, count, out);
}

/* The first of the block's rows, after row r of it, that is not read together with r. */
static int next_piece(const row_block *b, int r)
{
    size_t end = b->rows[r] + BLAS_ROWS;
    int next = r + 1;
    while (next < b->length && b->rows[next] < end)
        next++;
    return next;
}

/* Writes the block's rows of the column at place k. */
static void gather_column(const row_block *b, size_t k)
{
    double piece[BLAS_ROWS], *into = b->h->columns.block + k * BLAS_ROWS, centre = b->h->centres[k];
    for (int r = 0, next; r < b->length; r = next) {
        size_t first = b->rows[r], count;
        next = next_piece(b, r);
        count = b->rows[next - 1] - first + 1;
        read_rows(b->h, k, first, count, piece);
        if (count == (size_t)(next - r))
            for (size_t i = 0; i < count; i++)
                into[r + (int)i] = b->roots[r + (int)i] * (piece[i] - centre);
        else
            for (int i = r; i < next; i++)
                into[i] = b->roots[i] * (piece[b->rows[i] - first] - centre);
    }
}

static void gather_columns(size_t from, size_t to, void *payload)
{
    for (size_t k = from; k < to; k++)
        gather_column(payload, k);
}

/* Columns a .. end-1 of the triangle, below and on the diagonal. */
static void multiply_triangle(const row_block *b, size_t a, size_t end)
{
    const double *columns = b->h->columns.block + a * BLAS_ROWS;
    size_t capacity = b->h->capacity;
    double *raw = b->h->raw + a * capacity;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)(end - a), b->length, b->sign, columns,
                BLAS_ROWS, 1, raw + a, (int)capacity);
    if (end < b->to)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)(b->to - end), (int)(end - a),
                    b->length, b->sign, b->h->columns.block + end * BLAS_ROWS, BLAS_ROWS, columns,
                    BLAS_ROWS, 1, raw + end, (int)capacity);
}

/* Columns a .. end-1, which are all before b->from. */
static void multiply_rectangle(const row_block *b, size_t a, size_t end)
{
    const double *block = b->h->columns.block;
    size_t capacity = b->h->capacity;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)(b->to - b->from), (int)(end - a),
                b->length, b->sign, block + b->from * BLAS_ROWS, BLAS_ROWS, block + a * BLAS_ROWS,
                BLAS_ROWS, 1, b->h->raw + a * capacity + b->from, (int)capacity);
}

static size_t strips(size_t columns)
{
    return (columns + BLAS_COLUMNS - 1) / BLAS_COLUMNS;
}

static void multiply_strips(size_t from, size_t to, void *payload)
{
    const row_block *b = payload;
    size_t old = strips(b->from);
    for (size_t k = from; k < to; k++) {
        size_t begin = k < old ? 0 : b->from, limit = k < old ? b->from : b->to;
        size_t a = begin + (k < old ? k : k - old) * BLAS_COLUMNS;
        size_t end = limit - a < BLAS_COLUMNS ? limit : a + BLAS_COLUMNS;
        if (k < old)
            multiply_rectangle(b, a, end);
        else
            multiply_triangle(b, a, end);
    }
}

/* Threads share the columns. Each sum is that of one call of BLAS for a strip of columns, whichever
 * thread makes it. */
static void add_block(row_block *b, thread_team *team)
{
    double added = (double)(b->to - b->from), old = (double)b->from;
    if (b->length == 0)
        return;
    if (b->length * added * (old + added / 2) < BLAS_SHARE_FROM)
        team = NULL;
    parallel_ranges(b->to, team, gather_columns, b);
    parallel_chunks(strips(b->from) + strips(b->to - b->from), 1, team, multiply_strips, b);
    b->length = 0;
}

/* Adds change_i times the products of row i for the rows whose change has the given sign. */
static void add_dense_rows(hessian *h, const double *change, double sign, size_t from, size_t to,
                           thread_team *team)
{
    row_block b = {.h = h, .sign = sign, .from = from, .to = to};
    for (size_t i = 0; from < to && i < h->n; i++) {
        double size = sign * change[i];
        if (!(size > 0))
            continue;
        b.rows[b.length] = i;
        b.roots[b.length++] = sqrt(size);
        if (b.length == BLAS_ROWS)
            add_block(&b, team);
    }
    add_block(&b, team);
}

void hessian_update_products(hessian *h, const double *weights, thread_team *team)
{
    for (size_t i = 0; i < h->n; i++)
        h->column[i] = weights[i] - h->weights[i];
    for (size_t k = 0; k < h->count; k++) {
        size_t first = k > h->made ? k : h->made;
        memset(h->raw + k * h->capacity + first, 0, (h->count - first) * sizeof *h->raw);
    }
    if (h->dense) {
        add_dense_rows(h, h->column, 1, 0, h->made, team);
        add_dense_rows(h, h->column, -1, 0, h->made, team);
        add_dense_rows(h, weights, 1, h->made, h->count, team);
    }
    if (!h->dense)
        add_sparse_rows(h, weights, team);
    memcpy(h->weights, weights, h->n * sizeof *weights);
    h->made = h->count;
}
