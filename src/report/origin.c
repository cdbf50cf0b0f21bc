#include "report/origin.h"

#include <stdio.h>
#include <time.h>

enum { MAX_TEXT = 1 << 20 };

const char *ib_origin_text(const char *path, ib_Arena *arena)
{
    FILE *file = fopen(path, "r");
    char *text = file ? ib_arena_alloc(arena, MAX_TEXT + 1) : NULL;
    if (text) text[fread(text, 1, MAX_TEXT, file)] = '\0';
    if (file) fclose(file);
    return text;
}

const char *ib_origin_date(ib_Arena *arena)
{
    time_t now = time(NULL);
    struct tm local;
    char text[64];
    if (!localtime_r(&now, &local) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local))
        return "";
    return ib_arena_text(arena, text);
}
