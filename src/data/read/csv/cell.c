#include "data/read/csv/cell.h"

#include <string.h>
#include <strings.h>

enum { MAX_NUMBER = 64 };

bool csv_is_missing(const csv_field *field)
{
    return is_missing_word(field->text, field->length);
}

/* The text of a field without surrounding blanks, which a quoted number may have. */
typedef struct cell_text {
    const char *at, *end;
} cell_text;

static cell_text text_of(const csv_field *field)
{
    cell_text text = {field->text, field->text + field->length};
    while (text.at < text.end && *text.at == ' ')
        text.at++;
    while (text.end > text.at && text.end[-1] == ' ')
        text.end--;
    return text;
}

static number_kind parse(const csv_reader *reader, cell_text text, double *value)
{
    const char *rest;
    number_kind kind = number_parse(&reader->numbers, text.at, text.end, value, &rest);
    return rest == text.end ? kind : NUMBER_MALFORMED;
}

/* Parses a number whose only separator, `from`, is replaced by the point. */
static number_kind parse_marked(const csv_reader *reader, cell_text text, char from, double *value)
{
    char copy[MAX_NUMBER];
    size_t length = (size_t)(text.end - text.at);
    const char *mark = memchr(text.at, from, length);
    if (!mark || length >= sizeof copy)
        return NUMBER_MALFORMED;
    memcpy(copy, text.at, length);
    copy[mark - text.at] = '.';
    return parse(reader, (cell_text){copy, copy + length}, value);
}

/* Between semicolons a comma is a decimal comma; elsewhere it may also separate thousands, unless
 * the option says that it is a decimal comma. */
static bool may_be_comma(const csv_reader *reader)
{
    return reader->decimal == DECIMAL_COMMA ||
           (reader->decimal == DECIMAL_AUTO && reader->separator == ';');
}

number_kind csv_cell_number(const csv_reader *reader, const csv_field *field, double *value)
{
    cell_text text = text_of(field);
    if (reader->decimal == DECIMAL_COMMA && memchr(text.at, '.', (size_t)(text.end - text.at)))
        return NUMBER_MALFORMED;
    number_kind kind = parse(reader, text, value);
    return kind == NUMBER_MALFORMED && may_be_comma(reader) ? parse_marked(reader, text, ',', value)
                                                            : kind;
}

bool csv_cell_boolean(const csv_field *field, double *value)
{
    bool yes = field->length == 4 && strncasecmp(field->text, "true", 4) == 0;
    bool no = field->length == 5 && strncasecmp(field->text, "false", 5) == 0;
    *value = yes;
    return yes || no;
}

bool csv_has_digit(const csv_field *field)
{
    for (size_t k = 0; k < field->length; k++)
        if (field->text[k] >= '0' && field->text[k] <= '9')
            return true;
    return false;
}

bool csv_is_whole(const csv_field *field)
{
    size_t sign = field->length > 0 && (field->text[0] == '-' || field->text[0] == '+');
    for (size_t k = sign; k < field->length; k++)
        if (field->text[k] < '0' || field->text[k] > '9')
            return false;
    return field->length > sign;
}

bool csv_has_other_mark(const csv_reader *reader, const csv_field *field)
{
    double value;
    cell_text text = text_of(field);
    return reader->decimal == DECIMAL_COMMA
               ? parse(reader, text, &value) == NUMBER_FINITE
               : parse_marked(reader, text, ',', &value) == NUMBER_FINITE;
}

bool csv_looks_at_marks(const csv_reader *reader)
{
    return may_be_comma(reader) && (reader->marks.comma_line > 0 || reader->marks.point_line == 0);
}

bool csv_note_mark(csv_reader *reader, const csv_field *field)
{
    if (reader->separator != ';' || reader->decimal != DECIMAL_AUTO)
        return true;
    if (memchr(field->text, ',', field->length))
        reader->marks.comma_line =
            reader->marks.comma_line ? reader->marks.comma_line : field->line;
    else if (memchr(field->text, '.', field->length))
        reader->marks.point_line =
            reader->marks.point_line ? reader->marks.point_line : field->line;
    return reader->marks.comma_line == 0 || reader->marks.point_line == 0;
}
