/* Numbers as text, with a decimal point whatever the locale. */
#include "plot/axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number: 0.d1d2d3... x 10^point. */
typedef struct decimal {
    bool negative;
    char digits[20]; /* without trailing zeros, at least one */
    int count;
    int point;
} decimal;

static decimal to_decimal(double value, int digits)
{
    decimal out = {.negative = value < 0};
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, fabs(value));
    char *exponent = strchr(text, 'e');
    /* Whatever is not a digit is the decimal sign of the locale. */
    for (const char *c = text; c < exponent; c++)
        if (*c >= '0' && *c <= '9')
            out.digits[out.count++] = *c;
    while (out.count > 1 && out.digits[out.count - 1] == '0')
        out.count--;
    out.point = (int)strtol(exponent + 1, NULL, 10) + 1;
    return out;
}

static void write_plain(const decimal *number, char *out, size_t size)
{
    size_t used = 0;
    int last = number->count > number->point ? number->count : number->point;
    for (int i = number->point < 1 ? number->point - 1 : 0; i < last && used + 2 < size; i++) {
        if (i == number->point && used)
            out[used++] = '.';
        out[used++] = i >= 0 && i < number->count ? number->digits[i] : '0';
    }
    out[used] = 0;
}

static void write_power(const decimal *number, char *out, size_t size)
{
    snprintf(out, size, "%c%s%.*se%d", number->digits[0], number->count > 1 ? "." : "",
             number->count - 1, number->digits + 1, number->point - 1);
}

void plot_number_digits(double value, int digits, char *buffer, size_t size)
{
    if (isnan(value) || isinf(value) || value == 0) {
        snprintf(buffer, size, "%s",
                 isnan(value) ? "nan"
                 : value == 0 ? "0"
                 : value > 0  ? "inf"
                              : "-inf");
        return;
    }
    decimal number = to_decimal(value, digits);
    char plain[64] = "", power[64];
    write_power(&number, power, sizeof power);
    if (number.point >= -17 && number.point <= 20)
        write_plain(&number, plain, sizeof plain);
    bool usual = number.point >= -1 && number.point <= 5;
    bool take_plain = plain[0] && (usual || strlen(plain) <= strlen(power));
    snprintf(buffer, size, "%s%s", number.negative ? "-" : "", take_plain ? plain : power);
}

void plot_number(double value, char *buffer, size_t size)
{
    plot_number_digits(value, 6, buffer, size);
}
