/* A locale whose decimal sign is the comma, for tests of what must not follow it. */
#ifndef TESTS_COMMA_LOCALE_H
#define TESTS_COMMA_LOCALE_H

#include "tests/core_check.h"

#include <locale.h>

/* An installed locale, or one compiled for this test into `place` (a mkdtemp template). False when
 * the machine has neither. */
static inline bool comma_locale_set(char *place)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]) && *localeconv()->decimal_point == ',')
            return true;
    char command[400];
    if (!mkdtemp(place))
        return false;
    snprintf(command, sizeof command,
             "localedef --no-archive -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", place);
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", place, 1);
    return setlocale(LC_ALL, names[0]) && *localeconv()->decimal_point == ',';
}

static inline void comma_locale_unset(const char *place)
{
    char command[400];
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    if (!strstr(place, "XXXXXX") && system(command) != 0)
        print_message("%s could not be removed\n", place);
}

#define COMMA_LOCALE_PLACE "/tmp/tamis-locale-XXXXXX"

#endif
