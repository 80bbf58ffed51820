/* Fuzz target: graphs of features, as a parameter's text and as files of edges and of parents. */
#include "fuzz_reader.h"

#include "tamis/graph.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Features within the data, coefficients that are numbers, edges once each. */
static void look(const tm_graph *graph)
{
    const uint32_t *before = NULL;
    for (size_t k = 0; k < tm_graph_terms(graph); k++) {
        size_t count;
        const double *values;
        const uint32_t *features = tm_graph_term(graph, k, &values, &count);
        for (size_t i = 0; i < count; i++)
            if (features[i] >= FUZZ_FEATURES || !isfinite(values[i]) || values[i] == 0)
                abort();
        if (tm_graph_is_edges(graph) &&
            (count != 2 || features[0] >= features[1] ||
             (before && before[0] == features[0] && before[1] >= features[1])))
            abort();
        before = features;
    }
}

static void check(const char *text, const tm_dataset *data)
{
    tm_graph *graph = NULL;
    tm_error err = TM_ERROR_INIT;
    tm_status status = tm_graph_parse(&graph, text, data, &err);
    if ((status == TM_OK) != (graph != NULL) || (status != TM_OK && err.message[0] == '\0'))
        abort();
    if (graph)
        look(graph);
    tm_graph_unref(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const forms[] = {"%s", "parents:%s", "rows:%s"};
    static tm_dataset *data;
    if (!data)
        data = fuzz_features();
    char *text = malloc(size + 3), path[FUZZ_PATH], named[FUZZ_PATH + 16];
    text[0] = '[';
    for (size_t i = 0; i < size; i++)
        text[i + 1] = bytes[i] ? (char)bytes[i] : ' ';
    strcpy(text + size + 1, "]");
    check(text, data);
    free(text);
    int fd = fuzz_file(path, bytes, size);
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        snprintf(named, sizeof named, forms[k], path);
        check(named, data);
    }
    close(fd);
    return 0;
}
