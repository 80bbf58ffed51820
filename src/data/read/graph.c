/* Graphs from text: a parameter's value or a file. */
#include "data/graph.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/read/groups_text.h"
#include "tamis/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct graph_reader {
    groups_text text;
    const tm_dataset *data;
    graph_edge *edges;
    size_t count, room;
    name_index names;
} graph_reader;

static tm_status fail_word(const graph_reader *r, const groups_word *word, const char *expected)
{
    char *found = text_part(word->text, word->length < 60 ? word->length : 60);
    tm_status status = groups_text_fail(&r->text, r->text.line, r->text.line_start, word->at,
                                        "expected %s, found '%s'", expected, found ? found : "");
    free(found);
    return status;
}

static tm_status add_edge(graph_reader *r, size_t a, size_t b, double weight)
{
    if (!mem_grow(&r->edges, &r->room, r->count, 1024, sizeof *r->edges))
        return tm_fail_memory(r->text.err, "the graph");
    r->edges[r->count++] = (graph_edge){(uint32_t)a, (uint32_t)b, weight};
    return TM_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static tm_status take_feature(graph_reader *r, const groups_word *word, size_t *feature)
{
    size_t p = tm_dataset_cols(r->data);
    const char *at = word->text, *end = at + word->length;
    if (word->key)
        return fail_word(r, word, "a feature");
    size_t number = word->quoted ? 0 : groups_text_number(&at, end, p);
    if (number == SIZE_MAX)
        return groups_text_fail(&r->text, r->text.line, r->text.line_start, word->at,
                                "features are numbered from 1 to %zu", p);
    if (number == 0 || at < end)
        return groups_text_name(&r->text, word, &r->names, feature);
    *feature = number - 1;
    return TM_OK;
}

static tm_status take_weight(graph_reader *r, const groups_word *word, double *weight)
{
    char *value = text_part(word->text, word->length);
    if (!value)
        return tm_fail_memory(r->text.err, "the graph");
    bool key = !word->key || strcmp(word->key, "weight") == 0;
    bool good = key && text_to_real(value, weight) && *weight > 0 && isfinite(*weight);
    free(value);
    return good ? TM_OK : fail_word(r, word, "a weight above 0");
}

/* The content of a line. */
typedef struct graph_line {
    const char *at; /* its start */
    size_t words, features[2];
    bool none; /* the parent is "0" or "-" */
    double weight;
} graph_line;

/* Handles the k-th word: the first `features` words are features, and one more is a weight. */
static tm_status take_word(graph_reader *r, const groups_word *word, size_t features,
                           graph_line *line)
{
    size_t k = line->words++;
    if (k == 0)
        line->at = word->at;
    if (k == 0 && features == 1 && !word->quoted && word->length == 1 &&
        (word->text[0] == '0' || word->text[0] == '-')) {
        line->none = true;
        return TM_OK;
    }
    if (k > features || (k == features && line->none))
        return fail_word(r, word, "the end of the line");
    return k < features ? take_feature(r, word, &line->features[k])
                        : take_weight(r, word, &line->weight);
}

static tm_status take_line(graph_reader *r, size_t features, graph_line *line)
{
    groups_word word;
    tm_status status;
    *line = (graph_line){.weight = 1};
    while (groups_text_word(&r->text, &word, &status)) {
        status = take_word(r, &word, features, line);
        if (status != TM_OK)
            return status;
    }
    return status;
}

static tm_status fail_line(const graph_reader *r, const graph_line *line, const char *what,
                           size_t number)
{
    return groups_text_fail(&r->text, r->text.line, r->text.line_start, line->at, what, number);
}

static tm_status read_edge(graph_reader *r)
{
    graph_line line;
    tm_status status = take_line(r, 2, &line);
    if (status != TM_OK || line.words == 0)
        return status;
    if (line.words == 1)
        return fail_line(r, &line, "an edge has two features, this one %zu", line.words);
    return add_edge(r, line.features[0], line.features[1], line.weight);
}

/* Line k is the parent of feature k. */
static tm_status read_parent(graph_reader *r, size_t *child)
{
    graph_line line;
    size_t p = tm_dataset_cols(r->data);
    tm_status status = take_line(r, 1, &line);
    if (status != TM_OK || line.words == 0)
        return status;
    if (*child == p)
        return fail_line(r, &line, "there is a line for each of the %zu features already", p);
    ++*child;
    return line.none ? TM_OK : add_edge(r, *child - 1, line.features[0], line.weight);
}

typedef struct graph_text {
    const char *name, *text;
    size_t length;
    bool inner, parents;
} graph_text;

static tm_status check_tree(const graph_reader *r, const tm_graph *graph)
{
    if (tm_graph_is_forest(graph))
        return TM_OK;
    return tm_fail(r->text.err, TM_EDATA,
                   "%.200s: these parents form a cycle, which a tree does not have", r->text.name);
}

static tm_status read_lines(graph_reader *r, bool parents)
{
    size_t line = 0, p = tm_dataset_cols(r->data);
    tm_status status = TM_OK;
    do
        status = parents ? read_parent(r, &line) : read_edge(r);
    while (status == TM_OK && groups_text_next(&r->text));
    if (status == TM_OK && parents && line < p)
        status = tm_fail(r->text.err, TM_EDATA,
                         "%.200s: has %zu lines; expected one for each of the %zu features",
                         r->text.name, line, p);
    return status;
}

static tm_status read_text(tm_graph **out, const graph_text *of, const tm_dataset *data,
                           tm_error *err)
{
    graph_reader r = {.text = {.name = of->name,
                               .parameter = "graph",
                               .cur = of->text,
                               .end = of->text + of->length,
                               .line_start = of->text,
                               .line = 1,
                               .inner = of->inner,
                               .room = mem_array(of->length, 1),
                               .err = err},
                      .data = data,
                      .names = {.data = data}};
    *out = NULL;
    tm_status status = r.text.room ? read_lines(&r, of->parents) : tm_fail_memory(err, "the graph");
    if (status == TM_OK)
        status = graph_from_edges(out, tm_dataset_cols(data), r.edges, r.count, err);
    if (status == TM_OK && of->parents)
        status = check_tree(&r, *out);
    if (status != TM_OK) {
        tm_graph_unref(*out);
        *out = NULL;
    }
    free(r.edges);
    free(r.text.room);
    name_index_clear(&r.names);
    return status;
}

/* ---- Matrix Market --------------------------------------------------------------------------- */

/* The entry (row, col); rows ascend within each column. */
static double entry_at(const tm_matrix *x, size_t row, size_t col, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    size_t count = tm_matrix_entries(x, col, scratch, &rows, &values), low = 0;
    if (!rows)
        return values[row];
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && rows[low] == row ? values[low] : 0;
}

static tm_status check_weight(const graph_reader *r, size_t row, size_t col, const double pair[2])
{
    tm_error *err = r->text.err;
    if (!(pair[0] > 0))
        return tm_fail(err, TM_EDATA, "%s: entry (%zu, %zu) is %g; expected a weight above 0",
                       r->text.name, row + 1, col + 1, pair[0]);
    if (pair[1] != 0 && pair[1] != pair[0])
        return tm_fail(err, TM_EDATA,
                       "%s: entries (%zu, %zu) and (%zu, %zu) are %g and %g; a graph is "
                       "undirected: both entries must be equal",
                       r->text.name, row + 1, col + 1, col + 1, row + 1, pair[0], pair[1]);
    return TM_OK;
}

static tm_status add_column(graph_reader *r, const tm_dataset *d, size_t col, double *scratch)
{
    const uint32_t *rows;
    const double *values;
    const tm_matrix *x = tm_dataset_x(d);
    size_t n = tm_dataset_rows(d), count = tm_matrix_entries(x, col, scratch, &rows, &values);
    tm_status status = TM_OK;
    for (size_t i = 0; status == TM_OK && i < count; i++) {
        size_t row = rows ? rows[i] : i;
        if (values[i] == 0 || row == col)
            continue;
        double pair[2] = {values[i], entry_at(x, col, row, scratch + n)};
        status = check_weight(r, row, col, pair);
        if (status == TM_OK && (row < col || pair[1] == 0))
            status = add_edge(r, row, col, pair[0]);
    }
    return status;
}

static tm_status adjacency_edges(tm_graph **out, const tm_dataset *d, const char *name, size_t p,
                                 tm_error *err)
{
    graph_reader r = {.text = {.name = name, .err = err}};
    size_t n = tm_dataset_rows(d);
    if (n != p || tm_dataset_cols(d) != p)
        return tm_fail(err, TM_EDATA,
                       "%s: is %zu x %zu; the matrix of a graph of %zu features is %zu x %zu", name,
                       n, tm_dataset_cols(d), p, p, p);
    double *scratch = mem_array(2 * n, sizeof *scratch);
    tm_status status = scratch ? TM_OK : tm_fail_memory(err, "the graph");
    for (size_t j = 0; status == TM_OK && j < p; j++)
        status = add_column(&r, d, j, scratch);
    if (status == TM_OK)
        status = graph_from_edges(out, p, r.edges, r.count, err);
    free(r.edges);
    free(scratch);
    return status;
}

static tm_status read_matrix(tm_graph **out, const graph_text *of, const tm_dataset *data,
                             tm_error *err)
{
    tm_dataset *d;
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.unlabelled = true;
    tm_status status = tm_read_memory(&d, of->text, of->length, of->name, &options, err);
    if (status != TM_OK)
        return status;
    status = adjacency_edges(out, d, of->name, tm_dataset_cols(data), err);
    tm_dataset_unref(d);
    return status;
}

static tm_status read_rows(tm_graph **out, const char *path, const tm_dataset *data, tm_error *err)
{
    tm_dataset *d;
    tm_read_options options = TM_READ_OPTIONS_INIT;
    options.unlabelled = true;
    tm_status status = tm_read(&d, path, &options, err);
    if (status != TM_OK)
        return status;
    if (tm_dataset_cols(d) != tm_dataset_cols(data))
        status =
            tm_fail(err, TM_EDATA, "%s: has %zu columns; expected one for each of %zu features",
                    path, tm_dataset_cols(d), tm_dataset_cols(data));
    else
        status = tm_graph_rows(out, tm_dataset_x(d), err);
    tm_dataset_unref(d);
    return status;
}

/* ---- the whole text -------------------------------------------------------------------------- */

static tm_status read_file(tm_graph **out, const char *path, bool parents, const tm_dataset *data,
                           tm_error *err)
{
    static const char banner[] = "%%MatrixMarket";
    input *in;
    graph_text of = {.parents = parents};
    char *text;
    *out = NULL;
    tm_status status = groups_text_open(&in, &text, &of.length, path, "the graph", err);
    bool matrix = of.length >= strlen(banner) && memcmp(text, banner, strlen(banner)) == 0;
    of.text = text ? text : "";
    of.name = in ? input_name(in) : path;
    if (status == TM_OK && matrix && !parents)
        status = read_matrix(out, &of, data, err);
    else if (status == TM_OK)
        status = read_text(out, &of, data, err);
    free(text);
    input_close(in);
    return status;
}

tm_status tm_graph_read(tm_graph **out, const char *path, const tm_dataset *data, tm_error *err)
{
    return read_file(out, path, false, data, err);
}

static tm_status parse_grid(tm_graph **out, const char *text, size_t p, tm_error *err)
{
    size_t sizes[3] = {1, 1, 1}, rank = 0;
    const char *at = text, *end = text + strlen(text);
    bool good = true;
    *out = NULL;
    while (good && rank < 3) {
        sizes[rank] = groups_text_number(&at, end, UINT32_MAX);
        good = sizes[rank] != 0 && sizes[rank] != SIZE_MAX;
        rank++;
        if (!good || at == end)
            break;
        good = *at++ == 'x';
    }
    if (!good || at < end)
        return tm_fail(err, TM_EUSAGE,
                       "parameter 'graph' is grid:%.60s; expected sizes like grid:64x48 or "
                       "grid:16x16x16",
                       text);
    size_t count = 1;
    for (size_t d = 0; d < rank; d++)
        if (__builtin_mul_overflow(count, sizes[d], &count))
            count = SIZE_MAX;
    if (count != p)
        return tm_fail(err, TM_EUSAGE, "grid:%.60s has %zu places; the data have %zu features",
                       text, count, p);
    return tm_graph_grid(out, sizes, rank, err);
}

static tm_status parse_trend(tm_graph **out, const char *text, size_t p, tm_error *err)
{
    long order;
    if (!text_to_long(text, &order) || order < 0 || order > TM_GRAPH_MAX_ORDER)
        return tm_fail(err, TM_EUSAGE,
                       "parameter 'graph' is trend:%.60s; expected an order from 0 to %d", text,
                       TM_GRAPH_MAX_ORDER);
    return tm_graph_trend(out, p, (size_t)order, err);
}

static tm_status own_graph(tm_graph **out, const tm_dataset *data, tm_error *err)
{
    size_t count;
    const uint32_t *edges = tm_dataset_edges(data, &count);
    if (!edges)
        return tm_fail(
            err, TM_EUSAGE,
            "parameter 'graph' is data; %s came without a graph (generator gfl makes one)",
            tm_dataset_name(data));
    return tm_graph_new(out, tm_dataset_cols(data), count, edges, NULL, err);
}

/* The file after "parents:" or "rows:". */
static tm_status read_named(tm_graph **out, const char *path, bool parents, const tm_dataset *data,
                            tm_error *err)
{
    if (path[0] == '\0')
        return tm_fail(err, TM_EUSAGE, "parameter 'graph' is '%s:' without a file",
                       parents ? "parents" : "rows");
    return parents ? read_file(out, path, true, data, err) : read_rows(out, path, data, err);
}

/* The part of the text after `head`, or NULL. */
static const char *after(const char *text, const char *head)
{
    size_t length = strlen(head);
    return strncmp(text, head, length) == 0 ? text + length : NULL;
}

const tm_choice graph_words[] = {
    {"auto", "the graph that came with the data, else chain"},
    {"chain", "each feature is joined to the next"},
    {"grid:ROWSxCOLUMNS", "pixels row by row; three sizes: voxels, the last index fastest"},
    {"trend:K", "differences of order K + 1: w is close to piecewise polynomials of degree K"},
    {"data", "the graph that came with the data"},
    {"parents:FILE", "a forest: one line a feature with its parent, or 0"},
    {"rows:FILE", "the matrix D, a row for each term"},
    {NULL, NULL},
};

tm_status tm_graph_parse(tm_graph **out, const char *text, const tm_dataset *data, tm_error *err)
{
    size_t length = strlen(text), p = tm_dataset_cols(data);
    const char *rest;
    *out = NULL;
    if (strcmp(text, "auto") == 0)
        text = tm_dataset_edges(data, &(size_t){0}) ? "data" : "chain";
    if (strcmp(text, "chain") == 0)
        return tm_graph_grid(out, &p, 1, err);
    if (strcmp(text, "data") == 0)
        return own_graph(out, data, err);
    if ((rest = after(text, "grid:")))
        return parse_grid(out, rest, p, err);
    if ((rest = after(text, "trend:")))
        return parse_trend(out, rest, p, err);
    if ((rest = after(text, "parents:")))
        return read_named(out, rest, true, data, err);
    if ((rest = after(text, "rows:")))
        return read_named(out, rest, false, data, err);
    if (length == 0)
        return tm_fail(err, TM_EUSAGE,
                       "parameter 'graph' is empty; \"[]\" is a graph without edges");
    if (text[0] == '[' && text[length - 1] != ']')
        return tm_fail(err, TM_EUSAGE,
                       "parameter 'graph' begins with '[' and lacks the ']' at its end");
    graph_text of = {"graph", text + 1, length - 2, true, false};
    if (text[0] == '[')
        return read_text(out, &of, data, err);
    tm_status status =
        groups_text_find("graph", text,
                         "chain, grid:64x48, trend:2, data, a file of edges, parents:FILE, "
                         "rows:FILE or edges as in \"[1 2; 2 3 0.5]\"",
                         err);
    return status == TM_OK ? tm_graph_read(out, text, data, err) : status;
}
