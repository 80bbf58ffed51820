#include "script/common/folder.h"

#include "data/file_names.h"
#include "script/common/errors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* The real path of an existing file, or of a new one in an existing folder; false for a link to
 * what does not exist, as writing would make it there. */
static bool real_path(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    if (realpath(path, out))
        return true;
    if (strlen(path) >= sizeof folder || exists(path))
        return false;
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    const char *name = slash ? slash + 1 : path;
    if (strcmp(name, "..") == 0 || strcmp(name, ".") == 0)
        return false;
    if (slash)
        slash[slash == folder ? 1 : 0] = '\0';
    if (!realpath(slash ? folder : ".", out))
        return false;
    size_t used = strlen(out);
    if (used + 1 + strlen(name) >= PATH_MAX)
        return false;
    if (used > 1)
        out[used++] = '/';
    strcpy(out + used, name);
    return true;
}

void script_check_inside(lua_State *L, const char *path)
{
    char real[PATH_MAX], here[PATH_MAX];
    if (!script_of(L)->host.sandbox.on)
        return;
    if (!realpath(".", here) || !real_path(path, real))
        script_error(L, "the sandbox cannot reach '%s'", path);
    size_t length = strlen(here);
    bool inside = strcmp(here, "/") == 0 || (strncmp(real, here, length) == 0 &&
                                             (real[length] == '/' || real[length] == '\0'));
    if (!inside)
        script_error(L,
                     "the sandbox keeps scripts to the files of the working folder, and '%s' is "
                     "outside of it",
                     path);
}

/* A word of a text that is the name of a file, and what follows its '=' ("groups=FILE"). */
static void check_word(lua_State *L, const char *word, size_t length)
{
    char name[PATH_MAX];
    if (length >= sizeof name)
        return;
    memcpy(name, word, length);
    name[length] = '\0';
    const char *value = strchr(name, '=');
    if (exists(name))
        script_check_inside(L, name);
    if (value && exists(value + 1))
        script_check_inside(L, value + 1);
}

void script_check_words(lua_State *L, const char *text)
{
    static const char blanks[] = " \t\n";
    if (!script_of(L)->host.sandbox.on)
        return;
    check_word(L, text, strlen(text));
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        size_t length = strcspn(at, blanks);
        check_word(L, at, length);
        at += length;
    }
}

void script_check_readable(lua_State *L, const char *path)
{
    if (!script_of(L)->host.sandbox.on)
        return;
    script_check_inside(L, path);
    char *beside = NULL;
    for (size_t i = 0; (beside = file_beside(path, i)); i++) {
        lua_pushstring(L, beside); /* an error raised here would not free it */
        free(beside);
        if (exists(lua_tostring(L, -1)))
            script_check_inside(L, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}
