#include "file/diagnostics.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 2048 };

static bool same(const ib_Diagnostic *item, ib_Place place, const char *text)
{
    return item->line == place.line && item->column == place.column &&
           strcmp(item->file, place.file) == 0 && strcmp(item->text, text) == 0;
}

// File names repeat: one copy serves all mistakes of a file.
static const char *keep_file(ib_Diagnostics *diagnostics, const char *file)
{
    for (int i = diagnostics->count - 1; i >= 0; i--)
        if (strcmp(diagnostics->items[i].file, file) == 0) return diagnostics->items[i].file;
    return ib_arena_text(diagnostics->arena, file);
}

void ib_diagnostics_add(ib_Diagnostics *diagnostics, ib_Place place, const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ib_utf8_tame(text, ""); // one line, whatever was quoted and wherever it was cut

    if (!place.file) place.file = "";
    if (place.line < 1 || place.column < 1) place.line = place.column = 1;
    for (int i = 0; i < diagnostics->count; i++)
        if (same(&diagnostics->items[i], place, text)) {
            diagnostics->repeated++;
            return;
        }

    const char *file = NULL, *copy = NULL;
    if (diagnostics->count < IB_MAX_DIAGNOSTICS) {
        file = keep_file(diagnostics, place.file);
        copy = ib_arena_text(diagnostics->arena, text);
    }
    if (!file || !copy) {
        diagnostics->dropped++;
        return;
    }
    diagnostics->items[diagnostics->count++] =
        (ib_Diagnostic){file, place.line, place.column, copy};
}

int ib_diagnostics_total(const ib_Diagnostics *diagnostics)
{
    return diagnostics->count + diagnostics->dropped;
}

int ib_diagnostics_seen(const ib_Diagnostics *diagnostics)
{
    return ib_diagnostics_total(diagnostics) + diagnostics->repeated;
}

static int file_rank(const ib_Diagnostics *diagnostics, const char *file)
{
    int rank = 0;
    while (strcmp(diagnostics->items[rank].file, file) != 0) rank++;
    return rank;
}

void ib_diagnostics_sort(ib_Diagnostics *diagnostics)
{
    // Ranks are taken before anything moves.
    int rank[IB_MAX_DIAGNOSTICS];
    ib_Diagnostic *items = diagnostics->items;
    for (int i = 0; i < diagnostics->count; i++) rank[i] = file_rank(diagnostics, items[i].file);

    // Insertion keeps mistakes at the same place in the order in which they were found.
    for (int i = 1; i < diagnostics->count; i++) {
        ib_Diagnostic item = items[i];
        int at = rank[i], k = i;
        for (; k > 0; k--) {
            const ib_Diagnostic *before = &items[k - 1];
            bool later = rank[k - 1] != at           ? rank[k - 1] > at
                         : before->line != item.line ? before->line > item.line
                                                     : before->column > item.column;
            if (!later) break;
            items[k] = items[k - 1];
            rank[k] = rank[k - 1];
        }
        items[k] = item;
        rank[k] = at;
    }
}

void ib_diagnostic_format(const ib_Diagnostic *diagnostic, char *text, size_t size)
{
    snprintf(text, size, "%s:%d:%d: %s", diagnostic->file, diagnostic->line, diagnostic->column,
             diagnostic->text);
    ib_utf8_tame(text, "");
}
