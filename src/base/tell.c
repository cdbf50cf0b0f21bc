#include "base/tell.h"

#include "base/utf8.h"

#include <stdarg.h>

void ib_tell(FILE *file, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ib_utf8_tame(text, "\n");
    fputs(text, file);
}
