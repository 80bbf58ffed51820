#include "data/read/common/typed.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/read/common/like.h"
#include "tamis/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The choices of the option `text`, in their order. */
enum { TEXT_ERROR, TEXT_ONE_HOT };

/* ---- columns -------------------------------------------------------------------------------- */

void typed_open(typed *t, input *in, const read_request *request)
{
    *t = (typed){.table = {.in = in, .request = request}, .response = SIZE_MAX, .row = 1};
}

void typed_clear(typed *t)
{
    for (size_t j = 0; j < t->count; j++)
        free(t->columns[j].name);
    free(t->columns);
    t->columns = NULL;
    table_clear(&t->table);
}

tm_status typed_add_column(typed *t, const char *name, bool text, bool indicators)
{
    if (!mem_grow(&t->columns, &t->room, t->count, 64, sizeof *t->columns))
        return input_fail_memory(t->table.in, "columns of the data");
    t->columns[t->count] = (typed_column){text_copy(name), text, indicators};
    return t->columns[t->count++].name ? TM_OK
                                       : input_fail_memory(t->table.in, "columns of the data");
}

static size_t feature_of(const typed *t, size_t column)
{
    return column - (column > t->response);
}

bool typed_is_id(const typed *t, size_t column)
{
    return column != t->response && feature_of(t, column) == t->table.id_column;
}

static bool find_column(const typed *t, const char *name, size_t *place)
{
    for (int ignore_case = 0; ignore_case < 2; ignore_case++)
        for (size_t j = 0; j < t->count; j++)
            if (ignore_case ? strcasecmp(t->columns[j].name, name) == 0
                            : strcmp(t->columns[j].name, name) == 0) {
                *place = j;
                return true;
            }
    return false;
}

static bool column_is_called(const void *t, size_t place, const char *name)
{
    return strcmp(((const typed *)t)->columns[place].name, name) == 0;
}

static tm_status find_response(typed *t)
{
    const char *label = t->table.request->label;
    const like_columns columns = {.in = t->table.in,
                                  .count = t->count,
                                  .named = true,
                                  .is_called = column_is_called,
                                  .of = t};
    like_place where = LIKE_UNKNOWN;
    long number;
    if (t->table.request->response_apart)
        return TM_OK;
    size_t place;
    tm_status status = label ? TM_OK : like_response(&where, &place, t->table.request, &columns);
    if (status != TM_OK || where != LIKE_UNKNOWN) {
        t->response = where == LIKE_COLUMN ? place : SIZE_MAX;
        return status;
    }
    for (size_t k = 0; !label && table_responses[k]; k++)
        if (find_column(t, table_responses[k], &t->response))
            return TM_OK;
    if (!label) {
        t->response = t->count - 1;
        return TM_OK;
    }
    if (find_column(t, label, &t->response))
        return TM_OK;
    if (!text_to_long(label, &number) || number < 1 || (size_t)number > t->count)
        return input_fail_whole(t->table.in,
                                "no column \"%s\" for label; expected a name or a number from 1 to "
                                "%zu",
                                input_quoted(label, strlen(label)).text, t->count);
    t->response = (size_t)number - 1;
    return TM_OK;
}

