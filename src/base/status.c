#include "base/status.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

ib_Status ib_error_set(ib_Error *error, ib_Status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        ib_utf8_tame(error->text, "");
    }
    return status;
}

ib_Status ib_error_under(const char *key, ib_Status status, ib_Error *error)
{
    if (status == IB_OK || !error) return status;
    ib_Error part = *error;
    return ib_error_set(error, status, "%s%.900s", key, part.text);
}

void ib__assert_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "ironbird: internal error: %s (%s:%d). Please report it.\n", what, file, line);
    abort();
}

void ib__assert_failed_say(const char *file, int line, const char *format, ...)
{
    char text[IB_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ib__assert_failed(text, file, line);
}
