#include "run/plan/files.h"

#include "run/params_json.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <sys/stat.h>

static bool digest_file(const char *path, char hex[2 * SHA256_DIGEST_SIZE + 1])
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    struct sha256_ctx sha;
    uint8_t bytes[1 << 14], digest[SHA256_DIGEST_SIZE];
    sha256_init(&sha);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        sha256_update(&sha, got, bytes);
    bool read = !ferror(file);
    fclose(file);
    sha256_digest(&sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return read;
}

json_t *sweep_files(const sweep_plan *plan)
{
    json_t *files = json_object();
    bool failed = !files;
    for (size_t k = 0; !failed && k < plan->point_count; k++) {
        const tm_params *params = plan->points[k].params;
        for (size_t i = 0; !failed && i < tm_params_count(params); i++) {
            char hex[2 * SHA256_DIGEST_SIZE + 1];
            const char *path = params_file(params, i);
            if (path && !json_object_get(files, path) && digest_file(path, hex))
                failed = json_object_set_new_nocheck(files, path, json_string(hex)) != 0;
        }
    }
    if (!failed)
        return files;
    json_decref(files);
    return NULL;
}

const char *sweep_files_digest(const json_t *files, const tm_params *params, size_t i)
{
    const char *path = params_file(params, i);
    return path ? json_string_value(json_object_get(files, path)) : NULL;
}