/* A single message for all text columns. */
static tm_status check_texts(const typed *t)
{
    char names[300] = "";
    size_t used = 0, count = 0;
    if (tm_params_choice(t->table.request->params, "text") == TEXT_ONE_HOT)
        return TM_OK;
    for (size_t j = 0; j < t->count; j++) {
        const typed_column *column = &t->columns[j];
        if (!column->text || column->indicators || j == t->response || typed_is_id(t, j))
            continue;
        if (used + 64 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%zu (\"%s\")",
                                     count ? ", " : "", j + 1,
                                     input_quoted(column->name, strlen(column->name)).text);
        count++;
    }
    if (count == 0 || t->table.words.kinds)
        return TM_OK;
    return input_fail_whole(t->table.in,
                            "%zu column%s of features %s text: %s; remove %s, choose text = "
                            "onehot, or give the one that names rows as ids",
                            count, count == 1 ? "" : "s", count == 1 ? "is" : "are", names,
                            count == 1 ? "it" : "them");
}

static tm_status take_names(typed *t)
{
    table *out = &t->table;
    out->has_response = t->response != SIZE_MAX;
    out->features = t->count - out->has_response;
    out->names = mem_zeros(out->features, sizeof *out->names);
    bool complete = out->names != NULL;
    for (size_t j = 0; complete && j < t->count; j++) {
        char *name = text_copy(t->columns[j].name);
        complete = name != NULL;
        if (j == t->response)
            out->response_name = name;
        else
            out->names[feature_of(t, j)] = name;
    }
    return complete ? TM_OK : input_fail_memory(out->in, "names of the features");
}

tm_status typed_begin(typed *t)
{
    bool indicators = tm_params_choice(t->table.request->params, "text") == TEXT_ONE_HOT;
    const read_request *request = t->table.request;
    bool alone = request->response_apart || request->may_lack;
    if (t->count == 0 || (t->count == 1 && !alone))
        return input_fail_whole(t->table.in, "%zu column%s; expected a response and features",
                                t->count, t->count == 1 ? "" : "s");
    if (t->count > data_feature_limit())
        return input_fail_whole(t->table.in, "%zu columns do not fit the memory of this machine",
                                t->count);
    tm_status status = find_response(t);
    for (size_t j = 0; j < t->count; j++)
        indicators = indicators || (t->columns[j].indicators && j != t->response);
    if (status == TM_OK)
        status = take_names(t);
    if (status == TM_OK)
        status = table_begin(&t->table, indicators);
    if (status == TM_OK)
        status = check_texts(t);
    column_texts *words = &t->table.words;
    for (size_t j = 0; status == TM_OK && words->kinds && j < t->count; j++)
        if (j != t->response && !typed_is_id(t, j) &&
            words->kinds[feature_of(t, j)] == COLUMN_UNKNOWN)
            words->kinds[feature_of(t, j)] = t->columns[j].text ? COLUMN_TEXTS : COLUMN_NUMBERS;
    return status;
}

/* What another file specifies about the column takes precedence. */
tm_status typed_add_level(typed *t, size_t column, const char *text)
{
    size_t feature = feature_of(t, column), place;
    column_texts *words = &t->table.words;
    if (column == t->response || typed_is_id(t, column) || !words->kinds ||
        words->known[feature] != KNOWN_NOT)
        return TM_OK;
    return texts_feature(words, feature, text, strlen(text), &place)
               ? TM_OK
               : input_fail_memory(t->table.in, "texts of the data");
}

/* ---- rows ----------------------------------------------------------------------------------- */

static tm_status fail_cell(const typed *t, size_t column, const char *what)
{
    const char *name = t->columns[column].name;
    if (t->line > 0)
        return input_fail(t->table.in, t->line, column + 1, "in \"%s\", %s",
                          input_quoted(name, strlen(name)).text, what);
    return input_fail_whole(t->table.in, "row %llu, column %zu (\"%s\"): %s",
                            (unsigned long long)t->row, column + 1,
                            input_quoted(name, strlen(name)).text, what);
}

static tm_status fail_missing(const typed *t, size_t column)
{
    return fail_cell(t, column,
                     column == t->response ? "the response is missing; choose missing = drop"
                     : typed_is_id(t, column)
                         ? "the id is missing; choose missing = drop"
                         : "the value is missing; choose missing = mean or drop");
}

tm_status typed_missing(typed *t, size_t column)
{
    read_missing treatment = read_missing_option(t->table.request);
    bool response = column == t->response;
    if (response && t->table.request->may_lack) {
        t->table.lacks = true;
        return TM_OK;
    }
    const column_texts *words = &t->table.words;
    bool id = typed_is_id(t, column);
    bool known =
        !response && !id && words->kinds && words->known[feature_of(t, column)] != KNOWN_NOT;
    if (known && words->known[feature_of(t, column)] != KNOWN_WITH_MISSING)
        return fail_cell(t, column,
                         "the text is missing, and no row of the training data lacks it");
    if (!known && treatment == MISSING_DROP) {
        t->drop = true;
        return TM_OK;
    }
    if (!known && (response || id || treatment == MISSING_ERROR))
        return fail_missing(t, column);
    if (!row_store_add(&t->table.store, (uint32_t)feature_of(t, column), NAN))
        return input_fail_memory(t->table.in, "entries of the data");
    return TM_OK;
}

static tm_status add_class(typed *t, size_t column, const char *text)
{
    table *out = &t->table;
    if (!class_texts_set(&out->classes, out->store.rows, text, strlen(text)))
        return input_fail_memory(out->in, "classes of the rows");
    if (class_texts_count(&out->classes) > TM_MAX_CLASSES)
        return fail_cell(t, column, "one distinct text too many; expected classes, or numbers");
    return TM_OK;
}

tm_status typed_number(typed *t, size_t column, double value, const char *name)
{
    if (isnan(value))
        return typed_missing(t, column);
    if (!isfinite(value))
        return fail_cell(t, column, "the value is not finite; expected a number");
    if (column == t->response) {
        t->y = value;
        t->unnamed = t->unnamed || !name;
        return t->unnamed ? TM_OK : add_class(t, column, name);
    }
    if (typed_is_id(t, column))
        return table_add_id(&t->table, value, name, name ? strlen(name) : 0);
    if (t->table.words.kinds && t->table.words.kinds[feature_of(t, column)] == COLUMN_TEXTS)
        return fail_cell(t, column, "a number in a column that was text in the training data");
    if (!row_store_add(&t->table.store, (uint32_t)feature_of(t, column), value))
        return input_fail_memory(t->table.in, "entries of the data");
    return TM_OK;
}

tm_status typed_text(typed *t, size_t column, const char *text)
{
    size_t feature = feature_of(t, column), place;
    column_texts *words = &t->table.words;
    if (is_missing_word(text, strlen(text)))
        return typed_missing(t, column);
    if (column == t->response)
        return add_class(t, column, text);
    if (typed_is_id(t, column))
        return table_add_id(&t->table, 0, text, strlen(text));
    if (words->kinds[feature] != COLUMN_TEXTS)
        return fail_cell(t, column, "text in a column that was numbers in the training data");
    if (!texts_allow(words, feature, text, strlen(text))) {
        char what[160];
        snprintf(what, sizeof what,
                 "\"%s\" is none of the texts that the training data have in this column",
                 input_quoted(text, strlen(text)).text);
        return fail_cell(t, column, what);
    }
    if (!texts_feature(words, feature, text, strlen(text), &place))
        return input_fail_memory(t->table.in, "texts of the data");
    if (place > data_feature_limit())
        return fail_cell(t, column, "one distinct text too many; remove the column");
    if (!row_store_add(&t->table.store, (uint32_t)place, 1))
        return input_fail_memory(t->table.in, "entries of the data");
    return TM_OK;
}

tm_status typed_end_row(typed *t)
{
    bool drop = t->drop;
    t->drop = false;
    t->row++;
    return drop ? table_leave_out_row(&t->table) : table_end_row(&t->table, t->y);
}

/* Records what a later table needs to be read like this one. */
static bool keep_file(const typed *t, tm_reading_file *file)
{
    file->fields = t->count;
    file->header = true;
    file->apart = t->response == SIZE_MAX;
    file->unlabelled = t->table.lacks || (file->apart && t->table.request->may_lack);
    file->place = file->apart ? 0 : t->response;
    file->response = file->apart ? NULL : text_copy(t->columns[t->response].name);
    return file->apart || file->response;
}

tm_status typed_finish(typed *t, read_result *result, tm_error *err)
{
    size_t used = strlen(result->note);
    if (t->table.store.rows == 0 && t->table.dropped == 0)
        return input_fail_whole(t->table.in, "there are no rows");
    t->table.classes_are_text =
        t->response != SIZE_MAX && (t->columns[t->response].text || !t->unnamed);
    if (t->response != SIZE_MAX) {
        const char *name = t->columns[t->response].name;
        snprintf(result->note + used, sizeof result->note - used,
                 "\nresponse: column %zu of %zu, \"%s\"%s", t->response + 1, t->count,
                 input_quoted(name, strlen(name)).text,
                 t->table.request->label ? "" : " (chosen by default)");
    }
    tm_status status = table_finish(&t->table, result, err);
    if (status == TM_OK && !keep_file(t, &result->parts.reading->file))
        status = input_fail_memory(t->table.in, "what the table is like");
    table_note(&t->table, result);
    return status;
}
