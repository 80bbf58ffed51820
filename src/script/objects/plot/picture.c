#include "script/objects/plot/plot.h"

#include "script/common/args.h"
#include "script/common/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads {rows, columns} or {slices, rows, columns}; returns the number of dimensions. */
static size_t read_shape(lua_State *L, const char *owner, size_t sizes[3])
{
    size_t rank;
    if (lua_getfield(L, 1, "shape") == LUA_TNIL)
        script_error(L, "%s: a picture needs its shape, {rows, columns} or {slices, rows, columns}",
                     owner);
    const double *given = script_args_numbers(L, owner, "shape", &rank);
    bool fits = rank == 2 || rank == 3;
    for (size_t i = 0; i < 3; i++)
        sizes[i] = 1;
    for (size_t i = 0; i < rank && fits; i++) {
        fits = given[i] >= 1 && given[i] < 1e9 && given[i] == floor(given[i]);
        sizes[i] = fits ? (size_t)given[i] : 1;
    }
    if (!fits)
        script_error(L, "%s: 'shape' is {rows, columns} or {slices, rows, columns}", owner);
    lua_pop(L, 1);
    return rank;
}

/* The slice, counted from 1; without one all slices are shown. */
static size_t read_slice(lua_State *L, const char *owner, size_t slices)
{
    size_t slice = PLOT_NO_PLACE;
    if (lua_getfield(L, 1, "slice") != LUA_TNIL) {
        int whole;
        lua_Integer number = lua_tointegerx(L, -1, &whole);
        if (!whole || number < 1 || (size_t)number > slices)
            script_error(L, "%s: 'slice' must be a whole number from 1 to %zu", owner, slices);
        slice = (size_t)number - 1;
    }
    lua_pop(L, 1);
    return slice;
}

void plot_picture_read(lua_State *L, const char *owner, plot_numbers *out)
{
    size_t sizes[3], count;
    if (lua_getfield(L, 1, "picture") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    const double *values = script_args_numbers(L, owner, "picture", &count);
    size_t rank = read_shape(L, owner, sizes);
    double places = (double)sizes[0] * (double)sizes[1] * (double)sizes[2];
    if (places != (double)count)
        script_error(L, "%s: the shape has %.0f places, the picture %zu numbers", owner, places,
                     count);
    out->slices = plot_slices_of(sizes, read_slice(L, owner, rank == 3 ? sizes[0] : 1));
    out->values = calloc(count, sizeof *values);
    if (!out->values)
        luaL_error(L, "not enough memory for a plot");
    memcpy(out->values, values, count * sizeof *values);
    lua_pop(L, 1);
}
