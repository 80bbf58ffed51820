#include "data/matrix/random_columns.h"

/* The finaliser of splitmix64: consecutive numbers become unrelated ones. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Streams 0 to 3 are those of random_use; the columns follow. */
static void seed_stream(tm_rng *rng, uint64_t seed, uint64_t number)
{
    tm_rng_seed(rng, mix(mix(seed + 0x9e3779b97f4a7c15u) + number));
}

enum { FIRST_COLUMN = 4 };
/* Separates the streams that choose entries from those of their values. */
static const uint64_t CHOICE = 0x6a09e667f3bcc908u;

void random_stream(tm_rng *rng, const random_columns *columns, random_use use)
{
    uint64_t part = use == RANDOM_NOISE && columns->test;
    seed_stream(rng, columns->seed, 2 * (uint64_t)use + part);
}

void random_column_begin(random_column *stream, const random_columns *columns, size_t j)
{
    seed_stream(&stream->rng, columns->seed, FIRST_COLUMN + 2 * (uint64_t)j + columns->test);
    stream->law = columns->law;
    stream->density = columns->density;
    if (columns->density > 0)
        seed_stream(&stream->choice, mix(columns->seed ^ CHOICE),
                    FIRST_COLUMN + 2 * (uint64_t)j + columns->test);
}

static void draw_all(random_column *stream, double *out, size_t count)
{
    tm_rng *rng = &stream->rng;
    switch (stream->law) {
    case LAW_NORMAL:
        for (size_t i = 0; i < count; i++)
            out[i] = tm_rng_normal(rng);
        break;
    case LAW_UNIFORM:
        for (size_t i = 0; i < count; i++)
            out[i] = tm_rng_range(rng, -10, 10);
        break;
    case LAW_SIGN:
        for (size_t i = 0; i < count; i++)
            out[i] = tm_rng_next(rng) >> 63 ? 1 : -1;
        break;
    case LAW_BIT:
        for (size_t i = 0; i < count; i++)
            out[i] = (double)(tm_rng_next(rng) >> 63);
        break;
    }
}

void random_column_draw(random_column *stream, double *out, size_t count)
{
    draw_all(stream, out, count);
    for (size_t i = 0; stream->density > 0 && i < count; i++)
        if (!(tm_rng_uniform(&stream->choice) < stream->density))
            out[i] = 0;
}

void random_columns_draw(const random_columns *columns, size_t j, double *out)
{
    random_column stream;
    random_column_begin(&stream, columns, j);
    random_column_draw(&stream, out, columns->n);
}
