#include "script/common/folder.h"

#include "script/common/errors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The real path of an existing file, or of a new one in an existing folder. */
static bool real_path(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    if (realpath(path, out))
        return true;
    if (strlen(path) >= sizeof folder)
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
    if (!script_of(L)->host.sandbox)
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
