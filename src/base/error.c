#include "tamis/error.h"

#include <stdarg.h>
#include <stdio.h>

tm_status tm_fail(tm_error *err, tm_status code, const char *format, ...)
{
    if (err) {
        /* An argument may be err->message itself, so the text is built in a separate buffer. */
        char text[TM_ERROR_MAX];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        err->code = code;
        snprintf(err->message, sizeof err->message, "%s", text);
    }
    return code;
}

tm_status tm_fail_memory(tm_error *err, const char *what)
{
    return tm_fail(err, TM_ENOMEM, "out of memory for %s", what);
}
