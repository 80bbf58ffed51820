#include "cli/print/messages.h"

#include "cli/print/report.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_clean(char *text)
{
    report_clean(text);
    fprintf(stderr, "%s\n", text);
}

int cli_fail(const char *command, const tm_error *err)
{
    tm_error shown = *err;
    fprintf(stderr, "tamis%s%s: ", command ? " " : "", command ? command : "");
    print_clean(shown.message);
    return err->code == TM_EUSAGE ? CLI_USAGE : CLI_FAILED;
}

int cli_usage(const char *command, const char *format, ...)
{
    tm_error err = {TM_EUSAGE, {0}};
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    return cli_fail(command, &err);
}

void cli_remark(const cli_context *context, const char *format, ...)
{
    char message[TM_ERROR_MAX];
    if (context->quiet)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fputs("tamis: ", stderr);
    print_clean(message);
}

/* The stream records an earlier failure but not its reason, so query the pipe itself. */
static bool reader_is_gone(void)
{
    struct pollfd polled = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&polled, 1, 0) == 1 && (polled.revents & POLLERR);
}

tm_status cli_output_failed(int number, tm_error *err)
{
    return tm_fail(err, TM_EIO, "writing to standard output failed%s%s", number ? ": " : "",
                   number ? strerror(number) : "");
}

int cli_finish(const char *command, int status)
{
    return cli_finish_after(command, status, 0);
}

int cli_finish_after(const char *command, int status, int number)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    number = number ? number : errno;
    if (!failed && !ferror(stdout))
        return status;
    if (number != EPIPE && !reader_is_gone()) {
        tm_error err;
        cli_output_failed(number, &err);
        cli_fail(command, &err);
    }
    return CLI_FAILED;
}
