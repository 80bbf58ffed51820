#include "data/file_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *const suffixes[FILE_COMPRESSIONS] = {
    [FILE_PLAIN] = "", [FILE_GZIP] = ".gz",  [FILE_BZIP2] = ".bz2",
    [FILE_XZ] = ".xz", [FILE_ZSTD] = ".zst", [FILE_LZ4] = ".lz4",
};

file_compression file_compression_of(const char *path)
{
    size_t length = strlen(path);
    for (file_compression k = FILE_GZIP; k < FILE_COMPRESSIONS; k++) {
        size_t tail = strlen(suffixes[k]);
        if (length > tail && strcasecmp(path + length - tail, suffixes[k]) == 0)
            return k;
    }
    return FILE_PLAIN;
}

size_t file_plain_length(const char *path)
{
    return strlen(path) - strlen(suffixes[file_compression_of(path)]);
}

/* The length of `path` up to the dot of its first suffix. */
static size_t stem_length(const char *path)
{
    size_t plain = file_plain_length(path), stem = plain;
    while (stem > 0 && path[stem - 1] != '.' && path[stem - 1] != '/')
        stem--;
    return stem > 0 && path[stem - 1] == '.' ? stem - 1 : plain;
}

char *file_response_path(const char *path)
{
    static const char tail[] = "_response";
    size_t stem = stem_length(path);
    char *name = malloc(strlen(path) + sizeof tail);
    if (name)
        sprintf(name, "%.*s%s%s", (int)stem, path, tail, path + stem);
    return name;
}

char *file_beside(const char *path, size_t i)
{
    static const char *const tails[] = {".names", ".names.xz", ".names.gz", ".bim",
                                        ".fam",   ".BIM",      ".FAM"};
    size_t stem = stem_length(path);
    if (i == 0)
        return file_response_path(path);
    if (i > sizeof tails / sizeof tails[0])
        return NULL;
    char *name = malloc(stem + sizeof ".names.xz");
    if (name)
        sprintf(name, "%.*s%s", (int)stem, path, tails[i - 1]);
    return name;
}

char *file_names_path(const char *path)
{
    static const char *const tails[] = {".names", ".names.xz", ".names.gz"};
    size_t stem = stem_length(path);
    char *name = malloc(stem + sizeof ".names.xz");
    for (size_t k = 0; name && k < sizeof tails / sizeof tails[0]; k++) {
        sprintf(name, "%.*s%s", (int)stem, path, tails[k]);
        if (access(name, R_OK) == 0)
            return name;
    }
    if (name)
        name[0] = '\0';
    return name;
}
