#include "robot/rigid/rigid_text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Every number is written with 17 digits, so that MuJoCo reads the same value.
static void put_numbers(FILE *out, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? " " : "", numbers[i]);
}

void ib_rigid_put(ib_RigidText *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    for (const char *c = format; *c; c++) {
        if (*c == '%')
            fputs(va_arg(list, const char *), text->out);
        else if (*c == '$')
            fprintf(text->out, "%.17g", va_arg(list, double));
        else if (*c == '@')
            put_numbers(text->out, va_arg(list, const double *), *++c - '0');
        else if (*c == '&')
            fputs(text->prefix, text->out);
        else if (*c == '~' && text->prefix[0])
            fprintf(text->out, " class=\"%s\"", text->prefix);
        else if (*c != '~')
            fputc(*c == '\'' ? '"' : *c, text->out);
    }
    va_end(list);
}

void ib_rigid_put_touch(ib_RigidText *text, ib_RigidTouch touch)
{
    fprintf(text->out, " contype=\"%u\" conaffinity=\"%u\"", touch.type, touch.affinity);
}

void ib_rigid_text_alone(ib_RigidText *text, bool self)
{
    text->prefix = "";
    text->own = self ? (ib_RigidTouch){5, 6} : (ib_RigidTouch){1, 2};
    text->floor = text->ground = (ib_RigidTouch){2, 1};
}

bool ib_rigid_claim_box(ib_RigidText *text, const ib_TerrainBox *box)
{
    if (!text->boxes) return true;
    for (int i = 0; i < text->box_count; i++)
        if (memcmp(&text->boxes[i], box, offsetof(ib_TerrainBox, slippery)) == 0 &&
            text->boxes[i].slippery == box->slippery)
            return false;
    text->full |= text->box_count == IB_TERRAIN_BOXES;
    if (text->full) return false;
    text->boxes[text->box_count++] = *box;
    return true;
}

const char *ib_rigid_compose(void (*write)(const void *of, ib_RigidText *text), const void *of,
                             ib_RigidText *text, ib_Arena *arena)
{
    char *whole = NULL;
    size_t length = 0;
    text->out = open_memstream(&whole, &length);
    if (!text->out) return NULL;
    write(of, text);
    bool good = !ferror(text->out);
    good &= fclose(text->out) == 0;
    const char *kept = good && whole ? ib_arena_text_n(arena, whole, length) : NULL;
    free(whole);
    return kept;
}
