/* Candidates from the tables and from folders. */
#include "base/text.h"
#include "script/api/classes.h"
#include "script/api/functions.h"
#include "script/common/class.h"
#include "script/complete/complete.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/synth.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_WORDS = 4096 };

void complete_add(complete_words *to, const char *before, const char *word, const char *after)
{
    char text[1024];
    int size = snprintf(text, sizeof text, "%s%s%s", before, word, after);
    if (size < 0 || (size_t)size >= sizeof text || to->count >= MAX_WORDS ||
        strncmp(text, to->prefix, to->length) != 0)
        return;
    char **moved = realloc(to->items, (to->count + 2) * sizeof *moved);
    if (!moved)
        return;
    to->items = moved;
    moved[to->count] = text_copy(text);
    if (moved[to->count])
        to->count++;
    moved[to->count] = NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **complete_finish(complete_words *list)
{
    if (list->count == 0) {
        free(list->items);
        return NULL;
    }
    qsort(list->items, list->count, sizeof *list->items, by_text);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(list->items[i], list->items[kept - 1]) == 0)
            free(list->items[i]);
        else
            list->items[kept++] = list->items[i];
    list->items[kept] = NULL;
    return list->items;
}

void complete_add_tm_names(complete_words *to)
{
    const script_function *function;
    const tm_method *method;
    for (size_t i = 0; (function = script_function_at(i)); i++)
        complete_add(to, "", function->name, "");
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        complete_add(to, "", tm_method_id(method), "");
    complete_add(to, "", "version", "");
}

void complete_add_members(complete_words *to, const script_class *class, char separator)
{
    for (const script_member *m = class->members; m->name; m++)
        if ((m->args != NULL) == (separator == ':'))
            complete_add(to, "", m->name, "");
}

void complete_add_methods(complete_words *to)
{
    const tm_method *method;
    for (size_t i = 0; (method = tm_methods_at(i)); i++)
        complete_add(to, "", tm_method_id(method), "");
}

void complete_add_metrics(complete_words *to)
{
    size_t count;
    const tm_metric *metrics = tm_metrics(&count);
    for (size_t i = 0; i < count; i++)
        complete_add(to, "", metrics[i].id, "");
}

void complete_add_synths(complete_words *to)
{
    const tm_synth_info *synth;
    for (size_t i = 0; (synth = tm_synth_at(i)); i++)
        complete_add(to, "", synth->id, "");
}

void complete_add_topics(complete_words *to)
{
    const script_class *class;
    complete_add_tm_names(to);
    complete_add_metrics(to);
    for (size_t i = 0; (class = script_class_at(i)); i++)
        complete_add(to, "", class->id, "");
}

void complete_add_files(complete_words *to, const char *text, size_t from)
{
    char directory[512], before[512];
    const char *path = text + from;
    const char *slash = strrchr(path, '/');
    int size = slash ? (int)(slash - path) + 1 : 0;
    if (from + (size_t)size >= sizeof directory)
        return;
    snprintf(before, sizeof before, "%.*s", (int)from + size, text);
    snprintf(directory, sizeof directory, "%s", size ? before + from : ".");
    DIR *open = opendir(directory);
    if (!open)
        return;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        struct stat what;
        char full[1024];
        bool hidden = entry->d_name[0] == '.' && (!slash ? path[0] : slash[1]) != '.';
        if (hidden || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(full, sizeof full, "%s/%s", directory, entry->d_name);
        bool folder = stat(full, &what) == 0 && S_ISDIR(what.st_mode);
        complete_add(to, before, entry->d_name, folder ? "/" : "");
    }
    closedir(open);
}
