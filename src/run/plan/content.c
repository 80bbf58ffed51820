/* The digest of everything that determines a cell. Cells of any two sweeps with equal digests have
 * equal results: to the bit or, if they were solved together with others along a path, to the
 * tolerance. */
#include "base/memory.h"
#include "run/params_json.h"
#include "run/plan/files.h"
#include "run/plan/plan.h"
#include "tamis/version.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

/* Includes the terminating NUL, so that "ab", "c" differs from "a", "bc". */
static void add_text(struct sha256_ctx *sha, const char *text)
{
    sha256_update(sha, strlen(text) + 1, (const uint8_t *)text);
}

static void add_count(struct sha256_ctx *sha, size_t count)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)count >> (8 * i));
    sha256_update(sha, sizeof bytes, bytes);
}

static void add_digest(struct sha256_ctx *sha, const sweep_digest *digest)
{
    sha256_update(sha, sizeof digest->bytes, digest->bytes);
}

static sweep_digest finish(struct sha256_ctx *sha)
{
    sweep_digest digest;
    sha256_digest(sha, sizeof digest.bytes, digest.bytes);
    return digest;
}

/* Adds their values, and which of them are given: a default may mean something else than its
 * value. */
static tm_status add_params(struct sha256_ctx *sha, const tm_params *params, tm_error *err)
{
    errno = 0;
    json_t *json = params_json(params, json_string);
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    if (!text && errno == ENOMEM)
        return tm_fail_memory(err, "the sweep's values");
    if (!text)
        return tm_fail(err, TM_EUSAGE, "the sweep's name and values must be UTF-8 text");
    add_text(sha, text);
    free(text);
    for (size_t i = 0; i < tm_params_count(params); i++)
        if (tm_params_given(params, tm_params_info(params, i)->name))
            add_text(sha, tm_params_info(params, i)->name);
    add_text(sha, "");
    return TM_OK;
}

static void add_files(struct sha256_ctx *sha, const json_t *files, const tm_params *params)
{
    for (size_t i = 0; i < tm_params_count(params); i++) {
        const char *digest = sweep_files_digest(files, params, i);
        if (digest)
            add_text(sha, digest);
    }
}

static tm_status digest_point(sweep_digest *out, const sweep_point *point, const json_t *files,
                              tm_error *err)
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    add_text(&sha, TAMIS_VERSION);
    add_text(&sha, tm_method_id(point->method));
    tm_status status = add_params(&sha, point->params, err);
    add_files(&sha, files, point->params);
    *out = finish(&sha);
    return status;
}

/* The part of the digest that all splits of the variant share. */
static tm_status digest_variant(sweep_digest *out, const sweep_splits *s,
                                const sweep_variant *variant, tm_error *err)
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    add_text(&sha, tm_dataset_sha256(s->data[variant->data]));
    add_text(&sha, variant->more ? tm_dataset_sha256(variant->more) : "");
    add_text(&sha, s->test ? tm_dataset_sha256(s->test) : "");
    tm_status status = add_params(&sha, variant->prepare, err);
    *out = finish(&sha);
    return status;
}

static sweep_digest digest_rows(const sweep_splits *s, size_t split)
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    add_count(&sha, s->rows);
    for (size_t i = 0; i < s->rows; i++) {
        uint8_t role = (uint8_t)sweep_splits_role(s, split, i);
        sha256_update(&sha, 1, &role);
        add_count(&sha, sweep_splits_times(s, split, i));
    }
    return finish(&sha);
}

static tm_status digest_parts(sweep_digest *parts, const sweep_splits *s, tm_error *err)
{
    sweep_digest *variants = mem_zeros(s->variant_count, sizeof *variants);
    tm_status status = variants ? TM_OK : tm_fail_memory(err, "a sweep");
    for (size_t v = 0; status == TM_OK && v < s->variant_count; v++)
        status = digest_variant(&variants[v], s, &s->variants[v], err);
    for (size_t i = 0; status == TM_OK && i < s->count; i++) {
        sweep_digest rows = digest_rows(s, i);
        for (size_t v = 0; v < s->variant_count; v++) {
            struct sha256_ctx sha;
            sha256_init(&sha);
            add_digest(&sha, &rows);
            add_digest(&sha, &variants[v]);
            parts[i * s->variant_count + v] = finish(&sha);
        }
    }
    free(variants);
    return status;
}

tm_status sweep_contents_make(sweep_plan *plan, tm_error *err)
{
    sweep_contents *c = &plan->contents;
    c->points = mem_zeros(plan->point_count, sizeof *c->points);
    c->parts = mem_zeros(plan->splits.count * plan->splits.variant_count, sizeof *c->parts);
    json_t *files = sweep_files(plan);
    tm_status status = c->points && c->parts && files ? TM_OK : tm_fail_memory(err, "a sweep");
    for (size_t i = 0; status == TM_OK && i < plan->point_count; i++)
        status = digest_point(&c->points[i], &plan->points[i], files, err);
    json_decref(files);
    return status == TM_OK ? digest_parts(c->parts, &plan->splits, err) : status;
}

void sweep_contents_clear(sweep_contents *contents)
{
    free(contents->points);
    free(contents->parts);
    *contents = (sweep_contents){0};
}

/* The digest of the chain's configurations from..end-1, which are solved together after those of
 * `before`. */
static sweep_digest digest_unit(const sweep_plan *plan, const sweep_chain *chain, size_t from,
                                size_t end, const sweep_digest *before)
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    add_digest(&sha, before);
    for (size_t i = from; i < end; i++) {
        const sweep_config *config = &plan->configs[chain->configs[i]];
        add_digest(&sha, &plan->contents.points[config->point]);
        add_count(&sha, config->step);
    }
    return finish(&sha);
}

void sweep_contents_of(const sweep_plan *plan, size_t task, sweep_digest *out)
{
    const sweep_chain *chain = &plan->chains[task % plan->chain_count];
    size_t split = task / plan->chain_count,
           variant = plan->points[plan->configs[chain->configs[0]].point].variant;
    sweep_digest before = plan->contents.parts[split * plan->splits.variant_count + variant];
    for (size_t from = 0, end; from < chain->count; from = end) {
        end = sweep_piece_unit(chain, from);
        before = digest_unit(plan, chain, from, end, &before);
        for (size_t i = from; i < end; i++) {
            struct sha256_ctx sha;
            sha256_init(&sha);
            add_digest(&sha, &before);
            add_count(&sha, i - from);
            out[i] = finish(&sha);
        }
    }
}
