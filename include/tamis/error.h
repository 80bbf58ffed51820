/* Errors: a function that can fail returns a tm_status and, when `err` is not NULL, fills it in.
 *
 * The message is one or two sentences for the user: it names the file, line, column or parameter,
 * what was expected and what to do. libtamis never prints and never exits. */
#ifndef TAMIS_ERROR_H
#define TAMIS_ERROR_H

typedef enum tm_status {
    TM_OK = 0,
    TM_EUSAGE,     /* a parameter or argument is unknown or out of range */
    TM_EDATA,      /* the data are malformed, or unsuitable for the request */
    TM_EIO,        /* a file could not be opened, read or written */
    TM_ENOMEM,     /* memory ran out */
    TM_ECANCELLED, /* the caller's cancel token was set */
} tm_status;

enum { TM_ERROR_MAX = 768 };

typedef struct tm_error {
    tm_status code;
    char message[TM_ERROR_MAX];
} tm_error;

#define TM_ERROR_INIT                                                                              \
    {                                                                                              \
        TM_OK,                                                                                     \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* Fills `err` (may be NULL) and returns `code`, so that callers write `return tm_fail(...)`. */
tm_status tm_fail(tm_error *err, tm_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The standard error for a failed allocation of `what`. */
tm_status tm_fail_memory(tm_error *err, const char *what);

#endif
