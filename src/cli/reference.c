#include "cli/reference.h"

#include "cli/print/describe.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/reader.h"
#include "tamis/screen.h"
#include "tamis/synth.h"
#include "tamis/writer.h"

#include <ctype.h>
#include <stdio.h>

/* Prints text for a table cell, where '|' must be escaped. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_param(const tm_param_info *info)
{
    char range[100];
    describe_range(info, range, sizeof range);
    printf("| `%s` | %s | %s%s%s | %s | ", info->name, describe_type(info),
           info->fallback ? "`" : "", info->fallback ? info->fallback : "",
           info->fallback ? "`" : "", range);
    print_cell(info->unit ? info->unit : "");
    printf(" | ");
    print_cell(info->help);
    for (const tm_choice *c = info->type == TM_PARAM_CHOICE ? info->choices : NULL; c && c->name;
         c++) {
        printf("%s `%s`%s", c == info->choices ? ":" : ";", c->name, c->help[0] ? " " : "");
        print_cell(c->help);
    }
    printf(" |\n");
}

/* Prints a summary, which is a phrase, as a sentence. */
static void print_sentence(const char *phrase)
{
    printf("%c%s.", toupper((unsigned char)phrase[0]), phrase[0] ? phrase + 1 : "");
}

static void print_params(const tm_param_info *table, size_t count)
{
    printf("\n| parameter | type | default | range | unit | meaning |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++)
        print_param(&table[i]);
}

static void print_methods(void)
{
    printf("\n## Methods\n");
    for (size_t i = 0; tm_methods_at(i); i++) {
        const tm_method *method = tm_methods_at(i);
        size_t count;
        const tm_param_info *table = tm_method_params(method, &count);
        char losses[128];
        tm_method_losses(method, losses, sizeof losses);
        printf("\n### `%s`\n\n", tm_method_id(method));
        print_sentence(tm_method_summary(method));
        printf("\n\n    %s\n\nLosses: %s. Source: %s.\n", tm_method_formula(method), losses,
               tm_method_source(method));
        print_params(table, count);
    }
}

static void print_screens(void)
{
    size_t count;
    const tm_screen_info *screens = tm_screens(&count);
    printf(
        "\n## Screening strategies\n\nThe values of `screen`. A safe strategy never discards a "
        "feature of the optimum.\n\n"
        "| `screen` | kind | safe | losses | what it does | source |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        char losses[100];
        printf("| `%s` | %s | %s | %s | ", screens[i].id, screens[i].kind, screens[i].safe,
               tm_screen_losses(&screens[i], losses, sizeof losses));
        print_cell(screens[i].summary);
        printf(" | ");
        print_cell(screens[i].source);
        printf(" |\n");
    }
}

static void print_readers(void)
{
    size_t count;
    const tm_reader_info *reader;
    printf("\n## Data formats\n\nPlain, compressed (gz, bz2, xz, zst, lz4), or alone in a zip "
           "archive.\n\n");
    for (size_t i = 0; (reader = tm_reader_at(i)); i++)
        printf("* `%s`: %s\n", reader->id, reader->summary);
    const tm_param_info *table = tm_reader_params(&count);
    print_params(table, count);
}

static void print_writers(void)
{
    const tm_writer_info *writer;
    printf("\n## Formats that `tamis convert` writes\n\n| format | names | what it is | names of "
           "columns | classes that are words | response |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; (writer = tm_writer_at(i)); i++)
        printf("| `%s` | `%s` | %s | %s | %s | %s |\n", writer->id, writer->extensions,
               writer->summary, writer->names ? "kept" : "lost",
               writer->text_labels ? "kept" : "-1 and 1",
               writer->response_apart ? "a second file" : "in the file");
}

static void print_synths(void)
{
    const tm_synth_info *synth;
    printf("\n## Generated data\n");
    for (size_t i = 0; (synth = tm_synth_at(i)); i++) {
        printf("\n### `%s`\n\n", synth->id);
        print_sentence(synth->summary);
        printf(" Source: %s.\n", synth->source);
        print_params(synth->params, synth->param_count);
    }
}

static void print_metrics(void)
{
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    printf("\n## Metrics\n\n| metric | response | better | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        printf("| `%s` | %s | %s | ", metrics[i].id, metrics[i].binary ? "two classes" : "numbers",
               metrics[i].greater_is_better ? "greater" : "smaller");
        print_cell(metrics[i].summary);
        printf(" |\n");
    }
}

void reference_print(const cli_context *context)
{
    printf("# Reference\n\nGenerated from the program's tables by `scripts/reference`; changes "
           "belong there. On the command line\nevery parameter is a long option (`--max-iter 100`, "
           "`--max_iter 100`); in Lua it is a field of the table\nargument (`{max_iter=100}`).\n");
    print_methods();
    print_screens();
    print_readers();
    print_writers();
    print_synths();
    print_metrics();
    printf("\n## Common options of the program\n");
    print_params(tm_params_info(context->common, 0), tm_params_count(context->common));
}
