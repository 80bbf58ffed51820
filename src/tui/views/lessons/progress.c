#include "tui/views/lessons/progress.h"

#include "base/replace.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

/* Parses a line of the file; false if it is invalid. *name points into the line. */
static bool read_line(char *line, progress *p, const char **name)
{
    int at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%zu %zu %zu %n", &p->step, &p->furthest, &p->steps, &at) < 3 || at == 0)
        return false;
    *name = line + at;
    return p->step >= 1 && p->step <= p->furthest && p->furthest <= p->steps;
}

progress progress_of(const char *lesson)
{
    char path[4096], *line = NULL;
    size_t capacity = 0;
    progress found = {0}, p;
    const char *name;
    FILE *file = prompt_state_path("progress", path, sizeof path) ? fopen(path, "r") : NULL;
    while (file && getline(&line, &capacity, file) >= 0)
        if (read_line(line, &p, &name) && strcmp(name, lesson) == 0)
            found = p;
    free(line);
    if (file)
        fclose(file);
    return found;
}

size_t progress_step(const char *lesson)
{
    progress p = progress_of(lesson);
    return p.step >= 1 && p.step < p.steps ? p.step : 1;
}

void progress_note(const char *lesson, size_t step, size_t steps)
{
    char path[4096], *line = NULL;
    size_t capacity = 0;
    tm_error err = TM_ERROR_INIT;
    replacement out;
    progress p, old = progress_of(lesson);
    const char *name;
    if (strchr(lesson, '\n') || !prompt_state_path("progress", path, sizeof path) ||
        replace_begin(&out, path, &err) != TM_OK)
        return;
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &capacity, file) >= 0)
        if (read_line(line, &p, &name) && strcmp(name, lesson) != 0)
            fprintf(out.stream, "%zu %zu %zu %s\n", p.step, p.furthest, p.steps, name);
    size_t furthest = old.steps == steps && old.furthest > step ? old.furthest : step;
    fprintf(out.stream, "%zu %zu %zu %s\n", step, furthest, steps, lesson);
    free(line);
    if (file)
        fclose(file);
    replace_end(&out, TM_OK, &err);
}
